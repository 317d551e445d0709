/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function's PTX instructions to code. Registers get rows, immediates and addresses
 * become constant rows, anything an instruction can't take directly is put into a hidden row
 * first. What is not known closes the function, with the reason and the line, instead of
 * failing: only kernels that can reach it won't run.
 *
 * Opcodes with shapes of their own (memory, control, shuffles) have a decoder in `shapes`;
 * all others are looked up in the instruction table by their canonical name.
 */
#include "sim/decode/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void close_at(struct decoder *, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- rows ---------------------------------------------------------------------------- */

enum { ROW_ALIGN = 64, MOST_ROW_BYTES = 1 << 28, MOST_CODE = 1 << 24 };

/* Are there too many rows by now? What they hold is not run then. */
static bool rows_full(struct decoder *d)
{
    if (d->row_bytes > MOST_ROW_BYTES)
        close_function(d, "its registers take more than %d MB a warp", MOST_ROW_BYTES >> 20);
    return d->row_bytes > MOST_ROW_BYTES;
}

uint32_t new_row(struct decoder *d, unsigned bytes)
{
    uint64_t at = layout_take(&d->row_bytes, (uint64_t)LANES * (bytes < 2 ? 2 : bytes), ROW_ALIGN);
    return rows_full(d) ? 0 : (uint32_t)at;
}

unsigned row_size(enum sim_type t)
{
    unsigned n = sim_type_size(t);
    return n == 1 ? 2 : n;
}

static unsigned how_many(const struct ptx_variable *v)
{
    return v->range ? v->range : 1;
}

static void place_rows(struct decoder *d, struct ptx_variable *v)
{
    for (; v; v = v->next) {
        unsigned size = row_size((enum sim_type)v->type);
        if (v->space != PTX_REG || v->type == PTX_PRED)
            continue;
        if (!size)
            close_at(d, v->line, "unsupported: %s, a register that holds no number", v->name);
        v->place = layout_take(&d->row_bytes, (uint64_t)how_many(v) * v->vector * LANES * size,
                               ROW_ALIGN);
    }
}

/* Predicates come first in the frame, rows follow. */
static void place_registers(struct decoder *d)
{
    uint64_t predicates = FIRST_PREDICATE;
    for (struct ptx_variable *v = d->fn->ptx->variables; v; v = v->next)
        if (v->space == PTX_REG && v->type == PTX_PRED)
            v->place = layout_take(&predicates, how_many(v), 1);
    layout_take(&d->row_bytes, predicates * sizeof(uint32_t), 1);
    place_rows(d, d->fn->ptx->params);
    place_rows(d, d->fn->ptx->returns);
    place_rows(d, d->fn->ptx->variables);
    rows_full(d);
}

/* Those of a list that lie in the thread's memory. */
static void place_list(struct decoder *d, struct ptx_variable *v, uint64_t *bytes)
{
    for (; v; v = v->next) {
        if (v->space != PTX_LOCAL && v->space != PTX_PARAM)
            continue;
        if (v->range)
            close_at(d, v->line, "unsupported: %s<%u>, which are no registers", v->name, v->range);
        v->place = layout_take(bytes, variable_size(v), variable_align(v));
    }
}

/* The thread's frame: own parameters, results, then locals and .params of calls. A kernel's
 * parameters are the launch's. */
static void place_locals(struct decoder *d)
{
    enum { FRAME_ALIGN = 16 };
    struct function *f = d->fn;
    uint64_t bytes = 0, most = d->m->sim->limits.local_per_thread;
    if (!f->ptx->is_entry) {
        place_list(d, f->ptx->params, &bytes);
        place_list(d, f->ptx->returns, &bytes);
    }
    place_list(d, f->ptx->variables, &bytes);
    layout_take(&bytes, 0, FRAME_ALIGN);
    if (bytes > most || bytes > WINDOW_SIZE)
        close_function(d, "%" PRIu64 " bytes of local memory a thread are more than there can be",
                       bytes);
    else
        f->local_bytes = (uint32_t)bytes;
}

