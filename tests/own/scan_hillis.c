/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *incl = array("incl"), *excl = array("excl"), sum = 0;
    for (int i = 0; i < 256; i++) {
        excl[i] = sum;
        sum += in[i];
        incl[i] = sum;
    }
}
