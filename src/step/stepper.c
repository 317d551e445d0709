/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The moves of a stepper, each a search of search.c with what fits it; its points, and where it is.
 */
#include "step/search.h"

#include "base/mem.h"
#include "sim/inspect.h"
#include "sim/travel.h"

#include <inttypes.h>
#include <string.h>

/* ---- lanes ------------------------------------------------------------------------------------
 */

/* Lanes that wait at a barrier have executed it, but they are still at its line. */
static uint32_t barrier_before(const struct sim_instruction *code, uint32_t pc)
{
    enum { NEAR = 4 };
    for (uint32_t back = 1; back <= NEAR && back <= pc; back++)
        if (code[pc - back].kind == SIM_CLASS_BARRIER)
            return pc - back;
    return pc;
}

/* The fault that ended the launch in an instruction of this warp; NULL: none did. */
static const struct sim_fault *fault_in(const struct stepper *s, uint64_t block, unsigned warp,
                                        unsigned *lane)
{
    const struct sim_result *r = sim_result(sim_travel_run(s->travel));
    const unsigned *b = s->shape.block, *g = s->shape.grid;
    for (unsigned i = 0; sim_travel_status(s->travel) == SIM_FAULTED && i < r->fault_count; i++) {
        const struct sim_fault *f = &r->faults[i];
        const struct sim_place *at = &f->at;
        if (!sim_fault_ends(f->kind) || !f->has_place || f->in_child || f->kind == SIM_DEADLOCK ||
            f->kind == SIM_TIMEOUT)
            continue;
        const uint64_t thread =
            at->thread[0] + (uint64_t)b[0] * (at->thread[1] + (uint64_t)b[1] * at->thread[2]);
        const uint64_t index =
            at->block[0] + (uint64_t)g[0] * (at->block[1] + (uint64_t)g[1] * at->block[2]);
        *lane = (unsigned)(thread % SIM_EACH_LANE);
        if (index == block && thread / SIM_EACH_LANE == warp)
            return f;
    }
    return NULL;
}

