/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An expression becomes a list of operations without branches. This file builds the list, computes
 * it on the host, writes it as PTX, and integrates it as a reference. Operations on constants are
 * computed at once, and an operation that was seen before is used again. This file doesn't know the
 * text of the expression, nor how a sine is computed.
 */
#include "expr/expr-ir.h"
#include <inttypes.h>
#include <math.h> /* isfinite and NAN, no functions */
#include <string.h>

struct op_info {
    const char *operands;
    const char *ptx;
    char kind;
};

static const struct op_info op_table[OP_COUNT] = {
#define EXPR_OP_INFO(name, kind, operands, ptx, meaning) [OP_##name] = {operands, ptx, kind},
    EXPR_OPS(EXPR_OP_INFO)
#undef EXPR_OP_INFO
};

/* ---- what each operation means ---- */

/* Above 2^52 a double has no fraction; below, adding 2^52 rounds it away, ties to even. */
static double round_to_even(double v)
{
    const double shift = 0x1p52;
    if (!(__builtin_fabs(v) < shift))
        return v;
    return __builtin_copysign((__builtin_fabs(v) + shift) - shift, v);
}

static uint64_t shift_right(uint64_t v, uint64_t by)
{
    return v >> 63 ? ~(~v >> by) : v >> by;
}

/* a / b or a % b as in C: the remainder has the sign of a. 0 where C defines no result. */
static uint64_t signed_ratio(uint64_t a, uint64_t b, bool rest)
{
    const int64_t x = (int64_t)a, y = (int64_t)b;
    if (y == 0 || (x == INT64_MIN && y == -1))
        return 0;
    return (uint64_t)(rest ? x % y : x / y);
}

/* Computes a power by squaring. false: it needs more than 64 bits. */
static bool whole_power(uint64_t base, uint64_t by, uint64_t *out)
{
    int64_t a = (int64_t)base, v = 1;
    bool fits = true;
    while (by) {
        if (by & 1)
            fits &= !__builtin_mul_overflow(v, a, &v);
        if (by >>= 1)
            fits &= !__builtin_mul_overflow(a, a, &a);
    }
    *out = (uint64_t)v;
    return fits;
}

/* fmod of C. It is exact, because each subtraction is exact. */
static double remainder_of(double a, double b)
{
    double left = __builtin_fabs(a), by = __builtin_fabs(b), step = by;
    if (!isfinite(a) || b == 0 || b != b)
        return NAN;
    if (!isfinite(b))
        return a;
    while (step <= left / 2)
        step *= 2;
    for (; step >= by; step /= 2)
        if (left >= step)
            left -= step;
    return __builtin_copysign(left, a);
}

static union expr_value operate(enum expr_op op, union expr_value a, union expr_value b,
                             union expr_value c)
{
    union expr_value v = {.r = 0};
    switch (op) {
#define EXPR_OP_STEP(name, kind, operands, ptx, meaning) \
    case OP_##name:                                      \
        meaning;                                         \
        break;
        EXPR_OPS(EXPR_OP_STEP)
#undef EXPR_OP_STEP
    case OP_COUNT:
        break;
    }
    return v;
}

static enum expr_fault fault_of(enum expr_op op, uint64_t a, uint64_t b)
{
    int64_t v;
    uint64_t power;
    const int64_t x = (int64_t)a, y = (int64_t)b;
    if ((op == OP_SDIV || op == OP_SREM) && y == 0)
        return EXPR_BY_ZERO;
    if (op == OP_SPOW && y < 0)
        return EXPR_NEGATIVE_POWER;
    bool over = op == OP_IADD   ? __builtin_add_overflow(x, y, &v)
                : op == OP_ISUB ? __builtin_sub_overflow(x, y, &v)
                : op == OP_IMUL ? __builtin_mul_overflow(x, y, &v)
                : op == OP_SPOW ? !whole_power(a, b, &power)
                                : (op == OP_SDIV || op == OP_SREM) && x == INT64_MIN && y == -1;
    return over ? EXPR_OVERFLOW : EXPR_RIGHT;
}

