/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that stop a stepped launch on its way: breakpoints with conditions, and watched memory.
 */
#include "repl/step/points.h"

#include "command/command.h"
#include "repl/step/expression.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The condition of a breakpoint. */
struct step_condition_text {
    struct step_condition_text *next;
    struct stepped *st;
    struct lane_expression *expression;
};

void conditions_free(struct stepped *st)
{
    while (st->conditions) {
        struct step_condition_text *c = st->conditions;
        st->conditions = c->next;
        lane_expression_free(c->expression);
        free(c);
    }
}

/* Where a condition has no value, it doesn't hold. */
static uint32_t holds(void *self, const struct step_lanes *lanes)
{
    const struct step_condition_text *c = self;
    const struct lane_place p = {
        .block = lanes->block, .warp = lanes->warp, .lanes = lanes->lanes, .at = lanes->at};
    struct lane_number value[STEP_LANES];
    enum lane_fault fault;
    struct err ignored;
    const uint32_t has = lane_values(c->st, c->expression, &p, value, &fault, &ignored);
    uint32_t true_in = 0;
    for (unsigned lane = 0; lane < STEP_LANES; lane++)
        if ((has >> lane & 1) && lane_number_real(&value[lane]) != 0)
            true_in |= UINT32_C(1) << lane;
    return true_in;
}

int stepping_fail_in(struct report *r, const char *text, struct err *e)
{
    const size_t n = strlen(text);
    const char *at = NULL;
    for (const char *i = r->typed; i && (i = strstr(i, text)); i++)
        at = i;
    e->column = at && n && e->column ? (int)(at - r->typed) + e->column : 0;
    return report_fail_err(r, e);
}

/* -1: it is wrong, or its names are not known at this line; e says so. */
static int keep_condition(struct stepped *st, const char *text, int line,
                          struct step_condition_text **out, struct err *e)
{
    struct lane_expression *x = lane_expression_read(text, e);
    struct step_condition_text *c = NULL;
    if (!x || lane_expression_known(st, x, line, e) != 0 ||
        (!(c = malloc(sizeof *c)) && fail_memory(e) != 0)) {
        lane_expression_free(x);
        return -1;
    }
    *c = (struct step_condition_text){st->conditions, st, x};
    st->conditions = *out = c;
    return 0;
}

bool stepping_has_line(struct stepped *st, int line, struct report *r)
{
    const int near = step_line_near(st->stepper, line);
    if (near == line)
        return true;
    if (near)
        report_fail(r, "line %d has no instruction; line %d has", line, near);
    else
        report_fail(r, "no line of this kernel is known, so there is none to stop at");
    return false;
}

/* ---- break
 * ---------------------------------------------------------------------------------------- */

struct break_options {
    int line;
    const char *condition;
};

/* "if lane == 3": the text behind `if`. NULL: it doesn't begin so. */
static const char *behind_if(const char *text)
{
    return strncmp(text, "if", 2) == 0 && (text[2] == ' ' || text[2] == '(')
               ? text + 2 + strspn(text + 2, " ")
               : NULL;
}

static int said(struct stepped *st, int number, const char *what, struct report *r)
{
    (void)st;
    if (number < 0)
        return report_fail(r, "there are 64 breakpoints already: `delete N` takes one away");
    say_wrapped(r, 0, "%s %d is set.", what, number);
    json_int(&r->result, "point", number);
    return 0;
}

static int run_break(struct session *s, const void *given, struct report *r)
{
    const struct break_options *o = given;
    struct stepped *st = stepping_of(s, r);
    struct step_condition_text *c = NULL;
    struct err e = {0};
    if (!st)
        return -1;
    const char *text = o->condition ? behind_if(o->condition) : NULL;
    if (o->condition && !text)
        return report_fail(r, "write break LINE if CONDITION, as in break %d if lane == 3",
                           o->line);
    if (!stepping_has_line(st, o->line, r))
        return -1;
    if (text && keep_condition(st, text, o->line, &c, &e) != 0)
        return stepping_fail_in(r, text, &e);
    const int number = stepper_break(st->stepper, o->line, c ? holds : NULL, c);
    return said(st, number, "Breakpoint", r);
}

