/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * banks: the 32 lanes of a warp ask shared memory for one element each. Word w lives in bank
 * w mod 32, and a bank serves one word a pass; the passes that a kernel needed are counted
 * and held against the rule worked out in plain C (labkit/banks.c).
 */
#include "labs/banks/work.h"
#include "labkit/lab.h"

#include <stdio.h>

enum { LANES = BANK_LANES, MOST_PAD = BANK_MOST_PAD };
static const char *const widths[] = {"4", "8", "16", NULL};
static const char *const types[] = {"float", "float2", "float4"};
static const char *const bank_counts[] = {"32", "16", NULL};

struct work {
    struct report *report;
    struct bank_pattern pattern;
    struct bank_passes predicted;
    struct bank_run run;
};

/* ---- what is shown ---------------------------------------------------------------------- */

static void put_result(const struct work *w, int best)
{
    struct json *j = &w->report->result;
    json_int(j, "stride", w->pattern.stride);
    json_int(j, "width", w->run.access.bytes);
    json_int(j, "degree", w->predicted.degree);
    json_uint(j, "wavefronts", w->run.wavefronts);
    json_int(j, "predicted", w->predicted.wavefronts);
    json_int(j, "banks", w->run.access.banks);
    json_int(j, "pad", w->pattern.pad);
    if (best >= 0)
        json_int(j, "best_pad", best);
    json_bool(j, "ok", w->run.right && w->run.wavefronts == (uint64_t)w->predicted.wavefronts);
}

static void explain(const struct work *w, int best)
{
    struct slots s;
    slots_init(&s);
    slot(&s, "stride", "%d", w->pattern.stride + w->pattern.pad);
    slot(&s, "width", "%d", w->run.access.bytes);
    slot(&s, "degree", "%d", w->predicted.degree);
    slot(&s, "passes", "%llu", (unsigned long long)w->run.wavefronts);
    slot(&s, "ideal", "%d", w->predicted.ideal);
    slot(&s, "groups", "%d", w->run.access.bytes / 4);
    slot(&s, "together", "%d", w->predicted.together);
    slot(&s, "pad", "%d", best > 0 ? best : 1);
    lab_explain(w->report, "banks", bank_case(&w->run.access, &w->predicted), &s);
}

static int read_work(struct work *w, const struct session *s, const struct args *args)
{
    int width = arg_choice(args, "width");
    w->pattern = (struct bank_pattern){.stride = (int)arg_int(args, "STRIDE"),
                                       .pad = (int)arg_int(args, "pad"),
                                       .seed = s->settings.seed};
    w->run.access.bytes = 4 << width;
    w->run.access.banks = LANES >> arg_choice(args, "banks");
    w->run.access.store = arg_flag(args, "store");
    if (bank_pattern_read(arg_text(args, "pattern"), &w->pattern, w->report))
        return -1;
    if (!arg_given(args, "STRIDE") && w->pattern.kind == BANK_TRANSPOSE)
        w->pattern.stride = LANES;
    bank_place(&w->pattern, &w->run.access);
    w->predicted = bank_count(&w->run.access);
    w->run.wavefronts = (uint64_t)w->predicted.wavefronts;
    return 0;
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct work w = {.report = r, .run = {.right = true, .trace = arg_flag(args, "trace")}};
    char head[120];
    int best = -1;
    bool runs = arg_choice(args, "banks") == 0;
    if (read_work(&w, s, args) || (runs && bank_run(&w.run, s, r)))
        return -1;
    int used = snprintf(head, sizeof head, "%s s[]: lane i %s ", types[arg_choice(args, "width")],
                        w.run.access.store ? "writes" : "reads");
    bank_describe(&w.pattern, head + used, sizeof head - (size_t)used);
    say_head(r, s, head);
    if (w.run.access.store)
        lab_expected(r, "race-shared"); /* lanes that meet in one word do so to be counted */
    if (arg_flag(args, "grid"))
        bank_draw_lanes(&w.run.access, r);
    else
        bank_draw(&w.run.access, &w.predicted, r);
    say_bank_run(&w.run, &w.predicted, r);
    lab_extras(s, args, &w.run.result, r);
    launch_result_free(&w.run.result);
    if (r->status != REPORT_OK)
        return -1;
    int failed = w.predicted.degree > 1 ? say_bank_padding(&w.run, &w.pattern, &best, s, r) : 0;
    put_result(&w, best);
    explain(&w, best);
    if (failed || (w.run.right && w.run.wavefronts == (uint64_t)w.predicted.wavefronts))
        return failed;
    return report_fail(r, "the kernel's passes or values are not what the rule gives");
}

static const struct arg_spec options[] = {
    {.name = "width", .type = ARG_CHOICE, .choices = widths, .initial = "4",
     .help = "bytes of an element: float, float2 or float4"},
    {.name = "pad", .type = ARG_INT, .lo = 0, .hi = MOST_PAD, .initial = "0",
     .help = "unused elements after each row"},
    {.name = "banks", .type = ARG_CHOICE, .choices = bank_counts, .initial = "32",
     .help = "16: as before compute capability 2.0, by arithmetic"},
    {.name = "pattern", .value = "NAME|LIST", .type = ARG_TEXT, .initial = "linear",
     .help = "linear, broadcast, reverse, random, transpose, or elements as in 0,32,64"},
    {.name = "store", .type = ARG_FLAG, .help = "write instead of read"},
    {.name = "grid", .type = ARG_FLAG, .help = "draw every lane, with the pass that serves it"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "STRIDE", .type = ARG_INT, .lo = 0, .hi = 4096, .initial = "1",
     .help = "elements from one lane's to the next one's"},
    {0},
};
static const struct lab lab = {.module = "banks", .takes = TAKES_TRACE | TAKES_COUNTERS};

const struct command lab_banks = {
    .name = "banks",
    .kind = CLASS_LAB,
    .summary = "32 lanes, 32 banks: who waits for whom in shared memory",
    .options = options,
    .operands = operands,
    .lab = &lab,
    .run = run,
};
