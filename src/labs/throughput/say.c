/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the throughput lab shows: results and whether they are right, which instructions made
 * them, what the guide's table says an SM can do, and on a GPU what this one did.
 */
#include "labs/throughput/say.h"

#include "labs/throughput/rates.h"
#include "labs/throughput/work.h"
#include "labkit/lab.h"
#include "screen/pen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 12 };

/* ---- pieces ----------------------------------------------------------------------------- */

static struct pace pace_of(const struct lab_variant *v, const struct args *args)
{
    return (struct pace){.variant = v,
                         .function = arg_text(args, "function"),
                         .threads =
                             arg_given(args, "threads") ? (unsigned)arg_int(args, "threads") : 1024,
                         .steps = (unsigned)arg_int(args, "steps")};
}

static bool shows_clocks(const struct pace *p, const struct report *r)
{
    return p->clocks > 0 && r->volatile_on;
}

static double results_a_clock(const struct pace *p)
{
    return p->clocks > 0 ? (double)p->results / (double)p->clocks : 0;
}

static void put_pace(const struct pace *p, const struct device_props *props, const struct report *r,
                     struct json *j)
{
    json_text(j, "variant", p->variant->name);
    if ((p->variant->tag & PACE_KIND) == RATE_SPECIAL)
        json_text(j, "function", p->function);
    json_uint(j, "threads", p->threads);
    json_uint(j, "steps", p->steps);
    json_uint(j, "chains", PACE_CHAINS);
    json_uint(j, "results", p->results);
    json_object(j, "turn");
    for (unsigned i = 0; i < p->kind_count; i++)
        json_uint(j, p->kinds[i].name, p->kinds[i].count);
    json_end_object(j);
    if (p->result.has_counters)
        json_uint(j, "warp_instructions", p->result.counters.warp_instructions);
    if (pace_rate(p, props) >= 0) {
        json_int(j, "table_results_per_clock", pace_rate(p, props));
        json_text(j, "table", rate_source(props));
    }
    if (pace_least_clocks(p, props))
        json_uint(j, "least_clocks", pace_least_clocks(p, props));
    if (shows_clocks(p, r)) {
        json_int(j, "clocks", p->clocks);
        json_f64(j, "results_per_clock", results_a_clock(p));
    }
    json_bool(j, "ok", p->right);
}

/* Halves are refused before they are tried: which kernels run is the card's affair. */
static bool has_halves(const struct device_props *p)
{
    return rate_of(p, RATE_F16) != RATE_NONE;
}

static int ratio(const struct device_props *p, enum rate_kind a, enum rate_kind b)
{
    int x = rate_of(p, a), y = rate_of(p, b);
    return x > 0 && y > 0 ? x / y : 0;
}

/* A ratio for a sentence: "64", or that nobody says. */
static void slot_ratio(struct slots *s, const char *name, int times)
{
    if (times)
        slot(s, name, "%d", times);
    else
        slot(s, name, "?");
}

static void explain(const struct pace *p, const char *which, const struct session *s,
                    struct report *r)
{
    struct slots slots;
    char text[NUM_TEXT];
    const struct device_props *props = &s->device->props;
    slots_init(&slots);
    slot(&slots, "results", "%s", num_group((int64_t)p->results, text));
    slot(&slots, "threads", "%u", p->threads);
    slot(&slots, "rate", "%s", rate_text(pace_rate(p, props), text));
    slot(&slots, "f32", "%s", rate_text(rate_of(props, RATE_F32), text));
    slot(&slots, "f64", "%s", rate_text(rate_of(props, RATE_F64), text));
    slot(&slots, "special", "%s", rate_text(rate_of(props, RATE_SPECIAL), text));
    slot(&slots, "add", "%s", rate_text(rate_of(props, RATE_INT_ADD), text));
    slot_ratio(&slots, "double", ratio(props, RATE_F32, RATE_F64));
    slot_ratio(&slots, "functions", ratio(props, RATE_F32, RATE_SPECIAL));
    slot(&slots, "function", "%s", p->function ? p->function : "rcp");
    slot(&slots, "capability", "%d.%d", props->major, props->minor);
    slot(&slots, "source", "%s", rate_source(props));
    lab_explain_slots(r, "throughput", which, &slots);
}

/* ---- one kind --------------------------------------------------------------------------- */

static void say_turn(const struct pace *p, struct report *r)
{
    struct buf text;
    buf_init(&text);
    for (unsigned i = 0; i < p->kind_count; i++)
        buf_printf(&text, "%s%u %s", i ? ", " : "", p->kinds[i].count, p->kinds[i].name);
    buf_printf(&text, "    %d steps of %d chains", PACE_UNROLL, PACE_CHAINS);
    say_item_text(r, "a turn", &text);
}

