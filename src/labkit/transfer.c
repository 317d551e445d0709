/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to move memory, and the steps of a program, timed and shown. The process that works with the
 * GPU does the steps (dev/gpu/steps.c), by the calls of the driver behind those named here.
 */
#include "labkit/transfer.h"

#include "labkit/run.h"

#include <string.h>

const char *const transfer_names[] = {"managed", "copy", "pinned", "mapped", NULL};
const char *const transfer_how[] = {"by pages that are touched", "by cudaMemcpy",
                                    "by cudaMemcpy, pinned", "over the bus, uncopied"};

const char *transfer_refused(enum transfer_kind kind, const struct device_props *p)
{
    if (kind == BY_PAGES && p->major < 3)
        return "managed memory needs compute capability 3.0; this device takes --mem copy";
    if (kind == BY_MAPPING && p->can_map_host == 0)
        return "this device can't map memory of the host; it takes --mem copy";
    return NULL;
}

uint64_t transfer_bytes(const struct transfer_array *a, bool in)
{
    uint64_t bytes = 0;
    for (; a->name; a++)
        bytes += (in ? a->in : a->out) ? a->bytes : 0;
    return bytes;
}

/* ---- timing ----------------------------------------------------------------------------- */

static struct steps_job plan_of(const struct transfer *t)
{
    struct steps_job plan = {.kind = t->kind};
    for (const struct transfer_array *a = t->arrays; a->name && plan.count < STEPS_ARRAYS; a++) {
        plan.arrays[plan.count] = (struct steps_array){plan.count, a->in, a->out, a->bytes};
        plan.count++;
    }
    return plan;
}

static int take_steps(struct step_times *s, const struct trial *t,
                      const struct launch_result *result)
{
    if (report_found(t->report, result))
        return -1;
    if (result->not_run[0])
        return report_fail(t->report, "the steps can't be timed: %s", result->not_run);
    if (!launch_result_failed(result)) /* a fault is in the report */
        s->runs = t->session->runs > 1 ? t->session->runs : 1;
    return 0;
}

int steps_time(struct step_times *s, const struct transfer *moves, const struct trial *t,
               const struct lab_launch *given, const struct param *params)
{
    const struct steps_job plan = plan_of(moves);
    const struct launch_job job = {.kind = JOB_STEPS, .what = &plan, .what_bytes = sizeof plan,
                                   .out = s->seconds, .out_bytes = sizeof s->seconds,
                                   .lacking = "this device does not time them"};
    struct lab_launch l = *given;
    struct launch_result result = {0};
    l.job = &job;
    l.quiet = true; /* the report has the launch itself */
    int failed = lab_launch(t->session, &l, &result, t->report, params);
    if (failed)
        return -1;
    failed = take_steps(s, t, &result);
    launch_result_free(&result);
    return failed;
}

/* ---- what is shown ---------------------------------------------------------------------- */

/* By enum transfer_kind and enum program_step; NULL: there is no such step. */
static const char *const calls[4][PROGRAM_STEPS] = {
    [BY_PAGES] = {"cudaMallocManaged", NULL, "kernel", "the host reads", "cudaFree"},
    [BY_COPIES] = {"malloc, cudaMalloc", "cudaMemcpy", "kernel", "cudaMemcpy", "cudaFree, free"},
    [BY_PINNED_COPIES] = {"cudaMallocHost, cudaMalloc", "cudaMemcpy", "kernel", "cudaMemcpy",
                          "cudaFree, cudaFreeHost"},
    [BY_MAPPING] = {"cudaHostAlloc", NULL, "kernel", "the host reads", "cudaFreeHost"},
};
static const char *const names[PROGRAM_STEPS] = {"allocate", "in", "kernel", "out", "free"};

