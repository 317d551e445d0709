/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that works with streams, as the list of its calls, and what follows from the list.
 *
 * Two things follow. The first is a timeline: when each operation would begin and end on a machine
 * with an engine for copies in each direction (or one for both), and a number of places for blocks.
 * A stream is in order, an event makes another stream wait, and the host makes one call after the
 * other. It is a model: engines keep their rates, and operations do not slow each other down.
 *
 * The second is the order that the program can rely on, however long anything takes. Two operations
 * that reach the same memory without such an order are a race, whatever the timeline looks like.
 *
 * Stream 0 is the default stream. It waits for all earlier work, and later work waits for it.
 */
#ifndef OBS_STREAMS_H
#define OBS_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAMS_MOST = 33, STREAM_ARRAYS = 4, STREAM_OPS_MOST = 8192, STREAM_EVENTS_MOST = 1024 };

enum stream_op_kind {
    STREAM_COPY_IN,    /* from the host to the device */
    STREAM_COPY_OUT,   /* from the device to the host */
    STREAM_KERNEL,
    STREAM_RECORD,     /* cudaEventRecord */
    STREAM_WAIT_EVENT, /* cudaStreamWaitEvent */
    HOST_WAITS_STREAM, /* cudaStreamSynchronize */
    HOST_WAITS_ALL,    /* cudaDeviceSynchronize */
    HOST_WRITES,
    HOST_READS
};

/* Elements are words of four bytes. The host's memory has `size` of an array at a time. */
struct stream_op {
    uint32_t kind, stream, event;
    uint32_t array;         /* of a copy, and of what the host reads or writes */
    uint32_t reads, writes; /* of a kernel: a bit for each array */
    uint32_t waits;         /* the host waits until it is done: cudaMemcpy, not cudaMemcpyAsync */
    uint32_t blocks;        /* of a kernel */
    uint64_t first, count;  /* elements */
    uint64_t from;          /* the host's: the first element of all data that it writes or reads */
    uint64_t takes;         /* of a kernel: picoseconds, for the model */
};

/* Where the host's part of an array lies. */
enum host_memory { BUFFER_PAGEABLE, BUFFER_PINNED, BUFFER_MAPPED };

struct stream_plan {
    uint32_t streams, events, arrays, count; /* streams: the default stream is one of them */
    uint32_t memory[STREAM_ARRAYS];          /* enum host_memory */
    uint64_t size[STREAM_ARRAYS];            /* elements on each side */
    uint64_t total[STREAM_ARRAYS];           /* elements of all that the host writes or reads */
};

/* Rates are in megabytes (10^6 bytes) a second. */
struct stream_machine {
    unsigned copy_engines; /* 1: both directions share it */
    uint64_t link_mb_s;    /* of each direction */
    uint64_t host_mb_s;    /* how fast the CPU copies pageable memory for the driver */
    uint64_t touch_mb_s;   /* how fast the host writes and reads its data; 0: it takes no time */
    uint64_t call_ps;      /* how long a call takes on the host */
    unsigned places;       /* blocks that the device runs at once */
    uint64_t seed;         /* not 0: another legal timeline is drawn from it. Speeds differ, and
                            * the device begins late: much later in streams whose number is odd
                            * where the seed is even, and the other way round */
};

/* What an operation began after. */
enum stream_wait { AFTER_CALL, AFTER_STREAM, AFTER_ENGINE, AFTER_EVENT, AFTER_DEFAULT };

struct stream_span {
    uint64_t called, returned; /* by the host, in picoseconds */
    uint64_t begin, end;       /* of the work */
    uint32_t agent;            /* whose work it is: a stream's, or STREAMS_MOST: the host's */
    int32_t after;             /* the operation that it waited for last; -1: none */
    enum stream_wait why;
};

/* All operations of the list; -1: it waits for what never comes, or there is no memory. */
int streams_model(const struct stream_plan *, const struct stream_op *,
                  const struct stream_machine *, struct stream_span *);
uint64_t streams_length(const struct stream_plan *, const struct stream_span *); /* of all */

/* Two operations that reach the same memory, one of them writing, in no order. */
struct stream_race {
    uint32_t first, second; /* of the list */
    uint32_t array;
    bool on_host;           /* it is the host's memory */
};
/* How many there are; the first of them is told, and for each operation the last earlier one that
 * it meets without an order, or -1. `with` may be NULL. -1: no memory. */
int64_t streams_races(const struct stream_plan *, const struct stream_op *, struct stream_race *,
                      int32_t *with);

/* Is it work of a stream, which takes time there? */
static inline bool stream_op_works(const struct stream_op *o)
{
    return o->kind <= STREAM_KERNEL;
}
static inline bool stream_op_is_host(const struct stream_op *o)
{
    return o->kind >= HOST_WAITS_STREAM;
}
/* A copy that goes through a buffer of the driver, which the CPU fills or empties. */
static inline bool stream_op_is_staged(const struct stream_plan *p, const struct stream_op *o)
{
    return o->kind <= STREAM_COPY_OUT && p->memory[o->array] == BUFFER_PAGEABLE;
}

#endif
