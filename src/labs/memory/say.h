/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the memory lab: the hooks of its ladder.
 */
#ifndef LABS_MEMORY_SAY_H
#define LABS_MEMORY_SAY_H

#include "command/command.h"
#include "labs/memory/work.h"

struct memory_lab {
    struct session *session;
    const struct args *args;
    struct report *report;
    const struct lab_variant *variants;
    struct memory_size size;
    unsigned launched; /* as the kernel of the last run has counted */
};

/* -1: the report says why. */
int memory_open(struct memory_lab *, struct session *, const struct args *,
                const struct lab_variant *variants, struct report *);
struct old_ladder memory_ladder(struct memory_lab *);

#endif
