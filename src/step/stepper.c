/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A move is a search: the launch runs, an observer sees its events, and the first one that fits, or
 * backwards the last one, tells the place. Then the launch is brought there. Backwards the
 * stretches between two moments of sim/travel.h are searched one by one, the last one first.
 */
#include "step/stepper.h"

#include "base/mem.h"
#include "sim/inspect.h"
#include "sim/travel.h"

#include <string.h>

enum {
    POINTS = 64,
    STRETCH = 1 << 21, /* warp instructions between two looks at Ctrl-C */
    THREAD_ENDS = -1   /* in place of a point's number */
};

/* An event as the searches see it. */
struct event {
    enum event_kind { EVENT_RAN, EVENT_PARTED, EVENT_CAME, EVENT_ACCESS } kind;
    const struct sim_at *at;
    const struct sim_access *access;
};

/* A breakpoint or watched memory. */
struct step_point {
    int number, line; /* line 0: memory */
    bool shared;
    uint64_t block, address, bytes;
    step_condition *condition;
    bool early; /* see may_hold() */
    void *self;
};

typedef bool step_fits(const struct stepper *, const struct event *);

struct stepper {
    struct sim *sim;
    struct sim_launch launch;
    void *params; /* a copy, of param_bytes */
    struct sim_travel *travel;
    struct sim_observer observer;
    struct go_on goes_on;
    uint64_t left_at; /* while other observers see the launch */
    struct step_focus focus;
    struct step_point points[POINTS];
    int point_count, numbers, at_point;
    struct step_shape shape;
    /* The search. */
    step_fits *fits;
    bool searches, with_points, back, after; /* after: it leads to behind the instruction */
    int line;                                /* that fits, or from which it goes away */
    uint64_t from, until;                    /* of the places that count */
    bool enough, found;
    unsigned asked;          /* conditions, early */
    struct step_focus where; /* of what was found */
    uint64_t place;
    int point;
    const struct sim_instruction *last; /* of the lane in focus, in this stretch */
    struct step_access access;
    uint64_t access_place; /* of the instruction that made it; 0: none */
};

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

/* ---- what the observer sees ------------------------------------------------------------------ */

static bool of_warp(const struct stepper *s, const struct sim_at *at)
{
    return at->block_index == s->focus.block && at->warp == s->focus.warp;
}

static bool of_lane(const struct stepper *s, const struct sim_at *at)
{
    return of_warp(s, at) && at->mask >> s->focus.lane & 1;
}

static unsigned first_lane(uint32_t mask)
{
    unsigned lane = 0;
    while (lane < SIM_EACH_LANE - 1 && !(mask >> lane & 1))
        lane++;
    return lane;
}

static bool overlaps(const struct step_point *p, const struct sim_access *a, uint32_t mask)
{
    for (unsigned i = 0; i < SIM_EACH_LANE; i++)
        if ((mask >> i & 1) && a->address[i] < p->address + p->bytes &&
            p->address < a->address[i] + a->bytes)
            return true;
    return false;
}

/* The first instruction of those that stand together and are of this line. */
static bool begins_line(const struct sim_at *at, int line)
{
    const struct sim_instruction *c = at->code;
    uint32_t left = at->pc;
    if (c->line != line || !at->mask)
        return false;
    do
        c--;
    while (left-- > 1 && (c->kind == SIM_CLASS_HIDDEN || c->part));
    return at->pc == 0 || c->line != line || c->function != at->code->function;
}

/* A condition is asked already while the launch runs, behind the instruction. What only that
 * instruction has changed must not count: then the answer is yes, and it is asked again where the
 * launch stands before it. */
static bool may_hold(struct stepper *s, const struct step_point *p, const struct sim_at *at)
{
    const enum sim_class kind = at->code->kind;
    struct err why;
    struct step_focus f = {at->block_index, at->warp, s->focus.lane}, before = s->focus;
    if (!p->condition || !p->early ||
        (kind != SIM_CLASS_ALU && kind != SIM_CLASS_LOAD && kind != SIM_CLASS_BRANCH &&
         kind != SIM_CLASS_BARRIER))
        return true;
    if (++s->asked % 256 == 0 && go_on(&s->goes_on, &why) != 0) {
        s->enough = true; /* the search sees it, too */
        return false;
    }
    s->focus = f;
    const bool holds = p->condition(p->self, s, &f, at->mask);
    s->focus = before;
    return holds;
}