static void say_pace(const struct pace *p, struct session *s, struct report *r)
{
    char line[160], a[NUM_TEXT], b[NUM_TEXT];
    const struct device_props *props = &s->device->props;
    bool special = (p->variant->tag & PACE_KIND) == RATE_SPECIAL;
    snprintf(line, sizeof line, "%s%s%s: a block of %u threads, %d chains of %s steps in each",
             p->variant->name, special ? " " : "", special ? p->function : "", p->threads,
             PACE_CHAINS, num_group(p->steps, a));
    say_head(r, s, line);
    say_item(r, "results", "%s    %s", num_group((int64_t)p->results, a),
             p->right ? "right: every one is that of plain C" : "WRONG");
    say_turn(p, r);
    if (pace_least_clocks(p, props))
        say_item(r, "table", "%d results a clock and SM on %d.%d: at least %s clocks    (%s)",
                 pace_rate(p, props), props->major, props->minor,
                 num_group((int64_t)pace_least_clocks(p, props), b), rate_source(props));
    else
        say_item(r, "table", "%s for %d.%d    (%s)", rate_text(pace_rate(p, props), b),
                 props->major, props->minor, rate_source(props));
    if (shows_clocks(p, r))
        say_item(r, "clock", "%s clocks here: %.1f results each, on one SM",
                 num_group(p->clocks, a), results_a_clock(p));
    else
        say_item(r, "clock",
                 p->clocks > 0 ? "measured; `set volatile on` shows it"
                               : "none: the simulator counts, it keeps no time");
}

int pace_one(struct session *s, const struct args *args, const struct lab_variant *v,
             struct report *r)
{
    struct pace p = pace_of(v, args);
    if ((v->tag & PACE_KIND) == RATE_F16 && !has_halves(&s->device->props))
        return report_fail(r, "f16: this card has no arithmetic on halves, which came with 5.3; "
                              "f32 runs everywhere");
    if (p.steps % PACE_UNROLL)
        return report_fail(r,
                           "--steps %u: the loop takes %d at a time, so it must be a multiple "
                           "of %d, for example %u",
                           p.steps, PACE_UNROLL, PACE_UNROLL,
                           (p.steps / PACE_UNROLL + 1) * PACE_UNROLL);
    p.trace = arg_flag(args, "trace");
    int failed = pace_run(&p, s, r) || r->status != REPORT_OK || pace_look_inside(&p, s, r);
    if (!failed) {
        say_pace(&p, s, r);
        put_pace(&p, &s->device->props, r, &r->result);
        lab_extras(s, args->options, &p.result, r);
    }
    failed = failed || r->status != REPORT_OK;
    launch_result_free(&p.result);
    if (failed)
        return -1;
    explain(&p, v->name, s, r);
    return p.right ? 0 : report_fail(r, "%s: its results are not those of plain C", v->name);
}

/* ---- all of them ------------------------------------------------------------------------ */

static bool goes_before(const struct pace *a, const struct pace *b, const struct device_props *p)
{
    uint64_t x = pace_least_clocks(a, p), y = pace_least_clocks(b, p);
    if (x && y)
        x = x * b->results, y = y * a->results; /* clocks a result */
    return x > y;
}

static void add_sorted(struct pace *rows, unsigned count, const struct pace *p,
                       const struct device_props *props)
{
    unsigned at = count;
    for (; at > 0 && goes_before(p, &rows[at - 1], props); at--)
        rows[at] = rows[at - 1];
    rows[at] = *p;
}

static void put_row(const struct pace *p, const struct device_props *props, bool clocks,
                    struct table *t)
{
    char text[NUM_TEXT];
    unsigned turn = 0;
    for (unsigned i = 0; i < p->kind_count; i++)
        turn += p->kinds[i].count;
    table_cell(t, "%s", p->variant->name);
    table_cell(t, "%s", num_group((int64_t)p->results, text));
    table_cell(t, "%u", turn);
    table_cell(t, "%s", rate_text(pace_rate(p, props), text));
    if (pace_least_clocks(p, props))
        table_cell(t, "%s", num_group((int64_t)pace_least_clocks(p, props), text));
    else
        table_cell(t, "-");
    if (clocks)
        table_cell(t, "%.1f", results_a_clock(p));
    table_cell_in(t, p->right ? INK_GOOD : INK_BAD, "%s", p->right ? "ok" : "WRONG");
    table_note(t, "%s", p->variant->summary);
}

static void put_variant(const struct pace *p, const struct device_props *props, struct report *r)
{
    struct json *j = &r->variants;
    json_object(j, NULL);
    put_pace(p, props, r, j);
    json_bool(j, "wrong_on_purpose", false);
    if (p->result.has_counters) {
        json_object(j, "counters");
        for (const struct counter_name *n = counter_names; n->name; n++)
            json_uint(j, n->name, counter_at(&p->result.counters, n->offset));
        json_end_object(j);
    }
    json_end_object(j);
}