void next_formal(const struct ptx_variable **v, unsigned *part)
{
    if (*v && ++*part >= ((*v)->space == PTX_REG ? (*v)->vector : 1)) {
        *v = (*v)->next;
        *part = 0;
    }
}

/* Parameters or results as a call sees them; of a closed function they mean nothing. */
static struct argument *signature(struct decoder *d, const struct ptx_variable *v, unsigned count)
{
    struct argument *all = arena_get(&d->m->arena, (count + 1) * sizeof *all);
    unsigned part = 0;
    for (unsigned i = 0; all && v && i < count; i++, next_formal(&v, &part)) {
        bool in_row = v->space == PTX_REG;
        uint64_t bytes = in_row ? row_size((enum sim_type)v->type) : variable_size(v);
        uint64_t place = v->place + part * LANES * bytes;
        all[i] = (struct argument){(uint32_t)place, (uint32_t)bytes, in_row};
        if (v->type == PTX_PRED)
            close_function(d, "unsupported: a predicate as a parameter");
    }
    return all;
}

int decode_places(struct sim_module *m, uint32_t number)
{
    struct decoder d = {.m = m, .fn = &m->functions[number]};
    struct function *f = d.fn;
    place_registers(&d);
    place_locals(&d);
    f->row_bytes = d.row_bytes;
    f->in = signature(&d, f->ptx->params, f->ptx->param_count);
    f->out = signature(&d, f->ptx->returns, f->ptx->return_count);
    return f->in && f->out && !d.failed ? 0 : sim_fail(m->sim, 0, "out of memory");
}

/* The slot of a constant, or the empty one where it belongs. So that no file is made of constants
 * that share a slot, an address goes into the hash; no row depends on it. */
static struct constant *slot_of(const struct decoder *d, uint64_t bits, unsigned bytes)
{
    uint64_t state = (bits ^ (uintptr_t)d->known) + bytes;
    for (size_t at = (size_t)random_next(&state);; at++) {
        struct constant *c = &d->known[at & (d->known_slots - 1)];
        if (!c->bytes || (c->bits == bits && c->bytes == bytes))
            return c;
    }
}

/* Room for one more: always half of the slots are empty. */
static int widen_known(struct decoder *d)
{
    struct constant *old = d->known;
    size_t old_slots = d->known_slots;
    if (2 * d->known_count < old_slots)
        return 0;
    d->known_slots = old_slots ? 2 * old_slots : 64;
    d->known = arena_get(&d->scratch, d->known_slots * sizeof *d->known);
    for (size_t i = 0; d->known && i < old_slots; i++)
        if (old[i].bytes)
            *slot_of(d, old[i].bits, old[i].bytes) = old[i];
    return d->known ? 0 : -1;
}

/* Bytes for one more row of constants; -1: memory is out, or the function closed. */
static int take_constants(struct decoder *d, uint32_t row)
{
    struct function *f = d->fn;
    uint64_t end = f->constant_bytes, wider = f->constant_capacity ? f->constant_capacity : 1024;
    layout_take(&end, row, ROW_ALIGN);
    layout_take(&end, 0, ROW_ALIGN);
    if (end > MOST_ROW_BYTES) {
        close_function(d, "its constants take more than %d MB", MOST_ROW_BYTES >> 20);
        return -1;
    }
    while (wider < end)
        wider *= 2;
    if (wider > f->constant_capacity) {
        unsigned char *more = arena_get(&d->m->arena, wider);
        d->failed |= !more;
        if (!more)
            return -1;
        if (f->constant_bytes)
            memcpy(more, f->constants, f->constant_bytes);
        f->constants = more;
        f->constant_capacity = (uint32_t)wider;
    }
    f->constant_bytes = (uint32_t)end;
    return 0;
}

/* A row of 32 equal values; equal ones are shared, but fresh ones. Returns the operand (bit 0 set).
 */
