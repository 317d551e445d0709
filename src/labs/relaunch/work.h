/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The relaunch lab: the same additions by many launches and by one that loops.
 */
#ifndef LABS_RELAUNCH_WORK_H
#define LABS_RELAUNCH_WORK_H

#include "labkit/ladder.h"
#include "own/shape.h"
#include "labkit/vectors.h"

enum relaunching_tag { ONE_EACH, LOOPS };
enum { RELAUNCH_MOST = 10000 };

struct relaunching {
    struct session *session;
    const struct args *args;
    struct report *report;
    struct vectors v;
    struct shape shape;
    int iters;
};

/* Close it also when opening failed; -1: the report says why. */
int relaunching_open(struct relaunching *, struct session *, const struct args *, struct report *);
void relaunching_close(struct relaunching *);
struct old_ladder relaunching_ladder(struct relaunching *, const struct lab_variant *variants);

#endif
