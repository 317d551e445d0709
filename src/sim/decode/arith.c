/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes the arithmetic whose modifiers make more forms than a table should list: floating
 * point of every rounding and format, conversions, comparisons of halves, `set`, and carry
 * chains. The instruction table is asked first; what it has runs fast, and this is for the
 * rest. Nothing is computed here: the work is exact.c's, or that of lines in the table.
 */
#include "sim/decode/decode.h"
#include "sim/exec/exact.h"

#include <stdio.h>
#include <string.h>

static enum sim_type type_of(const char *word)
{
    return (enum sim_type)ptx_type_named(word, strlen(word));
}

static bool is_integer(enum sim_type t)
{
    return t >= SIM_U8 && t <= SIM_S64;
}
static bool is_half(enum sim_type t)
{
    return t == SIM_F16 || t == SIM_BF16;
}
static bool is_float(enum sim_type t)
{
    return is_half(t) || t == SIM_F32 || t == SIM_F64;
}
/* The type of one half, for a type that packs two. */
static enum sim_type half_of(enum sim_type t)
{
    return t == SIM_F16X2 ? SIM_F16 : t == SIM_BF16X2 ? SIM_BF16 : t;
}

/* ---- modifiers ----------------------------------------------------------------------- */

enum { FLUSHES = EXACT_FLUSH_IN | EXACT_FLUSH_OUT, ROUNDS = 1 << 16, INTEGRALS = 2 << 16,
       APPROX = 4 << 16, OUT_OF_BOUNDS = 8 << 16 };

/* Takes one modifier into x, if it is among those allowed. */
static bool take_modifier(struct decoder *d, const char *w, unsigned allowed, struct exact *x)
{
    static const struct {
        const char *name;
        unsigned kind, flags, rounding;
        int capability;
    } known[] = {
        {"rn", ROUNDS, 0, SOFT_NEAREST, 0},
        {"rz", ROUNDS, 0, SOFT_ZEROWARD, 0},
        {"rm", ROUNDS, 0, SOFT_DOWN, 0},
        {"rp", ROUNDS, 0, SOFT_UP, 0},
        {"rni", INTEGRALS, EXACT_INTEGRAL, SOFT_NEAREST, 0},
        {"rzi", INTEGRALS, EXACT_INTEGRAL, SOFT_ZEROWARD, 0},
        {"rmi", INTEGRALS, EXACT_INTEGRAL, SOFT_DOWN, 0},
        {"rpi", INTEGRALS, EXACT_INTEGRAL, SOFT_UP, 0},
        {"approx", APPROX, 0, 0, 0},
        {"ftz", FLUSHES, FLUSHES, 0, 0},
        {"sat", EXACT_SAT, EXACT_SAT, 0, 0},
        {"relu", EXACT_RELU, EXACT_RELU, 0, 80},
        {"satfinite", EXACT_FINITE, EXACT_FINITE, 0, 0},
        {"oob", OUT_OF_BOUNDS, 0, 0, 90}, /* it changes no result on an H100 */
        {"NaN", EXACT_NAN, EXACT_NAN, 0, 80},
        {"xorsign", EXACT_XORSIGN, EXACT_XORSIGN, 0, 86},
        {"abs", EXACT_XORSIGN, 0, 0, 86}, /* of .xorsign.abs */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, w) != 0)
            continue;
        need(d, known[i].capability);
        x->flags |= (uint16_t)known[i].flags;
        if (known[i].kind & (ROUNDS | INTEGRALS))
            x->rounding = (uint8_t)known[i].rounding;
        return (known[i].kind & allowed) != 0;
    }
    return false;
}

static struct raw *emit_exact(struct decoder *d, const struct exact *x, bool hidden)
{
    struct raw *r = hidden ? emit_hidden(d, "*exact") : emit(d, "*exact");
    memcpy(&r->in.offset, x, sizeof *x);
    return r;
}

/* ---- add, mul, fma and the like ------------------------------------------------------ */

