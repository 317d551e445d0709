/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the arrays must hold, for all runs of all tests. A worker of the grader's own computes it,
 * before any hand-in is looked at. It depends on the numbers of a run, and not on its schedule or
 * card. The copies of this process that grade hand-ins have these bytes from the start.
 */
#include "grade/grading.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
    struct grading *g;
    struct asked asked;
    struct grader_options options;
    struct launching launching;
    const char *files[2];
    char *launch; /* of the reference's own; NULL: it has none */
};

static bool same_numbers(const struct exercise *x, const struct exercise_number *a,
                         const struct exercise_number *b)
{
    for (unsigned i = 0; i < x->scalar_count; i++)
        if (a[i].whole != b[i].whole || a[i].i != b[i].i || a[i].real != b[i].real)
            return false;
    return true;
}

const struct reference_values *references_find(const struct grading *g,
                                               const struct exercise_run *run, unsigned array)
{
    const struct references *r = &g->references;
    for (unsigned i = 0; i < r->count; i++)
        if (r->all[i].array == array && same_numbers(g->x, r->all[i].value, run->value))
            return &r->all[i];
    return NULL;
}

void references_free(struct references *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        free(r->all[i].bytes);
        free(r->all[i].value);
    }
    free(r->all);
    *r = (struct references){.count = 0};
}

/* ---- one of them -------------------------------------------------------------------------- */

/* Formulas see the inputs, whose types their array may not have: it gets a name of its own. */
static int by_formula(struct making *m, const struct exercise_reference *ref,
                      const struct exercise_array *a, struct exercise_run *run,
                      struct reference_values *v, struct err *e)
{
    struct buf command = {0}, answer = {0};
    struct span object;
    if (launching_inputs(&m->launching, run, e) != 0)
        return -1;
    buf_printf(&command, "array reference_of_it %s %llu ", element_names[a->type],
               (unsigned long long)v->count);
    int rc = script_expand(&run->script, ref->text, strlen(ref->text), &command, e);
    if (rc == 0 && !asked_do(&m->asked, buf_text(&command), &answer, &object)) {
        struct buf why = {0};
        asked_say(object, &why);
        rc = fail(e, "the formula can't be computed: %.400s", buf_text(&why));
        buf_free(&why);
    }
    if (rc == 0)
        rc = asked_array(&m->asked, "reference_of_it", a->type, v->count, v->bytes, e);
    buf_free(&command);
    buf_free(&answer);
    return rc;
}

static int by_kernel(struct making *m, const struct exercise_array *a, struct exercise_run *run,
                     struct reference_values *v, struct err *e)
{
    const struct exercise *x = m->g->x;
    const char *text = m->launch ? m->launch : x->launch;
    struct exercise_launch shape;
    struct buf object = {0};
    char name[LAUNCH_NAME];
    if (!text)
        return fail(e, "the reference needs a launch of its own: a line //: launch <<<GRID, BLOCK>>> "
                    "in its file");
    if (exercise_launch(&run->script, text, &shape, e) != 0)
        return -1;
    int rc = launching_run(&m->launching, run, &shape, &object, e);
    const struct span o = {buf_text(&object), object.len};
    if (rc == 0 && !json_is(o, "status", "ok")) {
        struct buf why = {0};
        asked_say(o, &why);
        rc = fail(e, "the reference's launch did not go well: %.400s", buf_text(&why));
        buf_free(&why);
    } else if (rc < 0)
        rc = fail(e, "the worker that runs the reference has ended");
    snprintf(name, sizeof name, "%s%s", a->name, m->launching.suffix);
    if (rc == 0)
        rc = asked_array(&m->asked, name, a->type, v->count, v->bytes, e);
    buf_free(&object);
    return rc == 0 ? 0 : -1;
}

static int by_file(const struct exercise_reference *ref, size_t bytes, struct reference_values *v,
                   struct err *e)
{
    struct buf text = {0};
    int rc = file_read(ref->text, bytes + 1, &text, e);
    if (rc == 0 && text.len != bytes)
        rc = fail(e, "%.300s has %zu bytes, and the array has %zu", ref->text, text.len, bytes);
    if (rc == 0)
        memcpy(v->bytes, text.data, bytes);
    buf_free(&text);
    return rc;
}

