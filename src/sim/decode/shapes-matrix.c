/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of tensor core instructions. A product becomes one instruction. A load or store of a
 * matrix becomes ordinary loads and stores of each lane, so observers of memory see these. The
 * shapes are in matrices.def. wgmma is missing, and so are shapes that need more than compute
 * capability 9.0.
 */
#include "sim/decode/decode.h"
#include "sim/matrix.h"

#include <stdio.h>
#include <string.h>

/* ---- shapes and types ------------------------------------------------------------------ */

struct matrix_form {
    const char *instruction, *shape;
    unsigned m, n, k;
    const char *types;
    enum matrix_rule rule;
    const char *layout[3]; /* of A, B and C */
    int capability;
};
static const struct matrix_form forms[] = {
#define MATRIX(instruction, shape, m, n, k, types, rule, a, b, c, capability)                \
    {instruction, shape, m, n, k, types, rule, {a, b, c}, capability},
#include "sim/decode/matrices.def"
#undef MATRIX
};

static const struct {
    const char *name;
    enum matrix_type type;
    uint8_t bits;
} types[] = {
    {"f16", MATRIX_F16, 16}, {"bf16", MATRIX_BF16, 16}, {"tf32", MATRIX_TF32, 32},
    {"f64", MATRIX_F64, 64}, {"e4m3", MATRIX_E4M3, 8},  {"e5m2", MATRIX_E5M2, 8},
    {"s8", MATRIX_S8, 8},    {"u8", MATRIX_U8, 8},      {"s4", MATRIX_S4, 4},
    {"u4", MATRIX_U4, 4},    {"b1", MATRIX_B1, 32},     {"f32", MATRIX_F32, 32},
    {"s32", MATRIX_S32, 32}};

/* The index of a type in `types`. -1: the word is no type. */
static int type_named(const char *word)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (same_word(types[i].name, word))
            return (int)i;
    return -1;
}

static bool in_list(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

/* Finds the shape that the words name, for this type of A and B. A `type` of NULL means any
 * type. */
static const struct matrix_form *form_of(const char *instruction, const struct op_tokens *t,
                                         const char *type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (same_word(forms[i].instruction, instruction) && has_token(t, forms[i].shape) &&
            (!type || in_list(forms[i].types, type)))
            return &forms[i];
    return NULL;
}

/* ---- where elements lie ---------------------------------------------------------------- */

/* The number of a lane, of a register, and of a part of a register has some bits. Each bit that is
 * set moves the element by a fixed step down or to the right. These are the steps of each bit. */
struct bit_steps {
    uint16_t lane[5], part[3], reg[3];
    unsigned lanes, parts, regs, copies;
};
enum { DOWN = 1 << 8, RIGHT = 1 };

/* Sets the steps of most layouts. `along` is the step to the neighbour in the same register.
 * `across` is the step in the other direction. */
static void steps_along(struct bit_steps *w, unsigned parts, unsigned count, unsigned along,
                        unsigned across, const char *letters)
{
    unsigned right = 1, down = 8;
    for (unsigned n = 1; n < parts; n *= 2, right *= 2)
        w->part[w->parts++] = (uint16_t)(along * right);
    for (unsigned n = parts; n < count; n *= 2, right *= 2) /* wide elements of C */
        w->reg[w->regs++] = (uint16_t)(along * right);
    for (unsigned i = 0; i < 2; i++, right *= 2)
        w->lane[w->lanes++] = (uint16_t)(along * right);
    for (unsigned i = 0; i < 3; i++)
        w->lane[w->lanes++] = (uint16_t)(across << i);
    const bool columns = along == RIGHT;
    for (; *letters; letters++) {
        const bool same = *letters == (columns ? 'c' : 'r');
        w->reg[w->regs++] = *letters == '-' ? 0 : (uint16_t)(same ? along * right : across * down);
        w->copies += *letters == '-';
        right *= same ? 2 : 1;
        down *= *letters != '-' && !same ? 2 : 1;
    }
}

/* Sets the steps of m8n8k4. Bits 2 and 3 of a lane's number select one of four matrices. Here the
 * four matrices are placed one below the other. `lane_across`: a lane holds a row of A or a column
 * of B. */
static void steps_quads(struct bit_steps *w, unsigned matrix, bool lane_across, unsigned bits)
{
    static const struct bit_steps halves = {
        .lane = {DOWN, 2 * DOWN, 8 * DOWN, 16 * DOWN, 4 * DOWN},
        .part = {RIGHT}, .reg = {2 * RIGHT, 4 * RIGHT}, .lanes = 5, .parts = 1, .regs = 2};
    static const struct bit_steps floats = {
        .lane = {DOWN, 2 * RIGHT, 8 * DOWN, 16 * DOWN, 4 * DOWN},
        .reg = {RIGHT, 2 * DOWN, 4 * RIGHT}, .lanes = 5, .regs = 3};
    static const struct bit_steps across = {
        .lane = {RIGHT, 2 * RIGHT, 8 * DOWN, 16 * DOWN, 4 * DOWN},
        .part = {DOWN}, .reg = {2 * DOWN}, .lanes = 5, .parts = 1, .regs = 1};
    *w = matrix == MATRIX_C ? (bits == 32 ? floats : halves) : lane_across ? halves : across;
    if (matrix != MATRIX_C)
        w->regs = 1;
    if (matrix == MATRIX_B) { /* as the transpose; a matrix has four rows of B */
        for (unsigned i = 0; i < w->lanes; i++)
            w->lane[i] = i == 2 ? 4 * DOWN : i == 3 ? 8 * DOWN
                         : (uint16_t)(w->lane[i] >> 8 | w->lane[i] << 8);
        w->part[0] = (uint16_t)(w->part[0] >> 8 | w->part[0] << 8);
        w->reg[0] = (uint16_t)(w->reg[0] >> 8 | w->reg[0] << 8);
    }
}

static uint16_t sum_of_steps(const uint16_t *step, unsigned count, unsigned number)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += number >> i & 1 ? step[i] : 0;
    return (uint16_t)sum;
}

