/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *a = array("A"), *b = array("B"), *c = array("C");
    int n = 48;
    for (size_t i = 0; i < count("A"); i++)
        a[i] = (float)(int)(a[i] * 8) / 8;
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += (double)a[row * n + k] * b[k * n + col];
            c[row * n + col] = (float)sum;
        }
}
