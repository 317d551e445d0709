/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arrays, sorted by address, and their pages: see written.h.
 */
#include "check/written.h"

#include "base/mem.h"

#include <string.h>

enum { MOST_FREED = 4096 }; /* pieces of the heap that were given back and are still known */

static const struct allocator *const from = &allocator_libc;

static size_t first_above(const struct written *w, uint64_t address)
{
    size_t lo = 0, hi = w->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->arrays[mid]->address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

struct written_array *written_find(const struct written *w, uint64_t address)
{
    size_t above = first_above(w, address);
    struct written_array *a = above ? w->arrays[above - 1] : NULL;
    return a && address - a->address < a->bytes ? a : NULL;
}

static bool has_bits(const struct written_page *p)
{
    return p && p != WRITTEN_ALL;
}

/* A part of a launch reads the pages of the whole one; these stand elsewhere. */
static bool is_own(const struct written_array *a, size_t i)
{
    return has_bits(a->pages[i]) && a->pages[i]->place == &a->pages[i];
}

static size_t page_bytes(size_t words)
{
    return sizeof(struct written_page) + 2 * words * sizeof(uint64_t);
}

/* Takes the page off the list of pages with fresh bits, where the last one takes its place. */
static void free_page(struct written *w, struct written_page *p)
{
    if (!has_bits(p))
        return;
    if (p->listed) {
        struct written_page *last = w->changed[--w->changed_count];
        w->changed[p->listed - 1] = last;
        last->listed = p->listed;
    }
    mem_free(from, p, page_bytes(p->words));
}

static void free_pages(struct written *w, struct written_array *a)
{
    for (size_t i = 0; i < a->page_count; i++)
        if (is_own(a, i))
            free_page(w, a->pages[i]);
    mem_free(from, a->pages, a->page_count * sizeof *a->pages);
    a->pages = NULL;
    a->page_count = 0;
}

static void free_array(struct written *w, struct written_array *a)
{
    free_pages(w, a);
    mem_free(from, a, sizeof *a);
}

/* Forget the pieces of the heap that were given back, or all of them. */
static void drop_heap(struct written *w, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        struct written_array *a = w->arrays[i];
        if (a->heap && (all || a->freed))
            free_array(w, a);
        else
            w->arrays[kept++] = a;
    }
    w->count = kept;
    w->freed = 0;
    memset(w->hint, 0, sizeof w->hint);
}

void written_add(struct written *w, uint64_t address, uint64_t bytes, bool heap)
{
    struct written_array *a = bytes ? mem_alloc(from, sizeof *a) : NULL;
    if (!a || mem_grow(from, (void **)&w->arrays, &w->capacity, w->count, sizeof *w->arrays) < 0) {
        mem_free(from, a, sizeof *a);
        return;
    }
    size_t at = first_above(w, address);
    *a = (struct written_array){.address = address, .bytes = bytes, .heap = heap};
    a->page_count = (size_t)((bytes + WRITTEN_PAGE - 1) / WRITTEN_PAGE);
    a->pages = mem_alloc(from, a->page_count * (uint64_t)sizeof *a->pages);
    if (!a->pages) {
        a->page_count = 0;
        a->all = true;
    }
    memmove(w->arrays + at + 1, w->arrays + at, (w->count - at) * sizeof *w->arrays);
    w->arrays[at] = a;
    w->count++;
}

void written_remove(struct written *w, uint64_t address)
{
    size_t at = first_above(w, address);
    if (!at || w->arrays[at - 1]->address != address)
        return;
    free_array(w, w->arrays[at - 1]);
    memmove(w->arrays + at - 1, w->arrays + at, (w->count - at) * sizeof *w->arrays);
    w->count--;
}

/* A page of which everything is written, or nothing. */
static void set_page(struct written *w, struct written_array *a, size_t i,
                     struct written_page *whole)
{
    free_page(w, a->pages[i]);
    a->pages[i] = whole;
}

/* A copy for this part of a launch, in which all that the whole one knows counts as written. NULL:
 * there is no room. */