/* The index of a place in an array of all elements, row by row. RULE_CHAIN adds the products in two
 * halves. So the elements whose k has bit 1 are placed behind all others. */
static uint16_t number_of(uint16_t place, unsigned matrix, const struct matrix_use *u)
{
    unsigned row = place_row(place), column = place_column(place);
    unsigned *k = matrix == MATRIX_A ? &column : &row;
    const unsigned depth = u->fragment[MATRIX_A].type == MATRIX_B1 ? u->k / 32 : u->k;
    if (u->rule == RULE_CHAIN && matrix <= MATRIX_B)
        *k = (*k & 1) | (*k & ~3u) >> 1 | (*k & 2) * depth / 4;
    return (uint16_t)(row * (matrix == MATRIX_A ? depth : u->n) + column);
}

static void lay_out_fragment(struct matrix_use *u, unsigned matrix, const struct matrix_form *form,
                             int type, bool across)
{
    struct fragment *f = &u->fragment[matrix];
    struct bit_steps w = {.lanes = 0};
    const char *letters = form->layout[matrix == MATRIX_D ? MATRIX_C : matrix];
    const bool transposed = letters[0] == 't', sum = matrix >= MATRIX_C;
    f->type = types[type].type;
    f->bits = types[type].bits;
    f->parts = (uint8_t)(f->bits >= 32 ? 1 : 32 / f->bits);
    if (letters[0] == 'q')
        steps_quads(&w, sum ? MATRIX_C : matrix, across, f->bits);
    else if ((matrix == MATRIX_B) != transposed)
        steps_along(&w, f->parts, sum ? 2 : f->parts, DOWN, RIGHT, letters + transposed);
    else
        steps_along(&w, f->parts, sum ? 2 : f->parts, RIGHT, DOWN, letters);
    f->registers = (uint8_t)(1 << w.regs);
    f->used = (uint8_t)(1 << (w.regs - w.copies));
    for (unsigned i = 0; i < LANES; i++)
        f->lane[i] = sum_of_steps(w.lane, w.lanes, i);
    for (unsigned i = 0; i < f->registers; i++)
        f->reg[i] = sum_of_steps(w.reg, w.regs, i);
    for (unsigned i = 0; i < f->parts; i++)
        f->part[i] = sum_of_steps(w.part, w.parts, i);
    for (unsigned i = 0; i < LANES; i++)
        f->lane_at[i] = number_of(f->lane[i], matrix, u);
    for (unsigned i = 0; i < f->registers; i++)
        f->reg_at[i] = number_of(f->reg[i], matrix, u);
    for (unsigned i = 0; i < f->parts; i++)
        f->part_at[i] = number_of(f->part[i], matrix, u);
}

