/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits at an mbarrier for a phase that was over before. A loop that does not flip the parity after
 * each wait asks for the same phase again. Then the wait ends at once, and orders nothing.
 *
 * The last wait of each lane at each mbarrier is kept, and of several for one phase the second. A
 * wait is stale if the lane has already waited for that phase at the same line. It is also stale if
 * no phase was over at all, so that the wait was for the phase before the first one. Threads that
 * fill a buffer do that on purpose, but those that read it may not. So a stale wait is no finding.
 * It is told where a race would not be there if the wait had been for the current phase.
 *
 * A wait knows the parity of its phase, not its number. If the next phase is over before a thread
 * looks, the thread finds the old parity again, and waits for a phase that may never come. So the
 * threads that wait for a phase must have left before the next phase is over.
 */
#include "check/race/inside.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static const struct allocator *const from = &allocator_libc;

/* ---- waits ----------------------------------------------------------------------------- */

static bool at_one_line(const struct race *r, uint32_t a, uint32_t b)
{
    const struct sim_instruction *x = &r->code[a], *y = &r->code[b];
    return a == b || (x->line && x->line == y->line && x->file == y->file);
}

/* Lanes have waited for the last phase that is over. */
void race_see_wait(struct race *r, const struct sim_at *at, struct mbarrier_order *m)
{
    const size_t count = (size_t)r->order.warps * WARP;
    if (!m->waits && !(m->waits = mem_alloc(from, count * sizeof *m->waits))) {
        r->order.failed = true;
        return;
    }
    EACH_LANE(lane, at->mask) {
        struct mbarrier_wait *w = &m->waits[at->warp * WARP + lane];
        const bool again = w->time && w->phases == m->phases && at_one_line(r, w->pc, at->pc);
        if (again && w->stale == WAIT_AGAIN)
            continue; /* the first of these is kept */
        *w = (struct mbarrier_wait){.time = r->order.now, .phases = m->phases, .pc = at->pc,
                                    .stale = again           ? WAIT_AGAIN
                                             : !m->completed ? WAIT_EARLY
                                                             : WAIT_FRESH};
        if (w->stale)
            m->latest_stale = at->warp * WARP + lane + 1;
    }
}

/* ---- phases that end too early ---------------------------------------------------------- */

static void tell_missed(struct race *r, const struct sim_at *at, const struct block_state *of,
                        const struct mbarrier_order *m, uint32_t waiter)
{
    const struct mbarrier_wait *w = &m->waits[waiter];
    struct finding_side here = {.code = at->code}, there = {.code = &r->code[w->pc]};
    char name[FINDING_NAME], who[64], whom[64];
    bool fresh;
    memcpy(here.block, at->block, sizeof here.block);
    finding_thread(r->block_size, at->warp * WARP + lane_first(at->mask), here.thread);
    finding_block(r->grid, of->order.index, there.block);
    finding_thread(r->block_size, waiter, there.thread);
    struct finding *found = findings_add(r->out, &race_shared, &here, &there, at->when, &fresh);
    if (!found || !fresh)
        return;
    struct sim_fault *f = &found->fault;
    const bool apart = memcmp(here.block, there.block, sizeof here.block) != 0;
    finding_name(at->run, SIM_SHARED, m->address, 8, f, name);
    finding_who(&f->at, &f->other, apart, who);
    finding_who(&f->other, &f->at, apart, whom);
    if (snprintf(f->message, sizeof f->message,
                 "%s ends a phase of the mbarrier %s while %s may still wait for the phase before, "
                 "and nothing orders the two", who, name, whom) < 0)
        f->message[0] = 0;
    found->cure = RACE_CURE_PHASE;
}

/* The current phase ends now. Each thread that has waited for the phase before must have told the
 * threads that arrived, or it may miss that phase. */
void race_see_phase_end(struct race *r, const struct sim_at *at, const struct block_state *b,
                        const struct block_state *of, const struct mbarrier_order *m)
{
    for (uint32_t i = 0; m->waits && m->completed && i < r->order.warps * WARP; i++) {
        const struct mbarrier_wait *w = &m->waits[i];
        const struct lane_time d = {of->order.first_warp + i / WARP, i % WARP, w->time};
        if (w->time && w->stale == WAIT_FRESH && w->phases == m->phases &&
            !order_mbarrier_tells(&r->order, &of->order, m, &d) &&
            !order_known(&r->order, &of->order, 0, 0, &d) &&
            !order_known(&r->order, &b->order, at->warp, lane_first(at->mask), &d)) {
            tell_missed(r, at, of, m, i);
            return;
        }
    }
}

/* ---- which race comes from one --------------------------------------------------------- */

static const struct mbarrier_order *mbarrier_of(const struct block_state *b, uint32_t number)
{
    for (const struct mbarrier_order *m = b->order.mbarriers; m; m = m->next)
        if (m->number == number)
            return m;
    return NULL;
}

