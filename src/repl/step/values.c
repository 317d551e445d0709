/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and computing an expression in one pass, by recursive descent; see values.h. It is done
 * anew for each lane, since its names have other values there. The grammar, loosest first:
 *
 *     either   both (|| both)*
 *     both     compared (&& compared)*
 *     compared sum [== != < <= > >= sum]
 *     sum      product (+|- product)*
 *     product  single (*|/|% single)*
 *     single   - single | ! single | ( either ) | number | name | name[ either ]
 */
#include "repl/step/variables.h"

#include "own/arrays.h"
#include "own/type-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 64, DEEP_MOST = 100 };

struct reading_value {
    struct stepped *st;
    unsigned lane, deep, muted; /* muted: what has no value here doesn't matter */
    const char *text, *at;
    struct err *e;
    enum lane_fault fault;
};

static struct lane_number either(struct reading_value *);

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

static bool truth(struct lane_number n)
{
    return n.is_real ? n.real != 0 : n.whole != 0;
}

/* The first fault counts. */
static struct lane_number wrong(struct reading_value *v, enum lane_fault fault, const char *what,
                                const char *about)
{
    if (v->muted && fault == LANE_NONE)
        return whole(0);
    if (v->fault == LANE_RIGHT) {
        v->fault = fault;
        fail(v->e, what, about);
    }
    v->at += strlen(v->at);
    return whole(0);
}

static void skip_blanks(struct reading_value *v)
{
    while (*v->at == ' ' || *v->at == '\t')
        v->at++;
}

static bool takes(struct reading_value *v, const char *sign)
{
    skip_blanks(v);
    if (strncmp(v->at, sign, strlen(sign)) != 0)
        return false;
    v->at += strlen(sign);
    return true;
}

/* ---- values from memory -------------------------------------------------------------------------- */

static struct lane_number of_element(enum element t, const void *at)
{
    return element_kind(t) == KIND_FLOAT ? real(element_real(t, at))
                                         : whole((int64_t)element_whole(t, at));
}

