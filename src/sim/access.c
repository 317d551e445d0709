/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a lane's address to memory: the windows of the generic address space, bounds, alignment,
 * and the sentence when an address is wrong. Lanes are served in groups that share one piece
 * of memory; nearly always that is one group, and the loops in exec.c then run over all of it.
 */
#include "sim/reach.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

unsigned char *reach_frame(struct warp *w, const struct frame *f, unsigned lane, uint32_t offset)
{
    return w->local + (size_t)lane * w->launch->local_per_thread + f->local_base + offset;
}

static enum sim_space space_at(uint64_t address)
{
    return address - SHARED_WINDOW < CLUSTER_SPAN
               ? (address - SHARED_WINDOW < SHARED_SPAN ? SIM_SHARED : SIM_CLUSTER)
           : address - LOCAL_WINDOW < WINDOW_SIZE ? SIM_LOCAL
           : address - PARAM_WINDOW < WINDOW_SIZE ? SIM_PARAM
                                                  : SIM_GLOBAL;
}

static uint64_t window_of(enum sim_space space)
{
    return space == SIM_SHARED || space == SIM_CLUSTER ? SHARED_WINDOW
           : space == SIM_LOCAL ? LOCAL_WINDOW
           : space == SIM_PARAM ? PARAM_WINDOW
                                : 0;
}

/* Which space a generic address means; SIM_GENERIC where it means nothing. By its rank a block
 * may also reach itself. */
enum sim_space reach_space(const struct warp *w, uint64_t address)
{
    enum sim_space space = space_at(address);
    uint32_t hint = UINT32_MAX;
    if (space == SIM_CLUSTER) {
        struct reach r;
        uint64_t at[LANES] = {address};
        cluster_lanes(w, 1, at, &r);
        return r.space;
    }
    if (space != SIM_GLOBAL)
        return space;
    const struct allocation *a = memory_find(w->launch->sim, address, &hint);
    if (a)
        return a->constant ? SIM_CONST : SIM_GLOBAL;
    return memory_near(w->launch->sim, address) ? SIM_GLOBAL : SIM_GENERIC;
}

unsigned char *reach_generic(struct warp *w, unsigned lane, uint64_t address, uint64_t *left)
{
    struct sim_run *r = w->launch;
    enum sim_space space = space_at(address);
    uint64_t at = address - window_of(space);
    if (space == SIM_SHARED) {
        const struct shared_piece *p = shared_piece_of(r, at);
        *left = at - p->start < p->size ? p->size - (at - p->start) : 0;
        return *left ? w->block->shared + (at - p->tag) : NULL;
    }
    uint64_t size = space == SIM_LOCAL ? r->local_per_thread
                    : space == SIM_PARAM ? r->function->params_bytes
                                         : 0;
    if (space == SIM_GLOBAL) {
        uint32_t hint = UINT32_MAX;
        struct allocation *a = memory_find(r->sim, address, &hint);
        *left = a ? a->size - (address - a->address) : 0;
        return a ? a->host + (address - a->address) : NULL;
    }
    *left = at < size ? size - at : 0;
    return at >= size            ? NULL
           : space == SIM_PARAM  ? r->params + at
                                 : w->local + (size_t)lane * r->local_per_thread + at;
}

/* ---- what is wrong with an address --------------------------------------------------- */

static const char *verb(const struct insn *in)
{
    return in->access == SIM_LOAD ? "reads" : in->access == SIM_STORE ? "writes" : "updates";
}

/* Where 64-bit systems put a program's own memory: the stack and libraries at the top, a program
 * and its heap at 0x55...; the simulator's windows lie elsewhere. */
static bool looks_like_host(uint64_t address)
{
    return address >> 40 == 0x7f || address >> 40 == 0x55 || address >> 40 == 0x56;
}

/* Completes a fault, if there is a record of it. t: the array that was meant; NULL: none. */
static void fault_at(struct sim_fault *f, uint64_t address, const struct target *t, int64_t index)
{
    if (!f)
        return;
    f->has_address = true;
    f->address = address;
    if (t)
        target_name(t, index, f);
}

/* In the array's own elements where they are known or the access is made of whole ones, else in
 * bytes. */
