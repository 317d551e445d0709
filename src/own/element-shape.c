/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays and module variables are in the session's list. A shared variable is declared in the
 * source of its kernel. Several kernels may have one of that name. So a declaration counts only if
 * it fits the variable's bytes, and only if all that fit agree.
 */
#include "own/element-shape.h"

#include "cc/declare.h"
#include "own/arrays.h"
#include "own/type-text.h"
#include "own/unit.h"

#include <string.h>

unsigned element_type_bytes(const struct tokens *source, const char *type, bool is_pointer)
{
    char element[ELEMENT_NAME];
    struct declared_layout layout;
    enum element is;
    unsigned width = element_of_vector(type, element);
    if (is_pointer)
        return 8;
    if (element_named(element, &is) == 0)
        return width * element_size(is);
    if (source && declared_struct(source, type, &layout) == 0 && layout.size <= UINT16_MAX)
        return (unsigned)layout.size;
    return 0;
}

static void take_dims(struct sim_shape *out, const uint64_t *dims, unsigned most)
{
    out->dims = 0;
    while (out->dims < SIM_DIMS && out->dims < most && dims[out->dims]) {
        out->dim[out->dims] = dims[out->dims];
        out->dims++;
    }
}

/* For a module variable the source's type counts: a float4 is one element. */
static bool shape_of_array(const struct session *s, const struct sim_array *array,
                           struct sim_shape *out)
{
    const struct arrays *all = s->own;
    for (unsigned i = 0; all && i < all->count; i++) {
        const struct array *a = all->all[i];
        if (a->address != array->address)
            continue;
        if (!a->type_known)
            return false;
        unsigned own = element_size(a->type);
        unsigned each = a->declared ? element_type_bytes(NULL, a->declared, false) : own;
        out->each = each ? each : own;
        take_dims(out, a->dims, 3);
        if (out->each > own && out->dims)
            out->dims--;
        return true;
    }
    return false;
}

static bool fits(const struct declared *d, const struct sim_array *array, struct sim_shape *shape)
{
    uint64_t product = 1;
    take_dims(shape, d->dims, d->dim_count);
    for (unsigned i = 0; i < shape->dims; i++)
        product *= shape->dim[i];
    bool all_known = shape->dims == d->dim_count;
    if (!all_known)
        shape->dims = 0;
    return shape->each && array->size % shape->each == 0 &&
           (!all_known || product * shape->each == array->size);
}

static bool same_shape(const struct sim_shape *a, const struct sim_shape *b)
{
    return a->each == b->each && a->dims == b->dims &&
           memcmp(a->dim, b->dim, a->dims * sizeof *a->dim) == 0;
}

/* What is known of a shared variable, so that the source is read once for it. */
struct shared_shape {
    struct shared_shape *next;
    const char *name;
    uint64_t size;
    bool found;
    struct sim_shape shape;
};

static bool read_shape(const struct unit *u, const struct sim_array *array, struct arena *memory,
                       struct sim_shape *out)
{
    struct tokens t;
    struct declared d;
    bool found = false;
    if (declare_read(buf_text(&u->source), u->source.len, memory, &t) != 0)
        return false;
    for (unsigned nth = 0; declared_shared(&t, array->name, nth, &d) == 0; nth++) {
        struct sim_shape one = {.each = element_type_bytes(&t, d.type, d.is_pointer)};
        if (!fits(&d, array, &one))
            continue;
        if (found && !same_shape(out, &one))
            return false;
        *out = one;
        found = true;
    }
    return found;
}

static bool shape_in_source(struct unit *u, const struct sim_array *array, struct sim_shape *out)
{
    struct shared_shape *known = u->shapes;
    struct arena memory = {0};
    while (known && (known->size != array->size || strcmp(known->name, array->name) != 0))
        known = known->next;
    if (known) {
        *out = known->shape;
        return known->found;
    }
    bool found = read_shape(u, array, &memory, out);
    arena_free(&memory);
    const char *name = arena_text(&u->memory, array->name, strlen(array->name));
    known = name ? arena_alloc(&u->memory, sizeof *known) : NULL;
    if (known) {
        *known = (struct shared_shape){u->shapes, name, array->size, found,
                                       found ? *out : (struct sim_shape){0}};
        u->shapes = known;
    }
    return found;
}

static struct unit *unit_of_kernel(const struct session *s, const void *kernel,
                                   const struct unit_kernel **is)
{
    for (unsigned i = 0; s->units && i < s->units->count; i++)
        for (unsigned k = 0; k < s->units->all[i]->kernel_count; k++)
            if (s->units->all[i]->kernels[k].kernel == kernel) {
                *is = &s->units->all[i]->kernels[k];
                return s->units->all[i];
            }
    return NULL;
}

/* Is this parameter a pointer into the array? *scalars: it points to numbers of `each` bytes. */
static bool points_into(const struct unit_kernel *k, unsigned i, const struct sim_array *array,
                        unsigned each, bool *scalars)
{
    const struct device_param *p = &k->info.params[i];
    char type[TYPE_ROOM], to[TYPE_ROOM];
    enum element is;
    uint64_t address;
    if (p->is_array || p->size != sizeof address)
        return false;
    memcpy(&address, (const char *)array->params + p->offset, sizeof address);
    if (address - array->address >= array->size)
        return false;
    type_bare(unit_param_type(k, i), type);
    *scalars = type_pointee(type, to) && element_named(to, &is) == 0 && element_size(is) == each;
    return true;
}

/* Does the kernel get the array only by pointers to such numbers? */
static bool taken_as_scalars(const struct session *s, const struct sim_array *array, unsigned each)
{
    const struct unit_kernel *k;
    unsigned pointers = 0;
    bool all = true;
    if (!unit_of_kernel(s, array->kernel, &k) || !array->params)
        return false;
    for (unsigned i = 0; all && i < k->info.param_count; i++)
        pointers += points_into(k, i, array, each, &all);
    return all && pointers;
}

bool element_shape_of(const void *session, const struct sim_array *array, struct sim_shape *out)
{
    const struct session *s = session;
    if (array->space != SIM_SHARED) {
        bool known = shape_of_array(s, array, out);
        out->scalars = known && taken_as_scalars(s, array, out->each);
        return known;
    }
    const struct unit_kernel *k;
    struct unit *u = unit_of_kernel(s, array->kernel, &k);
    return u && shape_in_source(u, array, out);
}
