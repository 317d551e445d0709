/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

struct state {
    uint32_t d, v[5];
};

static void start(struct state *s, uint64_t seed)
{
    uint32_t a = (uint32_t)seed ^ 0xaad26b49u, b = (uint32_t)(seed >> 32) ^ 0xf7dcefddu;
    uint32_t t = 1099087573u * a, u = 2591861531u * b;
    s->d = 6615241u + u + t;
    s->v[0] = 123456789u + t;
    s->v[1] = 362436069u ^ t;
    s->v[2] = 521288629u + u;
    s->v[3] = 88675123u ^ u;
    s->v[4] = 5783321u + t;
}

static uint32_t next(struct state *s)
{
    uint32_t t = s->v[0] ^ (s->v[0] >> 2), last = s->v[4];
    memmove(s->v, s->v + 1, 4 * sizeof *s->v);
    s->v[4] = last ^ (last << 4) ^ t ^ (t << 1);
    s->d += 362437u;
    return s->v[4] + s->d;
}

void reference(void)
{
    uint32_t *raw = array("raw");
    int *dice = array("dice"), *same = array("same");
    struct state s;
    for (unsigned i = 0; i < 64; i++) {
        start(&s, 99 + i * 4294967301u);
        for (int k = 0; k < 6; k++)
            raw[6 * i + k] = next(&s);
        start(&s, 1000 + i);
        for (int six = 0; six < 3 && dice[i] < 100; dice[i]++)
            six += next(&s) % 6 == 5;
    }
    same[0] = same[1] = 50;
    same[2] = 1;
}
