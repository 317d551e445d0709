/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The launch runs, an observer sees its events, and the first one that fits, or backwards the last
 * one, tells the place that a move leads to. Then the launch is brought there. Backwards the
 * stretches between two moments of sim/travel.h are searched one by one, the last one first.
 */
#include "step/search.h"

#include "sim/inspect.h"
#include "sim/travel.h"

#include <string.h>

enum { THREAD_ENDS = -1 /* in place of a point's number */ };

/* ---- what the observer sees ------------------------------------------------------------------ */

bool step_of_warp(const struct stepper *s, const struct sim_at *at)
{
    return at->block_index == s->focus.block && at->warp == s->focus.warp;
}

bool step_of_lane(const struct stepper *s, const struct sim_at *at)
{
    return step_of_warp(s, at) && at->mask >> s->focus.lane & 1;
}

static unsigned first_lane(uint32_t mask)
{
    unsigned lane = 0;
    while (lane < SIM_EACH_LANE - 1 && !(mask >> lane & 1))
        lane++;
    return lane;
}

/* The lanes that reach the watched memory. */
static uint32_t overlapping(const struct step_point *p, const struct sim_access *a, uint32_t mask)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < SIM_EACH_LANE; i++)
        if ((mask >> i & 1) && a->address[i] < p->address + p->bytes &&
            p->address < a->address[i] + a->bytes)
            lanes |= UINT32_C(1) << i;
    return lanes;
}

bool step_begins_line(const struct sim_instruction *c, uint32_t pc)
{
    const struct sim_instruction *before = c;
    while (pc-- > 0 && (--before)->function == c->function)
        if (before->kind != SIM_CLASS_HIDDEN && !before->part)
            return before->line != c->line;
    return true;
}

/* The lanes for which the breakpoint is meant. */
static uint32_t lanes_meant(struct stepper *s, const struct step_point *p, const struct sim_at *at)
{
    enum { OFTEN = 256 };
    if (!p->condition)
        return at->mask;
    if (++s->asked % OFTEN == 0 && step_is_stopped(s)) {
        s->enough = true;
        return 0;
    }
    const struct step_lanes l = {at->block_index, at->warp, at->mask, at->code};
    return p->condition(p->self, &l);
}

/* The lanes for which the point fits. */
static uint32_t point_fits(struct stepper *s, const struct step_point *p,
                           const struct step_event *e)
{
    if (p->line)
        return e->kind == EVENT_COMES && e->at->code->line == p->line &&
                       step_begins_line(e->at->code, e->at->pc)
                   ? lanes_meant(s, p, e->at)
                   : 0;
    return e->kind == EVENT_ACCESS && (e->access->space == SIM_SHARED) == p->shared &&
                   (!p->shared || e->at->block_index == p->block)
               ? overlapping(p, e->access, e->at->mask)
               : 0;
}

/* Of several that fit, forwards the first one counts, backwards the last one. */
static void found(struct stepper *s, const struct step_event *e, uint32_t lanes, bool after,
                  int point)
{
    const uint64_t place = after ? e->at->when : e->at->when - 1;
    if (s->found && !s->search.back)
        return;
    s->found = true;
    s->enough = !s->search.back;
    s->place = place;
    s->point = point;
    s->code = e->at->code;
    s->where = (struct step_focus){e->at->block_index, e->at->warp, s->focus.lane};
    if (!(lanes >> s->where.lane & 1))
        s->where.lane = first_lane(lanes);
}

/* Does the place count that the event leads to? */
static bool counts(const struct stepper *s, const struct step_event *e, bool after)
{
    const uint64_t place = after ? e->at->when : e->at->when - 1;
    return s->search.back ? place < s->until : place > s->from;
}

bool step_is_return(const struct sim_instruction *c)
{
    const char *text = c->text ? c->text : "";
    if (*text == '@') /* a guard */
        text += strcspn(text, " ") + 1;
    return strncmp(text, "ret", 3) == 0;
}