static struct sim_fault *outside(struct warp *w, const struct insn *in, unsigned lane,
                                 const struct target *t, int64_t *index)
{
    unsigned all = in->bytes * in->count, each = target_each(t, in->bytes);
    const char *side = t->off < 0 ? "before the start" : "past the end";
    const char *name = t->name ? t->name : "an array";
    char element[SIM_ELEMENT];
    int64_t size = (int64_t)t->size, have = size / each;
    *index = target_index(t, in->bytes);
    if (!t->shape.each && (t->off % each || size % each)) {
        bool before = t->off < 0;
        return run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                         "the thread %s %u bytes that reach %" PRId64 " byte%s %s of %s, which has "
                         "%" PRId64 " bytes",
                         verb(in), all, before ? -t->off : t->off + all - size,
                         (before ? -t->off : t->off + all - size) == 1 ? "" : "s", side, name,
                         size);
    }
    if (*index >= 0 && *index < have) /* a vector that begins inside: its first element outside */
        *index = have;
    if (!t->name)
        return run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                         "the thread %s element %" PRId64 " of an array, %s: it has %" PRId64
                         " element%s of %u byte%s",
                         verb(in), *index, side, have, have == 1 ? "" : "s", each,
                         each == 1 ? "" : "s");
    target_element(t, *index, element);
    return run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                     "the thread %s %s, %s: %s has %" PRId64 " element%s of %u byte%s", verb(in),
                     element, side, name, have, have == 1 ? "" : "s", each, each == 1 ? "" : "s");
}

static void wrong_global(struct warp *w, const struct insn *in, unsigned lane, uint64_t address,
                         unsigned bytes)
{
    struct sim *s = w->launch->sim;
    struct allocation *a = memory_near(s, address);
    enum sim_fault_kind kind = address < NULL_TOP         ? SIM_NULL
                               : a && a->freed            ? SIM_USE_AFTER_FREE
                               : looks_like_host(address) ? SIM_HOST_POINTER
                                                          : SIM_OUT_OF_BOUNDS;
    struct target t = a ? target_global(w->launch, a, address) : (struct target){0};
    int64_t index = target_index(&t, in->bytes);
    struct sim_fault *f;
    if (kind == SIM_NULL)
        f = run_fault(w, kind, lane, "the thread %s %u bytes through a null pointer", verb(in),
                      bytes);
    else if (kind == SIM_USE_AFTER_FREE)
        f = run_fault(w, kind, lane, "the thread %s %u bytes of %s, which has been freed", verb(in),
                      bytes, a->name ? a->name : "an array");
    else if (!a)
        f = run_fault(w, kind, lane, "the thread %s %u bytes at an address where no array is",
                      verb(in), bytes);
    else
        f = outside(w, in, lane, &t, &index);
    fault_at(f, address, a && kind != SIM_NULL ? &t : NULL, index);
}

/* The local variable that a byte of the frame lies in, or lies behind. */
static const struct ptx_variable *local_at(const struct function *f, int64_t at)
{
    const struct ptx_variable *best = NULL;
    for (const struct ptx_variable *v = f->ptx->variables; v; v = v->next)
        if (v->space == PTX_LOCAL && (int64_t)v->place <= (at < 0 ? 0 : at) &&
            (!best || v->place >= best->place))
            best = v;
    return best;
}

/* What lies at or before an address of a window; `off` comes in as the address. */
static struct target target_in(struct warp *w, enum sim_space space, int64_t off, uint64_t size)
{
    const struct ptx_variable *v = NULL;
    if (space == SIM_SHARED)
        return target_shared(w->launch, off);
    if (space == SIM_LOCAL) {
        off -= w->now->frame->local_base;
        v = local_at(w->now->frame->of, off);
    }
    if (!v)
        return (struct target){.size = size, .off = off};
    /* Compilers put all local arrays of a function into one array with this name. */
    return (struct target){.name = strncmp(v->name, "__local_depot", 13) == 0 ? NULL : v->name,
                           .size = variable_size(v),
                           .off = off - (int64_t)v->place};
}

static void wrong_window(struct warp *w, const struct insn *in, unsigned lane, uint64_t at,
                         unsigned bytes, enum sim_space space, uint64_t size)
{
    /* 32-bit addresses that went below zero */
    int64_t off = at >> 31 == 1 ? (int64_t)at - (INT64_C(1) << 32) : (int64_t)at;
    struct target t = target_in(w, space, off, size);
    int64_t index = target_index(&t, in->bytes);
    struct sim_fault *f;
    if (t.name)
        f = outside(w, in, lane, &t, &index);
    else
        f = run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                      "the thread %s %u bytes at byte %" PRId64 " of %s, which has %" PRIu64
                      " byte%s",
                      verb(in), bytes, t.off,
                      space == SIM_SHARED  ? "the block's shared memory"
                      : space == SIM_LOCAL ? "its local memory"
                                           : "the kernel's parameters",
                      t.size, t.size == 1 ? "" : "s");
    fault_at(f, at, &t, index);
    if (f && f->cure == SIM_CURE_SHARED_BYTES) {
        f->given = t.size;
        f->needed = (uint64_t)t.off + bytes;
    }
}

