/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of bits in a hash table with open addressing. Half of its slots are free at least.
 */
#include "base/byte-set.h"

#include <string.h>

enum { FIRST_SLOTS = 16 };

static const struct allocator *const from_libc = &allocator_libc;

/* The bit for the region of 1024 pages that a page lies in. Sets without a common bit have no common
 * page. */
static uint64_t region_of(uint64_t number)
{
    return UINT64_C(1) << (number / 1024 % 64);
}

/* Where the page is, or the free slot where it would be. */
static struct byte_set_page **slot_of(struct byte_set_page **slot, size_t slots, uint64_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (slots - 1);
    while (slot[i] && slot[i]->number != number)
        i = (i + 1) & (slots - 1);
    return &slot[i];
}

static bool grow(struct byte_set *s)
{
    const size_t slots = s->slots ? 2 * s->slots : FIRST_SLOTS;
    struct byte_set_page **slot = mem_alloc(from_libc, slots * sizeof(struct byte_set_page *));
    if (!slot)
        return false;
    for (size_t i = 0; i < s->slots; i++)
        if (s->slot[i])
            *slot_of(slot, slots, s->slot[i]->number) = s->slot[i];
    mem_free(from_libc, s->slot, s->slots * sizeof(struct byte_set_page *));
    s->slot = slot;
    s->slots = slots;
    return true;
}

static struct byte_set_page *find(const struct byte_set *s, uint64_t number)
{
    if (s->last && s->last->number == number)
        return s->last;
    return s->slots ? *slot_of(s->slot, s->slots, number) : NULL;
}

/* The page, which is made where there is none; NULL: memory is out. */
static struct byte_set_page *page_of(struct byte_set *s, uint64_t number)
{
    struct byte_set_page *p = find(s, number);
    if (!p && (2 * s->count < s->slots || grow(s)) && (p = mem_alloc(from_libc, sizeof *p))) {
        p->number = number;
        *slot_of(s->slot, s->slots, number) = p;
        s->count++;
        s->regions |= region_of(number);
    }
    if (p)
        s->last = p;
    return p;
}

static void set_bits(uint64_t *bits, unsigned at, unsigned n)
{
    while (n) {
        const unsigned low = at % 64, now = n < 64 - low ? n : 64 - low;
        bits[at / 64] |= (now == 64 ? UINT64_MAX : (UINT64_C(1) << now) - 1) << low;
        at += now;
        n -= now;
    }
}

int byte_set_add(struct byte_set *s, uint64_t from, uint64_t n)
{
    while (n) {
        const unsigned at = (unsigned)(from % BYTE_SET_PAGE);
        const unsigned now = n < BYTE_SET_PAGE - at ? (unsigned)n : BYTE_SET_PAGE - at;
        struct byte_set_page *p = page_of(s, from / BYTE_SET_PAGE);
        if (!p)
            return -1;
        set_bits(p->bits, at, now);
        from += now;
        n -= now;
    }
    return 0;
}

/* Pages that `to` does not have yet are not copied. */
int byte_set_move(struct byte_set *to, struct byte_set *from)
{
    int rc = 0;
    for (size_t i = 0; i < from->slots; i++) {
        struct byte_set_page *p = from->slot[i], *there = p ? find(to, p->number) : NULL;
        if (!p)
            continue;
        for (unsigned k = 0; there && k < BYTE_SET_PAGE / 64; k++)
            there->bits[k] |= p->bits[k];
        if (there)
            continue;
        if (2 * to->count >= to->slots && !grow(to)) {
            rc = -1;
            continue;
        }
        *slot_of(to->slot, to->slots, p->number) = p;
        to->count++;
        to->regions |= region_of(p->number);
        from->slot[i] = NULL;
    }
    byte_set_clear(from);
    return rc;
}

void byte_set_remove(struct byte_set *s, const struct byte_set *these)
{
    for (size_t i = 0; i < these->slots; i++) {
        const struct byte_set_page *p = these->slot[i];
        struct byte_set_page *there = p ? find(s, p->number) : NULL;
        for (unsigned k = 0; there && k < BYTE_SET_PAGE / 64; k++)
            there->bits[k] &= ~p->bits[k];
    }
}

