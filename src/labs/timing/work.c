/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the work once, the result checked against the same loop in C, and showing which clock
 * holds what. What a clock holds is reckoned (labs/timing/clocks.c); seconds are measured, on a GPU.
 */
#include "labs/timing/work.h"

#include "base/mem.h"
#include "labs/timing/clocks.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

static uint32_t worked(uint32_t x, int rounds)
{
    for (int k = 0; k < rounds; k++)
        x = (x * UINT32_C(1664525) + UINT32_C(1013904223)) ^ (x >> 15);
    return x;
}

/* The kernel once, after one that only warms up where that makes a difference. */
static int measure(struct timed *w, uint32_t *h)
{
    const size_t bytes = (size_t)w->n * sizeof *h;
    const struct lab_launch l = {.module = "timing",
                                 .kernel = "work",
                                 .grid = {w->blocks, 1, 1},
                                 .block = {w->threads, 1, 1},
                                 .trace = arg_flag(w->args, "trace")};
    struct lab_launch warm = l;
    uint64_t x;
    warm.quiet = true;
    for (int i = 0; i < w->n; i++)
        h[i] = (uint32_t)i;
    if (lab_array(w->session, bytes, "x", h, &x, w->report))
        return -1;
    if (session_on_gpu(w->session)) {
        if (lab_launch(w->session, &warm, &w->result, w->report, PARAMS(x, w->n, 1)))
            return -1;
        launch_result_free(&w->result);
        if (session_store(w->session, x, h, bytes, w->report))
            return -1;
    }
    return lab_launch(w->session, &l, &w->result, w->report, PARAMS(x, w->n, w->rounds)) ||
           session_fetch(w->session, h, x, bytes, w->report);
}

