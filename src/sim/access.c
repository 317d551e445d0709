/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a lane's address to memory: the windows of the generic address space, bounds, alignment,
 * and the sentence when an address is wrong. Lanes are served in groups that share one piece
 * of memory; nearly always that is one group, and the loops in exec.c then run over all of it.
 */
#include "sim/internal.h"

#include <inttypes.h>
#include <string.h>

unsigned char *reach_frame(struct warp *w, const struct frame *f, unsigned lane, uint32_t offset)
{
    return w->local + (size_t)lane * w->launch->local_per_thread + f->local_base + offset;
}

static enum sim_space space_at(uint64_t address)
{
    return address - SHARED_WINDOW < WINDOW_SIZE  ? SIM_SHARED
           : address - LOCAL_WINDOW < WINDOW_SIZE ? SIM_LOCAL
           : address - PARAM_WINDOW < WINDOW_SIZE ? SIM_PARAM
                                                  : SIM_GLOBAL;
}

static uint64_t window_of(enum sim_space space)
{
    return space == SIM_SHARED  ? SHARED_WINDOW
           : space == SIM_LOCAL ? LOCAL_WINDOW
           : space == SIM_PARAM ? PARAM_WINDOW
                                : 0;
}

/* Which space a generic address means; SIM_GENERIC where it means nothing. */
enum sim_space reach_space(const struct warp *w, uint64_t address)
{
    enum sim_space space = space_at(address);
    uint32_t hint = UINT32_MAX;
    if (space != SIM_GLOBAL)
        return space;
    const struct allocation *a = memory_find(w->launch->sim, address, &hint);
    return a && a->constant ? SIM_CONST : address >= GLOBAL_BASE ? SIM_GLOBAL : SIM_GENERIC;
}

unsigned char *reach_generic(struct warp *w, unsigned lane, uint64_t address, uint64_t *left)
{
    struct sim_run *r = w->launch;
    enum sim_space space = space_at(address);
    uint64_t at = address - window_of(space);
    uint64_t size = space == SIM_SHARED  ? r->shared_bytes
                    : space == SIM_LOCAL ? r->local_per_thread
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
           : space == SIM_SHARED ? w->block->shared + at
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

static void wrong_global(struct warp *w, const struct insn *in, unsigned lane, uint64_t address,
                         unsigned bytes)
{
    struct sim *s = w->launch->sim;
    struct allocation *a = memory_near(s, address);
    enum sim_fault_kind kind = address < NULL_TOP         ? SIM_NULL
                               : a && a->freed            ? SIM_USE_AFTER_FREE
                               : looks_like_host(address) ? SIM_HOST_POINTER
                                                          : SIM_OUT_OF_BOUNDS;
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
    else {
        bool before = address < a->address;
        uint64_t by = before ? a->address - address : address - (a->address + a->size);
        f = run_fault(
            w, kind, lane, "the thread %s %u bytes %" PRIu64 " byte%s %s %s%s of %" PRIu64 " bytes",
            verb(in), bytes, before ? by : by + bytes, (before ? by : by + bytes) == 1 ? "" : "s",
            before ? "before the start of" : "past the end of", a->name ? a->name : "an array",
            a->name ? "," : "", a->size);
    }
    if (!f)
        return;
    f->has_address = true;
    f->address = address;
    if (a && kind != SIM_NULL) {
        f->array = a->name;
        f->index = (int64_t)(address - a->address);
    }
}

/* The local variable that a byte of the frame lies in, or lies behind. */
static const struct ptx_variable *local_at(const struct function *f, uint64_t at)
{
    const struct ptx_variable *best = NULL;
    for (const struct ptx_variable *v = f->ptx->variables; v; v = v->next)
        if (v->space == PTX_LOCAL && v->place <= at && (!best || v->place >= best->place))
            best = v;
    return best;
}

static void wrong_window(struct warp *w, const struct insn *in, unsigned lane, uint64_t at,
                         unsigned bytes, enum sim_space space, uint64_t size)
{
    const char *what = space == SIM_SHARED  ? "shared memory of the block"
                       : space == SIM_LOCAL ? "local memory of the thread"
                                            : "kernel's parameters";
    struct sim_fault *f =
        run_fault(w, SIM_OUT_OF_BOUNDS, lane,
                  "the thread %s %u bytes at byte %" PRId64 " of the %s, which has %" PRIu64,
                  verb(in), bytes, (int64_t)at, what, size);
    if (!f)
        return;
    uint64_t base = space == SIM_LOCAL ? w->now->frame->local_base : 0;
    const struct ptx_variable *v = space == SIM_SHARED  ? module_shared_at(w->launch->module, at)
                                   : space == SIM_LOCAL ? local_at(w->now->frame->of, at - base)
                                                        : NULL;
    f->has_address = true;
    f->address = at;
    f->array = v ? v->name : NULL;
    f->index = (int64_t)(at - base - (v ? v->place : 0));
}

static void misaligned(struct warp *w, const struct insn *in, unsigned lane, uint64_t address,
                       unsigned bytes)
{
    struct sim_fault *f = run_fault(
        w, SIM_MISALIGNED, lane, "the thread %s %u bytes at an address that is no multiple of %u",
        verb(in), bytes, bytes);
    if (f) {
        f->has_address = true;
        f->address = address;
    }
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
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = lane_first(left);
        uint64_t at = address[i] - start;
        in |= (uint32_t)(at < size && bytes <= size - at) << i;
    }
    return in;
}

