/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the sumtree lab shows: the hooks of its ladder. Without --fill the values are those of the
 * textbook's figures: f(x) = 2x + 1 at the points of a trapezoidal rule from 0 to N, whose ends
 * the start of the total has in it already, so that thread 0 has nothing to add.
 */
#include "labs/sumtree/say.h"

#include "base/philox.h"
#include "labs/sumtree/work.h"
#include "labkit/lab.h"
#include "labkit/floats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOOK_THREADS = 8 };

/* ---- opening ---------------------------------------------------------------------------- */

/* The textbook's values: half of f(0) and f(n) first, then a value for each point after 0. */
static void take_book(struct adding_task *t)
{
    t->first = 1;
    t->start = 0.5f * (float)(1 + 2 * t->n + 1);
    for (int i = 0; i < t->n; i++)
        t->value[i] = (float)(2 * i + 1);
}

static bool is_in(const int *order, int count, int thread)
{
    for (int k = 0; k < count; k++)
        if (order[k] == thread)
            return true;
    return false;
}

/* Those that --order names, then the others as they are numbered. */
static int read_order(struct adding_task *t, const char *text, struct report *r)
{
    int count = 0;
    for (const char *at = text; *at; at += *at == ',') {
        char *end;
        long thread = strtol(at, &end, 10); /* the parser has seen to it that it is one */
        if (thread >= t->n)
            return report_fail(r, "--order: there is no thread %ld; %d threads are 0 to %d",
                               thread, t->n, t->n - 1);
        if (is_in(t->order, count, (int)thread))
            return report_fail(r, "--order: thread %ld stands there twice; each has one turn",
                               thread);
        t->order[count++] = (int)thread;
        at = end;
    }
    for (int i = 0; count < t->n; i++)
        if (!is_in(t->order, count, i))
            t->order[count++] = i;
    return 0;
}

/* One of the n! orders that chance could give. */
static void draw_order(struct adding_task *t, uint64_t seed)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int i = 0; i < t->n; i++)
        t->order[i] = i;
    for (int i = t->n - 1; i > 0; i--) {
        const uint32_t counter[4] = {(uint32_t)i, 0, 0, 0};
        uint32_t out[4];
        philox(key, counter, out);
        int other = (int)(out[0] % (uint32_t)(i + 1)), kept = t->order[i];
        t->order[i] = t->order[other];
        t->order[other] = kept;
    }
}

static int take_order(struct adding_task *t, struct session *s, const struct args *args,
                      struct report *r)
{
    static const int book_order[BOOK_THREADS] = {5, 2, 3, 7, 4, 6, 0, 1}; /* its table 6.6 */
    if (arg_given(args, "order"))
        return read_order(t, arg_text(args, "order"), r);
    if (t->n == BOOK_THREADS && !arg_given(args, "seed"))
        memcpy(t->order, book_order, sizeof book_order);
    else
        draw_order(t, lab_seed(s, args->options));
    return 0;
}

int sumtree_open(struct sumtree *w, struct session *s, const struct args *args,
                 const struct lab_variant *variants, struct report *r)
{
    *w = (struct sumtree){.session = s, .report = r, .args = args, .variants = variants};
    w->task.n = (int)arg_int(args, "N");
    if (take_order(&w->task, s, args, r))
        return -1;
    w->book = w->task;
    take_book(&w->book);
    if (!arg_given(args, "fill")) {
        w->task = w->book;
        return 0;
    }
    return floats_fill(s, args, "fill", lab_seed(s, args->options), w->task.value, (uint64_t)w->task.n,
                       r);
}

static const struct adding_task *task_of(const struct sumtree *w, const struct lab_variant *v)
{
    return v && v->mended_by ? &w->book : &w->task;
}

