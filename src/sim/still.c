/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers that are made of memory. The barrier of a grid and cuda::barrier are words that
 * threads poll, so a thread that waits at one looks busy. Here it is found out that all threads
 * that are left only wait: then the launch is a deadlock, and need not run into its limit.
 *
 * The proof. All that run poll a word, and have written nothing for a while. Now they go on
 * without chance, one poll after the other, while the clock stands still. If each warp then comes
 * back to a place with the very registers that it had there, and still nothing was written, it is
 * in a circle that only time can end. So the clock goes on by an hour, which must bring them into
 * a circle again, and by no instruction that was not in the first one.
 *
 * A thread that polls a flag of its own making is in an endless loop, and no deadlock.
 */
#include "sim/mbarrier.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { QUIET = 1 << 12, MOST_WINDOWS = 256 };
#define HOUR UINT64_C(3600000000000) /* by the clock that kernels read */

void still_begin(struct sim_run *r)
{
    const struct op *yield = ops_find(r->sim, "*yield");
    r->still = (struct still){.ahead = r->launch.clock,
                              .cuda_barrier = r->module->cuda_barrier,
                              .yield = yield ? yield->run : NULL};
    if (!yield || !(r->workspace || r->still.cuda_barrier || r->module->waits))
        return;
    r->still.ran = arena_alloc(&r->of_grid, (r->module->count + 1) * sizeof *r->still.ran);
    r->still.possible = r->still.ran != NULL;
}

/* ---- who polls what ------------------------------------------------------------------ */

/* Have the lanes just looked at a word, or slept? */
static bool has_yielded(const struct sim_run *r, const struct split *s)
{
    return s->state == READY && s->pc && r->module->code[s->pc - 1].run == r->still.yield;
}

/* The load whose word they have looked at; NULL: they do something else. */
static const struct insn *poll_of(const struct sim_run *r, const struct split *s)
{
    const bool yields = has_yielded(r, s) && s->pc >= 2;
    const enum sim_class kind = yields ? r->module->shown[s->pc - 2].kind : SIM_CLASS_ALU;
    return kind == SIM_CLASS_LOAD || kind == SIM_CLASS_MBARRIER ? &r->module->code[s->pc - 2]
                                                                : NULL;
}

static uint64_t polled_at(const struct split *s, const struct insn *load)
{
    const unsigned char *row = load->a & 1u ? s->frame->of->constants : s->frame->rows;
    const unsigned lane = lane_first(s->mask);
    uint64_t address = 0;
    if (load->flags & INSN_UNIFORM_ADDRESS)
        return (uint64_t)load->offset;
    row += load->a & ~1u;
    if (!(load->flags & INSN_ADDRESS_32)) {
        memcpy(&address, row + lane * sizeof address, sizeof address);
        return address + (uint64_t)load->offset;
    }
    memcpy(&address, row + lane * sizeof(uint32_t), sizeof(uint32_t));
    return (uint32_t)(address + (uint64_t)load->offset);
}

static bool is_grid_barrier(const struct sim_run *r, uint64_t address)
{
    const uint64_t at = address - r->workspace;
    return r->workspace && at < WORKSPACE_BYTES;
}

static bool is_mbarrier(const struct sim_run *r, const struct insn *load)
{
    return r->module->shown[load - r->module->code].kind == SIM_CLASS_MBARRIER;
}

static bool is_barrier(const struct sim_run *r, const struct split *s, const struct insn *load)
{
    return is_mbarrier(r, load) || is_grid_barrier(r, polled_at(s, load)) ||
           (r->still.cuda_barrier && load->bytes == sizeof(uint64_t) && load->count == 1);
}

/* ---- does it all stand still? -------------------------------------------------------- */

#define EACH_SPLIT(b, w, s, r)                                            \
    for (struct block *b = (r)->resident; b; b = b->next)                 \
        for (struct warp *w = b->warps; w < b->warps + b->warp_count; w++) \
            for (struct split *s = w->splits; s < w->splits + w->split_count; s++)

/* How often lanes did what others may notice: wrote, came to a barrier, ended. */
static uint64_t doings(const struct sim_run *r)
{
    const struct sim_module *m = r->module;
    uint64_t n = 0;
    for (uint32_t pc = 0; pc < m->count; pc++) {
        const enum sim_class kind = m->shown[pc].kind;
        if (m->code[pc].access != SIM_LOAD || kind == SIM_CLASS_STORE ||
            kind == SIM_CLASS_ATOMIC || kind == SIM_CLASS_BARRIER || kind == SIM_CLASS_CALL ||
            kind == SIM_CLASS_TEXTURE || kind == SIM_CLASS_EXIT)
            n += r->tally[pc].lanes;
    }
    return n;
}

