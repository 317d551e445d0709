/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of an exercise about the arguments of its kernel: inputs, sizes, and what the arrays must
 * hold after the launch.
 */
#include "grade/exercise.h"

#include "base/near.h"
#include "os/file.h"
#include "own/fill.h"

#include <string.h>

static struct exercise_parameter *parameter_named(const struct exercise *x, const char *name)
{
    for (unsigned i = 0; i < x->parameter_count; i++)
        if (strcmp(x->parameter[i].name, name) == 0)
            return &x->parameter[i];
    return NULL;
}

/* Is it a parameter of this sort? The other kinds know their kernel later, or have none. */
static int check_parameter(struct exercise_reading *in, const char *name, size_t at, bool pointer)
{
    struct near near = {.word = name};
    const struct exercise *x = in->x;
    if (!exercise_is_name(name))
        return fail_at(in->e, 0, (int)at + 1, "`%.60s` is no name", name);
    for (unsigned i = 0; i < x->scalar_count; i++)
        if (strcmp(x->scalar[i].name, name) == 0)
            return fail_at(in->e, 0, (int)at + 1, "%s has its value already, in line %d", name,
                           x->scalar[i].line);
    for (unsigned i = 0; i < x->array_count; i++)
        if (strcmp(x->array[i].name, name) == 0)
            return fail_at(in->e, 0, (int)at + 1, "%s is an array already, in line %d", name,
                           x->array[i].line);
    if (x->kind != EXERCISE_KERNEL)
        return 0;
    const struct exercise_parameter *p = parameter_named(x, name);
    if (p && p->pointer != pointer)
        return pointer ? fail_at(in->e, 0, (int)at + 1, "%s is a number in the signature: write "
                                 "input %s VALUE, or sizes %s VALUE...", name, name, name)
                       : fail_at(in->e, 0, (int)at + 1, "%s is a pointer in the signature: write "
                                 "input %s[COUNT] FILL", name, name);
    for (unsigned i = 0; i < x->parameter_count; i++)
        near_try(&near, x->parameter[i].name);
    if (p)
        return 0;
    return near.best ? fail_at(in->e, 0, (int)at + 1, "the kernel has no parameter %.60s: did you "
                               "mean %s?", name, near.best)
                     : fail_at(in->e, 0, (int)at + 1, "the kernel has no parameter %.60s", name);
}

/* A path is in the folder of the exercise, unless it begins with a slash. */
static char *path_of(struct exercise_reading *in, const char *name)
{
    const char *slash = strrchr(in->x->path, '/');
    struct buf path = {0};
    if (slash && name[0] != '/')
        buf_add(&path, in->x->path, (size_t)(slash - in->x->path) + 1);
    buf_puts(&path, name);
    char *copy = exercise_copy(in, buf_text(&path), path.len);
    buf_free(&path);
    return copy;
}

/* The file of a fill `file:NAME`. -1: it can't be read. */
static int read_input_file(struct exercise_reading *in, struct exercise_array *a, size_t at)
{
    struct buf text = {0};
    struct err why;
    const char *name = a->fill + strlen("file:");
    if (strpbrk(name, "$ \t"))
        return fail_at(in->e, 0, (int)at + 1, "the name of an input's file has no blanks and no $");
    a->file = path_of(in, name);
    if (!a->file)
        return -1;
    const int rc = file_read(a->file, INPUT_FILE_MOST, &text, &why);
    buf_free(&text);
    return rc == 0 ? 0 : fail_at(in->e, 0, (int)at + 1, "%s", why.text);
}

static int read_array(struct exercise_reading *in, size_t at, size_t bracket)
{
    struct exercise *x = in->x;
    const char *text = in->r.text;
    const char *close = strchr(text + bracket, ']');
    struct exercise_array a = {.line = in->at->line, .column = (int)bracket + 2};
    a.name = exercise_copy(in, text + at, bracket - at);
    if (!a.name || check_parameter(in, a.name, at, true) != 0)
        return -1;
    if (!close)
        return fail_at(in->e, 0, (int)bracket + 1, "a ] is missing");
    const struct span count = trim((struct span){text + bracket + 1,
                                                 (size_t)(close - text) - bracket - 1});
    if (!count.n)
        return fail_at(in->e, 0, (int)bracket + 1, "the number of elements is missing, as in %s[n]",
                       a.name);
    a.count = exercise_copy(in, count.at, count.n);
    in->r.at = (size_t)(close - text) + 1;
    reading_skip(&in->r);
    const size_t fill_at = in->r.at;
    a.fill = exercise_rest(in);
    const struct exercise_parameter *p = parameter_named(x, a.name);
    a.type = p ? p->type : ELEMENT_F32;
    struct fill fill;
    if (a.fill && begins_with(a.fill, "file:") && read_input_file(in, &a, fill_at) != 0)
        return -1;
    if (a.fill && p) {
        const int rc = fill_parse(&fill, a.fill, a.type, in->e);
        fill_free(&fill);
        in->e->column = (int)fill_at + 1;
        if (rc != 0)
            return -1;
    }
    struct exercise_array *to = exercise_add(x, &x->array, &x->array_count, sizeof a);
    if (!to || !a.count)
        return fail_memory(in->e);
    *to = a;
    return 0;
}

