/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static void life(const unsigned char *now, unsigned char *next)
{
    for (int i = 0; i < 768; i++) {
        int x = i % 32, y = i / 32, n = -now[i];
        for (int k = 0; k < 9; k++)
            n += now[(y + k / 3 + 23) % 24 * 32 + (x + k % 3 + 31) % 32];
        next[i] = n == 3 || (n == 2 && now[i]);
    }
}

void reference(void)
{
    unsigned char *a = array("a"), *b = array("b"), *c = array("c");
    uint32_t *alive = array("alive");
    life(a, b);
    life(b, c);
    for (int i = 0; i < 768; i++)
        alive[i / 32] |= (uint32_t)c[i] << i % 32;
    life(c, a);
}