/* Computes the values one after the other, until one can't be computed. There are at most
 * EXPR_MAX_CODE. They are on the stack, so that several threads can work with one expression. */
static enum expr_fault compute(const struct expr *e, double x, const uint64_t *input,
                               union expr_value *result)
{
    static const union expr_value none = {.r = 0};
    union expr_value v[e->count];
    *result = none;
    for (int i = 0; i < e->count; i++) {
        const struct expr_code *c = &e->code[i];
        enum expr_fault fault = EXPR_RIGHT;
        if (c->last_use < 0)
            continue;
        if (c->op == OP_X)
            v[i].f = x;
        else if (c->op == OP_INPUT)
            v[i].r = input[c->value.r];
        else if ((c->op == OP_IDIV || c->op == OP_IREM) && v[c->use[1]].r == 0)
            return EXPR_BY_ZERO;
        else if (c->op == OP_REAL || c->op == OP_WHOLE)
            v[i] = c->value;
        else if (e->checked && (fault = fault_of(c->op, v[c->use[0]].r, v[c->use[1]].r)))
            return fault;
        else
            v[i] = operate(c->op, v[c->use[0]], c->use[1] < 0 ? none : v[c->use[1]],
                        c->use[2] < 0 ? none : v[c->use[2]]);
    }
    *result = v[e->result];
    return EXPR_RIGHT;
}

double expr_eval(const struct expr *e, double x)
{
    union expr_value result;
    compute(e, x, NULL, &result);
    return result.f;
}

int expr_eval_index(const struct expr *e, const uint32_t input[EXPR_INPUTS], uint32_t *out)
{
    uint64_t wide[EXPR_INPUTS];
    union expr_value result;
    for (int i = 0; i < EXPR_INPUTS; i++)
        wide[i] = input[i];
    if (compute(e, 0, wide, &result))
        return -1;
    *out = (uint32_t)result.r;
    return 0;
}

bool expr_reads(const struct expr *e, enum expr_of which)
{
    for (int i = 0; i < e->count; i++)
        if (e->code[i].op == OP_INPUT && e->code[i].value.r == which)
            return true;
    return false;
}

enum expr_fault expr_eval_whole(const struct expr *e, const uint64_t input[],
                                int64_t *out)
{
    union expr_value result;
    enum expr_fault fault = compute(e, 0, input, &result);
    if (!fault)
        *out = (int64_t)result.r;
    return fault;
}

double expr_eval_real(const struct expr *e, const uint64_t input[])
{
    union expr_value result;
    compute(e, 0, input, &result);
    return result.f;
}

/* ---- building ---- */

static bool same_code(const struct expr_code *a, const struct expr_code *b)
{
    return a->op == b->op && a->use[0] == b->use[0] && a->use[1] == b->use[1] &&
           a->use[2] == b->use[2] && a->value.r == b->value.r;
}

static unsigned hash_code(const struct expr_code *c)
{
    uint64_t h = (uint64_t)c->op + c->value.r;
    for (int i = 0; i < 3; i++)
        h = (h ^ (h >> 29) ^ (uint64_t)(c->use[i] + 1)) * UINT64_C(0x9E3779B97F4A7C15);
    return (unsigned)(h >> 40) % EXPR_TABLE;
}

static int give_up(struct expr_builder *b, int trouble)
{
    b->trouble = trouble;
    return -1;
}

/* The table has twice as many places as there are operations, so the search always ends. */
static int append(struct expr_builder *b, const struct expr_code *new)
{
    struct expr *e = b->expr;
    unsigned at = hash_code(new);
    while (b->table[at] && !same_code(&e->code[b->table[at]], new))
        at = (at + 1) % EXPR_TABLE;
    if (b->table[at])
        return b->table[at];
    if (e->count == EXPR_MAX_CODE)
        return give_up(b, EXPR_TOO_BIG);
    void *items = e->code;
    if (mem_grow(e->from, &items, &e->capacity, (size_t)e->count, sizeof *e->code))
        return give_up(b, EXPR_NO_MEMORY);
    e->code = items;
    e->code[e->count] = *new;
    b->table[at] = e->count;
    return e->count++;
}

