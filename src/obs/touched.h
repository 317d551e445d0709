/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bytes of global memory a launch reads and writes. Atomic operations are kept apart from
 * plain accesses, because two of them never race. So are loads for which others may write at the
 * same time, the host too.
 */
#ifndef OBS_TOUCHED_H
#define OBS_TOUCHED_H

#include "base/byte-set.h"
#include "sim/sim.h"

struct touched {
    struct byte_set read, written;
    struct byte_set atomic;  /* by atomic operations, or by volatile or stronger accesses */
    struct byte_set watched; /* by loads that are volatile, or strong in the whole system */
    bool heap; /* it has used malloc() or free() of device code */
    bool lost; /* memory ran out, and the sets lack bytes */
};

struct sim_observer touched_observer(struct touched *);
void touched_free(struct touched *);
bool touched_same(const struct touched *, const struct touched *);
int touched_copy(struct touched *empty, const struct touched *); /* -1: memory is out */

#endif
