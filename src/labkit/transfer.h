/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four ways for a kernel's arrays to be where host and device need them, as runtime calls:
 * managed memory, copies from pageable or from pinned memory, and mapped memory. What a kernel
 * computes is the same with each; what differs is who moves which bytes, and who waits.
 */
#ifndef LABKIT_TRANSFER_H
#define LABKIT_TRANSFER_H

#include "dev/jobs.h"
#include "labkit/ladder/ladder.h"

/* By enum transfer_kind. */
extern const char *const transfer_names[]; /* managed copy pinned mapped */
extern const char *const transfer_how[];   /* "by cudaMemcpy, pinned" */

struct transfer_array {
    const char *name; /* "x"; its copies are hx and dx. NULL: the end */
    size_t bytes;
    bool in, out;     /* the kernel reads what the host wrote; the host reads it after */
};

struct transfer {
    enum transfer_kind kind;
    const struct transfer_array *arrays;
};

/* NULL: this device can move memory so; else why it can't, and what it can. */
const char *transfer_refused(enum transfer_kind, const struct device_props *);
uint64_t transfer_bytes(const struct transfer_array *, bool in); /* in, or else out */

#endif
