/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the launches and copies of a program cost, as three tables: kernels, lines, transfers. The
 * most expensive kernels and lines come first.
 */
#include "repl/run/running.h"

#include "base/mem.h"
#include "labkit/run.h"
#include "screen/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_SHOWN = 8, LINES_SHOWN = 10, LINE_TEXT = 60, BRIEF = 64, CUT = 40 };

struct run_kernel_row {
    const char *kernel;
    char brief[BRIEF];
    uint64_t launches, from_device, instructions;
    double share;
    uint64_t sectors;
    double modelled_us; /* of all launches, by the model, without the launches themselves */
    double modelled_s;  /* with them; 0: some launch has no such time */
    const struct counters *counters; /* NULL: no launch of it has ended */
};

struct run_line_row {
    char source[160], brief[BRIEF], text[LINE_TEXT];
    uint64_t instructions, sectors;
    double share;
};

struct run_transfer_row {
    const char *way;
    uint64_t count, bytes;
};

/* All rows, sorted. */
struct run_rows {
    struct run_kernel_row *kernel;
    struct run_line_row *line;
    size_t kernels, lines, transfers, room_kernels, room_lines;
    struct run_transfer_row transfer[RUN_WAYS];
};

static void put_costs(struct json *j, const void *row)
{
    const struct run_kernel_row *k = row;
    if (k->counters)
        report_counters_json(j, k->counters);
    if (k->modelled_s > 0) {
        json_object(j, "time");
        json_f64(j, "modelled_s", k->modelled_s);
        json_end_object(j);
    }
}

static const struct fact kernel_facts[] = {
    {FACT(struct run_kernel_row, kernel), .only = FACT_IN_JSON},
    {FACT(struct run_kernel_row, brief), .only = FACT_IN_TEXT, .head = "kernel", .folds = true},
    {FACT(struct run_kernel_row, launches), .as = AS_GROUP, .head = "launches", .right = true,
     .stays = true},
    {FACT(struct run_kernel_row, from_device), .only = FACT_IN_JSON},
    {FACT(struct run_kernel_row, instructions), WHEN(struct run_kernel_row, counters),
     .as = AS_GROUP, .head = "instructions", .right = true, .stays = true},
    {FACT(struct run_kernel_row, share), WHEN(struct run_kernel_row, counters), .as = AS_PERCENT,
     .head = "%", .right = true, .stays = true},
    {FACT(struct run_kernel_row, sectors), WHEN(struct run_kernel_row, counters), .as = AS_GROUP,
     .head = "sectors", .right = true, .gives_way = 1},
    {FACT(struct run_kernel_row, modelled_us), WHEN(struct run_kernel_row, counters),
     .as = AS_VALUE, .head = "us, modelled", .right = true, .gives_way = 2},
    {.put = put_costs, .label = NULL},
    {.label = NULL}};

static const struct fact line_facts[] = {
    {FACT(struct run_line_row, source), .only = FACT_IN_JSON},
    {FACT(struct run_line_row, brief), .only = FACT_IN_TEXT, .head = "line"},
    {FACT(struct run_line_row, instructions), .as = AS_GROUP, .head = "instructions", .right = true,
     .stays = true},
    {FACT(struct run_line_row, share), .as = AS_PERCENT, .head = "%", .right = true,
     .stays = true},
    {FACT(struct run_line_row, sectors), .as = AS_GROUP, .head = "sectors", .right = true,
     .gives_way = 1},
    {FACT(struct run_line_row, text), .head = "source", .folds = true},
    {.label = NULL}};

static const struct fact transfer_facts[] = {
    {FACT(struct run_transfer_row, way), .head = "transfers"},
    {FACT(struct run_transfer_row, count), .as = AS_GROUP, .head = "number", .right = true,
     .stays = true},
    {FACT(struct run_transfer_row, bytes), .as = AS_GROUP, .head = "bytes", .right = true,
     .stays = true},
    {.label = NULL}};

/* ---- gathering ------------------------------------------------------------------------- */

static uint64_t sectors_of(const struct counters *c)
{
    return c->global_load_sectors + c->global_store_sectors;
}

static double part_of(uint64_t n, uint64_t all)
{
    return all ? (double)n / (double)all : 0;
}

static int hotter_kernel(const void *a, const void *b)
{
    const struct run_kernel_row *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return strcmp(x->kernel, y->kernel);
}

