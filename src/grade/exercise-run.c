/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of a testcase: each combination of the values of its numbers, of its schedules and of the
 * exercise's cards. In a run each number has one value, and expressions are computed with it.
 */
#include "grade/exercise.h"

#include <stdlib.h>
#include <string.h>

/* ---- which runs there are ----------------------------------------------------------------- */

static const struct exercise_scalar *values_of(const struct exercise *x,
                                               const struct exercise_test *t, unsigned scalar)
{
    for (unsigned i = 0; i < t->scalar_count; i++)
        if (strcmp(t->scalar[i].name, x->scalar[scalar].name) == 0)
            return &t->scalar[i];
    return &x->scalar[scalar];
}

unsigned exercise_run_count(const struct exercise *x, const struct exercise_test *t)
{
    uint64_t count = t->schedules.count ? t->schedules.count : 1;
    if (x->devices.count)
        count *= x->devices.count;
    for (unsigned i = 0; i < x->scalar_count && count <= EXERCISE_RUNS_MOST; i++)
        count *= values_of(x, t, i)->count;
    return count <= EXERCISE_RUNS_MOST ? (unsigned)count : 0;
}

static int give_value(struct script *s, const char *name, const struct exercise_number *n,
                      struct err *e)
{
    struct value v = {.type = n->whole ? VALUE_WHOLE : VALUE_REAL, .whole = n->i, .real = n->real};
    return script_set(s, name, &v, e);
}

/* What an expression sees before anything has run. */
static int give_object(struct exercise_run *r, struct err *e)
{
    struct buf text = {0};
    struct json j;
    json_begin(&j, &text);
    json_object(&j, NULL);
    json_object(&j, "result");
    exercise_run_json(r, &j);
    json_end_object(&j);
    json_end_object(&j);
    script_ran(&r->script, buf_text(&text), text.len);
    const bool failed = text.failed || r->script.object.failed;
    buf_free(&text);
    return failed ? fail_memory(e) : 0;
}

int exercise_run_begin(struct exercise_run *r, const struct exercise *x,
                       const struct exercise_test *t, unsigned k, struct err *e)
{
    *r = (struct exercise_run){.x = x, .test = t};
    r->script.host.seed = x->seed;
    r->value = calloc(x->scalar_count ? x->scalar_count : 1, sizeof *r->value);
    if (!r->value)
        return fail_memory(e);
    if (t->schedules.count) { /* the last ones change first */
        r->schedule = t->schedules.text[k % t->schedules.count];
        k /= t->schedules.count;
    }
    for (unsigned i = x->scalar_count; i-- > 0;) {
        const struct exercise_scalar *s = values_of(x, t, i);
        r->value[i] = s->value[k % s->count];
        k /= s->count;
        if (give_value(&r->script, s->name, &r->value[i], e) != 0)
            return -1;
    }
    r->device = x->devices.count ? x->devices.text[k] : NULL;
    return give_object(r, e);
}

void exercise_run_free(struct exercise_run *r)
{
    script_free(&r->script);
    free(r->value);
    r->value = NULL;
}

static void put_number(struct buf *out, const struct exercise_number *n)
{
    char text[NUM_TEXT];
    if (n->whole)
        buf_printf(out, "%lld", (long long)n->i);
    else
        buf_puts(out, num_f64(n->real, text));
}

void exercise_run_say(const struct exercise_run *r, struct buf *out)
{
    const char *between = "";
    for (unsigned i = 0; i < r->x->scalar_count; i++) {
        if (values_of(r->x, r->test, i)->count == 1)
            continue;
        buf_printf(out, "%s%s = ", between, r->x->scalar[i].name);
        put_number(out, &r->value[i]);
        between = ", ";
    }
    if (r->schedule && r->test->schedules.count > 1) {
        buf_printf(out, "%sschedule %s", between, r->schedule);
        between = ", ";
    }
    if (r->x->devices.count > 1)
        buf_printf(out, "%sdevice %s", between, r->device);
}

void exercise_run_json(const struct exercise_run *r, struct json *j)
{
    for (unsigned i = 0; i < r->x->scalar_count; i++)
        if (r->value[i].whole)
            json_int(j, r->x->scalar[i].name, r->value[i].i);
        else
            json_f64(j, r->x->scalar[i].name, r->value[i].real);
}

/* ---- expressions -------------------------------------------------------------------------- */

uint64_t exercise_seed(const struct exercise *x, unsigned array)
{
    return (x->seed * UINT64_C(1000003) + array) & INT64_MAX;
}

/* The numbers by their names become variables: in a script, what has no $ is found in an object, and
 * may be a float that has no fraction just now, so that `/` would keep one. */
static void put_variables(const struct script *s, const char *text, struct buf *out)
{
    struct err ignored;
    struct value room;
    for (size_t i = 0, n; text[i]; i += n) {
        for (n = 0; in_word(text[i + n]);)
            n++;
        const bool bare = n && is_letter(text[i]) && (!i || (text[i - 1] != '$' && text[i - 1] != '.'));
        if (bare && script_get(s, text + i, n, &room, &ignored))
            buf_putc(out, '$');
        n = n ? n : 1;
        buf_add(out, text + i, n);
    }
}

