/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How work that may take long asks whether it should go on: after Ctrl-C, when told to end, and
 * when its time is up it should not. Whoever answers knows why, and says so in the error.
 */
#ifndef BASE_GO_ON_H
#define BASE_GO_ON_H

#include "base/err.h"

struct go_on {
    int (*ask)(void *self, struct err *); /* -1: no, and why */
    void *self;
};

static inline int go_on(const struct go_on *g, struct err *e)
{
    return g && g->ask ? g->ask(g->self, e) : 0;
}

#endif