uint32_t constant_row(struct decoder *d, uint64_t bits, unsigned bytes, bool fresh)
{
    struct function *f = d->fn;
    uint32_t at = f->constant_bytes, row = LANES * bytes;
    bits &= bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
    if (widen_known(d) < 0) {
        d->failed = true;
        d->known_slots = 0;
        return 1;
    }
    struct constant *known = slot_of(d, bits, bytes);
    if (!fresh && known->bytes)
        return known->row;
    if (take_constants(d, row) < 0)
        return 1;
    for (uint32_t i = 0; i < row; i += bytes)
        memcpy(f->constants + at + i, &bits, bytes); /* little endian, as the rows are */
    d->known_count += !fresh;
    if (!fresh)
        *known = (struct constant){bits, at | 1, bytes};
    return at | 1;
}

/* ---- raw instructions ---------------------------------------------------------------- */

struct raw *emit(struct decoder *d, const char *op_name)
{
    static const struct raw none;
    const struct op *op = ops_find(d->m->sim, op_name);
    if (!op) {
        close_function(d, "unsupported instruction %s", op_name);
        d->dummy = none;
        return &d->dummy;
    }
    if (d->raw_count >= MOST_CODE)
        close_function(d, "it comes to more than %d instructions", MOST_CODE);
    else if (mem_grow(&d->m->sim->allocator, (void **)&d->raw, &d->raw_capacity, d->raw_count,
                      sizeof *d->raw) < 0)
        d->failed = true;
    if (d->failed || d->raw_count >= MOST_CODE) {
        d->dummy = none;
        return &d->dummy;
    }
    struct raw *r = &d->raw[d->raw_count++];
    *r = none;
    r->in.run = op->run;
    r->kind = op->kind;
    r->names_all = op->d != SIM_NONE;
    r->from = d->from;
    r->target = NO_PC;
    r->in.meet = NO_PC;
    r->in.guard = d->guard;
    r->in.guard_flip = d->guard_flip;
    r->in.bytes = 1;
    r->in.count = 1;
    need(d, op->capability);
    return r;
}

/* Unguarded: what prepares an operand must not depend on who takes part. */
struct raw *emit_hidden(struct decoder *d, const char *op_name)
{
    struct raw *r = emit(d, op_name);
    r->kind = SIM_CLASS_HIDDEN;
    r->in.guard = 0;
    r->in.guard_flip = 0;
    return r;
}

void need(struct decoder *d, int capability)
{
    if (capability > d->fn->capability) {
        d->fn->capability = capability;
        d->fn->capability_what = d->from ? d->from->opcode : NULL;
    }
}

/* The first reason stays. */
static void close_for(struct decoder *d, int line, const char *fmt, va_list ap)
{
    char text[200];
    if (d->fn->closed)
        return;
    vsnprintf(text, sizeof text, fmt, ap);
    d->fn->closed = arena_text(&d->m->arena, text, strlen(text));
    d->fn->closed_line = line;
    if (!d->fn->closed)
        d->failed = true;
}

int close_function(struct decoder *d, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    close_for(d, d->from ? d->from->ptx_line : d->fn->ptx->line, fmt, ap);
    va_end(ap);
    return 0;
}

static void close_at(struct decoder *d, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    close_for(d, line, fmt, ap);
    va_end(ap);
}

/* ---- operands ------------------------------------------------------------------------ */

bool is_predicate(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_REGISTER && o->var && o->var->type == PTX_PRED;
}

uint32_t predicate(struct decoder *d, const struct ptx_operand *o, uint8_t *flip, uint8_t bit)
{
    if (o->kind == PTX_OP_SINK)
        return 0;
    if (!is_predicate(o)) {
        if (o->kind == PTX_OP_INTEGER) { /* a constant: pred 0 is true */
            if (flip && !o->bits)
                *flip |= bit;
            return 0;
        }
        close_function(d, "a predicate was expected in %s", d->from->opcode);
        return 0;
    }
    if (o->negated && flip)
        *flip |= bit;
    return (uint32_t)o->var->place + o->index;
}

static uint32_t register_row(const struct ptx_operand *o, unsigned *size)
{
    *size = row_size((enum sim_type)o->var->type);
    return (uint32_t)o->var->place + o->index * LANES * *size;
}

