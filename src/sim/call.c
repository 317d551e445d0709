/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of device functions, by name or through a pointer. A frame holds the callee's registers for
 * the whole warp, and a place in each thread's local memory where parameters, results and locals
 * lie; arguments, there or in registers, are copied from frame to frame. Frames that are left are
 * kept for the next call.
 */
#include "sim/reach.h"

#include <inttypes.h>
#include <string.h>

static struct frame *take_frame(struct block *b, uint32_t bytes)
{
    for (struct frame **at = &b->spare; *at; at = &(*at)->parent)
        if ((*at)->capacity >= bytes) {
            struct frame *f = *at;
            *at = f->parent;
            return f;
        }
    struct frame *f = arena_alloc(&b->frames, sizeof *f);
    unsigned char *rows = arena_alloc(&b->frames, bytes + HOST_LINE);
    if (!f || !rows)
        return NULL;
    f->rows = host_line(rows);
    f->capacity = bytes;
    return f;
}

static unsigned char *argument_at(struct warp *w, const struct frame *f, const struct argument *a,
                                  unsigned lane)
{
    if (!a->in_row)
        return reach_frame(w, f, lane, a->at);
    return (a->at & 1u ? f->of->constants : f->rows) + (a->at & ~1u) + (size_t)lane * a->bytes;
}

/* The simulator's own functions read an argument and give their result. */
void call_read(struct warp *w, const struct call *c, unsigned lane, unsigned i, void *to,
               unsigned bytes)
{
    memset(to, 0, bytes);
    if (i < c->in_count)
        memcpy(to, argument_at(w, w->now->frame, &c->in[i], lane),
               c->in[i].bytes < bytes ? c->in[i].bytes : bytes);
}

uint64_t call_value(struct warp *w, const struct call *c, unsigned lane, unsigned i)
{
    uint64_t v;
    call_read(w, c, lane, i, &v, sizeof v);
    return v;
}

void call_give(struct warp *w, const struct call *c, unsigned lane, uint64_t value)
{
    if (c->out_count)
        memcpy(argument_at(w, w->now->frame, &c->out[0], lane), &value,
               c->out[0].bytes < 8 ? c->out[0].bytes : 8);
}

static bool is_predicate(const struct argument *a)
{
    return a->in_row && a->bytes == 0;
}

static void copy_predicate(const struct frame *from, uint32_t a, const struct frame *to, uint32_t b,
                           uint32_t mask)
{
    uint32_t *into = (uint32_t *)(void *)to->rows + b;
    *into = (*into & ~mask) | (((uint32_t *)(void *)from->rows)[a] & mask);
}

static void copy_lanes(struct warp *w, uint32_t count, const struct frame *from,
                       const struct argument *a, const struct frame *to, const struct argument *b,
                       uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++) {
        if (is_predicate(&a[i]) && is_predicate(&b[i]))
            copy_predicate(from, a[i].at, to, b[i].at, mask);
        EACH_LANE(lane, mask)
            memcpy(argument_at(w, to, &b[i], lane), argument_at(w, from, &a[i], lane),
                   a[i].bytes < b[i].bytes ? a[i].bytes : b[i].bytes);
    }
}

static struct frame *add_frame(struct warp *w, struct return_to back,
                               const struct function *callee, uint32_t local_base)
{
    struct frame *f = take_frame(w->block, callee->frame_bytes);
    if (!f)
        return NULL;
    f->parent = w->now->frame;
    f->of = callee;
    f->back = back;
    f->others = 0;
    f->local_base = local_base;
    f->lanes = 0;
    *(uint32_t *)(void *)f->rows = ALL_LANES; /* predicate 0 */
    return f;
}

/* Among a frame and those it was called from: the function's frame that this caller has made. */
static struct frame *made_by(struct warp *w, struct frame *f, const struct function *callee)
{
    for (; f && f != &w->bottom; f = f->parent)
        if (f->parent == w->now->frame && f->of == callee)
            return f;
    return NULL;
}

/*
 * Lanes that call the same function one after the other share a frame, for each has its own place
 * in the rows. So they can meet in the function, at a shuffle or a vote, also if they call it from
 * two places. An H100 lets them meet (tests/h100/lanes-meet.txt).
 */
static struct frame *frame_of_others(struct warp *w, const struct function *callee)
{
    struct frame *f = NULL;
    for (unsigned i = 0; !f && i < w->split_count; i++)
        f = made_by(w, w->splits[i].frame, callee);
    EACH_BIT(k, w->joins_used)
        if (!f && w->joins[k].arrived)
            f = made_by(w, w->joins[k].frame, callee);
    return f;
}

/* Keeps where the lanes continue. */
static void keep_return(struct frame *f, struct return_to back, uint32_t mask)
{
    f->others &= ~mask;
    if (f->back.call == back.call && f->back.pc == back.pc)
        return;
    f->others |= mask;
    EACH_LANE(lane, mask)
        f->other[lane] = back;
}

/* Where the first of these lanes continues. *mask becomes the lanes that continue there too. */
static struct return_to return_of(const struct frame *f, uint32_t *mask)
{
    const uint32_t rest = *mask;
    struct return_to back = f->back;
    *mask = rest & ~f->others;
    if (*mask)
        return back;
    back = f->other[lane_first(rest)];
    EACH_LANE(lane, rest)
        if (f->other[lane].call == back.call && f->other[lane].pc == back.pc)
            *mask |= UINT32_C(1) << lane;
    return back;
}

