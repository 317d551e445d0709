/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operand of a PTX instruction as a row or a predicate. What an instruction can't take directly,
 * such as a special register or a register of another width, goes into a hidden row first.
 */
#include "sim/decode/decode.h"
#include "sim/exec/special.h"

#include <stdio.h>
#include <string.h>

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

uint32_t register_row(const struct ptx_operand *o, unsigned *size)
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

/* The row into which an instruction writes a value of `bytes` that ends up in the register o. */
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
    if (have > 8) {
        close_function(d, "%s has no result of 128 bits", d->from->opcode);
        return 0;
    }
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
        if (arena_grow(&d->m->arena, (void **)&f->shared, &f->shared_capacity, f->shared_count,
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

/* The shared memory that the system reserves in each block, since compute capability 8.0. Libraries
 * use a part of it. Here it is a variable, and only kernels that use it have it. */
static struct ptx_variable *reserved_memory(struct sim_module *m)
{
    if (!m->reserved && (m->reserved = arena_alloc(&m->arena, sizeof *m->reserved)))
        *m->reserved = (struct ptx_variable){.name = "%reserved_smem", .space = PTX_SHARED,
                                             .type = PTX_B8, .vector = 1, .align = 16,
                                             .count = RESERVED_BYTES, .is_array = true};
    return m->reserved;
}

/* The address in the reserved memory that a special register has. 0: the name is no such
 * register. */
static uint32_t reserved(struct decoder *d, const char *name, unsigned bytes)
{
    static const struct word_number places[] = {
        {"reserved_smem_offset_begin", 0},
        {"reserved_smem_offset_0", 0},
        {"reserved_smem_offset_1", RESERVED_BYTES / 2},
        {"reserved_smem_offset_end", RESERVED_BYTES},
        {NULL, 0}};
    const int place = number_of_word(places, name);
    struct ptx_operand o = {.kind = PTX_OP_SYMBOL, .name = name, .offset = place};
    if (place < 0)
        return 0;
    need(d, 80);
    if (!(o.var = reserved_memory(d->m))) {
        d->failed = true;
        return 1;
    }
    return symbol_address(d, &o, bytes);
}

/* Does the kernel ask for the time? The barriers of libcu++ do so by themselves while they wait. */
static bool asks_time(const struct decoder *d, unsigned which)
{
    const struct sim_module *m = d->m;
    const int file = d->from->file;
    const bool own = file > 0 && (unsigned)file < m->ptx->file_count && m->own_files[file];
    return which >= SPECIAL_CLOCK && which <= SPECIAL_GLOBALTIMER_HI && (own || !m->cuda_barrier);
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
    const uint32_t place = strncmp(name, "reserved", 8) == 0 ? reserved(d, name, bytes) : 0;
    if (place)
        return place;
    for (unsigned i = 0; i < SPECIAL_COUNT; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        struct raw *r = emit_hidden(d, bytes == 8 ? "*special64" : "*special");
        r->in.e = i;
        need(d, i >= SPECIAL_CLUSTER_CTAID_X ? 90 : 0); /* the rest of the list is about clusters */
        d->fn->grid_sync |= i == SPECIAL_GRID_HIGH || i == SPECIAL_GRID_LOW;
        d->fn->reads_clock |= asks_time(d, i);
        return r->in.d = new_row(d, bytes == 8 ? 8 : 4);
    }
    close_function(d, "unsupported special register %%%s", name);
    return 0;
}

/* register+4: ptxas takes that as an operand too. */
static uint32_t register_sum(struct decoder *d, const struct ptx_operand *o, uint32_t row,
                             unsigned bytes)
{
    char name[8];
    enum ptx_type type = o->var->type;
    if (type >= PTX_F16 && type <= PTX_F64) {
        close_function(d, "%s: a float register and a number are not an operand", d->from->opcode);
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
            if (have > 8)
                break;
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
