/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is there memory for something big? The system is asked each time, so that this file keeps no
 * account of its own: the limits of this process, those of its control groups, and what the
 * computer has left. Linux promises more memory than it has and kills whoever touches too much
 * of it, so a plain allocation that succeeds proves nothing.
 */
#ifndef BASE_ROOM_H
#define BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM_ASKS = 1 << 20 }; /* what takes fewer bytes need not ask */

/* Can this process take so many bytes more, and use them all? */
bool room_for(size_t bytes);
/* From now on this process can't have more than so many bytes of memory of its own. The processes
 * that it starts can lift the bound again. In a build with sanitizers nothing happens. */
void room_bound(uint64_t bytes);
void room_unbound(void);

#endif
