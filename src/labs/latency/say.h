/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the latency lab: one level, all of them in a table, the host's calls. All give
 * -1 where the report has an error.
 */
#ifndef LABS_LATENCY_SAY_H
#define LABS_LATENCY_SAY_H

#include "labs/latency/work.h"
#include "command/variants.h"

struct latency_options {
    struct lab_options lab;
    int steps, bytes, stride; /* 0: the usual */
    int order;                /* which of `orders` */
};

int latency_one(struct session *, const struct latency_options *, const struct lab_variant *,
                struct report *);
int latency_all(struct session *, const struct latency_options *, const struct lab_variant *all,
                struct report *);
int latency_calls(struct session *, const struct lab_variant *, struct report *);

#endif
