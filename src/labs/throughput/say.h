/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the throughput lab: one kind, all in a table, the guides' table, the host's
 * calls. All give -1 where the report has an error.
 */
#ifndef LABS_THROUGHPUT_SAY_H
#define LABS_THROUGHPUT_SAY_H

#include "command/variants.h"
#include "labs/throughput/work.h"

struct throughput_options {
    struct lab_options lab;
    int steps;
    const char *function;
    bool table;
};

int pace_one(struct session *, const struct throughput_options *, const struct lab_variant *,
             struct report *);
int pace_all(struct session *, const struct throughput_options *, const struct lab_variant *all,
             struct report *);
int pace_table(struct session *, struct report *);
int pace_calls(struct session *, const struct lab_variant *, struct report *);

#endif
