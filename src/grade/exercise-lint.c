/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges all expectations without a hand-in: on an object that has all names, and on arrays of
 * zeros. What is found does not matter here. An expectation that can't be judged is a mistake of the
 * exercise, as are sizes and launches that can't be computed.
 */
#include "dev/cards.h"
#include "grade/grading.h"
#include "screen/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct linting {
    struct exercise *x;
    const struct exercise_test *test;
    struct exercise_run *run;
    struct script script;
    enum element last; /* the type of the array that was asked for last: `reference` is of that one */
};

/* As the launch of a kernel or the run of a program has it. */
static void model_object(const struct linting *l, struct buf *out)
{
    static const struct counters none;
    static const unsigned one[3] = {1, 1, 1};
    struct json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    json_text(&j, "status", "ok");
    json_text(&j, "kernel", "k");
    json_dims(&j, "grid", one);
    json_dims(&j, "block", one);
    json_uint(&j, "shared_bytes", 0);
    json_array(&j, "output");
    json_end_array(&j);
    json_array(&j, "faults");
    json_end_array(&j);
    report_counters_json(&j, &none);
    json_object(&j, "time");
    json_f64(&j, "modelled_s", 1);
    json_end_object(&j);
    json_object(&j, "result");
    if (l->run)
        exercise_run_json(l->run, &j);
    static const char *const numbers[] = {"blocks", "threads", "registers", "static_shared_bytes",
                                          "exit", "exit_status", "launches"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_uint(&j, numbers[i], 1);
    json_object(&j, "answer");
    for (unsigned i = 0; i < l->x->ask_count; i++)
        if (l->x->ask[i].word)
            json_text(&j, l->x->ask[i].answer, "word");
        else
            json_uint(&j, l->x->ask[i].answer, 1);
    json_end_object(&j);
    json_end_object(&j);
    json_end_object(&j);
}

static int run_statement(void *self, const struct statement *st, struct err *e)
{
    struct linting *l = self;
    struct buf object = {0};
    (void)st;
    (void)e;
    model_object(l, &object);
    script_ran(&l->script, buf_text(&object), object.len);
    buf_free(&object);
    return 0;
}

static int find_array(void *self, const char *name, struct host_array *a, struct err *e)
{
    struct linting *l = self;
    const size_t n = strcspn(name, "[");
    const bool script = l->x->kind == EXERCISE_SCRIPT;
    unsigned k = 0;
    *a = (struct host_array){.type = ELEMENT_F32, .count = 2, .whole = 2, .one = name[n] != '\0'};
    if (script) {
        a->one &= !strstr(name, "..");
        a->count = a->one ? 1 : 2;
        return 0;
    }
    if (n == 9 && strncmp(name, "reference", 9) == 0 && l->x->reference_count) {
        a->type = l->last;
        return 0;
    }
    while (k < l->x->array_count && !same_text((struct span){name, n}, l->x->array[k].name))
        k++;
    if (k == l->x->array_count)
        return fail(e, "there is no array %.60s", name);
    a->type = l->last = l->x->array[k].type;
    if (a->one && !strstr(name, ".."))
        a->count = 1;
    else
        a->one = false;
    return 0;
}

static int read_elements(void *self, const struct host_array *a, uint64_t first, uint64_t n, void *to,
                         struct err *e)
{
    (void)self;
    (void)first;
    (void)e;
    memset(to, 0, n * element_size(a->type));
    return 0;
}

static void failed(void *self, const struct statement *st, const struct err *e)
{
    struct linting *l = self;
    struct err at = *e;
    at.line = st->line;
    at.column = st->column + (e->column ? (int)strcspn(st->text, " \t") + e->column - 1 : 0);
    exercise_complain(l->x, &at);
}

static void lint_test(struct linting *l)
{
    struct err e = {0};
    l->script = (struct script){.host = {.self = l, .run = run_statement, .array = find_array,
                                         .elements = read_elements, .failed = failed,
                                         .check_fault = l->x->check_fault,
                                         .seed = l->x->seed}};
    struct exercise *x = l->x;
    for (unsigned i = 0; i < x->scalar_count; i++) {
        struct value v = {.type = VALUE_WHOLE, .whole = 1};
        script_set(&l->script, x->scalar[i].name, &v, &e);
    }
    for (unsigned i = 0; i < x->draw_count; i++) {
        struct value v = {.type = VALUE_WHOLE, .whole = x->draw[i].from};
        script_set(&l->script, x->draw[i].name, &v, &e);
    }
    if (x->kind == EXERCISE_QUESTION) /* what `compute` gives is known only when it has run */
        script_lint(&l->script, &l->test->body, failed, l);
    else
        script_run(&l->script, &l->test->body);
    script_free(&l->script);
}

/* What the card does not take, whatever the kernel is. */
static int check_shape(const struct exercise_launch *l, const char *device, struct err *e)
{
    const struct card *card = card_simulated(device, e);
    if (!card)
        return -1;
    const struct device_props p = card_props(card);
    const int64_t *g = l->grid, *b = l->block;
    const int64_t shared =
        (int64_t)(p.shared_per_block_optin ? p.shared_per_block_optin : p.shared_per_block);
    const int most = p.max_threads_per_block;
    if (b[0] > most || b[1] > most || b[2] > most || b[0] * b[1] * b[2] > most)
        return fail_at(e, 0, 1, "a block has at most %d threads", most);
    if (b[0] > p.max_block[0] || b[1] > p.max_block[1] || b[2] > p.max_block[2])
        return fail_at(e, 0, 1, "a block has at most %d x %d x %d threads", p.max_block[0],
                       p.max_block[1], p.max_block[2]);
    if (g[0] > p.max_grid[0] || g[1] > p.max_grid[1] || g[2] > p.max_grid[2])
        return fail_at(e, 0, 1, "a grid has at most %" PRId64 " x %" PRId64 " x %" PRId64 " blocks",
                       p.max_grid[0], p.max_grid[1], p.max_grid[2]);
    return l->shared > shared ? fail_at(e, 0, 1, "a block has at most %" PRId64 " bytes of shared "
                                        "memory on the card %s", shared, p.profile)
                              : 0;
}

/* A file has as many elements as its input. Where the kernel is given, their type is not known yet. */
static int check_input_file(const struct linting *l, unsigned which, struct err *e)
{
    const struct exercise *x = l->x;
    unsigned char *bytes = NULL;
    struct err why = {0};
    uint64_t count;
    if (!x->array[which].file || x->kind == EXERCISE_CONFIGURATION)
        return 0;
    const int rc = input_make(x, l->run, which, &count, &bytes, &why);
    free(bytes);
    return rc == 0 ? 0 : fail_at(e, x->array[which].line, x->array[which].column, "%s", why.text);
}

/* All that is computed for a run. */
static bool lint_run(struct linting *l)
{
    struct exercise *x = l->x;
    struct exercise_launch shape;
    struct err e = {0};
    uint64_t count;
    for (unsigned i = 0; i < x->array_count; i++)
        if (exercise_count(l->run, &x->array[i], &count, &e) != 0 ||
            check_input_file(l, i, &e) != 0) {
            exercise_complain(x, &e);
            return false;
        }
    if (x->launch && (exercise_launch(&l->run->script, x->launch, &shape, &e) != 0 ||
                      check_shape(&shape, l->run->device, &e) != 0)) {
        e.line = x->launch_line;
        e.column = x->launch_column + (e.column ? e.column - 1 : 0);
        exercise_complain(x, &e);
        return false;
    }
    return true;
}

void exercise_lint(struct exercise *x)
{
    for (unsigned t = 0; t < x->test_count; t++) {
        const unsigned runs = exercise_run_count(x, &x->test[t]);
        struct linting l = {.x = x, .test = &x->test[t]};
        struct err e = {0};
        bool good = runs > 0;
        if (!runs) {
            fail_at(&e, x->test[t].line, 1, "this testcase has more than %d runs",
                    EXERCISE_RUNS_MOST);
            exercise_complain(x, &e);
        }
        for (unsigned k = 0; good && k < runs; k++) {
            struct exercise_run run;
            l.run = &run;
            good = exercise_run_begin(&run, x, l.test, k, &e) == 0 && lint_run(&l);
            if (good && k == 0)
                lint_test(&l);
            exercise_run_free(&run);
        }
    }
}
