/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"
#include <math.h>

void reference(void)
{
    double *x = array("x"), *y = array("y"), *r = array("r"), *root = array("root");
    double *pi = array("pi"), *fused = array("fused");
    for (int i = 0; i < 300; i++, r += 5) {
        r[0] = x[i] + y[i];
        r[1] = x[i] * y[i];
        r[2] = y[i] / (x[i] + 1);
        r[3] = sqrt(x[i]);
        r[4] = (y[i] > -0.5 && y[i] < 0.5) == (x[i] > 500) ? x[i] : 500;
    }
    for (int i = 0; i < 100; i++) {
        int a = (int)x[i] * 1000 + 1, w = 0;
        while ((w + 1) * (w + 1) <= a)
            w++;
        root[i] = w;
        /* the product of two doubles needs 106 bits: in two halves of 26 and 27 each */
        double p = x[i] * y[i], s = 134217729.0;
        double xh = s * x[i] - (s * x[i] - x[i]), xl = x[i] - xh;
        double yh = s * y[i] - (s * y[i] - y[i]), yl = y[i] - yh;
        fused[i] = ((xh * yh - p) + xh * yl + xl * yh) + xl * yl;
    }
    for (int k = 999; k >= 0; k--)
        *pi += (k % 2 ? -4.0 : 4.0) / (2 * k + 1);
}
