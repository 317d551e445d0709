/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"
#include <math.h>

void reference(void)
{
    float *x = array("x"), *r = array("r"), *rounded = array("rounded");
    double *g = array("g");
    for (int i = 0; i < 200; i++, r += 9, g += 2) {
        double v = x[i] + 0.25f, w = x[i] + 0.5;
        double want[9] = {exp(v),
                          sin(v),
                          cos(2 * v),
                          log(v),
                          v * sqrt(v),
                          tanh(v),
                          exp2(-v),
                          log2(v + 1) + log10(v),
                          exp(-v) + sin(v / 2)};
        for (int k = 0; k < 9; k++)
            r[k] = (float)want[k];
        g[0] = exp(-w) + log(w) * sin(w);
        g[1] = w * w * sqrt(w) + cos(w);
    }
    for (int i = 0; i < 12; i++, rounded += 4) {
        double v = (i - 6) * 0.75;
        double want[4] = {floor(v), ceil(v), trunc(v), rint(v)};
        for (int k = 0; k < 4; k++)
            rounded[k] = (float)want[k];
    }
}
