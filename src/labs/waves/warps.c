/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warps that hide each other's waits. Each does rounds of one load, which needs what the last one
 * brought, and some steps that need it. What a round is made of is counted in a run; how long a
 * load takes is an assumption that the student sets, in instructions that fit into it. From both
 * follows by arithmetic how much of an SM's time its warps fill. On a GPU the clocks are read.
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

/* Thread t's load leads to t + stride, and so on; and its steps go from there. */
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
    uint32_t *next = mem_get(&allocator_libc, words * sizeof *next);
    if (!next)
        return report_fail(r, "out of memory");
    for (unsigned i = 0; i < words; i++)
        next[i] = i + threads;
    int failed = lab_array(s, words * sizeof *next, "next", next, &next_at, r) ||
                 lab_array(s, sizeof out, "out", NULL, &out_at, r) ||
                 lab_array(s, sizeof clocks, "clocks", NULL, &clocks_at, r) ||
                 lab_launch(s, &l, &result, r,
                            PARAMS(next_at, out_at, clocks_at, (int)w->rounds, (int)w->steps));
    mem_put(&allocator_libc, next, words * sizeof *next);
    if (failed)
        return -1;
    if (result.fault_count) {
        failed = report_fault(r, result.faults[0].kind, "%s", result.faults[0].message);
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

/* What a round is made of: two runs that differ in their number of rounds alone. */
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
};

/* A round of one of so many warps: its own work and wait, or the others' work if that is more. */
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

/* As many that their work fills the wait of one. */
static unsigned warps_needed(const struct waits *w)
{
    return (w->instructions + w->latency + w->instructions - 1) / w->instructions * w->schedulers;
}

/* ---- a launch --------------------------------------------------------------------------- */

/* How many warps such a launch brings to an SM, blocks being dealt out evenly; 0: none asked. */
static unsigned warps_brought(const struct args *args, const struct device_props *p)
{
    if (!arg_has(args, "B"))
        return 0;
    const struct occupancy_want each = {arg_has(args, "T") ? (int)arg_int(args, "T") : 256, 0,
                                        (uint64_t)arg_int(args, "smem")};
    const struct occupancy o = occupancy_of(p, &each);
    const int64_t most = (arg_int(args, "B") + p->multiprocessors - 1) / p->multiprocessors;
    return (unsigned)((most < o.blocks ? most : o.blocks) * o.warps_per_block);
}

static void say_brought(const struct waits *w, unsigned warps, struct report *r)
{
    if (!warps)
        return;
    say_item(r, "this grid", "brings at most %u warps to an SM: %.1f %% of its time, modelled",
             warps, in_use(w, warps) * 100);
    json_uint(&r->result, "warps_brought", warps);
    json_f64(&r->result, "modelled_use", in_use(w, warps));
}

/* ---- what is shown ---------------------------------------------------------------------- */

static void say_bars_of(const struct waits *w, const struct warps_run *runs, bool measured,
                        struct report *r)
{
    struct bar bars[SIZES];
    char label[SIZES][16], shown[SIZES][80];
    unsigned n = 0;
    json_array(&r->result, "by_warps");
    for (unsigned i = 0; i < SIZES && sizes[i] <= w->room; i++, n++) {
        const double used = in_use(w, sizes[i]);
        int at = snprintf(shown[n], sizeof shown[n], "%.1f %%", used * 100);
        snprintf(label[n], sizeof label[n], "%2u", sizes[i]);
        bars[n] = (struct bar){label[n], used, shown[n]};
        json_object(&r->result, NULL);
        json_uint(&r->result, "warps", sizes[i]);
        json_f64(&r->result, "modelled_use", used);
        json_f64(&r->result, "modelled_round", round_of(w, sizes[i]));
        if (measured && sizes[i] <= IN_A_BLOCK) {
            snprintf(shown[n] + at, sizeof shown[n] - (size_t)at, ", %.0f clocks a round measured",
                     runs[i].clocks);
            json_f64(&r->result, "measured_clocks", runs[i].clocks);
        }
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
    say(r, "\n");
    say_heading(r, "by warps on the SM: its instructions' time in use, modelled");
    say_bars(r, bars, n);
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
            if (r->plain) /* told in the order of time; drawn last, so that it can be seen */
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

static void say_result(const struct waits *w, const struct warps_run *runs, bool measured,
                       struct report *r)
{
    const unsigned needed = warps_needed(w);
    struct buf verdict;
    buf_init(&verdict);
    buf_printf(&verdict, needed <= w->room ? "hidden by %u warps; an SM here has room for %u"
                                           : "%u warps would hide it; an SM here has room for %u",
               needed, w->room);
    say_item_text(r, "wait", &verdict);
    say_item(r, "a round", "%u instructions of a warp, counted; one of them loads",
             w->instructions);
    say_item(r, "assumed", "the load takes as long as %u instructions (--latency); %u schedulers, "
             "an instruction each at a time", w->latency, w->schedulers);
    say_bars_of(w, runs, measured, r);
    draw(w, r);
    json_uint(&r->result, "instructions", w->instructions);
    json_uint(&r->result, "latency", w->latency);
    json_uint(&r->result, "schedulers", w->schedulers);
    json_uint(&r->result, "warps_needed", needed);
    json_uint(&r->result, "max_warps", w->room);
}

static void explain(const struct waits *w, unsigned steps, struct report *r)
{
    struct slots s;
    const unsigned needed = warps_needed(w);
    slots_init(&s);
    slot(&s, "instructions", "%u", w->instructions);
    slot(&s, "latency", "%u", w->latency);
    slot(&s, "schedulers", "%u", w->schedulers);
    slot(&s, "needed", "%u", needed);
    slot(&s, "room", "%u", w->room);
    slot(&s, "one", "%.1f", in_use(w, 1) * 100);
    slot(&s, "full", "%.1f", in_use(w, w->room) * 100);
    slot(&s, "more", "%u", steps * 4 < MOST_STEPS ? steps * 4 : MOST_STEPS);
    lab_explain_slots(r, "waves", needed <= w->room ? "hidden" : "exposed", &s);
}

int waves_warps(struct session *s, const struct args *args, struct report *r)
{
    const struct device_props *p = &s->device->props;
    const struct capability *c = capability_of(p->major, p->minor);
    const int64_t steps = arg_given(args, "work") ? arg_int(args, "work") : STEPS;
    struct warps_run runs[SIZES] = {{0}};
    struct waits w = {.latency = (unsigned)arg_int(args, "latency"),
                      .schedulers = (unsigned)c->partitions,
                      .room = (unsigned)(p->max_threads_per_sm / p->warp_size)};
    bool right = true;
    if (steps > MOST_STEPS)
        return report_fail(r, "--work %lld: with --warps at most %d steps between two loads",
                           (long long)steps, MOST_STEPS);
    say_head(r, s, "waves --warps: who works while a load is under way");
    if (count_round(s, (unsigned)steps, &w.instructions, r))
        return -1;
    for (unsigned i = 0; i < SIZES && sizes[i] <= IN_A_BLOCK; i++) {
        runs[i] = (struct warps_run){.warps = sizes[i], .rounds = ROUNDS, .steps = (unsigned)steps};
        if (launch(&runs[i], s, false, r))
            return -1;
        right = right && runs[i].right;
    }
    say_brought(&w, warps_brought(args, p), r);
    say_result(&w, runs, session_on_gpu(s) && r->volatile_on, r);
    json_bool(&r->result, "ok", right);
    explain(&w, (unsigned)steps, r);
    return right ? 0 : report_fail(r, "a warp's numbers came out wrong");
}
