/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a student calls a byte of memory: the array's name, and the element in the array's own
 * type and dimensions. PTX has lost both, so whoever launches may say how an array lies
 * (struct sim_launch, shape_of). Without that, elements are as large as the access.
 */
#include "sim/cores.h"

#include "cxx/name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Compilers call a variable inside a function _ZZ1fPiE4tile. */
static const char *plain_name(struct sim_run *r, const char *name)
{
    const char *plain = cxx_variable(name, &r->arena);
    return plain ? plain : name;
}

/* The caller is asked by one thread at a time. */
static bool ask_caller(struct sim_run *r, const struct sim_array *array, struct sim_shape *s)
{
    bool *asking = r->worker ? &r->worker->cores->asking : NULL;
    if (!r->launch.shape_of)
        return false;
    while (asking && __atomic_test_and_set(asking, __ATOMIC_ACQUIRE))
        ;
    const bool known = r->launch.shape_of(r->launch.shapes, array, s);
    if (asking)
        __atomic_clear(asking, __ATOMIC_RELEASE);
    return known;
}

/* A shape counts only if it fits the number of bytes of the array. */
static struct sim_shape shape_of(struct sim_run *r, const struct sim_array *array)
{
    struct sim_shape s = {0};
    uint64_t product = 1;
    if (!ask_caller(r, array, &s) || !s.each || array->size % s.each)
        return (struct sim_shape){0};
    for (unsigned i = 0; i < s.dims; i++)
        product *= s.dim[i];
    if (s.dims < 2 || product * s.each != array->size)
        s.dims = 0;
    return s;
}

static struct target target_of(struct sim_run *r, enum sim_space space, const char *name,
                               uint64_t start, uint64_t size, int64_t off)
{
    struct target t = {.name = name, .size = size, .off = off};
    const struct sim_array array = {r->launch.kernel, space, t.name, start, size, r->params};
    if (t.name)
        t.shape = shape_of(r, &array);
    return t;
}

struct target target_global(struct sim_run *r, const struct allocation *a, uint64_t address)
{
    return target_of(r, a->constant ? SIM_CONST : SIM_GLOBAL, a->name, a->address, a->size,
                     (int64_t)(address - a->address));
}

struct target target_shared(struct sim_run *r, int64_t off)
{
    const struct shared_piece *p = shared_piece_of(r, (uint64_t)off);
    uint64_t start = p->start, size = p->size;
    const struct ptx_variable *v = p->var;
    if (!v && (v = shared_behind(r, off < 0 ? 0 : (uint64_t)off, &start)))
        size = v->open ? r->shared_bytes - start : variable_size(v);
    struct target t = target_of(r, SIM_SHARED, v ? plain_name(r, v->name) : NULL, start, size,
                                off - (int64_t)start);
    t.open = v && v->open;
    t.shared = true;
    return t;
}

unsigned target_each(const struct target *t, unsigned bytes)
{
    return t->shape.each ? t->shape.each : bytes ? bytes : 1;
}

int64_t target_index(const struct target *t, unsigned bytes)
{
    int64_t each = target_each(t, bytes);
    return t->off / each - (t->off % each < 0);
}

/* "tile[1][0]": of an index outside, the first dimension goes on beyond its end. */
void target_element(const struct target *t, int64_t index, char out[SIM_ELEMENT])
{
    int n = snprintf(out, SIM_ELEMENT, "%.48s", t->name);
    int64_t inner = 1;
    for (unsigned i = 1; i < t->shape.dims; i++)
        inner *= (int64_t)t->shape.dim[i];
    for (unsigned i = 0; n > 0 && n < SIM_ELEMENT; i++) {
        int64_t at = index / inner - (index % inner < 0);
        n += snprintf(out + n, SIM_ELEMENT - (size_t)n, "[%" PRId64 "]", at);
        if (i + 1 >= t->shape.dims)
            return;
        index -= at * inner;
        inner /= (int64_t)t->shape.dim[i + 1];
    }
}

void target_name(const struct target *t, int64_t index, struct sim_fault *f)
{
    f->array = t->name;
    f->index = index;
    f->element[0] = 0;
    if (f->kind == SIM_OUT_OF_BOUNDS && t->name && !t->open)
        f->cure = t->shared ? SIM_CURE_SHARED_BOUNDS : SIM_CURE_BOUNDS;
    if (f->kind == SIM_OUT_OF_BOUNDS && t->name && t->open && t->off >= 0)
        f->cure = SIM_CURE_SHARED_BYTES;
    if (t->name)
        target_element(t, index, f->element);
}

unsigned sim_scalar_at(struct sim_run *r, uint64_t address)
{
    struct allocation *a = memory_near(r->sim, address);
    const struct target t = a ? target_global(r, a, address) : (struct target){0};
    return t.shape.scalars ? t.shape.each : 0;
}

bool sim_element_at(struct sim_run *r, enum sim_space space, uint64_t address, unsigned bytes,
                    struct sim_fault *f)
{
    struct target t = {0};
    uint64_t start;
    const struct ptx_variable *v = space == SIM_SHARED ? shared_holds(r, address, &start) : NULL;
    struct allocation *a = space == SIM_GLOBAL ? memory_near(r->sim, address) : NULL;
    if (v)
        t = target_of(r, space, plain_name(r, v->name), start,
                      v->open ? r->shared_bytes - start : variable_size(v),
                      (int64_t)(address - start));
    else if (a)
        t = target_global(r, a, address);
    target_name(&t, target_index(&t, bytes), f);
    return t.name;
}