/* Do all that could go on poll, and sleep in between? */
static bool all_poll(const struct sim_run *r)
{
    EACH_SPLIT(b, w, s, r) {
        if (s->state == READY && !has_yielded(r, s))
            return false;
        EACH_BIT(k, w->joins_used)
            if (w->joins[k].arrived)
                return false;
    }
    return true;
}

/* A number for the state of all warps. It does not depend on the order of splits in a warp. */
static uint64_t digest(const struct sim_run *r)
{
    uint64_t all = 0;
    EACH_SPLIT(b, w, s, r) {
        uint64_t place[] = {b->index, w->index, s->pc, s->mask, s->state};
        uint64_t registers = hash_words(HASH_START, s->frame->rows, s->frame->of->frame_bytes);
        all += hash_words(registers, place, sizeof place);
    }
    return all;
}

/* Rounds in which each split of each warp has had its turn. */
static unsigned rounds_for_all(const struct sim_run *r)
{
    unsigned most = 1;
    for (const struct block *b = r->resident; b; b = b->next)
        for (unsigned i = 0; i < b->warp_count; i++)
            if (b->warps[i].split_count > most)
                most = b->warps[i].split_count;
    return most + 1;
}

uint64_t still_clock(const struct sim_run *r, uint64_t steps)
{
    return r->still.frozen ? r->still.clock : steps + r->still.ahead;
}

static void give_up(struct sim_run *r, bool soon)
{
    struct still *s = &r->still;
    if (s->frozen)
        s->ahead = s->clock > r->steps ? s->clock - r->steps : 0;
    s->probing = s->frozen = false;
    s->quiet = soon || !s->quiet ? QUIET + 4 * (uint64_t)r->module->count : 2 * s->quiet;
    s->next = r->steps + s->quiet;
}

static void begin_probing(struct sim_run *r)
{
    struct still *s = &r->still;
    s->probing = true;
    s->windows = s->circles = 0;
    s->state = 0;
    s->rounds = rounds_for_all(r);
}

/* Moves the clock on by an hour. From then on it is recorded which instructions run. */
static void move_clock(struct sim_run *r)
{
    struct still *s = &r->still;
    s->clock = still_clock(r, r->steps) + HOUR;
    s->frozen = true;
    s->windows = 0;
    s->state = 0;
    for (uint32_t pc = 0; pc < r->module->count; pc++)
        s->ran[pc].at_move = r->tally[pc].warps;
}

static void keep_state(struct sim_run *r, uint64_t state)
{
    r->still.state = state;
    for (uint32_t pc = 0; pc < r->module->count; pc++)
        r->still.ran[pc].at_state = r->tally[pc].warps;
}

/* A circle is closed. Did all that ran since the clock was moved run in the last one, too? */
static bool same_circle(struct sim_run *r)
{
    bool same = r->still.circles++ > 0;
    for (uint32_t pc = 0; pc < r->module->count; pc++) {
        struct still_ran *ran = &r->still.ran[pc];
        same &= ran->in_circle || r->tally[pc].warps == ran->at_move;
        ran->in_circle = r->tally[pc].warps != ran->at_state;
    }
    return same;
}

/* ---- the cause ----------------------------------------------------------------------- */

/* What a barrier of libcu++ holds: in its upper half, less the sign, how many arrivals are missing,
 * counted up to 2^31; in its lower half how many there should be. */
static bool arrivals(const struct sim_run *r, struct warp *w, const struct split *s,
                     const struct insn *load, uint32_t *missing, uint32_t *expected)
{
    enum { SENSIBLE = 1 << 20 };
    const uint64_t address = polled_at(s, load);
    uint64_t left = 0, word;
    const unsigned char *at = NULL;
    if (load->space == SIM_SHARED && address + sizeof word <= r->shared_bytes)
        at = w->block->shared + address;
    else if (load->space != SIM_SHARED)
        at = reach_generic(w, lane_first(s->mask), address, &left);
    if (!at || (load->space != SIM_SHARED && left < sizeof word))
        return false;
    memcpy(&word, at, sizeof word);
    *missing = (UINT32_C(1) << 31) - (uint32_t)(word >> 32 & INT32_MAX);
    *expected = (UINT32_C(1) << 31) - (uint32_t)(word & INT32_MAX);
    return *missing <= *expected && *expected < SENSIBLE;
}

