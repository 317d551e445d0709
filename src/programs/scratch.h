/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scratch folder lies under TMPDIR for the time of one compilation, session or grading. It is
 * locked while its cudalab lives. Folders that a killed cudalab left are removed when the next one is
 * made.
 */
#ifndef PROGRAMS_SCRATCH_H
#define PROGRAMS_SCRATCH_H

#include "base/buf.h"
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
/* One for the files of hand-ins: they don't count as files that a compiler made. */
int scratch_make_grading(struct scratch *, struct err *);
/* Starts a process that removes the folder later. A caller that is about to lose the right to
 * remove it needs that. */
int scratch_leave(struct scratch *, struct err *);
/* -1: it can't be read, is empty, or has more than `most` bytes. */
int scratch_read(const char *path, size_t most, struct buf *to);
void scratch_remove(struct scratch *);

#endif