int exercise_read_input(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    reading_skip(&in->r);
    const size_t at = in->r.at;
    size_t n = at;
    while (in_word(in->r.text[n]))
        n++;
    if (in->r.text[n] == '[')
        return read_array(in, at, n);
    struct exercise_scalar s = {.line = in->at->line, .name = exercise_word(in)};
    struct exercise_number *value = NULL;
    if (!s.name)
        return fail(in->e, "input needs a name and a value, as in input a 2.5 or input x[n] iota");
    if (check_parameter(in, s.name, at, false) != 0 ||
        !(value = exercise_add(x, &s.value, &s.count, sizeof *value)) ||
        exercise_number(in, value) != 0)
        return -1;
    struct exercise_scalar *to = exercise_add(x, &x->scalar, &x->scalar_count, sizeof s);
    if (!to)
        return fail_memory(in->e);
    *to = s;
    return reading_ends(&in->r);
}

int exercise_read_scalar(struct exercise_reading *in, struct exercise_scalar *s)
{
    *s = (struct exercise_scalar){.line = in->at->line, .name = exercise_word(in)};
    if (!s->name)
        return fail(in->e, "sizes needs a name and its values, as in sizes n 1 31 257");
    for (reading_skip(&in->r); in->r.text[in->r.at]; reading_skip(&in->r)) {
        struct exercise_number *value =
            exercise_add(in->x, &s->value, &s->count, sizeof *value);
        if (!value)
            return fail_memory(in->e);
        if (exercise_number(in, value) != 0)
            return -1;
    }
    return s->count ? 0 : fail(in->e, "sizes needs values behind %s, as in sizes %s 1 31 257",
                               s->name, s->name);
}

int exercise_read_sizes(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    struct exercise_scalar s;
    reading_skip(&in->r);
    const size_t at = in->r.at;
    if (exercise_read_scalar(in, &s) != 0 || check_parameter(in, s.name, at, false) != 0)
        return -1;
    struct exercise_scalar *to = exercise_add(x, &x->scalar, &x->scalar_count, sizeof s);
    if (!to)
        return fail_memory(in->e);
    *to = s;
    return 0;
}

char *exercise_read_path(struct exercise_reading *in)
{
    struct buf text = {0};
    struct err why;
    reading_skip(&in->r);
    const int column = (int)in->r.at + 1;
    char *name = reading_quoted(&in->r) ? exercise_quoted(in, "a file") : exercise_word(in);
    char *path = name ? path_of(in, name) : NULL;
    if (!name)
        fail_at(in->e, 0, column, "the name of a file is missing here");
    if (path && file_read(path, INPUT_FILE_MOST, &text, &why) != 0) {
        fail_at(in->e, 0, column, "%s", why.text);
        path = NULL;
    }
    buf_free(&text);
    return path;
}

/* reference ARRAY expr:... | kernel FILE | file PATH */
int exercise_read_reference(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    struct exercise_reference ref = {.line = in->at->line, .array = exercise_word(in)};
    struct near near = {.word = ref.array ? ref.array : ""};
    bool known = false;
    reading_skip(&in->r);
    const size_t at = in->r.at;
    ref.column = in->at->column + (int)at;
    const bool formula = begins_with(in->r.text + at, "expr:");
    const char *word = formula ? NULL : exercise_word(in);
    for (unsigned i = 0; ref.array && i < x->array_count; i++) {
        known |= strcmp(x->array[i].name, ref.array) == 0;
        near_try(&near, x->array[i].name);
    }
    for (unsigned i = 0; ref.array && i < x->reference_count; i++)
        if (strcmp(x->reference[i].array, ref.array) == 0)
            return fail(in->e, "%s has its reference already, in line %d", ref.array,
                        x->reference[i].line);
    if (ref.array && !known)
        return near.best ? fail(in->e, "no input before this is an array %.60s: did you mean %s?",
                                ref.array, near.best)
                         : fail(in->e, "no input before this is an array %.60s", ref.array);
    if (!formula && (!word || (strcmp(word, "kernel") != 0 && strcmp(word, "file") != 0)))
        return fail_at(in->e, 0, (int)at + 1, "reference needs an array and what must be in it: "
                       "expr:FORMULA, kernel FILE or file PATH");
    ref.from = formula ? SOURCE_FORMULA : word[0] == 'k' ? SOURCE_KERNEL : SOURCE_FILE;
    ref.text = formula ? exercise_rest(in) : exercise_read_path(in);
    if (!ref.text || reading_ends(&in->r) != 0)
        return -1;
    struct exercise_reference *to =
        exercise_add(x, &x->reference, &x->reference_count, sizeof ref);
    if (!to)
        return fail_memory(in->e);
    *to = ref;
    return 0;
}