static const struct float_op {
    const char *name;
    enum exact_op op;
    unsigned operands, allowed;
    int f16, bf16; /* the compute capability that halves need */
} float_ops[] = {
    {"add", EXACT_ADD, 2, ROUNDS | FLUSHES | EXACT_SAT, 53, 90},
    {"sub", EXACT_SUB, 2, ROUNDS | FLUSHES | EXACT_SAT, 53, 90},
    {"mul", EXACT_MUL, 2, ROUNDS | FLUSHES | EXACT_SAT, 53, 90},
    {"fma", EXACT_FMA, 3, ROUNDS | FLUSHES | EXACT_SAT | EXACT_RELU | OUT_OF_BOUNDS, 53, 80},
    {"mad", EXACT_FMA, 3, ROUNDS | FLUSHES | EXACT_SAT, 53, 80},
    {"div", EXACT_DIV, 2, ROUNDS | FLUSHES, 53, 80},
    {"sqrt", EXACT_SQRT, 1, ROUNDS | FLUSHES, 53, 80},
    {"rcp", EXACT_RCP, 1, ROUNDS | FLUSHES, 53, 80},
    {"min", EXACT_MIN, 2, FLUSHES | EXACT_NAN | EXACT_XORSIGN, 80, 80},
    {"max", EXACT_MAX, 2, FLUSHES | EXACT_NAN | EXACT_XORSIGN, 80, 80},
    {"neg", EXACT_NEG, 1, FLUSHES, 53, 80},
    {"abs", EXACT_ABS, 1, FLUSHES, 53, 80},
    {"ex2", EXACT_EX2, 1, FLUSHES | APPROX, 75, 90},
    {"tanh", EXACT_TANH, 1, APPROX, 75, 90},
};

static const struct float_op *float_op_named(const char *name)
{
    for (size_t i = 0; i < sizeof float_ops / sizeof *float_ops; i++)
        if (strcmp(float_ops[i].name, name) == 0)
            return &float_ops[i];
    return NULL;
}

static int decode_float(struct decoder *d, const struct op_tokens *t)
{
    const struct float_op *op = float_op_named(t->word[0]);
    enum sim_type type = type_of(t->word[t->count - 1]), half = half_of(type);
    if (!op || !is_float(half) || (op->allowed & APPROX && !is_half(half)))
        return unsupported(d);
    struct exact x = {.op = (uint8_t)op->op, .operands = (uint8_t)op->operands,
                      .from = (uint8_t)half, .to = (uint8_t)half,
                      .rounding = op->op == EXACT_TANH ? SOFT_ZEROWARD /* as silicon has it */
                                                       : SOFT_NEAREST,
                      .flags = half != type ? EXACT_PAIR : 0};
    for (unsigned i = 1; i + 1 < t->count; i++)
        if (!take_modifier(d, t->word[i], op->allowed, &x))
            return unsupported(d);
    if (wants(d, op->operands + 1) < 0)
        return 0;
    if (d->from->operand_count > op->operands + 1) /* min and max of three numbers need 10.0 */
        return lacks(d, "unsupported: %s with so many operands", d->from->opcode);
    uint32_t row[3] = {0};
    for (unsigned k = 0; k < op->operands; k++)
        row[k] = source(d, arg(d, k + 1), type);
    need(d, half == SIM_BF16 ? op->bf16 : half == SIM_F16 ? op->f16 : 0);
    uint32_t to = result(d, arg(d, 0), row_size(type));
    struct raw *r = emit_exact(d, &x, false);
    r->in.a = row[0], r->in.b = row[1], r->in.c = row[2], r->in.d = to;
    finish_result(d, to, row_size(type), false);
    return 0;
}

/* ---- cvt ----------------------------------------------------------------------------- */

/* The two numbers that make a pair, the lower one first. They are b and a in `d, a, b`, or the two
 * halves of a single operand. */
