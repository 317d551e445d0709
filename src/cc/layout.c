/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file computes how a plain struct lies in memory on the GPU. Each field begins at the next
 * multiple of its alignment, and the size is a multiple of the largest alignment. The answer is -1
 * for a struct that has anything but plain fields: bases, functions, bit-fields, access, unions,
 * explicit alignment.
 */
#include "cc/declarator.h"

#include <string.h>

enum { DEEPEST_STRUCT = 8, MOST_FIELDS = 256 };

static int read_struct(const struct tokens *, const char *name, size_t length, int depth,
                       struct declared_layout *);

static bool builtin_layout(const char *type, uint64_t *size, uint64_t *align)
{
    static const struct {
        const char *type;
        unsigned size, align;
    } sizes[] = {
        {"bool", 1, 1},          {"char", 1, 1},
        {"signed char", 1, 1},   {"short", 2, 2},
        {"unsigned char", 1, 1}, {"unsigned short", 2, 2},
        {"int", 4, 4},           {"unsigned int", 4, 4},
        {"long", 8, 8},          {"float", 4, 4},
        {"unsigned long", 8, 8}, {"long long", 8, 8},
        {"double", 8, 8},        {"unsigned long long", 8, 8},
        {"__nv_bfloat16", 2, 2}, {"nv_bfloat16", 2, 2},
        {"__half", 2, 2},        {"half", 2, 2},
        {"dim3", 12, 4},         {"char2", 2, 2},
        {"char3", 3, 1},         {"char4", 4, 4},
        {"uchar2", 2, 2},        {"uchar3", 3, 1},
        {"uchar4", 4, 4},        {"short2", 4, 4},
        {"short3", 6, 2},        {"short4", 8, 8},
        {"ushort2", 4, 4},       {"ushort3", 6, 2},
        {"ushort4", 8, 8},       {"int2", 8, 8},
        {"int3", 12, 4},         {"int4", 16, 16},
        {"uint2", 8, 8},         {"uint3", 12, 4},
        {"uint4", 16, 16},       {"float2", 8, 8},
        {"float3", 12, 4},       {"float4", 16, 16},
        {"double2", 16, 16},     {"double3", 24, 8},
        {"cudaTextureObject_t", 8, 8},
        {"cudaSurfaceObject_t", 8, 8},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (strcmp(sizes[i].type, type) == 0) {
            *size = sizes[i].size;
            *align = sizes[i].align;
            return true;
        }
    return false;
}

/* const and volatile take no room. */
static const char *without_cv(const char *type)
{
    if (strncmp(type, "const ", 6) == 0)
        type += 6;
    return strncmp(type, "volatile ", 9) == 0 ? type + 9 : type;
}

static int element_layout(const struct tokens *t, const struct declared *field, int depth,
                          uint64_t *size, uint64_t *align)
{
    const char *type = without_cv(field->type);
    struct declared_layout inner;
    if (field->is_pointer && !strchr(type, '&')) {
        *size = *align = 8;
        return 0;
    }
    if (builtin_layout(type, size, align))
        return 0;
    if (read_struct(t, type, strlen(type), depth + 1, &inner) != 0)
        return -1;
    *size = inner.size;
    *align = inner.align;
    return 0;
}

/* Puts a field behind those before it. */
static int place_field(const struct tokens *t, struct declared_field *field, int depth,
                       struct declared_layout *out)
{
    uint64_t size, align;
    if (!*field->is.name || element_layout(t, &field->is, depth, &size, &align) != 0)
        return -1;
    for (unsigned d = 0; d < field->is.dim_count; d++) {
        if (field->is.dims[d] == 0 || field->is.dims[d] > (UINT32_MAX / (size ? size : 1)))
            return -1;
        size *= field->is.dims[d];
    }
    field->offset = (out->size + align - 1) / align * align;
    field->size = size;
    out->size = field->offset + size;
    if (align > out->align)
        out->align = align;
    return 0;
}

/* Tells whether a statement declares plain fields only. */
static bool is_plain(const struct tokens *t, size_t i)
{
    static const char *const others[] = {"static",  "alignas", "__align__", "__attribute__",
                                         "union",   "enum",    "virtual",   "template",
                                         "using",   "typedef", "friend",    "_Alignas",
                                         "mutable", "public",  "private",   "protected"};
    for (; t->list[i].kind != TOKEN_END && !token_is(&t->list[i], ";"); i++) {
        if (token_is(&t->list[i], "{") || token_is(&t->list[i], "}") ||
            token_is(&t->list[i], ":") || token_is(&t->list[i], "~"))
            return false;
        for (size_t o = 0; o < sizeof others / sizeof others[0]; o++)
            if (token_is(&t->list[i], others[o]))
                return false;
        if (token_is(&t->list[i], "="))
            i = tokens_item_end(t, i) - 1; /* a default value may hold anything */
    }
    return token_is(&t->list[i], ";");
}

/* Reads one statement of fields. *i is then its semicolon. */
static int read_fields(const struct tokens *t, size_t *i, int depth, struct declared_layout *out)
{
    struct base_type base;
    if (!is_plain(t, *i))
        return -1;
    base_type_read(t, i, t->count - 1, &base);
    for (;; ++*i) {
        struct declared_field *field = &out->fields[out->count];
        if (out->count == MOST_FIELDS ||
            declarator_read(t, i, t->count - 1, &base, IN_VARIABLE, &field->is) != 0 ||
            place_field(t, field, depth, out) != 0)
            return -1;
        out->count++;
        *i = token_is(&t->list[*i], "=") ? tokens_item_end(t, *i) : *i;
        if (token_is(&t->list[*i], ";"))
            return 0;
        if (!token_is(&t->list[*i], ","))
            return -1;
    }
}

/* Reads the fields from behind the { on. */
static int read_body(const struct tokens *t, size_t i, int depth, struct declared_layout *out)
{
    *out = (struct declared_layout){.align = 1};
    out->fields = arena_alloc(t->arena, MOST_FIELDS * sizeof *out->fields);
    if (!out->fields)
        return -1;
    for (; !token_is(&t->list[i], "}"); i++)
        if (t->list[i].kind == TOKEN_END || read_fields(t, &i, depth, out) != 0)
            return -1;
    out->size = (out->size + out->align - 1) / out->align * out->align;
    if (out->size == 0)
        out->size = 1; /* an empty one, in C++ */
    return 0;
}

static int read_struct(const struct tokens *t, const char *name, size_t length, int depth,
                       struct declared_layout *out)
{
    size_t count;
    const struct named *found = tokens_named(t, NAMED_STRUCT, name, length, &count);
    if (!count || depth > DEEPEST_STRUCT || t->packed)
        return -1;
    return read_body(t, found->at + 1, depth, out);
}

int declared_struct(const struct tokens *t, const char *name, struct declared_layout *out)
{
    *out = (struct declared_layout){0};
    name = name_without_scopes(name);
    return read_struct(t, name, strlen(name), 0, out);
}
