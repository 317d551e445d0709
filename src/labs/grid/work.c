/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices of threads: worked out on the host, computed by a kernel with the formula in it,
 * compared, and told.
 */
#include "labs/grid/work.h"

#include "labkit/lab.h"
#include "labkit/patch.h"
#include "screen/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 12, ROWS_MOST = 8, LABEL = 40, PUT_MOST = 1024 };

/* ---- the formula ------------------------------------------------------------------------ */

/* x, (y * DIM.x + x) or ((z * DIM.y + y) * DIM.x + x), by the number of dimensions. */
static void add_number(struct buf *b, const char *index, const char *dim, const unsigned size[3],
                       bool inside)
{
    bool z = size[2] > 1, y = z || size[1] > 1;
    if (y && inside)
        buf_putc(b, '(');
    if (z)
        buf_printf(b, "(%s.z * %s.y + %s.y) * %s.x + ", index, dim, index, dim);
    else if (y)
        buf_printf(b, "%s.y * %s.x + ", index, dim);
    buf_printf(b, "%s.x", index);
    if (y && inside)
        buf_putc(b, ')');
}

static void by_the_book(const struct grid *g, struct buf *b)
{
    add_number(b, "blockIdx", "gridDim", g->blocks, true);
    buf_puts(b, " * ");
    if (g->threads[2] > 1)
        buf_puts(b, "(blockDim.x * blockDim.y * blockDim.z)");
    else
        buf_puts(b, g->threads[1] > 1 ? "(blockDim.x * blockDim.y)" : "blockDim.x");
    buf_puts(b, " + ");
    add_number(b, "threadIdx", "blockDim", g->threads, false);
}

int indexing_open(struct indexing *x, const char *text, struct report *r)
{
    struct expr_error e;
    struct buf book = {0};
    by_the_book(&x->grid, &book);
    int failed = expr_parse_index(text ? text : buf_text(&book), &x->formula, &e);
    buf_free(&book);
    if (failed)
        return report_fail(r, "--index %s: column %d: %s", text ? text : "", e.column, e.text);
    x->index = calloc((size_t)x->threads, sizeof *x->index);
    x->hits = calloc((size_t)x->n, sizeof *x->hits);
    return x->index && x->hits ? 0 : report_fail_limit(r, "out of memory; a smaller grid needs less");
}

void indexing_close(struct indexing *x)
{
    expr_free(x->formula);
    free(x->index);
    free(x->hits);
}

/* ---- one run ---------------------------------------------------------------------------- */

static void coordinates(const struct grid *g, uint64_t number, unsigned thread[3],
                        unsigned block[3])
{
    grid_coordinates(g->threads, number % g->block_size, thread);
    grid_coordinates(g->blocks, number / g->block_size, block);
}

/* -1: the formula divides by zero in that thread, and the report says so. */
static int on_host(const struct indexing *x, uint64_t number, int32_t *index, struct report *r)
{
    uint32_t input[EXPR_INPUTS], value = 0;
    unsigned *t = input, *b = input + 3;
    coordinates(&x->grid, number, t, b);
    memcpy(input + 6, x->grid.threads, sizeof x->grid.threads);
    memcpy(input + 9, x->grid.blocks, sizeof x->grid.blocks);
    if (expr_eval_index(x->formula, input, &value))
        return report_fail(r, "--index %s: thread (%u,%u,%u) of block (%u,%u,%u) divides by 0",
                           expr_text(x->formula), t[0], t[1], t[2], b[0], b[1], b[2]);
    memcpy(index, &value, sizeof value); /* as an int: 2^31 and more is negative */
    return 0;
}

static int predict(struct indexing *x, struct report *r)
{
    for (uint64_t i = 0; i < x->threads; i++)
        if (on_host(x, i, &x->index[i], r))
            return -1;
    return 0;
}

