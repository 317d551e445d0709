/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes what a worker touches, and compares what all of them have touched. This is done at each
 * access to global memory, so a row of lanes is noted at once.
 */
#include "sim/touched.h"

#include "sim/cores.h"

#include <string.h>

int touched_begin(struct sim_run *r, struct touched_bytes *t)
{
    t->count = r->sim->allocation_count;
    t->map = arena_alloc(&r->arena, (t->count + 1) * sizeof *t->map);
    return t->map ? 0 : -1;
}

static uint64_t *page_of(struct sim_run *r, size_t number, enum touch how, uint64_t page)
{
    uint64_t ***pages = &r->touched->map[number].page[how];
    if (!*pages) {
        const uint64_t size = r->sim->allocations[number]->size;
        *pages = arena_alloc(&r->arena, (size_t)((size + PAGE - 1) / PAGE) * sizeof **pages);
    }
    if (*pages && !(*pages)[page])
        (*pages)[page] = arena_alloc(&r->arena, TOUCH_WORDS * sizeof ***pages);
    return *pages ? (*pages)[page] : NULL;
}

/* Ones from bit `from` on to before bit `end` of a page. */
static inline void set_bits(uint64_t *bits, uint64_t from, uint64_t end)
{
    const uint64_t first = from / 64, last = (end - 1) / 64;
    const uint64_t low = UINT64_MAX << from % 64, high = UINT64_MAX >> (63 - (end - 1) % 64);
    if (first == last) {
        bits[first] |= low & high;
        return;
    }
    bits[first] |= low;
    for (uint64_t i = first + 1; i < last; i++)
        bits[i] = UINT64_MAX;
    bits[last] |= high;
}

static inline bool add(struct sim_run *r, size_t number, enum touch how, uint64_t from,
                       uint64_t bytes)
{
    for (const uint64_t end = from + bytes; from < end;) {
        const uint64_t page = from / PAGE, stop = (page + 1) * PAGE < end ? (page + 1) * PAGE : end;
        uint64_t **pages = r->touched->map[number].page[how];
        uint64_t *bits = pages && pages[page] ? pages[page] : page_of(r, number, how, page);
        if (!bits)
            return false;
        set_bits(bits, from % PAGE, (stop - 1) % PAGE + 1);
        from = stop;
    }
    return true;
}

bool touched_add(struct sim_run *r, size_t number, enum touch how, uint64_t from, uint64_t bytes)
{
    return add(r, number, how, from, bytes);
}

/* Lanes that may lie in several allocations. An address that is in none is a fault, which ends the
 * workers anyway. */
static bool add_lanes(struct sim_run *r, enum touch how, uint32_t pc, uint32_t mask,
                      const uint64_t address[LANES], uint64_t bytes)
{
    bool noted = true;
    EACH_LANE(i, mask) {
        const struct allocation *a = memory_find(r->sim, address[i], &r->hint[pc]);
        if (a && bytes <= a->size - (address[i] - a->address))
            noted &= add(r, r->hint[pc], how, address[i] - a->address, bytes);
    }
    return noted;
}

/* The usual case: all bytes of a row lie in one page, which has been touched before. */
static inline bool add_quick(struct sim_run *r, enum touch how, uint32_t pc, uint64_t address,
                             uint64_t bytes)
{
    const size_t number = r->hint[pc];
    if (number >= r->touched->count)
        return false;
    const struct allocation *a = r->sim->allocations[number];
    const uint64_t from = address - a->address, in = from % PAGE;
    uint64_t **pages = r->touched->map[number].page[how];
    if (from >= a->size || !pages || !pages[from / PAGE] || in + bytes > PAGE)
        return false;
    set_bits(pages[from / PAGE], in, in + bytes);
    return true;
}

void touched_note(struct sim_run *r, const struct insn *in, uint32_t pc, uint32_t mask,
                  const uint64_t address[LANES], const struct shape *shape)
{
    enum { HALF = LANES / 2 };
    const uint64_t bytes = (uint64_t)in->bytes * in->count, wide = (HALF - 1) * shape->step + bytes;
    const enum touch how = in->access == SIM_LOAD ? TOUCH_READ : TOUCH_WRITTEN;
    bool noted;
    if (in->access != SIM_LOAD && in->access != SIM_STORE)
        return;
    if (shape->halves && shape->step <= bytes) {
        if (address[HALF] - address[0] == HALF * shape->step &&
            add_quick(r, how, pc, address[0], HALF * shape->step + wide))
            return;
        const struct allocation *a = memory_find(r->sim, address[0], &r->hint[pc]);
        const size_t number = r->hint[pc];
        if (address[HALF] - address[0] == HALF * shape->step)
            noted = a && add(r, number, how, address[0] - a->address, HALF * shape->step + wide);
        else
            noted = a && add(r, number, how, address[0] - a->address, wide) &&
                    add(r, number, how, address[HALF] - a->address, wide);
    } else {
        noted = add_lanes(r, how, pc, mask, address, bytes);
    }
    if (!noted)
        cores_give_up(r);
}

