/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * banks: the 32 lanes of a warp ask shared memory for one element each. Word w lives in bank
 * w mod 32, and a bank serves one word a pass; the passes that a kernel needed are counted
 * and held against the rule worked out in plain C (labkit/banks.c).
 */
#include "labkit/banks.h"
#include "labkit/lab.h"
#include "labkit/run.h"

#include <stdio.h>

struct bank_run {
    struct bank_access access;
    bool trace, quiet;
    /* What came out: */
    bool right;  /* the values are */
    uint64_t wavefronts;
    struct launch_result result; /* to be freed */
};

enum { LANES = BANK_LANES, ROOM = LANES * 4, MOST_PAD = 64 };

static unsigned bytes_of(const struct bank_run *w)
{
    return (unsigned)bank_elements(&w->access) * (unsigned)w->access.bytes;
}

static uint64_t most_bytes(const struct session *s)
{
    const struct device_props *p = &s->device->props;
    return p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
}

static bool fits(const struct bank_run *w, const struct session *s)
{
    return !most_bytes(s) || bytes_of(w) <= most_bytes(s);
}

static int check_fits(const struct bank_run *w, const struct session *s, struct report *r)
{
    uint64_t most = most_bytes(s);
    if (fits(w, s))
        return 0;
    return report_fail(r,
                       "this access needs %u bytes, and a block has %llu bytes of shared memory "
                       "here; with %d bytes per element, stride and pad together are at most %llu",
                       bytes_of(w), (unsigned long long)most, w->access.bytes,
                       (unsigned long long)((most / (unsigned)w->access.bytes - 1) / (LANES - 1)));
}

/* Did each lane get its words, or leave its mark in its element? Word w holds w before. */
static bool check(const struct bank_run *w, const float *out, int words)
{
    int size = w->access.bytes / 4;
    for (int lane = 0; lane < LANES; lane++) {
        int first = w->access.element[lane] * size;
        float mark = w->access.store && first < words ? -out[first] - 1 : 0;
        if (w->access.store &&
            (mark < 0 || mark >= LANES || w->access.element[(int)mark] != w->access.element[lane]))
            return false;
        for (int k = 0; !w->access.store && k < size; k++)
            if (out[lane * size + k] != (float)(first + k))
                return false;
    }
    return true;
}

/* What the pattern's own access took: the filling before it goes in order, a pass a row. */
static uint64_t passes_counted(const struct bank_run *w, unsigned words)
{
    const struct counters *c = &w->result.counters;
    return w->access.store ? c->shared_store_wavefronts - (words + LANES - 1) / LANES
                           : c->shared_load_wavefronts;
}

enum { KERNEL_NAME = 24 };

static void kernel_name(const struct bank_run *w, char name[KERNEL_NAME])
{
    snprintf(name, KERNEL_NAME, "banks%d%s", w->access.bytes, w->access.store ? "_store" : "");
}

/* How many floats the kernel leaves: what it read, or all of shared memory after it wrote there. */
static unsigned floats_out(const struct bank_run *w)
{
    const unsigned words = bytes_of(w) / 4;
    return w->access.store && words > ROOM ? words : ROOM;
}

static int bank_run(struct bank_run *w, struct session *s, struct report *r)
{
    char kernel[KERNEL_NAME];
    uint64_t index, out;
    const unsigned bytes = bytes_of(w), words = bytes / 4, room = floats_out(w);
    kernel_name(w, kernel);
    const struct lab_launch l = {.module = "banks", .together = true,
                                 .kernel = kernel,
                                 .grid = {1, 1, 1},
                                 .block = {LANES, 1, 1},
                                 .shared_bytes = bytes,
                                 .counts = true,
                                 .trace = w->trace,
                                 .quiet = w->quiet};
    float *got = mem_alloc(&allocator_libc, room * sizeof *got);
    if (!got)
        return report_fail_limit(r, "out of memory; a smaller stride needs less");
    int failed = check_fits(w, s, r) ||
                 lab_array(s, sizeof w->access.element, "index", w->access.element, &index, r) ||
                 lab_array(s, room * sizeof *got, "out", NULL, &out, r) ||
                 lab_launch(s, &l, &w->result, r, PARAMS(index, out, (int)words));
    if (!failed && launch_result_ended(&w->result)) {
        const struct fault *why = &w->result.faults[w->result.fault_count - 1];
        if (w->quiet)
            report_fault_like(r, why, "%s", why->message);
        launch_result_free(&w->result);
        failed = -1;
    }
    if (!failed) {
        failed = session_fetch(s, got, out, room * sizeof *got, r);
        w->right = !failed && check(w, got, (int)words);
        w->wavefronts = passes_counted(w, words);
    }
    mem_free(&allocator_libc, got, room * sizeof *got);
    return failed ? -1 : 0;
}

