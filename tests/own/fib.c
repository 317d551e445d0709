/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    uint32_t *f = array("f");
    uint64_t *g = array("g");
    int *gcds = array("gcds"), *a = array("a"), *b = array("b");
    g[1] = 1;
    for (int i = 2; i < 94; i++)
        g[i] = g[i - 1] + g[i - 2];
    for (int i = 0; i < 20; i++)
        f[i] = (uint32_t)g[i];
    for (int i = 20; i < 32; i++)
        f[i] = (i - 20) % 6 % 2 ? 1 : 10;
    for (int i = 0; i < 64; i++)
        for (int d = 1; d <= 6000; d++)
            if (6 * a[i] % d == 0 && 4 * b[i] % d == 0)
                gcds[i] = d;
}
