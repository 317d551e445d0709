/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes of one warp that wait for each other: shuffles, votes and __syncwarp() name the lanes that
 * must come. Each split waits (AT_SYNC) until the lanes of its mask have come.
 *
 * Since compute capability 7.0 they may come to different instructions, if these do the same: so
 * does PTX define it, and so an H100 does it. For example, nvcc may copy a shuffle into both sides
 * of a branch. The last split to come then runs the instruction for all: see run_for_all().
 */
#include "sim/run.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- instructions that lanes run together at different places ---------------------------- */

/* Lanes that have come to one such instruction. */
struct party {
    const struct insn *in;
    unsigned char *base[2];
    uint32_t lanes;
};

/* A frame of its own, in which the instruction runs for all parties. */
struct common_frame {
    _Alignas(64) uint32_t predicates[16];
    _Alignas(64) uint64_t a[LANES];
    _Alignas(64) uint32_t b[LANES];
    _Alignas(64) uint32_t c[LANES];
    _Alignas(64) uint32_t d[LANES];
    _Alignas(64) uint32_t named[LANES];
};
enum { ALWAYS, PREDICATE_A, PREDICATE_D, PREDICATE_E }; /* in common_frame.predicates */

static unsigned char *row_in(const struct party *p, uint32_t offset)
{
    return p->base[offset & 1u] + (offset & ~1u);
}

/* Copies what the party's lanes have, one element of `bytes` for each lane. */
static void copy_row(unsigned char *to, const unsigned char *from, uint32_t lanes, size_t bytes)
{
    EACH_BIT(i, lanes)
        memcpy(to + i * bytes, from + i * bytes, bytes);
}

static uint32_t *predicate_in(const struct party *p, uint32_t number)
{
    return (uint32_t *)(void *)p->base[0] + number;
}

static void give_operands(const struct party *p, unsigned uses, struct common_frame *f)
{
    if (uses & SYNC_READS_A)
        copy_row((unsigned char *)f->a, row_in(p, p->in->a), p->lanes,
                 uses & SYNC_A_64 ? sizeof(uint64_t) : sizeof(uint32_t));
    if (uses & SYNC_READS_B_C) {
        copy_row((unsigned char *)f->b, row_in(p, p->in->b), p->lanes, sizeof f->b[0]);
        copy_row((unsigned char *)f->c, row_in(p, p->in->c), p->lanes, sizeof f->c[0]);
    }
    if (uses & SYNC_TESTS_A)
        f->predicates[PREDICATE_A] |=
            p->lanes &
            (*predicate_in(p, p->in->a) ^ (p->in->flags & INSN_FLIP_A ? ALL_LANES : 0));
}

static void take_predicate(const struct party *p, uint32_t number, uint32_t value)
{
    uint32_t *to = predicate_in(p, number);
    if (number)
        *to = (*to & ~p->lanes) | (value & p->lanes);
}

static void take_results(const struct party *p, unsigned uses, const struct common_frame *f)
{
    if ((uses & SYNC_WRITES_D) && p->in->d)
        copy_row(row_in(p, p->in->d), (const unsigned char *)f->d, p->lanes, sizeof f->d[0]);
    if (uses & SYNC_SETS_D)
        take_predicate(p, p->in->d, f->predicates[PREDICATE_D]);
    if (uses & SYNC_SETS_E)
        take_predicate(p, p->in->e, f->predicates[PREDICATE_E]);
}

/* Runs the first party's instruction once, with the operands of all parties. */
static void run_for_all(struct warp *w, const struct party *parties, unsigned count, unsigned uses,
                        uint32_t named)
{
    const struct insn *in = parties[0].in;
    struct common_frame f = {.predicates = {[ALWAYS] = ALL_LANES}};
    struct insn there = *in;
    unsigned char *before = w->base[0];
    uint32_t lanes = 0;
    for (int i = 0; i < LANES; i++)
        f.named[i] = named;
    for (unsigned i = 0; i < count; i++) {
        give_operands(&parties[i], uses, &f);
        lanes |= parties[i].lanes;
    }
    there.a = uses & SYNC_TESTS_A ? PREDICATE_A : offsetof(struct common_frame, a);
    there.b = uses & SYNC_READS_B_C ? offsetof(struct common_frame, b)
                                    : offsetof(struct common_frame, named);
    there.c = offsetof(struct common_frame, c);
    there.d = uses & SYNC_SETS_D ? PREDICATE_D : offsetof(struct common_frame, d);
    there.e = PREDICATE_E;
    there.offset = offsetof(struct common_frame, named);
    there.flags &= (uint8_t)~INSN_FLIP_A;
    w->base[0] = (unsigned char *)&f;
    w->gathered = true;
    in->run(w, &there, lanes);
    w->gathered = false;
    w->base[0] = before;
    for (unsigned i = 0; i < count; i++)
        take_results(&parties[i], uses, &f);
}

/* ---- waiting for the lanes that a mask names ---------------------------------------------- */