/* `at` is the address within its window. */
static void misaligned(struct warp *w, const struct insn *in, unsigned lane, uint64_t at,
                       enum sim_space space)
{
    unsigned bytes = (unsigned)in->bytes * in->count;
    struct sim_run *run = w->launch;
    struct allocation *a = space == SIM_GLOBAL || space == SIM_CONST ? memory_near(run->sim, at)
                                                                      : NULL;
    bool shared = space == SIM_SHARED || space == SIM_CLUSTER;
    struct target t = {0};
    char what[SIM_ELEMENT + 11] = "";
    if (a)
        t = target_global(run, a, at);
    else if (shared)
        t = target_shared(run, (int64_t)at);
    if (t.name) {
        memcpy(what, ": it is in ", 11);
        target_element(&t, target_index(&t, in->bytes), what + 11);
    }
    struct sim_fault *f = run_fault(
        w, SIM_MISALIGNED, lane, "the thread %s %u bytes at an address that is not a multiple of "
        "%u%s", verb(in), bytes, bytes, what);
    fault_at(f, at + window_of(space), &t, target_index(&t, in->bytes));
}

/* ---- finding ------------------------------------------------------------------------- */

static inline bool aligned_all(const uint64_t address[LANES], unsigned bytes)
{
    uint64_t any = 0;
    for (int i = 0; i < LANES; i++)
        any |= address[i];
    return !(any & (bytes - 1));
}

static uint32_t lanes_within(const uint64_t address[LANES], uint32_t mask, uint64_t start,
                             uint64_t size, unsigned bytes)
{
    uint32_t in = 0;
    EACH_LANE(i, mask) {
        uint64_t at = address[i] - start;
        in |= (uint32_t)(at < size && bytes <= size - at) << i;
    }
    return in;
}

/* Keeps what is about to be written from `low` to before `end`, for the case that the launch fails.
 * Meanwhile the processor fetches the cache lines of both ends, so that the store needn't wait for
 * them: it has no guess at stores that lie far apart. */
bool reach_save_span(struct warp *w, struct allocation *a, uint64_t low, uint64_t end)
{
    const uint64_t from = low - a->address, to = end - a->address;
    __builtin_prefetch(a->host + from, 1);
    __builtin_prefetch(a->host + (to - 1), 1);
    const int rc = memory_save(w->launch, a, from, to);
    if (rc < 0)
        run_out_of_memory(w->launch);
    return rc == 0;
}

bool reach_save(struct warp *w, const struct insn *in, struct allocation *a, uint32_t lanes,
                const uint64_t address[LANES])
{
    const unsigned bytes = (unsigned)in->bytes * in->count;
    uint64_t low = UINT64_MAX, high = 0;
    EACH_LANE(i, lanes) {
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
    }
    if (high - low < 4 * PAGE)
        return reach_save_span(w, a, low, high + bytes);
    bool saved = true;
    EACH_LANE(i, lanes)
        saved = saved && reach_save_span(w, a, address[i], address[i] + bytes);
    return saved;
}

static void wrong_constant(struct warp *w, const struct insn *in, unsigned lane, uint64_t address,
                           const struct allocation *a)
{
    struct target t = target_global(w->launch, a, address);
    struct sim_fault *f = run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                                    "the thread %s %s, which is __constant__: a kernel can only "
                                    "read it", verb(in), t.name);
    fault_at(f, address, &t, target_index(&t, in->bytes));
}

static bool find_global(struct warp *w, const struct insn *in, uint32_t mask,
                        const uint64_t *address, unsigned bytes, struct reach *r)
{
    struct sim_run *run = w->launch;
    unsigned lane = lane_first(mask);
    struct allocation *a = memory_find(run->sim, address[lane], &run->hint[w->pc - 1]);
    if (!a || bytes > a->size - (address[lane] - a->address)) {
        wrong_global(w, in, lane, address[lane], bytes);
        return false;
    }
    if (a->constant && in->access != SIM_LOAD) {
        wrong_constant(w, in, lane, address[lane], a);
        return false;
    }
    r->base = (uintptr_t)a->host - (uintptr_t)a->address;
    r->space = in->space == SIM_CONST || a->constant ? SIM_CONST : SIM_GLOBAL;
    r->lanes = lanes_within(address, mask, a->address, a->size, bytes);
    return in->access == SIM_LOAD || reach_save(w, in, a, r->lanes, address);
}

/* Another block's shared memory, while there is one. */
static const struct block *find_block(struct warp *w, const struct insn *in, unsigned lane,
                                      uint64_t address, unsigned rank)
{
    const struct block *b = cluster_member(w, rank);
    unsigned all = w->launch->cluster_blocks;
    struct target t = target_in(w, SIM_SHARED, (int64_t)address, w->launch->shared_bytes);
    char what[SIM_ELEMENT] = "the shared memory";
    struct sim_fault *f = NULL;
    if (b)
        return b;
    if (t.name)
        target_element(&t, target_index(&t, in->bytes), what);
    if (rank < all)
        f = run_fault(w, SIM_USE_AFTER_FREE, lane,
                      "the thread %s %s of block %u of its cluster, which has ended: its shared "
                      "memory is gone", verb(in), what, rank);
    else
        f = run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                      "the thread %s %s of block %u of its cluster, whose last one is block %u",
                      verb(in), what, rank, all - 1);
    fault_at(f, address, &t, target_index(&t, in->bytes));
    if (rank < all)
        f->cure = SIM_CURE_CLUSTER_END;
    return NULL;
}