/* Keep what is about to be written, for the case that the launch faults. */
bool reach_save(struct warp *w, const struct insn *in, struct allocation *a, uint32_t lanes,
                const uint64_t address[LANES])
{
    unsigned bytes = (unsigned)in->bytes * in->count;
    uint64_t lo = UINT64_MAX, hi = 0;
    int rc = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint64_t at = address[lane_first(left)] - a->address;
        lo = at < lo ? at : lo;
        hi = at > hi ? at : hi;
    }
    if (hi - lo < 4 * PAGE)
        rc = memory_save(w->launch, a, lo, hi + bytes);
    else
        for (uint32_t left = lanes; left && rc == 0; left &= left - 1) {
            uint64_t at = address[lane_first(left)] - a->address;
            rc = memory_save(w->launch, a, at, at + bytes);
        }
    if (rc < 0)
        run_out_of_memory(w);
    return rc == 0;
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
    r->base = (uintptr_t)a->host - (uintptr_t)a->address;
    r->space = in->space == SIM_CONST || a->constant ? SIM_CONST : SIM_GLOBAL;
    r->lanes = lanes_within(address, mask, a->address, a->size, bytes);
    return in->access == SIM_LOAD || reach_save(w, in, a, r->lanes, address);
}

/* Shared memory and the thread's own: a window each, bounds the same for all lanes. */
static bool find_window(struct warp *w, const struct insn *in, uint32_t mask, uint64_t *address,
                        unsigned bytes, enum sim_space space, struct reach *r)
{
    struct sim_run *run = w->launch;
    uint64_t size = space == SIM_SHARED  ? run->shared_bytes
                    : space == SIM_LOCAL ? run->local_per_thread
                                         : run->function->params_bytes;
    uint32_t in_range = lanes_within(address, mask, 0, size, bytes);
    if (in_range != mask) {
        unsigned lane = lane_first(mask & ~in_range);
        wrong_window(w, in, lane, address[lane], bytes, space, size);
        return false;
    }
    r->lanes = mask;
    r->space = space;
    r->base = (uintptr_t)(space == SIM_SHARED  ? w->block->shared
                          : space == SIM_PARAM ? run->params
                                               : w->local);
    if (space == SIM_LOCAL)
        for (uint32_t left = mask; left; left &= left - 1)
            address[lane_first(left)] += (uint64_t)lane_first(left) * run->local_per_thread;
    return true;
}

/* Those of the lanes whose generic address lies in the first one's window, made relative. */
uint32_t reach_window(uint32_t mask, uint64_t address[LANES], enum sim_space *space)
{
    uint32_t same = 0;
    *space = space_at(address[lane_first(mask)]);
    for (uint32_t left = mask; left; left &= left - 1)
        same |= (uint32_t)(space_at(address[lane_first(left)]) == *space) << lane_first(left);
    if (*space != SIM_GLOBAL)
        for (uint32_t left = same; left; left &= left - 1)
            address[lane_first(left)] -= window_of(*space);
    return same;
}

bool reach_find(struct warp *w, const struct insn *in, uint32_t mask, uint64_t address[LANES],
                struct reach *r)
{
    enum sim_space space = (enum sim_space)in->space;
    unsigned bytes = (unsigned)in->bytes * in->count;
    if (space == SIM_GENERIC)
        mask = reach_window(mask, address, &space);
    if (in->flags & INSN_IN_FRAME) {
        space = SIM_LOCAL;
        for (unsigned i = 0; i < LANES; i++)
            address[i] += w->now->frame->local_base;
    }
    if (!aligned_all(address, bytes))
        for (uint32_t left = mask; left; left &= left - 1)
            if (address[lane_first(left)] & (bytes - 1)) {
                unsigned lane = lane_first(left);
                misaligned(w, in, lane, address[lane] + window_of(space), bytes);
                return false;
            }
    if (space != SIM_GLOBAL && space != SIM_CONST)
        return find_window(w, in, mask, address, bytes, space, r);
    return find_global(w, in, mask, address, bytes, r);
}
