/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *x = array("x"), *found = array("found"), *odd = array("odd");
    int64_t *sums = array("sums");
    for (int i = 0; i < 512; i++) {
        if (x[i] > 25) {
            ++*found;
            sums[0] += x[i] * (int64_t)1000003 + 1;
        }
        *odd += x[i] % 2 != 0;
    }
}