/* ---- the hooks of the ladder ------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    struct sumtree *w = self;
    char line[160];
    const struct adding_task *t = task_of(w, v);
    if (v && arg_given(w->args, "order") && v->tag != ADD_LINEAR)
        return report_fail(w->report, "--order says who goes first where they go one by one: "
                                      "`linear`; in %s all go at once", v->name);
    int used = snprintf(line, sizeof line, "%d threads, start %.7g, ", t->n, (double)t->start);
    if (t->first)
        snprintf(line + used, sizeof line - (size_t)used, "f(x) = 2x + 1 on [0, %d]", t->n);
    else
        snprintf(line + used, sizeof line - (size_t)used, "values %.60s",
                 arg_text(w->args, "fill"));
    say_head(w->report, w->session, line);
    return 0;
}

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct sumtree *w = self;
    enum adding_way way = (enum adding_way)how->variant->tag;
    const struct adding_task *t = task_of(w, how->variant);
    if (!adding_takes(way, t->n)) {
        snprintf(got->not_run, sizeof got->not_run,
                 "it takes 2, 4, 8, 16 or 32 threads; `tree` takes any number");
        return 0;
    }
    if (adding_run(way, t, how, &w->last, got))
        return -1;
    if (how->variant->mended_by && !how->quiet) {
        say(w->report, "\n");
        adding_draw(way, t, &w->last, w->report);
    }
    return 0;
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct sumtree *w = self;
    enum adding_way way = (enum adding_way)v->tag;
    struct report *r = w->report;
    struct buf check;
    int n = w->task.n, in_a_row = adding_in_a_row(way, n);
    adding_draw(way, &w->task, &w->last, r);
    say(r, "\n");
    say_item(r, "sum", "%.9g    exact %.9g", got->value, got->expected);
    buf_init(&check);
    attempt_say(got, r, &check);
    buf_printf(&check, ": the values of all steps are %sthose of plain C",
               got->right ? "" : "not ");
    say_item_text(r, "check", &check);
    say_item(r, "in a row", "%d additions, of %d in all", in_a_row,
             adding_in_all(way, &w->last, n));
    if (way == ADD_LINEAR)
        say_item(r, "in a tree", "%d in a row: log2 %d, rounded up, and one atomic",
                 adding_in_a_row(ADD_TREE, n), n);
    else
        say_item(r, "linear", "%d in a row; here %d step%s and one atomic", n,
                 w->last.steps, w->last.steps == 1 ? "" : "s");
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct sumtree *w = self;
    struct json *j = &w->report->result;
    json_int(j, "n", w->task.n);
    if (!v)
        return;
    enum adding_way way = (enum adding_way)v->tag;
    json_text(j, "variant", v->name);
    json_f32(j, "start", task_of(w, v)->start);
    json_f32(j, "sum", (float)got->value);
    json_f64(j, "exact", got->expected);
    json_f64(j, "error", got->error);
    json_int(j, "in_a_row", adding_in_a_row(way, w->task.n));
    json_int(j, "in_all", adding_in_all(way, &w->last, w->task.n));
    adding_put(way, task_of(w, v), &w->last, j);
    attempt_put_ok(got, j);
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct sumtree *w = self;
    int n = w->task.n;
    slot(s, "n", "%d", n);
    slot(s, "half", "%d", n / 2);
    slot(s, "last", "%d", n - 1);
    slot(s, "steps", "%d", adding_steps(n));
    slot(s, "tree", "%d", adding_in_a_row(ADD_TREE, n));
    slot(s, "aside", "%s", w->task.first ? "Thread 0 adds 0: its f(0) is in the start already."
                                         : "Another order may round to other last bits.");
    slot(s, "start", "%.7g", (double)task_of(w, v)->start);
    slot(s, "sum", "%.7g", got ? got->value : 0.0);
    slot(s, "exact", "%.7g", got ? got->expected : 0.0);
    slot(s, "all", "%d", v && got ? adding_in_all((enum adding_way)v->tag, &w->last, n) : n);
}

static const char *in_a_row(void *self, const struct lab_variant *v, char out[NUM_TEXT])
{
    const struct sumtree *w = self;
    snprintf(out, NUM_TEXT, "%d", adding_in_a_row((enum adding_way)v->tag, w->task.n));
    return out;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"barriers", offsetof(struct counters, barriers)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct host_call calls[] = {
    {"cudaMemcpy(value, v, 4 n, cudaMemcpyHostToDevice)", "4 bytes a thread to the device",
     "the host waits until they are copied"},
    {"cudaMemcpy(total, &start, 4, cudaMemcpyHostToDevice)", "4 bytes to the device",
     "the host waits until they are copied"},
    {"%s", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(&sum, total, 4, cudaMemcpyDeviceToHost)", "4 bytes to the host",
     "the copy waits for the kernel, the host for the copy"},
    {NULL, NULL, NULL},
};

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    const struct sumtree *w = self;
    snprintf(out, size, "%s<<<1, %d>>>(value, ..., total)", v->kernel, w->task.n);
}

struct old_ladder sumtree_ladder(struct sumtree *w)
{
    return (struct old_ladder){
        .session = w->session, .report = w->report, .args = w->args, .variants = w->variants,
        .file = "sumtree", .value = "sum", .kind = VALUE_F32,
        .order = "in a row: the additions that wait for one another",
        .columns = columns, .calls = calls, .self = w, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots_of, .call = call_of,
        .beside_head = "in a row", .beside = in_a_row};
}
