/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that stop a stepped launch on its way: breakpoints with conditions, and watched memory.
 */
#include "repl/step/points.h"

#include "command/command.h"
#include "repl/step/values.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The condition of a breakpoint. */
struct step_condition_text {
    struct step_condition_text *next;
    struct stepped *st;
    char text[];
};

void conditions_free(struct stepped *st)
{
    while (st->conditions) {
        struct step_condition_text *c = st->conditions;
        st->conditions = c->next;
        free(c);
    }
}

/* Where a condition has no value, it doesn't hold. */
static bool holds(void *self, struct stepper *stepper, struct step_focus *focus, uint32_t lanes)
{
    const struct step_condition_text *c = self;
    struct lane_number n;
    struct err ignored;
    bool holds = false;
    (void)stepper;
    c->st->trusts = true;
    for (unsigned lane = 0; lane < STEP_LANES && !holds; lane++)
        if ((lanes >> lane & 1) &&
            lane_value(c->st, lane, c->text, &n, &ignored) == LANE_RIGHT &&
            lane_number_real(&n) != 0) {
            focus->lane = lane;
            holds = true;
        }
    c->st->trusts = false;
    return holds;
}

static struct step_condition_text *keep_condition(struct stepped *st, const char *text)
{
    const size_t n = strlen(text) + 1;
    struct step_condition_text *c = malloc(sizeof *c + n);
    if (!c)
        return NULL;
    c->next = st->conditions;
    c->st = st;
    memcpy(c->text, text, n);
    return st->conditions = c;
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

/* ---- break ---------------------------------------------------------------------------------------- */

struct break_options {
    int line;
    const char *condition;
};

/* "if lane == 3": the text behind `if`. NULL: it doesn't begin so. */
static const char *behind_if(const char *text)
{
    return strncmp(text, "if", 2) == 0 && (text[2] == ' ' || text[2] == '(')
               ? text + 2 + strspn(text + 2, " ") : NULL;
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
    struct lane_number n;
    struct err e = {0};
    if (!st)
        return -1;
    const char *text = o->condition ? behind_if(o->condition) : NULL;
    if (o->condition && !text)
        return report_fail(r, "write break LINE if CONDITION, as in break %d if lane == 3", o->line);
    if (text && lane_value(st, stepper_focus(st->stepper).lane, text, &n, &e) == LANE_WRONG)
        return report_fail_err(r, &e);
    struct step_condition_text *c = text ? keep_condition(st, text) : NULL;
    if (text && !c)
        return report_fail_memory(r);
    const int number = stepper_break(st->stepper, o->line, c ? holds : NULL,
                                     c && !st->names && !strchr(c->text, '%'), c);
    if (number)
        return said(st, number, "Breakpoint", r);
    return stepping_has_line(st, o->line, r) ? report_fail_memory(r) : -1;
}

const struct command word_break = {
    .name = "break", .alias = "b", .kind = CLASS_STEP,
    .summary = "stop where a warp comes to a line, perhaps only under a condition",
    .operands = (const struct arg_spec[]){
        {.name = "LINE", BIND(struct break_options, line), .type = ARG_INT, .lo = 1, .hi = INT_MAX,
         .required = true, .example = "12", .help = "its number in the source"},
        {.name = "CONDITION", BIND(struct break_options, condition), .type = ARG_REST,
         .help = "if and what must hold for a lane, as in if lane == 3 && i > 10"}, {0}},
    .size = sizeof(struct break_options), .never_inside = true, .run = run_break};

/* ---- watch ---------------------------------------------------------------------------------------- */

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
        return report_fail(r, "there is no array `%.60s` here: watch an element of a shared array or "
                              "of an array that the kernel gets, as in watch s[5]", text);
    *shared = a.shared;
    *address = a.address;
    *bytes = a.bytes;
    if (text[length] != '[')
        return *bytes ? 0 : report_fail(r, "write which element: watch %s[0]", name);
    if (text[all - 1] != ']' || all - length > 60)
        return report_fail(r, "a ] is missing behind the index of `%s`", name);
    char index[64];
    snprintf(index, sizeof index, "%.*s", (int)(all - length - 2), text + length + 1);
    if (lane_value(st, stepper_focus(st->stepper).lane, index, &n, &e) != LANE_RIGHT)
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
    .name = "watch", .alias = "w", .kind = CLASS_STEP,
    .summary = "stop at the next access to an element, backwards at the last one",
    .operands = (const struct arg_spec[]){
        {.name = "NAME[I]", BIND(struct watched_words, what), .type = ARG_REST, .required = true,
         .example = "s[5]", .help = "an element, or a whole shared array or own array"}, {0}},
    .size = sizeof(struct watched_words), .never_inside = true, .run = run_watch};

/* ---- delete ---------------------------------------------------------------------------------------- */

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

const struct command word_delete = {
    .name = "delete", .alias = "d", .kind = CLASS_STEP,
    .summary = "take away a breakpoint or watchpoint",
    .operands = (const struct arg_spec[]){
        {.name = "N", BIND(struct delete_options, n), .type = ARG_INT, .lo = 1, .hi = INT_MAX,
         .required = true, .example = "1", .help = "its number"}, {0}},
    .size = sizeof(struct delete_options), .never_inside = true, .run = run_delete};
