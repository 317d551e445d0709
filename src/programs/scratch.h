/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder of our own under TMPDIR, for the time of one compilation or session. It is locked
 * while its cudalab lives; those that a killed one left behind are removed when the next is made.
 */
#ifndef PROGRAMS_SCRATCH_H
#define PROGRAMS_SCRATCH_H

#include "base/err.h"

#include <stddef.h>
#include <sys/types.h>

enum { SCRATCH_PATH = 300 };

struct scratch {
    char path[SCRATCH_PATH]; /* "": there is none */
    int lock;                /* the folder, open */
    pid_t remover;           /* another process that removes it; 0: none */
    int remover_waits;       /* for the end of this file */
};

int scratch_make(struct scratch *, struct err *);
/* Leaves its removal to a process of its own, for one who is about to give up the right to it. */
int scratch_leave(struct scratch *, struct err *);
int scratch_write(const char *folder, const char *name, const void *bytes, size_t n);
void scratch_remove(struct scratch *);

#endif
