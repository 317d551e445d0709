/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the runs of `bench` say: numbers of a sample, shares of what the card can do, and for two
 * commands the ratio of their times.
 */
#include "repl/bench/bench.h"

#include "base/mem.h"
#include "labkit/props.h"

#include <string.h>

enum { COMPARED_PLACES = 31, KERNELS_SHOWN = 3, USUAL_RUNS = 1000, LEAST_RUNS = 3 };
#define RATIO_CONFIDENCE 0.999 /* it needs the ratios of at least 11 places */
#define CLOCK_STEP_S     0.5e-6 /* of events, as NVIDIA documents it */
#define DRIFT_TOLD       0.02

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

/* 0: not all launches have a modelled time. */
static double modelled_s(const struct benched *of)
{
    struct model_time all;
    return report_modelled(&of->sum, &all) ? all.seconds : 0;
}

void bench_find_launched(struct benched *of)
{
    enum { SECTOR = 32 };
    const struct counters *c = &of->sum.counters;
    of->several = of->launches > 1;
    of->counted = of->sum.has_counters;
    of->warp_instructions = c->warp_instructions;
    of->sector_bytes = SECTOR * (c->global_load_sectors + c->global_store_sectors);
    of->modelled_s = modelled_s(of);
    of->modelled_ms = of->modelled_s * 1e3;
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
        return report_fail_limit(b->report, "out of memory; take fewer runs");
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

/* What was counted, each second. Each of an SM's partitions starts at most one instruction a cycle. */
static void find_rate(const struct bench *b, struct benched *of)
{
    const struct device_props *p = &b->sh->session.device->props;
    const struct capability *c = capability_of(p->major, p->minor);
    of->has_rate = of->counted && of->sample.median > 0;
    if (!of->has_rate)
        return;
    of->instructions_s = (double)of->warp_instructions / of->sample.median;
    of->billions_s = of->instructions_s / 1e9;
    const double peak =
        c ? 1e3 * (double)c->partitions * p->multiprocessors * (double)p->clock_khz : 0;
    of->of_issue = peak > 0 ? of->instructions_s / peak : 0;
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
    of->graph = s->graph;
    of->copies = s->copies;
    of->rotated_bytes = s->rotated_bytes;
    of->rotated = s->copies > 1;
    of->array_bytes = s->array_bytes;
    find_bytes(b, of);
    find_rate(b, of);
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
    return room && *ratios ? 0 : report_fail_limit(b->report, "out of memory; take fewer runs");
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

int bench_measure(struct bench *b)
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
