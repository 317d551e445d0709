/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cc/declare.h knows the layout of a struct, and its size must be what the PTX says. A list has as
 * many items as there are fields. C would fill up with zeros, and a forgotten item would not be
 * noticed.
 */
#include "own/fields.h"

#include "cc/declare.h"
#include "own/element.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096, INDEX_ROOM = 16 };

static int vector_fields(const struct own_field *whole, struct arena *memory,
                         struct own_field **out, unsigned *count)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    char scalar[ELEMENT_NAME];
    unsigned width = element_of_vector(whole->type, scalar);
    if (strcmp(whole->type, "dim3") == 0) {
        width = 3;
        snprintf(scalar, sizeof scalar, "unsigned int");
    }
    if (width < 2 || whole->size % width != 0)
        return -1;
    *out = arena_alloc(memory, width * sizeof **out);
    const char *type = arena_text(memory, scalar, strlen(scalar));
    if (!*out || !type)
        return -1;
    *count = width;
    for (unsigned i = 0; i < width; i++)
        (*out)[i] = (struct own_field){.name = names[i], .type = type, .size = whole->size / width,
                                   .offset = i * (whole->size / width)};
    return 0;
}

static int array_fields(const struct own_field *whole, struct arena *memory,
                        struct own_field **out, unsigned *count)
{
    uint64_t n = whole->dims[0];
    if (n == 0 || n > MOST_ELEMENTS || whole->size % n != 0)
        return -1;
    *count = (unsigned)n;
    *out = arena_alloc(memory, *count * sizeof **out);
    char *names = arena_alloc(memory, *count * (size_t)INDEX_ROOM);
    if (!*out || !names)
        return -1;
    for (unsigned i = 0; i < *count; i++, names += INDEX_ROOM) {
        snprintf(names, INDEX_ROOM, "[%u]", i);
        (*out)[i] = (struct own_field){.name = names, .type = whole->type,
                                       .size = whole->size / *count,
                                       .offset = i * (whole->size / *count),
                                       .dims = whole->dims + 1,
                                       .dim_count = whole->dim_count - 1};
    }
    return 0;
}

int fields_of(const struct unit *u, const struct own_field *whole, struct arena *memory,
              struct own_field **out, unsigned *count)
{
    struct declared_layout layout;
    struct tokens source;
    if (whole->dim_count)
        return array_fields(whole, memory, out, count);
    if (vector_fields(whole, memory, out, count) == 0)
        return 0;
    if (declare_read(buf_text(&u->source), u->source.len, memory, &source) != 0 ||
        declared_struct(&source, whole->type, &layout) != 0 ||
        layout.size != whole->size || layout.count == 0)
        return -1;
    *count = layout.count;
    if (!(*out = arena_alloc(memory, *count * sizeof **out)))
        return -1;
    for (unsigned i = 0; i < *count; i++) {
        const struct declared_field *f = &layout.fields[i];
        (*out)[i] = (struct own_field){.name = f->is.name, .type = f->is.type, .dims = f->is.dims,
                                   .dim_count = f->is.dim_count, .offset = (unsigned)f->offset,
                                   .size = (unsigned)f->size};
    }
    return 0;
}

/* ---- what is typed -------------------------------------------------------------------- */

int fields_split(const char *text, int column, struct arena *memory, struct call_text **out,
                 unsigned *count, struct err *e)
{
    const char *end = call_items(text + 1, '}', column + 1, memory, out, count);
    if (!end)
        return fail_memory(e);
    for (unsigned i = 0; i < *count; i++)
        if (!*(*out)[i].text)
            return fail_at(e, 0, (*out)[i].column, "a field is empty in `%.60s`", text);
    if (*end != '}' || end[1])
        return fail_at(e, 0, column, "`%.60s` must end with the } of its first {", text);
    return 0;
}
