/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the memory lab: one variant, one that is wrong, all in a table, the host's calls.
 */
#ifndef TEACH_MEMORY_SAY_H
#define TEACH_MEMORY_SAY_H

#include "teach/command.h"
#include "teach/memory-run.h"

struct memory_lab {
    struct session *session;
    const struct args *args;
    struct report *report;
    const struct lab_variant *variants;
    struct memory_size size;
};

/* All give -1 where the report has an error. */
int memory_open(struct memory_lab *, struct session *, const struct args *,
                const struct lab_variant *variants, struct report *);
int memory_one(struct memory_lab *, const struct lab_variant *);
int memory_wrong(struct memory_lab *, const struct lab_variant *);
int memory_all(struct memory_lab *);
int memory_calls(struct memory_lab *, const struct lab_variant *);

#endif
