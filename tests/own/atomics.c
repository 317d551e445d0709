/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int less(int a, int b)
{
    return a < b ? a : b;
}
static int more(int a, int b)
{
    return a > b ? a : b;
}

void reference(void)
{
    int *r = array("r"), *once = array("once"), *data = array("data");
    uint32_t *u = array("u");
    uint64_t *w = array("w");
    r[2] = r[11] = 1 << 30;
    r[3] = r[12] = -(1 << 30);
    r[13] = 0;
    r[10] += 256;
    for (int i = 0; i < 256; i++) {
        uint32_t x = (uint32_t)data[i];
        uint64_t v = (uint64_t)(data[i] + 1000000) << 20;
        r[0] += data[i];
        r[1] -= 2 * data[i];
        r[2] = r[11] = less(r[2], data[i]);
        r[3] = r[12] = more(r[3], data[i]);
        r[4] &= (int)(x | 0xff00ff00u);
        r[5] |= data[i] & 0x10101;
        r[6] ^= data[i];
        r[9]++;
        r[13] += data[i] % 2 != 0;
        u[0] = x < u[0] ? x : u[0];
        u[1] = x > u[1] ? x : u[1];
        w[0] = v < w[0] ? v : w[0];
        w[1] = v > w[1] ? v : w[1];
        w[2] += v;
        w[3] ^= v | 1;
        once[i] = 1;
    }
    r[7] = 77;
    r[8] = 4711;
    r[14] = 0xffff;
    r[15] = 5;
    u[2] = 256 % 100;
    u[3] = 41 - 256 % 41;
}