static int run_work(struct timed *w)
{
    uint32_t *h = mem_get(&allocator_libc, (size_t)w->n * sizeof *h);
    if (!h)
        return report_fail(w->report, "out of memory; take a smaller n");
    int failed = measure(w, h);
    for (int i = 0; i < w->n && !failed && w->report->status == REPORT_OK; i++)
        if (h[i] != worked((uint32_t)i, w->rounds))
            failed = report_fail(w->report, "element %d is not what the loop in C gives", i);
    mem_put(&allocator_libc, h, (size_t)w->n * sizeof *h);
    return failed || w->report->status != REPORT_OK ? -1 : 0;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static bool has_times(const struct timed *w)
{
    return session_on_gpu(w->session) && w->report->volatile_on && w->result.host.wait > 0;
}

static void put_clock(const struct timed *w, const struct lab_variant *v, struct json *j)
{
    const struct clock_kind *k = clock_named(v->name);
    json_text(j, "variant", v->name);
    json_bool(j, "wrong_on_purpose", v->mended_by != NULL);
    json_text(j, "starts", k->starts);
    json_text(j, "stops", k->stops);
    json_text(j, "counts", k->counts);
    json_bool(j, "holds_kernel", clock_holds_kernel(k));
    json_bool(j, "holds_launch_call", clock_holds_call(k));
    json_bool(j, "cpu_time", k->cpu);
    if (v->mended_by)
        json_text(j, "mended_by", v->mended_by);
    if (has_times(w))
        json_f64(j, "seconds", clock_measured(k, &w->result));
}

static void tell_table(const struct timed *w, const struct lab_variant *one)
{
    struct table_column of[] = {{.head = "clock"},
                                {.head = "holds the kernel"},
                                {.head = "and the launching"},
                                {.head = "ms", .right = true}};
    struct table t;
    table_begin(&t, of, has_times(w) ? 4 : 3, 0);
    for (const struct lab_variant *v = w->variants; v->name; v++) {
        const struct clock_kind *k = clock_named(v->name);
        bool holds = clock_holds_kernel(k);
        if (one && v != one)
            continue;
        if (v->mended_by && !v[-1].mended_by && !one)
            table_heading(&t, "wrong on purpose:");
        table_cell(&t, "%s", v->name);
        table_cell_in(&t, holds && !k->cpu ? INK_GOOD : INK_BAD, "%s",
                      !holds   ? "not for sure"
                      : k->cpu ? "if waiting is busy"
                               : "yes");
        table_cell(&t, "%s", clock_holds_call(k) ? "yes" : "no");
        if (has_times(w))
            table_cell(&t, "%.4g", clock_measured(k, &w->result) * 1e3);
        table_note(&t, "from %s to %s: %s%s%s", k->starts, k->stops, k->counts,
                   v->mended_by ? "; mended by " : "", v->mended_by ? v->mended_by : "");
    }
    say_table(w->report, &t);
}

static void tell(struct timed *w, const struct lab_variant *one)
{
    struct slots s;
    char n[NUM_TEXT], rounds[NUM_TEXT], head[120];
    snprintf(head, sizeof head, "work<<<%u, %u>>>(x, n, %d), n = %s", w->blocks, w->threads,
             w->rounds, num_group(w->n, n));
    say_head(w->report, w->session, head);
    tell_table(w, one);
    say(w->report, "\n");
    say_clocks(w->report, one ? clock_named(one->name) : NULL);
    if (!has_times(w))
        say_item(w->report, "",
                 session_on_gpu(w->session)
                     ? "`set volatile on` shows the times"
                     : "drawn in steps, not measured: one legal order; times are a GPU's");
    say_item(w->report, "elsewhere",
             "by events, three kernels that add up 10,000,000 ones: 0.987, "
             "0.639, 0.891 ms; by the shell's time, a whole program: 1.079 "
             "s on the wall, 1.055 of a processor (a course's slides, 2023)");
    lab_extras(w->session, w->args->options, &w->result, w->report);
    slots_init(&s);
    slot(&s, "rounds", "%s", num_group(w->rounds, rounds));
    slot(&s, "n", "%s", n);
    lab_explain_slots(w->report, "timing", one ? one->name : "all", &s);
}

static void put(struct timed *w, const struct lab_variant *one)
{
    struct json *j = &w->report->result;
    json_int(j, "n", w->n);
    json_int(j, "rounds", w->rounds);
    if (one)
        put_clock(w, one, j);
    for (const struct lab_variant *v = w->variants; v->name && !one; v++) {
        json_object(&w->report->variants, NULL);
        put_clock(w, v, &w->report->variants);
        json_end_object(&w->report->variants);
    }
    json_bool(j, "ok", !one || !one->mended_by);
}

int timed_run(struct timed *w, const struct lab_variant *one)
{
    int failed = run_work(w);
    if (!failed) {
        tell(w, one);
        put(w, one);
    }
    launch_result_free(&w->result);
    if (failed)
        return -1;
    if (one && one->mended_by)
        return report_fail(w->report,
                           "%s is wrong on purpose: what it shows is not how long the "
                           "kernel took; --variant %s mends it",
                           one->name, one->mended_by);
    return 0;
}

/* ---- host calls ------------------------------------------------------------------------- */

#define LAUNCH                                                                       \
    {                                                                                \
        "%s(x, n, rounds)", NULL, "the host does not wait: the call returns at once" \
    }
#define WAIT                                                             \
    {                                                                    \
        "cudaDeviceSynchronize()", NULL, "the host waits for the kernel" \
    }
#define READ(what)                 \
    {                              \
        what, NULL, "nobody waits" \
    }

int timed_calls(struct timed *w, const struct lab_variant *one)
{
    static const struct host_call events[] = {
        {"cudaEventRecord(a)", NULL, "nobody waits: a mark goes into the stream"},
        LAUNCH,
        {"cudaEventRecord(b)", NULL, "nobody waits: another mark, behind the kernel"},
        {"cudaEventSynchronize(b)", NULL, "the host waits until the device is there"},
        {"cudaEventElapsedTime(&ms, a, b)", NULL, "nobody waits"},
        {0}};
    static const struct host_call waits[] = {
        READ("t0 = clock on the wall"), LAUNCH, WAIT, READ("t1 = clock on the wall"), {0}};
    static const struct host_call returns[] = {
        READ("t0 = clock on the wall"), LAUNCH, READ("t1 = clock on the wall"), {0}};
    static const struct host_call cpu[] = {
        READ("t0 = clock()"), LAUNCH, WAIT, READ("t1 = clock()"), {0}};
    static const struct {
        const char *name;
        const struct host_call *calls;
    } all[] = {{"events", events}, {"wall-sync", waits}, {"wall", returns}, {"clock", cpu}};
    struct slots s;
    char launch[80];
    if (!one)
        return report_fail(w->report, "--calls is of one clock: timing --variant events --calls, "
                                      "or wall-sync, wall, clock");
    snprintf(launch, sizeof launch, "work<<<%u, %u>>>", w->blocks, w->threads);
    say_head(w->report, w->session, one->name);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, one->name) == 0)
            say_calls(w->report, all[i].calls, launch);
    json_text(&w->report->result, "variant", one->name);
    slots_init(&s);
    lab_explain_slots(w->report, "timing", "calls", &s);
    return 0;
}