bool byte_set_has(const struct byte_set *s, uint64_t address)
{
    const struct byte_set_page *p = find(s, address / BYTE_SET_PAGE);
    const unsigned at = (unsigned)(address % BYTE_SET_PAGE);
    return p && p->bits[at / 64] >> at % 64 & 1;
}

/* The lowest byte of two pages with one number. */
static bool meet(const struct byte_set_page *a, const struct byte_set_page *b, uint64_t *address)
{
    for (unsigned k = 0; k < BYTE_SET_PAGE / 64; k++) {
        uint64_t both = a->bits[k] & b->bits[k];
        unsigned bit = 0;
        if (!both)
            continue;
        while (!(both >> bit & 1))
            bit++;
        *address = a->number * BYTE_SET_PAGE + k * 64 + bit;
        return true;
    }
    return false;
}

/* The lowest of all, so that the answer does not depend on the tables. */
bool byte_set_meet(const struct byte_set *a, const struct byte_set *b, uint64_t *address)
{
    const struct byte_set *few = a->count < b->count ? a : b, *many = few == a ? b : a;
    bool found = false;
    uint64_t at;
    for (size_t i = 0; few->regions & many->regions && i < few->slots; i++) {
        const struct byte_set_page *p = few->slot[i];
        const bool near = p && region_of(p->number) & many->regions;
        const struct byte_set_page *q = near ? find(many, p->number) : NULL;
        if (!q || !meet(p, q, &at) || (found && at > *address))
            continue;
        *address = at;
        found = true;
    }
    return found;
}

void byte_set_clear(struct byte_set *s)
{
    for (size_t i = 0; i < s->slots; i++)
        mem_free(from_libc, s->slot[i], s->slot[i] ? sizeof *s->slot[i] : 0);
    mem_free(from_libc, s->slot, s->slots * sizeof(struct byte_set_page *));
    *s = (struct byte_set){0};
}

/* ---- whole sets ------------------------------------------------------------------------ */

uint64_t byte_set_bytes(const struct byte_set *s)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < s->slots; i++)
        for (unsigned k = 0; s->slot[i] && k < BYTE_SET_PAGE / 64; k++)
            bytes += (uint64_t)__builtin_popcountll(s->slot[i]->bits[k]);
    return bytes;
}

bool byte_set_same(const struct byte_set *a, const struct byte_set *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->slots; i++) {
        const struct byte_set_page *p = a->slot[i], *q = p ? find(b, p->number) : NULL;
        if (p && (!q || memcmp(p->bits, q->bits, sizeof p->bits) != 0))
            return false;
    }
    return true;
}

int byte_set_copy(struct byte_set *empty, const struct byte_set *s)
{
    for (size_t i = 0; i < s->slots; i++) {
        const struct byte_set_page *p = s->slot[i];
        struct byte_set_page *made = p ? page_of(empty, p->number) : NULL;
        if (p && !made)
            return -1;
        if (p)
            memcpy(made->bits, p->bits, sizeof p->bits);
    }
    return 0;
}

/* The first bit from `at` on that is `set` or not; the page's end if there is none. */
static unsigned next_bit(const struct byte_set_page *p, unsigned at, bool set)
{
    while (at < BYTE_SET_PAGE) {
        const uint64_t word = (set ? p->bits[at / 64] : ~p->bits[at / 64]) >> at % 64;
        if (word)
            return at + (unsigned)__builtin_ctzll(word);
        at += 64 - at % 64;
    }
    return BYTE_SET_PAGE;
}

bool byte_set_each(const struct byte_set *s, bool (*take)(void *, uint64_t from, unsigned n),
                   void *ctx)
{
    for (size_t i = 0; i < s->slots; i++) {
        const struct byte_set_page *p = s->slot[i];
        for (unsigned at = p ? next_bit(p, 0, true) : BYTE_SET_PAGE, end; at < BYTE_SET_PAGE;
             at = next_bit(p, end, true)) {
            end = next_bit(p, at, false);
            if (!take(ctx, p->number * BYTE_SET_PAGE + at, end - at))
                return false;
        }
    }
    return true;
}
