/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the arrays must hold, for all runs of all tests. A worker of the grader's own computes it,
 * before any hand-in is looked at. It depends on the numbers of a run, and not on its schedule or
 * card. The copies of this process that grade hand-ins have these bytes from the start.
 */
#include "grade/grading.h"
#include "os/file.h"
#include "own/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
    struct grading *g;
    struct grader_worker asked;
    struct grader_options options;
    struct launching launching;
    const char **files; /* that the worker may read */
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
    const struct reference_set *r = &g->references;
    for (unsigned i = 0; i < r->count; i++)
        if (r->all[i].array == array && same_numbers(g->x, r->all[i].value, run->value))
            return &r->all[i];
    return NULL;
}

void references_free(struct reference_set *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        free(r->all[i].bytes);
        free(r->all[i].value);
    }
    free(r->all);
    *r = (struct reference_set){.count = 0};
}

/* ---- one of them -------------------------------------------------------------------------- */

int input_make(const struct exercise *x, struct exercise_run *run, unsigned which,
               uint64_t *count, unsigned char **bytes, struct err *e)
{
    const struct exercise_array *a = &x->array[which];
    struct buf text = {0};
    struct fill fill = {.kind = FILL_LIST};
    if (exercise_count(run, a, count, e) != 0)
        return -1;
    struct array of = {.name = (char *)(uintptr_t)a->name, .type = a->type, .count = *count,
                       .dims = {*count}};
    const struct slice part = {.of = &of, .type = a->type, .count = *count, .hi = *count - 1,
                               .dims = {*count}, .whole = true};
    *bytes = *count < SIZE_MAX / 16 ? calloc((size_t)*count, element_size(a->type)) : NULL;
    if (!*bytes)
        return fail_memory(e);
    if (!a->fill)
        return 0;
    int rc = 0;
    if (a->file)
        buf_printf(&text, "file:%s", a->file);
    else
        rc = script_expand(&run->script, a->fill, strlen(a->fill), &text, e);
    if (rc == 0 && (rc = fill_parse(&fill, buf_text(&text), a->type, e)) == 0) {
        if (a->file && (fill.fd = open(a->file, O_RDONLY | O_CLOEXEC)) < 0)
            rc = fail(e, "%.300s can't be read: %s", a->file, strerror(errno));
        if (rc == 0)
            rc = fill_check(&fill, &part, e);
        if (rc == 0)
            rc = fill_take(&fill, exercise_seed(x, which), 0, 0, *count, *bytes, e);
        fill_free(&fill);
    }
    buf_free(&text);
    return rc;
}