static int constant(struct expr_builder *b, enum expr_op op, union expr_value value)
{
    struct expr_code new = {.op = op, .use = {-1, -1, -1}, .value = value};
    return b->trouble ? -1 : append(b, &new);
}

int expr_real(struct expr_builder *b, double value)
{
    return constant(b, OP_REAL, (union expr_value){.f = value});
}

int expr_whole(struct expr_builder *b, uint64_t value)
{
    return constant(b, OP_WHOLE, (union expr_value){.r = value});
}

int expr_input(struct expr_builder *b, int which)
{
    return constant(b, OP_INPUT, (union expr_value){.r = (uint64_t)which});
}

bool expr_is_zero(const struct expr_builder *b, int place)
{
    return !b->trouble && place >= 0 && b->expr->code[place].op == OP_WHOLE &&
           b->expr->code[place].value.r == 0;
}

static bool is_constant(const struct expr_builder *b, int place)
{
    return b->expr->code[place].op == OP_REAL || b->expr->code[place].op == OP_WHOLE;
}

bool expr_is_real(const struct expr_builder *b, int place, double *value)
{
    if (b->trouble || place < 0 || b->expr->code[place].op != OP_REAL)
        return false;
    *value = b->expr->code[place].value.f;
    return true;
}

/* All operands are constants, so the result is computed now and is a constant too. */
static int fold(struct expr_builder *b, enum expr_op op, const int use[3], int operands)
{
    union expr_value v[3] = {{.r = 0}, {.r = 0}, {.r = 0}};
    for (int i = 0; i < operands; i++)
        v[i] = b->expr->code[use[i]].value;
    return constant(b, op_table[op].kind == 'f' ? OP_REAL : OP_WHOLE,
                    operate(op, v[0], v[1], v[2]));
}

/* An operation that always fails is not folded. So the error appears when an element is computed. */
static bool fails_always(const struct expr_builder *b, enum expr_op op, const int use[3])
{
    const struct expr_code *code = b->expr->code;
    return b->expr->checked && fault_of(op, code[use[0]].value.r, code[use[1]].value.r);
}

int expr_emit(struct expr_builder *b, enum expr_op op, int a, int second, int third)
{
    struct expr_code new = {.op = op, .use = {a, second, third}, .value = {.r = 0}};
    int operands = (int)strlen(op_table[op].operands);
    int constants = 0;
    if (b->trouble)
        return -1;
    for (int i = 0; i < operands; i++) {
        if (new.use[i] < 0)
            return -1;
        constants += is_constant(b, new.use[i]);
    }
    if (operands && constants == operands && !fails_always(b, op, new.use))
        return fold(b, op, new.use, operands);
    if (op == OP_PICK && is_constant(b, third))
        return b->expr->code[third].value.r ? a : second;
    return append(b, &new);
}

/* ---- registers ---- */

static int kind_of(char letter)
{
    return letter == 'f' ? KIND_F : letter == 'r' ? KIND_R : KIND_P;
}

static bool needs_register(const struct expr_code *c)
{
    return c->last_use >= 0 && c->op != OP_REAL && c->op != OP_WHOLE;
}

/* Goes from the end to the start: a value is needed if the result, or a needed value, uses it. */
static void find_last_uses(struct expr *e)
{
    for (int i = 0; i < e->count; i++)
        e->code[i].last_use = -1;
    e->code[e->result].last_use = e->count;
    for (int i = e->count - 1; i >= 0; i--)
        for (int k = 0; k < 3 && e->code[i].last_use >= 0; k++)
            if (e->code[i].use[k] >= 0 && e->code[e->code[i].use[k]].last_use < 0)
                e->code[e->code[i].use[k]].last_use = i;
}

static void release_operands(struct expr *e, int place, int free_list[KINDS])
{
    for (int k = 0; k < 3; k++) {
        int used = e->code[place].use[k];
        if (used < 0 || !needs_register(&e->code[used]) || e->code[used].last_use != place)
            continue;
        if (k > 0 && (used == e->code[place].use[0] || (k == 2 && used == e->code[place].use[1])))
            continue; /* x * x gives one register back, not two */
        int kind = kind_of(op_table[e->code[used].op].kind);
        e->code[used].next_free = free_list[kind];
        free_list[kind] = used;
    }
}

