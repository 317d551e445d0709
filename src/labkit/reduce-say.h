/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What labs show whose kernels add up an array: the hooks of their ladder.
 */
#ifndef LABKIT_REDUCE_SAY_H
#define LABKIT_REDUCE_SAY_H

#include "command/command.h"
#include "labkit/reduce.h"

/* What one lab has that another has not. */
struct reduce_lab {
    const char *name;        /* its module, its help, what its answer is called */
    const char *fills[2];    /* the options that fill its arrays; the second may be NULL */
    unsigned threads;        /* a block, if not told */
    const struct host_call *(*calls_of)(const struct lab_variant *);
    /* A figure from elsewhere, in milliseconds, NULL: none; and what it is, in a sentence. */
    const char *beside_head, *beside_says;
    const char *(*elsewhere)(const struct lab_variant *);
};

struct reduction {
    const struct reduce_lab *of;
    struct session *session;
    struct report *report;
    const struct args *args;
    const struct lab_variant *variants;
    struct reduce_data data;  /* as asked */
    struct reduce_data small; /* for wrong variants: so little that losing one shows */
    bool on_gpu;
};

/* All that --variant and the other options of such a lab ask for. */
int reduction_run(const struct reduce_lab *, struct session *, const struct args *,
                  const struct lab_variant *variants, struct report *);

#endif