static void say_rows(const struct pace *rows, unsigned count, struct session *s, struct report *r)
{
    struct table_column columns[TABLE_COLUMNS];
    struct bar bars[MOST_ROWS];
    char shown[MOST_ROWS][NUM_TEXT];
    struct table t;
    const struct device_props *props = &s->device->props;
    bool clocks = session_on_gpu(s) && r->volatile_on;
    int n = 0;
    columns[n++] = (struct table_column){.head = "kind"};
    columns[n++] = (struct table_column){.head = "results", .right = true};
    columns[n++] = (struct table_column){.head = "a turn", .right = true, .gives_way = 1};
    columns[n++] = (struct table_column){.head = "table", .right = true};
    columns[n++] = (struct table_column){.head = "least clocks", .right = true};
    if (clocks)
        columns[n++] = (struct table_column){.head = "HERE", .right = true};
    columns[n++] = (struct table_column){.head = ""};
    table_begin(&t, columns, n, 0);
    for (unsigned i = 0; i < count; i++) {
        put_row(&rows[i], props, clocks, &t);
        put_variant(&rows[i], props, r);
        int rate = pace_rate(&rows[i], props);
        bars[i] = (struct bar){rows[i].variant->name,
                               clocks     ? results_a_clock(&rows[i])
                               : rate > 0 ? rate
                                          : 0,
                               shown[i]};
        if (clocks)
            snprintf(shown[i], NUM_TEXT, "%.1f", results_a_clock(&rows[i]));
        else
            rate_text(rate, shown[i]);
    }
    say_table(r, &t);
    if (r->plain)
        return;
    say(r, "\n");
    say_heading(r, "results a clock and SM, %s", clocks ? "here" : "by the table");
    say_bars(r, bars, count);
}

/* `rows` is the caller's memory: too much for a stack. */
static int all_rows(struct pace *rows, struct session *s, const struct args *args,
                    const struct lab_variant *variants, struct report *r)
{
    struct pace p = {0};
    unsigned count = 0;
    bool ok = true, failed = false;
    const struct device_props *props = &s->device->props;
    if (arg_int(args, "steps") % PACE_UNROLL)
        return report_fail(r,
                           "--steps: the loop takes %d at a time, so it must be a multiple of %d",
                           PACE_UNROLL, PACE_UNROLL);
    for (const struct lab_variant *v = variants; v->name && !failed; v++) {
        p = pace_of(v, args);
        if ((v->tag & PACE_KIND) == RATE_F16 && !has_halves(props))
            continue;
        failed = pace_run(&p, s, r) || r->status != REPORT_OK || pace_look_inside(&p, s, r);
        launch_result_free(&p.result); /* its counters stay */
        ok = ok && p.right;
        if (!failed)
            add_sorted(rows, count++, &p, props);
    }
    if (failed)
        return -1;
    say_head(r, s, "each kind of arithmetic, by one block on one SM");
    say_item(r, "", "fewest results a clock first, by %s", rate_source(props));
    if (!has_halves(props))
        say_item(r, "", "f16 is left out: arithmetic on halves came with 5.3");
    say(r, "\n");
    say_rows(rows, count, s, r);
    json_text(&r->result, "variant", "all");
    if (ratio(props, RATE_F32, RATE_F64))
        json_int(&r->result, "table_floats_per_double", ratio(props, RATE_F32, RATE_F64));
    json_bool(&r->result, "ok", ok);
    explain(&p, "all", s, r);
    return ok ? 0 : report_fail(r, "a kind's results are not those of plain C");
}

int pace_all(struct session *s, const struct args *args, const struct lab_variant *variants,
             struct report *r)
{
    struct pace *rows = calloc(MOST_ROWS, sizeof *rows);
    int rc = rows ? all_rows(rows, s, args, variants, r) : report_fail(r, "out of memory");
    free(rows);
    return rc;
}

/* ---- the guides' table, and the calls --------------------------------------------------- */

int pace_table(struct session *s, struct report *r)
{
    struct slots slots;
    say_head(r, s, "results a clock and SM, by NVIDIA's programming guides");
    say_rates(r, &s->device->props);
    slots_init(&slots);
    slot(&slots, "capability", "%d.%d", s->device->props.major, s->device->props.minor);
    lab_explain_slots(r, "throughput", "table", &slots);
    return 0;
}

static const struct host_call calls[] = {
    {"cudaMalloc(&out, bytes), cudaMalloc(&clocks, 512)", NULL, "the host waits for the addresses"},
    {"%s<<<1, threads>>>(-1, steps, out, clocks)", NULL,
     "one block, so one SM; the host does not wait"},
    {"cudaMemcpy(host, clocks, 512, cudaMemcpyDeviceToHost)", "two readings a warp to the host",
     "the copy waits for the kernel, the host for the copy"},
    {"cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost)", "the results to the host",
     "what nobody reads, a compiler may leave out"},
    {NULL, NULL, NULL},
};

int pace_calls(struct session *s, const struct lab_variant *v, struct report *r)
{
    struct slots slots;
    say_head(r, s, "what the host calls for one kind");
    say_calls(r, calls, v->kernel);
    json_text(&r->result, "variant", v->name);
    slots_init(&slots);
    lab_explain_slots(r, "throughput", "calls", &slots);
    return 0;
}
