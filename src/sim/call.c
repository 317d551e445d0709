/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of device functions. A frame holds the callee's registers for the whole warp, and a
 * place in each thread's local memory where parameters, results and locals lie; arguments are
 * copied from frame to frame. Frames that are left are kept for the next call.
 */
#include "sim/internal.h"

#include <string.h>

static struct frame *take_frame(struct block *b, uint32_t bytes)
{
    for (struct frame **at = &b->spare; *at; at = &(*at)->parent)
        if ((*at)->capacity >= bytes) {
            struct frame *f = *at;
            *at = f->parent;
            return f;
        }
    struct frame *f = arena_get(&b->frames, sizeof *f);
    unsigned char *rows = arena_get(&b->frames, bytes + 64);
    if (!f || !rows)
        return NULL;
    f->rows = rows + (64 - (uintptr_t)rows % 64) % 64;
    f->capacity = bytes;
    return f;
}

static void copy_lanes(struct warp *w, const struct call_copy *c, uint32_t count,
                       const struct frame *from, const struct frame *to, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = lane_first(left);
            memcpy(reach_frame(w, to, lane, c[i].to), reach_frame(w, from, lane, c[i].from),
                   c[i].bytes);
        }
}

static enum after enter(struct warp *w, const struct insn *in, const struct call *c, uint32_t mask)
{
    struct frame *caller = w->now->frame;
    const struct function *callee = &w->launch->module->functions[c->function];
    uint32_t base = caller->local_base + caller->of->local_bytes;
    if (base + callee->local_bytes > w->launch->local_per_thread) {
        run_fault(w, SIM_STACK_OVERFLOW, lane_first(mask),
                  "the calls of %s need more than the %u bytes of stack that a thread has",
                  callee->ptx->name, w->launch->local_per_thread);
        return FAULTED;
    }
    struct frame *f = take_frame(w->block, callee->frame_bytes);
    if (!f)
        return run_out_of_memory(w);
    f->parent = caller;
    f->of = callee;
    f->return_pc = w->pc;
    f->call = in->target;
    f->local_base = base;
    f->lanes = mask;
    *(uint32_t *)(void *)f->rows = ALL_LANES; /* predicate 0 */
    copy_lanes(w, c->in, c->in_count, caller, f, mask);
    w->now->frame = f;
    w->now->pc = callee->entry;
    warp_load(w);
    return MOVED;
}

enum after lanes_call(struct warp *w, const struct insn *in, uint32_t mask)
{
    const struct call *c = &w->launch->module->calls[in->target];
    if (c->function >= 0)
        return enter(w, in, c, mask);
    return print_call(w, c, mask);
}

/* These lanes are no longer in the frame or those below it; empty ones can be used again. */
void frames_leave(struct warp *w, struct frame *f, uint32_t mask)
{
    while (f && f != &w->bottom) {
        struct frame *below = f->parent;
        f->lanes &= ~mask;
        if (!f->lanes) {
            f->parent = w->block->spare;
            w->block->spare = f;
        }
        f = below;
    }
}

enum after lanes_return(struct warp *w)
{
    struct frame *f = w->now->frame, *caller = f->parent;
    const struct call *c = &w->launch->module->calls[f->call];
    copy_lanes(w, c->out, c->out_count, f, caller, w->now->mask);
    w->now->frame = caller;
    w->now->pc = f->return_pc;
    f->lanes &= ~w->now->mask;
    if (!f->lanes) {
        f->parent = w->block->spare;
        w->block->spare = f;
    }
    warp_load(w);
    return MOVED;
}
