/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a finding to the moment before it: the launch that had it is stepped again. The thread in
 * focus is the one whose access was found. Of a race the other thread is shown, too.
 */
#include "dev/checks.h"
#include "repl/step/expression.h"
#include "repl/step/frames.h"
#include "repl/step/step.h"
#include "repl/step/variables.h"
#include "screen/columns.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LEAD = 9 }; /* columns before a line of the source */

static struct step_focus focus_of(const struct stepped *st, const struct fault_place *p)
{
    const unsigned *grid = stepper_shape(st->stepper)->grid,
                   *block = stepper_shape(st->stepper)->block;
    const uint64_t thread =
        p->thread[0] + (uint64_t)block[0] * (p->thread[1] + (uint64_t)block[1] * p->thread[2]);
    return (struct step_focus){p->block[0] + (uint64_t)grid[0] *
                                                 (p->block[1] + (uint64_t)grid[1] * p->block[2]),
                               (unsigned)(thread / STEP_LANES), (unsigned)(thread % STEP_LANES)};
}

/* The line at which this thread is now; 0: it is not running, or no line is known. */
static int line_now(const struct stepped *st, struct step_focus f)
{
    struct step_warp w;
    if (!step_look_warp(st->stepper, f.block, f.warp, &w))
        return 0;
    const struct step_group *g = step_group_of(&w, f.lane);
    return g ? g->next->line : 0;
}

/* ---- the cell of a race ---------------------------------------------------------------------- */

/* What a thread does with the cell. */
enum cell_access { ACCESS_UNKNOWN, ACCESS_READS, ACCESS_WRITES, ACCESS_UPDATES };
static const struct {
    const char *will, *did, *word;
} accesses[] = {[ACCESS_UNKNOWN] = {"use", "used", NULL},
                [ACCESS_READS] = {"read", "read", "read"},
                [ACCESS_WRITES] = {"write", "written", "write"},
                [ACCESS_UPDATES] = {"update", "updated", "update"}};

static enum cell_access access_of(const struct sim_instruction *c)
{
    return c->kind == SIM_CLASS_LOAD     ? ACCESS_READS
           : c->kind == SIM_CLASS_STORE  ? ACCESS_WRITES
           : c->kind == SIM_CLASS_ATOMIC ? ACCESS_UPDATES
                                         : ACCESS_UNKNOWN;
}

/* The checker says it of the other thread in its sentence alone: "thread 0 writes s[1] that thread 32
 * reads", "threads 0 and 1 write s[1] at once". */
static enum cell_access access_in(const char *message)
{
    static const struct {
        const char *verb;
        enum cell_access is;
    } verbs[] = {{" reads", ACCESS_READS}, {" writes", ACCESS_WRITES}, {" updates", ACCESS_UPDATES}};
    const char *that = strstr(message, " that ");
    for (unsigned i = 0; that && i < sizeof verbs / sizeof *verbs; i++)
        if (strstr(that, verbs[i].verb))
            return verbs[i].is;
    return strstr(message, " at once") ? ACCESS_WRITES : ACCESS_UNKNOWN;
}

/* The element that both threads use, by its name and its value here. */
struct race_cell {
    bool known, shared, has_value, has_address;
    char name[sizeof((struct fault *)NULL)->element];
    struct lane_number value;
    uint64_t address, bytes;
};

/* The view shows it at this place. */
static void set_cell(struct stepped *st, const struct fault *f, const struct lane_array *a)
{
    st->cell.is = true;
    st->cell.place = stepper_place(st->stepper);
    st->cell.of = (struct lane_cell){.array = *a, .index = (uint64_t)f->index};
    snprintf(st->cell.of.name, sizeof st->cell.of.name, "%s", f->array);
}

static struct race_cell cell_of(struct stepped *st, const struct fault *f)
{
    struct race_cell c = {.shared = strcmp(f->kind, "race-shared") == 0};
    struct err ignored;
    char at[sizeof f->array + 24];
    if (!f->has_other || !f->element[0])
        return c;
    c.known = true;
    snprintf(c.name, sizeof c.name, "%s", f->element);
    struct lane_array a;
    if (f->index >= 0 && lane_array_named(st, f->array, &a) && a.shared == c.shared &&
        a.type_known) {
        set_cell(st, f, &a);
        c.has_address = true;
        c.bytes = element_size(a.type);
        c.address = a.address + (uint64_t)f->index * c.bytes;
    }
    snprintf(at, sizeof at, "%s[%" PRId64 "]", f->array, f->index);
    c.has_value = lane_value(st, at, &c.value, &ignored) == LANE_RIGHT;
    return c;
}

