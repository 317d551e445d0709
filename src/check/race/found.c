/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of a race: the two accesses, what lies there, and which cure fits.
 */
#include "check/race/inside.h"

#include <stdio.h>
#include <string.h>

const struct finding_kind race_shared = {.name = "race-shared", .cures = race_cures};
const struct finding_kind race_global = {.name = "race-global", .cures = race_cures};

/* ---- what is found --------------------------------------------------------------------- */

/* What an instruction does to an mbarrier. */
static const char *mbarrier_verb(const struct sim_instruction *i)
{
    static const char *const verbs[][2] = {{"mbarrier.init", "initializes"},
                                           {"mbarrier.inval", "ends"},
                                           {"_wait", "waits at"},
                                           {"arrive", "arrives at"}};
    for (size_t k = 0; i->text && k < sizeof verbs / sizeof *verbs; k++)
        if (strstr(i->text, verbs[k][0]))
            return verbs[k][1];
    return "updates";
}

bool race_waits_at_mbarrier(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_MBARRIER && strcmp(mbarrier_verb(i), "waits at") == 0;
}

const char *race_verb(const struct sim_instruction *i)
{
    if (i->kind == SIM_CLASS_MBARRIER)
        return mbarrier_verb(i);
    return i->kind == SIM_CLASS_LOAD || i->kind == SIM_CLASS_BULK        ? "reads"
           : i->kind == SIM_CLASS_STORE || i->kind == SIM_CLASS_HIDDEN ? "writes"
                                                                         : "updates";
}

/* The name of the copy in the instruction's text, such as "cp.async.bulk". */
static void name_copy(const struct sim_instruction *i, char out[32])
{
    static const char *const names[] = {"cp.reduce.async.bulk", "cp.async.bulk", "cp.async",
                                        "st.async", "red.async"};
    snprintf(out, 32, "an asynchronous copy");
    for (size_t k = 0; i->text && k < sizeof names / sizeof *names; k++)
        if (strstr(i->text, names[k])) {
            snprintf(out, 32, "%s", names[k]);
            return;
        }
}

/* Writes the message about a copy that may still run. The copy either writes or reads there. */
static int tell_running(const struct look *k, const struct earlier *o, const char *who,
                        const char *whom, const char *name, struct finding *found)
{
    const struct sim_instruction *copy = &k->r->code[mark_pc(o->key)];
    const char *missing = race_is_barrier(found->cure)         ? "and nothing orders the two"
                          : copy->async == SIM_ASYNC_MBARRIER ? "with no wait for its mbarrier between"
                                                              : "with no wait for the copy between";
    struct sim_fault *f = &found->fault;
    char by[32];
    name_copy(copy, by);
    return snprintf(f->message, sizeof f->message, "%s %s %s that %s copies %s by %s, %s", who,
                    race_verb(k->at->code), name, whom,
                    strcmp(race_verb(copy), "reads") == 0 ? "from there" : "there", by, missing);
}

/* Writes the message about a wait that was for the wrong phase. */
static int tell_stale(const struct look *k, const struct sim_instruction *wait, const char *who,
                      const char *whom, const char *name, const char *other_verb,
                      struct finding *found)
{
    struct sim_fault *f = &found->fault;
    char where[32] = "";
    found->waits = wait->line;
    if (wait->line)
        snprintf(where, sizeof where, " at line %d", wait->line);
    return snprintf(f->message, sizeof f->message, "%s %s %s that %s %s, and the wait%s was for a "
                    "phase that was already complete", who, race_verb(k->at->code), name, whom,
                    other_verb, where);
}

/* Writes the message about a bulk copy that need not see a store. */
static int tell_unfenced(const struct look *k, const char *who, const char *whom, const char *name,
                         const char *other_verb, struct sim_fault *f)
{
    char by[32];
    name_copy(k->at->code, by);
    return snprintf(f->message, sizeof f->message, "%s copies %s by %s, and %s %s it before, with "
                    "no fence.proxy.async between", who, name, by, whom, other_verb);
}