static bool pair_sources(struct decoder *d, enum sim_type from, const char *packed, uint32_t row[2])
{
    if (from == SIM_F32 && wants(d, 3) == 0) {
        row[1] = source(d, arg(d, 1), SIM_F32);
        row[0] = source(d, arg(d, 2), SIM_F32);
        return true;
    }
    if (from == SIM_F32 || wants(d, 2) < 0)
        return false;
    const uint32_t whole = source(d, arg(d, 1), from);
    row[0] = new_row(d, 2), row[1] = new_row(d, 2);
    struct raw *r = emit_hidden(d, packed);
    r->in.a = whole, r->in.d = row[0], r->in.e = row[1];
    return true;
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half and b the lower half. An operand that is a
 * pair is converted half by half. `bytes` is the size of the result. */
static int decode_cvt_pair(struct decoder *d, struct exact *x, enum sim_type from, unsigned bytes)
{
    uint32_t half[2];
    if (!pair_sources(d, from, row_size(from) == 2 ? "*unpack16" : "*unpack32", half))
        return 0;
    for (unsigned k = 0; k < 2; k++) {
        struct raw *r = emit_exact(d, x, true);
        r->in.a = r->in.b = r->in.c = half[k];
        half[k] = r->in.d = new_row(d, 2);
    }
    uint32_t to = result(d, arg(d, 0), bytes);
    struct raw *r = emit(d, bytes == 2 ? "*pack16" : "*pack32");
    r->in.a = half[0], r->in.b = r->in.c = half[1], r->in.d = to;
    finish_result(d, to, bytes, false);
    return 0;
}

/* The number of a format that only cvt has. tf32 is a single number; the others come in pairs. 0:
 * the word is no such format. */
static unsigned small_format(const char *word)
{
    static const struct word_number formats[] = {{"tf32", EXACT_TF32},
                                                 {"e4m3x2", EXACT_E4M3},
                                                 {"e5m2x2", EXACT_E5M2},
                                                 {NULL, 0}};
    const int format = number_of_word(formats, word);
    return format > 0 ? (unsigned)format : 0;
}

/* Converts f32 to tf32, f32 or f16x2 to a pair of 8-bit numbers, or such a pair to f16x2. */
static int decode_cvt_small(struct decoder *d, const struct op_tokens *t)
{
    const char *to_word = t->word[t->count - 2], *from_word = t->word[t->count - 1];
    const unsigned to = small_format(to_word), from = small_format(from_word);
    const enum sim_type other = type_of(to ? from_word : to_word);
    const bool tf32 = to == EXACT_TF32, back = from > EXACT_TF32 && !to && other == SIM_F16X2;
    struct exact x = {.op = EXACT_CVT, .operands = 1};
    x.from = (uint8_t)(from ? from : (unsigned)half_of(other));
    x.to = (uint8_t)(to ? to : (unsigned)half_of(other));
    if (from ? !back : other != SIM_F32 && (tf32 || other != SIM_F16X2))
        return unsupported(d);
    for (unsigned i = 1; i + 2 < t->count; i++)
        if (!take_modifier(d, t->word[i], ROUNDS | EXACT_RELU | EXACT_FINITE, &x))
            return unsupported(d);
    need(d, tf32 ? 90 : 89);
    if (!tf32)
        return decode_cvt_pair(d, &x, from ? SIM_B16 : other, to ? 2 : 4);
    if (wants(d, 2) < 0)
        return 0;
    const uint32_t a = source(d, arg(d, 1), SIM_F32), row = result(d, arg(d, 0), 4);
    struct raw *r = emit_exact(d, &x, false);
    r->in.a = r->in.b = r->in.c = a, r->in.d = row;
    finish_result(d, row, 4, false);
    return 0;
}

static int decode_cvt(struct decoder *d, const struct op_tokens *t)
{
    unsigned allowed = ROUNDS | INTEGRALS | FLUSHES | EXACT_SAT | EXACT_RELU | EXACT_FINITE;
    if (t->count > 2 &&
        (small_format(t->word[t->count - 2]) || small_format(t->word[t->count - 1])))
        return decode_cvt_small(d, t);
    enum sim_type to = t->count > 2 ? type_of(t->word[t->count - 2]) : SIM_NONE;
    enum sim_type from = type_of(t->word[t->count - 1]), half = half_of(to);
    struct exact x = {.op = EXACT_CVT, .operands = 1, .from = (uint8_t)from, .to = (uint8_t)half};
    if (!(is_integer(half) || is_float(half)) || !(is_integer(from) || is_float(from)) ||
        (half != to && from != SIM_F32))
        return unsupported(d);
    for (unsigned i = 1; i + 2 < t->count; i++)
        if (!take_modifier(d, t->word[i], allowed, &x))
            return unsupported(d);
    if (from != SIM_F32) /* .ftz is about f32 alone */
        x.flags &= (uint16_t)~EXACT_FLUSH_IN;
    if (half != SIM_F32)
        x.flags &= (uint16_t)~EXACT_FLUSH_OUT;
    if (half == SIM_BF16 || from == SIM_BF16) /* to and from f32 they came first */
        need(d, half == SIM_F32 || from == SIM_F32 ? 80 : 90);
    if (half != to) {
        need(d, 80);
        return decode_cvt_pair(d, &x, SIM_F32, 4);
    }
    if (wants(d, 2) < 0)
        return 0;
    uint32_t a = source(d, arg(d, 1), from);
    uint32_t row = result(d, arg(d, 0), row_size(to));
    struct raw *r = emit_exact(d, &x, false);
    r->in.a = r->in.b = r->in.c = a, r->in.d = row;
    finish_result(d, row, row_size(to), to >= SIM_S8 && to <= SIM_S64);
    return 0;
}

/* ---- comparisons: halves as the floats they are, set as setp and selp ---------------- */

struct comparison {
    char name[40];      /* "setp.and.lt.f32" */
    enum sim_type type; /* of the operands: of one half where there are two */
    bool pair, flush;
    uint32_t c; /* the predicate to combine with */
    uint8_t flags;
};

static bool read_comparison(struct decoder *d, const struct op_tokens *t, unsigned types,
                            struct comparison *c)
{
    static const char *const combine[] = {"and", "or", "xor"};
    const char *combined = "", *how = NULL;
    enum sim_type type = type_of(t->word[t->count - 1]);
    *c = (struct comparison){.type = half_of(type), .pair = half_of(type) != type};
    for (unsigned i = 1; i + types < t->count; i++) {
        bool known = false;
        for (unsigned k = 0; k < 3; k++)
            if (strcmp(t->word[i], combine[k]) == 0)
                combined = combine[k], known = true;
        if (strcmp(t->word[i], "ftz") == 0)
            c->flush = true;
        else if (!known && how)
            return false;
        else if (!known)
            how = t->word[i];
    }
    if (!how)
        return false;
    bool half = is_half(c->type);
    snprintf(c->name, sizeof c->name, "setp%s%s.%s%s.%s", *combined ? "." : "", combined, how,
             c->flush && !half ? ".ftz" : "", half ? "f32" : t->word[t->count - 1]);
    if (!ops_find(d->m->sim, c->name))
        return false;
    if (*combined && wants(d, 4) == 0)
        c->c = predicate(d, arg(d, 3), &c->flags, INSN_FLIP_C);
    return true;
}

/* A row of halves as one of floats. */
static uint32_t widened(struct decoder *d, const struct comparison *c, uint32_t row)
{
    struct exact x = {.op = EXACT_CVT, .operands = 1, .from = (uint8_t)c->type, .to = SIM_F32,
                      .flags = c->flush ? EXACT_FLUSH_IN : 0};
    uint32_t to = new_row(d, 4);
    bool quick = c->type == SIM_F16 && !c->flush;
    struct raw *r = quick ? emit_hidden(d, "cvt.f32.f16") : emit_exact(d, &x, true);
    r->in.a = r->in.b = r->in.c = row, r->in.d = to;
    return to;
}

/* The operand's rows: one, or its lower and upper halves. */
static void operand_rows(struct decoder *d, const struct comparison *c, unsigned i,
                         uint32_t rows[2])
{
    const struct ptx_operand *o = arg(d, i);
    rows[0] = rows[1] = source(d, o, c->pair ? SIM_B32 : c->type);
    if (c->pair) {
        uint32_t lower = new_row(d, 2), upper = new_row(d, 2);
        struct raw *r = emit_hidden(d, "*unpack32");
        r->in.a = rows[0], r->in.d = lower, r->in.e = upper;
        rows[0] = lower, rows[1] = upper;
    }
    for (unsigned k = 0; k < 2 && is_half(c->type); k++)
        rows[k] = widened(d, c, rows[k]);
}

static void compare(struct decoder *d, const struct comparison *c, uint32_t a, uint32_t b,
                    uint32_t to, uint32_t opposite, bool hidden)
{
    struct raw *r = hidden ? emit_hidden(d, c->name) : emit(d, c->name);
    r->in.a = a, r->in.b = b, r->in.c = c->c, r->in.d = to, r->in.e = opposite;
    r->in.flags = c->flags;
}

/* setp.lt.f16 p|q, a, b: q is the opposite; of f16x2, q is for the upper halves. */
static int decode_setp(struct decoder *d, const struct op_tokens *t)
{
    struct comparison c;
    uint32_t a[2], b[2];
    if (wants(d, 3) < 0)
        return 0;
    if (!read_comparison(d, t, 1, &c) || !is_half(c.type))
        return unsupported(d);
    need(d, c.type == SIM_BF16 ? 90 : 53);
    operand_rows(d, &c, 1, a);
    operand_rows(d, &c, 2, b);
    const struct ptx_operand *o = arg(d, 0);
    uint32_t p = predicate(d, o, NULL, 0), q = o->pair ? predicate(d, o->pair, NULL, 0) : 0;
    compare(d, &c, a[0], b[0], p, c.pair ? 0 : q, false);
    if (c.pair)
        compare(d, &c, a[1], b[1], q, 0, false);
    return 0;
}

/* What `set` gives for true. */
static uint64_t true_of(enum sim_type t)
{
    return t == SIM_F32    ? 0x3f800000
           : t == SIM_F16  ? 0x3c00
           : t == SIM_BF16 ? 0x3f80
                           : UINT64_MAX;
}

/* One comparison into the hidden predicate, and a choice between true and 0 by it. */
static struct raw *set_one(struct decoder *d, const struct comparison *c, uint32_t a, uint32_t b,
                           enum sim_type type, bool hidden)
{
    uint32_t yes = constant_row(d, true_of(type), row_size(type), false);
    uint32_t no = constant_row(d, 0, row_size(type), false);
    compare(d, c, a, b, HIDDEN_PREDICATE, 0, true);
    const char *name = row_size(type) == 2 ? "selp.b16" : "selp.b32";
    struct raw *r = hidden ? emit_hidden(d, name) : emit(d, name);
    r->in.a = yes, r->in.b = no, r->in.c = HIDDEN_PREDICATE;
    return r;
}

static int decode_set(struct decoder *d, const struct op_tokens *t)
{
    struct comparison c;
    uint32_t a[2], b[2], half[2], row;
    enum sim_type to = t->count > 3 ? type_of(t->word[t->count - 2]) : SIM_NONE;
    enum sim_type type = half_of(to);
    if (wants(d, 3) < 0)
        return 0;
    if (!read_comparison(d, t, 2, &c) || row_size(type) < 2 || row_size(type) > 4 ||
        (type != to && !c.pair))
        return unsupported(d);
    need(d, c.type == SIM_BF16 || type == SIM_BF16   ? 90
            : is_half(c.type) || is_half(type) ? 53
                                               : 0);
    operand_rows(d, &c, 1, a);
    operand_rows(d, &c, 2, b);
    unsigned bytes = row_size(c.pair ? SIM_B32 : type);
    if (!c.pair) {
        row = result(d, arg(d, 0), bytes);
        set_one(d, &c, a[0], b[0], type, false)->in.d = row;
    } else { /* two halves, of 1.0 or of all bits */
        for (unsigned k = 0; k < 2; k++) {
            half[k] = new_row(d, 2);
            set_one(d, &c, a[k], b[k], type == to ? SIM_U16 : type, true)->in.d = half[k];
        }
        row = result(d, arg(d, 0), bytes);
        struct raw *r = emit(d, "*pack32");
        r->in.a = half[0], r->in.b = r->in.c = half[1], r->in.d = row;
    }
    finish_result(d, row, bytes, to == SIM_S16 || to == SIM_S32);
    return 0;
}

/* ---- carry chains -------------------------------------------------------------------- */

/* add.cc, addc, addc.cc; sub and mad alike: the carry lies in a predicate of its own. */
static int decode_carry(struct decoder *d, const struct op_tokens *t)
{
    const char *type = t->word[t->count - 1];
    bool takes = strlen(t->word[0]) == 4, high = has_token(t, "hi"), mad = t->word[0][0] == 'm';
    enum sim_type kind = type_of(type);
    char name[32];
    bool subc = takes && t->word[0][0] == 's';
    snprintf(name, sizeof name, "*carry.%.*s%s.%c%s", subc ? 4 : 3, t->word[0],
             !mad   ? ""
             : high ? ".hi"
                    : ".lo",
             mad && high ? type[0] : 'u', type + 1);
    if (!ops_find(d->m->sim, name))
        return unsupported(d);
    if (wants(d, mad ? 4 : 3) < 0)
        return 0;
    uint32_t a = source(d, arg(d, 1), kind);
    uint32_t b = source(d, arg(d, 2), kind);
    uint32_t c = mad ? source(d, arg(d, 3), kind) : b;
    uint32_t to = result(d, arg(d, 0), row_size(kind));
    struct raw *r = emit(d, name);
    r->in.a = a, r->in.b = b, r->in.c = c, r->in.d = to, r->in.e = CARRY_PREDICATE;
    r->in.flags = (uint8_t)((takes ? INSN_CARRY_IN : 0) |
                            (has_token(t, "cc") ? INSN_CARRY_OUT : 0));
    finish_result(d, to, row_size(kind), kind == SIM_S32);
    return 0;
}

/* ---- lop3 with a predicate ------------------------------------------------------------ */

/* lop3.or.b32 d|p, a, b, c, table, q: p is (d != 0) or q. lop3.and: p is (d != 0) and q. */
static int decode_lop3(struct decoder *d, const struct op_tokens *t)
{
    const bool either = has_token(t, "or");
    uint32_t row[4];
    uint8_t flags = 0;
    if (t->count != 3 || either == has_token(t, "and") || strcmp(t->word[2], "b32") != 0 ||
        !arg(d, 0)->pair || wants(d, 6) < 0)
        return unsupported(d);
    need(d, 70);
    for (unsigned k = 0; k < 4; k++)
        row[k] = source(d, arg(d, k + 1), SIM_B32);
    const uint32_t q = predicate(d, arg(d, 5), &flags, INSN_FLIP_C);
    const uint32_t p = predicate(d, arg(d, 0)->pair, NULL, 0), none = constant_row(d, 0, 4, false);
    const uint32_t to = result(d, arg(d, 0), 4);
    struct raw *r = emit(d, "lop3.b32");
    r->in.a = row[0], r->in.b = row[1], r->in.c = row[2], r->in.e = row[3], r->in.d = to;
    r = emit(d, either ? "setp.or.ne.u32" : "setp.and.ne.u32");
    r->in.a = to, r->in.b = none, r->in.c = q, r->in.d = p, r->in.flags = flags;
    r->kind = SIM_CLASS_HIDDEN;
    finish_result(d, to, 4, false);
    return 0;
}

/* ---- which decoder ------------------------------------------------------------------- */

int decode_arithmetic(struct decoder *d, const struct op_tokens *t)
{
    static const char *const carries[] = {"addc", "subc", "madc"};
    bool carry = has_token(t, "cc");
    for (size_t i = 0; i < sizeof carries / sizeof *carries; i++)
        carry = carry || strcmp(t->word[0], carries[i]) == 0;
    return carry                               ? decode_carry(d, t)
           : strcmp(t->word[0], "cvt") == 0    ? decode_cvt(d, t)
           : t->word[0][0] == 'v'              ? decode_video(d, t)
           : strcmp(t->word[0], "set") == 0    ? decode_set(d, t)
           : strcmp(t->word[0], "lop3") == 0   ? decode_lop3(d, t)
           : strcmp(t->word[0], "setp") == 0   ? decode_setp(d, t)
                                               : decode_float(d, t);
}
