/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a name means at an instruction follows from the text of the program alone, and so it can be
 * asked before any lane comes there. Its value is then read where it is. See values.h.
 */
#include "repl/step/variables.h"

#include "base/near.h"
#include "own/arrays.h"
#include "own/type-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lane_number whole(int64_t v)
{
    return (struct lane_number){.whole = v};
}

static struct lane_number real(double v)
{
    return (struct lane_number){.is_real = true, .real = v};
}

double lane_number_real(const struct lane_number *n)
{
    return n->is_real ? n->real : (double)n->whole;
}

void lane_number_text(const struct lane_number *n, char out[NUM_TEXT])
{
    if (n->is_real && (double)(float)n->real == n->real)
        num_f32((float)n->real, out);
    else if (n->is_real)
        num_f64(n->real, out);
    else
        snprintf(out, NUM_TEXT, "%" PRId64, n->whole);
}

/* ---- values from memory
 * -------------------------------------------------------------------------- */

static struct lane_number of_element(enum element t, const void *at)
{
    return element_kind(t) == KIND_FLOAT ? real(element_real(t, at))
                                         : whole((int64_t)element_whole(t, at));
}

static struct lane_number of_register(const struct sim_value *r)
{
    float f;
    double d;
    uint16_t h = (uint16_t)r->bits[0];
    switch (r->type) {
    case SIM_F32: memcpy(&f, r->bits, sizeof f); return real(f);
    case SIM_F64: memcpy(&d, r->bits, sizeof d); return real(d);
    case SIM_F16: return real(element_real(ELEMENT_F16, &h));
    case SIM_BF16: return real(element_real(ELEMENT_BF16, &h));
    case SIM_B16:
    case SIM_S16: return whole((int16_t)r->bits[0]);
    case SIM_B32:
    case SIM_S32: return whole((int32_t)r->bits[0]);
    case SIM_U32: return whole((int64_t)(uint32_t)r->bits[0]);
    default: return whole((int64_t)r->bits[0]);
    }
}