static int make_one(struct making *m, const struct exercise_reference *ref, unsigned array,
                    struct exercise_run *run, struct err *e)
{
    struct references *r = &m->g->references;
    const struct exercise *x = m->g->x;
    const struct exercise_array *a = &x->array[array];
    const size_t numbers = (x->scalar_count ? x->scalar_count : 1) * sizeof *run->value;
    struct reference_values v = {.array = array};
    if (references_find(m->g, run, array))
        return 0;
    if (exercise_count(run, a, &v.count, e) != 0)
        return -1;
    const size_t size = element_size(a->type);
    struct reference_values *all = realloc(r->all, (r->count + 1) * sizeof *all);
    if (all)
        r->all = all;
    v.bytes = v.count < SIZE_MAX / 16 ? malloc((size_t)v.count * size) : NULL;
    v.value = malloc(numbers);
    int rc = !all || !v.bytes || !v.value ? fail_memory(e)
             : ref->from == SOURCE_FORMULA ? by_formula(m, ref, a, run, &v, e)
             : ref->from == SOURCE_KERNEL  ? by_kernel(m, a, run, &v, e)
                                           : by_file(ref, (size_t)v.count * size, &v, e);
    if (rc == 0) {
        memcpy(v.value, run->value, numbers);
        r->all[r->count++] = v;
        return 0;
    }
    free(v.bytes);
    free(v.value);
    return -1;
}

/* ---- all of them -------------------------------------------------------------------------- */

static int begin_kernel(struct making *m, const struct exercise_reference *ref, struct err *e)
{
    struct buf says = {0}, text = {0};
    int rc = file_read(ref->text, EXERCISE_FILE_MOST, &text, e);
    if (rc == 0 && launching_load(&m->launching, &ref->text, 1, &says) != LOADED)
        rc = fail(e, "%.200s can't be loaded: %.300s", ref->text, buf_text(&says));
    if (rc == 0 && launching_find(&m->launching, &says) != 0)
        rc = fail(e, "%.200s has no kernel that fits: %.300s", ref->text, buf_text(&says));
    if (rc == 0)
        m->launch = launch_in_text((struct span){buf_text(&text), text.len}, true);
    buf_free(&text);
    buf_free(&says);
    return rc;
}

static int make_for_runs(struct making *m, const struct exercise_reference *ref, unsigned array,
                         struct err *e)
{
    const struct exercise *x = m->g->x;
    int rc = 0;
    for (unsigned t = 0; rc == 0 && t < x->test_count; t++) {
        const unsigned runs = exercise_run_count(x, &x->test[t]);
        for (unsigned k = 0; rc == 0 && k < runs; k++) {
            struct exercise_run run;
            rc = exercise_run_begin(&run, x, &x->test[t], k, e);
            if (rc == 0)
                rc = make_one(m, ref, array, &run, e);
            exercise_run_free(&run);
        }
    }
    return rc;
}

static int make_reference(struct grading *g, const struct exercise_reference *ref, struct err *e)
{
    struct making m = {.g = g, .launching = {.x = g->x}};
    unsigned array = 0;
    while (strcmp(g->x->array[array].name, ref->array) != 0)
        array++;
    m.launching.asked = &m.asked;
    m.files[0] = ref->from == SOURCE_KERNEL ? ref->text : NULL;
    grader_options(g, NULL, &m.options);
    m.asked.want = (struct worker_want){
        .programs = g->programs, .temporary = g->temporary, .files = m.files,
        .options = m.options.word, .stop = g->stop,
        .limits = {.memory = g->x->limits.memory, .command_s = g->x->limits.seconds}};
    int rc = asked_start(&m.asked, e);
    if (rc == 0 && ref->from == SOURCE_KERNEL)
        rc = begin_kernel(&m, ref, e);
    if (rc == 0)
        rc = make_for_runs(&m, ref, array, e);
    if (rc != 0 && !e->line)
        e->line = ref->line;
    asked_stop(&m.asked);
    launching_free(&m.launching);
    free(m.launch);
    return rc;
}

/* The kernel that is given says what the parameters are. */
static int adopt_source(struct grading *g, struct err *e)
{
    struct asked asked = {.started = false};
    struct grader_options options;
    struct launching l = {.x = g->x, .asked = &asked};
    struct buf says = {0};
    const char *files[2] = {g->x->source, NULL};
    grader_options(g, NULL, &options);
    asked.want = (struct worker_want){.programs = g->programs, .temporary = g->temporary,
                                      .files = files, .options = options.word, .stop = g->stop};
    int rc = asked_start(&asked, e);
    if (rc == 0 && launching_load(&l, files, 1, &says) != LOADED)
        rc = fail(e, "%.200s can't be loaded: %.300s", g->x->source, buf_text(&says));
    if (rc == 0)
        rc = launching_adopt(&l, g->x, e);
    asked_stop(&asked);
    launching_free(&l);
    buf_free(&says);
    return rc;
}

int references_make(struct grading *g, struct err *e)
{
    *e = (struct err){0};
    if (g->x->kind == EXERCISE_CONFIGURATION && !g->x->kernel && adopt_source(g, e) != 0)
        return -1;
    for (unsigned i = 0; i < g->x->reference_count; i++)
        if (make_reference(g, &g->x->reference[i], e) != 0)
            return -1;
    return 0;
}
