/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule: which bytes each lane asks for in each load, and which sectors that touches. The
 * simulator's counters have a rule of their own, so that each checks the other.
 */
#include "labs/coalesce/work.h"

#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/shape.h"

enum { FLOAT_BYTES = sizeof(float), FOUR = 4, WARPS_A_PART = 1024 };

/* ---- one request ------------------------------------------------------------------------ */

unsigned plan_warps(const struct access_plan *p)
{
    return p->blocks * ((p->threads + WARP_LANES - 1) / WARP_LANES);
}

/* Words of the structures of a block. */
static unsigned block_words(const struct access_plan *p, unsigned block)
{
    unsigned first = block * p->threads, left = p->work - first;
    return (left < p->threads ? left : p->threads) * p->fields;
}

/* Where a warp begins: its block, and its first thread there. */
static unsigned warp_place(const struct access_plan *p, unsigned warp, unsigned *block)
{
    unsigned a_block = (p->threads + WARP_LANES - 1) / WARP_LANES;
    *block = warp / a_block;
    return warp % a_block * WARP_LANES;
}

unsigned plan_requests(const struct access_plan *p, unsigned warp)
{
    unsigned block, first = warp_place(p, warp, &block);
    if (p->kind == THROUGH_SHARED) {
        unsigned words = block_words(p, block);
        return words > first ? (words - first + p->threads - 1) / p->threads : 0;
    }
    if (block * p->threads + first >= p->work)
        return 0;
    if (p->kind == BY_STRIDE || p->kind == BY_INDEX)
        return 1;
    return p->kind == BY_FOURS ? (p->used + FOUR - 1) / FOUR : p->used;
}

/* The element that thread i reads in its load number k. */
static uint64_t element_of(const struct access_plan *p, const int *index, unsigned i, unsigned k)
{
    switch (p->kind) {
    case BY_INDEX: return (uint64_t)index[i];
    case BY_STRUCTURE: return (uint64_t)i * p->fields + k;
    case BY_FIELD: return (uint64_t)k * p->pitch + i;
    case BY_GROUP:
        return ((uint64_t)(i / WARP_LANES) * p->fields + k) * WARP_LANES + i % WARP_LANES;
    case BY_FOURS: return p->offset + (uint64_t)i * p->fields + (uint64_t)FOUR * k;
    default: return (uint64_t)p->stride * i + p->offset;
    }
}

struct access_request plan_request(const struct access_plan *p, const int *index, unsigned warp,
                                   unsigned k)
{
    struct access_request q = {.bytes = p->kind == BY_FOURS ? FOUR * FLOAT_BYTES : p->width};
    unsigned block, first = warp_place(p, warp, &block);
    for (unsigned lane = 0; lane < WARP_LANES && first + lane < p->threads; lane++) {
        unsigned own = first + lane, i = block * p->threads + own, word = own + k * p->threads;
        bool shared = p->kind == THROUGH_SHARED;
        if (shared ? word >= block_words(p, block) : i >= p->work)
            continue;
        uint64_t element = shared ? (uint64_t)block * p->threads * p->fields + word
                                  : element_of(p, index, i, k);
        q.mask |= UINT32_C(1) << lane;
        q.at[lane] = element * p->width;
    }
    return q;
}

/* Puts a number into a rising list that has it once. */
static unsigned insert(uint64_t *list, unsigned count, uint64_t number)
{
    unsigned at = count;
    while (at && list[at - 1] > number)
        at--;
    if (at && list[at - 1] == number)
        return count;
    for (unsigned i = count; i > at; i--)
        list[i] = list[i - 1];
    list[at] = number;
    return count + 1;
}

unsigned request_touches(const struct access_request *q, unsigned size, uint64_t out[TOUCHED_MOST])
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(q->mask >> lane & 1))
            continue;
        count = insert(out, count, q->at[lane] / size);
        count = insert(out, count, (q->at[lane] + q->bytes - 1) / size);
    }
    return count;
}

/* ---- all of them ------------------------------------------------------------------------ */

static void add_request(const struct access_request *q, struct access_sums *sums)
{
    uint64_t touched[TOUCHED_MOST];
    sums->requests++;
    sums->sectors += request_touches(q, SECTOR_BYTES, touched);
    sums->lines += request_touches(q, CACHE_LINE_BYTES, touched);
}

/* The load of the index before a gather: neighbouring lanes, neighbouring ints. */
static void add_index(const struct access_plan *p, unsigned warp, struct access_sums *sums)
{
    struct access_plan in_order = *p;
    struct access_request q;
    uint64_t touched[TOUCHED_MOST];
    in_order.kind = BY_STRIDE;
    in_order.stride = 1;
    in_order.offset = 0;
    in_order.width = sizeof(int);
    q = plan_request(&in_order, NULL, warp, 0);
    sums->index_requests++;
    sums->index_sectors += request_touches(&q, SECTOR_BYTES, touched);
}

struct adding_up { const struct access_plan *p; const int *index; struct access_sums *sums; };

static int add_warps(void *self, uint64_t part, void *made, struct err *e)
{
    const struct adding_up *a = self;
    const struct access_plan *p = a->p;
    const unsigned first = (unsigned)part * WARPS_A_PART, left = plan_warps(p) - first;
    struct access_sums *sums = made;
    (void)e;
    *sums = (struct access_sums){0};
    for (unsigned warp = first; warp - first < WARPS_A_PART && warp - first < left; warp++) {
        for (unsigned k = 0; k < plan_requests(p, warp); k++) {
            struct access_request q = plan_request(p, a->index, warp, k);
            add_request(&q, sums);
        }
        if (p->kind == BY_INDEX && plan_requests(p, warp))
            add_index(p, warp, sums);
    }
    return 0;
}

static int add_sums(void *self, uint64_t part, const void *made, struct err *e)
{
    struct access_sums *all = ((const struct adding_up *)self)->sums;
    const struct access_sums *sums = made;
    (void)part, (void)e;
    all->requests += sums->requests;
    all->sectors += sums->sectors;
    all->lines += sums->lines;
    all->index_requests += sums->index_requests;
    all->index_sectors += sums->index_sectors;
    return 0;
}

int plan_add_up(const struct access_plan *p, const int *index, struct access_sums *sums,
                const struct session *s, struct report *r)
{
    const bool floats = p->kind != BY_STRIDE && p->kind != BY_INDEX;
    struct adding_up a = {p, index, sums};
    *sums = (struct access_sums){.needed = (uint64_t)p->work * (floats ? p->used : 1) * p->width};
    return lab_do_parts(s, &(struct parts){.count = divide_up(plan_warps(p), WARPS_A_PART),
                                           .bytes = sizeof *sums, .self = &a, .make = add_warps,
                                           .take = add_sums}, r);
}

void plan_shuffle(const struct access_plan *p, int *index)
{
    for (unsigned i = 0; i < p->n; i++)
        index[i] = (int)i;
    for (unsigned i = p->n; i > 1; i--) {
        unsigned other = lab_drawn(p->seed, i) % i;
        int kept = index[i - 1];
        index[i - 1] = index[other];
        index[other] = kept;
    }
}

int plan_pad(const struct access_plan *p)
{
    return p->fields % 2 == 0;
}

uint64_t plan_shared(const struct access_plan *p)
{
    uint64_t words = (uint64_t)p->threads * p->fields;
    if (p->kind != THROUGH_SHARED)
        return 0;
    return (words + words / WARP_LANES * (uint64_t)plan_pad(p)) * FLOAT_BYTES;
}
