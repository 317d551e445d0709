/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two laws, and a device's own points on them; see law.h.
 */
#include "labkit/law/law.h"

#include "base/logarithm.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    THREADS = 32,          /* of a block: one warp */
    PARTS_MOST = 6,        /* serial parts at a time */
    CURVE = 64,            /* points of a curve */
    CURVE_LEAST = 4096,    /* processors that a curve of Amdahl's goes up to, at least */
    PLOT_ROWS = 6,
    SIM_ROUNDS = 8, GPU_ROUNDS = 2000, /* of an item: a GPU's times should not be too short */
    MOST_PROCESSORS = 1 << 20, MOST_WORK = 1000
};

/* One serial part. */
struct law_row {
    double serial, law, other, limit, efficiency, own, one_share;
    unsigned serial_items, items; /* items of each processor, if all take the same */
    bool has_limit, has_own, right;
};

struct law_lab {
    enum law law;
    struct session *session;
    struct report *report;
    const struct law_options *options;
    struct law_row row[PARTS_MOST];
    struct launch_result last; /* of the launch with the most blocks */
    /* What the facts say: */
    unsigned rows, processors, sms, work, rounds, threads;
    bool modelled, has_own, ok, too_many;
    double serial, speedup, other, own, limit, share, efficiency; /* of the first row */
    bool has_limit;
};

double law_speedup(enum law law, double serial, double processors)
{
    return law == AMDAHL ? 1 / (serial + (1 - serial) / processors)
                         : processors - serial * (processors - 1);
}

/* ---- the device's own point ------------------------------------------------------------- */

static uint32_t worked(uint32_t x, unsigned rounds)
{
    for (unsigned k = 0; k < rounds; k++)
        x = (x * UINT32_C(1664525) + UINT32_C(1013904223)) ^ (x >> 15);
    return x;
}

/* The time of the items from `first` to before `last` by so many blocks: in seconds, or in
 * instructions of the block with the most of them. */
static int time_of(struct law_lab *w, uint64_t x, unsigned blocks, unsigned first, unsigned last,
                   double *time)
{
    const unsigned items = last - first;
    const struct lab_launch l = {.module = "laws", .kernel = "laws_work", .grid = {blocks},
                                 .block = {THREADS}, .counts = w->modelled};
    *time = 0;
    if (!items)
        return 0;
    launch_result_free(&w->last);
    if (lab_launch(w->session, &l, &w->last, w->report,
                   PARAMS(x, (int)first, (int)last, (int)w->rounds)) ||
        launch_result_ended(&w->last))
        return -1;
    if (!w->modelled) {
        *time = w->last.measured_s;
        return 0;
    }
    const unsigned most = (items + blocks - 1) / blocks;
    *time = (double)w->last.counters.warp_instructions * most / items;
    return 0;
}

static int check(struct law_lab *w, uint64_t at, unsigned items, bool *right)
{
    const size_t count = (size_t)items * THREADS, bytes = count * sizeof(uint32_t);
    uint32_t *x = mem_alloc(&allocator_libc, bytes);
    int failed = x ? session_fetch(w->session, x, at, bytes, w->report)
                   : report_fail_limit(w->report, "out of memory; a smaller --work needs less");
    *right = !failed;
    for (size_t i = 0; i < count && !failed; i++)
        *right &= x[i] == worked((uint32_t)i, w->rounds);
    mem_free(&allocator_libc, x, bytes);
    return failed;
}

/* Items: the serial ones, then those that processors share. By Gustafson each processor has as many
 * of these as one has in the time that it has for them. */
static void count_items(const struct law_lab *w, struct law_row *row)
{
    const unsigned p = w->processors;
    const unsigned in_time = w->law == AMDAHL ? w->work * p : w->work;
    row->serial_items = (unsigned)(row->serial * in_time + 0.5);
    row->items = row->serial_items + (in_time - row->serial_items) * (w->law == AMDAHL ? 1 : p);
}

static size_t bytes_of(const struct law_row *row)
{
    return (size_t)row->items * THREADS * sizeof(uint32_t);
}