/* ---- operands --------------------------------------------------------------------------- */

static enum sim_type register_type(const struct fragment *f)
{
    return f->bits == 64 ? SIM_B64 : SIM_B32;
}

/* Gets the row of each register of a matrix. -1: the operand does not fit, and the function is
 * closed. */
static int read_registers(struct decoder *d, const struct ptx_operand *o, const struct fragment *f,
                          bool write, uint32_t *row)
{
    const bool list = o->kind == PTX_OP_VECTOR;
    const unsigned count = list ? o->item_count : 1, bytes = row_size(register_type(f));
    if (count != f->registers) {
        close_function(d, "%s needs %u registers in braces", d->from->opcode, f->registers);
        return -1;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *item = list ? &o->items[i] : o;
        if (write && item->kind != PTX_OP_SINK && register_size(item, register_type(f)) != bytes) {
            close_function(d, "%s needs registers of %u bits", d->from->opcode, 8 * bytes);
            return -1;
        }
        row[i] = write ? result(d, item, bytes) : source(d, item, register_type(f));
    }
    return 0;
}

/* Adds a use to the module. Returns its number, or -1 if memory ran out. */
static int64_t keep_use(struct decoder *d, const struct matrix_use *u)
{
    struct sim_module *m = d->m;
    if (arena_grow(&m->arena, (void **)&m->matrix_uses, &m->matrix_use_capacity,
                   m->matrix_use_count, sizeof *u) < 0) {
        d->failed = true;
        return -1;
    }
    m->matrix_uses[m->matrix_use_count] = *u;
    return m->matrix_use_count++;
}

static struct raw *emit_part(struct decoder *d, const char *op_name)
{
    struct raw *r = emit(d, op_name);
    r->kind = SIM_CLASS_HIDDEN;
    return r;
}

/* ---- products --------------------------------------------------------------------------- */

/* Reads the types of D, A, B and C, in this order. wmma with f16 names only the types of D and
 * C. */
static bool read_types(const struct op_tokens *t, int type[4])
{
    unsigned n = 0;
    for (unsigned i = 1; i < t->count; i++) {
        const int found = type_named(t->word[i]);
        if (found >= 0 && n == 4)
            return false;
        if (found >= 0)
            type[n++] = found;
    }
    if (n == 2) {
        type[3] = type[1];
        type[1] = type[2] = type_named("f16");
    }
    return n == 4 || n == 2;
}

/* Does an instruction with this combination of types exist? */
static bool types_fit(const struct matrix_form *form, const int type[4], bool wmma)
{
    const enum matrix_type d = types[type[0]].type, a = types[type[1]].type;
    const enum matrix_type b = types[type[2]].type, c = types[type[3]].type;
    const bool half = a == MATRIX_F16 || form->rule == RULE_CHAIN;
    const enum matrix_type sum = form->rule == RULE_DOUBLE ? MATRIX_F64
                                 : form->rule >= RULE_WHOLE ? MATRIX_S32
                                                            : MATRIX_F32;
    const bool d_fits = d == sum || (half && d == MATRIX_F16);
    const bool c_fits = c == sum || (half && c == MATRIX_F16);
    const bool mixed = wmma || form->rule == RULE_QUADS ? true : c == d;
    const bool same = a == b || form->rule == RULE_CHAIN || (form->rule == RULE_WHOLE && !wmma);
    return d_fits && c_fits && mixed && same && in_list(form->types, types[type[2]].name) &&
           !(form->rule == RULE_QUADS && c == MATRIX_F32 && d == MATRIX_F16);
}

