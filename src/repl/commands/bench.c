/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench runs a command once, and keeps what it launches as a sequence. On a GPU the whole sequence
 * is then run again and again, and timed (dev/timing.h). --compare does so with two commands, whose
 * runs take turns. The simulator measures nothing: there bench tells what was counted.
 */
#include "base/mem.h"
#include "labkit/props.h"
#include "labkit/times.h"
#include "own/snapshot.h"
#include "repl/commands.h"
#include "repl/inner.h"
#include "screen/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* COMPARED_PLACES: of so many ratios an interval holds with a confidence of 99.9 %. */
enum {
    COMMANDS_MOST = TIMING_SEQUENCES,
    COMPARED_PLACES = 31,
    KERNELS_SHOWN = 3,
    USUAL_RUNS = 1000,
    LEAST_RUNS = 3
};
#define USUAL_SECONDS    2.0
#define RATIO_CONFIDENCE 0.999
#define CLOCK_STEP_S     0.5e-6 /* of events, as NVIDIA documents it */
#define DRIFT_TOLD       0.02

struct bench_options {
    int runs;
    bool runs_given, seconds_given, warm, compare_given;
    double seconds;
    struct arg_pair compare;
    const char *command;
};

/* ---- what is found --------------------------------------------------------------------------- */

/* One of the commands. */
struct benched {
    const char *command, *name; /* name: A or B */
    char *text;                 /* the command, where it had quotes */
    struct caught caught;
    struct report sum; /* of all that it launched */
    struct buf kernels;
    const char *kernels_text;
    unsigned launches;
    bool several; /* launches */
    bool counted;
    uint64_t warp_instructions, sector_bytes;
    /* Of a GPU: */
    bool timed, rotated, stays, drifts, has_bytes, has_peak, has_copy;
    struct sample sample;
    double median_ms, fastest_ms, mean_ms, lower_ms, upper_ms, lo_ms, hi_ms, percent;
    uint64_t copies, rotated_bytes, array_bytes;
    double gb_s, of_peak, of_copy, drift;
};

struct bench {
    struct shell *sh;
    struct report *report;
    const struct bench_options *options;
    struct benched at[COMMANDS_MOST];
    unsigned count;
    struct timing timing;
    bool measures, hidden;
    double peak_gb_s, copy_gb_s;
    bool has_copy, has_clock, too_little_memory, warm;
    uint64_t l2_bytes;
    int sm_mhz, sm_mhz_most, others;
    const char *slowed;
    double ratio, ratio_lo, ratio_hi, ratio_confidence, ratio_percent;
    unsigned groups;
};

#define IN_TEXT(S, m) {.name = #m, FACT_AT(S, m), .only = FACT_IN_TEXT, .format = "%.4g"}

