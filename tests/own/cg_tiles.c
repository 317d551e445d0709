/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *x = array("x"), *s8 = array("s8"), *s16 = array("s16"), *info = array("info");
    for (int i = 0; i < 128; i++) {
        s8[i / 8] += x[i];
        for (int k = 0; k < 16; k++)
            s16[i] += x[i / 16 * 16 + k];
        int any = 0, all = 1, ballot = 0;
        for (int k = 0; k < 4; k++) {
            int y = x[i / 4 * 4 + k];
            any |= y > 20;
            all &= y < 25;
            ballot |= (y < 0) << k;
        }
        info[3 * i] = i % 4 * 1000 + i % 64 / 4 * 10 + any;
        info[3 * i + 1] = ballot + 100 * all;
        info[3 * i + 2] = x[i % 4 ? i - 1 : i] + x[i / 4 * 4 + 3];
    }
}