static struct lane_number of_register(const struct step_value *r)
{
    float f;
    double d;
    uint16_t h = (uint16_t)r->bits;
    switch (r->type) {
    case SIM_F32:
        memcpy(&f, &r->bits, sizeof f);
        return real(f);
    case SIM_F64:
        memcpy(&d, &r->bits, sizeof d);
        return real(d);
    case SIM_F16: return real(element_real(ELEMENT_F16, &h));
    case SIM_BF16: return real(element_real(ELEMENT_BF16, &h));
    case SIM_B16: case SIM_S16: return whole((int16_t)r->bits);
    case SIM_B32: case SIM_S32: return whole((int32_t)r->bits);
    case SIM_U32: return whole((int64_t)(uint32_t)r->bits);
    default: return whole((int64_t)r->bits);
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

/* Of the elements of the array at this address: as a parameter that points there has it. */
static bool type_of_pointer(const struct stepped *st, uint64_t address, enum element *type)
{
    for (unsigned i = 0; i < st->param_count; i++)
        if (st->params[i].is_pointer && memcmp(param_at(st, (int)i), &address, sizeof address) == 0 &&
            type_of_param(&st->params[i], type))
            return true;
    return false;
}

/* The declarations of this name in the source that fit its bytes must agree. */
static bool type_in_source(const struct stepped *st, const char *name, uint64_t bytes,
                           enum element *type)
{
    struct declared d;
    enum element one;
    bool found = false;
    for (unsigned nth = 0; st->has_tokens && declared_shared(&st->tokens, name, nth, &d) == 0; nth++) {
        uint64_t count = 1;
        for (unsigned i = 0; i < d.dim_count; i++)
            count *= d.dims[i];
        if (d.is_pointer || element_named(d.type, &one) != 0 ||
            (count && count * element_size(one) != bytes))
            continue;
        if (found && one != *type)
            return false;
        *type = one;
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

/* Without a declaration: the type of the kernel's accesses to shared memory, if all have one. A type
 * of bits says too little. */
static bool type_of_accesses(const struct stepped *st, enum element *type)
{
    static const struct { const char *name; enum element type; } types[] = {
        {"f32", ELEMENT_F32}, {"f64", ELEMENT_F64}, {"u32", ELEMENT_U32}, {"s32", ELEMENT_I32},
        {"u64", ELEMENT_U64}, {"s64", ELEMENT_I64}};
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
    out->type_known =
        (shared->name && type_in_source(st, stepping_shared_name(shared->name), shared->bytes,
                                        &out->type)) ||
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
    if (d->ops->look_address)
        out->address = d->ops->look_address(d, a->address);
    out->type_known = out->type_known || type_of_pointer(st, out->address, &out->type);
    return out->address != 0;
}

static struct lane_number element_of(struct reading_value *v, const struct lane_array *a,
                                     const char *name, struct lane_number index)
{
    unsigned char at[ELEMENT_BYTES];
    struct err e = {0};
    if (!a->type_known)
        return wrong(v, LANE_WRONG, "the type of the elements of `%s` is not known", name);
    const uint64_t size = element_size(a->type), i = (uint64_t)index.whole;
    if (index.is_real || index.whole < 0 || (a->bytes && i >= a->bytes / size) ||
        i >= UINT64_C(1) << 40)
        return wrong(v, LANE_NONE, "`%s` has no such element", name);
    if (a->shared) {
        struct step_shared s;
        for (unsigned k = 0; step_look_shared(v->st->stepper, k, &s); k++)
            if (s.at == a->address && s.data)
                return of_element(a->type, s.data + i * size);
        return wrong(v, LANE_NONE, "the block of `%s` is not running here", name);
    }
    struct device *d = v->st->device;
    if (d->ops->read(d, at, a->address + i * size, size, &e) != 0)
        return wrong(v, LANE_NONE, "`%s` has no such element", name);
    return of_element(a->type, at);
}

/* ---- names ------------------------------------------------------------------------------------------ */

/* threadIdx.x and the like. */
static bool builtin(const struct reading_value *v, const char *name, int64_t *out)
{
    static const char *const dims[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct step_shape *shape = stepper_shape(v->st->stepper);
    const struct step_focus f = stepper_focus(v->st->stepper);
    const uint64_t thread = (uint64_t)f.warp * STEP_LANES + v->lane;
    const unsigned *block = shape->block, *grid = shape->grid;
    const uint64_t values[4][3] = {
        {thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]},
        {f.block % grid[0], f.block / grid[0] % grid[1], f.block / grid[0] / grid[1]},
        {block[0], block[1], block[2]},
        {grid[0], grid[1], grid[2]}};
    const char *dot = strchr(name, '.');
    for (unsigned i = 0; dot && i < 4; i++)
        if (strlen(dims[i]) == (size_t)(dot - name) && memcmp(dims[i], name, strlen(dims[i])) == 0 &&
            dot[1] >= 'x' && dot[1] <= 'z' && !dot[2]) {
            *out = (int64_t)values[i][dot[1] - 'x'];
            return true;
        }
    const struct { const char *name; uint64_t value; } words[] = {
        {"lane", v->lane}, {"warp", f.warp}, {"block", f.block}, {"thread", thread}};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0) {
            *out = (int64_t)words[i].value;
            return true;
        }
    return false;
}

static struct lane_number of_param(struct reading_value *v, int i, const char *name)
{
    const struct step_shape *shape = stepper_shape(v->st->stepper);
    const struct declared *d = &v->st->params[i];
    enum element type;
    if (d->is_pointer)
        return wrong(v, LANE_WRONG, "`%s` is an array: write which element, as in NAME[3]", name);
    if (!type_of_param(d, &type) || element_size(type) != shape->kernel->params[i].size)
        return wrong(v, LANE_WRONG, "the type of `%s` is not a number", name);
    return of_element(type, param_at(v->st, i));
}

static void read_name(struct reading_value *v, char name[NAME_MOST])
{
    size_t n = *v->at == '%';
    while (in_word(v->at[n]) || v->at[n] == '$' || (v->at[n] == '.' && is_letter(v->at[n + 1])))
        n++;
    snprintf(name, NAME_MOST, "%.*s", n < NAME_MOST ? (int)n : 0, v->at);
    v->at += n;
}

static struct lane_number named(struct reading_value *v)
{
    char name[NAME_MOST];
    int64_t number;
    struct lane_array array;
    struct step_value r;
    read_name(v, name);
    if (*name == '%')
        return step_look_register(v->st->stepper, v->lane, name, &r)
                   ? of_register(&r)
                   : wrong(v, LANE_NONE, "this lane has no register `%s` here", name);
    if (builtin(v, name, &number))
        return whole(number);
    struct lane_number local;
    switch (variable_value(v->st, v->lane, name, &local)) {
    case VARIABLE_VALUE: return local;
    case VARIABLE_AWAY: return wrong(v, LANE_NONE, "the compiler keeps no value of `%s` here", name);
    case VARIABLE_NOT_SET: return wrong(v, LANE_NONE, "`%s` has no value yet", name);
    default: break;
    }
    if (v->muted && v->st->trusts) { /* its value doesn't matter, and the name is known */
        if (takes(v, "[")) {
            either(v);
            takes(v, "]");
        }
        return whole(0);
    }
    const bool known = lane_array_named(v->st, name, &array);
    const int param = param_named(v->st, name);
    if (takes(v, "[")) {
        const struct lane_number index = either(v);
        if (!takes(v, "]"))
            return wrong(v, LANE_WRONG, "a ] is missing behind the index of `%s`", name);
        if (takes(v, "["))
            return wrong(v, LANE_WRONG, "write one index for `%s`: its row * the length of a row + "
                                        "its column", name);
        return known ? element_of(v, &array, name, index)
                     : wrong(v, LANE_WRONG, "there is no array `%s` here", name);
    }
    if (param >= 0)
        return of_param(v, param, name);
    if (known)
        return wrong(v, LANE_WRONG, "`%s` is an array: write which element, as in NAME[3]", name);
    if (v->st->names) /* it may be one of another line */
        return wrong(v, LANE_NONE, "no variable `%s` is in scope here", name);
    return wrong(v, LANE_WRONG, "there is no name `%s` here; a register is written as %%r5, and "
                                "threadIdx.x, lane, parameters and arrays have their names", name);
}

/* ---- the grammar -------------------------------------------------------------------------------------- */

static struct lane_number number(struct reading_value *v)
{
    char *end, *whole_end;
    const double d = strtod(v->at, &end);
    const unsigned long long i = strtoull(v->at, &whole_end, 0);
    const bool is_real = end > whole_end;
    v->at = is_real ? end : whole_end;
    if (is_real && *v->at == 'f')
        v->at++;
    return is_real ? real(d) : whole((int64_t)i);
}

static struct lane_number single(struct reading_value *v)
{
    struct lane_number n;
    if (++v->deep > DEEP_MOST)
        return wrong(v, LANE_WRONG, "this is nested too deep%s", "");
    if (takes(v, "-")) {
        n = single(v);
        n = n.is_real ? real(-n.real) : whole((int64_t)(0 - (uint64_t)n.whole));
    } else if (takes(v, "!")) {
        n = whole(!truth(single(v)));
    } else if (takes(v, "(")) {
        n = either(v);
        if (!takes(v, ")"))
            n = wrong(v, LANE_WRONG, "a ) is missing%s", "");
    } else if (is_digit(*v->at) || (*v->at == '.' && is_digit(v->at[1]))) {
        n = number(v);
    } else if (is_letter(*v->at) || *v->at == '%') {
        n = named(v);
    } else {
        n = wrong(v, LANE_WRONG, *v->at ? "a value is missing before `%s`"
                                        : "a value is missing at the end%s", v->at);
    }
    v->deep--;
    return n;
}

static struct lane_number divided(struct reading_value *v, struct lane_number a, struct lane_number b,
                                  bool rest)
{
    if (rest && (a.is_real || b.is_real))
        return wrong(v, LANE_WRONG, "%% is for whole numbers%s", "");
    if (a.is_real || b.is_real)
        return real(lane_number_real(&a) / lane_number_real(&b));
    if (b.whole == 0)
        return wrong(v, LANE_NONE, "this divides by 0%s", "");
    if (b.whole == -1)
        return rest ? whole(0) : whole((int64_t)(0 - (uint64_t)a.whole));
    return whole(rest ? a.whole % b.whole : a.whole / b.whole);
}

static struct lane_number product(struct reading_value *v)
{
    struct lane_number a = single(v);
    for (;;) {
        if (takes(v, "*")) {
            const struct lane_number b = single(v);
            a = a.is_real || b.is_real ? real(lane_number_real(&a) * lane_number_real(&b))
                                       : whole((int64_t)((uint64_t)a.whole * (uint64_t)b.whole));
        } else if (takes(v, "/")) {
            a = divided(v, a, single(v), false);
        } else if (takes(v, "%")) {
            a = divided(v, a, single(v), true);
        } else {
            return a;
        }
    }
}

static struct lane_number sum(struct reading_value *v)
{
    struct lane_number a = product(v);
    for (;;) {
        const bool plus = takes(v, "+");
        if (!plus && !takes(v, "-"))
            return a;
        const struct lane_number b = product(v);
        if (a.is_real || b.is_real)
            a = real(lane_number_real(&a) + (plus ? 1 : -1) * lane_number_real(&b));
        else
            a = whole((int64_t)((uint64_t)a.whole + (plus ? 1 : UINT64_MAX) * (uint64_t)b.whole));
    }
}

static struct lane_number compared(struct reading_value *v)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">", "="};
    const struct lane_number a = sum(v);
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!takes(v, signs[i]))
            continue;
        if (i == 6)
            return wrong(v, LANE_WRONG, "write == to compare%s", "");
        const struct lane_number b = sum(v);
        const bool reals = a.is_real || b.is_real;
        const double x = lane_number_real(&a), y = lane_number_real(&b);
        const bool less = reals ? x < y : a.whole < b.whole;
        const bool more = reals ? x > y : a.whole > b.whole;
        const bool same = reals ? x == y : a.whole == b.whole;
        const bool is[] = {same, !same, less || same, more || same, less, more};
        return whole(is[i]);
    }
    return a;
}

static struct lane_number both(struct reading_value *v)
{
    struct lane_number a = compared(v);
    while (takes(v, "&&")) {
        const bool decided = !truth(a);
        v->muted += decided;
        const struct lane_number b = compared(v);
        v->muted -= decided;
        a = whole(truth(a) && truth(b));
    }
    return a;
}

static struct lane_number either(struct reading_value *v)
{
    struct lane_number a = both(v);
    while (takes(v, "||")) {
        const bool decided = truth(a);
        v->muted += decided;
        const struct lane_number b = both(v);
        v->muted -= decided;
        a = whole(truth(a) || truth(b));
    }
    return a;
}

enum lane_fault lane_value(struct stepped *st, unsigned lane, const char *text,
                           struct lane_number *out, struct err *e)
{
    struct reading_value v = {.st = st, .lane = lane, .text = text, .at = text, .e = e};
    *out = either(&v);
    skip_blanks(&v);
    if (v.fault == LANE_RIGHT && *v.at)
        wrong(&v, LANE_WRONG, "`%.40s` can't stand here", v.at);
    return v.fault;
}
