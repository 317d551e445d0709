/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *part = array("part"), *out = array("out");
    double *din = array("din"), *dout = array("dout");
    for (int i = 0; i < 3000; i++) {
        part[i / 256] += in[i];
        out[0] += in[i];
    }
    for (int i = 0; i < 512; i++)
        dout[i / 256] += din[i];
}
