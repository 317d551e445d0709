/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * malloc and free of device code. Each piece is an allocation of its own, so that overruns and
 * uses after free are seen as in any array; together they may take as much as a GPU's heap. As
 * there, the heap outlives the launch: another kernel may free what this one got. A launch that
 * faults takes the whole heap with it.
 */
#include "sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    USUAL = 8 << 20,   /* cudaLimitMallocHeapSize's default */
    UNIT = 16,         /* sizes are rounded up to it */
    OVERHEAD = 16,     /* what the heap keeps for itself with each piece */
    REMEMBERED = 4096, /* freed pieces that are kept, so that their use can be told */
};

uint64_t heap_room(const struct sim *s)
{
    return s->limits.heap_bytes ? s->limits.heap_bytes : USUAL;
}

static uint64_t cost(uint64_t bytes)
{
    return (bytes + UNIT - 1) / UNIT * UNIT + OVERHEAD;
}

/* Forgets the freed pieces, or the whole heap. */
static void drop_pieces(struct sim *s, bool all)
{
    for (size_t i = 0; i < s->allocation_count; i++)
        s->allocations[i]->going |= s->allocations[i]->heap && (all || s->allocations[i]->freed);
    memory_drop_now(s);
    s->heap_freed = 0;
    s->heap_bytes = all ? 0 : s->heap_bytes;
}

/* The address of a new piece. 0: the heap is full, as it may be on a GPU. */
uint64_t heap_allocate(struct warp *w, uint64_t bytes)
{
    struct sim *s = w->launch->sim;
    struct allocation *a;
    if (bytes == 0 || bytes > heap_room(s) || s->heap_bytes + cost(bytes) > heap_room(s) ||
        memory_allocate(s, &s->heap, bytes, UNIT, "memory from malloc", &a) < 0)
        return 0;
    a->heap = true;
    a->got_at = &w->launch->module->shown[w->pc - 1];
    s->heap_bytes += cost(bytes);
    TELL(w->launch, allocate, at_now(w, w->mask), a->address, a->size);
    return a->address;
}

/* False: it is a fault. */
bool heap_free(struct warp *w, unsigned lane, uint64_t address)
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
    TELL(w->launch, release, at_now(w, w->mask), a->address);
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
            call_give(w, c, lane, heap_allocate(w, v));
        else if (v && !heap_free(w, lane, v))
            return FAULTED;
    }
    return GO;
}

/* ---- what is lost -------------------------------------------------------------------- */

/*
 * A piece is lost when no memory that is left holds a pointer to it, at its start or into it: not
 * arrays, not variables, not pieces that are not lost themselves. A number that only looks like a
 * pointer counts as one.
 */
struct heap_search {
    struct sim *sim;
    struct allocation **todo; /* pieces that were reached, whose own pointers are still unseen */
    size_t count, capacity;
    uint64_t low, high; /* all pieces lie in between */
};

static bool is_piece(const struct allocation *a)
{
    return a->heap && !a->freed;
}

static void follow(struct heap_search *s, const struct allocation *a)
{
    uint32_t hint = 0;
    for (uint64_t at = 0; at + sizeof(uint64_t) <= a->size; at += sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, a->host + at, sizeof v);
        struct allocation *to = NULL;
        if (v - s->low < s->high - s->low)
            to = memory_find(s->sim, v, &hint);
        if (!to || !is_piece(to) || to->reached)
            continue;
        to->reached = true;
        s->todo[s->count++] = to;
    }
}

static void begin_search(struct heap_search *s)
{
    for (size_t i = 0; i < s->sim->allocation_count; i++) {
        struct allocation *a = s->sim->allocations[i];
        a->reached = false;
        if (!is_piece(a))
            continue;
        s->low = s->capacity++ ? s->low : a->address;
        s->high = a->address + a->size;
    }
}

/* Marks the pieces that can be reached. Without memory for the search, all count as reached. */
static void mark_reached(struct sim *sim)
{
    struct heap_search s = {.sim = sim};
    begin_search(&s);
    s.todo = mem_alloc(&sim->allocator, s.capacity * sizeof *s.todo);
    for (size_t i = 0; i < sim->allocation_count; i++) {
        struct allocation *a = sim->allocations[i];
        if (!s.todo)
            a->reached = true;
        else if (!a->heap && !a->freed)
            follow(&s, a);
    }
    while (s.count)
        follow(&s, s.todo[--s.count]);
    mem_free(&sim->allocator, s.todo, s.todo ? s.capacity * sizeof *s.todo : 0);
}

static bool is_watched(const struct sim *s)
{
    for (size_t i = 0; s->heap_bytes && i < s->allocation_count; i++)
        if (is_piece(s->allocations[i]) && s->allocations[i]->got_at)
            return true;
    return false;
}

/* Memory that the host lost between two launches is no leak of this launch. */
void heap_begin(struct sim_run *r)
{
    if (!is_watched(r->sim))
        return;
    mark_reached(r->sim);
    for (size_t i = 0; i < r->sim->allocation_count; i++)
        if (!r->sim->allocations[i]->reached)
            r->sim->allocations[i]->got_at = NULL;
}

/* Counts, and forgets, the lost pieces from the i-th on that were allocated at its line. The heap
 * has room for 262,144 pieces, and a kernel has few lines with malloc. */
static uint64_t take_lost(struct sim *s, size_t i, uint64_t *bytes)
{
    const struct sim_instruction *at = s->allocations[i]->got_at;
    uint64_t pieces = 0;
    for (; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        if (!is_piece(a) || a->reached || !a->got_at || a->got_at->line != at->line ||
            (a->got_at->file && at->file && strcmp(a->got_at->file, at->file) != 0))
            continue;
        pieces++;
        *bytes += a->size;
        a->got_at = NULL;
    }
    return pieces;
}

/* Makes a finding for each line whose memory is lost at the end of this launch. */
void heap_leaks(struct sim_run *r)
{
    struct sim *s = r->sim;
    if (!is_watched(s))
        return;
    mark_reached(s);
    for (size_t i = 0; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        const struct sim_instruction *at = is_piece(a) && !a->reached ? a->got_at : NULL;
        uint64_t bytes = 0, pieces = at ? take_lost(s, i, &bytes) : 0;
        struct sim_fault *f = at ? fault_record(r, SIM_LEAK, at) : NULL;
        if (!f)
            continue;
        f->count = pieces;
        f->cure = SIM_CURE_FREE;
        snprintf(f->message, sizeof f->message,
                 "%" PRIu64 " byte%s in %" PRIu64
                 " piece%s got from malloc or new, but never freed",
                 bytes, bytes == 1 ? "" : "s", pieces, pieces == 1 ? "" : "s");
    }
}

/* A launch that fails takes the heap with it. */
void heap_end(struct sim_run *r)
{
    if (r->status != SIM_DONE)
        drop_pieces(r->sim, true);
}

/* The module goes whose code allocated them. So a later leak of them can't name a line, and is not
 * told. */
void heap_forget(struct sim *s, const struct sim_module *m)
{
    for (size_t i = 0; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        /* A module that was not loaded has no code. As numbers, addresses can be compared all the same. */
        if ((uintptr_t)a->got_at - (uintptr_t)m->shown < m->count * sizeof *m->shown)
            a->got_at = NULL;
    }
}
