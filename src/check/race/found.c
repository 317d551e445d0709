/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of a race: the two accesses, what lies there, and what would mend it.
 */
#include "check/race/inside.h"

#include <stdio.h>
#include <string.h>

static const char *const cures[] = {[RACE_CURE_UNKNOWN] = NULL,
                                    [RACE_CURE_SYNCWARP] = "syncwarp",
                                    [RACE_CURE_SYNCTHREADS] = "syncthreads",
                                    [RACE_CURE_CLUSTER_SYNC] = "cluster-sync",
                                    [RACE_CURE_ATOMIC] = "atomic",
                                    [RACE_CURE_COPY_WAIT] = "copy-wait"};

const struct finding_kind race_shared = {.name = "race-shared", .cures = cures};
const struct finding_kind race_global = {.name = "race-global", .cures = cures};

/* ---- what is found --------------------------------------------------------------------- */

const char *race_verb(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_LOAD                                     ? "reads"
           : i->kind == SIM_CLASS_STORE || i->kind == SIM_CLASS_HIDDEN ? "writes"
                                                                         : "updates";
}

/* The time when the copy was over, because its thread had waited for it. 0: it may still run. */
uint64_t race_copied_by(const struct look *k, const struct earlier *o)
{
    const struct block_state *b = k->b;
    uint64_t started = mark_time(o->key & ~MARK_COPY);
    uint32_t warp = o->warp - b->order.first_warp;
    return warp < k->r->order.warps && b->copies ? copies_over(&b->copies[warp], o->lane, started)
                                                 : started;
}

static void tell(const struct look *k, struct finding *found, unsigned lane,
                 const struct earlier *o, const char *other_verb)
{
    struct sim_fault *f = &found->fault;
    bool apart = memcmp(f->at.block, f->other.block, sizeof f->at.block) != 0;
    bool warp = o->warp - k->b->order.first_warp == k->at->warp;
    bool both = strcmp(race_verb(k->at->code), other_verb) == 0;
    char name[FINDING_NAME], who[64], whom[64];
    finding_name(k->at->run, k->a->space, k->a->address[lane] + o->past,
                 k->a->part ? k->a->part : k->a->bytes, f, name);
    if (k->of != k->b)
        finding_owner(k->r->grid, k->of->order.index, name);
    finding_who(&f->at, apart, who);
    finding_who(&f->other, apart, whom);
    int n;
    if (mark_copy(o->key) && race_copied_by(k, o) == 0)
        n = snprintf(f->message, sizeof f->message, "%s %s %s that %s copies there by cp.async, "
                     "with no wait for the copy between", who, race_verb(k->at->code), name, whom);
    else if (o->key == 0)
        n = snprintf(f->message, sizeof f->message, "%s and %s write %s at once", whom, who, name);
    else
        n = snprintf(f->message, sizeof f->message, "%s %s %s that %s %s%s, %s", who,
                     race_verb(k->at->code), name, whom, other_verb, both ? " too" : "",
                     apart && found->kind == &race_shared
                            ? "with no barrier of the cluster between"
                     : apart ? "and nothing orders the two blocks"
                     : warp ? "with no __syncwarp() between"
                            : "with no __syncthreads() between");
    if (n < 0)
        f->message[0] = 0;
}

/* Does the kernel order these two by other means than a barrier of the block? Such means are locks,
 * flags and named barriers. */
static bool has_other_means(const struct look *k, uint32_t other_pc)
{
    struct race *r = k->r;
    const unsigned says = r->says[k->at->pc] | r->says[other_pc];
    return says & (PC_STRONG | PC_VOLATILE) || k->b->order.pairs || k->b->order.arrived ||
           chosen_is(&r->chosen, CHOSEN_WAITS, k->at->pc) ||
           chosen_is(&r->chosen, CHOSEN_WAITS, other_pc);
}

/* What would mend a race of two instructions, whoever runs them. SYNCTHREADS stands for a barrier
 * of all that take part: it keeps apart what one does and what the other does later, but not two
 * stores of one line. */
