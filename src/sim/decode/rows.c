/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a function's values lie: registers and predicates in its frame of rows, locals and
 * parameters in a thread's memory, constants in rows of their own.
 */
#include "sim/decode/decode.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ROW_BYTES = 1 << 28 };

bool rows_full(struct decoder *d)
{
    if (d->row_bytes > MOST_ROW_BYTES)
        close_function(d, "its registers take more than %d MiB per warp", MOST_ROW_BYTES >> 20);
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
            lacks_at(d, v->line, "unsupported: %s, a register that holds no number", v->name);
        v->place = layout_take(&d->row_bytes, (uint64_t)how_many(v) * v->vector * LANES * size,
                               ROW_ALIGN);
    }
}

static void place_predicates(struct ptx_variable *v, uint64_t *predicates)
{
    for (; v; v = v->next)
        if (v->space == PTX_REG && v->type == PTX_PRED)
            v->place = layout_take(predicates, how_many(v), 1);
}

/* Predicates come first in the frame, rows follow. */
static void place_registers(struct decoder *d)
{
    uint64_t predicates = FIRST_PREDICATE;
    place_predicates(d->fn->ptx->params, &predicates);
    place_predicates(d->fn->ptx->returns, &predicates);
    place_predicates(d->fn->ptx->variables, &predicates);
    layout_take(&d->row_bytes, predicates * sizeof(uint32_t), 1);
    place_rows(d, d->fn->ptx->params);
    place_rows(d, d->fn->ptx->returns);
    place_rows(d, d->fn->ptx->variables);
    rows_full(d);
}

/* Places the variables of a list that lie in the thread's memory. */
static void place_list(struct decoder *d, struct ptx_variable *v, uint64_t *bytes)
{
    for (; v; v = v->next) {
        if (v->space != PTX_LOCAL && v->space != PTX_PARAM)
            continue;
        if (v->range)
            lacks_at(d, v->line, "unsupported: %s<%u>, which are not registers", v->name, v->range);
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
        close_function(d, "%" PRIu64 " bytes of local memory per thread are more than there can be",
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
    struct argument *all = arena_alloc(&d->m->arena, (count + 1) * sizeof *all);
    unsigned part = 0;
    for (unsigned i = 0; all && v && i < count; i++, next_formal(&v, &part)) {
        bool in_row = v->space == PTX_REG;
        uint64_t bytes = in_row ? row_size((enum sim_type)v->type) : variable_size(v);
        uint64_t place = v->place + (uint64_t)part * LANES * bytes;
        all[i] = (struct argument){(uint32_t)place, (uint32_t)bytes, in_row};
        if (v->type == PTX_PRED && !in_row)
            close_function(d, "unsupported: a predicate in memory, as a parameter");
        else if (in_row && bytes == 16)
            lacks(d, "unsupported: a register of 128 bits as a parameter");
        else if (v->type == PTX_PRED)
            all[i] = (struct argument){(uint32_t)v->place, 0, true};
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
    d->known = arena_alloc(&d->scratch, d->known_slots * sizeof *d->known);
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
        close_function(d, "its constants take more than %d MiB", MOST_ROW_BYTES >> 20);
        return -1;
    }
    while (wider < end)
        wider *= 2;
    if (wider > f->constant_capacity) {
        unsigned char *more = arena_alloc(&d->m->arena, wider);
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
