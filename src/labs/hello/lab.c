/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hello: each thread of a small grid prints one line. Blocks run in an order drawn from the
 * seed, since no order is promised; another one, as legal, is named beside it.
 */
#include "labkit/lab.h"
#include "labkit/grid.h"
#include "labkit/ladder.h"

#include <stdio.h>
#include <string.h>

enum { MOST_THREADS = 1 << 16 };

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

static int launch(struct session *s, const struct grid *g, uint64_t seed, bool quiet, bool trace,
                  struct launch_result *result, struct report *r)
{
    char schedule[40];
    snprintf(schedule, sizeof schedule, "random:%llu", (unsigned long long)seed);
    const struct lab_launch l = {
        .module = "hello", .kernel = g->flat ? "hello" : "hello3d",
        .grid = {g->blocks[0], g->blocks[1], g->blocks[2]},
        .block = {g->threads[0], g->threads[1], g->threads[2]},
        .schedule = schedule, .trace = trace, .quiet = quiet,
    };
    return lab_launch(s, &l, result, r, NULL);
}

static const char at_once[] = "the host does not wait: the call returns at once";
static const struct host_call calls[] = {
    {"hello<<<%s>>>()", NULL, at_once},
    {"cudaDeviceSynchronize()", "the printed lines to the host",
     "the host waits for the kernel, then prints them"},
    {NULL, NULL, NULL},
};
static const struct host_call without_wait[] = {
    {"hello<<<%s>>>()", NULL, at_once},
    {"return 0", NULL, "main() ends, and with it the lines that wait on the device"},
    {NULL, NULL, NULL},
};

static void explain(const struct grid *g, const char *which, const char *order, const char *other,
                    struct report *r)
{
    struct slots s;
    slots_init(&s);
    slot(&s, "blocks", "%u", (unsigned)g->block_count);
    slot(&s, "threads", "%u", (unsigned)g->block_size);
    slot(&s, "all", "%u", (unsigned)(g->block_count * g->block_size));
    slot(&s, "warps", "%u", (unsigned)((g->block_size + 31) / 32));
    slot(&s, "order", "%s", order);
    slot(&s, "other", "%s", other);
    lab_explain_slots(r, "hello", which, &s);
}

/* With --nosync the kernel runs all the same, but nobody fetches its lines. */
static int run_hello(struct session *s, const struct args *args, const struct grid *g,
                     uint64_t seed, struct report *r)
{
    struct launch_result result;
    char order[128], other[128];
    bool waited = !arg_flag(args, "nosync");
    if (launch(s, g, seed, !waited, arg_flag(args, "trace"), &result, r))
        return -1;
    bool ok = grid_prints_once(g, &result, expected_line);
    for (size_t i = 0; waited && i < result.print_count; i++)
        buf_add(&r->screen, result.prints[i].text, result.prints[i].length);
    if (!waited)
        say(r, "  printed 0 lines; lost %zu lines, left on the device when main() returned\n",
            result.print_count);
    lab_extras(s, args->options, &result, r);
    grid_orders(g, &result, order, other);
    json_uint(&r->result, "blocks", g->block_count);
    json_uint(&r->result, "threads", g->block_size);
    json_uint(&r->result, "lines", waited ? result.print_count : 0);
    json_bool(&r->result, "ok", ok);
    launch_result_free(&result);
    if (r->status != REPORT_OK)
        return -1;
    if (waited && g->block_count > 1)
        say_grid_orders(r, order, other);
    explain(g, !waited ? "nosync" : g->block_count == 1 ? "one" : g->flat ? "blocks" : "three",
            order, other, r);
    return ok ? 0 : report_fail(r, "not every thread printed its line exactly once");
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct grid g;
    char head[120], shape[80];
    uint64_t seed = lab_seed(s, args->options);
    if (grid_read(&g, args, MOST_THREADS, "each thread prints a line", "hello 2 4", r))
        return -1;
    grid_text(&g, shape);
    snprintf(head, sizeof head, "hello<<<%s>>>(): %llu x %llu threads", shape,
             (unsigned long long)g.block_count, (unsigned long long)g.block_size);
    say_head(r, s, head);
    if (arg_flag(args, "calls")) {
        bool waits = !arg_flag(args, "nosync");
        say_calls(r, waits ? calls : without_wait, shape);
        explain(&g, waits ? "calls" : "nosync", "", "", r);
        return 0;
    }
    return run_hello(s, args, &g, seed, r);
}

static const struct arg_spec options[] = {
    {.name = "nosync", .type = ARG_FLAG, .help = "the program that ends before its kernel prints"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", .type = ARG_DIM, .lo = 1, .hi = MOST_THREADS, .required = true,
     .help = "blocks, as in 2 or 2x3; alone: the threads of one block"},
    {.name = "T", .type = ARG_DIM, .lo = 1, .hi = MOST_THREADS,
     .help = "threads in each block, as in 4 or 4x4x4"},
    {0},
};

static const struct lab lab = {
    .module = "hello", .takes = TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS};

const struct command lab_hello = {
    .name = "hello",
    .kind = CLASS_LAB,
    .summary = "every thread of a grid prints a line",
    .options = options,
    .operands = operands,
    .lab = &lab,
    .run = run,
};
