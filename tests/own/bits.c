/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static uint64_t turned(uint64_t v, int width)
{
    uint64_t r = 0;
    for (int i = 0; i < width; i++)
        r |= (v >> i & 1) << (width - 1 - i);
    return r;
}

static unsigned ones(uint64_t v)
{
    return v ? (unsigned)(v & 1) + ones(v >> 1) : 0;
}

static unsigned length(uint64_t v)
{
    return v ? 1 + length(v >> 1) : 0;
}

static unsigned first(uint64_t v)
{
    for (unsigned i = 0; i < 64; i++)
        if (v >> i & 1)
            return i + 1;
    return 0;
}

static uint32_t permuted(uint64_t both, unsigned selector)
{
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return r;
}

void reference(void)
{
    uint32_t *x = array("x"), *o = array("o");
    uint64_t *y = array("y"), *p = array("p");
    for (unsigned i = 0; i < 128; i++, o += 11) {
        uint32_t v = i == 0 ? 0 : i == 1 ? 0xffffffffu : x[i] >> i % 20;
        uint64_t both = (uint64_t)x[(i + 1) % 128] << 32 | v, twice = (uint64_t)v << 32 | v;
        o[0] = ones(v);
        o[1] = 32 - length(v);
        o[2] = (uint32_t)turned(v, 32);
        o[3] = first(v);
        o[4] = permuted(both, 0x1407 + i % 8 * 16);
        o[5] = (uint32_t)((both << i % 32) >> 32);
        o[6] = (uint32_t)(both >> (i + 5) % 32);
        o[7] = (uint32_t)((twice << i % 32) >> 32);
        o[8] = (v ^ v >> 1) & ~(v ? 1u << (first(v) - 1) : 0);
        for (int k = 0; k < 8; k++)
            o[9] |= (v >> 4 * k & 15) << 4 * (k ^ 1);
        o[10] = (ones(v) == 1) + ones(v) % 2 * 2 + (length(v) == 32) * 4;
    }
    for (unsigned i = 0; i < 64; i++, p += 5) {
        uint64_t v = i == 0 ? 0 : i == 1 ? ~0ull : y[i] >> i;
        p[0] = ones(v);
        p[1] = 64 - length(v);
        p[2] = turned(v, 64);
        p[3] = first(v);
        p[4] = ((v & 0xffffffff) ^ 0xdeadbeef) << 32 | (v >> 32 & 0x00ff00ff);
    }
}