/* The words `row` and `col` are the layouts of A and B. Is word number n of them `col`? */
static bool is_column(const struct op_tokens *t, unsigned n)
{
    for (unsigned i = 1; i < t->count; i++)
        if (same_word(t->word[i], "row") || same_word(t->word[i], "col"))
            if (n-- == 0)
                return t->word[i][0] == 'c';
    return false;
}

static bool known_words(const struct op_tokens *t, const char *shape)
{
    static const char *const words[] = {"sync", "aligned", "mma", "row", "col", "satfinite", "xor",
                                        "and", "popc", "rn", NULL};
    for (unsigned i = 1; i < t->count; i++)
        if (!one_of(t->word[i], words) && type_named(t->word[i]) < 0 &&
            !same_word(t->word[i], shape))
            return false;
    return true;
}

/* mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c; wmma.mma.sync.aligned.row.col.SHAPE.D.C */
int decode_mma(struct decoder *d, const struct op_tokens *t)
{
    const bool wmma = t->word[0][0] == 'w';
    struct matrix_use u = {.saturates = has_token(t, "satfinite"), .ands = has_token(t, "and")};
    int type[4];
    if (!read_types(t, type))
        return unsupported(d);
    const struct matrix_form *form = form_of(t->word[0], t, types[type[1]].name);
    if (!form || !types_fit(form, type, wmma) || !known_words(t, form->shape) ||
        (!wmma && form->rule != RULE_QUADS && (is_column(t, 0) || !is_column(t, 1))))
        return unsupported(d);
    if (wants(d, 4) < 0)
        return 0;
    u.m = form->m, u.n = form->n, u.k = form->k, u.rule = form->rule;
    u.fragment[MATRIX_A].type = types[type[1]].type;
    static const unsigned order[MATRICES] = {MATRIX_D, MATRIX_A, MATRIX_B, MATRIX_C};
    for (unsigned i = 0; i < MATRICES; i++)
        lay_out_fragment(&u, order[i], form, type[i],
                         order[i] == MATRIX_A ? !is_column(t, 0) : is_column(t, 1));
    for (unsigned i = MATRICES; i-- > 0;)
        if (read_registers(d, arg(d, i), &u.fragment[order[i]], i == 0, u.row[order[i]]) < 0)
            return 0;
    const int64_t number = keep_use(d, &u);
    struct raw *r = emit(d, "*matrix.product");
    r->in.target = (uint32_t)number;
    need(d, form->rule == RULE_BITS && u.ands ? 80 : form->capability);
    return 0;
}

/* ---- loads and stores of a whole matrix -------------------------------------------------- */

/* A load or a store of a matrix, while it is split into accesses of each lane. */
struct matrix_transfer {
    struct matrix_use u; /* the matrix is kept as its A */
    const struct fragment *f;
    struct access access;
    struct insn at;      /* the address of the matrix, as in an ordinary access */
    uint32_t stride;     /* the register row with the bytes from one line to the next */
    uint32_t number;     /* the number of the use */
    bool store, begun;   /* begun: the first access is emitted; the others are parts of it */
    unsigned address_count;
    struct { unsigned line; uint32_t row; } address[MATRIX_REGISTERS * 4]; /* the row of a line */
};

/* A line is a row or column of the matrix that is contiguous in memory. These are the line of an
 * element, and its byte in that line. */
static unsigned line_of(const struct matrix_transfer *x, uint16_t place)
{
    return x->u.by_column ? place_column(place) : place_row(place);
}
static unsigned byte_of(const struct matrix_transfer *x, uint16_t place)
{
    return (x->u.by_column ? place_row(place) : place_column(place)) * x->f->bits / 8;
}

/* Can C and D have this type? */
static bool sum_fits(const struct matrix_form *form, enum matrix_type type)
{
    return type == MATRIX_F16   ? in_list(form->types, "f16")
           : type == MATRIX_F32 ? form->rule == RULE_SUM || form->rule == RULE_HALVES
           : type == MATRIX_S32 ? form->rule >= RULE_WHOLE
                                : type == MATRIX_F64 && form->rule == RULE_DOUBLE;
}