/* The number of the parameter with this name; -1: there is none. */
static int param_named(const struct stepped *st, const char *name)
{
    for (unsigned i = 0; i < st->param_count; i++)
        if (st->params[i].name && strcmp(st->params[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The type of a parameter's value, or of the elements that it points to. */
static bool type_of_param(const struct declared *d, enum element *type)
{
    char text[TYPE_ROOM];
    type_bare(d->is_pointer && d->pointee ? d->pointee : d->type, text);
    return element_named(text, type) == 0;
}

static const unsigned char *param_at(const struct stepped *st, int i)
{
    const struct step_shape *shape = stepper_shape(st->stepper);
    return shape->params + shape->kernel->params[i].offset;
}

/* Is a shared array declared in the body of the kernel that is stepped? Its name in the PTX begins
 * with the kernel's: _ZZ3sumPfE1s, or _ZZ3sumE1s for an extern "C" kernel. */
static bool is_of_kernel(const struct stepped *st, const char *ptx)
{
    const char *kernel = stepper_shape(st->stepper)->kernel->name;
    char begin[200];
    if (strncmp(kernel, "_Z", 2) == 0)
        snprintf(begin, sizeof begin, "_ZZ%.190sE", kernel + 2);
    else
        snprintf(begin, sizeof begin, "_ZZ%zu%.170sE", strlen(kernel), kernel);
    return strncmp(ptx, begin, strlen(begin)) == 0;
}

/* Of the elements of the array at this address: as a parameter that points there has it. */
static bool type_of_pointer(const struct stepped *st, uint64_t address, enum element *type)
{
    for (unsigned i = 0; i < st->param_count; i++)
        if (st->params[i].is_pointer && memcmp(param_at(st, (int)i), &address, sizeof address) == 0 &&
            type_of_param(&st->params[i], type))
            return true;
    return false;
}

static void set_dims(struct lane_array *out, const struct declared *d)
{
    out->is_scalar = d->dim_count == 0;
    out->dim_count = d->dim_count;
    memcpy(out->dims, d->dims, sizeof out->dims);
}

/* The declarations of this name in the source that fit its bytes must agree. Those in the kernel
 * count, where it is an array of the kernel's. */
static bool type_in_source(const struct stepped *st, const char *ptx, uint64_t bytes,
                           struct lane_array *out)
{
    struct declared d;
    enum element one;
    bool found = false;
    const char *name = stepping_shared_name(ptx);
    const bool in_kernel = is_of_kernel(st, ptx);
    for (unsigned nth = 0;
         st->has_tokens &&
         (in_kernel ? declared_shared_in(&st->tokens, st->kernel, name, nth, &d)
                    : declared_shared(&st->tokens, name, nth, &d)) == 0;
         nth++) {
        uint64_t count = 1;
        for (unsigned i = 0; i < d.dim_count; i++)
            count *= d.dims[i];
        if (d.is_pointer || element_named(d.type, &one) != 0 ||
            (count && count * element_size(one) != bytes))
            continue;
        if (found && one != out->type)
            return false;
        if (!found)
            set_dims(out, &d);
        else if (out->dim_count != d.dim_count ||
                 memcmp(out->dims, d.dims, sizeof out->dims) != 0)
            out->dim_count = 0, out->is_scalar = false;
        out->type = one;
        found = true;
    }
    return found;
}

/* ".f32" of "@%p1 ld.shared.f32 %f1, [%r1];" */
static struct span type_of_access(const char *text)
{
    const char *op = *text == '@' ? strchr(text, ' ') : text;
    op += op && *op == ' ';
    const size_t n = op ? strcspn(op, " ") : 0;
    size_t from = n;
    while (from && op[from - 1] != '.')
        from--;
    return (struct span){op ? op + from : "", n - from};
}

/* Without a declaration: the type of the kernel's accesses to shared memory, if all have one. A
 * type of bits says too little. */
static bool type_of_accesses(const struct stepped *st, enum element *type)
{
    static const struct {
        const char *name;
        enum element type;
    } types[] = {{"f32", ELEMENT_F32}, {"f64", ELEMENT_F64}, {"u32", ELEMENT_U32},
                 {"s32", ELEMENT_I32}, {"u64", ELEMENT_U64}, {"s64", ELEMENT_I64}};
    uint32_t count;
    const struct sim_instruction *code = step_look_code(st->stepper, &count);
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_instruction *c = &code[i];
        if (c->space != SIM_SHARED || !c->text || !c->bytes)
            continue;
        const struct span name = type_of_access(c->text);
        size_t k = 0;
        while (k < sizeof types / sizeof *types && !same_text(name, types[k].name))
            k++;
        if (k == sizeof types / sizeof *types || (found && types[k].type != *type))
            return false;
        *type = types[k].type;
        found = true;
    }
    return found;
}

/* The last part of a mangled name is its length and itself: `s` in _ZZ3sumPfE1s. Others end behind
 * a `$`. */
const char *stepping_shared_name(const char *ptx)
{
    const size_t all = strlen(ptx);
    const char *dollar = strrchr(ptx, '$');
    for (size_t i = 0; i < all && strncmp(ptx, "_ZZ", 3) == 0; i++) {
        char *end;
        if (is_digit(ptx[i]) && strtoul(ptx + i, &end, 10) == strlen(end))
            return end;
    }
    return dollar && dollar[1] ? dollar + 1 : ptx;
}

bool stepping_shared_array(struct stepped *st, unsigned i, struct step_shared *shared,
                           struct lane_array *out)
{
    *out = (struct lane_array){.shared = true};
    if (!step_look_shared(st->stepper, i, shared))
        return false;
    out->address = shared->at;
    out->bytes = shared->bytes;
    out->type_known = (shared->name && type_in_source(st, shared->name, shared->bytes, out)) ||
                      type_of_accesses(st, &out->type);
    return true;
}

bool lane_array_named(struct stepped *st, const char *name, struct lane_array *out)
{
    struct step_shared shared;
    const int param = param_named(st, name);
    *out = (struct lane_array){.bytes = 0};
    if (param >= 0 && st->params[param].is_pointer) {
        out->type_known = type_of_param(&st->params[param], &out->type);
        memcpy(&out->address, param_at(st, param), sizeof out->address);
        return true;
    }
    for (unsigned i = 0; param < 0 && stepping_shared_array(st, i, &shared, out); i++)
        if (shared.name && strcmp(stepping_shared_name(shared.name), name) == 0)
            return true;
    const struct array *a = param < 0 ? array_named(st->of, name) : NULL;
    if (!a)
        return false;
    struct device *d = st->of->device;
    *out = (struct lane_array){.address = a->address, .bytes = array_bytes(a), .type = a->type,
                               .type_known = a->type_known};
    while (out->dim_count < 3 && a->dims[out->dim_count]) {
        out->dims[out->dim_count] = a->dims[out->dim_count];
        out->dim_count++;
    }
    if (d->ops->look_address)
        out->address = d->ops->look_address(d, a->address);
    out->type_known = out->type_known || type_of_pointer(st, out->address, &out->type);
    return out->address != 0;
}

/* ---- what a name means ------------------------------------------------------------------------
 */

/* Numbered in this order: the 3 parts of each of the first four. */
static const char *const dims[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
static const char *const words[] = {"lane", "warp", "block", "thread"};
enum { DIMS = 4, WORDS = 4 };

static bool builtin(const char *name, unsigned *number)
{
    const char *dot = strchr(name, '.');
    for (unsigned i = 0; dot && i < DIMS; i++)
        if (strlen(dims[i]) == (size_t)(dot - name) &&
            memcmp(dims[i], name, strlen(dims[i])) == 0 && dot[1] >= 'x' && dot[1] <= 'z' &&
            !dot[2]) {
            *number = 3 * i + (unsigned)(dot[1] - 'x');
            return true;
        }
    for (unsigned i = 0; i < WORDS; i++)
        if (strcmp(words[i], name) == 0) {
            *number = 3 * DIMS + i;
            return true;
        }
    return false;
}

static int64_t builtin_value(const struct stepped *st, unsigned number, const struct lane_place *p,
                             unsigned lane)
{
    const struct step_shape *shape = stepper_shape(st->stepper);
    const uint64_t thread = (uint64_t)p->warp * STEP_LANES + lane;
    const unsigned *block = shape->block, *grid = shape->grid;
    const uint64_t values[3 * DIMS + WORDS] = {thread % block[0],
                                               thread / block[0] % block[1],
                                               thread / block[0] / block[1],
                                               p->block % grid[0],
                                               p->block / grid[0] % grid[1],
                                               p->block / grid[0] / grid[1],
                                               block[0],
                                               block[1],
                                               block[2],
                                               grid[0],
                                               grid[1],
                                               grid[2],
                                               lane,
                                               p->warp,
                                               p->block,
                                               thread};
    return (int64_t)values[number];
}

static bool is_wrong(struct lane_meaning *m, enum lane_name_known known)
{
    m->is = NAME_IS_WRONG;
    m->known = known;
    return false;
}

static bool is_float(enum sim_type t)
{
    return t == SIM_F16 || t == SIM_BF16 || t == SIM_F32 || t == SIM_F64;
}

static bool means_register(struct stepped *st, const char *name, const struct lane_place *p,
                           struct lane_meaning *m, struct err *e)
{
    enum sim_type type;
    m->is = NAME_IS_REGISTER;
    if (!p->at) {
        fail(e, "the lanes have ended, so they have no register `%s`", name);
        return is_wrong(m, MEANS_NO_VALUE);
    }
    if (sim_has_register(stepper_run(st->stepper), p->at->function, name, &type)) {
        m->is_real = is_float(type);
        return true;
    }
    char function[96];
    cxx_readable(p->at->function, function, sizeof function);
    fail(e, "%s has no register `%s`", function, name);
    return is_wrong(m, MEANS_ELSEWHERE);
}

/* "here", or where no lane has come yet "at line 12". */
static const char *where(const struct lane_place *p, char out[32])
{
    snprintf(out, 32, "here");
    if (!p->lanes && p->at && p->at->line)
        snprintf(out, 32, "at line %d", p->at->line);
    return out;
}

/* The name nearest to this one; NULL: none is near. */
static const char *near_name(struct stepped *st, struct near *n)
{
    struct step_shared shared;
    char text[32];
    for (unsigned i = 0; i < 3 * DIMS; i++) {
        snprintf(text, sizeof text, "%s.%c", dims[i / 3], "xyz"[i % 3]);
        near_try(n, text);
    }
    for (unsigned i = 0; i < WORDS; i++)
        near_try(n, words[i]);
    for (unsigned i = 0; i < st->param_count; i++)
        if (st->params[i].name)
            near_try(n, st->params[i].name);
    for (unsigned i = 0; step_look_shared(st->stepper, i, &shared); i++)
        if (shared.name)
            near_try(n, stepping_shared_name(shared.name));
    variables_try(st, n);
    return n->best;
}

/* Is it written somewhere in the source, as the names of local variables are? */
static bool in_source(const struct stepped *st, const char *name)
{
    for (size_t i = 0; st->has_tokens && i < st->tokens.count; i++)
        if (token_is(&st->tokens.list[i], name))
            return true;
    return false;
}

/* What `load` would be given. */
static const char *file_to_load(const struct stepped *st)
{
    const struct unit *u = st->sources.unit;
    return u && u->path && *u->path ? u->path : "FILE.cu";
}

/* No name of this text has a meaning where the lanes stand. */
static bool means_nothing(struct stepped *st, const char *name, bool indexed,
                          const struct lane_place *p, struct lane_meaning *m, struct err *e)
{
    char line[32];
    struct near n = {.word = name};
    if (variables_have(st, name)) {
        fail(e, "no variable `%s` is in scope %s", name, where(p, line));
        return is_wrong(m, MEANS_ELSEWHERE);
    }
    const char *near = near_name(st, &n);
    if (near)
        fail(e, "there is no name `%s` here: did you mean `%s`?", name, near);
    else if (indexed)
        fail(e, "there is no array `%s` here", name);
    else if (!st->names && in_source(st, name))
        fail(e,
             "the value of `%s` is not known: for the names of local variables, `quit`, then `%s "
             "--debug %.100s`%s",
             name, st->kept ? "step run" : "load", file_to_load(st),
             st->kept ? "" : ", and step again");
    else if (st->names)
        fail(e, "no variable `%s` is in scope here", name);
    else
        fail(e,
             "there is no name `%s` here; a register is written as %%r5, and threadIdx.x, lane, "
             "parameters and arrays have their names",
             name);
    return is_wrong(m, MEANS_NOTHING);
}

static bool means_param(struct stepped *st, int i, const char *name, struct lane_meaning *m,
                        struct err *e)
{
    const struct step_shape *shape = stepper_shape(st->stepper);
    const struct declared *d = &st->params[i];
    enum element type;
    m->is = NAME_IS_PARAM;
    m->number = (unsigned)i;
    if (d->is_pointer)
        fail(e, "`%s` is an array: write which element, as in %s[3]", name, name);
    else if (!type_of_param(d, &type) || element_size(type) != shape->kernel->params[i].size)
        fail(e, "the type of `%s` is not a number", name);
    else {
        m->is_real = element_kind(type) == KIND_FLOAT;
        return true;
    }
    return is_wrong(m, MEANS_NO_VALUE);
}

static bool means_local(struct stepped *st, const char *name, const struct lane_place *p,
                        struct lane_meaning *m, struct err *e)
{
    char line[32];
    m->is = NAME_IS_LOCAL;
    switch (variable_at(st, p, name, &m->variable)) {
    case VARIABLE_VALUE: m->is_real = names_shown(&m->variable)->kind == NAME_FLOAT; return true;
    case VARIABLE_AWAY:
        fail(e, "`%s` is optimised away: the compiler keeps no value for this name %s", name,
             where(p, line));
        return is_wrong(m, MEANS_NO_VALUE);
    case VARIABLE_NOT_SET:
        fail(e, "`%s` has no value yet %s", name, where(p, line));
        return is_wrong(m, MEANS_NOT_YET);
    default: m->is = NAME_IS_WRONG; return false;
    }
}

bool lane_name_means(struct stepped *st, const char *name, bool indexed, const struct lane_place *p,
                     struct lane_meaning *m, struct err *e)
{
    *m = (struct lane_meaning){.known = MEANS_VALUE};
    if (*name == '%')
        return means_register(st, name, p, m, e);
    if (builtin(name, &m->number)) {
        m->is = NAME_IS_BUILTIN;
        return true;
    }
    if (!indexed && means_local(st, name, p, m, e))
        return true;
    if (m->known != MEANS_VALUE)
        return false;
    const bool array = lane_array_named(st, name, &m->array);
    const int param = param_named(st, name);
    const bool scalar = array && m->array.shared && m->array.is_scalar;
    if ((indexed || scalar) && array && m->array.type_known) {
        m->is = NAME_IS_ARRAY;
        m->is_real = element_kind(m->array.type) == KIND_FLOAT;
        return true;
    }
    if (!indexed && param >= 0)
        return means_param(st, param, name, m, e);
    if (!array)
        return means_nothing(st, name, indexed, p, m, e);
    fail(e,
         indexed ? "the type of the elements of `%s` is not known"
                 : "`%s` is an array: write which element, as in NAME[3]",
         name);
    return is_wrong(m, MEANS_NO_VALUE);
}

/* ---- the value of a name ----------------------------------------------------------------------
 */

static unsigned first_lane(uint32_t lanes)
{
    unsigned i = 0;
    while (i < STEP_LANES - 1 && !(lanes >> i & 1))
        i++;
    return i;
}

bool lane_name_row(struct stepped *st, const char *name, const struct lane_meaning *m,
                   const struct lane_place *p, struct sim_row *row)
{
    const bool local = m->is == NAME_IS_LOCAL && m->variable.where == NAME_IN_REGISTER &&
                       !m->variable.type->is_reference;
    if (m->is != NAME_IS_REGISTER && !local)
        return false;
    return sim_inspect_row(stepper_run(st->stepper), p->block, p->warp, first_lane(p->lanes),
                           p->calls, local ? m->variable.place : name, row);
}

static bool local_value(struct stepped *st, const char *name, const struct lane_meaning *m,
                        const struct lane_place *p, const struct sim_row *row, unsigned lane,
                        struct lane_number *out, struct err *e)
{
    const struct name_type *t = names_shown(&m->variable);
    if (row && (!row->bytes || t->bytes <= row->bytes)) {
        const struct sim_value v = sim_row_value(row, lane);
        *out = variable_number(t, (const unsigned char *)v.bits);
        return true;
    }
    if (!row && variable_in(st, p, lane, &m->variable, out))
        return true;
    fail(e, "`%s` has no value here", name);
    return false;
}

bool lane_name_value(struct stepped *st, const char *name, const struct lane_meaning *m,
                     const struct lane_place *p, const struct sim_row *row, unsigned lane,
                     struct lane_number *out, struct err *e)
{
    enum element type;
    struct sim_value v;
    switch (m->is) {
    case NAME_IS_BUILTIN: *out = whole(builtin_value(st, m->number, p, lane)); return true;
    case NAME_IS_PARAM:
        (void)type_of_param(&st->params[m->number], &type);
        *out = of_element(type, param_at(st, (int)m->number));
        return true;
    case NAME_IS_REGISTER:
        if (row) {
            v = sim_row_value(row, lane);
            *out = of_register(&v);
            return true;
        }
        fail(e, "this lane has no register `%s` here", name);
        return false;
    case NAME_IS_LOCAL: return local_value(st, name, m, p, row, lane, out, e);
    default: fail(e, "`%s` has no value", name); return false;
    }
}

static bool read_cells(struct stepped *st, const struct lane_array *a, uint64_t block,
                       uint64_t first, uint64_t count, void *to)
{
    const uint64_t size = element_size(a->type);
    struct device *d = st->device;
    struct err why;
    if (a->shared) {
        uint64_t bytes;
        const unsigned char *all = sim_inspect_shared(stepper_run(st->stepper), block, &bytes);
        if (!all || a->address + (first + count) * size > bytes)
            return false;
        memcpy(to, all + a->address + first * size, (size_t)(count * size));
        return true;
    }
    return d->ops->read(d, to, a->address + first * size, count * size, &why) == 0;
}

unsigned cells_read(struct stepped *st, const struct lane_array *a, uint64_t first, unsigned count,
                    void *to)
{
    const uint64_t size = element_size(a->type), all = a->bytes / size;
    if (a->bytes && first >= all)
        return 0;
    if (a->bytes && all - first < count)
        count = (unsigned)(all - first);
    return read_cells(st, a, stepper_focus(st->stepper).block, first, count, to) ? count : 0;
}

bool lane_element(struct stepped *st, const char *name, const struct lane_array *a,
                  const struct lane_place *p, const struct lane_number *index,
                  struct lane_number *out, struct err *e)
{
    unsigned char at[ELEMENT_BYTES];
    const uint64_t size = element_size(a->type), i = (uint64_t)index->whole;
    if (index->whole < 0 || (a->bytes && i >= a->bytes / size) || i >= UINT64_C(1) << 40) {
        fail(e, "`%s` has no such element", name);
        return false;
    }
    if (!read_cells(st, a, p->block, i, 1, at)) {
        if (a->shared)
            fail(e, "the block of `%s` is not running here", name);
        else
            fail(e, "`%s` has no such element", name);
        return false;
    }
    *out = of_element(a->type, at);
    return true;
}