static bool many_pieces(const struct sim_run *r, uint32_t mask, const uint64_t address[LANES])
{
    const struct shared_piece *first = shared_piece_of(r, address[lane_first(mask)]);
    bool others = false;
    EACH_LANE(i, mask)
        others |= shared_piece_of(r, address[i]) != first;
    return others;
}

/* Of its own memory a thread has the frames of the functions that it is in, from the bottom up, and
 * what alloca took, from the top down. Nothing between is anybody's. */
static uint32_t local_inside(const struct warp *w, uint32_t mask, unsigned bytes,
                             const uint64_t address[LANES])
{
    const struct frame *f = w->now->frame;
    const uint64_t all = w->launch->local_per_thread, frames = f->local_base + f->of->local_bytes;
    uint32_t in = lanes_within(address, mask, 0, frames, bytes);
    EACH_LANE(i, mask & ~in)
        in |= lanes_within(address, 1u << i, all - w->taken[i], w->taken[i], bytes);
    return in;
}

/* Shared memory and the thread's own: a window each, bounds the same for all lanes. */
static bool find_window(struct warp *w, const struct insn *in, uint32_t mask, uint64_t *address,
                        unsigned bytes, enum sim_space space, struct reach *r)
{
    struct sim_run *run = w->launch;
    const struct block *owner = w->block;
    if (space == SIM_CLUSTER &&
        !(owner = find_block(w, in, lane_first(mask), address[lane_first(mask)], r->rank)))
        return false;
    bool shared = space == SIM_SHARED || space == SIM_CLUSTER;
    uint64_t size = space == SIM_LOCAL ? run->local_per_thread : run->function->params_bytes;
    r->scattered = shared && many_pieces(run, mask, address);
    if (in->space == SIM_SHARED) /* reach_quick() tries this piece the next time */
        run->hint[w->pc - 1] = shared_number(run, address[lane_first(mask)]);
    uint32_t in_range = shared               ? shared_inside(run, mask, bytes, address)
                        : space == SIM_LOCAL ? local_inside(w, mask, bytes, address)
                                             : lanes_within(address, mask, 0, size, bytes);
    if (in_range != mask) {
        unsigned lane = lane_first(mask & ~in_range);
        wrong_window(w, in, lane, address[lane], bytes, shared ? SIM_SHARED : space, size);
        return false;
    }
    r->lanes = mask;
    r->space = space;
    r->base = (uintptr_t)(shared               ? owner->shared
                          : space == SIM_PARAM ? run->params
                                               : w->local);
    if (space == SIM_LOCAL)
        EACH_LANE(i, mask)
            address[i] += (uint64_t)i * run->local_per_thread;
    return true;
}

/* Those of the lanes whose generic address lies in the first one's window, made relative. */
uint32_t reach_window(struct warp *w, uint32_t mask, uint64_t address[LANES], struct reach *r)
{
    const enum sim_space space = space_at(address[lane_first(mask)]);
    uint32_t same = 0;
    if (space == SIM_CLUSTER)
        return cluster_lanes(w, mask, address, r);
    r->space = space;
    EACH_LANE(i, mask)
        same |= (uint32_t)(space_at(address[i]) == space) << i;
    if (space != SIM_GLOBAL)
        EACH_LANE(i, same)
            address[i] -= window_of(space);
    return same;
}

bool reach_find(struct warp *w, const struct insn *in, uint32_t mask, uint64_t address[LANES],
                struct reach *r)
{
    enum sim_space space = (enum sim_space)in->space;
    unsigned bytes = (unsigned)in->bytes * in->count;
    r->tag = 0;
    r->scattered = false;
    if (space == SIM_GENERIC)
        mask = reach_window(w, mask, address, r), space = r->space;
    if (in->flags & INSN_IN_FRAME) {
        space = SIM_LOCAL;
        for (unsigned i = 0; i < LANES; i++)
            address[i] += w->now->frame->local_base;
    }
    if (!aligned_all(address, bytes))
        EACH_LANE(i, mask)
            if (address[i] & (bytes - 1)) {
                misaligned(w, in, i, address[i], space);
                return false;
            }
    if (space != SIM_GLOBAL && space != SIM_CONST)
        return find_window(w, in, mask, address, bytes, space, r);
    return find_global(w, in, mask, address, bytes, r);
}