/* A few registers are enough: a register is used again after the last use of its value. */
void expr_assign_registers(struct expr *e)
{
    int free_list[KINDS] = {-1, -1, -1}; /* places whose register is free again */
    find_last_uses(e);
    e->registers[KIND_F] = 1; /* x, in register 0 even if nobody reads it */
    for (int i = 1; i < e->count; i++) {
        struct expr_code *c = &e->code[i];
        if (!needs_register(c))
            continue;
        release_operands(e, i, free_list);
        int kind = kind_of(op_table[c->op].kind), again = free_list[kind];
        c->reg = again < 0 ? e->registers[kind]++ : e->code[again].reg;
        if (again >= 0)
            free_list[kind] = e->code[again].next_free;
    }
}

/* ---- the same line as PTX ---- */

static void ptx_operand(const struct expr_code *c, char kind, struct buf *out)
{
    static const char *const prefix[KINDS] = {"fd", "rd", "p"};
    if (c->op == OP_REAL)
        buf_printf(out, "0d%016" PRIX64, c->value.r);
    else if (c->op == OP_WHOLE)
        buf_printf(out, "%" PRId64, (int64_t)c->value.r);
    else
        buf_printf(out, "%%%s%d", prefix[kind_of(kind)], c->reg);
}

/* The special registers, in the order of the inputs. */
static void ptx_input(const struct expr_code *c, struct buf *out)
{
    static const char *const registers[] = {"tid", "ctaid", "ntid", "nctaid"};
    buf_printf(out, "\tmov.u32 \t%%r0, %%%s.%c;\n\tcvt.u64.u32 \t", registers[c->value.r / 3],
               "xyz"[c->value.r % 3]);
    ptx_operand(c, 'r', out);
    buf_puts(out, ", %r0;\n");
}

static void ptx_operation(const struct expr *e, const struct expr_code *c, struct buf *out)
{
    const struct op_info *info = &op_table[c->op];
    buf_printf(out, "\t%s \t", info->ptx);
    ptx_operand(c, info->kind, out);
    for (int i = 0; info->operands[i]; i++) {
        buf_puts(out, ", ");
        ptx_operand(&e->code[c->use[i]], info->operands[i], out);
    }
    buf_puts(out, ";\n");
}

static void ptx_head(const struct expr *e, const char *name, struct buf *out)
{
    buf_printf(out, "// f(x) = %s\n", e->text);
    buf_printf(out, ".func (.param .b32 func_retval0) %s(\n\t.param .b32 %s_param_0\n)\n{\n", name,
               name);
    if (e->registers[KIND_P])
        buf_printf(out, "\t.reg .pred \t%%p<%d>;\n", e->registers[KIND_P]);
    if (e->registers[KIND_R])
        buf_printf(out, "\t.reg .b64 \t%%rd<%d>;\n", e->registers[KIND_R]);
    buf_printf(out, "\t.reg .f32 \t%%f<2>;\n\t.reg .f64 \t%%fd<%d>;\n\n", e->registers[KIND_F]);
}

int expr_ptx(const struct expr *e, const char *name, struct buf *out)
{
    const struct expr_code *result = &e->code[e->result];
    ptx_head(e, name, out);
    buf_printf(out, "\tld.param.f32 \t%%f0, [%s_param_0];\n\tcvt.f64.f32 \t%%fd0, %%f0;\n", name);
    for (int i = 1; i < e->count; i++)
        if (needs_register(&e->code[i]))
            ptx_operation(e, &e->code[i], out);
    if (result->op == OP_REAL)
        buf_printf(out, "\tmov.f64 \t%%fd0, 0d%016" PRIX64 ";\n", result->value.r);
    buf_printf(out, "\tcvt.rn.f32.f64 \t%%f1, %%fd%d;\n", result->reg);
    buf_puts(out, "\tst.param.f32 \t[func_retval0+0], %f1;\n\tret;\n}\n");
    return out->failed ? -1 : 0;
}