static const char *const resize_names[3][3] = {
    /* to 2: */ {"mov.b16", "cvt.u16.u32", "cvt.u16.u64"},
    /* to 4: */ {"cvt.u32.u16", "mov.b32", "cvt.u32.u64"},
    /* to 8: */ {"cvt.u64.u16", "cvt.u64.u32", "mov.b64"},
};
static const char *const widen_signed[3][3] = {
    {"mov.b16", "cvt.u16.u32", "cvt.u16.u64"},
    {"cvt.s32.s16", "mov.b32", "cvt.u32.u64"},
    {"cvt.s64.s16", "cvt.s64.s32", "mov.b64"},
};
static unsigned size_index(unsigned bytes)
{
    return bytes <= 2 ? 0 : bytes == 4 ? 1 : 2;
}

/* Where a value of `bytes` may be written that ends up in the register o. */
uint32_t result(struct decoder *d, const struct ptx_operand *o, unsigned bytes)
{
    unsigned have;
    if (o->kind == PTX_OP_SINK)
        return new_row(d, bytes);
    if (o->kind != PTX_OP_REGISTER || !o->var || o->var->type == PTX_PRED || o->component ||
        o->offset) {
        close_function(d, "%s needs a register for its result", d->from->opcode);
        return 0;
    }
    uint32_t row = register_row(o, &have);
    if (have == bytes)
        return row;
    d->widen_to = row;
    d->widen_have = have;
    return new_row(d, bytes);
}

/* After the instruction: the narrower or wider result goes where it belongs. */
void finish_result(struct decoder *d, uint32_t row, unsigned bytes, bool is_signed)
{
    if (!d->widen_have)
        return;
    struct raw *r = emit(
        d, (is_signed ? widen_signed : resize_names)[size_index(d->widen_have)][size_index(bytes)]);
    r->kind = SIM_CLASS_HIDDEN;
    r->in.a = r->in.b = r->in.c = row;
    r->in.d = d->widen_to;
    d->widen_have = 0;
}

/* A special register that is a constant here (then true), or its usual name. */
static bool special_constant(const char **name, uint64_t *value)
{
    static const struct {
        const char *name, *means;
        unsigned value;
    } known[] = {
#define X(text, number) {text, NULL, number},
        SPECIAL_CONSTANTS(X)
#undef X
#define X(text, other) {text, other, 0},
            SPECIAL_ALIASES(X)
#undef X
    };
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, *name) != 0)
            continue;
        *value = known[i].value;
        *name = known[i].means;
        return !known[i].means;
    }
    bool grid = strcmp(*name, "envreg1") == 0 || strcmp(*name, "envreg2") == 0;
    return !grid && (strncmp(*name, "envreg", 6) == 0 || strncmp(*name, "pm", 2) == 0);
}

static uint32_t special(struct decoder *d, const char *name, unsigned bytes)
{
    static const char *const names[] = {
#define X(id, text) text,
        SPECIALS(X)
#undef X
    };
    uint64_t value;
    if (special_constant(&name, &value))
        return constant_row(d, value, bytes == 8 ? 8 : 4, false);
    for (unsigned i = 0; i < SPECIAL_COUNT; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        struct raw *r = emit_hidden(d, bytes == 8 ? "*special64" : "*special");
        r->in.e = i;
        d->fn->grid_sync |= i == SPECIAL_GRID_HIGH || i == SPECIAL_GRID_LOW;
        return r->in.d = new_row(d, bytes == 8 ? 8 : 4);
    }
    close_function(d, "unsupported special register %%%s", name);
    return 0;
}

