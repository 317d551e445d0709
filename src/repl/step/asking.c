/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of stepping that ask: the value of an expression in all lanes, and where the lanes are.
 * Another schedule begins the launch again.
 */
#include "repl/step/points.h"

#include "labkit/ladder/schedule.h"
#include "own/arrays.h"
#include "repl/commands.h"
#include "repl/step/expression.h"
#include "repl/step/frames.h"
#include "repl/step/step.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- print
 * ------------------------------------------------------------------------------------------ */

struct print_words {
    const char *what;
};

/* An array of the student's, a range of it, or one with options: the session's `print` shows it. */
static bool is_of_session(struct stepped *st, const char *text)
{
    char name[64];
    struct lane_array a;
    const size_t n = strcspn(text, "[ ");
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, text);
    const bool own = st->of == &st->sh->session && array_named(st->of, name) != NULL;
    const bool here = lane_array_named(st, name, &a) && a.shared;
    return own && !here && (!text[n] || text[n] == ' ' || strstr(text, ".."));
}

static int print_as_always(struct session *s, const char *text, struct report *r)
{
    struct words w;
    struct args a;
    struct err e = {0};
    char line[600];
    snprintf(line, sizeof line, "print %.590s", text);
    if (words_split(line, &w, &e) != 0)
        return report_fail_err(r, &e);
    int rc = args_parse(&command_print, &w, line, &a, &e);
    if (rc != 0) {
        report_fail_err(r, &e);
    } else {
        rc = command_print.run(s, a.options, r);
        args_free(&a);
    }
    words_free(&w);
    return rc;
}

void lane_number_json(struct json *j, const char *key, const struct lane_number *n)
{
    if (!n->is_real)
        json_int(j, key, n->whole);
    else if ((double)(float)n->real == n->real)
        json_f32(j, key, (float)n->real);
    else
        json_f64(j, key, n->real);
}

uint32_t stepping_values(struct stepped *st, struct lane_expression *x,
                         struct lane_number value[STEP_LANES], struct err *why)
{
    struct err e = {0};
    uint32_t done = 0, has = 0;
    *why = (struct err){0};
    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        struct lane_place p;
        enum lane_fault fault;
        if ((done >> lane & 1) || !frames_place(st, lane, &p))
            continue;
        p.lanes &= ~done;
        done |= p.lanes;
        e = (struct err){0};
        has |= lane_values(st, x, &p, value, &fault, &e);
        if (fault != LANE_RIGHT && !*why->text)
            *why = e;
    }
    return has;
}

/* -1: no lane has a value. */
static int all_lanes(struct stepped *st, const char *text, struct lane_number value[STEP_LANES],
                     uint32_t *has, struct report *r)
{
    struct err why = {0};
    struct lane_expression *x = lane_expression_read(text, &why);
    if (!x)
        return stepping_fail_in(r, text, &why);
    *has = stepping_values(st, x, value, &why);
    lane_expression_free(x);
    return *has ? 0 : stepping_fail_in(r, text, &why);
}

static int run_print(struct session *s, const void *given, struct report *r)
{
    const struct print_words *o = given;
    struct stepped *st = stepping_of(s, r);
    struct lane_number value[STEP_LANES];
    struct lane_text text[STEP_LANES];
    uint32_t has;
    if (!st)
        return -1;
    if (is_of_session(st, o->what))
        return print_as_always(s, o->what, r);
    if (all_lanes(st, o->what, value, &has, r) != 0)
        return -1;
    json_text(&r->result, "expression", o->what);
    json_array(&r->result, "values");
    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        if (has >> lane & 1) {
            lane_number_text(&value[lane], text[lane].text);
            lane_number_json(&r->result, NULL, &value[lane]);
        } else {
            json_null(&r->result, NULL);
        }
    }
    json_end_array(&r->result);
    stepping_say_row(r, o->what, text, has);
    return 0;
}

const struct command word_print = {
    .name = "print",
    .alias = "p",
    .kind = CLASS_STEP,
    .summary = "the value of an expression in all lanes, or an array as it is here",
    .operands =
        (const struct arg_spec[]){{.name = "EXPR",
                                   BIND(struct print_words, what),
                                   .type = ARG_REST,
                                   .required = true,
                                   .example = "threadIdx.x",
                                   .help = "as in s[threadIdx.x + 1] * 2; a register is %r5"},
                                  {0}},
    .size = sizeof(struct print_words),
    .never_inside = true,
    .run = run_print};