static void say_bank_run(const struct bank_run *w, const struct bank_passes *p, struct report *r)
{
    char conflict[40];
    int n = snprintf(conflict, sizeof conflict, "no conflict");
    if (p->degree > 1)
        n = snprintf(conflict, sizeof conflict, "%s %d-way conflict",
                     p->degree == 8 || p->degree == 11 || p->degree == 18 ? "an" : "a", p->degree);
    struct buf verdict = {0};
    buf_printf(&verdict, "%llu wavefront%s", (unsigned long long)w->wavefronts,
               w->wavefronts == 1 ? "" : "s");
    if (w->wavefronts > (uint64_t)p->ideal)
        buf_printf(&verdict, " where %d would do", p->ideal);
    buf_puts(&verdict, ": ");
    paint(r, &verdict, p->degree > 1 ? INK_BAD : INK_GOOD, conflict, (size_t)n);
    say(r, "\n");
    say_item_text(r, "", &verdict);
    say_item(r, "", "the lab predicted %d wavefront%s%s", p->wavefronts,
             p->wavefronts == 1 ? "" : "s",
             w->access.banks != LANES ? "; it did not run a kernel"
             : w->right && w->access.store ? "; the written values are right"
             : w->right               ? "; each lane read the right value"
                                      : ", BUT THE VALUES ARE WRONG");
}

/* The least padding that mends this run's conflicts, tried as a kernel too; *best -1 where none
 * does. */
static int say_bank_padding(const struct bank_run *w, const struct bank_pattern *given, int *best,
                            struct session *s, struct report *r)
{
    struct bank_pattern pattern = *given;
    struct bank_run fixed = {.access = w->access, .quiet = true};
    *best = bank_best_pad(&pattern, &fixed.access, MOST_PAD);
    if (*best < 0 || fixed.access.banks != LANES)
        return 0;
    pattern.pad = *best;
    bank_place(&pattern, &fixed.access);
    if (!fits(&fixed, s)) {
        say_item(r, "", "--pad %d would fix it, but no block here has so much shared memory",
                 *best);
        return 0;
    }
    if (bank_run(&fixed, s, r))
        return -1;
    say_item(r, "", "with --pad %d: %llu, also counted in a run", *best,
             (unsigned long long)fixed.wavefronts);
    launch_result_free(&fixed.result);
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

static const char *const widths[] = {"4", "8", "16", NULL};
static const char *const types[] = {"float", "float2", "float4"};
static const char *const bank_counts[] = {"32", "16", NULL};

struct banks_options {
    struct lab_options lab;
    int stride, width, banks, pad; /* width and banks: which of their choices */
    bool stride_given, store, grid;
    const char *pattern;
};

struct banks_work {
    struct bank_pattern pattern;
    struct bank_passes predicted;
    struct bank_run run;
    int distance; /* from one lane's element to that of the next */
    int groups;   /* words of an element */
    int best_pad, mend; /* the padding that helps, and the one to speak of */
    char kernel[KERNEL_NAME];
    unsigned shared_bytes, words, out_bytes; /* of the launch that --calls shows */
    bool has_best_pad, ok;
};

static const struct fact facts[] = {
    {.name = "stride", FACT_AT(struct banks_work, pattern.stride)},
    {.name = "width", FACT_AT(struct banks_work, run.access.bytes)},
    {.name = "degree", FACT_AT(struct banks_work, predicted.degree)},
    {.name = "wavefronts", FACT_AT(struct banks_work, run.wavefronts)},
    {.name = "predicted", FACT_AT(struct banks_work, predicted.wavefronts)},
    {.name = "banks", FACT_AT(struct banks_work, run.access.banks)},
    {.name = "pad", FACT_AT(struct banks_work, pattern.pad)},
    {FACT(struct banks_work, best_pad), WHEN(struct banks_work, has_best_pad)},
    {FACT(struct banks_work, ok)},
    {.name = "ideal", FACT_AT(struct banks_work, predicted.ideal), .only = FACT_IN_TEXT},
    {.name = "together", FACT_AT(struct banks_work, predicted.together), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, distance), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, groups), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, mend), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, kernel), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, shared_bytes), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, words), .only = FACT_IN_TEXT},
    {FACT(struct banks_work, out_bytes), .only = FACT_IN_TEXT},
    {.name = NULL},
};

static int read_work(struct banks_work *w, const struct session *s, const struct banks_options *o,
                     struct report *r)
{
    w->pattern = (struct bank_pattern){.stride = o->stride, .pad = o->pad,
                                       .seed = lab_seed(s, &o->lab)};
    w->run.access = (struct bank_access){
        .bytes = 4 << o->width, .banks = LANES >> o->banks, .store = o->store};
    w->groups = w->run.access.bytes / 4;
    if (bank_pattern_read(o->pattern, &w->pattern, r))
        return -1;
    if (!o->stride_given && w->pattern.kind == BANK_TRANSPOSE)
        w->pattern.stride = LANES;
    w->distance = w->pattern.stride + w->pattern.pad;
    bank_place(&w->pattern, &w->run.access);
    w->predicted = bank_count(&w->run.access);
    w->run.wavefronts = (uint64_t)w->predicted.wavefronts;
    return 0;
}