/* Blocks of which a thread polls the grid's word. */
static uint64_t blocks_at_grid_barrier(const struct sim_run *r)
{
    uint64_t n = 0;
    const struct block *last = NULL;
    EACH_SPLIT(b, w, s, r) {
        const struct insn *load = poll_of(r, s);
        if (b == last || !load || !is_grid_barrier(r, polled_at(s, load)))
            continue;
        last = b;
        n++;
    }
    return n;
}

static void grid_cause(const struct sim_run *r, char *out, size_t size)
{
    const uint64_t wait = blocks_at_grid_barrier(r), rest = r->blocks - r->finished - wait;
    char ended[40] = "", others[40] = "";
    if (r->finished)
        snprintf(ended, sizeof ended, ", %" PRIu64 " ha%s ended", r->finished,
                 r->finished == 1 ? "s" : "ve");
    if (rest)
        snprintf(others, sizeof others, ", %" PRIu64 " wait%s elsewhere", rest,
                 rest == 1 ? "s" : "");
    snprintf(out, size, "%" PRIu64 " of %" PRIu64 " blocks wait%s for all at the barrier of the "
             "grid%s%s: every block must come to it", wait, r->blocks, wait == 1 ? "s" : "", ended,
             others);
}

static void tell_cause(struct sim_run *r, struct warp *w, const struct split *s, const struct insn *load)
{
    char why[200];
    uint32_t missing, expected;
    const bool at_mbarrier = is_mbarrier(r, load) &&
                             mbarrier_cause(w, lane_first(s->mask), polled_at(s, load), why,
                                            sizeof why);
    if (at_mbarrier)
        ;
    else if (is_grid_barrier(r, polled_at(s, load)))
        grid_cause(r, why, sizeof why);
    else if (arrivals(r, w, s, load, &missing, &expected))
        snprintf(why, sizeof why, "a cuda::barrier for %u arrivals; %u %s missing, and "
                 "all threads that are left wait", expected, missing, missing == 1 ? "is" : "are");
    else
        snprintf(why, sizeof why, "all threads that are left wait at a cuda::barrier");
    w->pc = s->pc - 1;
    struct sim_fault *f = run_fault(w, SIM_DEADLOCK, lane_first(s->mask), "%s", why);
    if (f && at_mbarrier)
        f->cure = SIM_CURE_MBARRIER;
}

/* Reports the deadlock at the first split that waits at a barrier. If none does, the search goes
 * on. */
static void tell_deadlock(struct sim_run *r)
{
    EACH_SPLIT(b, w, s, r) {
        const struct insn *load = poll_of(r, s);
        if (!load || !is_barrier(r, s, load))
            continue;
        tell_cause(r, w, s, load);
        return;
    }
}

/* ---- looking ------------------------------------------------------------------------- */

/* Each split had its turn, and all of them poll. The same state must come again: it is compared
 * with the state after 1, 2, 4, 8 ... windows. */
static void compare_states(struct sim_run *r)
{
    struct still *s = &r->still;
    uint64_t now = digest(r);
    if (!s->frozen || (now == s->state && !same_circle(r)))
        move_clock(r);
    else if (now == s->state)
        tell_deadlock(r);
    else if ((s->windows & (s->windows - 1)) == 0)
        keep_state(r, now);
}

static void probe(struct sim_run *r)
{
    enum { MOST_CIRCLES = 16 };
    struct still *s = &r->still;
    if (doings(r) != s->done) {
        give_up(r, true);
        return;
    }
    if (--s->rounds)
        return;
    s->windows++;
    s->rounds = rounds_for_all(r);
    if (all_poll(r) && s->windows < MOST_WINDOWS && s->circles < MOST_CIRCLES)
        compare_states(r);
    else if (s->windows > 3)
        give_up(r, false);
}

void still_look(struct sim_run *r)
{
    struct still *s = &r->still;
    if (!s->possible || r->status != SIM_RUNNING)
        return;
    if (s->probing) {
        probe(r);
    } else if (r->steps >= s->next) {
        uint64_t done = doings(r);
        bool quiet = s->next && done == s->done;
        s->done = done;
        if (quiet)
            begin_probing(r);
        else
            give_up(r, true);
    }
}
