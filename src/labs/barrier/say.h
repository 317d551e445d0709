/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the barrier lab shows: the hooks of its ladder.
 */
#ifndef LABS_BARRIER_SAY_H
#define LABS_BARRIER_SAY_H

#include "labs/barrier/work.h"
#include "command/command.h"

struct barrier {
    struct session *session;
    const struct args *args;
    struct report *report;
    const struct lab_variant *variants;
    struct barrier_taken taken; /* in the last run */
};

struct old_ladder barrier_ladder(struct barrier *);

#endif
