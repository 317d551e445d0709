/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads of memory that nobody has written.
 *
 * The owner of a device tells which arrays there are and what the host writes into them; the
 * observer sees what kernels write. What is written stays so from launch to launch; a launch
 * that faulted leaves everything as before it. What malloc gives to a kernel starts unwritten.
 * Memory that nobody told about counts as written (module variables), and so do arrays whose
 * bookkeeping found no room.
 *
 * A read is found where an element of it was never written: all bytes of a plain load, of one
 * element of a vector, or of an element of the array where that is smaller. Padding that comes
 * along where a struct is copied is none.
 */
#ifndef CHECK_UNINIT_H
#define CHECK_UNINIT_H

#include "check/finding.h"

struct uninit;
struct uninit *uninit_open(void); /* NULL: out of memory */
void uninit_close(struct uninit *);

void uninit_array(struct uninit *, uint64_t address, size_t bytes); /* a new one, unwritten */
void uninit_drop(struct uninit *, uint64_t address);
void uninit_wrote(struct uninit *, uint64_t address, size_t bytes); /* the host did */
/* The array at `to` was copied from one that others watch: it is written where that one is. */
void uninit_copied(struct uninit *, uint64_t to, const struct uninit *others, uint64_t from);
void uninit_all(struct uninit *); /* everything there is counts as written from now on */

/* Watch one launch; then keep or forget what it wrote. */
struct sim_observer uninit_observer(struct uninit *, struct findings *);
void uninit_end(struct uninit *, bool finished);

#endif