/* A function that returns ends no lane. */
static bool lane_ends(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && e->at->code->kind == SIM_CLASS_EXIT &&
           step_of_warp(s, e->at) && e->active >> s->focus.lane & 1 &&
           !(step_is_return(e->at->code) && step_depth(s));
}

static void see_points(struct stepper *s, const struct step_event *e)
{
    uint32_t lanes = 0;
    for (int i = 0; i < s->point_count && !lanes; i++) {
        const struct step_point *p = &s->points[i];
        if (counts(s, e, !p->line) && (lanes = point_fits(s, p, e)))
            found(s, e, lanes, !p->line, p->number);
    }
}

static void see(struct stepper *s, const struct step_event *e)
{
    const struct step_search *what = &s->search;
    if (!s->searches || s->enough)
        return;
    if (what->with_points)
        see_points(s, e);
    if (what->to_lane_end && counts(s, e, true) && lane_ends(s, e))
        found(s, e, e->at->mask, true, THREAD_ENDS);
    if (what->fits && counts(s, e, what->after) && what->fits(s, e))
        found(s, e, e->at->mask, what->after, 0);
    if (e->kind == EVENT_COMES && step_of_lane(s, e->at))
        s->last = e->at->code;
}

static void saw_coming(void *self, const struct sim_at *at, uint32_t active)
{
    const struct step_event e = {.kind = EVENT_COMES, .at = at, .active = active};
    if (at->code->kind != SIM_CLASS_HIDDEN && !at->code->part)
        see(self, &e);
}

static void saw_branch(void *self, const struct sim_at *at, uint32_t taken)
{
    const struct step_event e = {.kind = EVENT_PARTED, .at = at};
    if (taken && taken != at->mask)
        see(self, &e);
}

static void saw_arrive(void *self, const struct sim_at *at, const struct sim_barrier *b)
{
    const struct step_event ran = {.kind = EVENT_COMES, .at = at},
                            e = {.kind = EVENT_CAME, .at = at};
    (void)b;
    see(self, &ran); /* `instruction` is not told of those that wait */
    see(self, &e);
}

static void saw_access(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct stepper *s = self;
    const struct step_event e = {.kind = EVENT_ACCESS, .at = at, .access = a};
    if (a->space != SIM_SHARED && a->space != SIM_GLOBAL)
        return;
    s->access = (struct step_access){.shared = a->space == SIM_SHARED,
                                     .store = a->kind != SIM_LOAD,
                                     .block = at->block_index,
                                     .warp = at->warp,
                                     .bytes = a->bytes,
                                     .mask = at->mask};
    memcpy(s->access.address, a->address, sizeof s->access.address);
    s->access_place = at->when;
    see(s, &e);
}

const struct sim_hooks step_hooks = {
    SIM_HOOKS,          .before = saw_coming, .branch = saw_branch, .arrive = saw_arrive,
    .load = saw_access, .store = saw_access,  .atomic = saw_access};

/* ---- searching ------------------------------------------------------------------------------- */

bool step_is_stopped(const struct stepper *s)
{
    struct err why;
    return go_on(&s->goes_on, &why) != 0;
}

/* Runs a stretch with the observer's eyes open. */
static int look_at(struct stepper *s, uint64_t from, uint64_t to)
{
    s->searches = true;
    s->last = NULL;
    const int rc = sim_travel_scan(s->travel, from, to, &s->enough);
    s->searches = false;
    return rc;
}

enum step_stop step_go_to(struct stepper *s, uint64_t place)
{
    return sim_travel_to(s->travel, place) != 0 ? STEP_NO_MEMORY : STEP_THERE;
}

static enum step_stop search_forwards(struct stepper *s)
{
    uint64_t at = s->from;
    do {
        if (look_at(s, at, at + STEP_STRETCH) != 0)
            return STEP_NO_MEMORY;
        at = sim_travel_at(s->travel);
    } while (!s->found && !step_is_stopped(s) && sim_travel_status(s->travel) == SIM_RUNNING);
    return s->found ? STEP_THERE : step_is_stopped(s) ? STEP_STOPPED : STEP_AT_END;
}

