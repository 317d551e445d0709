/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"
#include <math.h>

void reference(void)
{
    float *x = array("x"), *r = array("r"), *exact = array("exact");
    double *g = array("g");
    for (int i = 0; i < 160; i++, r += 5, g += 2) {
        double v = x[i], half_turn = acos(-1);
        r[0] = (float)((v < 0 ? -half_turn : half_turn) - atan(v / 1.5));
        r[1] = (float)cbrt(v + 3);
        r[2] = (float)sqrt(v * v + 1);
        r[3] = (float)erf(v);
        r[4] = (float)(half_turn / 2 + (exp(v) - exp(-v)) / 2);
        g[0] = atan(v) + sin(v * 0.5) / cos(v * 0.5);
        g[1] = log(v + 3.5) + cbrt(v + 3);
    }
    for (int i = 0; i < 12; i++, exact += 4) {
        int quarters = 3 * (i - 6);
        double v = quarters / 4.0;
        exact[0] = (float)(quarters % 8) / 4;
        if (quarters < 0 && quarters % 8 == 0)
            exact[0] = -0.0f;
        exact[1] = quarters < 0 ? -3 : 3;
        exact[2] = (float)round(v);
        exact[3] = (float)(8 * quarters);
    }
}