static void say_cell(const struct race_cell *c, struct report *r)
{
    char text[NUM_TEXT];
    if (!c->has_value)
        return;
    lane_number_text(&c->value, text);
    say_wrapped(r, 0, "%s is %s now, in %s memory.", c->name, text,
                c->shared ? "shared" : "global");
}

static void put_cell(struct json *j, const struct race_cell *c, const struct fault *f)
{
    if (!c->known)
        return;
    json_object(j, "cell");
    json_text(j, "name", c->name);
    json_text(j, "array", f->array);
    json_int(j, "index", f->index);
    if (c->has_value)
        lane_number_json(j, "value", &c->value);
    json_end_object(j);
}

/* ---- the threads ----------------------------------------------------------------------------- */

/* One thread of a race, and its access. */
struct race_side {
    const struct fault_place *at;
    struct step_focus f;
    int now; /* its line; 0: it has ended, or no line is known */
    bool acts; /* its access is its next instruction, */
    bool with_other; /* and the other thread is at the same one. */
    bool has_place;
    uint64_t place; /* just before the access */
    enum cell_access does;
    struct variable_short local[VARIABLES_SHORT]; /* its variables there */
    unsigned locals;
};

/* Its variables at a place. The launch comes back. */
static void read_locals(struct stepped *st, struct race_side *s)
{
    const uint64_t here = stepper_place(st->stepper);
    const struct step_focus focus = stepper_focus(st->stepper);
    struct lane_place p;
    if (!st->names || !s->has_place)
        return;
    if (s->place != here)
        stepper_to_place(st->stepper, s->place);
    if (stepper_set_focus(st->stepper, s->f) && frames_place(st, s->f.lane, &p))
        s->locals = variables_short(st, &p, s->f.lane, s->local);
    if (s->place != here)
        stepper_to_place(st->stepper, here);
    stepper_set_focus(st->stepper, focus);
}

/* The thread that is about to make its access, where it is. */
static struct race_side side_that_acts(struct stepped *st, const struct fault *f)
{
    struct race_side s = {.at = &f->at, .f = focus_of(st, &f->at)};
    s.now = line_now(st, s.f);
    const struct sim_instruction *next = s.now == f->at.line ? stepper_next(st->stepper) : NULL;
    s.acts = s.has_place = next != NULL;
    s.place = stepper_place(st->stepper);
    s.does = next ? access_of(next) : ACCESS_UNKNOWN;
    read_locals(st, &s);
    return s;
}

/* The other one: the last access before this place of that thread, if it can be found. */
static struct race_side other_side(struct stepped *st, const struct fault *f,
                                   const struct race_cell *c, const struct race_side *acting)
{
    static const enum step_access_kind kinds[] = {[ACCESS_READS] = STEP_READ,
                                                  [ACCESS_WRITES] = STEP_WRITE,
                                                  [ACCESS_UPDATES] = STEP_UPDATE};
    struct race_side s = {.at = &f->other, .f = focus_of(st, &f->other),
                          .does = access_in(f->message)};
    struct step_past past = {.of = s.f, .line = f->other.line, .shared = c->shared,
                             .kinds = s.does == ACCESS_UNKNOWN ? UINT_MAX : 1U << kinds[s.does],
                             .address = c->address, .bytes = c->bytes};
    s.now = line_now(st, s.f);
    if (strstr(f->message, " at once") && acting->acts && s.now == acting->now) {
        s.acts = s.has_place = s.with_other = true;
        s.place = acting->place;
    } else if (c->has_address && stepper_last_access(st->stepper, &past)) {
        s.has_place = true;
        s.place = past.place;
        s.does = past.kind == STEP_READ    ? ACCESS_READS
                 : past.kind == STEP_WRITE ? ACCESS_WRITES
                                           : ACCESS_UPDATES;
    }
    read_locals(st, &s);
    return s;
}