/* Bytes that go from one side to the other in a step. */
static uint64_t moved(const struct transfer *t, int step)
{
    const uint64_t in = transfer_bytes(t->arrays, true), out = transfer_bytes(t->arrays, false);
    if (step == STEP_KERNEL)
        return t->kind == BY_PAGES ? in : t->kind == BY_MAPPING ? in + out : 0;
    if (step == STEP_OUT)
        return t->kind == BY_MAPPING ? 0 : out;
    return step == STEP_IN ? in : 0;
}

/* "allocate x, y, z", "copy x, y in", "kernel", "copy z out" */
static void name_step(const struct transfer *t, int step, struct table *table)
{
    static const char *const verbs[PROGRAM_STEPS] = {"allocate", "copy", "kernel", "copy", "free"};
    const bool copied = calls[t->kind][STEP_IN] != NULL;
    const char *before = " ";
    struct buf text = {0};
    buf_puts(&text, step == STEP_OUT && !copied ? "read" : verbs[step]);
    for (const struct transfer_array *a = t->arrays; a->name && step != STEP_KERNEL; a++)
        if ((step != STEP_IN || a->in) && (step != STEP_OUT || a->out)) {
            buf_printf(&text, "%s%s", before, a->name);
            before = ", ";
        }
    if (copied && (step == STEP_IN || step == STEP_OUT))
        buf_puts(&text, step == STEP_IN ? " in" : " out");
    table_cell(table, "%s", buf_text(&text));
    buf_free(&text);
}

static void add_row(const struct step_times *s, const struct transfer *t, int step,
                    struct table *table)
{
    const uint64_t bytes = moved(t, step);
    char text[NUM_TEXT];
    name_step(t, step, table);
    table_cell(table, "%s", step == STEP_KERNEL ? "" : calls[t->kind][step]);
    table_cell(table, "%s", bytes ? num_group((int64_t)bytes, text) : "");
    table_cell(table, "%.4g", s->seconds[step] * 1e3);
    if (bytes && s->seconds[step] > 0)
        table_cell(table, "%.3g", (double)bytes / s->seconds[step] / 1e9);
    else
        table_cell(table, "%s", "");
}

static void add_sum(const struct step_times *s, struct table *table)
{
    double sum = 0;
    for (int k = 0; k < PROGRAM_STEPS; k++)
        sum += s->seconds[k];
    table_cell(table, "together");
    table_cell(table, "%s", "");
    table_cell(table, "%s", "");
    table_cell(table, "%.4g", sum * 1e3);
    table_cell(table, "%s", "");
}

void say_steps(const struct step_times *s, const struct transfer *t, struct report *r)
{
    static const struct table_column of[] = {{.head = "step"},
                                             {.head = "by", .gives_way = 1},
                                             {.head = "bytes moved", .right = true},
                                             {.head = "ms", .right = true},
                                             {.head = "GB/s", .right = true}};
    struct table table;
    if (!s->runs)
        return;
    if (s->runs > 1)
        say_item(r, "steps", "by the host's clock, medians of %u runs (help vecadd)", s->runs);
    else
        say_item(r, "steps", "by the host's clock; --repeat gives medians (help vecadd)");
    table_begin(&table, of, sizeof of / sizeof of[0], 4);
    for (int k = 0; k < PROGRAM_STEPS; k++)
        if (calls[t->kind][k])
            add_row(s, t, k, &table);
    add_sum(s, &table);
    say_table(r, &table);
}

void put_steps(const struct step_times *s, const struct transfer *t, struct json *j)
{
    if (!s->runs)
        return;
    json_uint(j, "steps_runs", s->runs);
    json_array(j, "steps");
    for (int k = 0; k < PROGRAM_STEPS; k++) {
        if (!calls[t->kind][k])
            continue;
        json_object(j, NULL);
        json_text(j, "step", names[k]);
        json_text(j, "by", calls[t->kind][k]);
        json_uint(j, "bytes", moved(t, k));
        json_f64(j, "seconds", s->seconds[k]);
        json_end_object(j);
    }
    json_end_array(j);
}