static int hotter_line(const void *a, const void *b)
{
    const struct run_line_row *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return strcmp(x->source, y->source);
}

/* The name without what is in brackets. */
static void drop_brackets(const char *name, char *to, size_t room)
{
    size_t n = 0;
    int depth = 0;
    for (const char *at = name; *at && n + sizeof "<...>" < room; at++) {
        const bool opens = *at == '<' || *at == '(';
        const bool closes = depth > 0 && (*at == '>' || *at == ')');
        if (opens && depth++ == 0)
            n += (size_t)snprintf(to + n, room - n, *at == '<' ? "<...>" : "(...)");
        depth -= closes;
        if (depth == 0 && !closes)
            to[n++] = *at;
    }
    to[n] = '\0';
}

/* The end of a long name that fits, from a separator on. */
static void cut_left(const char *name, const char *separator, char *to)
{
    enum { DOTS = sizeof "..." };
    const char *from = name, *next;
    while (strlen(from) + DOTS > CUT && (next = strstr(from, separator)) != NULL)
        from = next + strlen(separator);
    snprintf(to, BRIEF, "%s%.*s", from > name ? "..." : "", BRIEF - DOTS, from);
}

/* Kernels of Thrust and CUB have names of many lines. A name that is long loses what its template
 * was made for, its parameters, and namespaces at its beginning. */
static void kernel_brief(const char *name, char to[BRIEF])
{
    char whole[400];
    if (strlen(name) < BRIEF) {
        snprintf(to, BRIEF, "%s", name);
        return;
    }
    drop_brackets(name, whole, sizeof whole);
    cut_left(whole, "::", to);
}

static void gather_kernels(const struct running *w, struct run_rows *rows)
{
    const uint64_t all = w->report->counters.warp_instructions;
    for (unsigned i = 0; i < w->run.kernel_count; i++) {
        const struct run_kernel *k = w->run.kernels[i];
        if (!k->launches && !k->from_device)
            continue;
        struct run_kernel_row *row = &rows->kernel[rows->kernels++];
        *row = (struct run_kernel_row){
            .kernel = k->kernel->shown, .launches = k->launches,
            .from_device = k->from_device,
            .instructions = k->counters.warp_instructions,
            .share = part_of(k->counters.warp_instructions, all),
            .sectors = sectors_of(&k->counters), .modelled_us = (double)k->device_ps / 1e6,
            .modelled_s = k->unmodelled ? 0 : k->modelled_s,
            .counters = k->has_counters ? &k->counters : NULL};
        kernel_brief(row->kernel, row->brief);
    }
    qsort(rows->kernel, rows->kernels, sizeof *rows->kernel, hotter_kernel);
}

/* The line's text without its blanks at the beginning, as much as fits. */
static void line_text(const struct running *w, const struct line_count *l, char to[LINE_TEXT])
{
    const struct span line = trim(line_at(run_source_text(&w->run, l->file), l->line));
    snprintf(to, LINE_TEXT, "%.*s", (int)(line.n < LINE_TEXT ? line.n : LINE_TEXT - 1), line.at);
}

static void gather_lines(const struct running *w, struct run_rows *rows)
{
    const struct run_cost *c = &w->run.cost;
    for (size_t i = 0; i < c->line_count; i++) {
        const struct line_count *l = &c->lines[i];
        struct run_line_row *row = &rows->line[rows->lines++];
        *row = (struct run_line_row){.instructions = l->counters.warp_instructions,
                                 .sectors = sectors_of(&l->counters)};
        row->share = part_of(row->instructions, w->report->counters.warp_instructions);
        snprintf(row->source, sizeof row->source, "%.140s:%d", l->file, l->line);
        cut_left(row->source, "/", row->brief);
        line_text(w, l, row->text);
    }
    qsort(rows->line, rows->lines, sizeof *rows->line, hotter_line);
}

/* -1: memory is out. Free the rows always. */
static int gather(const struct running *w, struct run_rows *rows)
{
    const struct run_cost *c = &w->run.cost;
    *rows = (struct run_rows){.room_kernels = w->run.kernel_count + 1,
                          .room_lines = c->line_count + 1};
    rows->kernel = mem_alloc(&allocator_libc, rows->room_kernels * sizeof *rows->kernel);
    rows->line = mem_alloc(&allocator_libc, rows->room_lines * sizeof *rows->line);
    if (!rows->kernel || !rows->line)
        return -1;
    gather_kernels(w, rows);
    gather_lines(w, rows);
    for (unsigned i = 0; i < RUN_WAYS; i++)
        if (c->transfers[i].count)
            rows->transfer[rows->transfers++] = (struct run_transfer_row){
                run_way_names[i], c->transfers[i].count, c->transfers[i].bytes};
    return 0;
}

