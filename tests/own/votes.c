/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *x = array("x"), *c = array("c");
    uint32_t *v = array("v"), *part = array("part"), *groups = array("groups");
    for (int i = 0; i < 128; i++) {
        uint32_t big = 0, odd_big = 0, even_4 = 0, even_8 = 0;
        v[4 * i + 2] = 1;
        for (int k = 0; k < 32; k++) {
            int other = x[i / 32 * 32 + k];
            big |= (uint32_t)(other > 4) << k;
            odd_big |= (uint32_t)(other > 2 && other % 2) << k;
            even_4 |= other == 4;
            even_8 |= other == 8;
            v[4 * i + 1] |= other == 7;
            v[4 * i + 2] &= other < 9;
            if (i < 64)
                groups[i] |= (uint32_t)(other % 4 == x[i] % 4) << k;
        }
        v[4 * i] = big;
        v[4 * i + 3] = x[i] % 2 ? odd_big : 100 + !even_4 + 2 * even_8;
    }
    for (int i = 0; i < 40; i++) {
        uint32_t b = 0;
        int before = 0;
        for (int k = 0; k < 20; k++) {
            b |= (uint32_t)(x[i / 20 * 20 + k] >= 5) << k;
            before += k < i % 20 && x[i / 20 * 20 + k] >= 5;
        }
        part[i] = 2 * b + (!before && x[i] >= 5);
    }
    for (int b = 0; b < 4; b++) {
        c[3 * b + 1] = 1;
        for (int t = 0; t < 96; t++) {
            int mine = x[(11 * b + t) % 128];
            c[3 * b] += mine > 6;
            c[3 * b + 1] &= mine <= 3 * b;
            c[3 * b + 2] |= t == 95 && mine == 1;
        }
    }
}