/* Lanes that name another mask than the first lane become a split of their own and wait there. */
static void part_by_mask(struct warp *w, const uint32_t masks[LANES], uint32_t *mask)
{
    uint32_t group = lanes_alike(masks, *mask), here = w->pc - 1;
    if (group == *mask)
        return;
    w->launch->tally[here].lanes -= lanes_in(*mask & ~group);
    lanes_leave(w, group, here);
    *mask = group;
}

static bool is_here(const struct warp *w, const struct split *s)
{
    return s->pc == w->pc - 1 && s->frame == w->now->frame;
}

/* Are these the same operation with the same qualifiers? */
static bool does_the_same(const struct insn *a, const struct insn *b)
{
    return a->run == b->run && a->type == b->type && a->bytes == b->bytes;
}

/* Does that split wait for the running one? */
static bool waits_for_us(const struct warp *w, const struct split *s, unsigned uses,
                         uint32_t named)
{
    const struct insn *code = code_of(w);
    if (s->state != AT_SYNC || s->wait != named)
        return false;
    return is_here(w, s) || (uses == SYNC_ONLY_WAITS &&
                             w->launch->module->shown[s->pc].kind == SIM_CLASS_BARRIER) ||
           (uses != SYNC_IN_PLACE && w->launch->sim->limits.capability >= 70 &&
            does_the_same(&code[s->pc], &code[w->pc - 1]));
}

/* The mask of a call differs from the lanes that call, so its result is undefined. */
static struct sim_fault *mask_fault(struct warp *w, unsigned lane, uint32_t named, const char *why)
{
    const bool barrier = w->launch->module->shown[w->pc - 1].kind == SIM_CLASS_BARRIER;
    return run_fault(w, barrier ? SIM_BARRIER_DIVERGENCE : SIM_INVALID_SHUFFLE, lane,
                     "lane %u calls with the mask 0x%08x, which %s", lane, named, why);
}

static const struct sim_instruction *shown_to(const struct warp *w, const struct party *p)
{
    return &w->launch->module->shown[p->in - code_of(w)];
}

static bool of_two_lines(const struct sim_instruction *a, const struct sim_instruction *b)
{
    return a->line && b->line && (a->line != b->line || a->file != b->file);
}

/* A compiler may make several instructions of one line. Those of different lines are calls that
 * somebody wrote, who most likely wanted each for the lanes of its own branch. The first call in
 * the file is told first, so that this is one finding, whichever lanes come last. */
static void tell_two_calls(struct warp *w, const struct party *parties, unsigned count,
                           uint32_t named)
{
    const struct party *first = parties, *other = NULL;
    const uint32_t was = w->pc;
    for (unsigned i = 1; i < count; i++)
        if (shown_to(w, &parties[i])->line < shown_to(w, first)->line)
            first = &parties[i];
    for (unsigned i = 0; i < count; i++)
        if (of_two_lines(shown_to(w, &parties[i]), shown_to(w, first)))
            other = &parties[i];
    if (!other)
        return;
    w->pc = (uint32_t)(first->in - code_of(w)) + 1;
    struct sim_fault *f =
        mask_fault(w, lane_first(first->lanes), named,
                   "names lanes that are at another call: these calls exchange values with each "
                   "other. Let the mask of a call name only the lanes that come to it");
    w->pc = was;
    if (f) {
        f->cure = SIM_CURE_MASK;
        fault_other(w, f, shown_to(w, other), lane_first(other->lanes));
    }
}

/* Is a lane named that lives and is not here? */
static bool misses_some(const struct warp *w, const uint32_t masks[LANES], uint32_t mask)
{
    uint32_t named = 0;
    EACH_LANE(i, mask)
        named |= masks[i];
    return named & w->alive & ~mask;
}

static struct party party_of(const struct warp *w, const struct split *s)
{
    return (struct party){.in = &code_of(w)[s->pc],
                          .base = {s->frame->rows, s->frame->of->constants},
                          .lanes = s->mask};
}

/*
 * A synchronisation of lanes that all name one mask: each of those named must come. The last split
 * to come does it for all. If all stand at this instruction, the mask grows by those that waited.
 * If some lanes can't come, that is a fault if `tells` is set.
 */