int expr_ptx_index(const struct expr *e, const char *name, struct buf *out)
{
    const struct expr_code *result = &e->code[e->result];
    buf_printf(out, "// i = %s\n.func (.param .b32 func_retval0) %s()\n{\n", e->text, name);
    buf_printf(out, "\t.reg .b32 \t%%r<1>;\n\t.reg .b64 \t%%rd<%d>;\n\n",
               e->registers[KIND_R] + 1);
    for (int i = 1; i < e->count; i++)
        if (needs_register(&e->code[i]) && e->code[i].op == OP_INPUT)
            ptx_input(&e->code[i], out);
        else if (needs_register(&e->code[i]))
            ptx_operation(e, &e->code[i], out);
    if (result->op == OP_WHOLE)
        buf_printf(out, "\tmov.u64 \t%%rd0, %" PRIu64 ";\n", result->value.r);
    buf_printf(out, "\tcvt.u32.u64 \t%%r0, %%rd%d;\n", result->reg);
    buf_puts(out, "\tst.param.b32 \t[func_retval0+0], %r0;\n\tret;\n}\n");
    return out->failed ? -1 : 0;
}

/* ---- the rest of an expression's life ---- */

void expr_free(struct expr *e)
{
    if (!e)
        return;
    if (e->code)
        mem_free(e->from, e->code, e->capacity * sizeof *e->code);
    if (e->text)
        mem_free(e->from, e->text, e->text_size);
    mem_free(e->from, e, sizeof *e);
}

const char *expr_text(const struct expr *e)
{
    return e->text;
}

/* ---- the reference integral ---- */

/* A sum that also keeps what each addition rounded away (Neumaier). */
struct sum {
    double total, lost;
};

static void sum_add(struct sum *s, double v)
{
    double next = s->total + v;
    if (__builtin_fabs(s->total) >= __builtin_fabs(v))
        s->lost += (s->total - next) + v;
    else
        s->lost += (v - next) + s->total;
    s->total = next;
}

/* Gauss's five points on [-1, 1]: exact for polynomials up to x^9. */
static const struct {
    double at, weight;
} gauss[] = {
    {-0.90617984593866399280, 0.23692688505618908751},
    {-0.53846931010568309104, 0.47862867049936646804},
    {0, 0.56888888888888888889},
    {0.53846931010568309104, 0.47862867049936646804},
    {0.90617984593866399280, 0.23692688505618908751},
};

/* Adds to *size the integral of the function's absolute value. Rounding errors grow with it. */
static double gauss_sum(const struct expr *e, double a, double b, long pieces, double *size)
{
    struct sum sum = {0, 0};
    double half = (b - a) / (double)pieces / 2;
    for (long i = 0; i < pieces; i++) {
        double middle = a + (double)(2 * i + 1) * half;
        double edge = expr_eval(e, a + (double)(2 * i) * half);
        if (!isfinite(edge))
            return edge;
        for (size_t k = 0; k < sizeof gauss / sizeof gauss[0]; k++) {
            double y = expr_eval(e, middle + gauss[k].at * half);
            if (!isfinite(y))
                return y;
            sum_add(&sum, gauss[k].weight * y);
            *size += gauss[k].weight * __builtin_fabs(y) * __builtin_fabs(half);
        }
    }
    return (sum.total + sum.lost) * half;
}

/* Integrates twice, first with half the pieces. The better answer is closer to the truth than the
 * two answers are to each other. */
double expr_integral(const struct expr *e, double a, double b, long pieces, double *error)
{
    double size = 0, unused = 0, off = NAN;
    if (pieces < 1)
        pieces = 1;
    double coarse = gauss_sum(e, a, b, pieces, &unused);
    double fine = gauss_sum(e, a, b, 2 * pieces, &size);
    double end = expr_eval(e, b);
    if (!isfinite(coarse))
        fine = coarse;
    else if (!isfinite(end))
        fine = end;
    if (isfinite(fine))
        off = __builtin_fabs(fine - coarse) + 0x1p-51 * size;
    if (error)
        *error = off;
    return fine;
}
