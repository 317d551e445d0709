/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch on several cores, with the same bytes as on one. The header is for src/sim/ alone.
 *
 * It is a guess that can be taken back. A launch begins on one core. When it turns out to be big,
 * it begins anew with workers: each is a struct sim_run of its own, with blocks, tallies and
 * observers of its own, and runs chunks of the grid. They write global memory in place, and note
 * which bytes they read and write (touched.h). The guess is right if no worker touched what
 * another one wrote, and if nothing was found or printed. Then no order of the blocks can be told
 * from another, and what the workers counted is added up. Else memory gets the bytes that it had
 * before the launch, and the launch runs on one core.
 *
 * Atomics whose result nobody uses are common. They are kept, and done in the order of one core, so
 * that a sum of floats has the same bits; those whose order makes no difference are combined.
 * See cores-atomics.c.
 *
 * Workers that do meet race for the bytes of the device's memory, by design: what they made of
 * them is thrown away. ThreadSanitizer reports that for launches which are taken back, and for
 * no others.
 */
#ifndef SIM_CORES_H
#define SIM_CORES_H

#include "sim/reach.h"
#include "sim/touched.h"

/* What the workers do for one atomic instruction: see cores-atomics.c. */
enum { ATOMIC_IN_PLACE, ATOMIC_LOGGED, ATOMIC_COMBINED };

/* Each worker's spare logs, and places of floats whose sums are counted: in a log, and known to all. */
enum { SPARE_LOGS = 8, COUNTED_PLACES = 4, KNOWN_PLACES = 16 };

/* What is added to the float at a place in memory, if it is of the size that the worker expects. */
struct counted_place {
    unsigned char *place;
    struct float_units units;
};

/* Atomics in the order in which a chunk did them. As long as all of them add floats to a few
 * places, the worker counts what that comes to. Then nobody has to read the log in most cases. */
struct atomic_log {
    unsigned char *bytes;
    size_t count, capacity;
    struct counted_place counted[COUNTED_PLACES];
    unsigned places;
    bool uncounted; /* at least one was not counted */
};

/* The bits that the float at a place has had. It is a hint. */
struct known_float {
    const unsigned char *place;
    uint32_t bits;
};

struct worker {
    struct sim_run run;
    struct cores *cores;
    bool begun;            /* it has got what it needs, in its own thread */
    bool logged;           /* it has kept an atomic */
    bool met;              /* it has found that workers met */
    struct touched_bytes touched;
    uint64_t chunk;        /* the number of the one that it runs; UINT64_MAX: none */
    struct atomic_log log; /* of that chunk */
    struct atomic_log spare[SPARE_LOGS]; /* logs that were done: their memory is used again */
    unsigned spares;
    bool sparing;          /* somebody takes a spare log, or gives one */
    unsigned char **sums;  /* by number of the allocation: what its combined atomics come to */
};

struct chunk_log {
    struct atomic_log log;
    struct worker *of;
    bool done; /* the chunk has ended */
};

struct cores {
    struct sim_run *run; /* that of the launch. Meanwhile it stands still; it does the kept atomics */
    struct worker **workers;
    unsigned count;
    uint64_t share;         /* warp instructions that a worker takes at once */
    uint64_t chunk;         /* clusters of each */
    uint64_t compared;      /* steps when what they touched was compared last */
    uint64_t finished;      /* blocks, as of the last step */
    unsigned asked;         /* of the launch's own run */
    uint8_t *atomics;       /* by pc: ATOMIC_IN_PLACE ... */
    op_fn adds_floats;      /* the operation of atomics that exec.count_floats() knows */
    uint32_t *summed;       /* by number of the allocation: 1 + the pc of what is combined there */
    struct chunk_log *logs; /* by chunk */
    uint64_t chunks;        /* how many there are */
    bool stop;              /* the guess was wrong, or cannot be right */

    /* What follows changes with each chunk. What is above is read all the time: it lies in other
     * lines of the processor's cache. */
    char apart[HOST_LINE];
    uint64_t next;          /* the next cluster that no worker has */
    int64_t steps;          /* warp instructions until all workers stop for a moment */
    uint64_t committed;     /* chunks whose atomics are done */
    size_t kept_bytes;      /* of all logs */
    struct known_float known[KNOWN_PLACES]; /* by a hash of the place */
    bool knowing;           /* somebody looks at a float, or atomics begin to be done */
    bool atomics_begun;     /* the first kept ones are done, or are about to be */
    bool committing;        /* a worker does kept atomics */
    bool splitting;         /* a worker asks the launch's observers for its own */
    bool asking;            /* somebody asks the caller for a shape: see element.c */
};

/* cores.c */
bool cores_decide(struct sim_run *);  /* after a turn on one core: do workers take over? */
bool cores_step(struct sim_run *, uint64_t steps); /* false: they are through, or have given up */
bool cores_chunk(struct sim_run *);   /* of a worker: it gets its next chunk, if one is left */
void cores_give_up(struct sim_run *); /* of a worker: the launch is to run on one core */
struct sim_run *cores_standing(struct sim_run *); /* the run whose blocks are under way */
void cores_stopped(struct sim_run *, struct sim_run *at); /* the launch ends here, with at's fault */
void cores_end(struct sim_run *, bool right); /* the workers go; and what they did, unless right */
static inline bool cores_stop(const struct sim_run *r)
{
    return __atomic_load_n(&r->worker->cores->stop, __ATOMIC_RELAXED);
}

/* cores-atomics.c */
bool atomics_begin(struct cores *);  /* false: memory is out */
void atomics_chunk_done(struct worker *);
bool atomics_finish(struct cores *); /* does all that were kept; false: memory is out */
void atomics_free(struct cores *);
/* Is the result of the atomic at pc used? */
bool atomics_result_used(const struct sim_module *, const struct function *, uint32_t pc);
/* An atomic of a worker on global memory. NOW: as it stands, where the reach leads. */
enum atomic_way { ATOMIC_NOW, ATOMIC_LATER, ATOMIC_STOPS };
enum atomic_way cores_atomic(struct warp *, const struct insn *, const uint64_t address[LANES],
                             bool at_one_place, struct reach *);

#endif
