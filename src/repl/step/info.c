/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `info`, which shows more of one thing than the view has room for, and `display`, which keeps
 * expressions that each view shows.
 */
#include "repl/step/points.h"

#include "own/element.h"
#include "repl/step/variables.h"
#include "screen/wrap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct step_display {
    struct step_display *next;
    int number;
    struct lane_expression *expression;
    char text[];
};

/* ---- info ------------------------------------------------------------------------------------ */

static const struct step_group *group_in_focus(struct stepped *st, struct step_warp *w)
{
    const struct step_focus f = stepper_focus(st->stepper);
    return step_look_warp(st->stepper, f.block, f.warp, w) ? step_group_of(w, f.lane) : NULL;
}

static int info_registers(struct stepped *st, struct report *r)
{
    struct step_warp w;
    const struct step_group *g = group_in_focus(st, &w);
    if (!g)
        return report_fail(r, "the lane in focus has ended, so it has no registers");
    if (!stepping_say_registers(st, g, INT_MAX, r))
        say_wrapped(r, 0, "This line has set no register so far, and reads none. `print %%r1` shows "
                          "one of another line.");
    stepping_json(st, STEP_THERE, r);
    return 0;
}

static int info_locals(struct stepped *st, struct report *r)
{
    struct step_warp w;
    const struct step_group *g = group_in_focus(st, &w);
    if (!g)
        return report_fail(r, "the lane in focus has ended, so it has no variables");
    if (!st->names)
        return report_fail(r, "the names of local variables are not known: load the file with "
                              "load --debug; `info registers` shows registers");
    if (!variables_say(st, g, INT_MAX, r))
        say_wrapped(r, 0, "No variable has a value here.");
    stepping_json(st, STEP_THERE, r);
    return 0;
}

static int info_threads(struct stepped *st, struct report *r)
{
    stepping_say_warps(st, r);
    stepping_json(st, STEP_THERE, r);
    return 0;
}

/* One parameter, as the kernel was launched: a number, or what it points to. */
static void say_param(struct stepped *st, const struct declared *d, struct report *r)
{
    struct lane_number n;
    struct lane_array a;
    struct err ignored;
    char text[NUM_TEXT];
    json_object(&r->result, NULL);
    json_text(&r->result, "name", d->name);
    if (lane_value(st, d->name, &n, &ignored) == LANE_RIGHT) {
        lane_number_text(&n, text);
        say_wrapped(r, 0, "%s = %s", d->name, text);
        if (n.is_real)
            json_f64(&r->result, "value", n.real);
        else
            json_int(&r->result, "value", n.whole);
    } else if (lane_array_named(st, d->name, &a) && a.type_known) {
        say_wrapped(r, 0, "%s is an array of %s: `print %s[0]` shows an element", d->name,
                    element_names[a.type], d->name);
        json_text(&r->result, "elements", element_names[a.type]);
    } else {
        say_wrapped(r, 0, "%s is no number", d->name);
    }
    json_end_object(&r->result);
}

static int info_args(struct stepped *st, struct report *r)
{
    if (!st->params && stepper_shape(st->stepper)->kernel->param_count)
        return report_fail(r, "the names of the kernel's parameters are not known");
    if (!st->param_count)
        say_wrapped(r, 0, "The kernel has no parameters.");
    json_array(&r->result, "parameters");
    for (unsigned i = 0; i < st->param_count; i++)
        if (st->params[i].name)
            say_param(st, &st->params[i], r);
    json_end_array(&r->result);
    return 0;
}