static const struct matrix_form *transfer_form(const struct op_tokens *t, unsigned matrix, int type)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (same_word(forms[i].instruction, "wmma") && has_token(t, forms[i].shape) &&
            (matrix >= MATRIX_C ? sum_fits(&forms[i], types[type].type)
                                : in_list(forms[i].types, types[type].name)))
            return &forms[i];
    return NULL;
}

/* Reads the words of the opcode. Returns the index of the type, or -1 if a word is unknown. */
static int read_transfer(struct decoder *d, const struct op_tokens *t, struct matrix_transfer *x)
{
    static const char *const words[] = {"sync", "aligned", "row", "col", NULL};
    int type = -1;
    for (unsigned i = 3; i < t->count; i++) {
        const char *w = t->word[i];
        const int found = type_named(w);
        type = found >= 0 ? found : type;
        if (found < 0 && !one_of(w, words) && w[0] != 'm' && !read_space(d, w, &x->access))
            return -1;
    }
    return type;
}

/* The register row with the bytes from one line to the next. An operand gives it as a number of
 * elements. Without an operand, the shape gives it. */
static uint32_t stride_of(struct decoder *d, const struct op_tokens *t, unsigned matrix,
                          const struct matrix_transfer *x)
{
    const unsigned bits = x->f->type == MATRIX_B1 ? 1 : x->f->bits;
    const struct matrix_use *u = &x->u;
    const unsigned across = matrix == MATRIX_A ? u->k : u->n;
    const unsigned down = matrix == MATRIX_B ? u->k : u->m;
    if (d->from->operand_count < 3)
        return constant_row(d, (has_token(t, "col") ? down : across) * bits / 8, 4, false);
    uint32_t row = source(d, arg(d, 2), SIM_U32), eight = constant_row(d, 3, 4, false);
    uint32_t in_bits = bits == 1 ? row : new_row(d, 4);
    if (bits > 1) {
        uint32_t factor = constant_row(d, bits, 4, false);
        struct raw *r = emit_hidden(d, "mul.lo.u32");
        r->in.a = row, r->in.b = r->in.c = factor, r->in.d = in_bits;
    }
    struct raw *r = emit_hidden(d, "shr.u32");
    r->in.a = in_bits, r->in.b = r->in.c = eight;
    return r->in.d = new_row(d, 4);
}

/* Makes a row of addresses: each lane gets the address of its element in register 0, moved by
 * `line` lines. */
static uint32_t make_addresses(struct decoder *d, const struct matrix_transfer *x, uint32_t use,
                               unsigned line)
{
    uint32_t base = x->at.flags & INSN_UNIFORM_ADDRESS ? constant_row(d, 0, 8, false) : x->at.a;
    struct raw *r = emit_hidden(d, "*matrix.address");
    r->in.a = base, r->in.b = x->stride, r->in.e = line, r->in.target = use;
    r->in.flags = x->at.flags & INSN_ADDRESS_32, r->in.offset = x->at.offset;
    return r->in.d = new_row(d, 8);
}

/* The row of addresses of a line. It is made once. */
static uint32_t address_row(struct decoder *d, struct matrix_transfer *x, unsigned line)
{
    for (unsigned i = 0; i < x->address_count; i++)
        if (x->address[i].line == line)
            return x->address[i].row;
    x->address[x->address_count].line = line;
    return x->address[x->address_count++].row = make_addresses(d, x, x->number, line);
}

/* Makes all rows of addresses before the first load, because a load may overwrite the register with
 * the address. */
static void address_all(struct decoder *d, struct matrix_transfer *x)
{
    for (unsigned i = 0; i < x->f->used; i++)
        for (unsigned k = 0; k < x->f->parts; k++)
            address_row(d, x, line_of(x, x->f->reg[i]) + line_of(x, x->f->part[k]));
}

/* Emits one load or store of `count` registers that are contiguous in memory, beginning at
 * `place`. */
