/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes wrong in a launch, kept as records: one for each kind at each place in the code,
 * however many threads come by. Of a launch that makes no end, also where its warps stand.
 */
#include "base/num.h"
#include "sim/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FAULTS = 1000 };

/* ---- faults and events --------------------------------------------------------------- */

static void name_thread(const struct warp *w, unsigned lane, struct sim_place *p)
{
    const unsigned *size = w->launch->launch.block;
    unsigned t = w->index * LANES + lane;
    memcpy(p->block, w->block->id, sizeof p->block);
    p->thread[0] = t % size[0];
    p->thread[1] = t / size[0] % size[1];
    p->thread[2] = t / (size[0] * size[1]);
}

/* The record of a fault of this kind: the one that stands at `at` already, or a new one. At most
 * MOST_FAULTS records are searched. */
struct sim_fault *fault_record(struct sim_run *r, enum sim_fault_kind kind,
                               const struct sim_instruction *at)
{
    for (size_t i = 0; at && i < r->fault_count; i++)
        if (r->faults[i].kind == kind && r->faults[i].at.line == at->line &&
            (at->line || r->faults[i].ptx_line == at->ptx_line)) {
            r->faults[i].count++;
            return NULL;
        }
    if (r->fault_count >= MOST_FAULTS ||
        mem_grow(&r->sim->allocator, (void **)&r->faults, &r->fault_capacity, r->fault_count,
                 sizeof *r->faults) < 0)
        return NULL;
    struct sim_fault *f = &r->faults[r->fault_count++];
    *f = (struct sim_fault){.kind = kind, .count = 1, .when = run_steps(r),
                            .in_child = r->grid && r->grid->number};
    if (at && r->grid && r->grid->called)
        at = r->grid->called; /* a kernel of the runtime has no lines of its own */
    if (at) {
        f->at.file = at->file;
        f->at.line = at->line;
        f->ptx_line = at->ptx_line;
    }
    return f;
}

static struct sim_fault *fault_in(struct warp *w, enum sim_fault_kind kind, unsigned lane,
                                  const char *fmt, va_list ap)
{
    struct sim_run *r = w->launch;
    if (sim_fault_ends(kind))
        r->status = SIM_FAULTED;
    struct sim_fault *f = fault_record(r, kind, &r->module->shown[w->pc - 1]);
    if (!f)
        return NULL;
    f->has_place = true;
    name_thread(w, lane, &f->at);
    vsnprintf(f->message, sizeof f->message, fmt, ap);
    if (f->in_child) {
        const size_t n = strlen(f->message);
        snprintf(f->message + n, sizeof f->message - n, ", in a child grid of %s",
                 r->grid->kernel->name);
    }
    return f;
}

struct sim_fault *run_fault(struct warp *w, enum sim_fault_kind kind, unsigned lane,
                            const char *fmt, ...)
{
    struct sim_fault *f;
    WITH_ARGS(fmt, f = fault_in(w, kind, lane, fmt, args));
    return f;
}

void fault_other(const struct warp *w, struct sim_fault *f, const struct sim_instruction *at,
                 unsigned lane)
{
    f->has_other = true;
    f->other.file = at->file;
    f->other.line = at->line;
    name_thread(w, lane, &f->other);
}

enum after fault_stop(struct warp *w, enum sim_fault_kind kind, unsigned lane, const char *fmt, ...)
{
    WITH_ARGS(fmt, fault_in(w, kind, lane, fmt, args));
    return FAULTED;
}

/* A compiler leaves a trap, of no line, where it saw that the code can't be right. NVIDIA's code of
 * grid.sync() has one for a launch by <<<>>>. */
void fault_trap(struct warp *w, unsigned lane)
{
    const struct sim_module *m = w->launch->module;
    const struct sim_instruction *at = &m->shown[w->pc - 1];
    const bool by_sync = (at->tiles || at->group_sync) && w->launch->grid->kernel->cooperative;
    const bool by_compiler = at->line == 0 && (m->ptx->file_count > 1 ||
                                               w->now->frame->of->ptx->code_count == 1);
    struct sim_fault *f = run_fault(
        w, SIM_TRAP, lane, "the kernel executed a trap%s",
        by_sync       ? " in grid.sync(), which needs a cooperative launch"
        : by_compiler ? ", which the compiler put where the code can't be right, as a store to "
                        "a __constant__ variable: its warnings say where" : "");
    if (f && by_sync)
        f->cure = SIM_CURE_COOPERATIVE;
}

void whole_fault(struct sim_run *r, enum sim_fault_kind kind, const char *fmt, ...)
{
    struct sim_fault *f = fault_record(r, kind, NULL);
    if (sim_fault_ends(kind))
        r->status = SIM_FAULTED;
    if (!f)
        return;
    WITH_ARGS(fmt, vsnprintf(f->message, sizeof f->message, fmt, args));
}

/* ---- where an endless launch stands -------------------------------------------------- */

/* Of a block's warps, those that stand at one line, running or waiting for others. */
struct standing {
    int line;
    bool waits;
    unsigned warps;
};

/* Splits of one warp at one place count once. Returns how many kinds there are. */
static unsigned find_standing(const struct sim_run *r, const struct block *b, struct standing *out,
                      unsigned room)
{
    unsigned n = 0;
    for (unsigned i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        for (unsigned k = 0, counted = 0; k < w->split_count; k++) {
            const struct split *s = &w->splits[k];
            const struct standing here = {.line = r->module->shown[s->pc].line,
                                          .waits = s->state != READY};
            unsigned at = 0;
            while (at < n && (out[at].line != here.line || out[at].waits != here.waits))
                at++;
            if (at == room)
                continue;
            if (at == n)
                out[n++] = here;
            out[at].warps += !(counted >> at & 1);
            counted |= 1u << at;
        }
    }
    return n;
}

/* The first lanes that could go on, of the block that came first; NULL where none can. */
static const struct split *still_running(const struct block *b, struct warp **of)
{
    for (; b; b = b->next)
        for (unsigned i = 0; i < b->warp_count; i++)
            for (unsigned k = 0; k < b->warps[i].split_count; k++)
                if (b->warps[i].splits[k].state == READY) {
                    *of = &b->warps[i];
                    return &b->warps[i].splits[k];
                }
    return NULL;
}

void run_no_end(struct sim_run *r, enum sim_fault_kind kind, const char *why)
{
    struct standing all[4];
    struct warp *w;
    const struct split *s = still_running(r->resident, &w);
    if (!s) {
        whole_fault(r, kind, "%s", why);
        return;
    }
    w->pc = s->pc + 1;
    struct sim_fault *f = run_fault(w, kind, lane_first(s->mask), "%s", why);
    char ended[NUM_TEXT], blocks[NUM_TEXT];
    if (f && r->finished)
        snprintf(f->message + strlen(f->message), sizeof f->message - strlen(f->message),
                 "; %s of %s blocks have ended", num_group((int64_t)r->finished, ended),
                 num_group((int64_t)r->blocks, blocks));
    unsigned n = f && w->block->warp_count > 1 ? find_standing(r, w->block, all, 4) : 0;
    for (unsigned i = 0; i < n && all[i].line; i++) {
        size_t at = strlen(f->message);
        snprintf(f->message + at, sizeof f->message - at, "%s %u warp%s%s at line %d",
                 i ? "," : "; this block has", all[i].warps, all[i].warps == 1 ? "" : "s",
                 all[i].waits ? " waiting" : "", all[i].line);
    }
}

enum after run_out_of_memory(struct sim_run *r)
{
    whole_fault(r, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
    return FAULTED;
}