/* The address of a variable as a row: within its window for shared and local. */
static uint32_t symbol_address(struct decoder *d, const struct ptx_operand *o, unsigned bytes)
{
    struct ptx_variable *v = o->var;
    if (!v) {
        int64_t number = module_function(d->m, o->name);
        if (number < 0) {
            close_function(d, "%s is not defined in this file", o->name);
            return 1;
        }
        return constant_row(d, module_point(d->m, (uint32_t)number), bytes, false);
    }
    switch (v->space) {
    case PTX_SHARED: {
        struct function *f = d->fn;
        if (mem_grow_in(&d->m->arena, (void **)&f->shared, &f->shared_capacity, f->shared_count,
                        sizeof *f->shared) < 0) {
            d->failed = true;
            return 1;
        }
        uint32_t row = constant_row(d, 0, bytes, true);
        f->shared[f->shared_count++] = (struct shared_use){v, o->offset, row & ~1u, bytes};
        return row;
    }
    case PTX_LOCAL:
    case PTX_PARAM: {
        if (v->space == PTX_PARAM && d->fn->ptx->is_entry && !v->in)
            return constant_row(d, v->place + (uint64_t)o->offset, bytes, false);
        struct raw *r = emit_hidden(d, bytes == 8 ? "*frame64" : "*frame32");
        r->in.offset = (int64_t)v->place + o->offset;
        return r->in.d = new_row(d, bytes);
    }
    default: return constant_row(d, v->place + (uint64_t)o->offset, bytes, false);
    }
}

/* register+4: ptxas takes that as an operand too. */
static uint32_t register_sum(struct decoder *d, const struct ptx_operand *o, uint32_t row,
                             unsigned bytes)
{
    char name[8];
    enum ptx_type type = o->var->type;
    if (type >= PTX_F16 && type <= PTX_F64) {
        close_function(d, "%s: a float register and a number are no operand", d->from->opcode);
        return row;
    }
    snprintf(name, sizeof name, "add.u%u", bytes * 8);
    uint32_t number = constant_row(d, (uint64_t)o->offset, bytes, false);
    struct raw *r = emit_hidden(d, name);
    r->in.a = row, r->in.b = r->in.c = number;
    return r->in.d = new_row(d, bytes);
}

uint32_t source(struct decoder *d, const struct ptx_operand *o, enum sim_type type)
{
    unsigned want = row_size(type), have;
    if (want == 0 || want > 8) {
        close_function(d, "unsupported operand type in %s", d->from->opcode);
        return 1;
    }
    switch (o->kind) {
    case PTX_OP_REGISTER:
        if (!o->var || o->var->type == PTX_PRED || o->component)
            break;
        {
            uint32_t row = register_row(o, &have);
            if (o->offset)
                row = register_sum(d, o, row, have);
            if (have == want)
                return row;
            struct raw *r = emit_hidden(d, resize_names[size_index(want)][size_index(have)]);
            r->in.a = r->in.b = r->in.c = row;
            return r->in.d = new_row(d, want);
        }
    case PTX_OP_INTEGER: return constant_row(d, o->bits, want, false);
    case PTX_OP_F32: return constant_row(d, o->bits, want, false);
    case PTX_OP_F64:
        if (want == 4) {
            double v;
            memcpy(&v, &o->bits, 8);
            float f = (float)v;
            uint32_t bits;
            memcpy(&bits, &f, 4);
            return constant_row(d, bits, 4, false);
        }
        return constant_row(d, o->bits, want, false);
    case PTX_OP_SPECIAL:
        if (strcmp(o->name, "WARP_SZ") == 0)
            return constant_row(d, LANES, want, false);
        {
            unsigned bytes = want == 8 ? 8 : 4;
            uint32_t row = special(d, o->name, bytes);
            if (bytes == want)
                return row;
            struct raw *r = emit_hidden(d, "cvt.u16.u32");
            r->in.a = r->in.b = r->in.c = row;
            return r->in.d = new_row(d, 2);
        }
    case PTX_OP_SYMBOL: return symbol_address(d, o, want);
    default: break;
    }
    close_function(d, "unsupported operand in %s", d->from->opcode);
    return 1;
}

/* ---- instructions of the table ------------------------------------------------------- */

bool has_token(const struct tokens *t, const char *name)
{
    for (unsigned i = 0; i < t->count; i++)
        if (strcmp(t->word[i], name) == 0)
            return true;
    return false;
}

