/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes of one warp that wait for each other: shuffles, votes and __syncwarp() name the lanes that
 * must come. Each split waits (AT_SYNC) until the lanes of its mask have come.
 */
#include "sim/run.h"

#include <stdio.h>

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

/* Does that split wait for the running one? Splits that exchange nothing may wait at different
 * instructions. */
static bool waits_here(const struct warp *w, const struct split *s, uint32_t named)
{
    const struct sim_instruction *code = w->launch->module->shown;
    bool same = s->pc == w->pc - 1 && s->frame == w->now->frame;
    bool both_only_wait =
        code[s->pc].kind == SIM_CLASS_BARRIER && code[w->pc - 1].kind == SIM_CLASS_BARRIER;
    return s->state == AT_SYNC && s->wait == named && (same || both_only_wait);
}

/* The mask of a call differs from the lanes that call, so its result is undefined. */
static void mask_fault(struct warp *w, unsigned lane, uint32_t named, const char *why)
{
    const bool barrier = w->launch->module->shown[w->pc - 1].kind == SIM_CLASS_BARRIER;
    run_fault(w, barrier ? SIM_BARRIER_DIVERGENCE : SIM_INVALID_SHUFFLE, lane,
              "lane %u calls with the mask 0x%08x, which %s", lane, named, why);
}

/* Is a lane named that lives and is not here? */
static bool misses_some(const struct warp *w, const uint32_t masks[LANES], uint32_t mask)
{
    uint32_t named = 0;
    EACH_LANE(i, mask)
        named |= masks[i];
    return named & w->alive & ~mask;
}

/*
 * A synchronisation of lanes that all name one mask: each of those named must come to this
 * instruction. The last split to come does it for all: its mask grows by those that waited. If some
 * lanes can't come, that is a fault if `tells` is set.
 */
static bool gather(struct warp *w, uint32_t named, uint32_t *mask, bool tells)
{
    const bool strangers = *mask & ~named; /* the mask lacks them: that is told already */
    uint32_t need = named & w->alive, have = *mask;
    struct sim_tally *t = &w->launch->tally[w->pc - 1];
    for (unsigned i = 0; i < w->split_count; i++)
        if (waits_here(w, &w->splits[i], named))
            have |= w->splits[i].mask;
    if ((need & ~have) && !w->now->forced) {
        t->warps--;
        t->lanes -= lanes_in(*mask);
        t->absent -= w->absent;
        w->now->pc = w->pc - 1;
        w->now->state = AT_SYNC;
        w->now->wait = named;
        TELL(w->launch, wait, at_now(w, *mask), named);
        return false;
    }
    for (unsigned i = 0; i < w->split_count; i++) {
        struct split *s = &w->splits[i];
        if (waits_here(w, s, named)) {
            w->launch->tally[s->pc].warps += s->pc != w->pc - 1;
            w->launch->tally[s->pc].absent += s->pc != w->pc - 1 ? w->absent : 0;
            w->launch->tally[s->pc].lanes += lanes_in(s->mask);
            s->state = READY;
            s->pc++;
        }
    }
    if ((need & ~have) && !strangers && tells)
        mask_fault(w, lane_first(*mask), named,
                   "names lanes that wait at another instruction: let all of them come to one "
                   "call, or let the mask name those that do");
    w->now->pc = w->pc;
    w->now->forced = false;
    lanes_merge(w);
    w->mask = w->now->mask;
    *mask = have;
    return true;
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
bool lanes_sync(struct warp *w, const uint32_t masks[LANES], uint32_t *mask)
{
    const bool apart = (w->alive & ~*mask) && misses_some(w, masks, *mask);
    uint32_t common = 0, lacks;
    if (apart) {
        part_by_mask(w, masks, mask);
        common = masks[lane_first(*mask)];
    }
    lacks = w->now->forced ? 0 : unnamed(masks, *mask);
    if (lacks)
        mask_fault(w, lane_first(lacks), masks[lane_first(lacks)],
                   "lacks this lane: let the mask name every lane that calls, or let only the "
                   "lanes of the mask call");
    if (apart && !gather(w, common, mask, true))
        return false;
    w->now->forced = false;
    if (w->launch->asked & ASKS(sync))
        tell_sync(w, masks, *mask, common);
    return true;
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
    if ((w->alive & ~*mask) && !gather(w, ALL_LANES, mask, false))
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