static bool point_fits(struct stepper *s, const struct step_point *p, const struct event *e)
{
    if (p->line)
        return e->kind == EVENT_RAN && begins_line(e->at, p->line) && may_hold(s, p, e->at);
    return e->kind == EVENT_ACCESS && (e->access->space == SIM_SHARED) == p->shared &&
           (!p->shared || e->at->block_index == p->block) && overlaps(p, e->access, e->at->mask);
}

static const struct step_point *fitting_point(struct stepper *s, const struct event *e)
{
    for (int i = 0; i < s->point_count; i++)
        if (point_fits(s, &s->points[i], e))
            return &s->points[i];
    return NULL;
}

/* Of several that fit, forwards the first one counts, backwards the last one. */
static void found(struct stepper *s, const struct event *e, bool after, int point)
{
    const uint64_t place = after ? e->at->when : e->at->when - 1;
    const bool counts = s->back ? place < s->until : place > s->from;
    if (!counts || (s->found && !s->back))
        return;
    s->found = true;
    s->enough = !s->back;
    s->place = place;
    s->point = point;
    s->where = (struct step_focus){e->at->block_index, e->at->warp, s->focus.lane};
    if (!(e->at->mask >> s->where.lane & 1))
        s->where.lane = first_lane(e->at->mask);
}

static bool lane_ends(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_RAN && e->at->code->kind == SIM_CLASS_EXIT && of_lane(s, e->at);
}

/* Another line of the lane in focus begins, or the lane ends. */
static bool fits_other_line(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_RAN && of_lane(s, e->at) && e->at->code->line &&
           e->at->code->line != s->line;
}

static void see(struct stepper *s, const struct event *e)
{
    if (!s->searches || s->enough)
        return;
    const struct step_point *p = s->with_points ? fitting_point(s, e) : NULL;
    if (p)
        found(s, e, !p->line, p->number);
    if (s->fits == fits_other_line && lane_ends(s, e))
        found(s, e, true, THREAD_ENDS);
    if (s->fits && s->fits(s, e))
        found(s, e, s->after, 0);
    if (e->kind == EVENT_RAN && of_lane(s, e->at))
        s->last = e->at->code;
}

static void saw_instruction(void *self, const struct sim_at *at, const void *row,
                            enum sim_type type)
{
    const struct event e = {.kind = EVENT_RAN, .at = at};
    (void)row, (void)type;
    if (at->code->kind != SIM_CLASS_HIDDEN && !at->code->part)
        see(self, &e);
}

static void saw_branch(void *self, const struct sim_at *at, uint32_t taken)
{
    const struct event e = {.kind = EVENT_PARTED, .at = at};
    if (taken && taken != at->mask)
        see(self, &e);
}

static void saw_arrive(void *self, const struct sim_at *at, const struct sim_barrier *b)
{
    const struct event ran = {.kind = EVENT_RAN, .at = at}, e = {.kind = EVENT_CAME, .at = at};
    (void)b;
    see(self, &ran); /* `instruction` is not told of those that wait */
    see(self, &e);
}

