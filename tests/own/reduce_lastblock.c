/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *in = array("in"), *partial = array("partial"), *result = array("result");
    for (int i = 0; i < 4096; i++) { /* quarters: exact in any order */
        partial[i / 128 % 16] += in[i];
        *result += in[i];
    }
}
