/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The return lab: one kernel that adds two numbers, and the ways in which its sum gets to the
 * host.
 */
#ifndef LABS_RETURN_WORK_H
#define LABS_RETURN_WORK_H

#include "labkit/ladder.h"

enum returning_tag { BY_POINTER, BY_NAME, BY_MANAGED, BY_HOST_POINTER };

struct returning {
    struct session *session;
    const struct args *args;
    struct report *report;
    int x, y;
};

struct old_ladder returning_ladder(struct returning *, const struct lab_variant *variants);

#endif