static void describe(struct indexing *x)
{
    x->never = (uint64_t)x->n - x->hit;
    x->exact = !x->never && !x->shared;
    x->text = expr_text(x->formula);
    x->last = x->n - 1;
    x->enough = (int)((x->n + (int64_t)x->grid.block_size - 1) / (int64_t)x->grid.block_size);
    x->each = (struct verdict){true, "each has one thread"};
    x->missing = (struct verdict){false, x->never ? "never" : "none left out"};
}

/* Before the launch, x->index is what the host expects. */
static void compare(struct indexing *x, const int32_t *got, const uint32_t *hits)
{
    const size_t bytes = (size_t)x->threads * sizeof *got;
    x->same = memcmp(x->index, got, bytes) == 0;
    memcpy(x->index, got, bytes);
    for (uint64_t i = 0; i < x->threads; i++) {
        if (got[i] >= 0 && got[i] < x->n)
            x->hits[got[i]]++;
        x->idle += got[i] >= x->n;
        x->below += got[i] < 0;
    }
    x->same &= memcmp(x->hits, hits, (size_t)x->n * sizeof *hits) == 0;
    for (int i = 0; i < x->n; i++) {
        x->hit += hits[i] > 0;
        x->shared += hits[i] > 1;
        if (hits[i] > x->most) {
            x->most = hits[i];
            x->most_at = i;
        }
    }
    describe(x);
}

static int launch(struct indexing *x, struct session *s, bool trace, struct launch_result *result,
                  int32_t *got, uint32_t *hits, struct report *r)
{
    uint64_t index_at, hits_at;
    const uint64_t index_bytes = x->threads * sizeof *got;
    const size_t hits_bytes = (size_t)x->n * sizeof *hits;
    const unsigned *b = x->grid.blocks, *t = x->grid.threads;
    const struct lab_launch l = {.module = "grid", .kernel = "grid", .trace = trace,
                                 .grid = {b[0], b[1], b[2]}, .block = {t[0], t[1], t[2]}};
    return lab_array(s, index_bytes, "index", NULL, &index_at, r) ||
                   lab_array(s, hits_bytes, "hits", hits, &hits_at, r) ||
                   lab_launch(s, &l, result, r, PARAMS(index_at, hits_at, x->n)) ||
                   session_fetch(s, got, index_at, index_bytes, r) ||
                   session_fetch(s, hits, hits_at, hits_bytes, r)
               ? -1
               : 0;
}

int indexing_run(struct indexing *x, struct session *s, bool trace, struct launch_result *result,
                 struct report *r)
{
    struct buf body = {0};
    int32_t *got = calloc((size_t)x->threads, sizeof *got);
    uint32_t *hits = calloc((size_t)x->n, sizeof *hits);
    int failed = predict(x, r);
    if (!failed && (!got || !hits || expr_ptx_index(x->formula, "grid_index", &body)))
        failed = report_fail_limit(r, "out of memory; a smaller grid needs less");
    if (!failed)
        failed = module_patch(s, "grid", "grid_index", &body, r) ||
                 launch(x, s, trace, result, got, hits, r);
    if (!failed)
        compare(x, got, hits);
    buf_free(&body);
    free(got);
    free(hits);
    return failed ? -1 : 0;
}

/* ---- the table -------------------------------------------------------------------------- */

/* "3", or "(3,1)", "(3,1,0)" where there are more dimensions. */
static void put_place(const unsigned size[3], uint64_t number, char out[LABEL])
{
    unsigned at[3];
    grid_coordinates(size, number, at);
    if (size[2] > 1)
        snprintf(out, LABEL, "(%u,%u,%u)", at[0], at[1], at[2]);
    else if (size[1] > 1)
        snprintf(out, LABEL, "(%u,%u)", at[0], at[1]);
    else
        snprintf(out, LABEL, "%u", at[0]);
}

static void put_cell(const struct indexing *x, uint64_t thread, char out[LABEL])
{
    int32_t i = x->index[thread];
    if (i < 0 || i >= x->n)
        snprintf(out, LABEL, "[%d]", i);
    else
        snprintf(out, LABEL, "%d%s", i, x->hits[i] > 1 ? "*" : "");
}