static enum race_cure cure_by_code(const struct look *k, uint32_t other_pc)
{
    const struct sim_instruction *a = k->at->code, *b = &k->r->code[other_pc];
    const bool one_line = a->line == b->line && a->file == b->file;
    bool adds = false, other_adds = false;
    const bool updates = chosen_update(&k->r->chosen, k->at->pc, &adds) &&
                         chosen_update(&k->r->chosen, other_pc, &other_adds);
    if (has_other_means(k, other_pc))
        return RACE_CURE_UNKNOWN;
    if (updates)
        return one_line && adds && other_adds ? RACE_CURE_ATOMIC : RACE_CURE_UNKNOWN;
    return one_line && a->kind == b->kind ? RACE_CURE_UNKNOWN : RACE_CURE_SYNCTHREADS;
}

/* Has each lane a place of its own? Where threads of the same number in two blocks then meet, the
 * index may well lack the block's number. */
static bool own_places(const struct look *k)
{
    return (k->at->mask & (k->at->mask - 1)) && k->a->even && k->a->step;
}

/* The cure for these two threads. */
static enum race_cure cure_for(const struct look *k, unsigned lane, const struct earlier *o,
                              enum race_cure by_code)
{
    const uint32_t warps = k->r->order.warps, there = o->warp - k->b->order.first_warp;
    const bool same_lane = o->lane == lane && o->warp % warps == k->at->warp;
    if (mark_copy(o->key))
        return there == k->at->warp && same_lane ? RACE_CURE_COPY_WAIT : RACE_CURE_UNKNOWN;
    if (by_code == RACE_CURE_ATOMIC)
        return same_lane && own_places(k) ? RACE_CURE_UNKNOWN : RACE_CURE_ATOMIC;
    if (by_code == RACE_CURE_UNKNOWN || there == k->at->warp)
        return by_code ? RACE_CURE_SYNCWARP : RACE_CURE_UNKNOWN;
    return there < warps                  ? RACE_CURE_SYNCTHREADS
           : k->a->space != SIM_GLOBAL ? RACE_CURE_CLUSTER_SYNC
                                          : RACE_CURE_UNKNOWN;
}

/* One cure for both races. A barrier of the block also orders the lanes of each warp. */
static enum race_cure cure_of_both(enum race_cure a, enum race_cure b)
{
    const enum race_cure least = a < b ? a : b, most = a < b ? b : a;
    if (a == b)
        return a;
    return least == RACE_CURE_SYNCWARP && most == RACE_CURE_SYNCTHREADS ? most : RACE_CURE_UNKNOWN;
}

static void count_again(const struct look *k, unsigned lane, const struct earlier *o,
                        const struct finding_pair *pair, unsigned times)
{
    struct finding *f = findings_of(k->r->out, pair);
    if (!f)
        return;
    f->fault.count += times;
    if (f->cure)
        f->cure = cure_of_both(f->cure, cure_for(k, lane, o, pair->by_code));
}

/* A race that was found `times` times; the first one is given. Key 0: both lanes run this very
 * instruction. */
void race_found(const struct look *k, struct finding_pair *pair, unsigned lane,
                const struct earlier *o, unsigned times)
{
    struct race *r = k->r;
    const uint32_t warps = r->order.warps;
    if (pair->seen) {
        count_again(k, lane, o, pair, times);
        return;
    }
    struct finding_side at = {.code = k->at->code}, other = {.code = pair->other};
    bool fresh;
    memcpy(at.block, k->at->block, sizeof at.block);
    finding_thread(r->block_size, k->at->warp * WARP + lane, at.thread);
    finding_block(r->grid, o->warp / warps, other.block);
    finding_thread(r->block_size, o->warp % warps * WARP + o->lane, other.thread);
    struct finding *f = findings_add(r->out, pair->kind, &at, &other, k->at->when, &fresh);
    pair->by_code = cure_by_code(k, o->key ? mark_pc(o->key) : k->at->pc);
    if (f && fresh) {
        tell(k, f, lane, o, race_verb(other.code));
        f->cure = cure_for(k, lane, o, pair->by_code);
    }
    count_again(k, lane, o, pair, times - 1);
}
