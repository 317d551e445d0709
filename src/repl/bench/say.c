/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How `bench` tells what it has found: tables of facts, the steps of the host as bars, and what makes
 * the times less certain.
 */
#include "repl/bench/bench.h"

#include "labkit/run.h"
#include "screen/facts.h"
#include "screen/pen.h"

#include <stdio.h>

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
    {FACT(struct benched, modelled_s), .if_set = true},
    {.name = "modelled_ms", FACT_AT(struct benched, modelled_ms), .only = FACT_IN_TEXT,
     .format = "%.3g", .head = "modelled ms", .right = true, .if_set = true},
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
    {FACT(struct benched, graph), WHEN(struct benched, timed)},
    {FACT(struct benched, copies), WHEN(struct benched, timed)},
    {FACT(struct benched, rotated_bytes), .as = AS_GROUP, WHEN(struct benched, rotated)},
    {FACT(struct benched, array_bytes), .as = AS_GROUP, WHEN(struct benched, has_bytes)},
    {.name = "array_gb_s", FACT_AT(struct benched, gb_s), .format = "%.4g",
     WHEN(struct benched, has_bytes)},
    {.name = "share_of_peak", FACT_AT(struct benched, of_peak), .as = AS_PERCENT,
     WHEN(struct benched, has_peak)},
    {.name = "share_of_copy", FACT_AT(struct benched, of_copy), .as = AS_PERCENT,
     WHEN(struct benched, has_copy)},
    {.name = "warp_instructions_per_s", FACT_AT(struct benched, instructions_s),
     WHEN(struct benched, has_rate)},
    {.name = "billions_s", FACT_AT(struct benched, billions_s), .only = FACT_IN_TEXT,
     .format = "%.4g"},
    {.name = "share_of_issue", FACT_AT(struct benched, of_issue), .as = AS_PERCENT,
     .if_set = true},
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
    {.label = "launches", .says = "{launches}{several? in each run|}{graph?, as a graph|}: {kernels}"},
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
    {.label = "time", WHEN(struct benched, modelled_s),
     .says = "{modelled_ms} ms{several? for all launches|}, modelled (help time)"},
    {.label = "counted", WHEN(struct benched, counted),
     .says = "{warp_instructions} warp instructions; sectors of {sector_bytes} bytes in all"},
    {.label = "rate", WHEN(struct benched, has_rate),
     .says = "{billions_s} billion warp instructions a second"
             "{share_of_issue?, {share_of_issue} % of what the schedulers can start|}"},
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

static const struct fact modelled_facts[] = {
    {.name = "modelled_ratio", FACT_AT(struct bench, modelled_ratio), .format = "%.3g",
     .if_set = true, .label = "ratio",
     .says = "B takes {modelled_ratio} times as long as A, modelled (help time)"},
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

/* ---- the steps of the host ------------------------------------------------------------------- */

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
        say_item(r, "times", "the simulator measures none; `set device gpu` measures, where there is a GPU");
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
    } else {
        facts_tell(modelled_facts, b, r);
    }
    say_notes(b);
    return 0;
}

int bench_tell(struct bench *b)
{
    return b->count > 1 ? tell_both(b) : tell_one(b);
}