static enum sync gather(struct warp *w, unsigned uses, uint32_t named, uint32_t *mask, bool tells)
{
    const bool strangers = *mask & ~named; /* the mask lacks them: that is told already */
    uint32_t need = named & w->alive, have = *mask;
    struct sim_tally *t = &w->launch->tally[w->pc - 1];
    struct party parties[LANES] = {{.in = &code_of(w)[w->pc - 1],
                                    .base = {w->base[0], w->base[1]}, .lanes = *mask}};
    unsigned count = 1;
    bool elsewhere = false;
    for (unsigned i = 0; i < w->split_count; i++)
        if (waits_for_us(w, &w->splits[i], uses, named))
            have |= w->splits[i].mask;
    if ((need & ~have) && !w->now->forced) {
        t->warps--;
        t->lanes -= lanes_in(*mask);
        t->absent -= w->absent;
        w->now->pc = w->pc - 1;
        w->now->state = AT_SYNC;
        w->now->wait = named;
        TELL(w->launch, wait, at_now(w, *mask), named);
        return SYNC_PARKED;
    }
    for (unsigned i = 0; i < w->split_count; i++) {
        struct split *s = &w->splits[i];
        if (waits_for_us(w, s, uses, named)) {
            w->launch->tally[s->pc].warps += s->pc != w->pc - 1;
            w->launch->tally[s->pc].absent += s->pc != w->pc - 1 ? w->absent : 0;
            w->launch->tally[s->pc].lanes += lanes_in(s->mask);
            elsewhere |= !is_here(w, s);
            parties[count++] = party_of(w, s);
            s->state = READY;
            s->pc++;
        }
    }
    if ((need & ~have) && !strangers && tells)
        mask_fault(w, lane_first(*mask), named,
                   "names lanes that wait at another instruction: let all of them come to one "
                   "call, or let the mask name those that do");
    const bool done = elsewhere && uses != SYNC_ONLY_WAITS;
    if (done) {
        tell_two_calls(w, parties, count, named);
        run_for_all(w, parties, count, uses, named);
    }
    w->now->pc = w->pc;
    w->now->forced = false;
    lanes_merge(w);
    w->mask = w->now->mask;
    *mask = have;
    return done ? SYNC_DONE : SYNC_GO;
}

/* The lanes whose own mask does not name them. */
static uint32_t unnamed(const uint32_t masks[LANES], uint32_t mask)
{
    uint32_t lacks = 0, all = ALL_LANES;
    for (int i = 0; i < LANES; i++)
        all &= masks[i];
    if (!(mask & ~all)) /* the usual case: every lane names all lanes here */
        return 0;
    for (int i = 0; i < LANES; i++)
        lacks |= ~masks[i] & UINT32_C(1) << i;
    return lacks & mask;
}

/* Tell the observers which lanes have waited for each other: those that their masks name. */
static void tell_sync(struct warp *w, const uint32_t masks[LANES], uint32_t mask, uint32_t common)
{
    for (uint32_t rest = mask, group; rest; rest &= ~group) {
        uint32_t named = common ? common : masks[lane_first(rest)];
        group = common ? mask : lanes_alike(masks, rest);
        if (group & named)
            TELL(w->launch, sync, at_now(w, group & named));
    }
}

/*
 * Lanes here at one time may name different masks, as the tiles of a warp do; see lanes_alike().
 * Where lanes of other splits join, all name one mask, `common`; else it stays 0. A lane that its
 * own mask lacks is told of before it waits: nobody may ever come that names it.
 */
enum sync lanes_sync(struct warp *w, unsigned uses, const uint32_t masks[LANES], uint32_t *mask)
{
    const bool apart = !w->gathered && (w->alive & ~*mask) && misses_some(w, masks, *mask);
    uint32_t common = w->gathered ? masks[lane_first(*mask)] : 0, lacks;
    if (apart) {
        part_by_mask(w, masks, mask);
        common = masks[lane_first(*mask)];
    }
    lacks = w->now->forced || w->gathered ? 0 : unnamed(masks, *mask);
    if (lacks)
        mask_fault(w, lane_first(lacks), masks[lane_first(lacks)],
                   "lacks this lane: let the mask name every lane that calls, or let only the "
                   "lanes of the mask call");
    const enum sync came = apart ? gather(w, uses, common, mask, true) : SYNC_GO;
    if (came != SYNC_GO)
        return came;
    w->now->forced = false;
    if (w->launch->asked & ASKS(sync))
        tell_sync(w, masks, *mask, common);
    return SYNC_GO;
}

/* Names the lanes of a set that is not empty: "lane 3", "lanes 4 to 7, 9". If there is no room for
 * all, the last ones are left out. */
static void name_lanes(uint32_t set, char out[64])
{
    unsigned n = (unsigned)snprintf(out, 64, lanes_in(set) > 1 ? "lanes " : "lane "), ranges = 0;
    for (unsigned first = 0; first < LANES && n < 40; first++) {
        unsigned last = first;
        if (!(set >> first & 1))
            continue;
        while (last + 1 < LANES && set >> (last + 1) & 1)
            last++;
        n += (unsigned)snprintf(out + n, 64 - n, ranges++ ? ", %u" : "%u", first);
        if (last > first)
            n += (unsigned)snprintf(out + n, 64 - n, " to %u", last);
        first = last;
    }
}

bool lanes_whole(struct warp *w, uint32_t *mask)
{
    char missing[64];
    if (*mask == ALL_LANES)
        return true;
    if ((w->alive & ~*mask) && gather(w, SYNC_IN_PLACE, ALL_LANES, mask, false) == SYNC_PARKED)
        return false;
    w->now->forced = false;
    if (*mask == ALL_LANES)
        return true;
    name_lanes(~*mask, missing);
    run_fault(w, SIM_INVALID_SHUFFLE, lane_first(*mask),
              "the instruction works on a matrix that all 32 lanes of a warp hold, and %s %s not "
              "come to it: its result is undefined", missing,
              lanes_in(~*mask) > 1 ? "do" : "does");
    return true;
}