static enum step_stop search_backwards(struct stepper *s)
{
    uint64_t to = s->from;
    while (!s->found && to > 0 && !step_is_stopped(s)) {
        const uint64_t from = sim_travel_near(s->travel, to);
        if (look_at(s, from, to) != 0)
            return STEP_NO_MEMORY;
        to = from;
    }
    return s->found ? STEP_THERE : step_is_stopped(s) ? STEP_STOPPED : STEP_AT_BEGIN;
}

/* Finds the next or the last event that fits; the launch is somewhere else then. */
static enum step_stop search(struct stepper *s, struct step_search what)
{
    s->search = what;
    s->from = s->until = sim_travel_at(s->travel);
    s->enough = s->found = false;
    s->point = 0;
    return what.back ? search_backwards(s) : search_forwards(s);
}

/* Goes to what was found. */
static enum step_stop arrive(struct stepper *s)
{
    s->focus = s->where;
    s->at_point = s->point > 0 ? s->point : 0;
    if (step_go_to(s, s->place) != STEP_THERE)
        return STEP_NO_MEMORY;
    if (sim_travel_status(s->travel) == SIM_FAULTED) /* the instruction has not come to its end */
        return STEP_AT_END;
    for (int i = 0; s->point > 0 && i < s->point_count; i++)
        if (s->points[i].number == s->point)
            return s->points[i].line ? STEP_AT_BREAK : STEP_AT_WATCH;
    return s->point == THREAD_ENDS ? STEP_OF_THREAD : STEP_THERE;
}

static bool fits_any(const struct stepper *s, const struct step_event *e)
{
    (void)s;
    return e->kind == EVENT_COMES;
}

enum step_stop step_follow(struct stepper *s)
{
    const uint64_t here = sim_travel_at(s->travel);
    struct sim_warp_state w;
    s->at_point = 0;
    if (stepper_warp(s, s->focus.block, s->focus.warp, &w) && w.alive) {
        if (!(w.alive >> s->focus.lane & 1))
            s->focus.lane = first_lane(w.alive);
        return STEP_THERE;
    }
    const enum step_stop stop = search(s, (struct step_search){.fits = fits_any, .back = true});
    if (stop == STEP_NO_MEMORY || step_go_to(s, here) != STEP_THERE)
        return STEP_NO_MEMORY;
    if (stop == STEP_THERE) {
        s->focus = s->where;
    } else { /* at the beginning */
        s->focus = (struct step_focus){.block = 0};
        sim_inspect_blocks(sim_travel_run(s->travel), &s->focus.block, 1);
    }
    return STEP_THERE;
}

bool stepper_coming(struct stepper *s, struct step_coming *out)
{
    const uint64_t here = sim_travel_at(s->travel), access_place = s->access_place;
    const struct step_access access = s->access;
    if (stepper_has_ended(s))
        return false;
    const enum step_stop stop = search(s, (struct step_search){.fits = fits_any, .after = true});
    if (step_go_to(s, here) != STEP_THERE)
        return false;
    s->access = access;
    s->access_place = access_place;
    *out = (struct step_coming){s->where.block, s->where.warp, s->code};
    return stop == STEP_THERE;
}

enum step_stop step_move(struct stepper *s, struct step_search what)
{
    const uint64_t was = sim_travel_at(s->travel);
    const struct step_focus focus = s->focus;
    s->at_point = 0;
    const enum step_stop stop = search(s, what);
    if (stop == STEP_THERE)
        return arrive(s);
    s->focus = focus;
    s->at_point = 0;
    if (stop == STEP_NO_MEMORY)
        return stop;
    if (stop == STEP_STOPPED)
        return step_go_to(s, sim_travel_at(s->travel)) == STEP_THERE ? stop : STEP_NO_MEMORY;
    if (!what.or_end)
        return step_go_to(s, was) == STEP_THERE ? STEP_NOT_THERE : STEP_NO_MEMORY;
    if (step_go_to(s, stop == STEP_AT_BEGIN ? 0 : UINT64_MAX) != STEP_THERE ||
        step_follow(s) != STEP_THERE)
        return STEP_NO_MEMORY;
    return stop;
}
