/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An area of memory that a program has or had. It belongs to memory.c, areas.c and
 * pools.c alone.
 */
#ifndef RUN_AREA_H
#define RUN_AREA_H

#include "run/run.h"

enum { RUN_NAME = 48 };
struct run_area {
    uint64_t address, bytes;
    enum run_memory kind;
    bool is_variable;  /* a __managed__ one; it stays as long as the program */
    uint64_t file;     /* of registered memory: where the shared file has its first page; or 0 */
    unsigned flags;    /* of cudaHostAlloc() or cudaHostRegister() */
    bool is_mapped;    /* the program has chosen the address; areas behind one another are one */
    uint64_t pool;     /* that it came from; 0: none */
    bool leaving;      /* a stream has cudaFreeAsync() for it */
    bool of_graph;     /* nodes of graphs bring it and take it away; while it is away: */
    bool away;
    bool freed;
    /* Of managed memory, as advised: bits of places (pools.c), or one place; 0: none. */
    unsigned read_mostly, accessed_by, preferred, prefetched;
    struct run_place got, released;
    uint64_t pitch;       /* of its rows, where the call has chosen it; 0: it has none */
    struct run_place cut; /* the last copy or fill, if that was of the first bytes only */
    uint64_t cut_bytes;   /* so many; 0: it was another one */
    uint64_t cut_pitch;   /* so many of each row, which has this pitch; 0: there is one row */
    bool cut_fills;
    char name[RUN_NAME];
};

/* areas.c: the area that an address lies in, the latest first: memory that was freed may be given
 * again. */
struct run_area *area_at(const struct run *, uint64_t address, bool freed);
static inline const char *area_name(const struct run_area *a)
{
    return a && a->name[0] ? a->name : "the array";
}

/* Room for one more at the end of the list, which counts when area_count does; NULL: memory
 * is out. What was not needed is given back. */
struct run_area *run_one_more_area(struct run *);
void run_no_more_areas(struct run *);
/* Only the first areas are left, or none. */
void run_keep_areas(struct run *, size_t count);

/* Calls that get memory. The name of the variable that this one gives it to; empty: that is not
 * sure. Where a call has failed, the text's order is not sure to be that of the calls. */
const char *run_site_name(struct run *, const struct run_place *);
void run_site_failed(struct run *, const struct run_place *);
void run_forget_sites(struct run *);

/* memory.c: pages of the shared memory, which nobody had before. */
bool run_give_shared(struct run *, uint64_t bytes, uint64_t *address);
/* Where cudalab has these bytes of both; NULL: not all of them are such memory. That of
 * cudaHostRegister() lies elsewhere in the program. */
unsigned char *run_shared_at(const struct run *, uint64_t address, uint64_t bytes);

#endif
