/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench runs a command once, and keeps what it launches as a sequence. On a GPU the whole sequence
 * is then run again and again, and timed (dev/timing.h). --compare does so with two commands, whose
 * runs alternate. The simulator measures nothing: there bench tells what was counted, and a modelled
 * time.
 */
#include "own/snapshot.h"
#include "repl/bench/bench.h"
#include "repl/commands.h"
#include "repl/inner.h"

#include <stdlib.h>
#include <string.h>

/* ---- running the commands ------------------------------------------------------------------ */

static int take_command(const struct bench *b, struct benched *of, const char *typed)
{
    struct err e;
    of->command = of->text = inner_line(typed);
    if (!of->text)
        return report_fail_limit(b->report, "out of memory");
    return inner_check(b->sh, "bench", of->text, &e) == 0 ? 0 : report_fail_err(b->report, &e);
}

/* Why the command can't be timed; 0: it can. */
static int check_caught(struct bench *b, const struct benched *of)
{
    struct report *r = b->report;
    if (b->sh->session.stop)
        return report_fail(r, "stopped");
    if (of->caught.errors)
        return report_fail(r, "`%.60s`: %.400s", of->command, of->caught.first.text);
    if (of->caught.faults) { /* they are in the report */
        r->status = REPORT_FAULT;
        return -1;
    }
    if (!b->sh->session.kept_launches)
        return report_fail(r,
                           "`%.60s` launches nothing that can be timed; take a lab or a launch, "
                           "for example bench trap",
                           of->command);
    return 0;
}

static int run_command(struct bench *b, struct benched *of)
{
    struct shell *sh = b->sh;
    session_keep_launches(&sh->session, (unsigned)(of - b->at) + 1);
    of->caught.outer = b->report;
    of->caught.sum = &of->sum;
    inner_run(sh, of->command, &of->caught);
    return check_caught(b, of);
}

/* A number that changes where arrays come or go. */
static uint64_t which_arrays(const struct session *s)
{
    uint64_t sum = 0;
    for (unsigned i = 0; s->own && i < s->own->count; i++)
        sum = sum * 31 + s->own->all[i]->address;
    return sum;
}

static int put_back(struct bench *b, const struct snapshot *before, uint64_t arrays)
{
    struct session *s = &b->sh->session;
    if (which_arrays(s) != arrays)
        return report_fail(b->report, "commands of --compare can't make or free arrays; make them "
                                      "before, so that both begin with the same ones");
    return snapshot_put_back(s, before, b->report);
}

/* Both of two commands begin with the same memory. */
static int run_commands(struct bench *b)
{
    struct session *s = &b->sh->session;
    struct snapshot before = {0};
    int failed = b->count > 1 ? snapshot_take(s, &before, b->report) : 0;
    const uint64_t arrays = which_arrays(s);
    for (unsigned i = 0; i < b->count && !failed; i++) {
        failed = i ? put_back(b, &before, arrays) : 0;
        failed = failed || run_command(b, &b->at[i]);
        b->at[i].launches = s->kept_launches;
    }
    if (b->count > 1)
        snapshot_drop(s, &before);
    return failed;
}

/* ---- the command --------------------------------------------------------------------------- */

static int bench_all(struct bench *b)
{
    if (run_commands(b))
        return -1;
    for (unsigned i = 0; i < b->count; i++)
        bench_find_launched(&b->at[i]);
    if (b->count > 1 && b->at[0].modelled_s > 0)
        b->modelled_ratio = b->at[1].modelled_s / b->at[0].modelled_s;
    if (b->measures && bench_measure(b))
        return -1;
    return bench_tell(b);
}

static int run_bench(struct session *session, const void *given, struct report *r)
{
    static const char *const names[COMMANDS_MOST] = {"A", "B"};
    const struct bench_options *o = given;
    struct bench b = {
        .sh = shell_of(session), .report = r, .options = o, .count = o->compare_given ? 2 : 1};
    const char *const typed[COMMANDS_MOST] = {o->compare_given ? o->compare.first : o->command.text,
                                              o->compare.second};
    if (!o->compare_given == !o->command.text)
        return report_fail(r, o->command.text ? "bench takes one command, or --compare with two"
                                         : "bench needs a command, for example bench trap");
    const bool on_gpu = session->device->ops->time != NULL;
    b.hidden = on_gpu && !r->volatile_on;
    b.measures = on_gpu && r->volatile_on;
    int failed = 0;
    for (unsigned i = 0; i < b.count; i++) {
        report_init(&b.at[i].sum);
        b.at[i].name = b.count > 1 ? names[i] : NULL;
        caught_begin(&b.at[i].caught, b.sh);
        failed = failed || take_command(&b, &b.at[i], typed[i]);
    }
    session->benching = true;
    failed = failed || bench_all(&b);
    session->benching = false;
    session_forget_launches(session);
    timing_free(&b.timing);
    for (unsigned i = 0; i < b.count; i++) {
        caught_free(&b.at[i].caught);
        report_free(&b.at[i].sum);
        buf_free(&b.at[i].kernels);
        free(b.at[i].text);
    }
    return failed ? -1 : 0;
}

const struct command command_bench = {
    .name = "bench", .kind = CLASS_KERNELS,
    .summary = "measure how long the kernels of a command take",
    .options = (const struct arg_spec[]){
        {OPTION(struct bench_options, compare), GIVEN(struct bench_options, compare),
         .value = "'CMD'", .type = ARG_PAIR, .help = "compare two commands, each in quotes"},
        {OPTION(struct bench_options, runs), GIVEN(struct bench_options, runs), .type = ARG_INT,
         .lo = 1, .hi = TIMING_RUNS_MOST, .initial = "1000",
         .help = "how many runs are timed, however long they take"},
        {OPTION(struct bench_options, seconds), GIVEN(struct bench_options, seconds),
         .value = "S", .type = ARG_REAL, .initial = "2",
         .help = "the seconds after which no more runs begin"},
        {OPTION(struct bench_options, warm),
         .help = "let each run find its input in the cache"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "CMD", BIND(struct bench_options, command), .type = ARG_LINE,
         .example = "trap", .help = "a lab, a launch, or several commands in quotes"}, {0}},
    .size = sizeof(struct bench_options), .never_inside = true, .run = run_bench};