/* The number of the k-th item that is shown. `count` stands for the dots before the last one. */
static uint64_t shown(uint64_t count, unsigned places, unsigned k)
{
    if (count <= places || k + 2 < places)
        return k;
    return k + 2 == places ? count : count - 1;
}

static unsigned widest_cell(const struct indexing *x)
{
    unsigned most = 3;
    char text[LABEL];
    for (uint64_t i = 0; i < x->threads; i++) {
        put_cell(x, i, text);
        most = strlen(text) > most ? (unsigned)strlen(text) : most;
    }
    put_place(x->grid.threads, x->grid.block_size - 1, text);
    return strlen(text) > most ? (unsigned)strlen(text) : most;
}

/* How many threads of a block fit side by side. */
static unsigned columns_of(const struct indexing *x, int width)
{
    enum { BLOCK_COLUMN = 13, LEAST = 3 };
    unsigned fit = (unsigned)(width > BLOCK_COLUMN ? width - BLOCK_COLUMN : 0) /
                   (widest_cell(x) + 2);
    fit = fit < LEAST ? LEAST : fit > COLUMNS_MOST ? COLUMNS_MOST : fit;
    return x->grid.block_size < fit ? (unsigned)x->grid.block_size : fit;
}

/* Says in words what a cell shows. */
static void put_words(const struct indexing *x, uint64_t thread, char out[LABEL])
{
    int32_t i = x->index[thread];
    if (i < 0 || i >= x->n)
        snprintf(out, LABEL, "no element (index %d)", i);
    else
        snprintf(out, LABEL, "element %d%s", i, x->hits[i] > 1 ? " with other threads" : "");
}

static void put_row(const struct indexing *x, uint64_t block, unsigned columns, bool plain,
                    struct table *t)
{
    char text[LABEL] = "...";
    uint64_t size = x->grid.block_size;
    if (block < x->grid.block_count)
        put_place(x->grid.blocks, block, text);
    table_cell(t, "%s", text);
    for (unsigned k = 0; k < columns; k++) {
        uint64_t thread = shown(size, columns, k);
        bool there = block < x->grid.block_count && thread < size;
        if (there)
            (plain ? put_words : put_cell)(x, block * size + thread, text);
        table_cell(t, "%s", there ? text : "...");
    }
}

static void say_table_of(const struct indexing *x, struct report *r)
{
    struct table t;
    char heads[COLUMNS_MOST][LABEL], tells[COLUMNS_MOST][LABEL + 20];
    struct table_column columns[COLUMNS_MOST + 1] = {
        {.head = "block thread", .tells = "block %:"}};
    unsigned count = columns_of(x, r->width);
    uint64_t rows = x->grid.block_count < ROWS_MOST ? x->grid.block_count : ROWS_MOST;
    for (unsigned k = 0; k < count; k++) {
        uint64_t thread = shown(x->grid.block_size, count, k);
        snprintf(heads[k], LABEL, "...");
        if (thread < x->grid.block_size)
            put_place(x->grid.threads, thread, heads[k]);
        snprintf(tells[k], sizeof tells[k], "thread %s has %%", heads[k]);
        columns[k + 1] = (struct table_column){.head = heads[k], .right = true, .tells = tells[k]};
    }
    table_begin(&t, columns, (int)count + 1, 0);
    for (unsigned k = 0; k < rows; k++)
        put_row(x, shown(x->grid.block_count, (unsigned)rows, k), count, r->plain, &t);
    say_table(r, &t);
    if ((x->idle || x->below) && !r->plain)
        say(r, "[i]: no such element\n");
    if (x->shared && !r->plain)
        say(r, "i*: another thread has the same element\n");
}

