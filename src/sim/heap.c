/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * malloc and free of device code. Each piece is an allocation of its own, so that overruns and
 * uses after free are seen as in any array; together they may take as much as a GPU's heap. As
 * there, the heap outlives the launch: another kernel may free what this one got. A launch that
 * faults takes the whole heap with it.
 */
#include "sim/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEAP = 8 << 20,    /* cudaLimitMallocHeapSize's default */
    UNIT = 16,         /* sizes are rounded up to it */
    OVERHEAD = 16,     /* what the heap keeps for itself with each piece */
    REMEMBERED = 4096, /* freed pieces that are kept, so that their use can be told */
};

static uint64_t cost(uint64_t bytes)
{
    return (bytes + UNIT - 1) / UNIT * UNIT + OVERHEAD;
}

/* Forget freed pieces, or the whole heap. */
static void drop_pieces(struct sim *s, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        if (a->heap && (all || a->freed))
            memory_release(s, a);
        else
            s->allocations[kept++] = a;
    }
    s->allocation_count = kept;
    s->heap_freed = 0;
    s->heap_bytes = all ? 0 : s->heap_bytes;
}

/* 0 where the heap is full, as on a GPU. */
static uint64_t get(struct warp *w, uint64_t bytes)
{
    struct sim *s = w->launch->sim;
    struct allocation *a;
    if (bytes == 0 || bytes > HEAP || s->heap_bytes + cost(bytes) > HEAP ||
        memory_get(s, &s->heap, bytes, UNIT, "memory from malloc", &a) < 0)
        return 0;
    a->heap = true;
    a->got_at = &w->launch->module->shown[w->pc - 1];
    s->heap_bytes += cost(bytes);
    return a->address;
}

static bool put(struct warp *w, unsigned lane, uint64_t address)
{
    struct sim_run *r = w->launch;
    struct sim *s = r->sim;
    struct allocation *a = memory_near(s, address);
    if (!a || a->address != address || !a->heap) {
        run_fault(w, SIM_OUT_OF_BOUNDS, lane, "free of an address that malloc did not give");
        return false;
    }
    if (a->freed) {
        run_fault(w, SIM_USE_AFTER_FREE, lane, "free of memory that is already free");
        return false;
    }
    s->heap_bytes -= cost(a->size);
    memory_free(s, a);
    if (++s->heap_freed > REMEMBERED)
        drop_pieces(s, false);
    return true;
}

enum after heap_call(struct warp *w, const struct call *c, uint32_t mask)
{
    EACH_LANE(lane, mask) {
        uint64_t v = call_value(w, c, lane, 0);
        if (c->function == CALL_MALLOC)
            call_give(w, c, lane, get(w, v));
        else if (v && !put(w, lane, v))
            return FAULTED;
    }
    return GO;
}

/* A finding for each line that got what this launch has not freed. */
void heap_leaks(struct sim_run *r)
{
    struct allocation **all = r->sim->allocations;
    const size_t count = r->sim->heap_bytes ? r->sim->allocation_count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct sim_instruction *at = all[i]->freed ? NULL : all[i]->got_at;
        struct sim_fault *f = at ? fault_record(r, SIM_LEAK, at) : NULL;
        uint64_t pieces = 0, bytes = 0;
        for (size_t k = i; f && k < count; k++)
            if (!all[k]->freed && all[k]->got_at && all[k]->got_at->line == at->line) {
                pieces++;
                bytes += all[k]->size;
            }
        if (f)
            snprintf(f->message, sizeof f->message,
                     "%" PRIu64 " byte%s in %" PRIu64
                     " piece%s got from malloc or new, but never freed",
                     bytes, bytes == 1 ? "" : "s", pieces, pieces == 1 ? "" : "s");
    }
}

void heap_end(struct sim_run *r)
{
    if (r->status != SIM_DONE)
        drop_pieces(r->sim, true);
    for (size_t i = 0; i < r->sim->allocation_count; i++)
        r->sim->allocations[i]->got_at = NULL;
}
