/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX kept between sessions: $XDG_CACHE_HOME/cudalab (default ~/.cache/cudalab), one file a
 * fingerprint, 64 MB in all; those not used for longest go first. A cache that can't be
 * written, that others can write, or that something has damaged, is the same as none.
 */
#ifndef PROGRAMS_CACHE_H
#define PROGRAMS_CACHE_H

#include "cc/source.h"

struct cached {
    struct buf ptx, log;
    char compiler[64];
};

/* 0 where there is an entry of that print; fills empty buffers. */
int cache_get(struct print128, struct cached *);
/* Is there a folder for it that others could write to, so that it is not used? */
enum { CACHE_PATH = 600 };
bool cache_refused(char out[CACHE_PATH]);
void cache_put(struct print128, const struct cached *);

#endif