/* What it does or did, the line of that, and its variables there. */
static void say_side(struct stepped *st, const char *which, const struct race_side *s,
                     const struct race_cell *c, struct report *r)
{
    const struct text_file file = sources_find(&st->sources, s->at->file);
    const struct span line = file.name ? trim(line_at(file.text, s->at->line)) : (struct span){"", 0};
    const char *name = c->known ? c->name : "the memory";
    struct buf text = {0};
    buf_puts(&text, which);
    if (s->has_place)
        buf_printf(&text, ", at place %" PRIu64, s->place);
    buf_printf(&text, ": block %" PRIu64 ", warp %u, lane %u ", s->f.block, s->f.warp, s->f.lane);
    if (s->acts)
        buf_printf(&text, "is about to %s %s:", accesses[s->does].will, name);
    else if (s->now)
        buf_printf(&text, "has %s %s. It is at line %d now. Its access was at line %d:",
                   accesses[s->does].did, name, s->now, s->at->line);
    else
        buf_printf(&text, "has %s %s. It has ended. Its access was at line %d:",
                   accesses[s->does].did, name, s->at->line);
    say_wrapped(r, 2, "%s", buf_text(&text));
    say(r, "  %5d  %.*s\n", s->at->line, (int)columns_fit(line.at, line.n, r->width - LEAD), line.at);
    buf_clear(&text);
    for (unsigned i = 0; i < s->locals; i++) {
        char value[NUM_TEXT];
        lane_number_text(&s->local[i].value, value);
        buf_printf(&text, "%s%s = %s", i ? ", " : "", s->local[i].name, value);
    }
    if (text.len && r->plain)
        say_wrapped(r, 0, "There, %s.", buf_text(&text));
    else if (text.len) {
        say(r, "%*s", LEAD, "");
        say_wrapped(r, LEAD, "%s", buf_text(&text));
    }
    buf_free(&text);
}

static void say_sides(struct stepped *st, const struct race_side *acting,
                      const struct race_side *other, const struct race_cell *c, struct report *r)
{
    const bool known = acting->acts && other->has_place;
    const bool first = known && !other->with_other;
    if (first)
        say_side(st, "First", other, c, r);
    say_side(st, first ? "Then" : "This thread", acting, c, r);
    if (!first)
        say_side(st, other->with_other ? "At the same time" : "The other one", other, c, r);
}

static void put_side(struct json *j, const char *key, const struct race_side *s)
{
    json_object(j, key);
    json_uint(j, "block", s->f.block);
    json_uint(j, "warp", s->f.warp);
    json_uint(j, "lane", s->f.lane);
    json_int(j, "line", s->at->line);
    if (s->now)
        json_int(j, "now", s->now);
    if (s->has_place)
        json_uint(j, "place", s->place);
    if (accesses[s->does].word)
        json_text(j, "access", accesses[s->does].word);
    if (s->locals) {
        json_object(j, "locals");
        for (unsigned i = 0; i < s->locals; i++)
            lane_number_json(j, s->local[i].name, &s->local[i].value);
        json_end_object(j);
    }
    json_end_object(j);
}

static bool is_race(const struct fault *f)
{
    return strncmp(f->kind, "race-", 5) == 0;
}

bool stepping_has_earlier(const struct fault *all, unsigned count, const struct fault *f)
{
    for (unsigned i = 0; i < count && is_race(f) && f->when; i++)
        if (is_race(&all[i]) && !all[i].benign && all[i].launch == f->launch && all[i].when &&
            all[i].when < f->when)
            return true;
    return false;
}

/* The first finding that counts; NULL: nothing counts. */
static const struct fault *first_finding(const struct report *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (!r->faults[i].benign)
            return &r->faults[i];
    return NULL;
}

bool stepping_would_find(const struct shell *sh, const struct report *r)
{
    const struct fault *f = first_finding(&sh->found.report);
    return r->launch_count == 1 && r->fault_count && f && !f->of_host && !f->in_child &&
           !sh->stepping && !sh->record.caught;
}

static int to_finding(struct stepped *st, const struct fault *f, bool has_earlier, struct report *r)
{
    const uint64_t place = f->when ? f->when - 1 : 0;
    enum step_stop stop = stepper_to_place(st->stepper, place);
    if (stepper_has_ended(st->stepper) && place)
        stop = stepper_to_place(st->stepper, stepper_place(st->stepper) - 1);
    if (f->has_place) {
        const struct step_focus focus = focus_of(st, &f->at);
        stepper_set_focus(st->stepper, focus);
        if (stop == STEP_THERE && line_now(st, focus) != f->at.line) {
            /* A fault that ends the launch counts the instruction that has it. */
            stepper_to_place(st->stepper, f->when);
            if (!stepper_set_focus(st->stepper, focus) || line_now(st, focus) != f->at.line)
                stop = stepper_to_place(st->stepper, place);
            stepper_set_focus(st->stepper, focus);
        }
    }
    const struct race_cell cell = cell_of(st, f);
    struct race_side acting = {.at = &f->at}, other = {.at = &f->other};
    if (f->has_place)
        acting = side_that_acts(st, f);
    if (f->has_place && f->has_other)
        other = other_side(st, f, &cell, &acting);
    say_wrapped(r, 0, "Just before this: %s: %s.", f->kind, f->message);
    if (has_earlier)
        say_wrapped(r, 0, "An earlier race may be the cause.");
    if (f->has_place && f->has_other) {
        say_sides(st, &acting, &other, &cell, r);
        say_cell(&cell, r);
    }
    if (f->has_place && acting.now != f->at.line)
        say_wrapped(r, 0, "This thread is not at line %d here.", f->at.line);
    json_object(&r->result, "finding");
    json_text(&r->result, "kind", f->kind);
    json_bool(&r->result, "has_earlier", has_earlier);
    put_cell(&r->result, &cell, f);
    if (f->has_place)
        put_side(&r->result, "thread", &acting);
    if (f->has_place && f->has_other)
        put_side(&r->result, "other", &other);
    json_end_object(&r->result);
    stepping_show(st, stop, r);
    return r->status == REPORT_OK ? 0 : -1;
}