static void split_opcode(const char *opcode, struct tokens *t)
{
    size_t n = strlen(opcode);
    t->count = 0;
    if (n >= sizeof t->text)
        n = sizeof t->text - 1;
    memcpy(t->text, opcode, n);
    t->text[n] = 0;
    for (char *p = t->text; p && t->count < MOST_TOKENS;) {
        t->word[t->count++] = p;
        p = strchr(p, '.');
        if (p)
            *p++ = 0;
    }
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* The name that the table knows: default rounding dropped, bit moves by size. */
static void canonical(const struct tokens *t, char *out, size_t size)
{
    static const char *const rounds[] = {"add", "sub",  "mul", "fma", "mad",
                                         "div", "sqrt", "rcp", NULL};
    static const char *const by_bits[] = {"mov", "selp", "slct", NULL};
    static const char *const combine[] = {"and", "or", "xor", NULL};
    size_t n = (size_t)snprintf(out, size, "%s", t->word[0]);
    bool setp = strcmp(t->word[0], "setp") == 0;
    if (setp)
        for (unsigned i = 1; i < t->count; i++)
            if (one_of(t->word[i], combine))
                n += (size_t)snprintf(out + n, size - n, ".%s", t->word[i]);
    for (unsigned i = 1; i < t->count && n < size; i++) {
        const char *w = t->word[i];
        if (strcmp(w, "rn") == 0 && one_of(t->word[0], rounds))
            continue;
        if (setp && one_of(w, combine))
            continue;
        bool slct = t->word[0][0] == 's' && t->word[0][1] == 'l'; /* its type comes first */
        if (i == t->count - (slct ? 2 : 1) && one_of(t->word[0], by_bits) &&
            strcmp(w, "pred") != 0) {
            unsigned bytes = sim_type_size((enum sim_type)ptx_type_named(w, strlen(w)));
            n += (size_t)snprintf(out + n, size - n, ".b%u", bytes * 8);
            continue;
        }
        n += (size_t)snprintf(out + n, size - n, ".%s", w);
    }
}

static uint32_t operand(struct decoder *d, enum sim_type type, unsigned i, uint8_t *flags,
                        uint8_t flip)
{
    if (i >= d->from->operand_count) {
        close_function(d, "%s has too few operands", d->from->opcode);
        return 0;
    }
    const struct ptx_operand *o = &d->from->operands[i];
    if (type == SIM_PRED)
        return predicate(d, o, flags, flip);
    return source(d, o, type);
}

int decode_table(struct decoder *d, const struct tokens *t)
{
    char name[96];
    canonical(t, name, sizeof name);
    const struct op *op = ops_find(d->m->sim, name);
    if (!op || name[0] == '*')
        return decode_arithmetic(d, t);
    if (d->from->operand_count < 1)
        return close_function(d, "%s has no operands", d->from->opcode);
    struct insn in = {0};
    const struct ptx_operand *to = &d->from->operands[0];
    unsigned bytes = row_size(op->d);
    if (op->a)
        in.a = in.b = in.c = operand(d, op->a, 1, &in.flags, INSN_FLIP_A);
    if (op->b)
        in.b = in.c = operand(d, op->b, 2, &in.flags, 0);
    if (op->c)
        in.c = operand(d, op->c, 3, &in.flags, INSN_FLIP_C);
    if (op->e)
        in.e = operand(d, op->e, 4, &in.flags, 0);
    if (op->d == SIM_PRED) {
        in.d = predicate(d, to, NULL, 0);
        if (to->pair)
            in.e = predicate(d, to->pair, NULL, 0);
    } else {
        in.d = result(d, to, bytes);
    }
    struct raw *r = emit(d, name);
    r->in.d = in.d, r->in.a = in.a, r->in.b = in.b, r->in.c = in.c, r->in.e = in.e;
    r->in.flags = in.flags;
    if (op->d != SIM_PRED)
        finish_result(d, in.d, bytes, op->d >= SIM_S8 && op->d <= SIM_S64);
    return 0;
}

/* ---- the whole function -------------------------------------------------------------- */

static int decode_one(struct decoder *d, const struct ptx_instruction *p)
{
    struct tokens t;
    d->from = p;
    d->guard = p->guard_var ? (uint32_t)(p->guard_var->place + p->guard_index) : 0;
    d->guard_flip = p->guard_var && p->guard_negated ? ALL_LANES : 0;
    split_opcode(p->opcode, &t);
    decode_fn shape = shape_named(t.word[0]);
    return shape ? shape(d, &t) : decode_table(d, &t);
}

static bool uses_alloca(const struct ptx_function *p)
{
    for (uint32_t i = 0; i < p->code_count; i++)
        if (strncmp(p->code[i].opcode, "alloca", 6) == 0)
            return true;
    return false;
}

static int decode_all(struct decoder *d)
{
    const struct ptx_function *p = d->fn->ptx;
    if (p->broken && !d->fn->closed) {
        d->fn->closed = p->broken;
        d->fn->closed_line = p->broken_line;
    }
    d->fn->allocates = uses_alloca(p);
    if (d->fn->allocates && !p->is_entry)
        emit_hidden(d, "*stacksave")->in.d = d->stack_row = new_row(d, 8);
    for (uint32_t i = 0; i < p->code_count && !d->failed; i++) {
        d->raw_at[i] = (uint32_t)d->raw_count;
        if (module_goes_on(d->m, 1) < 0 || decode_one(d, &p->code[i]) < 0)
            return -1;
    }
    d->from = NULL;
    d->guard = 0;
    d->guard_flip = 0;
    d->raw_at[p->code_count] = d->end = (uint32_t)d->raw_count;
    if (d->stack_row)
        emit_hidden(d, "*stackrestore")->in.a = d->stack_row;
    struct raw *end = emit(d, p->is_entry ? "*exit" : "*return");
    end->kind = SIM_CLASS_HIDDEN;
    end->ends = true;
    return d->failed ? sim_fail(d->m->sim, 0, "out of memory") : 0;
}

/* Targets were PTX indices until now; rets of a device function go to its end. */
static void resolve_targets(struct decoder *d)
{
    for (size_t i = 0; i < d->raw_count; i++)
        if (d->raw[i].target == TO_END)
            d->raw[i].target = d->end;
        else if (d->raw[i].target == TO_NEXT)
            d->raw[i].target = (uint32_t)i + 2; /* over the one instruction after it */
        else if (d->raw[i].target != NO_PC)
            d->raw[i].target = d->raw_at[d->raw[i].target];
}

/* Headers of the system and of compilers, wherever these are installed; and our stand-ins. */
static bool foreign_file(const char *file)
{
    static const char *const parts[] = {
        "/lib/clang/", "/include/cuda", "cuda/include/", "/targets/", "__nv_nvrtc_builtin",
        "kernels/cudalab_", "cudalab_device", "cudalab_math", "kernels/include/", NULL};
    bool found = strncmp(file, "/usr/", 5) == 0 || strncmp(file, "/opt/", 5) == 0;
    for (const char *const *p = parts; *p && !found; p++)
        found = strstr(file, *p) != NULL;
    return found;
}

/* The student's own file. */
static bool own_file(const char *file)
{
    static const char *const ends[] = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp", NULL};
    const char *dot = file ? strrchr(file, '.') : NULL;
    return dot && one_of(dot, ends) && !foreign_file(file);
}

/* Asked once for each file, however many instructions come from it. */
int decode_files(struct sim_module *m)
{
    m->own_files = arena_get(&m->arena, (m->ptx->file_count + 1) * sizeof *m->own_files);
    for (unsigned i = 0; m->own_files && i < m->ptx->file_count; i++)
        m->own_files[i] = own_file(m->ptx->files[i]);
    return m->own_files ? 0 : sim_fail(m->sim, 0, "out of memory");
}

/* A file's number if there is a name for it; else 0, which has none. */
static unsigned file_of(const struct ptx_module *m, int number)
{
    return number > 0 && (unsigned)number < m->file_count ? (unsigned)number : 0;
}

static void show(struct decoder *d, const struct raw *r, struct sim_instruction *s)
{
    const struct ptx_module *m = d->m->ptx;
    const struct ptx_instruction *p = r->from;
    *s = (struct sim_instruction){.text = "", .function = d->fn->ptx->name, .kind = r->kind};
    if (!p)
        return;
    unsigned inner = file_of(m, p->file), outer = file_of(m, p->outer_file);
    bool use_inner = d->m->own_files[inner] || !d->m->own_files[outer];
    unsigned used = use_inner ? inner : outer;
    s->file = used ? m->files[used] : NULL;
    s->line = use_inner ? p->line : p->outer_line;
    s->text = p->text;
    s->ptx_line = p->ptx_line;
    s->space = (enum sim_space)r->in.space;
    s->bytes = (uint8_t)(r->in.bytes * r->in.count);
}

/* What a trace may show of an instruction: its result, as the register was declared. */
static uint8_t shown_type(const struct raw *r)
{
    const struct ptx_operand *o = r->from && r->from->operand_count ? r->from->operands : NULL;
    unsigned size;
    if (!o || o->kind != PTX_OP_REGISTER || is_predicate(o) || r->kind == SIM_CLASS_STORE ||
        register_row(o, &size) != r->in.d)
        return SIM_NONE;
    return (uint8_t)o->var->type;
}

/* Final order: a MEET before each instruction where lanes may meet again. */
static int lay_out(struct decoder *d)
{
    struct sim_module *m = d->m;
    uint32_t extra = 0, at = m->count;
    uint32_t *pc = arena_get(&d->scratch, (d->raw_count + 1) * sizeof *pc);
    if (!pc)
        return sim_fail(m->sim, 0, "out of memory");
    for (size_t i = 0; i < d->raw_count; i++) {
        pc[i] = at + (uint32_t)i + extra;
        extra += d->raw[i].meet_here;
    }
    uint32_t total = (uint32_t)d->raw_count + extra;
    if (module_reserve(m, total) < 0)
        return -1;
    d->fn->entry = at;
    const struct op *meet = ops_find(m->sim, "*meet");
    for (size_t i = 0; i < d->raw_count; i++) {
        struct raw *r = &d->raw[i];
        if (r->meet_here) {
            struct raw here = {
                .in = {.run = meet->run, .meet = NO_PC, .target = pc[r->gather_from]},
                .kind = SIM_CLASS_HIDDEN, .from = r->from};
            m->code[m->count] = here.in;
            show(d, &here, &m->shown[m->count++]);
        }
        if (r->target != NO_PC)
            r->in.target = pc[r->target];
        if (r->in.meet != NO_PC)
            r->in.meet = pc[r->in.meet];
        r->in.shows = shown_type(r);
        m->code[m->count] = r->in;
        show(d, r, &m->shown[m->count]);
        m->shown[m->count].target = r->target != NO_PC ? r->in.target : m->count;
        m->count++;
    }
    d->fn->end = m->count;
    return 0;
}

int decode_function(struct sim_module *m, uint32_t number)
{
    struct decoder d = {.m = m, .fn = &m->functions[number]};
    const struct ptx_function *p = d.fn->ptx;
    int rc = -1;
    d.row_bytes = d.fn->row_bytes;
    arena_init(&d.scratch, &m->sim->allocator);
    d.raw_at = arena_get(&d.scratch, ((size_t)p->code_count + 1) * sizeof *d.raw_at);
    if (!d.raw_at)
        sim_fail(m->sim, 0, "out of memory");
    else if (decode_all(&d) == 0) {
        resolve_targets(&d);
        layout_take(&d.row_bytes, 0, ROW_ALIGN);
        d.fn->frame_bytes = rows_full(&d) ? 0 : (uint32_t)d.row_bytes;
        if (flow_meets(m->sim, d.raw, (uint32_t)d.raw_count) == 0)
            rc = lay_out(&d);
    }
    mem_put(&m->sim->allocator, d.raw, d.raw_capacity * sizeof *d.raw);
    arena_free(&d.scratch);
    return rc;
}
