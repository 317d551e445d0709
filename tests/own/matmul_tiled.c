/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *a = array("A"), *b = array("B"), *c = array("C");
    int *p = array("P"), *q = array("Q"), *r = array("R");
    for (int row = 0; row < 32; row++)
        for (int col = 0; col < 32; col++) {
            double sum = 0;
            for (int k = 0; k < 32; k++)
                sum += (double)a[row * 32 + k] * b[k * 32 + col];
            c[row * 32 + col] = (float)sum;
        }
    for (int row = 0; row < 19; row++)
        for (int col = 0; col < 21; col++) {
            r[row * 21 + col] = 0;
            for (int k = 0; k < 10; k++)
                r[row * 21 + col] += p[row * 10 + k] * q[k * 21 + col];
        }
}
