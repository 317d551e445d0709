/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that move a launch which is being stepped: each asks the stepper for one move, then
 * shows where the launch is. An empty line at the prompt repeats the last one.
 */
#include "repl/step/stepping.h"

#include "repl/commands.h"
#include "repl/step/frames.h"
#include "repl/step/points.h"
#include "repl/step/step.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- moves by a number ----------------------------------------------------------------------- */

struct move_options {
    int64_t n;
};

/* The move is kept for Enter, as it was typed. */
static void keep_move(struct stepped *st, const struct report *r)
{
    char *typed = r->typed ? strdup(r->typed) : NULL;
    if (!typed)
        return;
    free(st->last);
    st->last = typed;
}

static int show(struct stepped *st, enum step_stop stop, struct report *r)
{
    keep_move(st, r);
    return stepping_show(st, stop, r);
}

static bool is_ready(struct stepped *st)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct step_warp w;
    const struct step_group *g =
        step_look_warp(st->stepper, f.block, f.warp, &w) ? step_group_of(&w, f.lane) : NULL;
    return g && g->state == STEP_READY;
}

/* The next instruction of the lane in focus is a barrier. */
static bool is_before_barrier(struct stepped *st)
{
    const struct sim_instruction *next = stepper_next(st->stepper);
    return next && next->kind == SIM_CLASS_BARRIER && is_ready(st);
}

enum move { MOVE_LINE, MOVE_OVER, MOVE_INSTRUCTION };

static int run_move(struct session *s, const void *given, struct report *r, enum move move,
                    bool back)
{
    const struct move_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    const uint64_t n = (uint64_t)o->n;
    if (move == MOVE_INSTRUCTION) {
        const bool comes = !back && is_before_barrier(st);
        const enum step_stop stop = stepper_instructions(st->stepper, n, back);
        if (comes && n == 1 && stop == STEP_THERE && is_ready(st))
            say_wrapped(r, 0, "All threads that the barrier waits for have come. They can go on.");
        return show(st, stop, r);
    }
    return show(st, stepper_lines(st->stepper, n, move == MOVE_OVER, back), r);
}

#define MOVE(name, move, back) \
    static int run_##name(struct session *s, const void *o, struct report *r) \
    { \
        return run_move(s, o, r, move, back); \
    }
MOVE(line, MOVE_LINE, false)
MOVE(over, MOVE_OVER, false)
MOVE(instruction, MOVE_INSTRUCTION, false)
MOVE(rline, MOVE_LINE, true)
MOVE(rover, MOVE_OVER, true)
MOVE(rinstruction, MOVE_INSTRUCTION, true)

#define TIMES \
    (const struct arg_spec[]) { \
        {.name = "N", BIND(struct move_options, n), .type = ARG_INT, .lo = 1, .hi = INT_MAX, \
         .initial = "1", .help = "how many"}, {0} }
/* `step launch ...` would begin. */
static int unexpected_in_move(const struct words *w, unsigned at, struct err *e)
{
    if (num_looks(w->word[at]))
        return 0;
    return fail(e, "a launch is being stepped: `quit` ends that");
}

#define WORD_OF_MOVES(word, short, does, f) \
    static const struct command word_##f = { \
        .name = word, .alias = short, .kind = CLASS_STEP, .summary = does, .operands = TIMES, \
        .size = sizeof(struct move_options), .never_inside = true, .run = run_##f, \
        .unexpected = unexpected_in_move}
WORD_OF_MOVES("step", "s", "go to the next source line of the lane in focus", line);
WORD_OF_MOVES("next", "n", "the same, over the functions that it calls", over);
WORD_OF_MOVES("stepi", "si", "execute one PTX instruction of the warp in focus", instruction);
WORD_OF_MOVES("back", NULL, "go back one PTX instruction of the warp in focus", rinstruction);
WORD_OF_MOVES("rstep", "rs", "go back one source line of the lane in focus", rline);
WORD_OF_MOVES("rnext", "rn", "the same, over the functions that it called", rover);

/* ---- continue -------------------------------------------------------------------------------- */

static int run_on(struct session *s, struct report *r, bool back)
{
    struct stepped *st = stepping_of(s, r);
    return st ? show(st, stepper_continue(st->stepper, back), r) : -1;
}

static int run_continue(struct session *s, const void *o, struct report *r)
{
    (void)o;
    return run_on(s, r, false);
}