static void transfer_access(struct decoder *d, struct matrix_transfer *x, uint16_t place,
                            unsigned bytes, unsigned count, const uint32_t *row)
{
    static const char *const names[2][4] = {
        {"*load.u8_16", "*load.u16_16", "*load.u32_32", "*load.u64_64"},
        {"*store.u8_16", "*store.u16_16", "*store.u32_32", "*store.u64_64"}};
    static const enum sim_type by_size[] = {SIM_U8, SIM_U16, SIM_U32, SIM_U64};
    const unsigned size = bytes == 8 ? 3 : bytes / 2;
    struct insn in = {.a = address_row(d, x, line_of(x, place)), .offset = byte_of(x, place)};
    x->access.count = count;
    x->access.type = by_size[size];
    for (unsigned i = 0; i < count; i++)
        set_vector_row(&in, i, row[i]);
    struct raw *r = emit_access(d, names[x->store][size], &in, &x->access,
                                x->store ? SIM_STORE : SIM_LOAD);
    r->part = x->begun;
    x->begun = true;
}

/* Packs the parts of a register into one row: two parts of 16 bits, or four of 8 bits. */
static void pack_parts(struct decoder *d, unsigned count, const uint32_t *part, uint32_t to)
{
    uint32_t half[2] = {part[0], part[1]};
    for (unsigned i = 0; i < 2 && count == 4; i++) {
        struct raw *r = emit_part(d, "*pack16");
        r->in.a = part[2 * i], r->in.b = r->in.c = part[2 * i + 1];
        half[i] = r->in.d = new_row(d, 2);
    }
    struct raw *r = emit_part(d, "*pack32");
    r->in.a = half[0], r->in.b = r->in.c = half[1], r->in.d = to;
}

/* Loads or stores a register whose parts are in different lines. */
static void transfer_parts(struct decoder *d, struct matrix_transfer *x, unsigned i)
{
    const struct fragment *f = x->f;
    uint32_t part[MATRIX_PARTS];
    for (unsigned k = 0; k < f->parts; k++)
        part[k] = new_row(d, 2);
    if (x->store) {
        struct raw *r = emit_part(d, "*unpack32");
        r->in.a = x->u.row[MATRIX_A][i], r->in.d = part[0], r->in.e = part[1];
    }
    for (unsigned k = 0; k < f->parts; k++)
        transfer_access(d, x, (uint16_t)(f->reg[i] + f->part[k]), f->bits / 8, 1, &part[k]);
    if (!x->store)
        pack_parts(d, f->parts, part, x->u.row[MATRIX_A][i]);
}

/* Are registers i and i + 1 contiguous in memory? */
static bool neighbours(const struct matrix_transfer *x, unsigned i)
{
    const uint16_t *reg = x->f->reg;
    const unsigned bytes = x->f->bits == 64 ? 8 : 4;
    return i + 1 < x->f->used && line_of(x, reg[i]) == line_of(x, reg[i + 1]) &&
           byte_of(x, reg[i]) + bytes == byte_of(x, reg[i + 1]);
}

/* After a load, copies the registers that were loaded to those that have the same elements. */
static void copy_used(struct decoder *d, const struct matrix_transfer *x)
{
    const uint32_t *row = x->u.row[MATRIX_A];
    for (unsigned i = x->f->used; i < x->f->registers && !x->store; i++) {
        struct raw *r = emit_part(d, "mov.b32");
        r->in.a = r->in.b = r->in.c = row[i % x->f->used], r->in.d = row[i];
    }
}

/* Are the parts of a register in different lines? */
static bool parts_are_apart(const struct matrix_transfer *x)
{
    return x->f->parts > 1 && line_of(x, x->f->part[1]) > 0;
}

static void transfer_all(struct decoder *d, struct matrix_transfer *x)
{
    const struct fragment *f = x->f;
    const uint32_t *row = x->u.row[MATRIX_A];
    const bool apart = parts_are_apart(x);
    for (unsigned i = 0; i < f->used; i++) {
        const unsigned count = apart ? 1 : 1 + neighbours(x, i);
        if (apart)
            transfer_parts(d, x, i);
        else
            transfer_access(d, x, f->reg[i], f->bits == 64 ? 8 : 4, count, row + i);
        i += count - 1;
    }
    copy_used(d, x);
}

/* Lanes 0 to 7 each load a row of 16 bytes of the first matrix, lanes 8 to 15 those of the second
 * matrix, and so on. Then the lanes exchange elements. `u` has the registers that get them, and
 * whether the matrix is transposed. */