static void free_rows(struct run_rows *rows)
{
    mem_free(&allocator_libc, rows->kernel, rows->room_kernels * sizeof *rows->kernel);
    mem_free(&allocator_libc, rows->line, rows->room_lines * sizeof *rows->line);
}

/* ---- showing --------------------------------------------------------------------------- */

static size_t at_most(size_t n, size_t most) { return n < most ? n : most; }

static void say_more(struct report *r, size_t count, size_t shown, const char *what)
{
    if (count > shown)
        say(r, "  and %zu more %s; --json and --report have them all\n", count - shown, what);
}

static void say_rows(struct report *r, const struct run_rows *rows)
{
    const size_t kernels = at_most(rows->kernels, KERNELS_SHOWN);
    const size_t lines = at_most(rows->lines, LINES_SHOWN);
    if (kernels) {
        facts_say_rows(kernel_facts, rows->kernel, kernels, sizeof *rows->kernel, 2, r);
        say_more(r, rows->kernels, kernels, "kernels");
    }
    if (lines) {
        say(r, "\n");
        facts_say_rows(line_facts, rows->line, lines, sizeof *rows->line, 2, r);
        say_more(r, rows->lines, lines, "lines");
    }
    if (rows->transfers) {
        say(r, "\n");
        facts_say_rows(transfer_facts, rows->transfer, rows->transfers, sizeof *rows->transfer, 2,
                       r);
    }
}

void run_say_kernels(const struct running *w)
{
    char launches[NUM_TEXT], number[NUM_TEXT], brief[BRIEF], instructions[NUM_TEXT + 40];
    char by_kernels[NUM_TEXT + 40] = "";
    size_t used = 0;
    for (unsigned i = 0; i < w->run.kernel_count; i++) {
        const struct run_kernel *k = w->run.kernels[i];
        if ((!k->launches && !k->from_device) || used++ >= KERNELS_SHOWN)
            continue;
        kernel_brief(k->kernel->shown, brief);
        num_group((int64_t)k->launches, launches);
        num_group((int64_t)k->counters.warp_instructions, number);
        snprintf(instructions, sizeof instructions, ", %s instruction%s by warps", number,
                 k->counters.warp_instructions == 1 ? "" : "s");
        num_group((int64_t)k->from_device, number);
        snprintf(by_kernels, sizeof by_kernels, " and %s by kernels", number);
        say_item(w->report, "kernel", "%s: %s launch%s%s%s", brief, launches,
                 k->launches == 1 ? "" : "es", k->from_device ? by_kernels : "",
                 k->has_counters ? instructions : "");
    }
    say_more(w->report, used, at_most(used, KERNELS_SHOWN), "kernels");
}

void run_summary(struct running *w, bool says)
{
    struct run_rows rows;
    struct report *r = w->report;
    struct json *j = &r->result;
    if (gather(w, &rows) == 0) {
        if (says)
            say_rows(r, &rows);
        facts_json_rows(kernel_facts, "kernels", rows.kernel, rows.kernels, sizeof *rows.kernel, j);
        facts_json_rows(line_facts, "lines", rows.line, rows.lines, sizeof *rows.line, j);
        facts_json_rows(transfer_facts, "transfers", rows.transfer, rows.transfers,
                        sizeof *rows.transfer, j);
    } else
        report_fail_limit(r, "out of memory");
    free_rows(&rows);
}

void run_summary_html(const struct running *w, struct buf *page)
{
    struct run_rows rows;
    if (gather(w, &rows) != 0)
        page->failed = true;
    if (rows.kernels) {
        html_heading(page, "Kernels");
        html_rows(page, kernel_facts, rows.kernel, rows.kernels, sizeof *rows.kernel);
    }
    if (rows.lines) {
        html_heading(page, "Lines");
        html_rows(page, line_facts, rows.line, rows.lines, sizeof *rows.line);
    }
    if (rows.transfers) {
        html_heading(page, "Transfers");
        html_rows(page, transfer_facts, rows.transfer, rows.transfers, sizeof *rows.transfer);
    }
    free_rows(&rows);
}