static int run_rcontinue(struct session *s, const void *o, struct report *r)
{
    (void)o;
    return run_on(s, r, true);
}

static const struct command word_continue = {
    .name = "continue", .alias = "c", .kind = CLASS_STEP, .never_inside = true,
    .summary = "run to the next breakpoint or watched access, or to the end", .run = run_continue};
static const struct command word_rcontinue = {
    .name = "rcontinue", .alias = "rc", .kind = CLASS_STEP, .never_inside = true,
    .summary = "the same backwards, or to the beginning", .run = run_rcontinue};

/* ---- finish, start, run ---------------------------------------------------------------------- */

static int run_finish(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    struct step_warp w;
    (void)o;
    if (!st)
        return -1;
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_group *g =
        step_look_warp(st->stepper, f.block, f.warp, &w) ? step_group_of(&w, f.lane) : NULL;
    if (g && !g->depth)
        return report_fail(r, "lane %u is in no function that the kernel calls, so none can finish: "
                              "`to end` goes to the end of the launch", f.lane);
    return show(st, stepper_finish(st->stepper), r);
}

static const struct command word_finish = {
    .name = "finish", .kind = CLASS_STEP, .never_inside = true,
    .summary = "run until the lane in focus has returned from its function", .run = run_finish};

static int run_start(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    (void)o;
    return st ? show(st, stepper_to_place(st->stepper, 0), r) : -1;
}

static int run_run(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    (void)o;
    if (!st)
        return -1;
    const enum step_stop stop = stepper_to_place(st->stepper, 0);
    return show(st, stop == STEP_THERE ? stepper_continue(st->stepper, false) : stop, r);
}

static const struct command word_start = {
    .name = "start", .kind = CLASS_STEP, .never_inside = true,
    .summary = "go back to the beginning, as `to begin`", .run = run_start,
    .unexpected = unexpected_in_move};
static const struct command word_run = {
    .name = "run", .kind = CLASS_STEP, .never_inside = true,
    .summary = "begin again and run to the next breakpoint, or to the end", .run = run_run,
    .unexpected = unexpected_in_move};

/* ---- until, to ------------------------------------------------------------------------------- */

struct until_options {
    int line;
};

static int run_until(struct session *s, const void *given, struct report *r)
{
    const struct until_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st || !stepping_has_line(st, o->line, r))
        return -1;
    return show(st, stepper_until(st->stepper, o->line, false), r);
}

static const struct command word_until = {
    .name = "until", .alias = "u", .kind = CLASS_STEP,
    .summary = "run until the warp in focus comes to a line",
    .operands = (const struct arg_spec[]){
        {.name = "LINE", BIND(struct until_options, line), .type = ARG_INT, .lo = 1, .hi = INT_MAX,
         .required = true, .example = "12", .help = "its number in the source"}, {0}},
    .size = sizeof(struct until_options), .never_inside = true, .run = run_until};

struct to_options {
    const char *where;
};

static int run_to(struct session *s, const void *given, struct report *r)
{
    const struct to_options *o = given;
    struct stepped *st = stepping_of(s, r);
    struct err e = {0};
    uint64_t place;
    if (!st)
        return -1;
    if (strcmp(o->where, "barrier") == 0)
        return show(st, stepper_to_barrier(st->stepper, false), r);
    if (strcmp(o->where, "divergence") == 0)
        return show(st, stepper_to_divergence(st->stepper, false), r);
    if (strcmp(o->where, "race") == 0) {
        keep_move(st, r);
        return stepping_to_race(st, r);
    }
    if (strcmp(o->where, "begin") == 0)
        return show(st, stepper_to_place(st->stepper, 0), r);
    if (strcmp(o->where, "end") == 0)
        return show(st, stepper_to_place(st->stepper, UINT64_MAX), r);
    if (num_uint(o->where, 0, UINT64_MAX - 1, &place, &e) == 0)
        return show(st, stepper_to_place(st->stepper, place), r);
    return report_fail(r, "there is no place `%.40s`: write to barrier, to divergence, to race, to "
                          "begin, to end, or to N, where N is a number of executed instructions",
                       o->where);
}

static const struct command word_to = {
    .name = "to", .kind = CLASS_STEP,
    .summary = "go to the next barrier, divergence or race, to begin or end, or to place N",
    .operands = (const struct arg_spec[]){
        {.name = "WHERE", BIND(struct to_options, where), .type = ARG_TEXT, .required = true,
         .choices = (const char *const[]){"barrier", "divergence", "race", "begin", "end", NULL},
         .example = "barrier",
         .help = "barrier, divergence, race, begin, end, or a place's number"}, {0}},
    .size = sizeof(struct to_options), .never_inside = true, .run = run_to};

