/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void reference(void)
{
    int *v = array("v");
    for (int run = 0; run < 512; run += 8) /* even runs rise, odd ones fall */
        for (int i = run; i < run + 8; i++)
            for (int k = i + 1; k < run + 8; k++)
                if (run / 8 % 2 ? v[i] < v[k] : v[i] > v[k]) {
                    int t = v[i];
                    v[i] = v[k];
                    v[k] = t;
                }
    qsort(array("w"), 256, 4, order);
}