static int read_whole(struct script_reading *r, int64_t lo, const char *what, int64_t *out)
{
    struct value v;
    reading_skip(r);
    const size_t at = r->at;
    const int rc = reading_value(r, &v);
    if (rc != 0) {
        if (!r->e->column)
            r->e->column = (int)at + 1;
        return -1;
    }
    const bool whole = v.type == VALUE_WHOLE || (v.type == VALUE_REAL && v.real > -9e15 &&
                                                 v.real < 9e15 && v.real == (double)(int64_t)v.real);
    *out = v.type == VALUE_REAL ? (int64_t)(whole ? v.real : 0) : v.whole;
    value_free(&v);
    return whole && *out >= lo
               ? 0 : fail_at(r->e, 0, (int)at + 1, "%s is a whole number of %lld or more", what,
                             (long long)lo);
}

int exercise_count(struct exercise_run *run, const struct exercise_array *a, uint64_t *count,
                   struct err *e)
{
    struct buf text = {0};
    put_variables(&run->script, a->count, &text);
    struct script_reading r = {.script = &run->script, .text = buf_text(&text), .e = e};
    int64_t n = 0;
    *e = (struct err){0};
    int rc = read_whole(&r, 1, "the number of elements", &n);
    if (rc == 0)
        rc = reading_ends(&r);
    *count = (uint64_t)n;
    if (rc != 0) {
        e->line = a->line;
        e->column = a->column;
    }
    buf_free(&text);
    return rc;
}

/* ---- the shape of a launch ---------------------------------------------------------------- */

static bool takes(struct script_reading *r, const char *text)
{
    reading_skip(r);
    const size_t n = strlen(text);
    if (strncmp(r->text + r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* "(x, y)" is a shape, and "(n + 1) / 2" is a number. */
static bool is_tuple(const char *text)
{
    int deep = 0;
    for (; *text; text++) {
        deep += *text == '(';
        deep -= *text == ')';
        if (deep == 1 && *text == ',')
            return true;
        if (deep == 0)
            return false;
    }
    return false;
}

/* 8x4: the sizes of a shape, without blanks. */
static bool takes_sizes(struct script_reading *r, int64_t size[3])
{
    const char *at = r->text + r->at;
    unsigned k = 0;
    size_t n = 0;
    while (k < 3 && is_digit(at[n])) {
        for (size[k] = 0; is_digit(at[n]) && size[k] < INT64_MAX / 20; n++)
            size[k] = 10 * size[k] + (at[n] - '0');
        k++;
        if (at[n] != 'x' || !is_digit(at[n + 1]) || k == 3)
            break;
        n++;
    }
    if (k < 2 || in_word(at[n]))
        return false;
    r->at += n;
    return true;
}

static int read_shape(struct script_reading *r, const char *what, int64_t size[3])
{
    size[0] = size[1] = size[2] = 1;
    reading_skip(r);
    const bool dim3 = takes(r, "dim3");
    reading_skip(r);
    if (!dim3 && takes_sizes(r, size))
        return 0;
    if (!dim3 && !(r->text[r->at] == '(' && is_tuple(r->text + r->at)))
        return read_whole(r, 1, what, &size[0]);
    if (!takes(r, "("))
        return fail_at(r->e, 0, (int)r->at + 1, "a ( is missing behind dim3");
    for (unsigned k = 0; k < 3; k++) {
        if (read_whole(r, 1, what, &size[k]) != 0)
            return -1;
        if (takes(r, ")"))
            return 0;
        if (!takes(r, ","))
            break;
    }
    return fail_at(r->e, 0, (int)r->at + 1, "a ) is missing");
}

static int read_launch(struct script_reading *r, struct exercise_launch *l)
{
    if (read_shape(r, "the grid", l->grid) != 0)
        return -1;
    if (!takes(r, ","))
        return fail_at(r->e, 0, (int)r->at + 1, "a comma and the block are missing");
    if (read_shape(r, "the block", l->block) != 0)
        return -1;
    if (takes(r, ",") && read_whole(r, 0, "the bytes of shared memory", &l->shared) != 0)
        return -1;
    return takes(r, ">>>") ? 0 : fail_at(r->e, 0, (int)r->at + 1, ">>> is missing");
}

int exercise_launch(struct script *s, const char *text, struct exercise_launch *l, struct err *e)
{
    struct buf numbers = {0};
    const char *open = strstr(text, "<<<");
    *l = (struct exercise_launch){.shared = 0};
    *e = (struct err){0};
    if (!open)
        return fail(e, "a launch is <<<GRID, BLOCK>>> or <<<GRID, BLOCK, SHARED>>>");
    put_variables(s, open + 3, &numbers);
    struct script_reading r = {.script = s, .text = buf_text(&numbers), .e = e};
    const int rc = numbers.failed ? fail_memory(e) : read_launch(&r, l);
    e->column = (int)(open - text) + 1; /* the numbers have other places there */
    buf_free(&numbers);
    return rc;
}
