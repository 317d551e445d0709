/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shared memory of a block: where its variables lie, and at which addresses.
 *
 * The variables lie one after the other. Their addresses don't: each piece, a variable of fixed
 * size or the dynamic part, has a number, and its addresses have that number above the byte's
 * place in the block. So a pointer carries its origin through registers, memory and calls, and an
 * index that leaves its variable is seen even where it lands in the next one. Banks and alignment
 * depend on the low bits, which are those of the place.
 *
 * Number 0 is the whole of the memory, for addresses that come from no variable. It is also all
 * that there is for a kernel with more variables than numbers.
 */
#include "sim/internal.h"

#include <string.h>

static uint64_t align_of(const struct ptx_variable *v)
{
    return v->align ? v->align : ptx_type_size(v->type) ? ptx_type_size(v->type) : 1;
}

static uint64_t size_of(const struct ptx_variable *v)
{
    return (uint64_t)ptx_type_size(v->type) * (v->vector ? v->vector : 1) * v->count;
}

/* Every use of a shared variable by a reached function; used, e.g., as FOR_SHARED_USES(m, u). */
#define FOR_SHARED_USES(m, u)                                                                     \
    for (uint32_t i_ = 0; i_ < (m)->function_count; i_++)                                         \
        for (uint32_t k_ = 0; (m)->functions[i_].reached && k_ < (m)->functions[i_].shared_count; \
             k_++)                                                                                \
            for (struct shared_use *u = &(m)->functions[i_].shared[k_]; u; u = NULL)

/* Variables of fixed size lie in order of first use, then comes the dynamic part, where every
 * extern [] one starts. */
struct shared_sizes shared_measure(struct sim_module *m)
{
    struct shared_sizes s = {0};
    uint64_t bytes = 0, align = 16;
    FOR_SHARED_USES(m, u)
    u->var->place = UINT64_MAX;
    FOR_SHARED_USES(m, u)
    {
        struct ptx_variable *v = u->var;
        if (v->open && align_of(v) > align)
            align = align_of(v);
        if (v->open || v->place != UINT64_MAX)
            continue;
        bytes = (bytes + align_of(v) - 1) / align_of(v) * align_of(v);
        v->place = bytes;
        bytes += size_of(v);
        s.variables++;
    }
    s.fixed = (size_t)bytes;
    s.dynamic_at = (size_t)((bytes + align - 1) / align * align);
    return s;
}

/* How far pieces are apart, as a power of two; SHARED_BITS: there are no numbers but 0. Addresses
 * halfway to the neighbours are still the piece's own. */
static unsigned choose_shift(uint32_t pieces, size_t bytes)
{
    unsigned shift = SHARED_BITS - 1;
    while (SHARED_SPAN >> shift < pieces + UINT64_C(1))
        shift--;
    return UINT64_C(1) << shift < 4 * (uint64_t)bytes ? SHARED_BITS : shift;
}

/* The addresses of a variable from now on; `number` is that of its piece. */
static void give_number(struct sim_run *r, struct ptx_variable *v, uint32_t number)
{
    uint64_t tag = (uint64_t)number << r->shared.shift;
    uint64_t place = v->open ? r->shared.dynamic_at : v->place;
    uint64_t dynamic = r->shared_bytes > place ? r->shared_bytes - place : 0;
    uint64_t size = v->open ? dynamic : size_of(v);
    r->shared.piece[number] = (struct shared_piece){place + tag, size, tag, v};
    v->place = place + tag;
}

/* Number 0, one for each variable of fixed size, and the last one for the dynamic part. */
static int make_pieces(struct sim_run *r, uint32_t variables)
{
    struct shared_layout *s = &r->shared;
    uint32_t pieces = variables + 2, next = 1;
    s->shift = choose_shift(pieces, r->shared_bytes);
    s->count = s->shift < SHARED_BITS ? pieces : 1;
    s->half = s->count > 1 ? UINT64_C(1) << s->shift >> 1 : 0;
    s->piece = arena_get(&r->arena, pieces * sizeof *s->piece);
    if (!s->piece)
        return -1;
    s->piece[0].size = r->shared_bytes;
    FOR_SHARED_USES(r->module, u)
    {
        struct ptx_variable *v = u->var;
        bool given = v->place >> s->shift;
        if (s->count > 1 && (v->open || !given))
            give_number(r, v, v->open ? pieces - 1 : next++);
        else if (v->open)
            v->place = s->dynamic_at;
    }
    return 0;
}

int shared_lay_out(struct sim_run *r)
{
    struct sim_module *m = r->module;
    const struct shared_sizes sizes = shared_measure(m);
    r->shared.dynamic_at = sizes.dynamic_at;
    r->shared_bytes = r->launch.shared_bytes ? sizes.dynamic_at + r->launch.shared_bytes
                                             : sizes.fixed;
    if (make_pieces(r, sizes.variables) < 0)
        return -1;
    FOR_SHARED_USES(m, u)
    {
        uint64_t address = u->var->place + (uint64_t)u->offset;
        for (unsigned lane = 0; lane < LANES; lane++)
            memcpy(m->functions[i_].constants + u->constant + lane * u->bytes, &address, u->bytes);
    }
    return 0;
}

const struct ptx_variable *shared_behind(const struct sim_run *r, uint64_t place, uint64_t *start)
{
    const struct ptx_variable *best = NULL;
    *start = 0;
    FOR_SHARED_USES(r->module, u)
    {
        uint64_t from = u->var->place & ((UINT64_C(1) << r->shared.shift) - 1);
        if (from <= place && (!best || from >= *start)) {
            best = u->var;
            *start = from;
        }
    }
    return best;
}

const struct ptx_variable *shared_holds(const struct sim_run *r, uint64_t place, uint64_t *start)
{
    const struct ptx_variable *v = shared_behind(r, place, start);
    return v && (v->open || place - *start < size_of(v)) ? v : NULL;
}

uint32_t shared_inside(const struct sim_run *r, uint32_t mask, unsigned bytes,
                       uint64_t address[LANES])
{
    uint32_t inside = 0;
    EACH_LANE(i, mask) {
        const struct shared_piece *p = shared_piece_of(r, address[i]);
        uint64_t at = address[i] - p->start;
        if (at >= p->size || bytes > p->size - at)
            continue;
        inside |= 1u << i;
        address[i] -= p->tag;
    }
    return inside;
}
