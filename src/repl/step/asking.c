/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of stepping that ask: the value of an expression in all lanes, and where the lanes are.
 * Another schedule begins the launch again.
 */
#include "repl/step/points.h"

#include "labkit/ladder/schedule.h"
#include "own/arrays.h"
#include "repl/commands.h"
#include "repl/step/step.h"
#include "repl/step/values.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

/* ---- print ------------------------------------------------------------------------------------------ */

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

static void put_number(struct json *j, const char *key, const struct lane_number *n)
{
    if (!n->is_real)
        json_int(j, key, n->whole);
    else if ((double)(float)n->real == n->real)
        json_f32(j, key, (float)n->real);
    else
        json_f64(j, key, n->real);
}

/* The lanes that have a value, their values, and why others have none. -1: no lane can have one. */
static int all_lanes(struct stepped *st, const char *text, struct lane_number value[STEP_LANES],
                     uint32_t *has, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct step_warp w;
    struct err e = {0};
    *has = 0;
    if (!step_look_warp(st->stepper, f.block, f.warp, &w))
        return report_fail(r, "no lane is running here, so there is no value");
    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        if (!(w.alive >> lane & 1))
            continue;
        const enum lane_fault fault = lane_value(st, lane, text, &value[lane], &e);
        if (fault == LANE_WRONG)
            return report_fail_err(r, &e);
        *has |= (uint32_t)(fault == LANE_RIGHT) << lane;
    }
    return *has ? 0 : report_fail_err(r, &e);
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
            put_number(&r->result, NULL, &value[lane]);
        } else {
            json_null(&r->result, NULL);
        }
    }
    json_end_array(&r->result);
    stepping_say_row(r, o->what, text, has);
    return 0;
}

const struct command word_print = {
    .name = "print", .alias = "p", .kind = CLASS_KERNELS,
    .summary = "the value of an expression in all lanes, or an array as it is here",
    .operands = (const struct arg_spec[]){
        {.name = "EXPR", BIND(struct print_words, what), .type = ARG_REST, .required = true,
         .example = "threadIdx.x", .help = "as in s[threadIdx.x + 1] * 2; a register is %r5"}, {0}},
    .size = sizeof(struct print_words), .never_inside = true, .run = run_print};

/* ---- where ------------------------------------------------------------------------------------------ */

static int run_where(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    struct step_warp w;
    (void)o;
    if (!st)
        return -1;
    const struct step_focus f = stepper_focus(st->stepper);
    if (!step_look_warp(st->stepper, f.block, f.warp, &w) || !w.count) {
        say(r, "No lane of this warp is running here.\n");
        return 0;
    }
    for (unsigned i = 0; i < w.count; i++) {
        const struct step_group *g = &w.group[i];
        const struct text_file file = stepping_source(st, g->next);
        struct buf text = {0};
        char function[96];
        cxx_readable(g->next->function, function, sizeof function);
        stepping_lanes(g->mask, &text);
        buf_printf(&text, " in %s", function);
        if (g->next->line)
            buf_printf(&text, ", %s%s%d", file.name ? file.name : "line ", file.name ? ":" : "",
                       g->next->line);
        if (g->depth)
            buf_printf(&text, ", %u call%s below the kernel", g->depth, g->depth == 1 ? "" : "s");
        if (g->state != STEP_READY)
            buf_printf(&text, ", %s", stepping_state_name(g->state));
        say_wrapped(r, 2, "%s", buf_text(&text));
        buf_free(&text);
    }
    stepping_json(st, STEP_THERE, r);
    return 0;
}

const struct command word_where = {
    .name = "where", .alias = "bt", .kind = CLASS_KERNELS, .never_inside = true,
    .summary = "in which functions and lines the lanes of the warp are", .run = run_where};

/* ---- schedule ---------------------------------------------------------------------------------------- */

struct schedule_words {
    const char *name;
};

static int run_schedule(struct session *s, const void *given, struct report *r)
{
    static const enum sim_schedule kinds[] = {SIM_LOCKSTEP, SIM_RANDOM, SIM_INDEPENDENT};
    const struct schedule_words *o = given;
    struct stepped *st = stepping_of(s, r);
    struct schedule_range range;
    struct err e = {0};
    unsigned kind = 0;
    if (!st)
        return -1;
    if (schedule_read(o->name, &range, &e) != 0)
        return report_fail_err(r, &e);
    if (range.runs > 1)
        return report_fail(r, "one launch is stepped, so write one seed, as in schedule random:7");
    if (strcmp(range.name, "random") == 0)
        kind = 1;
    else if (strcmp(range.name, "independent") == 0)
        kind = 2;
    if (stepper_begin_again(st->stepper, (int)kinds[kind],
                            range.seeded ? range.first : s->settings.seed, &e) != 0) {
        stepping_end(st->sh);
        return report_fail_err(r, &e);
    }
    st->printed = 0;
    return stepping_show(st, STEP_THERE, r);
}

const struct command word_schedule = {
    .name = "schedule", .kind = CLASS_KERNELS,
    .summary = "begin again, with the warps and blocks in another order",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct schedule_words, name), .type = ARG_TEXT, .required = true,
         .choices = schedule_names, .example = "random:7",
         .help = "lockstep, random, or independent; a seed may follow, as in random:7"}, {0}},
    .size = sizeof(struct schedule_words), .never_inside = true, .run = run_schedule};
