/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warps that hide each other's waits. Each warp does rounds of one load, whose address the previous
 * load brought, and some steps that need the loaded value. The instructions of a round are counted
 * in a run. How long a load takes is an assumption that the student sets, as a number of
 * instructions. From both follows how much of an SM's time its warps fill. On a GPU clocks are
 * read.
 */
#include "base/mem.h"
#include "labs/waves/work.h"
#include "labkit/lab.h"
#include "screen/pen.h"

#include <stdio.h>

enum { ROUNDS = 16, FEWER_ROUNDS = 8, LANES = 32, IN_A_BLOCK = 32, MOST_STEPS = 4096, STEPS = 8 };
static const unsigned sizes[] = {1, 2, 4, 8, 16, 32, 48, 64};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- a run ------------------------------------------------------------------------------ */

struct warps_run {
    unsigned warps, rounds, steps;
    bool right;
    double clocks;         /* a round, from the first warp's begin to the last one's end */
    uint64_t instructions; /* of warps, counted; 0: not counted */
};

/* Each load of a thread leads to the place `threads` further on; its steps begin with that value.
 * */
static bool check(const struct warps_run *w, const uint32_t *out)
{
    const unsigned threads = w->warps * LANES;
    for (unsigned t = 0; t < threads; t++) {
        uint32_t at = t, x = t;
        for (unsigned i = 0; i < w->rounds; i++) {
            at += threads;
            x = waves_after_steps(x ^ at, w->steps);
        }
        if (out[2 * t] != at || out[2 * t + 1] != x)
            return false;
    }
    return true;
}

static double clocks_a_round(const struct warps_run *w, const uint64_t *clocks)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < w->warps; i++) {
        first = clocks[2 * i] < first ? clocks[2 * i] : first;
        last = clocks[2 * i + 1] > last ? clocks[2 * i + 1] : last;
    }
    return (double)(last - first) / w->rounds;
}

static int launch(struct warps_run *w, struct session *s, bool counts, struct report *r)
{
    enum { MOST = IN_A_BLOCK * LANES };
    const unsigned threads = w->warps * LANES, words = threads * (w->rounds + 1);
    uint32_t out[2 * MOST];
    uint64_t clocks[2 * IN_A_BLOCK], next_at, out_at, clocks_at;
    struct launch_result result;
    const struct lab_launch l = {.module = "waves", .kernel = "waves_warps", .grid = {1, 1, 1},
                                 .block = {threads, 1, 1}, .schedule = "lockstep",
                                 .counts = counts, .quiet = true};
    uint32_t *next = mem_alloc(&allocator_libc, words * sizeof *next);
    if (!next)
        return report_fail_limit(r, "out of memory");
    for (unsigned i = 0; i < words; i++)
        next[i] = i + threads;
    int failed = lab_array(s, words * sizeof *next, "next", next, &next_at, r) ||
                 lab_array(s, sizeof out, "out", NULL, &out_at, r) ||
                 lab_array(s, sizeof clocks, "clocks", NULL, &clocks_at, r) ||
                 lab_launch(s, &l, &result, r,
                            PARAMS(next_at, out_at, clocks_at, (int)w->rounds, (int)w->steps));
    mem_free(&allocator_libc, next, words * sizeof *next);
    if (failed)
        return -1;
    if (result.fault_count) {
        failed = report_fault_like(r, &result.faults[0], "%s", result.faults[0].message);
    } else {
        w->instructions = result.has_counters ? result.counters.warp_instructions : 0;
        failed = session_fetch(s, out, out_at, 2 * threads * sizeof *out, r) ||
                 session_fetch(s, clocks, clocks_at, 2 * w->warps * sizeof *clocks, r);
    }
    launch_result_free(&result);
    if (failed)
        return -1;
    w->right = check(w, out);
    w->clocks = clocks_a_round(w, clocks);
    return 0;
}

/* How many instructions a round has, by two runs that differ only in the number of rounds. */
static int count_round(struct session *s, unsigned steps, unsigned *instructions, struct report *r)
{
    struct warps_run some = {.warps = 1, .rounds = FEWER_ROUNDS, .steps = steps};
    struct warps_run more = {.warps = 1, .rounds = ROUNDS, .steps = steps};
    if (launch(&some, s, true, r) || launch(&more, s, true, r))
        return -1;
    *instructions = (unsigned)((more.instructions - some.instructions) / (ROUNDS - FEWER_ROUNDS));
    return *instructions ? 0 : report_fail(r, "the instructions of a round were not counted");
}

