/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *x = array("x"), *y = array("y"), *z = array("z"), *p = array("p");
    for (size_t i = 0; i < count("x"); i++) {
        y[i] = 2.5f * x[i] + y[i];
        int t = (int)x[i] % 16;
        p[i] = (float)(2 * t * t * t - t * t + 3 * t - 7);
    }
    for (size_t i = 0; i < 770; i++)
        z[i + 7] = -3.0f * x[i] + z[i + 7];
}
