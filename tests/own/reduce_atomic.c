/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *data = array("data"), *total = array("total");
    float *x = array("x"), *fsum = array("fsum");
    uint64_t *big = array("big");
    double sum = 0;
    for (int i = 0; i < 5000; i++) {
        *total += data[i];
        *big += (uint64_t)(data[i] + 50) << 32;
        if (i < 1500)
            sum += x[i];
    }
    *fsum = (float)sum;
}