static void say_access(const struct banks_work *w, struct session *s,
                       const struct banks_options *o, struct report *r)
{
    char head[120];
    int used = snprintf(head, sizeof head, "%s s[]: lane i %s ", types[o->width],
                        o->store ? "writes" : "reads");
    bank_describe(&w->pattern, head + used, sizeof head - (size_t)used);
    say_head(r, s, head);
    if (o->store)
        lab_expected(r, "race-shared"); /* lanes that meet in one word do so to be counted */
    if (o->grid)
        bank_draw_lanes(&w->run.access, r);
    else
        bank_draw(&w->run.access, &w->predicted, r);
    say_bank_run(&w->run, &w->predicted, r);
    say_together(r, s);
}

static int tell_calls(struct banks_work *w, struct session *s, struct report *r)
{
    const bool optin = bytes_of(&w->run) > s->device->props.shared_per_block;
    if (w->run.access.banks != LANES)
        return report_fail(r, "--banks 16 is only computed: no program has calls for it");
    if (check_fits(&w->run, s, r))
        return -1;
    kernel_name(&w->run, w->kernel);
    w->shared_bytes = bytes_of(&w->run);
    w->words = w->shared_bytes / 4;
    w->out_bytes = floats_out(&w->run) * 4;
    say_head(r, s, "what the host calls for one access");
    lab_calls(r, "banks", optin ? "optin" : NULL, facts, w);
    lab_explain(r, "banks", "calls", facts, w);
    return 0;
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct banks_options *o = given;
    struct banks_work w = {.run = {.right = true, .trace = o->lab.trace}, .best_pad = -1};
    bool runs = o->banks == 0;
    if (read_work(&w, s, o, r))
        return -1;
    if (o->lab.calls)
        return tell_calls(&w, s, r);
    if (runs && bank_run(&w.run, s, r))
        return -1;
    say_access(&w, s, o, r);
    lab_extras(s, &o->lab, &w.run.result, r);
    launch_result_free(&w.run.result);
    if (r->status != REPORT_OK)
        return -1;
    int failed = w.predicted.degree > 1
                     ? say_bank_padding(&w.run, &w.pattern, &w.best_pad, s, r)
                     : 0;
    w.has_best_pad = w.best_pad >= 0;
    w.mend = w.best_pad > 0 ? w.best_pad : 1;
    w.ok = w.run.right && w.run.wavefronts == (uint64_t)w.predicted.wavefronts;
    facts_json(facts, &w, &r->result);
    lab_explain(r, "banks", bank_case(&w.run.access, &w.predicted), facts, &w);
    if (failed || w.ok)
        return failed;
    return report_fail(r, "the kernel's passes or values differ from the rule");
}

static const struct arg_spec options[] = {
    {OPTION(struct banks_options, width), .type = ARG_CHOICE, .choices = widths, .initial = "4",
     .help = "bytes of an element: 4 (float), 8 (float2) or 16 (float4)"},
    {OPTION(struct banks_options, pad), .type = ARG_INT, .lo = 0, .hi = MOST_PAD, .initial = "0",
     .help = "the number of unused elements after each row"},
    {OPTION(struct banks_options, banks), .type = ARG_CHOICE, .choices = bank_counts,
     .initial = "32", .help = "16 calculates for cards before compute capability 2.0"},
    {OPTION(struct banks_options, pattern), .value = "NAME|LIST", .type = ARG_TEXT,
     .initial = "linear",
     .help = "linear, broadcast, reverse, random, transpose, or the element of each lane, as in "
             "0,32,64"},
    {OPTION(struct banks_options, store), .help = "store instead of load"},
    {OPTION(struct banks_options, grid), .help = "show every lane, with the pass in which its "
                                                 "bank answers"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "STRIDE", BIND(struct banks_options, stride), GIVEN(struct banks_options, stride),
     .type = ARG_INT, .lo = 0, .hi = 4096, .initial = "1",
     .help = "the distance between the elements of two neighbouring lanes"},
    {0},
};
static const struct lab lab = {.module = "banks", .takes = TAKES_SEED | TAKES_TRACE | TAKES_CALLS |
                                                        TAKES_COUNTERS};

const struct command lab_banks = {
    LAB_COMMAND(struct banks_options),
    .name = "banks",
    .summary = "bank conflicts in shared memory: 32 lanes and 32 banks",
    .options = options,
    .operands = operands,
};