static struct raw *load_rows(struct decoder *d, struct insn *in, const struct access *a,
                             struct matrix_use *u)
{
    const unsigned count = u->fragment[MATRIX_A].registers;
    for (unsigned k = 0; k < 4; k++)
        set_vector_row(in, k, u->row[MATRIX_B][k] = new_row(d, 4));
    const uint32_t number = (uint32_t)keep_use(d, u);
    struct raw *r = emit_access(d, "*load.rows", in, a, SIM_LOAD);
    r->in.target = (uint32_t)(ALL_LANES >> (LANES - 8 * count));
    r->rows = true;
    emit_part(d, "*matrix.spread")->in.target = number;
    return r;
}

/* stmatrix: the lanes exchange elements, and then store rows of 16 bytes. */
static void store_rows(struct decoder *d, struct insn *in, const struct access *a,
                       struct matrix_use *u)
{
    const unsigned count = u->fragment[MATRIX_A].registers;
    for (unsigned k = 0; k < 4; k++)
        set_vector_row(in, k, u->row[MATRIX_B][k] = new_row(d, 4));
    emit_part(d, "*matrix.collect")->in.target = (uint32_t)keep_use(d, u);
    emit_access(d, "*store.rows", in, a, SIM_STORE)->in.target =
        (uint32_t)(ALL_LANES >> (LANES - 8 * count));
}

/* ptxas loads A and B with 16-bit elements from shared memory by rows, four matrices at once. The
 * counters of an H100 for 16 x 16 x 16 show this (tests/counts/matrix_load.cu). */
enum { MATRICES_AT_ONCE = 4 };
static bool goes_by_rows(const struct matrix_transfer *x, unsigned matrix)
{
    return !x->store && matrix <= MATRIX_B && x->f->bits == 16 &&
           x->access.space == PTX_SHARED && !x->access.generic;
}

/* Makes a row of addresses for loads by rows: of the matrices in `count` registers, beginning with
 * register `first`. */
static uint32_t row_addresses(struct decoder *d, const struct matrix_transfer *x, unsigned first,
                              unsigned count)
{
    struct matrix_use u = x->u;
    for (unsigned i = 0; i < LANES; i++)
        u.fragment[MATRIX_A].lane[i] = (uint16_t)(x->f->reg[first + i / 8 % count] +
                                            i % 8 * (x->u.by_column ? RIGHT : DOWN));
    return make_addresses(d, x, (uint32_t)keep_use(d, &u), 0);
}

static void transfer_rows(struct decoder *d, struct matrix_transfer *x)
{
    uint32_t address[MATRIX_REGISTERS / MATRICES_AT_ONCE];
    const unsigned used = x->f->used, count = used < MATRICES_AT_ONCE ? used : MATRICES_AT_ONCE;
    for (unsigned i = 0; i < used; i += count) /* before a load overwrites the address */
        address[i / count] = row_addresses(d, x, i, count);
    x->access.count = 4;
    x->access.type = SIM_U32;
    emit_part(d, "*matrix.whole");
    for (unsigned i = 0; i < used; i += count) {
        struct insn in = {.a = address[i / count]};
        struct matrix_use u = {.by_column = parts_are_apart(x)};
        u.fragment[MATRIX_A] = (struct fragment){.bits = 16, .registers = (uint8_t)count};
        memcpy(u.row[MATRIX_A], x->u.row[MATRIX_A] + i, count * sizeof *u.row[MATRIX_A]);
        load_rows(d, &in, &x->access, &u)->part = i > 0;
    }
    copy_used(d, x);
}

