/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hello: each thread of a small grid prints one line. Blocks run in an order drawn from the
 * seed, since no order is promised. Another legal order is named beside it.
 */
#include "labkit/lab.h"
#include "labkit/grid.h"

#include <stdio.h>
#include <string.h>

enum { MOST_THREADS = 1 << 16, MOST_SEEDS = 64, TYPED = 80 };

struct hello_options {
    struct lab_options lab;
    unsigned blocks[3], threads[3];
    bool threads_given, nosync;
};

struct hello {
    const struct hello_options *options;
    struct grid grid;
    uint64_t all, warps, lines;
    bool right;
    char shape[GRID_TEXT], typed[TYPED], order[128], other[128];
    uint64_t other_seed; /* gives another order of the blocks; 0: none is known */
};

static const struct fact facts[] = {
    {.name = "blocks", FACT_AT(struct hello, grid.block_count)},
    {.name = "threads", FACT_AT(struct hello, grid.block_size)},
    {FACT(struct hello, lines)},
    {.name = "ok", FACT_AT(struct hello, right)},
    {FACT(struct hello, all), .only = FACT_IN_TEXT},
    {FACT(struct hello, warps), .only = FACT_IN_TEXT},
    {FACT(struct hello, shape), .only = FACT_IN_TEXT},
    {FACT(struct hello, order), .only = FACT_IN_TEXT},
    {FACT(struct hello, other), .only = FACT_IN_TEXT},
    {FACT(struct hello, typed), .only = FACT_IN_TEXT},
    {FACT(struct hello, other_seed), .only = FACT_IN_TEXT, .if_set = true},
    {.name = NULL},
};

/* The line that this thread must print. */
static void expected_line(const struct grid *g, uint64_t block, uint64_t thread, char out[128])
{
    unsigned b[3], t[3];
    grid_coordinates(g->blocks, block, b);
    grid_coordinates(g->threads, thread, t);
    if (g->flat)
        snprintf(out, 128, "Hello from thread %u of block %u\n", t[0], b[0]);
    else
        snprintf(out, 128, "Hello from thread (%u,%u,%u) of block (%u,%u,%u)\n", t[0], t[1], t[2],
                 b[0], b[1], b[2]);
}

static int launch(struct session *s, const struct hello *h, uint64_t seed, bool quiet,
                  struct launch_result *result, struct report *r)
{
    char schedule[40];
    const unsigned *b = h->grid.blocks, *t = h->grid.threads;
    snprintf(schedule, sizeof schedule, "random:%llu", (unsigned long long)seed);
    const struct lab_launch l = {
        .module = "hello", .kernel = h->grid.flat ? "hello" : "hello3d",
        .grid = {b[0], b[1], b[2]}, .block = {t[0], t[1], t[2]},
        .schedule = schedule, .trace = h->options->lab.trace && !quiet, .quiet = quiet,
    };
    return lab_launch(s, &l, result, r, NULL);
}

/* The first seed that gives another order than this run's, found by trying. A GPU heeds no seed. */
static uint64_t find_other_seed(struct session *s, const struct hello *h)
{
    char order[sizeof h->order], other[sizeof h->other];
    struct launch_result result;
    struct report aside;
    uint64_t found = 0;
    bool goes_on = !session_on_gpu(s) && h->grid.block_count > 1;
    report_init(&aside);
    for (uint64_t seed = 1; goes_on && !found && seed <= MOST_SEEDS; seed++) {
        goes_on = launch(s, h, seed, true, &result, &aside) == 0;
        if (!goes_on)
            break;
        grid_orders(&h->grid, &result, order, other);
        launch_result_free(&result);
        found = strcmp(order, h->order) != 0 ? seed : 0;
    }
    report_free(&aside);
    return found;
}

/* "2x3 4": what to type for this grid. */
static void put_typed(const struct grid *g, char out[TYPED])
{
    const unsigned *const both[] = {g->blocks, g->threads};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const unsigned *d = both[i];
        n += snprintf(out + n, TYPED - (size_t)n, "%s%u", i ? " " : "", d[0]);
        if (d[1] > 1 || d[2] > 1)
            n += snprintf(out + n, TYPED - (size_t)n, "x%u", d[1]);
        if (d[2] > 1)
            n += snprintf(out + n, TYPED - (size_t)n, "x%u", d[2]);
    }
}