/* How many threads each element has. Nothing is drawn where each has one. */
static void say_hits(const struct indexing *x, struct report *r)
{
    double *values = x->exact ? NULL : calloc((size_t)x->n, sizeof *values);
    if (!values)
        return;
    for (int i = 0; i < x->n; i++)
        values[i] = x->hits[i];
    say(r, "\n");
    say_sparkline(r, "threads for each element", values, (unsigned)x->n);
    free(values);
}

/* ---- what is said ----------------------------------------------------------------------- */

static void put_values(struct json *j, const void *found)
{
    const struct indexing *x = found;
    if (x->threads <= PUT_MOST) {
        json_array(j, "values");
        for (uint64_t i = 0; i < x->threads; i++)
            json_int(j, NULL, x->index[i]);
        json_end_array(j);
    }
    if (x->n <= PUT_MOST) {
        json_array(j, "hits");
        for (int i = 0; i < x->n; i++)
            json_uint(j, NULL, x->hits[i]);
        json_end_array(j);
    }
}

static const struct fact facts[] = {
    {.name = "index", FACT_AT(struct indexing, text), .label = "i"},
    {.name = "blocks", FACT_AT(struct indexing, grid.block_count), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct indexing, grid.block_size), .as = AS_GROUP},
    {.name = "all", FACT_AT(struct indexing, threads), .as = AS_GROUP},
    {FACT(struct indexing, n), .as = AS_GROUP},
    {FACT(struct indexing, hit), .as = AS_GROUP},
    {FACT(struct indexing, never), .as = AS_GROUP},
    {FACT(struct indexing, shared), .as = AS_GROUP},
    {FACT(struct indexing, most)},
    {FACT(struct indexing, idle), .as = AS_GROUP},
    {.name = "negative", FACT_AT(struct indexing, below), .as = AS_GROUP},
    {FACT(struct indexing, exact)},
    {.put = put_values},
    {.name = "ok", FACT_AT(struct indexing, same)},
    {FACT(struct indexing, most_at), .only = FACT_IN_TEXT},
    {FACT(struct indexing, last), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {FACT(struct indexing, enough), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {FACT(struct indexing, each), .only = FACT_IN_TEXT},
    {FACT(struct indexing, missing), .only = FACT_IN_TEXT},
    {FACT(struct indexing, shape), .only = FACT_IN_TEXT},
    {FACT(struct indexing, index_bytes), .only = FACT_IN_TEXT},
    {FACT(struct indexing, hits_bytes), .only = FACT_IN_TEXT},
    {.label = "elements",
     .says = "{exact?{each}: 0 to {last}|{hit} of {n} have a thread, {never} {missing}"
             "{shared?; {shared} have more than one, element {most_at} has {most}|}}"},
    {.label = "idle", FACT_AT(struct indexing, idle), .if_set = true,
     .says = "{idle thread}: their i is not below n = {n:%.0f}"},
    {.label = "below 0", FACT_AT(struct indexing, below), .if_set = true,
     .says = "{negative} threads: as an int their i is negative, and `i < n` is true for them"},
    {.name = NULL},
};

void tell_indexing(const struct indexing *x, struct report *r)
{
    facts_tell(facts, x, r);
    say(r, "\n");
    say_table_of(x, r);
    say_hits(x, r);
}

/* Which explanation fits; the worst case first. */
static const char *case_of(const struct indexing *x)
{
    if (x->below)
        return "negative";
    if (x->shared)
        return "twice";
    if (x->never)
        return x->threads < (uint64_t)x->n ? "few" : "gaps";
    return x->idle ? "idle" : x->grid.flat ? "flat" : "many";
}

void explain_indexing(const struct indexing *x, struct report *r)
{
    lab_explain(r, "grid", case_of(x), facts, x);
}

void tell_indexing_calls(struct indexing *x, struct report *r)
{
    x->index_bytes = x->threads * sizeof *x->index;
    x->hits_bytes = (uint64_t)x->n * sizeof *x->hits;
    lab_calls(r, "grid", NULL, facts, x);
    lab_explain(r, "grid", "calls", facts, x);
}
