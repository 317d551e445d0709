/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *out = array("out");
    for (int i = 0; i < 1000; i++) {
        out[i] = 0;
        for (int k = 0; k < 7; k++)
            out[i] += in[i + k];
    }
}