static int info_break(struct stepped *st, struct report *r)
{
    int number, line;
    json_array(&r->result, "points");
    for (unsigned i = 0; stepper_point(st->stepper, i, &number, &line); i++) {
        json_object(&r->result, NULL);
        json_int(&r->result, "point", number);
        if (line) {
            json_int(&r->result, "line", line);
            say(r, "Breakpoint %d is at line %d.\n", number, line);
        } else {
            say(r, "Watchpoint %d watches memory.\n", number);
        }
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
    if (!stepper_point(st->stepper, 0, &number, &line))
        say_wrapped(r, 0, "There is no breakpoint and no watchpoint.");
    return 0;
}

static int info_display(struct stepped *st, struct report *r)
{
    if (!st->displays)
        say_wrapped(r, 0, "No expression is shown at each stop.");
    for (const struct step_display *d = st->displays; d; d = d->next)
        say_wrapped(r, 2, "Display %d is %s.", d->number, d->text);
    displays_json(st, &r->result);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(struct stepped *, struct report *);
} subjects[] = {{"registers", info_registers}, {"locals", info_locals}, {"args", info_args},
                {"threads", info_threads},     {"break", info_break},   {"display", info_display}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const char *subject_name(unsigned i)
{
    return i < SUBJECTS ? subjects[i].name : NULL;
}

struct info_options {
    const char *what;
};

static int run_info(struct session *s, const void *given, struct report *r)
{
    const struct info_options *o = given;
    struct stepped *st = stepping_of(s, r);
    for (unsigned i = 0; st && i < SUBJECTS; i++)
        if (strcmp(subjects[i].name, o->what) == 0)
            return subjects[i].run(st, r);
    return -1;
}

const struct command word_info = {
    .name = "info", .kind = CLASS_STEP,
    .summary = "all registers, local variables, arguments, threads or breakpoints",
    .operands = (const struct arg_spec[]){
        {.name = "WHAT", BIND(struct info_options, what), .type = ARG_CHOICE,
         .choice = subject_name, .required = true, .example = "registers",
         .help = "what to show"}, {0}},
    .size = sizeof(struct info_options), .never_inside = true, .run = run_info};

/* ---- display --------------------------------------------------------------------------------- */

static void display_free(struct step_display *d)
{
    lane_expression_free(d->expression);
    free(d);
}

void displays_free(struct stepped *st)
{
    while (st->displays) {
        struct step_display *d = st->displays;
        st->displays = d->next;
        display_free(d);
    }
}

void displays_say(struct stepped *st, struct report *r)
{
    for (const struct step_display *d = st->displays; d; d = d->next) {
        struct lane_number v[STEP_LANES];
        struct lane_text text[STEP_LANES];
        struct err e = {0};
        const uint32_t has = stepping_values(st, d->expression, v, &e);
        for (unsigned lane = 0; lane < STEP_LANES; lane++)
            if (has >> lane & 1)
                lane_number_text(&v[lane], text[lane].text);
        if (has)
            stepping_say_row(r, d->text, text, has);
        else
            say_wrapped(r, 2, "%s: %s", d->text, *e.text ? e.text : "no lane is running here");
    }
}

void displays_json(struct stepped *st, struct json *j)
{
    if (!st->displays)
        return;
    json_array(j, "displays");
    for (const struct step_display *d = st->displays; d; d = d->next) {
        struct lane_number v[STEP_LANES];
        struct err ignored = {0};
        const uint32_t has = stepping_values(st, d->expression, v, &ignored);
        json_object(j, NULL);
        json_int(j, "display", d->number);
        json_text(j, "expression", d->text);
        json_array(j, "values");
        for (unsigned lane = 0; lane < STEP_LANES; lane++)
            if (has >> lane & 1)
                lane_number_json(j, NULL, &v[lane]);
            else
                json_null(j, NULL);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}

struct display_options {
    const char *what;
};

/* Takes over the expression. */
static int keep_display(struct stepped *st, const char *text, struct lane_expression *x,
                        struct report *r)
{
    const size_t n = strlen(text) + 1;
    struct step_display *d = malloc(sizeof *d + n), **end = &st->displays;
    if (!d) {
        lane_expression_free(x);
        return report_fail_memory(r);
    }
    *d = (struct step_display){.number = 1, .expression = x};
    memcpy(d->text, text, n);
    for (; *end; end = &(*end)->next)
        d->number = (*end)->number + 1;
    *end = d;
    return 0;
}

static int run_display(struct session *s, const void *given, struct report *r)
{
    const struct display_options *o = given;
    struct stepped *st = stepping_of(s, r);
    struct lane_number n;
    struct err e = {0};
    if (!st)
        return -1;
    if (!o->what)
        return info_display(st, r);
    struct lane_expression *x = lane_value(st, o->what, &n, &e) == LANE_WRONG
                                    ? NULL
                                    : lane_expression_read(o->what, &e);
    if (!x)
        return stepping_fail_in(r, o->what, &e);
    if (keep_display(st, o->what, x, r) != 0)
        return -1;
    displays_say(st, r);
    displays_json(st, &r->result);
    return 0;
}

const struct command word_display = {
    .name = "display", .kind = CLASS_STEP,
    .summary = "show the value of an expression at each stop",
    .operands = (const struct arg_spec[]){
        {.name = "EXPR", BIND(struct display_options, what), .type = ARG_REST,
         .example = "s[lane]", .help = "as for print; without one, all are listed"}, {0}},
    .size = sizeof(struct display_options), .never_inside = true, .run = run_display};

struct undisplay_options {
    int n;
};

static int run_undisplay(struct session *s, const void *given, struct report *r)
{
    const struct undisplay_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    struct step_display **d = &st->displays;
    while (*d && (*d)->number != o->n)
        d = &(*d)->next;
    if (!*d)
        return report_fail(r, "there is no display %d: `info display` lists all", o->n);
    struct step_display *gone = *d;
    *d = gone->next;
    display_free(gone);
    say_wrapped(r, 0, "Display %d is gone.", o->n);
    return 0;
}

const struct command word_undisplay = {
    .name = "undisplay", .kind = CLASS_STEP,
    .summary = "show an expression no longer at each stop",
    .operands = (const struct arg_spec[]){
        {.name = "N", BIND(struct undisplay_options, n), .type = ARG_INT, .lo = 1, .hi = INT_MAX,
         .required = true, .example = "1", .help = "its number; the first display is 1"}, {0}},
    .size = sizeof(struct undisplay_options), .never_inside = true, .run = run_undisplay};
