/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is there memory for something big? Linux promises more memory than it has and kills whoever
 * touches too much of it, so a plain allocation that succeeds proves nothing. This process is
 * bound to what there is (os/computer.h knows it), and whatever is big asks here first.
 */
#ifndef BASE_ROOM_H
#define BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM_ASKS = 1 << 20 }; /* what takes fewer bytes need not ask */

/* Can this process take so many bytes more, and use them all? */
bool room_for(uint64_t bytes);
/* Memory that a file without a name holds for this process counts as its own from now on, until it
 * is given back. NULL: there is no room. */
void *room_take(size_t bytes);
void room_give_back(void *taken, size_t bytes);
/* From now on this process can't have more than so many bytes of memory of its own. The processes
 * that it starts can lift the bound again. In a build with sanitizers nothing happens. */
void room_bound(uint64_t bytes);
void room_unbound(void);
uint64_t room_limit(void); /* the bound that holds now; UINT64_MAX: none */

#endif