/* ---- schedule
 * ---------------------------------------------------------------------------------------- */

struct schedule_words {
    const char *name;
    int64_t n;
};

static int begin_again(struct stepped *st, const char *name, struct report *r)
{
    static const enum sim_schedule kinds[] = {SIM_LOCKSTEP, SIM_RANDOM, SIM_INDEPENDENT};
    struct schedule_range range;
    struct err e = {0};
    unsigned kind = 0;
    if (schedule_read(name, &range, &e) != 0)
        return report_fail_err(r, &e);
    if (range.runs > 1)
        return report_fail(r, "one launch is stepped, so write one seed, as in schedule random:7");
    if (strcmp(range.name, "random") == 0)
        kind = 1;
    else if (strcmp(range.name, "independent") == 0)
        kind = 2;
    if (stepper_begin_again(st->stepper, (int)kinds[kind],
                            range.seeded ? range.first : st->sh->session.settings.seed, &e) != 0) {
        stepping_end(st->sh);
        return report_fail_err(r, &e);
    }
    st->printed = 0;
    return stepping_show(st, STEP_THERE, r);
}

static int run_schedule(struct session *s, const void *given, struct report *r)
{
    const struct schedule_words *o = given;
    struct stepped *st = stepping_of(s, r);
    struct err e = {0};
    if (!st)
        return -1;
    const bool warp = strcmp(o->name, "warp") == 0, block = strcmp(o->name, "block") == 0;
    if (!warp && !block && o->n >= 0)
        return report_fail(r, "a number is for warp and block; a seed follows a colon, as in "
                              "schedule random:7");
    if (!warp && !block)
        return begin_again(st, o->name, r);
    if (o->n < 0)
        return report_fail(r, "write the number of the %s that goes first, as in schedule %s 1",
                           o->name, o->name);
    const struct step_focus f = stepper_focus(st->stepper);
    if (warp && (uint64_t)o->n >= step_look_blocks(st->stepper).warps)
        return report_fail(r, "a block has no warp %lld here", (long long)o->n);
    if (stepper_choose(st->stepper, block ? (uint64_t)o->n : f.block,
                       block ? STEP_ALL_WARPS : (unsigned)o->n, &e) != 0)
        return report_fail_err(r, &e);
    return stepping_show(st, STEP_THERE, r);
}

static const char *const schedule_words[] = {"lockstep", "independent", "random",
                                             "warp",     "block",       NULL};
const struct command word_schedule = {
    .name = "schedule",
    .kind = CLASS_STEP,
    .summary = "let a warp or a block go first from here, or begin again in another order",
    .operands =
        (const struct arg_spec[]){
            {.name = "NAME",
             BIND(struct schedule_words, name),
             .type = ARG_TEXT,
             .required = true,
             .choices = schedule_words,
             .example = "random:7",
             .help =
                 "warp or block, and N; or lockstep, random, independent, each from the begin; a "
                 "seed may follow, as in random:7"},
            {.name = "N",
             BIND(struct schedule_words, n),
             .type = ARG_INT,
             .lo = 0,
             .hi = INT_MAX,
             .initial = "-1",
             .help = "the number of the warp or block that goes first"},
            {0}},
    .size = sizeof(struct schedule_words),
    .never_inside = true,
    .run = run_schedule};

void choices_say(struct stepped *st, struct report *r)
{
    struct step_choice c;
    for (unsigned i = 0; stepper_choice(st->stepper, i, &c); i++)
        if (c.warp == STEP_ALL_WARPS)
            say_wrapped(r, 0, "From place %" PRIu64 " on, block %" PRIu64 " goes first.", c.place,
                        c.block);
        else
            say_wrapped(r, 0, "From place %" PRIu64 " on, warp %u of block %" PRIu64 " goes first.",
                        c.place, c.warp, c.block);
}

void choices_json(struct stepped *st, struct json *j)
{
    struct step_choice c;
    json_array(j, "choices");
    for (unsigned i = 0; stepper_choice(st->stepper, i, &c); i++) {
        json_object(j, NULL);
        json_uint(j, "place", c.place);
        json_uint(j, "block", c.block);
        if (c.warp != STEP_ALL_WARPS)
            json_uint(j, "warp", c.warp);
        json_end_object(j);
    }
    json_end_array(j);
}
