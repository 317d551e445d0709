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

enum { TRANSFER_CALLS = 32 };

struct transfer {
    enum transfer_kind kind;
    int major; /* of the device's compute capability */
    const struct transfer_array *arrays;
    bool forgets; /* it doesn't wait for the kernel */
    struct host_call calls[TRANSFER_CALLS];
    unsigned count;
    struct arena memory;
};

/* NULL: this device can move memory so; else why it can't, and what it can. */
const char *transfer_refused(enum transfer_kind, const struct device_props *);
/* The calls of a program around one launch, "%s(dx, dy, dz, n)". NULL: out of memory. They are the
 * transfer's, as long as it isn't freed. */
const struct host_call *transfer_calls(struct transfer *, const char *launch);
void transfer_free(struct transfer *);
uint64_t transfer_bytes(const struct transfer_array *, bool in); /* in, or else out */

#endif