/* In a formula, the name of an array is its element with the same index, from before the launch. */
static int by_formula(struct making *m, const struct exercise_reference *ref,
                      const struct exercise_array *a, struct exercise_run *run,
                      struct reference_values *v, struct err *e)
{
    const struct exercise *x = m->g->x;
    struct fill_inputs *inputs = calloc(1, sizeof *inputs);
    struct fill fill;
    struct buf text = {0};
    int rc = !inputs                         ? fail_memory(e)
             : x->array_count <= FILL_INPUTS ? script_expand(&run->script, ref->text,
                                                             strlen(ref->text), &text, e)
                                             : fail(e, "there are too many arrays");
    for (unsigned k = 0; rc == 0 && k < x->array_count; k++) {
        struct fill_input *in = &inputs->at[inputs->count++];
        *in = (struct fill_input){.name = x->array[k].name, .type = x->array[k].type};
        rc = input_make(x, run, k, &in->count, &in->bytes, e);
    }
    struct err why = {0};
    const int parsed = fill_parse_with(&fill, rc == 0 ? buf_text(&text) : "zero", a->type, inputs, &why);
    if (rc == 0 && parsed != 0)
        rc = fail_at(e, ref->line, ref->column + 5 + why.column - 1, "%s", why.text);
    if (rc == 0)
        rc = fill_shape(&fill, a->name, (uint64_t[3]){v->count}, v->count, e);
    if (rc == 0)
        rc = fill_take(&fill, 0, 0, 0, v->count, v->bytes, e);
    fill_free(&fill);
    buf_free(&text);
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

/* Nothing equals what is not a number, so no hand-in could be right. */
static int check_numbers(const struct exercise_array *a, const struct exercise_run *run,
                         const struct reference_values *v, struct err *e)
{
    const size_t size = element_size(a->type);
    uint64_t i = 0;
    while (i < v->count && !isnan(element_real(a->type, v->bytes + i * size)))
        i++;
    if (i == v->count)
        return 0;
    struct buf with = {0};
    exercise_run_say(run, &with);
    fail(e, "the reference of %.60s is nan at %.60s[%llu]%s%.200s; no hand-in can equal that",
         a->name, a->name, (unsigned long long)i, with.len ? " with " : "", buf_text(&with));
    buf_free(&with);
    return -1;
}

static int make_one(struct making *m, const struct exercise_reference *ref, unsigned array,
                    struct exercise_run *run, struct err *e)
{
    struct reference_set *r = &m->g->references;
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
    if (rc == 0)
        rc = check_numbers(a, run, &v, e);
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
    struct making m = {.g = g, .launching = {.x = g->x, .in_place = true}};
    unsigned array = 0, files = 0;
    m.files = calloc(g->x->array_count + 2, sizeof *m.files);
    if (!m.files)
        return fail_memory(e);
    while (strcmp(g->x->array[array].name, ref->array) != 0)
        array++;
    m.launching.asked = &m.asked;
    if (ref->from == SOURCE_KERNEL)
        m.files[files++] = ref->text;
    for (unsigned i = 0; i < g->x->array_count; i++)
        if (g->x->array[i].file)
            m.files[files++] = g->x->array[i].file;
    grader_options(g, NULL, &m.options);
    m.asked.want = (struct worker_want){
        .programs = g->programs, .temporary = g->temporary, .cached = g->cached, .files = m.files,
        .options = m.options.word, .stop = g->stop,
        .limits = {.memory = g->x->limits.memory, .command_s = g->x->limits.seconds}};
    int rc = ref->from == SOURCE_KERNEL ? asked_start(&m.asked, e) : 0;
    if (rc == 0 && ref->from == SOURCE_KERNEL)
        rc = begin_kernel(&m, ref, e);
    if (rc == 0)
        rc = make_for_runs(&m, ref, array, e);
    if (rc != 0 && !e->line) {
        e->line = ref->line;
        e->column = ref->column;
    }
    asked_stop(&m.asked);
    launching_free(&m.launching);
    free(m.launch);
    free(m.files);
    return rc;
}

/* The kernel that is given says what the parameters are. */
static int adopt_source(struct grading *g, struct err *e)
{
    struct grader_worker asked = {.started = false};
    struct grader_options options;
    struct launching l = {.x = g->x, .asked = &asked};
    struct buf says = {0};
    const char *files[2] = {g->x->source, NULL};
    grader_options(g, NULL, &options);
    asked.want = (struct worker_want){.programs = g->programs, .temporary = g->temporary, .cached = g->cached,
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

/* What is read of arrays must not count as what a hand-in prints. */
static uint64_t text_of_arrays(const struct exercise *x)
{
    enum { ELEMENT = 40, OBJECT = 400, OBJECT_ELEMENTS = 1024 };
    struct err ignored;
    uint64_t sum = 0, count;
    for (unsigned t = 0; t < x->test_count; t++) {
        const unsigned runs = exercise_run_count(x, &x->test[t]);
        for (unsigned k = 0; k < runs && x->array_count; k++) {
            struct exercise_run run;
            const bool begun = exercise_run_begin(&run, x, &x->test[t], k, &ignored) == 0;
            for (unsigned i = 0; begun && i < x->array_count; i++)
                if (exercise_count(&run, &x->array[i], &count, &ignored) == 0 &&
                    count < UINT32_MAX)
                    sum += count * ELEMENT + (count / OBJECT_ELEMENTS + 2) * OBJECT;
            exercise_run_free(&run);
        }
    }
    return sum;
}

int references_make(struct grading *g, struct err *e)
{
    *e = (struct err){0};
    if (g->x->kind == EXERCISE_CONFIGURATION && !g->x->kernel && adopt_source(g, e) != 0)
        return -1;
    g->array_text = text_of_arrays(g->x);
    for (unsigned i = 0; i < g->x->reference_count; i++)
        if (make_reference(g, &g->x->reference[i], e) != 0)
            return -1;
    return 0;
}
