/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *x = array("x"), *share = array("share"), *total = array("total");
    float *u = array("u"), v[320];
    for (int i = 0; i < 1000; i++)
        total[0] += x[i];
    for (int i = 0; i < 1000; i++)
        share[i] = x[i] * 10000 / total[0];
    total[1] = share[0] + share[999];
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < 320; i++)
            v[i] = u[(i + 319) % 320] - u[i] + u[(i + 1) % 320];
        memcpy(u, v, sizeof v);
    }
}