static const struct fact facts[] = {
    {.name = "name", FACT_AT(struct benched, name), .if_set = true, .head = ""},
    {FACT(struct benched, command), .head = "command", .folds = true},
    {FACT(struct benched, launches), .as = AS_GROUP, .head = "launches", .right = true,
     .gives_way = 2},
    {.name = "kernels", FACT_AT(struct benched, kernels_text)},
    {.name = "several", FACT_AT(struct benched, several), .only = FACT_IN_TEXT},
    {FACT(struct benched, warp_instructions), .as = AS_GROUP, WHEN(struct benched, counted),
     .head = "warp instructions", .right = true},
    {FACT(struct benched, sector_bytes), .as = AS_GROUP, WHEN(struct benched, counted),
     .head = "bytes of sectors", .right = true, .gives_way = 1},
    {.name = "runs", FACT_AT(struct benched, sample.count), WHEN(struct benched, timed),
     .as = AS_GROUP},
    {.name = "min_s", FACT_AT(struct benched, sample.least), WHEN(struct benched, timed)},
    {.name = "median_s", FACT_AT(struct benched, sample.median), WHEN(struct benched, timed)},
    {.name = "mean_s", FACT_AT(struct benched, sample.mean), WHEN(struct benched, timed)},
    {.name = "lower_quartile_s", FACT_AT(struct benched, sample.lower),
     WHEN(struct benched, timed)},
    {.name = "upper_quartile_s", FACT_AT(struct benched, sample.upper),
     WHEN(struct benched, timed)},
    {.name = "median_lo_s", FACT_AT(struct benched, sample.lo), WHEN(struct benched, timed)},
    {.name = "median_hi_s", FACT_AT(struct benched, sample.hi), WHEN(struct benched, timed)},
    {.name = "confidence", FACT_AT(struct benched, sample.confidence),
     WHEN(struct benched, timed)},
    {.name = "drift", FACT_AT(struct benched, drift), WHEN(struct benched, timed)},
    {FACT(struct benched, copies), WHEN(struct benched, timed)},
    {FACT(struct benched, rotated_bytes), .as = AS_GROUP, WHEN(struct benched, rotated)},
    {FACT(struct benched, array_bytes), .as = AS_GROUP, WHEN(struct benched, has_bytes)},
    {.name = "array_gb_s", FACT_AT(struct benched, gb_s), .format = "%.4g",
     WHEN(struct benched, has_bytes)},
    {.name = "share_of_peak", FACT_AT(struct benched, of_peak), .as = AS_PERCENT,
     WHEN(struct benched, has_peak)},
    {.name = "share_of_copy", FACT_AT(struct benched, of_copy), .as = AS_PERCENT,
     WHEN(struct benched, has_copy)},
    {.name = "median_ms", FACT_AT(struct benched, median_ms), .only = FACT_IN_TEXT,
     .format = "%.4g", .head = "median ms", .right = true, WHEN(struct benched, timed)},
    {.name = "fastest_ms", FACT_AT(struct benched, fastest_ms), .only = FACT_IN_TEXT,
     .format = "%.4g", .head = "fastest", .right = true, .gives_way = 1,
     WHEN(struct benched, timed)},
    IN_TEXT(struct benched, mean_ms),
    IN_TEXT(struct benched, lower_ms),
    IN_TEXT(struct benched, upper_ms),
    IN_TEXT(struct benched, lo_ms),
    IN_TEXT(struct benched, hi_ms),
    {.name = "percent", FACT_AT(struct benched, percent), .only = FACT_IN_TEXT, .format = "%.3g"},
    {.name = NULL},
};

static const struct fact lines[] = {
    {.label = "launches", .says = "{launches}{several? in each run|}: {kernels}"},
    {.label = "median", WHEN(struct benched, timed),
     .says = "{median_ms} ms, between {lo_ms} and {hi_ms} with a confidence of {percent} %"},
    {.label = "runs", WHEN(struct benched, timed),
     .says = "{runs}: fastest {fastest_ms} ms, mean {mean_ms}, half of them between {lower_ms} and "
             "{upper_ms}"},
    {.label = "input", WHEN(struct benched, rotated),
     .says = "the runs use {copies} copies of the arrays in turn, {rotated_bytes} bytes in all"},
    {.label = "bytes", WHEN(struct benched, has_bytes),
     .says = "{array_bytes} in the arrays of {several?all launches|the launch}: {array_gb_s} GB/s"
             "{share_of_peak?, {share_of_peak} % of the peak|}"
             "{share_of_copy?, {share_of_copy} % of a plain copy|}"},
    {.label = "counted", WHEN(struct benched, counted),
     .says = "{warp_instructions} warp instructions; sectors of {sector_bytes} bytes in all"},
    {.label = NULL},
};

/* Facts of all of it. */
static const struct fact card_facts[] = {
    {FACT(struct bench, warm), WHEN(struct bench, measures)},
    {FACT(struct bench, l2_bytes), .as = AS_GROUP, .if_set = true},
    {.name = "peak_gb_s", FACT_AT(struct bench, peak_gb_s), .format = "%.4g", .if_set = true},
    {FACT(struct bench, copy_gb_s), .format = "%.4g", .if_set = true,
     .label = "copy",
     .says = "a plain copy on the card moves {copy_gb_s} GB/s, read and written"
             "{peak_gb_s?; the peak is {peak_gb_s}|}"},
    {FACT(struct bench, sm_mhz), WHEN(struct bench, has_clock), .label = "clock",
     .says = "the multiprocessors ran at {sm_mhz} MHz{sm_mhz_most?, of at most {sm_mhz_most}|}"
             "{slowed?; slowed down by {slowed}|}"},
    {FACT(struct bench, sm_mhz_most), .if_set = true},
    {.name = "slowed", FACT_AT(struct bench, slowed), .if_set = true},
    {.name = "other_processes", FACT_AT(struct bench, others), .if_set = true, .label = "others",
     .says = "{other_processes other process} used the card too: the times may be too long"},
    {.name = NULL},
};