static const struct mbarrier_wait *wait_of(const struct mbarrier_order *m, unsigned warp,
                                           unsigned lane)
{
    const struct mbarrier_wait *w = m && m->waits ? &m->waits[warp * WARP + lane] : NULL;
    return w && w->time ? w : NULL;
}

/* Is it the wait of a lane that then made this access too early? */
static bool too_early(const struct mbarrier_wait *w, const struct sim_instruction *access)
{
    return w && (w->stale == WAIT_AGAIN ||
                 (w->stale == WAIT_EARLY && access->kind == SIM_CLASS_LOAD));
}

/* A lane uses what a copy still writes. Another lane may have waited for it: one waits, and a
 * barrier follows. */
static const struct mbarrier_wait *before_copy_ends(const struct look *k, unsigned lane,
                                                    const struct earlier *o)
{
    const struct mbarrier_copy *c = race_record_of(k->r, mark_time(o->key & ~MARK_COPY));
    const struct mbarrier_order *m = c ? mbarrier_of(k->b, c->mbarrier) : NULL;
    const struct mbarrier_wait *w = wait_of(m, k->at->warp, lane);
    if (m && !w && m->latest_stale) {
        const uint32_t by = m->latest_stale - 1;
        const struct lane_time d = {k->b->order.first_warp + by / WARP, by % WARP,
                                    m->waits[by].time};
        w = race_known(k, lane, &d) ? &m->waits[by] : NULL;
    }
    return too_early(w, k->at->code) && w->phases <= c->phase ? w : NULL;
}

/* A copy writes what a lane has used too early. */
static const struct mbarrier_wait *before_copy_starts(const struct look *k, const struct earlier *o)
{
    const struct mbarrier_copy *c = race_record_of(k->r, mark_time(k->key & ~MARK_COPY));
    const struct block_state *b = k->of;
    if (!c || race_block_of(k->r, o->warp) != b->order.index)
        return NULL;
    const struct mbarrier_wait *w =
        wait_of(mbarrier_of(b, c->mbarrier), o->warp - b->order.first_warp, o->lane);
    return too_early(w, &k->r->code[mark_pc(o->key)]) && w->phases <= c->phase &&
                   w->time < mark_time(o->key)
               ? w
               : NULL;
}

/* The other thread has arrived for the current phase since its access. A wait for that phase would
 * order the two. */
static const struct mbarrier_wait *before_arrival(const struct look *k, unsigned lane,
                                                  const struct earlier *o)
{
    const struct lane_time d = {o->warp, o->lane, mark_time(o->key)};
    for (const struct mbarrier_order *m = k->b->order.mbarriers; m; m = m->next) {
        const struct mbarrier_wait *w = wait_of(m, k->at->warp, lane);
        if (too_early(w, k->at->code) && order_mbarrier_tells(&k->r->order, &k->b->order, m, &d))
            return w;
    }
    return NULL;
}

/* The other lane has waited again for a phase, and then it has read too early what is stored only
 * now. The lane that stores takes part in the phases of that mbarrier. */
static const struct mbarrier_wait *before_store(const struct look *k, unsigned lane,
                                                const struct earlier *o)
{
    const struct block_state *b = k->b;
    const uint32_t there = o->warp - b->order.first_warp;
    const struct lane_time own = {k->me, lane, 1};
    if (there >= k->r->order.warps || !k->writes ||
        k->r->code[mark_pc(o->key)].kind != SIM_CLASS_LOAD)
        return NULL;
    for (const struct mbarrier_order *m = b->order.mbarriers; m; m = m->next) {
        const struct mbarrier_wait *w = wait_of(m, there, o->lane);
        if (w && w->stale == WAIT_AGAIN && w->phases == m->phases &&
            w->time < mark_time(o->key) &&
            order_mbarrier_tells(&k->r->order, &b->order, m, &own))
            return w;
    }
    return NULL;
}

const struct sim_instruction *race_stale_wait(const struct look *k, unsigned lane,
                                              const struct earlier *o)
{
    const struct mbarrier_wait *w = NULL;
    if (!k->r->other_waits || !o->key || o->warp < k->r->order.first_warp)
        return NULL;
    if (!mark_copy(o->key) && mark_copy(k->key))
        w = k->writes && k->at->code->async == SIM_ASYNC_MBARRIER ? before_copy_starts(k, o) : NULL;
    else if (!mark_copy(o->key)) {
        w = before_arrival(k, lane, o);
        w = w ? w : before_store(k, lane, o);
    } else if (!mark_copy(k->key) && k->r->code[mark_pc(o->key)].async == SIM_ASYNC_MBARRIER)
        w = before_copy_ends(k, lane, o);
    return w ? &k->r->code[w->pc] : NULL;
}