/* ---- meeting --------------------------------------------------------------------------- */

/* What others did to the bytes of a page, word by word. */
struct done {
    uint64_t how[TOUCHES][TOUCH_WORDS];
};

/* Two reads, two atomics that are done later, or two that can be combined never matter. What one
 * run has written it may also read itself. */
static bool meets(struct done *done, uint64_t *const own[TOUCHES])
{
    uint64_t met = 0;
    for (unsigned i = 0; i < TOUCH_WORDS; i++) {
        uint64_t o[TOUCHES], d[TOUCHES];
        for (unsigned k = 0; k < TOUCHES; k++) {
            o[k] = own[k] ? own[k][i] : 0;
            d[k] = done->how[k][i];
            done->how[k][i] |= o[k];
        }
        const uint64_t plain = o[TOUCH_READ] | o[TOUCH_WRITTEN];
        const uint64_t any = d[TOUCH_READ] | d[TOUCH_WRITTEN];
        const uint64_t atomic = o[TOUCH_LOGGED] | o[TOUCH_COMBINED];
        met |= (o[TOUCH_WRITTEN] & any) | (o[TOUCH_READ] & d[TOUCH_WRITTEN]) |
               (plain & (d[TOUCH_LOGGED] | d[TOUCH_COMBINED])) | (atomic & any) | (atomic & plain) |
               (o[TOUCH_LOGGED] & (d[TOUCH_COMBINED] | o[TOUCH_COMBINED])) |
               (o[TOUCH_COMBINED] & d[TOUCH_LOGGED]);
    }
    return met != 0;
}

/* The rows of a run for a page. Returns how many there are. */
static unsigned rows_of(const struct touched_bytes *t, size_t number, uint64_t page,
                        uint64_t *own[TOUCHES])
{
    unsigned rows = 0;
    for (unsigned k = 0; k < TOUCHES; k++) {
        uint64_t **pages = t->map[number].page[k];
        own[k] = pages ? pages[page] : NULL;
        rows += own[k] != NULL;
    }
    return rows;
}

static bool page_meets(size_t number, uint64_t page, struct touched_bytes *const *all,
                       unsigned count)
{
    uint64_t *own[TOUCHES];
    struct done done;
    unsigned runs = 0, writers = 0, rows = 0;
    bool atomics = false;
    for (unsigned i = 0; i < count; i++) {
        const unsigned n = rows_of(all[i], number, page, own);
        rows = n > rows ? n : rows;
        atomics |= own[TOUCH_LOGGED] || own[TOUCH_COMBINED];
        runs += n != 0;
        writers += n > (own[TOUCH_READ] != NULL);
    }
    if (!writers || (runs == 1 && (rows == 1 || !atomics)))
        return false; /* mostly, only one run reads and writes there */
    memset(&done, 0, sizeof done);
    for (unsigned i = 0; i < count; i++)
        if (rows_of(all[i], number, page, own) && meets(&done, own))
            return true;
    return false;
}

static bool is_touched(size_t number, struct touched_bytes *const *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = TOUCH_WRITTEN; k < TOUCHES; k++)
            if (all[i]->map[number].page[k])
                return true;
    return false;
}

static uint64_t pages_of(const struct sim *s, size_t number)
{
    return (s->allocations[number]->size + PAGE - 1) / PAGE;
}

uint64_t touched_pages(const struct sim *s, struct touched_bytes *const *all, unsigned count)
{
    uint64_t pages = 0;
    for (size_t number = 0; number < s->allocation_count; number++)
        if (is_touched(number, all, count))
            pages += pages_of(s, number);
    return pages;
}

bool touched_meet(const struct sim *s, struct touched_bytes *const *all, unsigned count,
                  uint64_t first, uint64_t step)
{
    for (size_t number = 0; number < s->allocation_count; number++) {
        const uint64_t pages = is_touched(number, all, count) ? pages_of(s, number) : 0;
        for (uint64_t page = first; page < pages; page += step)
            if (page_meets(number, page, all, count))
                return true;
    }
    return false;
}