/* ---- the arithmetic --------------------------------------------------------------------- */

/* All times are in instructions of one scheduler. */
struct waits {
    unsigned instructions, latency, schedulers, room; /* room: warps that an SM has */
    unsigned brought, needed, more_work; /* brought: by the grid that was asked for */
    double brought_use, one_use, full_use; /* the part of an SM's time that so many warps fill */
    bool hidden, right;
    const struct by_warps *row;
    unsigned rows;
};

/* How long a round takes with so many warps: a warp's own work and wait, or the work of all warps
 * of its scheduler if that is more. */
static double round_of(const struct waits *w, unsigned warps)
{
    const unsigned each = (warps + w->schedulers - 1) / w->schedulers;
    const double alone = (double)w->instructions + w->latency;
    const double others = (double)each * w->instructions;
    return alone > others ? alone : others;
}

static double in_use(const struct waits *w, unsigned warps)
{
    return (double)warps * w->instructions / (w->schedulers * round_of(w, warps));
}

/* So many warps that the work of the others fills the wait of one. */
static unsigned warps_needed(const struct waits *w)
{
    return (w->instructions + w->latency + w->instructions - 1) / w->instructions * w->schedulers;
}

/* ---- a launch --------------------------------------------------------------------------- */

/* How many warps such a launch brings to an SM if blocks are spread evenly; 0: no B was given. */
static unsigned warps_brought(const struct waves_options *o, const struct device_props *p)
{
    const struct occupancy_want each = {o->threads ? (int)o->threads : 256, 0, o->smem};
    const struct occupancy fits = occupancy_of(p, &each);
    const int most = ((int)o->blocks + p->multiprocessors - 1) / p->multiprocessors;
    return (unsigned)((most < fits.blocks ? most : fits.blocks) * fits.warps_per_block);
}

static void work_out(struct waits *w, unsigned steps)
{
    w->needed = warps_needed(w);
    w->hidden = w->needed <= w->room;
    w->brought_use = w->brought ? in_use(w, w->brought) : 0;
    w->one_use = in_use(w, 1);
    w->full_use = in_use(w, w->room);
    w->more_work = steps * 4 < MOST_STEPS ? steps * 4 : MOST_STEPS;
}

/* ---- what is shown ---------------------------------------------------------------------- */

struct by_warps {
    unsigned warps;
    double use, round, clocks;
    bool measured;
};

static const struct fact by_warps[] = {
    {FACT(struct by_warps, warps)},
    {.name = "modelled_use", FACT_AT(struct by_warps, use)},
    {.name = "modelled_round", FACT_AT(struct by_warps, round)},
    {.name = "measured_clocks", FACT_AT(struct by_warps, clocks), WHEN(struct by_warps, measured)},
    {.name = NULL},
};

static void put_by_warps(struct json *j, const void *found)
{
    const struct waits *w = found;
    facts_json_rows(by_warps, "by_warps", w->row, w->rows, sizeof w->row[0], j);
}

static const struct fact facts[] = {
    {.name = "warps_brought", FACT_AT(struct waits, brought), .if_set = true},
    {.name = "modelled_use", FACT_AT(struct waits, brought_use), .as = AS_PERCENT, .if_set = true},
    {.put = put_by_warps},
    {FACT(struct waits, instructions)},
    {FACT(struct waits, latency)},
    {FACT(struct waits, schedulers)},
    {.name = "warps_needed", FACT_AT(struct waits, needed)},
    {.name = "max_warps", FACT_AT(struct waits, room)},
    {.name = "ok", FACT_AT(struct waits, right)},
    {FACT(struct waits, hidden), .only = FACT_IN_TEXT},
    {FACT(struct waits, one_use), .as = AS_PERCENT, .only = FACT_IN_TEXT},
    {FACT(struct waits, full_use), .as = AS_PERCENT, .only = FACT_IN_TEXT},
    {FACT(struct waits, more_work), .only = FACT_IN_TEXT},
    {.label = "this grid", FACT_AT(struct waits, brought), .if_set = true,
     .says = "brings at most {warps_brought} warps to an SM: {modelled_use} % of its time, "
             "modelled"},
    {.label = "wait",
     .says = "{hidden?hidden by {warps_needed} warps|{warps_needed} warps would hide it}; an SM "
             "here has room for {max_warps}"},
    {.label = "a round",
     .says = "{instructions} instructions of a warp, counted; one of them loads"},
    {.label = "assumed",
     .says = "the load takes as long as {latency} instructions (--latency); {schedulers} "
             "schedulers, an instruction each at a time"},
    {.name = NULL},
};