static struct written_page *own_page(struct written_array *a, size_t i)
{
    const struct written_page *p = a->pages[i];
    struct written_page *own = mem_alloc(from, page_bytes(p->words));
    if (!own) {
        a->all = true; /* what can't be remembered must count as written */
        return NULL;
    }
    own->place = &a->pages[i];
    own->words = p->words;
    own->fresh = own->bits + own->words;
    for (size_t k = 0; k < p->words; k++)
        own->bits[k] = p->bits[k] | p->fresh[k];
    return a->pages[i] = own;
}

/* The page with its bits, made where it had none; NULL: it is all written, or there is no room
 * for its bits, and then it counts as all written. */
static struct written_page *page_to_change(struct written_array *a, size_t i)
{
    struct written_page *p = a->pages[i];
    if (p)
        return p == WRITTEN_ALL ? NULL : is_own(a, i) ? p : own_page(a, i);
    uint64_t left = a->bytes - i * WRITTEN_PAGE, bytes = left < WRITTEN_PAGE ? left : WRITTEN_PAGE;
    size_t words = (size_t)((bytes + 63) / 64) + 1; /* one more: the last access may reach beyond the end */
    p = mem_alloc(from, page_bytes(words));
    a->pages[i] = p ? p : WRITTEN_ALL;
    if (!p)
        return NULL;
    p->place = &a->pages[i];
    p->words = words;
    p->fresh = p->bits + words;
    bits_set(p->bits, bytes, words * 64 - bytes);
    return p;
}

static void host_wrote(struct written *w, struct written_array *a, uint64_t at, uint64_t n)
{
    while (n && !a->all) {
        size_t i = (size_t)(at / WRITTEN_PAGE);
        uint64_t end = (i + 1) * (uint64_t)WRITTEN_PAGE;
        end = end < a->bytes ? end : a->bytes;
        uint64_t here = n < end - at ? n : end - at;
        if (at % WRITTEN_PAGE == 0 && at + here == end) {
            set_page(w, a, i, WRITTEN_ALL);
        } else {
            struct written_page *p = page_to_change(a, i);
            if (p)
                bits_set(p->bits, at % WRITTEN_PAGE, here);
        }
        at += here;
        n -= here;
    }
}

void written_by_host(struct written *w, uint64_t address, uint64_t bytes)
{
    struct written_array *a = bytes ? written_find(w, address) : NULL;
    if (!a)
        return;
    host_wrote(w, a, address - a->address, bytes);
    if (address == a->address && bytes == a->bytes)
        a->all = true;
}

/* Between launches no bits are fresh. */
bool written_has(const struct written *w, uint64_t address, uint64_t bytes)
{
    const struct written_array *a = written_find(w, address);
    if (!a || a->all)
        return true;
    for (uint64_t at = address - a->address, end = at + bytes, n; at < end; at += n) {
        const struct written_page *p = a->pages[at / WRITTEN_PAGE];
        const uint64_t in_page = at % WRITTEN_PAGE;
        n = WRITTEN_PAGE - in_page < end - at ? WRITTEN_PAGE - in_page : end - at;
        if (!p || (has_bits(p) && !bits_all(p->bits, p->fresh, in_page, n)))
            return false;
    }
    return true;
}

void written_copy(struct written *w, uint64_t to, const struct written *others, uint64_t at)
{
    struct written_array *a = written_find(w, to);
    const struct written_array *old = written_find(others, at);
    if (!a || !old || old->all || a->page_count != old->page_count)
        return;
    a->all = false;
    for (size_t i = 0; i < a->page_count; i++) {
        const struct written_page *bits = has_bits(old->pages[i]) ? old->pages[i] : NULL;
        set_page(w, a, i, bits ? NULL : old->pages[i]);
        struct written_page *p = bits ? page_to_change(a, i) : NULL;
        size_t words = p && p->words < bits->words ? p->words : bits ? bits->words : 0;
        if (p)
            memcpy(p->bits, bits->bits, words * sizeof *p->bits);
    }
}

void written_all(struct written *w)
{
    drop_heap(w, true);
    for (size_t i = 0; i < w->count; i++)
        w->arrays[i]->all = true;
}