static void say_shape(struct session *s, const struct hello *h, struct report *r)
{
    char head[GRID_TEXT + 80];
    snprintf(head, sizeof head, "hello<<<%s>>>(): %llu x %llu threads", h->shape,
             (unsigned long long)h->grid.block_count, (unsigned long long)h->grid.block_size);
    say_head(r, s, head);
}

/* With --nosync the kernel runs all the same, but nobody fetches its lines. */
static int run_hello(struct session *s, struct hello *h, struct report *r)
{
    const struct grid *g = &h->grid;
    struct launch_result result;
    bool waited = !h->options->nosync;
    int failed = launch(s, h, lab_seed(s, &h->options->lab), !waited, &result, r);
    if (r->status != REPORT_ERROR) /* a launch that can't be is not shown as one that was */
        say_shape(s, h, r);
    if (failed)
        return -1;
    h->right = grid_prints_once(g, &result, expected_line);
    h->lines = waited ? result.print_count : 0;
    for (size_t i = 0; i < h->lines; i++)
        buf_add(&r->screen, result.prints[i].text, result.prints[i].length);
    if (!waited)
        say_item(r, "", "printed 0 lines; lost %zu lines, left on the device when main() returned",
                 result.print_count);
    lab_extras(s, &h->options->lab, &result, r);
    grid_orders(g, &result, h->order, h->other);
    facts_json(facts, h, &r->result);
    launch_result_free(&result);
    if (r->status != REPORT_OK)
        return -1;
    if (waited && g->flat)
        h->other_seed = find_other_seed(s, h);
    if (waited && g->block_count > 1)
        say_grid_orders(r, h->order, h->other);
    lab_explain(r, "hello",
                !waited                ? "nosync"
                : g->block_count == 1 ? "one"
                : !g->flat            ? "three"
                : h->other_seed       ? "blocks"
                                      : "gpu",
                facts, h);
    return h->right ? 0 : report_fail(r, "not every thread printed its line exactly once");
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct hello_options *o = given;
    struct hello h = {.options = o};
    struct grid *g = &h.grid;
    const bool both = o->threads_given; /* else B is the number of threads in one block */
    if (grid_read(g, both ? o->blocks : o->threads, both ? o->threads : o->blocks, MOST_THREADS,
                  "each thread prints a line", "hello 2 4", r))
        return -1;
    h.all = g->block_count * g->block_size;
    h.warps = (g->block_size + 31) / 32;
    grid_text(g, h.shape);
    put_typed(g, h.typed);
    if (!o->lab.calls)
        return run_hello(s, &h, r);
    say_shape(s, &h, r);
    lab_calls(r, "hello", o->nosync ? "nosync" : NULL, facts, &h);
    lab_explain(r, "hello", o->nosync ? "calls-nosync" : "calls", facts, &h);
    return 0;
}

static const struct arg_spec options[] = {
    {OPTION(struct hello_options, nosync),
     .help = "run the program that ends before its kernel prints"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", BIND(struct hello_options, blocks), .type = ARG_DIM, .lo = 1, .hi = MOST_THREADS,
     .required = true, .example = "2",
     .help = "blocks, as in 2 or 2x3; without T, the threads of one block"},
    {.name = "T", BIND(struct hello_options, threads), GIVEN(struct hello_options, threads),
     .type = ARG_DIM, .lo = 1, .hi = MOST_THREADS,
     .example = "4", .help = "threads in each block, as in 4 or 4x4x4"},
    {0},
};

static const struct lab lab = {
    .module = "hello", .takes = TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS};

const struct command lab_hello = {
    LAB_COMMAND(struct hello_options),
    .name = "hello",
    .summary = "a first kernel: every thread of a grid prints a line",
    .options = options,
    .operands = operands,
};