static void saw_access(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct stepper *s = self;
    const struct event e = {.kind = EVENT_ACCESS, .at = at, .access = a};
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

static const struct sim_hooks hooks = {SIM_HOOKS,
                                       .instruction = saw_instruction,
                                       .branch = saw_branch,
                                       .arrive = saw_arrive,
                                       .load = saw_access,
                                       .store = saw_access,
                                       .atomic = saw_access};

/* ---- searching ------------------------------------------------------------------------------- */

static bool is_stopped(const struct stepper *s)
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

static enum step_stop go_to(struct stepper *s, uint64_t place)
{
    return sim_travel_to(s->travel, place) != 0 ? STEP_NO_MEMORY : STEP_THERE;
}

static enum step_stop search_forwards(struct stepper *s)
{
    uint64_t at = s->from;
    do {
        if (look_at(s, at, at + STRETCH) != 0)
            return STEP_NO_MEMORY;
        at = sim_travel_at(s->travel);
    } while (!s->found && !is_stopped(s) && sim_travel_status(s->travel) == SIM_RUNNING);
    return s->found ? STEP_THERE : is_stopped(s) ? STEP_STOPPED : STEP_AT_END;
}

static enum step_stop search_backwards(struct stepper *s)
{
    uint64_t to = s->from;
    while (!s->found && to > 0 && !is_stopped(s)) {
        const uint64_t from = sim_travel_near(s->travel, to);
        if (look_at(s, from, to) != 0)
            return STEP_NO_MEMORY;
        to = from;
    }
    return s->found ? STEP_THERE : is_stopped(s) ? STEP_STOPPED : STEP_AT_BEGIN;
}

/* Finds the next or the last event that fits; the launch is somewhere else then. */
static enum step_stop search(struct stepper *s, step_fits *fits, bool after, bool with_points,
                             bool back)
{
    s->fits = fits;
    s->after = after;
    s->with_points = with_points;
    s->back = back;
    s->from = s->until = sim_travel_at(s->travel);
    s->enough = s->found = false;
    s->point = 0;
    return back ? search_backwards(s) : search_forwards(s);
}

/* Goes to what was found. */
static enum step_stop arrive(struct stepper *s)
{
    s->focus = s->where;
    s->at_point = s->point > 0 ? s->point : 0;
    if (go_to(s, s->place) != STEP_THERE)
        return STEP_NO_MEMORY;
    for (int i = 0; s->point > 0 && i < s->point_count; i++)
        if (s->points[i].number == s->point)
            return s->points[i].line ? STEP_AT_BREAK : STEP_AT_WATCH;
    return s->point == THREAD_ENDS ? STEP_OF_THREAD : STEP_THERE;
}

/* Is the breakpoint's condition met where the launch stands? */
static bool point_holds(struct stepper *s)
{
    struct sim_warp_state w;
    for (int i = 0; i < s->point_count; i++) {
        const struct step_point *p = &s->points[i];
        if (p->number != s->point || !p->condition)
            continue;
        uint32_t lanes = 0;
        if (stepper_warp(s, s->focus.block, s->focus.warp, &w))
            for (unsigned g = 0; g < w.count; g++)
                if (w.group[g].mask >> s->focus.lane & 1)
                    lanes = w.group[g].mask;
        return p->condition(p->self, s, &s->focus, lanes);
    }
    return true;
}

static bool fits_any(const struct stepper *s, const struct event *e)
{
    (void)s;
    return e->kind == EVENT_RAN;
}

/* After a jump: where no lane of the warp in focus is running any more, the focus goes to the warp
 * that executed the last instruction. */
static enum step_stop follow(struct stepper *s)
{
    const uint64_t here = sim_travel_at(s->travel);
    struct sim_warp_state w;
    s->at_point = 0;
    if (stepper_warp(s, s->focus.block, s->focus.warp, &w) && w.alive) {
        if (!(w.alive >> s->focus.lane & 1))
            s->focus.lane = first_lane(w.alive);
        return STEP_THERE;
    }
    const enum step_stop stop = search(s, fits_any, false, false, true);
    if (stop == STEP_NO_MEMORY || go_to(s, here) != STEP_THERE)
        return STEP_NO_MEMORY;
    if (stop == STEP_THERE) {
        s->focus = s->where;
    } else { /* at the beginning */
        s->focus = (struct step_focus){.block = 0};
        sim_inspect_blocks(sim_travel_run(s->travel), &s->focus.block, 1);
    }
    return STEP_THERE;
}

/* A search that leads to a place, and past breakpoints whose conditions are not met. Without
 * success the launch stays where it was, or goes to the end or the beginning. */
static enum step_stop move(struct stepper *s, step_fits *fits, bool after, bool with_points,
                           bool back, bool or_end)
{
    const uint64_t was = sim_travel_at(s->travel);
    const struct step_focus focus = s->focus;
    enum step_stop stop;
    s->at_point = 0;
    for (;;) {
        stop = search(s, fits, after, with_points, back);
        if (stop == STEP_THERE && is_stopped(s)) /* conditions may take long */
            stop = STEP_STOPPED;
        if (stop != STEP_THERE)
            break;
        stop = arrive(s);
        if (stop != STEP_AT_BREAK || point_holds(s))
            return stop;
        s->focus = focus;
    }
    s->focus = focus;
    s->at_point = 0;
    if (stop == STEP_NO_MEMORY)
        return stop;
    if (stop == STEP_STOPPED)
        return go_to(s, sim_travel_at(s->travel)) == STEP_THERE ? stop : STEP_NO_MEMORY;
    if (!or_end)
        return go_to(s, was) == STEP_THERE ? STEP_NOT_THERE : STEP_NO_MEMORY;
    if (go_to(s, stop == STEP_AT_BEGIN ? 0 : UINT64_MAX) != STEP_THERE || follow(s) != STEP_THERE)
        return STEP_NO_MEMORY;
    return stop;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool fits_warp(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_RAN && of_warp(s, e->at);
}

/* Backwards: an instruction that begins a line, since the one before it was of another line. */
static bool fits_begin_of_line(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_RAN && of_lane(s, e->at) && e->at->code->line && s->last &&
           s->last->line != e->at->code->line;
}

static bool fits_line(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_RAN && of_warp(s, e->at) && begins_line(e->at, s->line);
}

static bool fits_barrier(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_CAME && of_warp(s, e->at);
}

static bool fits_parting(const struct stepper *s, const struct event *e)
{
    return e->kind == EVENT_PARTED && of_warp(s, e->at);
}

enum step_stop stepper_instructions(struct stepper *s, uint64_t count, bool back)
{
    enum step_stop stop = STEP_THERE;
    const struct step_focus focus = s->focus;
    while (count-- && stop == STEP_THERE) {
        stop = move(s, fits_warp, !back, false, back, true);
        s->focus = focus;
    }
    return stop;
}

static unsigned depth_of(const struct stepper *s)
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
    const unsigned depth = depth_of(s);
    enum step_stop stop;
    if (!next && !back)
        return stepper_has_ended(s) ? STEP_AT_END : STEP_OF_THREAD;
    s->line = next ? next->line : 0;
    do {
        stop = move(s, back ? fits_begin_of_line : fits_other_line, false, true, back, true);
    } while (stop == STEP_THERE && over && depth_of(s) > depth);
    return stop;
}

enum step_stop stepper_lines(struct stepper *s, uint64_t count, bool over, bool back)
{
    enum step_stop stop = STEP_THERE;
    while (count-- && stop == STEP_THERE)
        stop = one_line(s, over, back);
    return stop;
}

enum step_stop stepper_until(struct stepper *s, int line, bool back)
{
    s->line = line;
    return move(s, fits_line, false, true, back, false);
}

enum step_stop stepper_continue(struct stepper *s, bool back)
{
    return move(s, NULL, false, true, back, true);
}

enum step_stop stepper_to_barrier(struct stepper *s, bool back)
{
    return move(s, fits_barrier, false, true, back, false);
}

enum step_stop stepper_to_divergence(struct stepper *s, bool back)
{
    return move(s, fits_parting, true, true, back, false);
}

/* A place that is far away is approached in stretches, so that the way there can be stopped. */
enum step_stop stepper_to_place(struct stepper *s, uint64_t place)
{
    uint64_t at = sim_travel_near(s->travel, place);
    enum step_stop stop = STEP_THERE;
    s->enough = false;
    while (at < place && place - at > STRETCH && stop == STEP_THERE) {
        if (sim_travel_scan(s->travel, at, at + STRETCH, &s->enough) != 0)
            return STEP_NO_MEMORY;
        at = sim_travel_at(s->travel);
        if (sim_travel_status(s->travel) != SIM_RUNNING)
            break;
        stop = is_stopped(s) ? STEP_STOPPED : STEP_THERE;
    }
    if (go_to(s, stop == STEP_STOPPED ? at : place) != STEP_THERE || follow(s) != STEP_THERE)
        return STEP_NO_MEMORY;
    return stop;
}

/* ---- breakpoints and watched memory -----------------------------------------------------------
 */

static int add_point(struct stepper *s, const struct step_point *p)
{
    if (s->point_count == POINTS)
        return -1;
    s->points[s->point_count] = *p;
    return s->points[s->point_count++].number = ++s->numbers;
}

int stepper_break(struct stepper *s, int line, step_condition *condition, bool early, void *self)
{
    const struct sim_result *r = sim_result(sim_travel_run(s->travel));
    bool known = false;
    for (uint32_t i = 0; i < r->code_count && !known; i++)
        known = r->code[i].line == line && r->code[i].kind != SIM_CLASS_HIDDEN;
    const struct step_point p = {
        .line = line, .condition = condition, .early = early, .self = self};
    return known ? add_point(s, &p) : 0;
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
    s->observer = (struct sim_observer){.hooks = &hooks, .self = s};
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

const struct sim_result *stepper_observe(struct stepper *s, const struct sim_observer *observers,
                                         unsigned count, struct err *e)
{
    struct sim_launch other = s->launch;
    const bool never = false;
    s->left_at = sim_travel_at(s->travel);
    sim_travel_end(s->travel);
    other.observers = observers;
    other.observer_count = count;
    s->travel = sim_travel_begin(s->sim, &other);
    if (!s->travel) {
        fail(e, "%s", sim_message(s->sim));
        return NULL;
    }
    while (sim_travel_status(s->travel) == SIM_RUNNING) {
        const uint64_t at = sim_travel_at(s->travel);
        if (sim_travel_scan(s->travel, at, at + STRETCH, &never) != 0) {
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
    s->focus = focus;
    return go_to(s, s->left_at) == STEP_THERE ? 0 : fail_memory(e);
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