static enum after enter_function(struct warp *w, uint32_t call, const struct function *callee, uint32_t mask)
{
    struct frame *caller = w->now->frame;
    const struct call *c = &w->launch->module->calls[call];
    uint32_t base = caller->local_base + caller->of->local_bytes + CALL_BYTES, taken = 0;
    for (int i = 0; i < LANES; i++)
        taken = w->taken[i] > taken ? w->taken[i] : taken;
    if (callee->closed) {
        struct sim_fault *f = run_fault(w, SIM_UNSUPPORTED, lane_first(mask), "%s (line %d of the PTX)",
                                        callee->closed, callee->closed_line);
        if (f && callee->lacks)
            f->cure = SIM_CURE_OTHER_DEVICE;
        return FAULTED;
    }
    if (base + callee->local_bytes > w->launch->local_per_thread - taken)
        return fault_stop(w, SIM_STACK_OVERFLOW, lane_first(mask),
                          "the calls of %s need more than the %u bytes of stack that a thread has",
                          callee->ptx->name, w->launch->local_per_thread);
    const struct return_to back = {call, w->pc};
    struct frame *f = frame_of_others(w, callee);
    if (!f)
        f = add_frame(w, back, callee, base);
    if (!f)
        return run_out_of_memory(w->launch);
    f->lanes |= mask;
    keep_return(f, back, mask);
    copy_lanes(w, c->in_count, caller, c->in, f, callee->in, mask);
    w->now->frame = f;
    w->now->pc = callee->entry;
    warp_load(w);
    return MOVED;
}

enum after lanes_call(struct warp *w, const struct insn *in, uint32_t mask)
{
    const struct call *c = &w->launch->module->calls[in->target];
    if (c->function >= 0)
        return enter_function(w, in->target, &w->launch->module->functions[c->function], mask);
    if (c->function == CALL_MALLOC || c->function == CALL_FREE)
        return heap_call(w, c, mask);
    if (c->function <= CALL_RUNTIME)
        return runtime_call(w, c, mask);
    return print_call(w, c, mask);
}

/* The function that an address stands for and that takes what the call gives; else a fault. */
static const struct function *pointed_at(struct warp *w, uint64_t address, const struct call *c,
                                         unsigned lane)
{
    const struct sim_module *m = w->launch->module;
    uint64_t number = (address - CODE_WINDOW) / CODE_STEP;
    const struct function *f = number < m->function_count ? &m->functions[number] : NULL;
    if (!f || address % CODE_STEP)
        run_fault(w, address ? SIM_TRAP : SIM_NULL, lane,
                  address ? "a call through a pointer to no function (0x%" PRIx64 ")"
                          : "a call through a null function pointer",
                  address);
    else if (!f->ptx->has_body)
        run_fault(w, SIM_TRAP, lane, "a call through a pointer to %s, which has no code here",
                  f->ptx->name);
    else if (f->ptx->is_entry || !call_fits(f, c->in_count, c->out_count))
        run_fault(w, SIM_TRAP, lane, "a call through a pointer to %s, which takes other arguments",
                  f->ptx->name);
    else
        return f;
    return NULL;
}

/* Lanes may point at different functions: each group calls its own, then all meet again. */
enum after lanes_call_pointer(struct warp *w, const struct insn *in, uint32_t mask)
{
    const struct call *c = &w->launch->module->calls[in->target];
    const uint64_t *to = row_of(w, in->a);
    uint64_t first = to[lane_first(mask)];
    uint32_t same = 0;
    EACH_LANE(i, mask)
        same |= (uint32_t)(to[i] == first) << i;
    const struct function *f = pointed_at(w, first, c, lane_first(mask));
    if (!f)
        return FAULTED;
    if (same != mask) {
        lanes_wait_at(w, in->meet);
        lanes_leave(w, same, w->pc - 1);
    }
    return enter_function(w, in->target, f, same);
}

/* These lanes are no longer in the frame. An empty frame can be used again. */
static void leave_frame(struct warp *w, struct frame *f, uint32_t mask)
{
    f->lanes &= ~mask;
    if (f->lanes)
        return;
    f->parent = w->block->spare;
    w->block->spare = f;
}

/* The same for all frames below it. */
void frames_leave(struct warp *w, struct frame *f, uint32_t mask)
{
    for (struct frame *below; f && f != &w->bottom; f = below) {
        below = f->parent;
        leave_frame(w, f, mask);
    }
}

enum after lanes_return(struct warp *w)
{
    struct frame *f = w->now->frame, *caller = f->parent;
    uint32_t mask = w->now->mask;
    const struct return_to back = return_of(f, &mask);
    const struct call *c = &w->launch->module->calls[back.call];
    if (mask != w->now->mask) { /* the others return after these */
        w->launch->tally[w->pc - 1].lanes -= lanes_in(w->now->mask & ~mask);
        lanes_leave(w, mask, w->pc - 1);
    }
    copy_lanes(w, c->out_count, f, f->of->out, caller, c->out, mask);
    w->now->frame = caller;
    w->now->pc = back.pc;
    leave_frame(w, f, mask);
    warp_load(w);
    return MOVED;
}