/* ---- the focus ------------------------------------------------------------------------------- */

struct focus_options {
    int64_t n;
};

static int set_focus(struct session *s, struct step_focus f, const char *what, int64_t n,
                     struct report *r)
{
    struct stepped *st = shell_of(s)->stepping;
    if (!stepper_set_focus(st->stepper, f))
        return report_fail(r, "%s %lld isn't there at this place: it has not begun, it has ended, "
                              "or there is none of this number", what, (long long)n);
    return stepping_show(st, STEP_THERE, r);
}

static int run_block(struct session *s, const void *given, struct report *r)
{
    const struct focus_options *o = given;
    struct stepped *st = stepping_of(s, r);
    return st ? set_focus(s, (struct step_focus){.block = (uint64_t)o->n}, "block", o->n, r) : -1;
}

static int run_warp(struct session *s, const void *given, struct report *r)
{
    const struct focus_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    const struct step_focus f = {stepper_focus(st->stepper).block, (unsigned)o->n, 0};
    return set_focus(s, f, "warp", o->n, r);
}

static int run_lane(struct session *s, const void *given, struct report *r)
{
    const struct focus_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    struct step_focus f = stepper_focus(st->stepper);
    f.lane = (unsigned)o->n;
    return set_focus(s, f, "lane", o->n, r);
}

static int run_thread(struct session *s, const void *given, struct report *r)
{
    const struct focus_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    const struct step_focus f = {stepper_focus(st->stepper).block, (unsigned)o->n / STEP_LANES,
                                 (unsigned)o->n % STEP_LANES};
    return set_focus(s, f, "thread", o->n, r);
}

#define WORD_OF_FOCUS(word, does, f) \
    static const struct command word_##f = { \
        .name = word, .kind = CLASS_STEP, .summary = does, \
        .operands = (const struct arg_spec[]){ \
            {.name = "N", BIND(struct focus_options, n), .type = ARG_INT, .lo = 0, .hi = INT_MAX, \
             .required = true, .example = "1", .help = "its number, from 0 on"}, {0}}, \
        .size = sizeof(struct focus_options), .never_inside = true, .run = run_##f}
WORD_OF_FOCUS("block", "look at another block", block);
WORD_OF_FOCUS("warp", "look at another warp of the block", warp);
WORD_OF_FOCUS("lane", "look at another lane of the warp", lane);
WORD_OF_FOCUS("thread", "look at a thread of the block", thread);

/* ---- looking, leaving ------------------------------------------------------------------------ */

static int run_list(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    (void)o;
    return st ? stepping_show(st, STEP_THERE, r) : -1;
}

static const struct command word_list = {
    .name = "list", .alias = "l", .kind = CLASS_STEP, .never_inside = true,
    .summary = "show again where the launch is", .run = run_list};

static int run_quit(struct session *s, const void *o, struct report *r)
{
    (void)o;
    stepping_end(shell_of(s));
    say_wrapped(r, 0, "The launch is left. All arrays are as before it.");
    json_bool(&r->result, "left", true);
    return 0;
}

static const struct command word_quit = {
    .name = "quit", .alias = "q", .kind = CLASS_STEP, .never_inside = true,
    .summary = "leave the launch that is stepped; a second `quit` ends cudalab", .run = run_quit};

const struct command *const stepping_words[] = {
    &word_line, &word_over, &word_instruction, &word_finish, &word_rinstruction, &word_rline,
    &word_rover, &word_continue, &word_rcontinue, &word_until, &word_to, &word_start, &word_run,
    &word_block, &word_warp, &word_lane, &word_thread, &word_break, &word_watch, &word_delete,
    &word_print, &word_display, &word_undisplay, &word_info, &word_where, &word_up, &word_down,
    &word_frame, &word_schedule, &word_list, &word_quit, NULL};

/* None of these may end the stepping: they live as long as it. */
const struct stepping_synonym stepping_synonyms[] = {
    {"advance", &word_until}, {"backtrace", &word_where}, {"reverse-continue", &word_rcontinue},
    {"reverse-next", &word_rover}, {"reverse-step", &word_rline},
    {"reverse-stepi", &word_rinstruction}, {NULL, NULL}};
