/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hostmem: batches of data that go from the host to a kernel and back, by each kind of host memory.
 * A variant is a list of calls; labkit/streams runs it. The same lists, without a run, give the
 * table that compares the kinds: by the lecture notes' way of timing and by a fair one.
 */
#ifndef LABS_HOSTMEM_WORK_H
#define LABS_HOSTMEM_WORK_H

#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/streams/streams.h"

enum hostmem_tag { /* of a variant: the kind of memory, and: */
    HOSTMEM_MEMORY = 3,
    HOSTMEM_ASYNC = 4,  /* a stream, and the next batch is written while it works */
    HOSTMEM_TWO = 8,    /* into another buffer */
    HOSTMEM_HASTY = 16  /* the host does not wait */
};

struct hostmem_options {
    struct lab_options lab;
    int n, batches, passes;
    struct stream_assumed assumed;
};

/* A row of the table: microseconds of one batch. */
struct hostmem_row {
    const char *memory;
    double to_gpu, from_gpu; /* as the notes time them; of mapped memory both are one figure */
    double once, passes;     /* as a program has it, with one pass and with all of them */
};
enum { HOSTMEM_KINDS = 3 };

struct hostmem {
    struct lab_run run;
    const struct hostmem_options *options;
    uint32_t *x, *z;        /* all batches */
    struct streams_machine machine;
    struct streams streams; /* of the last run */
    struct streams_kernel kernel;
    struct hostmem_row rows[HOSTMEM_KINDS];
    bool has_rows, rows_measured, all_rows; /* all_rows: and all variants are told */
    /* What the facts say: */
    int n, batches, passes;
    unsigned blocks, threads;
    uint64_t bytes;         /* of one array in one batch */
    const char *memory, *how;
    uint64_t copied_in, copied_out;   /* by copies, bytes in all batches */
    uint64_t reached_in, reached_out; /* by the kernel itself, over the link */
    uint64_t staged;        /* that the CPU copies besides */
    bool mapped, pageable, in_stream, two, has_time, measured, modelled, raced;
    double us;              /* one batch, from the host's data to the host's result */
    double whole_us;        /* all batches, with the host's own work */
    char race[256];
    char shown[32];         /* the time, as the table of all has it */
};

extern const struct ladder hostmem_ladder;
/* Fills in the table, where the device has times. -1: the report says why. */
int hostmem_compare(struct hostmem *);
void hostmem_close(struct hostmem *);

#endif