/* ---- what the simulator finds ----------------------------------------------------------------------- */

static const struct sim_result *observe(void *self, const struct sim_observer *observers,
                                        unsigned count, struct err *e)
{
    const struct stepped *st = self;
    return stepper_observe(st->stepper, observers, count, e);
}

/* Runs the launch from its begin to its end with these checkers. -1: the report says why not. Free the
 * result only after 0. */
static int check_again(struct stepped *st, unsigned checks, struct launch_result *result,
                       struct report *r)
{
    struct device *d = st->device;
    const struct launch_seen seen = {stepper_shape(st->stepper)->kernel, observe, st};
    struct err e = {0}, gone = {0};
    const int rc = d->ops->check_taken(d, &seen, checks, result, &e);
    if (stepper_observed(st->stepper, &gone) == 0)
        return rc == 0 ? 0 : report_fail_err(r, &e);
    if (rc == 0)
        launch_result_free(result);
    stepping_end(st->sh);
    return report_fail_err(r, &gone);
}

/* A GPU says of a fault neither where nor when it was. What never ends has no such place. */
static bool is_to_be_found(const struct fault *f)
{
    return f->ends && !f->has_place && !f->when && strcmp(f->kind, "timeout") != 0 &&
           strcmp(f->kind, "device-lost") != 0;
}

int stepping_to_finding(struct stepped *st, const struct fault *f, bool has_earlier,
                        struct report *r)
{
    struct launch_result result;
    if (!is_to_be_found(f))
        return to_finding(st, f, has_earlier, r);
    if (check_again(st, 0, &result, r) != 0)
        return -1;
    unsigned i = 0;
    while (i < result.fault_count && !(result.faults[i].ends && result.faults[i].has_place))
        i++;
    if (i == result.fault_count)
        say_wrapped(r, 0, "The simulator does not find this mistake, so the launch is at its begin.");
    const int rc = to_finding(st, i < result.fault_count ? &result.faults[i] : f, false, r);
    launch_result_free(&result);
    return rc;
}

/* ---- to race ---------------------------------------------------------------------------------------- */

/* The checker tells of each pair of lines once. */
static int no_race_ahead(struct stepped *st, unsigned races, struct report *r)
{
    if (races)
        say_wrapped(r, 0, "No further race is ahead. Each pair of lines is reported once, and this launch "
                          "has %u such race%s. `to begin`, then `to race` goes to the first one.",
                    races, races == 1 ? "" : "s");
    else
        say_wrapped(r, 0, "The checker finds no race in this launch.");
    json_uint(&r->result, "races", races);
    stepping_json(st, STEP_NOT_THERE, r);
    return 0;
}

int stepping_to_race(struct stepped *st, struct report *r)
{
    const uint64_t here = stepper_place(st->stepper);
    struct launch_result result;
    struct err e = {0};
    unsigned checks = 0, races = 0;
    const struct fault *next = NULL;
    if (checks_parse("race", &checks, &e) != 0)
        return report_fail_err(r, &e);
    if (check_again(st, checks, &result, r) != 0)
        return -1;
    for (unsigned i = 0; i < result.fault_count; i++) {
        const struct fault *f = &result.faults[i];
        races += is_race(f);
        if (is_race(f) && f->when > here + 1 && (!next || f->when < next->when))
            next = f;
    }
    if (next)
        to_finding(st, next, stepping_has_earlier(result.faults, result.fault_count, next), r);
    else
        no_race_ahead(st, races, r);
    launch_result_free(&result);
    return r->status == REPORT_OK ? 0 : -1;
}