struct written_page *written_change(struct written *w, struct written_array *a, uint64_t i)
{
    struct written_page *p = page_to_change(a, (size_t)i);
    if (!p || p->listed)
        return p;
    if (mem_grow(from, (void **)&w->changed, &w->changed_capacity, w->changed_count,
                 sizeof *w->changed) < 0) {
        a->all = true; /* what can't be remembered must count as written */
        return NULL;
    }
    w->changed[w->changed_count++] = p;
    p->listed = w->changed_count;
    return p;
}

void written_give_back(struct written *w, uint64_t address)
{
    struct written_array *a = written_find(w, address);
    if (!a || a->freed)
        return;
    free_pages(w, a);
    a->all = a->freed = true;
    if (++w->freed > MOST_FREED)
        drop_heap(w, false);
}

/* What was fresh is written now, and a page that is full needs no bits. */
static void settle(struct written *w, struct written_page *p, bool finished)
{
    uint64_t both = UINT64_MAX;
    p->listed = 0;
    for (size_t k = 0; k < p->words; k++) {
        p->bits[k] |= finished ? p->fresh[k] : 0;
        p->fresh[k] = 0;
        both &= p->bits[k];
    }
    if (both != UINT64_MAX)
        return;
    *p->place = WRITTEN_ALL;
    free_page(w, p);
}

static void settle_all(struct written *w, bool finished)
{
    for (size_t i = 0; i < w->changed_count; i++)
        settle(w, w->changed[i], finished);
    w->changed_count = 0;
}

void written_again(struct written *w)
{
    settle_all(w, false);
    memset(w->hint, 0, sizeof w->hint);
}

bool written_part(struct written *w, const struct written *of)
{
    for (size_t i = 0; i < of->count; i++) {
        const struct written_array *a = of->arrays[i];
        struct written_array *own = mem_alloc(from, sizeof *own);
        if (!own || mem_grow(from, (void **)&w->arrays, &w->capacity, w->count,
                             sizeof *w->arrays) < 0) {
            mem_free(from, own, sizeof *own);
            return false;
        }
        *own = *a;
        w->arrays[w->count++] = own;
        own->pages = mem_alloc(from, a->page_count * sizeof *own->pages);
        if (!own->pages) {
            own->page_count = 0;
            return false;
        }
        memcpy(own->pages, a->pages, a->page_count * sizeof *own->pages);
    }
    return true;
}

/* The page of a part becomes the whole launch's, where that has none. */
static bool move_page(struct written *w, struct written_array *a, size_t i, struct written_page *p)
{
    if (a->all || a->pages[i] ||
        mem_grow(from, (void **)&w->changed, &w->changed_capacity, w->changed_count,
                 sizeof *w->changed) < 0)
        return false;
    *p->place = NULL;
    p->place = &a->pages[i];
    a->pages[i] = p;
    w->changed[w->changed_count++] = p;
    p->listed = w->changed_count;
    return true;
}

void written_join(struct written *w, struct written *part)
{
    for (size_t i = 0; i < part->count; i++)
        w->arrays[i]->all |= part->arrays[i]->all;
    for (size_t i = 0; i < part->changed_count; i++) {
        struct written_page *p = part->changed[i];
        size_t k = 0;
        while (p->place < part->arrays[k]->pages ||
               p->place >= part->arrays[k]->pages + part->arrays[k]->page_count)
            k++;
        const size_t number = (size_t)(p->place - part->arrays[k]->pages);
        if (move_page(w, w->arrays[k], number, p))
            continue;
        struct written_page *to = written_change(w, w->arrays[k], number);
        for (size_t word = 0; to && word < p->words; word++)
            to->fresh[word] |= p->fresh[word];
        p->listed = 0;
    }
    part->changed_count = 0;
}

void written_settle(struct written *w, bool finished)
{
    settle_all(w, finished);
    if (!finished) /* the heap goes with a launch that fails */
        drop_heap(w, true);
}

void written_free(struct written *w)
{
    while (w->count)
        written_remove(w, w->arrays[w->count - 1]->address);
    mem_free(from, w->arrays, w->capacity * sizeof *w->arrays);
    mem_free(from, w->changed, w->changed_capacity * sizeof *w->changed);
    *w = (struct written){.count = 0};
}
