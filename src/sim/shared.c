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
#include "sim/reach.h"

#include <string.h>

/* Every use of a shared variable by a reached function; used, e.g., as FOR_SHARED_USES(m, f, u). */
#define FOR_SHARED_USES(m, f, u)                                                              \
    for (uint32_t i_ = 0; i_ < (m)->reached_count; i_++)                                      \
        for (const struct function *f = &(m)->functions[(m)->reached[i_]]; f; f = NULL)       \
            for (uint32_t k_ = 0; k_ < f->shared_count; k_++)                                 \
                for (struct shared_use *u = &f->shared[k_]; u; u = NULL)

/* Variables of fixed size lie in order of first use, then comes the dynamic part, where every
 * extern [] one starts. */
struct shared_sizes shared_measure(struct sim_module *m)
{
    uint64_t bytes = 0, align = 16;
    m->placed_count = 0;
    m->open_shared = NULL;
    FOR_SHARED_USES(m, f, u)
        u->var->place = UINT64_MAX;
    FOR_SHARED_USES(m, f, u) {
        struct ptx_variable *v = u->var;
        if (v->open)
            m->open_shared = v;
        if (v->open && variable_align(v) > align)
            align = variable_align(v);
        if (v->open || v->place != UINT64_MAX)
            continue;
        v->place = layout_take(&bytes, variable_size(v), variable_align(v));
        m->placed[m->placed_count++] = v;
    }
    uint64_t end = bytes;
    return (struct shared_sizes){.fixed = bytes,
                                 .dynamic_at = layout_take(&end, 0, align),
                                 .variables = m->placed_count};
}

/* How far pieces are apart, as a power of two; SHARED_BITS: there are no numbers but 0. Addresses
 * halfway to the neighbours are still the piece's own. */
static unsigned choose_shift(uint32_t pieces, uint64_t bytes)
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
    uint64_t size = v->open ? dynamic : variable_size(v);
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
    s->piece = arena_alloc(&r->of_grid, pieces * sizeof *s->piece);
    if (!s->piece)
        return -1;
    s->piece[0].size = r->shared_bytes;
    FOR_SHARED_USES(r->module, f, u) {
        struct ptx_variable *v = u->var;
        bool given = v->place >> s->shift;
        if (s->count > 1 && (v->open || !given))
            give_number(r, v, v->open ? pieces - 1 : next++);
        else if (v->open)
            v->place = s->dynamic_at;
    }
    return 0;
}

/* Finds the place of the reserved memory. Call it when variables have places, but no numbers. */
static void find_reserved(struct sim_run *r)
{
    const struct sim_module *m = r->module;
    for (uint32_t i = 0; m->reserved && i < m->placed_count; i++)
        if (m->placed[i] == m->reserved) {
            r->shared.system_at = m->reserved->place;
            r->shared.system_bytes = variable_size(m->reserved);
        }
}

int shared_lay_out(struct sim_run *r)
{
    struct sim_module *m = r->module;
    const struct shared_sizes sizes = shared_measure(m);
    r->shared.dynamic_at = sizes.dynamic_at;
    r->shared_bytes = r->launch.shared_bytes ? sizes.dynamic_at + r->launch.shared_bytes
                                             : sizes.fixed;
    find_reserved(r);
    if (make_pieces(r, sizes.variables) < 0)
        return -1;
    FOR_SHARED_USES(m, f, u) {
        uint64_t address = u->var->place + (uint64_t)u->offset;
        for (unsigned lane = 0; lane < LANES; lane++)
            memcpy(f->constants + u->constant + lane * u->bytes, &address, u->bytes);
    }
    return 0;
}

static uint64_t place_of(const struct sim_run *r, const struct ptx_variable *v)
{
    return v->place & ((UINT64_C(1) << r->shared.shift) - 1);
}

const struct ptx_variable *shared_behind(const struct sim_run *r, uint64_t place, uint64_t *start)
{
    const struct sim_module *m = r->module;
    const struct ptx_variable *v = m->open_shared;
    if (!v || place < r->shared.dynamic_at) {
        uint32_t low = 0, high = m->placed_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (place_of(r, m->placed[middle]) <= place)
                low = middle + 1;
            else
                high = middle;
        }
        v = low ? m->placed[low - 1] : NULL;
    }
    *start = v ? place_of(r, v) : 0;
    return v;
}

const struct ptx_variable *shared_holds(const struct sim_run *r, uint64_t place, uint64_t *start)
{
    const struct ptx_variable *v = shared_behind(r, place, start);
    return v && (v->open || place - *start < variable_size(v)) ? v : NULL;
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