const struct command word_break = {
    .name = "break",
    .alias = "b",
    .kind = CLASS_STEP,
    .summary = "stop where a warp comes to a line, perhaps only under a condition",
    .operands =
        (const struct arg_spec[]){
            {.name = "LINE",
             BIND(struct break_options, line),
             .type = ARG_INT,
             .lo = 1,
             .hi = INT_MAX,
             .required = true,
             .example = "12",
             .help = "its number in the source"},
            {.name = "CONDITION",
             BIND(struct break_options, condition),
             .type = ARG_REST,
             .help = "if and what must hold for a lane, as in if lane == 3 && i > 10"},
            {0}},
    .size = sizeof(struct break_options),
    .never_inside = true,
    .run = run_break};

/* ---- watch
 * ---------------------------------------------------------------------------------------- */

struct watched_words {
    const char *what;
};

/* NAME, or NAME[INDEX] with the index of the lane in focus. */
static int read_watched(struct stepped *st, const char *text, bool *shared, uint64_t *address,
                        uint64_t *bytes, struct report *r)
{
    char name[64];
    struct lane_array a;
    struct lane_number n;
    struct err e = {0};
    const size_t length = strcspn(text, "[ "), all = strlen(text);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, text);
    if (!lane_array_named(st, name, &a))
        return report_fail(r,
                           "there is no array `%.60s` here: watch an element of a shared array or "
                           "of an array that the kernel gets, as in watch s[5]",
                           text);
    *shared = a.shared;
    *address = a.address;
    *bytes = a.bytes;
    if (text[length] != '[')
        return *bytes ? 0 : report_fail(r, "write which element: watch %s[0]", name);
    if (text[all - 1] != ']' || all - length > 60)
        return report_fail(r, "a ] is missing behind the index of `%s`", name);
    char index[64];
    snprintf(index, sizeof index, "%.*s", (int)(all - length - 2), text + length + 1);
    if (lane_value(st, index, &n, &e) != LANE_RIGHT)
        return report_fail_err(r, &e);
    if (!a.type_known)
        return report_fail(r, "the type of the elements of `%s` is not known", name);
    const uint64_t size = element_size(a.type);
    if (n.is_real || n.whole < 0 || (uint64_t)n.whole >= UINT64_C(1) << 40 ||
        (a.bytes && (uint64_t)n.whole >= a.bytes / size))
        return report_fail(r, "`%s` has no such element", name);
    *address += (uint64_t)n.whole * size;
    *bytes = size;
    return 0;
}

static int run_watch(struct session *s, const void *given, struct report *r)
{
    const struct watched_words *o = given;
    struct stepped *st = stepping_of(s, r);
    bool shared;
    uint64_t address, bytes;
    if (!st || read_watched(st, o->what, &shared, &address, &bytes, r) != 0)
        return -1;
    return said(st, stepper_watch(st->stepper, shared, address, bytes), "Watchpoint", r);
}

const struct command word_watch = {
    .name = "watch",
    .alias = "w",
    .kind = CLASS_STEP,
    .summary = "stop at the next access to an element, backwards at the last one",
    .operands =
        (const struct arg_spec[]){{.name = "NAME[I]",
                                   BIND(struct watched_words, what),
                                   .type = ARG_REST,
                                   .required = true,
                                   .example = "s[5]",
                                   .help = "an element, or a whole shared array or own array"},
                                  {0}},
    .size = sizeof(struct watched_words),
    .never_inside = true,
    .run = run_watch};

/* ---- delete
 * ---------------------------------------------------------------------------------------- */

struct delete_options {
    int n;
};

static int run_delete(struct session *s, const void *given, struct report *r)
{
    const struct delete_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    if (!stepper_remove(st->stepper, o->n))
        return report_fail(r, "there is no breakpoint or watchpoint %d", o->n);
    say_wrapped(r, 0, "Point %d is gone.", o->n);
    return 0;
}

const struct command word_delete = {.name = "delete",
                                    .alias = "d",
                                    .kind = CLASS_STEP,
                                    .summary = "take away a breakpoint or watchpoint",
                                    .operands =
                                        (const struct arg_spec[]){{.name = "N",
                                                                   BIND(struct delete_options, n),
                                                                   .type = ARG_INT,
                                                                   .lo = 1,
                                                                   .hi = INT_MAX,
                                                                   .required = true,
                                                                   .example = "1",
                                                                   .help = "its number"},
                                                                  {0}},
                                    .size = sizeof(struct delete_options),
                                    .never_inside = true,
                                    .run = run_delete};
