/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loops that decode/waits.c finds. When all lanes of a warp go back to the start of such a
 * loop, each turn takes as many instructions as the loop has, and the clock counts them. So it is
 * known how many turns are sure to follow. They are counted, and not executed. At least one turn
 * is left of what the warp may run now: it writes to the registers what the others would have.
 */
#include "sim/run.h"

#include <string.h>

static int64_t value_of(const struct warp *w, const struct insn *in, uint32_t row, unsigned lane)
{
    const unsigned char *at = w->base[row & 1u] + (row & ~1u) + lane * in->bytes;
    uint64_t wide = 0;
    uint32_t word;
    if (in->bytes == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return (int64_t)wide;
    }
    memcpy(&word, at, sizeof word);
    return in->type ? (int64_t)(int32_t)word : (int64_t)word;
}

/* The largest time with which the lane goes on, as far as it does not wrap until then. */
static uint64_t last_time(const struct insn *in, int64_t other)
{
    const unsigned kept = in->type && in->e == 8u * in->bytes ? in->e - 1 : in->e;
    const uint64_t most = UINT64_MAX >> (64 - kept);
    const uint64_t last = in->count ? (uint64_t)other : (uint64_t)other - 1;
    return last < most ? last : most;
}

/* How many more turns will the lane surely go on? Times below 0 are left alone: they are rare. */
static uint64_t turns_of(const struct warp *w, const struct insn *in, unsigned lane,
                         uint64_t length)
{
    const int64_t now = value_of(w, in, in->a, lane), other = value_of(w, in, in->b, lane);
    if (in->type && (now < 0 || other < 0))
        return 0;
    const uint64_t last = last_time(in, other);
    return (uint64_t)now < last ? (last - (uint64_t)now) / length : 0;
}

void wait_pass_turns(struct warp *w, const struct insn *in)
{
    struct sim_run *r = w->launch;
    const uint64_t length = w->pc - in->target;
    if (w->split_count > 1 || w->now->join || r->still.frozen || w->left < 3 * length ||
        r->asked & ASKS(branch) || run_is_watched(r, w->block))
        return;
    uint64_t turns = w->left / length - 1;
    EACH_LANE(lane, w->mask) {
        const uint64_t own = turns_of(w, in, lane, length);
        turns = own < turns ? own : turns;
    }
    for (uint32_t pc = in->target; turns && pc < w->pc; pc++) {
        struct sim_tally *t = &r->tally[pc];
        t->warps += turns;
        t->lanes += turns * lanes_in(w->mask);
        t->absent += turns * w->absent;
    }
    w->left -= turns * length;
}
