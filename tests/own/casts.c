/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"
#include <math.h>

void reference(void)
{
    static const unsigned char truths[12] = {0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 4, 1};
    float *f = array("f"), *g = array("g"), *n = array("n");
    int *r = array("r"), *i = array("i");
    double *d = array("d");
    for (int k = 0; k < 12; k++, r += 10) {
        int whole = (int)f[k];
        r[0] = whole;
        r[1] = (int)rint(f[k]);
        r[2] = (int)floor(f[k]);
        r[3] = (int)ceil(f[k]);
        r[4] = (int)(float)(f[k] + 0.5f);
        r[5] = (int16_t)whole;
        r[6] = (uint8_t)whole;
        r[7] = (int)((int64_t)whole * 3 >> 1);
        r[8] = (int)floor(2 * (double)f[k]);
        r[9] = f[k] > 0 ? whole : -1;
    }
    for (int k = 0; k < 8; k++, g += 3, d += 3) {
        g[0] = (float)i[k];
        g[1] = (float)(uint32_t)i[k];
        g[2] = (float)((int64_t)i[k] * 2147483659);
        d[0] = i[k] / 4;
        d[1] = i[k] * 0.25;
        d[2] = (float)(i[k] + 0.5);
    }
    float inf = HUGE_VALF, nan = inf - inf;
    float want[16] = {3,   -4,   -inf, nan,  nan,  2,   -0.0f, nan,
                      inf, -inf, inf,  -inf, -inf, inf, -inf,  inf};
    memcpy(n, want, sizeof want);
    memcpy(array("m"), truths, sizeof truths);
}