static int run_row(struct law_lab *w, struct law_row *row)
{
    const unsigned p = w->processors;
    double serial, alone, together;
    uint64_t x;
    count_items(w, row);
    int failed = lab_array(w->session, bytes_of(row), "x", NULL, &x, w->report) ||
                 time_of(w, x, 1, 0, row->serial_items, &serial) ||
                 time_of(w, x, 1, row->serial_items, row->items, &alone) ||
                 time_of(w, x, p, row->serial_items, row->items, &together) ||
                 check(w, x, row->items, &row->right);
    lab_arrays_free(w->session);
    if (failed)
        return -1;
    row->has_own = (w->modelled || w->report->volatile_on) && serial + together > 0;
    row->own = row->has_own ? (serial + alone) / (serial + together) : 0;
    return row->right ? 0 : report_fail(w->report, "a result differs from plain C");
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact amdahl_rows[] = {
    {FACT(struct law_row, serial), .format = "%.4g", .head = "serial"},
    {.name = "speedup", FACT_AT(struct law_row, law), .format = "%.2f", .head = "speed-up",
     .right = true},
    {FACT(struct law_row, own), .format = "%.2f", .head = "here", .right = true,
     WHEN(struct law_row, has_own)},
    {FACT(struct law_row, limit), .format = "%.4g", .head = "limit", .right = true,
     WHEN(struct law_row, has_limit)},
    {FACT(struct law_row, efficiency), .as = AS_PERCENT, .head = "efficiency %", .right = true,
     .gives_way = 2},
    {.name = "gustafson", FACT_AT(struct law_row, other), .format = "%.2f", .head = "Gustafson",
     .right = true, .gives_way = 1},
    {FACT(struct law_row, serial_items), WHEN(struct law_row, items)},
    {FACT(struct law_row, items), .if_set = true},
    {.name = NULL},
};

static const struct fact gustafson_rows[] = {
    {FACT(struct law_row, serial), .format = "%.4g", .head = "serial"},
    {.name = "speedup", FACT_AT(struct law_row, law), .format = "%.2f", .head = "speed-up",
     .right = true},
    {FACT(struct law_row, own), .format = "%.2f", .head = "here", .right = true,
     WHEN(struct law_row, has_own)},
    {FACT(struct law_row, efficiency), .as = AS_PERCENT, .head = "efficiency %", .right = true,
     .gives_way = 2},
    {FACT(struct law_row, one_share), .format = "%.4g", .head = "serial on one", .right = true,
     .gives_way = 3},
    {.name = "amdahl", FACT_AT(struct law_row, other), .format = "%.2f", .head = "Amdahl",
     .right = true, .gives_way = 1},
    {FACT(struct law_row, serial_items), WHEN(struct law_row, items)},
    {FACT(struct law_row, items), .if_set = true},
    {.name = NULL},
};

/* Of the first serial part, for the texts. */
static const struct fact words[] = {
    {FACT(struct law_lab, processors), .as = AS_GROUP},
    {FACT(struct law_lab, sms)},
    {FACT(struct law_lab, modelled), WHEN(struct law_lab, has_own)},
    {FACT(struct law_lab, ok)},
    {FACT(struct law_lab, work), .only = FACT_IN_TEXT},
    {FACT(struct law_lab, has_own), .only = FACT_IN_TEXT},
    {FACT(struct law_lab, too_many), .only = FACT_IN_TEXT},
    {FACT(struct law_lab, serial), .format = "%.4g", .only = FACT_IN_TEXT},
    {FACT(struct law_lab, speedup), .format = "%.2f", .only = FACT_IN_TEXT},
    {FACT(struct law_lab, other), .format = "%.2f", .only = FACT_IN_TEXT},
    {FACT(struct law_lab, own), .format = "%.2f", .only = FACT_IN_TEXT},
    {FACT(struct law_lab, limit), .format = "%.4g", .only = FACT_IN_TEXT,
     WHEN(struct law_lab, has_limit)},
    {FACT(struct law_lab, share), .format = "%.4g", .only = FACT_IN_TEXT},
    {FACT(struct law_lab, efficiency), .as = AS_PERCENT, .only = FACT_IN_TEXT},
    {.name = NULL},
};

/* About 2^x: whole powers are exact, and lines lie between them. */
static double near_power(double x)
{
    const unsigned whole = (unsigned)x;
    return (double)(UINT64_C(1) << whole) * (1 + (x - whole));
}

/* Amdahl's curves bend over powers of two; Gustafson's are straight over the processors. */
static void draw(const struct law_lab *w)
{
    struct plot_series series[PARTS_MOST + 1] = {0};
    double p[CURVE], y[PARTS_MOST][CURVE], own_x[PARTS_MOST], own_y[PARTS_MOST];
    char label[PARTS_MOST][24];
    const bool bends = w->law == AMDAHL;
    const unsigned most = bends && w->processors < CURVE_LEAST ? CURVE_LEAST : w->processors;
    unsigned n = 0, points = 0;
    for (unsigned i = 0; i < CURVE; i++) {
        p[i] = bends ? near_power(power_of_two(most) * i / (CURVE - 1))
                     : 1 + (double)(most - 1) * i / (CURVE - 1);
        p[i] = p[i] < most && i < CURVE - 1 ? p[i] : most;
    }
    for (unsigned k = 0; k < w->rows; k++) {
        for (unsigned i = 0; i < CURVE; i++)
            y[k][i] = law_speedup(w->law, w->row[k].serial, p[i]);
        snprintf(label[k], sizeof label[k], "%.4g", w->row[k].serial);
        series[n++] = (struct plot_series){label[k], p, y[k], CURVE, true};
        if (w->row[k].has_own) {
            own_x[points] = w->processors;
            own_y[points++] = w->row[k].own;
        }
    }
    if (points)
        series[n++] = (struct plot_series){w->modelled ? "here, modelled" : "here, measured",
                                           own_x, own_y, points, false};
    say_plot(w->report, &(struct plot){.x_label = "processors",
                                       .x_scale = bends ? AXIS_TWOS : AXIS_LINEAR,
                                       .y_label = "speed-up by serial part",
                                       .series = series, .count = n, .rows = PLOT_ROWS});
}

static void tell(struct law_lab *w, const char *lab)
{
    const struct fact *rows = w->law == AMDAHL ? amdahl_rows : gustafson_rows;
    struct report *r = w->report;
    char head[100];
    snprintf(head, sizeof head, "%s law: the speed-up by %u processor%s",
             w->law == AMDAHL ? "Amdahl's" : "Gustafson's", w->processors,
             w->processors == 1 ? "" : "s");
    say_head(r, w->session, head);
    facts_say_rows(rows, w->row, w->rows, sizeof w->row[0], 2, r);
    facts_json_rows(rows, "parts", w->row, w->rows, sizeof w->row[0], &r->result);
    if (w->has_own)
        say_item(r, "here", "%s: one block on each of %u of %u SMs",
                 w->modelled ? "modelled by instructions" : "measured", w->processors, w->sms);
    else
        say_item(r, "here", "%s", w->too_many
                                      ? "none: the device has fewer SMs"
                                      : "measured; `set volatile on` shows it");
    draw(w);
    lab_counters(w->session, &w->options->lab, &w->last, r);
    facts_json(words, w, &r->result);
    lab_explain(r, lab, w->law == AMDAHL ? "amdahl" : "gustafson", words, w);
}

/* ---- the host's calls ------------------------------------------------------------------- */

/* A program for one serial part. Both laws have the same calls, with other numbers. */
struct law_calls {
    unsigned processors, threads, rounds, serial_items, items;
    unsigned shared, each; /* items that processors share; of each, if all take the same */
    uint64_t bytes;
    bool shares; /* are there any? */
};

static const struct fact call_facts[] = {
    {FACT(struct law_calls, processors)},
    {FACT(struct law_calls, threads)},
    {FACT(struct law_calls, rounds)},
    {FACT(struct law_calls, serial_items)},
    {FACT(struct law_calls, items)},
    {FACT(struct law_calls, shared), .as = AS_GROUP},
    {FACT(struct law_calls, each), .as = AS_GROUP},
    {FACT(struct law_calls, bytes)},
    {FACT(struct law_calls, shares)},
    {.name = NULL},
};

static int tell_calls(struct law_lab *w, const char *lab)
{
    struct law_row *first = &w->row[0];
    char head[100];
    if (w->too_many)
        return report_fail(w->report, "the device has %u SMs, so -p %u is only computed: no "
                                      "program has calls for it", w->sms, w->processors);
    count_items(w, first);
    const unsigned shared = first->items - first->serial_items;
    const struct law_calls calls = {
        .processors = w->processors, .threads = w->threads, .rounds = w->rounds,
        .serial_items = first->serial_items, .items = first->items, .bytes = bytes_of(first),
        .shared = shared, .each = shared / w->processors, .shares = shared > 0};
    snprintf(head, sizeof head, "what the host calls for the serial part %.4g", first->serial);
    say_head(w->report, w->session, head);
    lab_calls(w->report, "amdahl", NULL, call_facts, &calls);
    lab_explain(w->report, lab, "calls", call_facts, &calls);
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

/* The list has been read once: it has numbers with commas between them. */
static int read_parts(struct law_lab *w, const char *list)
{
    for (;;) {
        char *end;
        const double part = strtod(list, &end);
        if (!(part >= 0 && part <= 1))
            return report_fail(w->report, "a serial part is from 0 to 1: 0.05 are 5 %%");
        if (w->rows == PARTS_MOST)
            return report_fail(w->report, "--serial takes at most %d parts", PARTS_MOST);
        w->row[w->rows++].serial = part;
        if (*end != ',')
            return 0;
        list = end + 1;
    }
}

static void calculate(struct law_lab *w)
{
    const double p = w->processors;
    for (unsigned k = 0; k < w->rows; k++) {
        struct law_row *row = &w->row[k];
        row->law = law_speedup(w->law, row->serial, p);
        row->other = law_speedup(w->law == AMDAHL ? GUSTAFSON : AMDAHL, row->serial, p);
        row->has_limit = row->serial > 0;
        row->limit = row->has_limit ? 1 / row->serial : 0;
        row->efficiency = row->law / p;
        row->one_share = row->serial / (row->serial + (1 - row->serial) * p);
    }
}

static void note_first(struct law_lab *w)
{
    const struct law_row *first = &w->row[0];
    w->has_own = first->has_own;
    w->serial = first->serial;
    w->speedup = first->law;
    w->other = first->other;
    w->own = first->own;
    w->limit = first->limit;
    w->has_limit = first->has_limit;
    w->share = first->one_share;
    w->efficiency = first->efficiency;
    w->ok = true;
}

int law_run(enum law law, const char *lab, struct session *s, const struct law_options *o,
            struct report *r)
{
    struct law_lab w = {.law = law, .session = s, .report = r, .options = o,
                        .work = (unsigned)o->work, .threads = THREADS};
    w.sms = (unsigned)s->device->props.multiprocessors;
    w.processors = o->processors ? (unsigned)o->processors : w.sms ? w.sms : 1;
    w.too_many = w.processors > w.sms;
    w.modelled = !session_on_gpu(s);
    w.rounds = w.modelled ? SIM_ROUNDS : GPU_ROUNDS;
    int failed = read_parts(&w, o->serial);
    if (!failed && o->lab.calls)
        return tell_calls(&w, lab);
    if (!failed)
        calculate(&w);
    for (unsigned k = 0; k < w.rows && !failed && !w.too_many; k++)
        failed = run_row(&w, &w.row[k]);
    if (!failed) {
        note_first(&w);
        tell(&w, lab);
    }
    launch_result_free(&w.last);
    return failed || r->status != REPORT_OK ? -1 : 0;
}

const struct arg_spec law_option_specs[] = {
    {OPTION(struct law_options, serial), .type = ARG_LIST, .initial = "0.05,0.1,0.25,0.5",
     .help = "the serial parts, each from 0 to 1"},
    {.name = "p", BIND(struct law_options, processors), .value = "P", .type = ARG_INT, .lo = 1,
     .hi = MOST_PROCESSORS, .help = "the number of processors; the SMs of the device if not given"},
    {OPTION(struct law_options, work), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_WORK,
     .initial = "20", .help = "items of work for each processor, for the device's own points"},
    {0},
};
