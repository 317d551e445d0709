/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int capacity(int n, int step)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += k * step * (n - k);
    return sum;
}

void reference(void)
{
    float *f = array("f");
    int *i = array("i"), *sums = array("sums"), *caps = array("caps");
    double *d = array("d");
    unsigned char *u = array("u");
    for (int k = 0; k < 40; k++) {
        f[k] *= 0.5f;
        i[k] *= 3;
        d[k] *= -0.25;
        u[k] = (unsigned char)(7 * k);
    }
    for (int k = 0; k < 9; k++)
        sums[k] = 12 * k + 18;
    for (int k = 0; k < 3; k++) {
        sums[9 + k] = 3 * k;
        caps[k] = capacity(4, k + 1);
        caps[3 + k] = capacity(8, k + 1);
    }
}