static void tell(const struct look *k, struct finding *found, unsigned lane,
                 const struct earlier *o, const char *other_verb)
{
    struct sim_fault *f = &found->fault;
    const char *relation = grids_relation(&k->r->grids, o->warp);
    bool apart = relation[0] || memcmp(f->at.block, f->other.block, sizeof f->at.block) != 0;
    bool both = strcmp(race_verb(k->at->code), other_verb) == 0;
    char name[FINDING_NAME], who[64], whom[64];
    finding_name(k->at->run, k->a->space, k->a->address[lane] + o->past,
                 k->a->part ? k->a->part : k->a->bytes, f, name);
    if (k->of != k->b)
        finding_owner(k->r->grid, k->of->order.index, name);
    finding_who(&f->at, &f->other, apart, who);
    finding_who(&f->other, &f->at, apart, whom);
    const struct sim_instruction *stale = race_stale_wait(k, lane, o);
    uint64_t time;
    int n;
    if (k->unfenced)
        n = tell_unfenced(k, who, whom, name, other_verb, f);
    else if (stale)
        n = tell_stale(k, stale, who, whom, name, other_verb, found);
    else if (mark_copy(o->key) && race_copy(k->r, k->b, k->at->warp, lane, o, &time) == COPY_RUNS)
        n = tell_running(k, o, who, whom, name, found);
    else if (o->key == 0)
        n = snprintf(f->message, sizeof f->message, "%s and %s write %s at once", whom, who, name);
    else
        n = snprintf(f->message, sizeof f->message, "%s %s %s that %s%s %s%s, and nothing orders the "
                     "two", who, race_verb(k->at->code), name, whom, relation, other_verb,
                     both ? " too" : "");
    if (n < 0)
        f->message[0] = 0;
}

/* The two threads of the pair. */
static void set_sides(const struct look *k, unsigned lane, const struct earlier *o,
                      struct sim_place *at, struct sim_place *other)
{
    const struct race *r = k->r;
    const struct race_grid *g = grids_of(&r->grids, o->warp);
    const uint32_t there = o->warp - g->first_warp;
    memcpy(at->block, k->at->block, sizeof at->block);
    finding_thread(r->block_size, k->at->warp * WARP + lane, at->thread);
    finding_block(g->grid, there / g->warps, other->block);
    finding_thread(g->block_size, there % g->warps * WARP + o->lane, other->thread);
}

/* One more case. The one that is told needs the widest barrier, so that the lesson is true of it. */
static void count_again(const struct look *k, unsigned lane, const struct earlier *o,
                        const struct finding_pair *pair, unsigned times)
{
    struct finding *f = findings_of(k->r->out, pair);
    if (!f)
        return;
    f->fault.count += times;
    if (!f->cure && !k->r->other_waits)
        return;
    const enum race_cure cure = race_cure_for(k, lane, o, pair->by_code);
    f->cure = race_cure_of_both(f->cure, cure);
    if (race_is_wider(cure, f->apart)) {
        f->apart = cure;
        f->retold = true;
        f->fault.when = k->at->when;
        set_sides(k, lane, o, &f->fault.at, &f->fault.other);
        tell(k, f, lane, o, race_verb(pair->other));
        f->where |= race_where(k, o->key ? mark_pc(o->key) : k->at->pc, f->cure);
        if (cure == RACE_CURE_PARITY)
            f->where = 0;
    }
}

/* A race that was found `times` times; the first one is given. Key 0: both lanes run this very
 * instruction. */
void race_found(const struct look *k, struct finding_pair *pair, unsigned lane,
                const struct earlier *o, unsigned times)
{
    struct race *r = k->r;
    if (pair->seen) {
        count_again(k, lane, o, pair, times);
        return;
    }
    struct sim_place here, there;
    set_sides(k, lane, o, &here, &there);
    struct finding_side at = {.code = k->at->code}, other = {.code = pair->other};
    bool fresh;
    memcpy(at.block, here.block, sizeof at.block);
    memcpy(at.thread, here.thread, sizeof at.thread);
    memcpy(other.block, there.block, sizeof other.block);
    memcpy(other.thread, there.thread, sizeof other.thread);
    struct finding *f = findings_add(r->out, pair->kind, &at, &other, k->at->when, &fresh);
    const uint32_t other_pc = o->key ? mark_pc(o->key) : k->at->pc;
    pair->by_code = race_cure_by_code(k, other_pc);
    if (!o->key && pair->by_code == RACE_CURE_FENCE)
        pair->by_code = RACE_CURE_INDEX; /* lanes store at once, with no lock between */
    if (f && fresh) {
        f->cure = f->apart = race_cure_for(k, lane, o, pair->by_code);
        tell(k, f, lane, o, race_verb(other.code));
    }
    if (f)
        f->where |= race_where(k, other_pc, f->cure);
    if (f && (f->cure == RACE_CURE_FENCE || f->where & FINDING_FLAG))
        f->waits = race_waits(k, other_pc);
    if (f && race_changes(k, other_pc))
        f->changes = true;
    if (f && !o->key)
        f->at_once = true;
    count_again(k, lane, o, pair, times - 1);
}
