/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop is work in parts (base/parts.h) where nothing is left to do in order.
 */
#include "labkit/loop.h"

enum { ROUNDS = 1 << 14 }; /* of a part */

struct looping { uint64_t n; lab_rounds *rounds; void *self; };

static int make(void *self, uint64_t part, void *made, struct err *e)
{
    const struct looping *l = self;
    const uint64_t from = part * ROUNDS, left = l->n - from;
    (void)made, (void)e;
    l->rounds(l->self, from, from + (left < ROUNDS ? left : ROUNDS));
    return 0;
}

int lab_do_parts(const struct session *s, const struct parts *p, struct report *r)
{
    return session_do_parts(s, p, LAB_ADVICE, r);
}

int lab_loop(const struct session *s, uint64_t n, lab_rounds *rounds, void *self, struct report *r)
{
    struct looping l = {n, rounds, self};
    return lab_do_parts(s, &(struct parts){.count = (n + ROUNDS - 1) / ROUNDS, .self = &l,
                                           .make = make}, r);
}