/* wmma.load.a.sync.aligned.LAYOUT.SHAPE{.SPACE}.TYPE r, [p]{, stride}; wmma.store.d ... [p], r */
static int decode_transfer(struct decoder *d, const struct op_tokens *t)
{
    struct matrix_transfer x = {.store = t->word[1][0] == 's',
                                .access = {.generic = true, .count = 1}};
    const char which = t->count > 2 && !t->word[2][1] ? t->word[2][0] : 0;
    const bool known = x.store ? which == 'd' : which >= 'a' && which <= 'c';
    const unsigned matrix = known ? (unsigned)(which - 'a') : 0;
    const int type = read_transfer(d, t, &x);
    const struct matrix_form *form = known && type >= 0 ? transfer_form(t, matrix, type) : NULL;
    if (!form)
        return unsupported(d);
    if (wants(d, 2) < 0)
        return 0;
    d->writes = !x.store;
    x.u = (struct matrix_use){.m = form->m, .n = form->n, .k = form->k, .rule = form->rule,
                              .by_column = has_token(t, "col")};
    lay_out_fragment(&x.u, matrix, form, type, false);
    x.u.fragment[MATRIX_A] = x.u.fragment[matrix];
    x.f = &x.u.fragment[MATRIX_A];
    read_address(d, &x.access, arg(d, !x.store), &x.at);
    x.stride = stride_of(d, t, matrix, &x);
    if (read_registers(d, arg(d, x.store), x.f, !x.store, x.u.row[MATRIX_A]) < 0)
        return 0;
    x.number = (uint32_t)keep_use(d, &x.u);
    need(d, form->capability);
    if (goes_by_rows(&x, matrix)) {
        transfer_rows(d, &x);
        return 0;
    }
    address_all(d, &x);
    emit_part(d, "*matrix.whole");
    transfer_all(d, &x);
    return 0;
}

int decode_wmma(struct decoder *d, const struct op_tokens *t)
{
    const bool product = t->count > 1 && same_word(t->word[1], "mma");
    const bool transfer =
        t->count > 1 && (same_word(t->word[1], "load") || same_word(t->word[1], "store"));
    return product ? decode_mma(d, t) : transfer ? decode_transfer(d, t) : unsupported(d);
}

/* ---- matrices of 8 rows of 16 bytes ------------------------------------------------------ */

/*
 * ldmatrix.sync.aligned.m8n8.NUM{.trans}{.shared}.b16 r, [p], and stmatrix. Lanes 0 to 7 have the
 * addresses of the rows of the first matrix, lanes 8 to 15 those of the second, and so on. Each of
 * these lanes loads 16 bytes, and then the lanes exchange elements. stmatrix does the reverse.
 */
int decode_ldmatrix(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number counts[] = {{"x1", 1}, {"x2", 2}, {"x4", 4}, {NULL, 0}};
    const bool store = t->word[0][0] == 's';
    struct access a = {.generic = true, .count = 4, .type = SIM_U32};
    struct insn in = {.target = 0};
    struct matrix_use u = {.by_column = has_token(t, "trans")};
    int count = -1;
    for (unsigned i = 1; i < t->count; i++) {
        const int number = number_of_word(counts, t->word[i]);
        static const char *const words[] = {"sync", "aligned", "m8n8", "trans", "b16", NULL};
        count = number > 0 ? number : count;
        if (number < 0 && !one_of(t->word[i], words) && !read_space(d, t->word[i], &a))
            return unsupported(d);
    }
    if (count < 0 || !has_token(t, "m8n8"))
        return unsupported(d);
    if (wants(d, 2) < 0)
        return 0;
    d->writes = !store;
    u.fragment[MATRIX_A] = (struct fragment){.bits = 16, .registers = (uint8_t)count};
    read_address(d, &a, arg(d, !store), &in);
    if (read_registers(d, arg(d, store), &u.fragment[MATRIX_A], !store, u.row[MATRIX_A]) < 0)
        return 0;
    need(d, store ? 90 : 75);
    if (store)
        store_rows(d, &in, &a, &u);
    else
        load_rows(d, &in, &a, &u);
    return 0;
}

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a */
int decode_movmatrix(struct decoder *d, const struct op_tokens *t)
{
    if (wants(d, 2) < 0)
        return 0;
    if (!has_token(t, "m8n8") || !has_token(t, "trans") || !has_token(t, "b16"))
        return unsupported(d);
    uint32_t a = source(d, arg(d, 1), SIM_B32), to = result(d, arg(d, 0), 4);
    struct raw *r = emit(d, "*matrix.turn");
    r->in.a = a, r->in.d = to;
    return 0;
}