static void say_bars_of(const struct by_warps *rows, unsigned count, struct report *r)
{
    struct bar bars[SIZES];
    char label[SIZES][16], shown[SIZES][80];
    for (unsigned i = 0; i < count; i++) {
        const struct by_warps *b = &rows[i];
        int at = snprintf(shown[i], sizeof shown[i], "%.1f %%", b->use * 100);
        snprintf(label[i], sizeof label[i], "%2u", b->warps);
        bars[i] = (struct bar){label[i], b->use, shown[i]};
        if (b->measured)
            snprintf(shown[i] + at, sizeof shown[i] - (size_t)at, ", %.0f clocks a round measured",
                     b->clocks);
    }
    say(r, "\n");
    say_heading(r, "by warps on the SM: its instructions' time in use, modelled");
    say_bars(r, bars, count);
}

/* The first two rounds of four warps that share a scheduler. */
static void draw(const struct waits *w, struct report *r)
{
    enum { WARPS = 4, TURNS = 2, SPANS = WARPS * TURNS * 3 };
    static const char *const rows[WARPS] = {"warp 0", "warp 1", "warp 2", "warp 3"};
    static const char *const kinds[] = {"works", "waits for its load", "ready, waits for its turn"};
    struct time_span spans[SPANS];
    const double work = w->instructions, period = round_of(w, WARPS * w->schedulers);
    struct timeline t = {.rows = rows, .row_count = WARPS, .kinds = kinds, .kind_count = 2,
                         .spans = spans, .unit = "instructions"};
    for (unsigned i = 0; i < WARPS; i++)
        for (unsigned k = 0; k < TURNS; k++) {
            const double from = i * work + k * period, back = from + work + w->latency;
            const struct time_span works = {i, 0, from, from + work};
            if (r->plain) /* sentences follow time; a picture draws it last, on top */
                spans[t.span_count++] = works;
            spans[t.span_count++] = (struct time_span){i, 1, from + work, back};
            if (from + period > back) {
                spans[t.span_count++] = (struct time_span){i, 2, back, from + period};
                t.kind_count = 3;
            }
            if (!r->plain)
                spans[t.span_count++] = works;
        }
    say(r, "\n");
    say_heading(r, "four warps of one scheduler, modelled");
    say_timeline(r, &t);
}

static void tell(struct waits *w, const struct warps_run *runs, bool measured, struct report *r)
{
    struct by_warps rows[SIZES];
    w->row = rows;
    for (unsigned i = 0; i < SIZES && sizes[i] <= w->room; i++)
        rows[w->rows++] = (struct by_warps){.warps = sizes[i],
                                            .use = in_use(w, sizes[i]),
                                            .round = round_of(w, sizes[i]),
                                            .clocks = runs[i].clocks,
                                            .measured = measured && sizes[i] <= IN_A_BLOCK};
    facts_tell(facts, w, r);
    say_bars_of(rows, w->rows, r);
    draw(w, r);
}

int waves_warps(struct session *s, const struct waves_options *o, struct report *r)
{
    const struct device_props *p = &s->device->props;
    const unsigned steps = o->work ? o->work : STEPS;
    struct warps_run runs[SIZES] = {{0}};
    struct waits w = {.latency = o->latency,
                      .schedulers = (unsigned)capability_of(p->major, p->minor)->partitions,
                      .room = (unsigned)(p->max_threads_per_sm / p->warp_size),
                      .brought = warps_brought(o, p),
                      .right = true};
    if (steps > MOST_STEPS)
        return report_fail(r, "--work %u: with --warps at most %d steps between two loads", steps,
                           MOST_STEPS);
    say_head(r, s, "waves --warps: who works while a load is under way");
    if (count_round(s, steps, &w.instructions, r))
        return -1;
    for (unsigned i = 0; i < SIZES && sizes[i] <= IN_A_BLOCK; i++) {
        runs[i] = (struct warps_run){.warps = sizes[i], .rounds = ROUNDS, .steps = steps};
        if (launch(&runs[i], s, false, r))
            return -1;
        w.right = w.right && runs[i].right;
    }
    work_out(&w, steps);
    tell(&w, runs, session_on_gpu(s) && r->volatile_on, r);
    lab_explain(r, "waves", w.hidden ? "hidden" : "exposed", facts, &w);
    return w.right ? 0 : report_fail(r, "a warp has wrong numbers");
}
