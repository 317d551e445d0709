/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *re = array("re"), *im = array("im"), *z = array("z"), *p = array("p");
    float *v = array("v");
    for (int i = 0; i < 48; i++) {
        int sign = re[i] || im[i] ? 1 : -1;
        z[2 * i] = sign * (2 * re[i] + im[i] + i);
        z[2 * i + 1] = sign * (2 * im[i] - re[i]);
    }
    p[0] = 1;
    for (int k = 1; k < 16; k++) {
        p[2 * k] = p[2 * k - 2] - p[2 * k - 1];
        p[2 * k + 1] = p[2 * k - 2] + p[2 * k - 1];
    }
    for (int t = 0; t < 4; t++) {
        float side = 0.5f * (float)(t + 1);
        v[t] = side * side;
        v[t + 4] = 2 * side * side;
        v[t + 8] = (float)(t * t + 9);
    }
}