static const struct fact ratio_facts[] = {
    {FACT(struct bench, ratio), .format = "%.3f"},
    {FACT(struct bench, ratio_lo), .format = "%.3f"},
    {FACT(struct bench, ratio_hi), .format = "%.3f"},
    {FACT(struct bench, ratio_confidence)},
    {.name = "ratio_groups", FACT_AT(struct bench, groups), .as = AS_GROUP},
    {.name = "ratio_percent", FACT_AT(struct bench, ratio_percent), .only = FACT_IN_TEXT,
     .format = "%.4g"},
    {.label = "ratio",
     .says = "B takes {ratio} times as long as A, between {ratio_lo} and {ratio_hi} with a "
             "confidence of {ratio_percent} %"},
    {.name = NULL},
};

/* ---- running the commands ------------------------------------------------------------------ */

static int take_command(const struct bench *b, struct benched *of, const char *typed)
{
    struct err e;
    of->command = of->text = inner_line(typed);
    if (!of->text)
        return report_fail(b->report, "out of memory");
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

/* Both of two commands begin with the same memory. */
static int run_commands(struct bench *b)
{
    struct session *s = &b->sh->session;
    struct snapshot before = {0};
    int failed = b->count > 1 ? snapshot_take(s, &before, b->report) : 0;
    for (unsigned i = 0; i < b->count && !failed; i++) {
        failed = i ? snapshot_put_back(s, &before, b->report) : 0;
        failed = failed || run_command(b, &b->at[i]);
        b->at[i].launches = s->kept_launches;
    }
    if (b->count > 1)
        snapshot_drop(s, &before);
    return failed;
}

/* ---- what was launched ---------------------------------------------------------------------- */

/* "dot_partials, dot_finish", "heat_step (100 times)" */
static void name_kernels(struct benched *of)
{
    const struct report *r = &of->sum;
    unsigned shown = 0;
    for (unsigned i = 0; i < r->launch_count; i++) {
        unsigned before = 0, all = 0;
        for (unsigned k = 0; k < r->launch_count; k++) {
            const bool same = strcmp(r->launches[k].kernel, r->launches[i].kernel) == 0;
            before += same && k < i;
            all += same;
        }
        if (before)
            continue;
        if (shown++ == KERNELS_SHOWN) {
            buf_puts(&of->kernels, ", ...");
            break;
        }
        buf_printf(&of->kernels, "%s%s", of->kernels.len ? ", " : "", r->launches[i].kernel);
        if (all > 1)
            buf_printf(&of->kernels, " (%u times)", all);
    }
    of->kernels_text = buf_text(&of->kernels);
}

static void find_counts(struct benched *of)
{
    enum { SECTOR = 32 };
    const struct counters *c = &of->sum.counters;
    of->several = of->launches > 1;
    of->counted = of->sum.has_counters;
    of->warp_instructions = c->warp_instructions;
    of->sector_bytes = SECTOR * (c->global_load_sectors + c->global_store_sectors);
    name_kernels(of);
}

/* ---- timing --------------------------------------------------------------------------------- */

static struct timing_want wanted(const struct bench *b)
{
    const struct bench_options *o = b->options;
    struct timing_want w = {.sequences = b->count,
                            .least = LEAST_RUNS,
                            .most = USUAL_RUNS,
                            .seconds = o->seconds,
                            .warm = o->warm,
                            .copy = true,
                            .steps = b->count == 1,
                            .places = b->count > 1 ? COMPARED_PLACES : 0};
    const double left = budget_left(&b->sh->session.budget, 1e9);
    if (o->runs_given)
        w.least = w.most = (uint32_t)o->runs;
    else if (o->seconds_given)
        w.most = TIMING_RUNS_MOST;
    w.seconds = w.seconds < left / 2 ? w.seconds : left / 2;
    w.warm_up = w.seconds / 10;
    return w;
}

static int find_drift(const struct bench *b, struct benched *of, const double *seconds)
{
    const uint32_t runs = b->timing.facts.runs;
    double *room = mem_alloc(&allocator_libc, runs * sizeof *room);
    if (!room)
        return report_fail(b->report, "out of memory; take fewer runs");
    of->drift = sample_drift(seconds, runs, room);
    of->drifts = of->drift > DRIFT_TOLD || of->drift < -DRIFT_TOLD;
    mem_free(&allocator_libc, room, runs * sizeof *room);
    return 0;
}

static void find_bytes(const struct bench *b, struct benched *of)
{
    of->has_bytes = of->array_bytes > 0 && of->sample.median > 0;
    of->gb_s = of->has_bytes ? (double)of->array_bytes / of->sample.median / 1e9 : 0;
    of->has_peak = of->has_bytes && b->peak_gb_s > 0;
    of->of_peak = of->has_peak ? of->gb_s / b->peak_gb_s : 0;
    of->has_copy = of->has_bytes && b->copy_gb_s > 0;
    of->of_copy = of->has_copy ? of->gb_s / b->copy_gb_s : 0;
}

/* Sorts the times: what needs their order comes before. */
static int find_times(struct bench *b, struct benched *of)
{
    const unsigned i = (unsigned)(of - b->at);
    const struct timing_sequence *s = &b->timing.facts.of[i];
    double *seconds = b->timing.seconds[i];
    if (find_drift(b, of, seconds))
        return -1;
    sample_of(seconds, b->timing.facts.runs, TIMES_CONFIDENCE, &of->sample);
    of->timed = true;
    of->median_ms = of->sample.median * 1e3;
    of->fastest_ms = of->sample.least * 1e3;
    of->mean_ms = of->sample.mean * 1e3;
    of->lower_ms = of->sample.lower * 1e3;
    of->upper_ms = of->sample.upper * 1e3;
    of->lo_ms = of->sample.lo * 1e3;
    of->hi_ms = of->sample.hi * 1e3;
    of->percent = of->sample.confidence * 100;
    of->copies = s->copies;
    of->rotated_bytes = s->rotated_bytes;
    of->rotated = s->copies > 1;
    of->array_bytes = s->array_bytes;
    find_bytes(b, of);
    return 0;
}

/* Runs that use the same copies of the arrays are a group. Where more copies are used than a group
 * has runs, or only one, the groups are made of runs that follow each other. */
static unsigned groups_of(const struct timing_facts *f, unsigned in_a_row)
{
    enum { LEAST = 4 }; /* runs of a group */
    const unsigned most = f->runs / LEAST / in_a_row;
    unsigned n = most;
    for (int i = 0; i < TIMING_SEQUENCES; i++)
        n = f->of[i].copies > 1 && f->of[i].copies < n ? f->of[i].copies : n;
    return n ? n : 1;
}

static int find_ratios(const struct bench *b, double **ratios, unsigned *count)
{
    const struct timing_facts *f = &b->timing.facts;
    const unsigned in_a_row = f->of[0].runs_of_a_copy;
    const struct pairs pairs = {.a = b->timing.seconds[0],
                                .b = b->timing.seconds[1],
                                .count = f->runs,
                                .groups = groups_of(f, in_a_row),
                                .in_a_row = in_a_row};
    const size_t bytes = f->runs * sizeof **ratios;
    double *room = mem_alloc(&allocator_libc, bytes);
    *ratios = mem_alloc(&allocator_libc, bytes);
    if (room && *ratios)
        *count = sample_ratios(&pairs, *ratios, room);
    mem_free(&allocator_libc, room, bytes);
    return room && *ratios ? 0 : report_fail(b->report, "out of memory; take fewer runs");
}

/* The interval is wider by what the events can't tell apart. */
static double blur(const struct bench *b, unsigned i)
{
    const struct sample *s = &b->at[i].sample;
    const double step = sample_step(b->timing.seconds[i], s->count);
    return (step > 0 && step < CLOCK_STEP_S ? step : CLOCK_STEP_S) / s->median;
}

static void take_ratio(struct bench *b, double *ratios, unsigned count)
{
    struct sample s;
    sample_of(ratios, count, RATIO_CONFIDENCE, &s);
    const double wider = s.median * (blur(b, 0) + blur(b, 1));
    b->ratio = s.median;
    b->ratio_lo = s.lo - wider;
    b->ratio_hi = s.hi + wider;
    b->ratio_confidence = s.confidence;
    b->ratio_percent = s.confidence * 100;
    b->groups = count;
}

static const char *slowed_by(int64_t bits)
{
    return bits <= 0                   ? NULL
           : bits & SLOWED_BY_HEAT     ? "heat"
           : bits & SLOWED_BY_HARDWARE ? "the hardware's protection"
           : bits & SLOWED_BY_POWER    ? "the limit of its power"
                                       : "a setting of its clocks";
}

static void find_card(struct bench *b)
{
    const struct timing_facts *f = &b->timing.facts;
    b->peak_gb_s = peak_gb_s(&b->sh->session.device->props);
    b->copy_gb_s = f->copy_s > 0 ? 2 * (double)f->copy_bytes / f->copy_s / 1e9 : 0;
    b->l2_bytes = f->l2_bytes;
    b->warm = b->options->warm;
    b->too_little_memory = f->too_little_memory;
    b->has_clock = f->after.sm_mhz > 0;
    b->sm_mhz = f->after.sm_mhz;
    b->sm_mhz_most = f->after.sm_mhz_most > 0 ? f->after.sm_mhz_most : 0;
    b->slowed = slowed_by(f->after.slowed_by);
    b->others = f->after.others > 0 ? f->after.others : 0;
}

static int measure(struct bench *b)
{
    const struct timing_want want = wanted(b);
    double *ratios = NULL;
    unsigned count = 0;
    if (session_time_launches(&b->sh->session, &want, &b->timing, b->report))
        return -1;
    find_card(b);
    int failed = b->count > 1 ? find_ratios(b, &ratios, &count) : 0;
    for (unsigned i = 0; i < b->count && !failed; i++)
        failed = find_times(b, &b->at[i]);
    if (ratios && !failed)
        take_ratio(b, ratios, count);
    mem_free(&allocator_libc, ratios, b->timing.facts.runs * sizeof *ratios);
    return failed;
}

/* ---- the steps of the host --------------------------------------------------------------------
 */

struct host_row {
    const char *step, *by, *one, *many;
    uint64_t count, bytes;
    double seconds;
    char shown[80];
};

static const struct fact step_facts[] = {
    {FACT(struct host_row, step)},
    {FACT(struct host_row, by)},
    {FACT(struct host_row, count)},
    {FACT(struct host_row, bytes), .if_set = true},
    {FACT(struct host_row, seconds)},
    {.name = NULL},
};

/* "0.1234 ms: 3 arrays, 8,388,608 bytes" */
static void show_row(struct host_row *row)
{
    char count[NUM_TEXT], bytes[NUM_TEXT];
    const int n =
        snprintf(row->shown, sizeof row->shown, "%.4g ms: %s %s", row->seconds * 1e3,
                 num_group((int64_t)row->count, count), row->count == 1 ? row->one : row->many);
    if (row->bytes && n > 0 && (size_t)n < sizeof row->shown)
        snprintf(row->shown + n, sizeof row->shown - (size_t)n, ", %s bytes",
                 num_group((int64_t)row->bytes, bytes));
}

/* The kernels are timed by the card, everything else by the host. */
static unsigned find_rows(const struct bench *b, struct host_row rows[HOST_STEPS])
{
    static const struct host_row words[HOST_STEPS] = {
        [HOST_ALLOCATE] = {"allocate", "cudaMalloc", "array", "arrays"},
        [HOST_COPY_IN] = {"copy in", "cudaMemcpy", "copy", "copies"},
        [HOST_LAUNCH] = {"launch", "<<<>>>", "call", "calls"},
        [HOST_KERNELS] = {"kernels", "the GPU", "launch", "launches"},
        [HOST_COPY_OUT] = {"copy out", "cudaMemcpy", "copy", "copies"}};
    unsigned n = 0;
    for (int k = 0; k < HOST_STEPS; k++) {
        const struct timing_step *s = &b->timing.facts.steps[k];
        const double seconds = k == HOST_KERNELS ? b->at[0].sample.median : s->seconds;
        if (!s->count || seconds <= 0)
            continue;
        rows[n] = words[k];
        rows[n].count = s->count;
        rows[n].bytes = s->bytes;
        rows[n].seconds = seconds;
        show_row(&rows[n++]);
    }
    return n;
}

static void tell_steps(const struct bench *b)
{
    struct report *r = b->report;
    struct host_row rows[HOST_STEPS];
    struct bar bars[HOST_STEPS];
    const unsigned n = find_rows(b, rows);
    for (unsigned i = 0; i < n; i++)
        bars[i] = (struct bar){rows[i].step, rows[i].seconds, rows[i].shown};
    say(r, "\n");
    say_heading(r, "steps of a program that does the same");
    say_bars(r, bars, n);
    facts_json_rows(step_facts, "steps", rows, n, sizeof rows[0], &r->result);
}

/* ---- telling ------------------------------------------------------------------------------- */

static void say_of(const struct fact *rows, const struct benched *of, struct report *r)
{
    struct slots s = {0};
    slots_facts(&s, facts, of);
    facts_say_slots(rows, of, &s, r);
}

static void say_drift(struct bench *b, const struct benched *of)
{
    char name[8] = "";
    if (b->count > 1)
        snprintf(name, sizeof name, " of %s", of->name);
    if (of->drifts)
        say_item(b->report, "change",
                 "the last third of the runs%s took %.3g %% %s than the first: "
                 "the clocks changed, or something else used the card",
                 name, 100 * (of->drift > 0 ? of->drift : -of->drift),
                 of->drift > 0 ? "longer" : "less");
}

static void say_notes(struct bench *b)
{
    struct report *r = b->report;
    for (unsigned i = 0; i < b->count; i++)
        say_drift(b, &b->at[i]);
    if (b->too_little_memory)
        say_item(r, "input",
                 "the card has too little memory left for more copies of the arrays: "
                 "a run may find some of its input in the cache");
    if (b->hidden)
        say_item(r, "times", "hidden here; `set volatile on` has them measured and shown");
    else if (!b->measures)
        say_item(r, "times", "the simulator measures none; a GPU does (`set device gpu`)");
}

static int tell_one(struct bench *b)
{
    struct report *r = b->report;
    const struct benched *of = &b->at[0];
    say_head(r, &b->sh->session, of->command);
    say_of(lines, of, r);
    facts_json(facts, of, &r->result);
    if (of->timed) {
        facts_tell(card_facts, b, r);
        report_times(r, &of->sample);
    }
    say_notes(b);
    if (of->timed)
        tell_steps(b);
    return report_add_up(r, &of->sum);
}

static int tell_both(struct bench *b)
{
    struct report *r = b->report;
    say_head(r, &b->sh->session, "two commands, with their runs in turn");
    facts_say_rows(facts, b->at, b->count, sizeof b->at[0], 2, r);
    facts_json_rows(facts, "commands", b->at, b->count, sizeof b->at[0], &r->result);
    if (b->at[0].timed) {
        facts_tell(ratio_facts, b, r);
        facts_tell(card_facts, b, r);
    }
    say_notes(b);
    return 0;
}

/* ---- the command --------------------------------------------------------------------------- */

static int bench_all(struct bench *b)
{
    if (run_commands(b))
        return -1;
    for (unsigned i = 0; i < b->count; i++)
        find_counts(&b->at[i]);
    if (b->measures && measure(b))
        return -1;
    return b->count > 1 ? tell_both(b) : tell_one(b);
}

static int run_bench(struct session *session, const void *given, struct report *r)
{
    static const char *const names[COMMANDS_MOST] = {"A", "B"};
    const struct bench_options *o = given;
    struct bench b = {
        .sh = shell_of(session), .report = r, .options = o, .count = o->compare_given ? 2 : 1};
    const char *const typed[COMMANDS_MOST] = {o->compare_given ? o->compare.first : o->command,
                                              o->compare.second};
    if (session->benching)
        return report_fail(r, "bench can't run inside bench; type it as a command of its own");
    if (!o->compare_given == !o->command)
        return report_fail(r, o->command ? "bench takes one command, or --compare with two"
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
        {.name = "CMD", BIND(struct bench_options, command), .type = ARG_INNER,
         .example = "trap", .help = "a lab, a launch, or several commands in quotes"}, {0}},
    .hint = "the options of bench go before the command, as in bench --runs 100 trap -n 2^20",
    .size = sizeof(struct bench_options), .never_inside = true, .run = run_bench};