bool stepper_warp(const struct stepper *s, uint64_t block, unsigned warp,
                  struct sim_warp_state *out)
{
    struct sim_run *run = sim_travel_run(s->travel);
    const struct sim_result *r = sim_result(run);
    unsigned lane = 0;
    if (!sim_inspect_warp(run, block, warp, out))
        return false;
    const struct sim_fault *f = fault_in(s, block, warp, &lane);
    for (unsigned i = 0; i < out->count; i++) {
        struct sim_group *g = &out->group[i];
        if (g->state == SIM_GROUP_AT_BARRIER || g->state == SIM_GROUP_AT_CLUSTER)
            g->pc = barrier_before(r->code, g->pc);
        for (uint32_t pc = 0; f && (g->mask >> lane & 1) && pc < r->code_count; pc++)
            if (r->code[pc].ptx_line == f->ptx_line && r->code[pc].kind != SIM_CLASS_HIDDEN) {
                g->pc = pc; /* the instruction has not come to its end */
                break;
            }
    }
    return true;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool fits_warp(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && step_of_warp(s, e->at);
}

/* Another line of the lane in focus begins. */
static bool fits_other_line(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && step_of_lane(s, e->at) && e->at->code->line &&
           e->at->code->line != s->line;
}

/* Backwards: an instruction that begins a line, since the one before it was of another line. */
static bool fits_begin_of_line(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && step_of_lane(s, e->at) && e->at->code->line && s->last &&
           s->last->line != e->at->code->line;
}

static bool fits_line(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && step_of_warp(s, e->at) && e->at->code->line == s->line &&
           step_begins_line(e->at->code, e->at->pc);
}

static bool fits_barrier(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_CAME && step_of_warp(s, e->at);
}

static bool fits_parting(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_PARTED && step_of_warp(s, e->at);
}

enum step_stop stepper_instructions(struct stepper *s, uint64_t count, bool back)
{
    enum step_stop stop = STEP_THERE;
    const struct step_focus focus = s->focus;
    while (count-- && stop == STEP_THERE) {
        stop = step_move(s, (struct step_search){
                                .fits = fits_warp, .after = !back, .back = back, .or_end = true});
        s->focus = focus;
    }
    return stop;
}

unsigned step_depth(const struct stepper *s)
{
    struct sim_warp_state w;
    if (stepper_warp(s, s->focus.block, s->focus.warp, &w))
        for (unsigned i = 0; i < w.count; i++)
            if (w.group[i].mask >> s->focus.lane & 1)
                return w.group[i].depth;
    return 0;
}

static enum step_stop one_line(struct stepper *s, bool over, bool back)
{
    const struct sim_instruction *next = stepper_next(s);
    const unsigned depth = step_depth(s);
    enum step_stop stop;
    if (!next && !back)
        return stepper_has_ended(s) ? STEP_AT_END : STEP_OF_THREAD;
    s->line = next ? next->line : 0;
    const struct step_search what = {.fits = back ? fits_begin_of_line : fits_other_line,
                                     .with_points = true,
                                     .to_lane_end = !back,
                                     .back = back,
                                     .or_end = true};
    do {
        stop = step_move(s, what);
    } while (stop == STEP_THERE && over && step_depth(s) > depth);
    return stop;
}

enum step_stop stepper_lines(struct stepper *s, uint64_t count, bool over, bool back)
{
    enum step_stop stop = STEP_THERE;
    while (count-- && stop == STEP_THERE)
        stop = one_line(s, over, back);
    return stop;
}

static bool fits_return(const struct stepper *s, const struct step_event *e)
{
    return e->kind == EVENT_COMES && step_is_return(e->at->code) && step_of_warp(s, e->at) &&
           e->active >> s->focus.lane & 1 && step_depth(s) <= s->depth;
}

enum step_stop stepper_finish(struct stepper *s)
{
    s->depth = step_depth(s);
    return step_move(s, (struct step_search){.fits = fits_return,
                                             .after = true,
                                             .with_points = true,
                                             .to_lane_end = true,
                                             .or_end = true});
}

enum step_stop stepper_until(struct stepper *s, int line, bool back)
{
    s->line = line;
    return step_move(s, (struct step_search){.fits = fits_line, .with_points = true, .back = back});
}

enum step_stop stepper_continue(struct stepper *s, bool back)
{
    return step_move(s, (struct step_search){.with_points = true, .back = back, .or_end = true});
}

enum step_stop stepper_to_barrier(struct stepper *s, bool back)
{
    return step_move(s,
                     (struct step_search){.fits = fits_barrier, .with_points = true, .back = back});
}

enum step_stop stepper_to_divergence(struct stepper *s, bool back)
{
    return step_move(s,
                     (struct step_search){
                         .fits = fits_parting, .after = true, .with_points = true, .back = back});
}

/* A place that is far away is approached in stretches, so that the way there can be stopped. */
enum step_stop stepper_to_place(struct stepper *s, uint64_t place)
{
    uint64_t at = sim_travel_near(s->travel, place);
    enum step_stop stop = STEP_THERE;
    s->enough = false;
    while (at < place && place - at > STEP_STRETCH && stop == STEP_THERE) {
        if (sim_travel_scan(s->travel, at, at + STEP_STRETCH, &s->enough) != 0)
            return STEP_NO_MEMORY;
        at = sim_travel_at(s->travel);
        if (sim_travel_status(s->travel) != SIM_RUNNING)
            break;
        stop = step_is_stopped(s) ? STEP_STOPPED : STEP_THERE;
    }
    if (step_go_to(s, stop == STEP_STOPPED ? at : place) != STEP_THERE ||
        step_follow(s) != STEP_THERE)
        return STEP_NO_MEMORY;
    return stop;
}

/* ---- breakpoints and watched memory -----------------------------------------------------------
 */

static int add_point(struct stepper *s, const struct step_point *p)
{
    if (s->point_count == STEP_POINTS)
        return -1;
    s->points[s->point_count] = *p;
    return s->points[s->point_count++].number = ++s->numbers;
}

int stepper_break(struct stepper *s, int line, step_condition *condition, void *self)
{
    const struct sim_result *r = sim_result(sim_travel_run(s->travel));
    bool known = false;
    for (uint32_t i = 0; i < r->code_count && !known; i++)
        known = r->code[i].line == line && r->code[i].kind != SIM_CLASS_HIDDEN;
    const struct step_point p = {.line = line, .condition = condition, .self = self};
    return known ? add_point(s, &p) : 0;
}

bool stepper_begins_line(const struct stepper *s, const struct sim_instruction *c)
{
    return c->kind != SIM_CLASS_HIDDEN && !c->part &&
           step_begins_line(c, (uint32_t)(c - sim_result(sim_travel_run(s->travel))->code));
}

int stepper_watch(struct stepper *s, bool shared, uint64_t address, uint64_t bytes)
{
    return add_point(
        s, &(struct step_point){
               .shared = shared, .block = s->focus.block, .address = address, .bytes = bytes});
}

bool stepper_remove(struct stepper *s, int number)
{
    for (int i = 0; i < s->point_count; i++)
        if (s->points[i].number == number) {
            memmove(&s->points[i], &s->points[i + 1],
                    (size_t)(s->point_count - i - 1) * sizeof s->points[0]);
            s->point_count--;
            return true;
        }
    return false;
}

bool stepper_point(const struct stepper *s, unsigned i, int *number, int *line)
{
    if (i >= (unsigned)s->point_count)
        return false;
    *number = s->points[i].number;
    *line = s->points[i].line;
    return true;
}

int stepper_at_point(const struct stepper *s)
{
    return s->at_point;
}

bool stepper_access(struct stepper *s, struct step_access *out)
{
    const bool has = s->access_place && s->access_place == sim_travel_at(s->travel);
    if (has)
        *out = s->access;
    return has;
}

/* ---- where it is ------------------------------------------------------------------------------
 */

struct sim_run *stepper_run(const struct stepper *s)
{
    return sim_travel_run(s->travel);
}

const struct step_shape *stepper_shape(const struct stepper *s)
{
    return &s->shape;
}

uint64_t stepper_last_place(const struct stepper *s)
{
    return sim_travel_last(s->travel);
}

uint64_t stepper_place(const struct stepper *s)
{
    return sim_travel_at(s->travel);
}

bool stepper_has_ended(const struct stepper *s)
{
    return sim_travel_status(s->travel) != SIM_RUNNING;
}

struct step_focus stepper_focus(const struct stepper *s)
{
    return s->focus;
}

bool stepper_set_focus(struct stepper *s, struct step_focus focus)
{
    struct sim_warp_state w;
    if (focus.lane >= SIM_EACH_LANE || !stepper_warp(s, focus.block, focus.warp, &w) ||
        !(w.existing >> focus.lane & 1))
        return false;
    s->focus = focus;
    return true;
}

const struct sim_instruction *stepper_next(const struct stepper *s)
{
    struct sim_run *run = sim_travel_run(s->travel);
    struct sim_warp_state w;
    if (stepper_warp(s, s->focus.block, s->focus.warp, &w))
        for (unsigned i = 0; i < w.count; i++)
            if (w.group[i].mask >> s->focus.lane & 1)
                return &sim_result(run)->code[w.group[i].pc];
    return NULL;
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

void stepper_stops_by(struct stepper *s, struct go_on goes_on)
{
    s->goes_on = goes_on;
}

static int begin_travel(struct stepper *s, struct err *e)
{
    s->access_place = 0;
    s->focus = (struct step_focus){.block = 0};
    s->travel = sim_travel_begin(s->sim, &s->launch);
    if (!s->travel)
        return fail(e, "%s", sim_message(s->sim));
    sim_inspect_blocks(sim_travel_run(s->travel), &s->focus.block, 1);
    return 0;
}

struct stepper *stepper_begin(struct sim *sim, const struct sim_launch *launch, struct err *e)
{
    const size_t bytes = launch->kernel->param_bytes;
    struct stepper *s = mem_alloc(&allocator_libc, sizeof *s);
    void *params = bytes ? mem_alloc(&allocator_libc, bytes) : NULL;
    if (!s || (bytes && !params)) {
        mem_free(&allocator_libc, params, bytes);
        mem_free(&allocator_libc, s, sizeof *s);
        fail_memory(e);
        return NULL;
    }
    if (bytes && launch->params)
        memcpy(params, launch->params, bytes);
    *s = (struct stepper){.sim = sim, .launch = *launch, .params = params};
    s->observer = (struct sim_observer){.hooks = &step_hooks, .self = s};
    s->launch.params = params;
    s->launch.observers = &s->observer;
    s->launch.observer_count = 1;
    s->shape.kernel = launch->kernel;
    s->shape.params = params;
    memcpy(s->shape.grid, launch->grid, sizeof s->shape.grid);
    memcpy(s->shape.block, launch->block, sizeof s->shape.block);
    if (begin_travel(s, e) == 0)
        return s;
    stepper_end(s);
    return NULL;
}

int stepper_begin_again(struct stepper *s, int schedule, uint64_t seed, struct err *e)
{
    sim_travel_end(s->travel);
    s->travel = NULL;
    s->launch.schedule = (enum sim_schedule)schedule;
    s->launch.seed = seed;
    return begin_travel(s, e);
}

int stepper_choose(struct stepper *s, uint64_t block, unsigned warp, struct err *e)
{
    const struct sim_choice c = {sim_travel_at(s->travel), block, warp};
    unsigned count;
    const int rc = sim_travel_choose(s->travel, &c);
    (void)sim_travel_choices(s->travel, &count);
    if (rc == 0)
        return 0;
    if (rc < 0)
        return fail_memory(e);
    if (count == SIM_CHOICES)
        return fail(e, "there are %u choices already: go back before one of them", count);
    if (warp == STEP_ALL_WARPS)
        return fail(e,
                    "block %" PRIu64
                    " can't go on here: it has ended, all its warps wait, there is no "
                    "room for it, or there is none of this number",
                    block);
    return fail(e,
                "warp %u can't go on here: it waits, it has ended, or there is none of this number",
                warp);
}

bool stepper_choice(const struct stepper *s, unsigned i, struct step_choice *out)
{
    unsigned count;
    const struct sim_choice *all = sim_travel_choices(s->travel, &count);
    if (i < count)
        *out = (struct step_choice){all[i].place, all[i].block, all[i].warp};
    return i < count;
}

const struct sim_result *stepper_observe(struct stepper *s, const struct sim_observer *observers,
                                         unsigned count, struct err *e)
{
    struct sim_launch other = s->launch;
    const bool never = false;
    s->left_at = sim_travel_at(s->travel);
    const struct sim_choice *choices = sim_travel_choices(s->travel, &s->choice_count);
    memcpy(s->choices, choices, s->choice_count * sizeof *choices);
    sim_travel_end(s->travel);
    other.observers = observers;
    other.observer_count = count;
    s->travel = sim_travel_begin(s->sim, &other);
    if (!s->travel) {
        fail(e, "%s", sim_message(s->sim));
        return NULL;
    }
    sim_travel_repeat(s->travel, s->choices, s->choice_count);
    while (sim_travel_status(s->travel) == SIM_RUNNING) {
        const uint64_t at = sim_travel_at(s->travel);
        if (sim_travel_scan(s->travel, at, at + STEP_STRETCH, &never) != 0) {
            fail_memory(e);
            return NULL;
        }
        if (go_on(&s->goes_on, e) != 0)
            return NULL;
    }
    return sim_result(sim_travel_run(s->travel));
}

int stepper_observed(struct stepper *s, struct err *e)
{
    const struct step_focus focus = s->focus;
    if (s->travel)
        sim_travel_end(s->travel);
    s->travel = NULL;
    if (begin_travel(s, e) != 0)
        return -1;
    sim_travel_repeat(s->travel, s->choices, s->choice_count);
    s->focus = focus;
    return step_go_to(s, s->left_at) == STEP_THERE ? 0 : fail_memory(e);
}

void stepper_end(struct stepper *s)
{
    if (!s)
        return;
    if (s->travel)
        sim_travel_end(s->travel);
    mem_free(&allocator_libc, s->params, s->launch.kernel->param_bytes);
    mem_free(&allocator_libc, s, sizeof *s);
}
