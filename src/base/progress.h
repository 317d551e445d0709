/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How whoever works for long says that it still does, between two looks at the clock or at
 * Ctrl-C: by a call to whoever would show it. Nothing here shows anything.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>

struct progress {
    void (*see)(void *self, double part); /* part: 0 to 1 of this piece of work, or PART_UNKNOWN */
    void *self;
};
#define PART_UNKNOWN (-1.0)

static inline void progress_tell(const struct progress *p, double part)
{
    if (p && p->see)
        p->see(p->self, part);
}

#endif
