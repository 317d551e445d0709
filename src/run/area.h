/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An area of memory that a program has or had. It belongs to memory.c and pools.c alone.
 */
#ifndef RUN_AREA_H
#define RUN_AREA_H

#include "run/run.h"

struct run_area {
    uint64_t address, bytes;
    enum run_memory kind;
    uint64_t variable; /* of a __managed__ variable: where the simulator has it; 0: at `address` */
    uint64_t file;     /* of registered memory: where the shared file has its first page; or 0 */
    unsigned flags;    /* of cudaHostAlloc() or cudaHostRegister() */
    uint64_t pool;     /* that it came from; 0: none */
    bool leaving;      /* a stream has cudaFreeAsync() for it */
    bool of_graph;     /* nodes of graphs bring it and take it away; while it is away: */
    bool away;
    bool freed;
    /* Of managed memory, as advised: bits of places (pools.c), or one place; 0: none. */
    unsigned read_mostly, accessed_by, preferred, prefetched;
    struct run_place got, released;
    char name[48];
};

/* The area that an address lies in, the latest first: memory that was freed may be given again. */
static inline struct run_area *area_at(const struct run *r, uint64_t address, bool freed)
{
    for (size_t i = r->area_count; i-- > 0;) {
        struct run_area *a = &r->areas[i];
        if (a->freed == freed && address >= a->address &&
            (address - a->address < a->bytes || address == a->address))
            return a;
    }
    return NULL;
}

#endif
