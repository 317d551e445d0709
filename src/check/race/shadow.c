/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines, their strips and cells; and the pages in which lines stand.
 */
#include "check/race/shadow.h"

#include "base/mem.h"

#include <string.h>
#include <sys/mman.h>

static const struct allocator *const from = &allocator_libc;

/* ---- strips ---------------------------------------------------------------------------- */

bool strip_range(const struct strip *s, int size, int *lo, int *hi)
{
    int first = s->start + __builtin_ctz(s->lanes) * s->step;
    int last = s->start + (31 - __builtin_clz(s->lanes)) * s->step;
    *lo = first < last ? first : last;
    *hi = (first < last ? last : first) + s->bytes;
    if (*lo < 0)
        *lo = 0;
    if (*hi > size)
        *hi = size;
    return *lo < *hi;
}

/* The same lanes or more, and of each lane the same bytes or more. One lane may lie anywhere. */
static inline bool holds(const struct strip *now, const struct strip *old)
{
    int at = now->start, there = old->start;
    if (old->lanes & ~now->lanes)
        return false;
    if (!(old->lanes & (old->lanes - 1))) {
        at = strip_at(now, lane_first(old->lanes));
        there = strip_at(old, lane_first(old->lanes));
    } else if (now->step != old->step || now->turn != old->turn) {
        return false;
    }
    return at <= there && at + now->bytes >= there + old->bytes;
}

/* The same but for when and by which instruction: all behind the key, which has no padding. */
static inline bool same_hand(const struct strip *a, const struct strip *b)
{
    return memcmp(&a->warp, &b->warp, sizeof *a - offsetof(struct strip, warp)) == 0;
}

/* Does the new one touch every byte that the old one does? */
static inline bool covers(const struct strip *now, const struct strip *old, int size)
{
    int lo, hi, old_lo, old_hi;
    if (same_hand(now, old) || holds(now, old))
        return true;
    if (!now->step && (old->step >= now->bytes || -old->step >= now->bytes) &&
        old->lanes & (old->lanes - 1))
        return false;             /* one place can't hold lanes that lie further apart */
    if (!now->step && !old->step) /* each all at one place */
        return now->start <= old->start && now->start + now->bytes >= old->start + old->bytes;
    if (!strip_range(old, size, &old_lo, &old_hi))
        return true;
    return strip_dense(now) && strip_range(now, size, &lo, &hi) && lo <= old_lo && hi >= old_hi;
}

/* One lane more, next to the others as its number is to theirs: reads of lanes that come one by
 * one, since each lies in another line. */
static bool joins(struct shadow *h, struct strip *old, const struct strip *s)
{
    if (!old->key || !old->lanes || !s->lanes)
        return false;
    const int lane = __builtin_ctz(s->lanes), first = __builtin_ctz(old->lanes);
    const bool alone = old->lanes == 1u << first;
    const int step = alone ? s->bytes : old->step, at = strip_at(old, (unsigned)first);
    if (step != s->bytes || at + (lane - first) * step != s->start || old->bytes != s->bytes ||
        old->warp != s->warp || old->turn || !shadow_same_deed(h, old->key, s->key))
        return false;
    old->start = (int16_t)(at - first * step);
    old->step = (int16_t)step;
    old->lanes |= s->lanes;
    old->key = s->key;
    return true;
}

/* The same lanes in a loop, each within its own part: where it just was, or next to that. Their
 * strip grows. */
static bool goes_on(struct shadow *h, struct strip *old, const struct strip *s)
{
    int step = old->step < 0 ? -old->step : old->step;
    int start = old->start < s->start ? old->start : s->start;
    int end = old->start + old->bytes, s_end = s->start + s->bytes;
    if (old->warp != s->warp || old->lanes != s->lanes || old->turn != s->turn || s->start > end ||
        old->start > s_end || old->step != s->step)
        return false;
    end = end < s_end ? s_end : end;
    if (!old->key || (step && end - start > step) || !shadow_same_deed(h, old->key, s->key))
        return false;
    old->start = (int16_t)start;
    old->bytes = (uint16_t)(end - start);
    old->key = s->key;
    return true;
}

/* ---- room ------------------------------------------------------------------------------ */

/* Memory comes in chunks. When the shadow ends they are kept for the next launch's, or given back:
 * the system takes longer to hand out new memory than the checkers take to fill it. */
struct chunk {
    struct chunk *next;
    size_t size, used;
    size_t stale; /* what lies below may hold something from the launch before */
};

enum { CHUNK_FIRST = 64 << 10, CHUNK_LARGE = 2 << 20, ALIGNED = 64 };

/* A chunk has as many bytes as it is aligned to. The system is asked for one large page: then the
 * first touch costs one page fault instead of hundreds. */
static struct chunk *large_chunk(void)
{
    const size_t size = CHUNK_LARGE;
    char *p = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    char *at = (char *)(((uintptr_t)p + size - 1) & ~(uintptr_t)(size - 1));
    if (at > p)
        munmap(p, (size_t)(at - p));
    munmap(at + size, (size_t)(p + size - at));
#ifdef MADV_HUGEPAGE
    madvise(at, size, MADV_HUGEPAGE);
#endif
    return (struct chunk *)(void *)at;
}

static void free_chunk(struct chunk *c)
{
    if (c->size < CHUNK_LARGE)
        mem_free(from, c, c->size);
    else
        munmap(c, c->size);
}

static void lock(struct kept_chunks *kept)
{
    while (__atomic_test_and_set(&kept->busy, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(struct kept_chunks *kept)
{
    __atomic_clear(&kept->busy, __ATOMIC_RELEASE);
}

/* The first that was kept; NULL: there is none. */
static struct chunk *kept_chunk(struct kept_chunks *kept)
{
    lock(kept);
    struct chunk *c = kept->first;
    if (c) {
        kept->first = c->next;
        kept->bytes -= c->size;
    }
    unlock(kept);
    return c;
}

bool chunks_plenty(const struct kept_chunks *kept)
{
    return __atomic_load_n(&kept->taken, __ATOMIC_RELAXED) <= SHADOW_MOST / 2;
}

/* Each new chunk is larger than the one before, so that a small launch touches little memory. */
static struct chunk *new_chunk(const struct shadow *h)
{
    size_t size = h->chunks ? h->chunks->size * 4 : CHUNK_FIRST;
    size = size < CHUNK_LARGE ? size : CHUNK_LARGE;
    struct chunk *c = size < CHUNK_LARGE ? mem_alloc(from, size) : large_chunk();
    if (c)
        *c = (struct chunk){.size = size};
    return c;
}

static bool add_chunk(struct shadow *h)
{
    struct chunk *c = h->bytes + CHUNK_LARGE <= SHADOW_MOST ? kept_chunk(h->kept) : NULL;
    if (!c && h->bytes + CHUNK_LARGE <= SHADOW_MOST)
        c = new_chunk(h);
    if (!c)
        return false;
    c->next = h->chunks;
    c->used = ALIGNED;
    h->chunks = c;
    h->bytes += c->size;
    __atomic_add_fetch(&h->kept->taken, c->size, __ATOMIC_RELAXED);
    return true;
}

/* Zeroed memory that lives as long as the shadow; NULL: no room is left. */
static void *take_room(struct shadow *h, size_t bytes)
{
    bytes = (bytes + ALIGNED - 1) & ~(size_t)(ALIGNED - 1);
    while (!h->chunks || h->chunks->size - h->chunks->used < bytes)
        if (!add_chunk(h)) {
            h->full = true;
            return NULL;
        }
    struct chunk *c = h->chunks;
    char *p = (char *)c + c->used;
    if (c->used < c->stale)
        memset(p, 0, c->stale - c->used < bytes ? c->stale - c->used : bytes);
    c->used += bytes;
    return p;
}

/* Keeps chunks in the order in which they were taken, so that a small launch takes the small
 * ones. */
static void keep_chunks(struct shadow *h)
{
    while (h->chunks) {
        struct chunk *c = h->chunks;
        h->chunks = c->next;
        __atomic_sub_fetch(&h->kept->taken, c->size, __ATOMIC_RELAXED);
        lock(h->kept);
        const bool keep = h->kept->bytes + c->size <= KEPT_MOST;
        if (keep) {
            c->stale = c->used > c->stale ? c->used : c->stale;
            c->next = h->kept->first;
            h->kept->first = c;
            h->kept->bytes += c->size;
        }
        unlock(h->kept);
        if (!keep)
            free_chunk(c);
    }
}

void chunks_free(struct kept_chunks *kept)
{
    struct chunk *c;
    while ((c = kept_chunk(kept)))
        free_chunk(c);
}

/* ---- cells ----------------------------------------------------------------------------- */

/* Where pieces of memory given back are kept: cells and marks, each by how many they are. */
static unsigned spare_of(unsigned count, bool marks)
{
    return (unsigned)__builtin_ctz(count) + (marks ? POOL_SIZES / 2 : 0);
}

static size_t room_of(unsigned count, bool marks)
{
    return count * (marks ? sizeof(struct mark) : sizeof(struct cell));
}

/* Zeroed; NULL: no room is left. */
static void *pool_alloc(struct shadow *h, unsigned count, bool marks)
{
    void **spare = &h->spare[spare_of(count, marks)], *p = *spare;
    size_t bytes = room_of(count, marks);
    if (!p)
        return take_room(h, bytes);
    memcpy(spare, p, sizeof *spare);
    return memset(p, 0, bytes);
}

static void pool_free(struct shadow *h, void *p, unsigned count, bool marks)
{
    void **spare = &h->spare[spare_of(count, marks)];
    if (!p)
        return;
    memcpy(p, spare, sizeof *spare);
    *spare = p;
}

/* Another warp's read makes way; it is kept as the older one, if it may still matter. */
void cell_keep_older(struct shadow *h, struct cells *all, const struct cell *c)
{
    if (!all->older)
        all->older = pool_alloc(h, all->count, true);
    if (all->older)
        all->older[c - all->at] = c->read;
}

/* Each lane's bytes of a strip, cell by cell. */
static void mark_cells(struct shadow *h, struct cells *all, const struct strip *s, bool writes)
{
    EACH_LANE (lane, strip_inside(s, all->count << all->shift)) {
        int at = strip_at(s, lane), end = at + s->bytes;
        const struct mark m = {s->key, s->warp, 1u << lane};
        if (end <= 0)
            continue;
        int cell = at < 0 ? 0 : at >> all->shift, last = (end - 1) >> all->shift;
        for (; cell <= last && cell < all->count; cell++)
            if (writes)
                cell_write(h, all, &all->at[cell], &m);
            else
                cell_read(h, all, &all->at[cell], &m);
    }
}

static void free_cells(struct shadow *h, struct line *l)
{
    if (!l->cells.at)
        return;
    pool_free(h, l->cells.older, l->cells.count, true);
    pool_free(h, l->cells.at, l->cells.count, false);
    l->cells = (struct cells){0};
}

/* `at` is NULL where there is no room. */
static struct cells get_cells(struct shadow *h, int size, bool words)
{
    const unsigned shift = words ? 2 : 0, count = (unsigned)size >> shift;
    return (struct cells){
        .at = pool_alloc(h, count, false), .count = (uint16_t)count, .shift = (uint8_t)shift};
}

/* Open a line into cells that hold what its strips say; false: there is no room. */
static bool open_line(struct shadow *h, struct line *l, int size, bool words)
{
    l->cells = get_cells(h, size, words);
    if (!l->cells.at)
        return false;
    for (int i = 1; i >= 0; i--) {
        if (l->write[i].key)
            mark_cells(h, &l->cells, &l->write[i], true);
        if (l->read[i].key)
            mark_cells(h, &l->cells, &l->read[i], false);
    }
    memset(l->write, 0, sizeof l->write);
    memset(l->read, 0, sizeof l->read);
    return true;
}

/* Words become bytes, for accesses smaller than a word. */
static void split_cells(struct shadow *h, struct line *l, int size)
{
    const struct cells words = l->cells;
    struct cells bytes = get_cells(h, size, false);
    if (!bytes.at)
        return;
    bytes.older = words.older ? pool_alloc(h, bytes.count, true) : NULL;
    for (int i = 0; i < size; i++) {
        bytes.at[i] = words.at[i >> words.shift];
        if (bytes.older)
            bytes.older[i] = words.older[i >> words.shift];
    }
    free_cells(h, l);
    l->cells = bytes;
}

static void line_clear(struct shadow *h, struct line *l)
{
    free_cells(h, l);
    memset(l, 0, sizeof *l);
}

static bool all_of_words(const struct line *l, const struct strip *s)
{
    bool words = strip_of_words(s);
    for (int i = 0; i < 2; i++)
        words = words && (!l->write[i].key || strip_of_words(&l->write[i])) &&
                (!l->read[i].key || strip_of_words(&l->read[i]));
    return words;
}

static inline void cells_add(struct shadow *h, struct line *l, int size, const struct strip *s,
                             bool writes)
{
    if (l->cells.shift && !strip_of_words(s))
        split_cells(h, l, size);
    mark_cells(h, &l->cells, s, writes);
}

/* ---- remembering ----------------------------------------------------------------------- */

static void swap(struct strip *two)
{
    const struct strip first = two[0];
    two[0] = two[1];
    two[1] = first;
}

/* The same thread has read all of that for the same source line, and has waited for nobody
 * since. */
static inline bool read_before(struct shadow *h, const struct strip *old, const struct strip *s)
{
    return old->warp == s->warp && old->lanes && holds(old, s) &&
           shadow_same_deed(h, old->key, s->key);
}

void line_read(struct shadow *h, struct line *l, int size, const struct strip *s)
{
    struct strip *r = l->read;
    if (l->cells.at) {
        cells_add(h, l, size, s, false);
        return;
    }
    if (same_hand(&r[0], s)) {
        r[0].key = s->key;
        return;
    }
    if (!(s->lanes & (s->lanes - 1)) && read_before(h, &r[0], s))
        return;
    if (r[1].key && r[1].warp == s->warp && r[0].warp != s->warp)
        swap(r);
    if (s->lanes & (s->lanes - 1) || r[0].lanes == s->lanes ? goes_on(h, &r[0], s)
                                                            : joins(h, &r[0], s))
        return;
    if (r[0].key > h->settled && !(r[0].warp == s->warp && holds(s, &r[0]))) {
        bool keep = r[1].key > h->settled && r[1].warp != s->warp && r[0].warp == s->warp;
        if (!keep)
            r[1] = r[0];
    }
    r[0] = *s;
}

/* The same thread has just written all of that by plain stores, and tells no more by this one. */
static inline bool adds_nothing(const struct strip *old, const struct strip *s)
{
    return old->warp == s->warp && mark_time(old->key) == mark_time(s->key) &&
           !mark_atomic(old->key) && !mark_atomic(s->key) && holds(old, s);
}

/* Forgets a strip that can race no more, or only with accesses that race with the new write too. */
static inline void drop_covered(const struct shadow *h, struct strip *old, const struct strip *s,
                                int size)
{
    if (old->key &&
        (old->key <= h->settled || (!mark_outlives(old->key, s->key) && covers(s, old, size))))
        old->key = 0;
}

/* Two warps have written here, each with one lane: more are likely to come. */
static inline bool scattered(const struct shadow *h, const struct strip *old, const struct strip *s)
{
    return old->key > h->settled && old->warp != s->warp && !(s->lanes & (s->lanes - 1)) &&
           !(old->lanes & (old->lanes - 1));
}

bool line_write(struct shadow *h, struct line *l, int size, const struct strip *s)
{
    struct strip *w = l->write;
    int lo, hi;
    if (l->cells.at && strip_dense(s) && strip_range(s, size, &lo, &hi) && lo == 0 && hi == size)
        line_clear(h, l);
    if (l->cells.at) {
        cells_add(h, l, size, s, true);
        return true;
    }
    if (!(s->lanes & (s->lanes - 1)) && (adds_nothing(&w[0], s) || adds_nothing(&w[1], s)))
        return true;
    if (size <= LINE && scattered(h, &w[0], s) && open_line(h, l, size, all_of_words(l, s))) {
        mark_cells(h, &l->cells, s, true);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        drop_covered(h, &w[i], s, size);
        drop_covered(h, &l->read[i], s, size);
    }
    if (!w[0].key) {
        w[0] = *s;
        return true;
    }
    if (goes_on(h, &w[0], s))
        return true;
    if (w[1].key && goes_on(h, &w[1], s)) {
        swap(w);
        return true;
    }
    if (w[1].key && (adds_nothing(&w[0], s) || adds_nothing(&w[1], s)))
        return true;
    if (w[1].key && size > LINE)
        return false;
    if (w[1].key && open_line(h, l, size, all_of_words(l, s))) {
        mark_cells(h, &l->cells, s, true);
        return true;
    }
    w[1] = w[0];
    w[0] = *s;
    return true;
}

/* ---- pages ----------------------------------------------------------------------------- */

static int columns_across(const struct page *p)
{
    return p->step / p->unit;
}

static size_t lines_of(const struct page *p)
{
    if (!p->step)
        return (size_t)PAGE >> p->shift;
    return (size_t)columns_across(p) * (size_t)(PAGE / column_size(p) + 1);
}

/* Where the page's line begins. */
static int line_start(const struct page *p, size_t i)
{
    if (!p->step)
        return (int)(i << p->shift);
    return (int)i / columns_across(p) * column_size(p) + (int)i % columns_across(p) * p->unit;
}

unsigned page_columns(const struct page *p, const struct strip *s, int unit, struct column out[2])
{
    const int start = s->start + unit * p->unit + PAGE / p->step * p->step; /* not negative */
    const int across = start % p->step, row = start / p->step - PAGE / p->step;
    const int rows = (PAGE - across + p->step - 1) / p->step; /* of the page */
    unsigned n = 0;
    for (int top = row & -WARP; top <= row + WARP - 1; top += WARP) {
        const int above = top - row, below = (top + WARP < rows ? top + WARP : rows) - row;
        if (top < 0 || below <= 0)
            continue;
        uint32_t lanes = s->lanes & (below < WARP ? (1u << below) - 1 : UINT32_MAX);
        lanes &= above > 0 ? UINT32_MAX << above : UINT32_MAX;
        if (!lanes)
            continue;
        struct column *c = &out[n++];
        c->line = &p->lines[top / WARP * columns_across(p) + across / p->unit];
        c->strip = *s;
        c->strip.lanes = lanes;
        c->strip.start = (int16_t)(-above * p->step);
        c->strip.bytes = (uint16_t)p->unit;
    }
    return n;
}

static void put_strip(struct shadow *h, struct line *lines, int at, const struct strip *s,
                      bool writes)
{
    struct strip local = *s;
    local.start = (int16_t)(s->start - at);
    if (writes)
        line_write(h, &lines[at / LINE], LINE, &local);
    else
        line_read(h, &lines[at / LINE], LINE, &local);
}

/* A strip of a page, in each small line that it touches. */
static void deal(struct shadow *h, struct line *lines, const struct strip *s, bool writes)
{
    int lo, hi;
    if (!strip_range(s, PAGE, &lo, &hi))
        return;
    if (s->step < LINE && s->step > -LINE) {
        for (int at = lo & -LINE; at < hi; at += LINE)
            put_strip(h, lines, at, s, writes);
        return;
    }
    EACH_LANE (lane, s->lanes) {
        struct strip one = *s;
        one.lanes = 1u << lane;
        one.start = (int16_t)strip_at(s, lane);
        one.step = 0;
        one.turn = 0;
        for (int at = (one.start < 0 ? 0 : one.start) & -LINE;
             at < one.start + one.bytes && at < PAGE; at += LINE)
            put_strip(h, lines, at, &one, writes);
    }
}

/* One of four strips of a line, of the reads and of the writes the older first, as its page counts;
 * false: there is none. */
static bool strip_of(const struct page *p, size_t line, int i, struct strip *s)
{
    const struct line *l = &p->lines[line];
    *s = i > 1 ? l->write[i - 2] : l->read[i];
    s->start = (int16_t)(s->start + line_start(p, line));
    return s->key != 0;
}

bool page_cut(struct shadow *h, struct page *p, unsigned shift)
{
    const struct line *old = p->lines;
    struct strip s;
    shift = old ? LINE_SHIFT : shift;
    struct line *lines = take_room(h, ((size_t)PAGE >> shift) * sizeof *lines);
    if (!lines)
        return false;
    for (size_t i = 0; old && i < lines_of(p); i++)
        for (int k = 3; k >= 0; k--)
            if (strip_of(p, i, k, &s))
                deal(h, lines, &s, k > 1);
    p->lines = lines;
    p->shift = shift;
    p->step = p->unit = 0;
    return true;
}

/* False: it does not fit. */
static bool put_columns(struct shadow *h, const struct page *p, const struct strip *s, bool writes)
{
    struct column c[2];
    for (int unit = 0; unit < s->bytes / p->unit; unit++)
        for (unsigned i = page_columns(p, s, unit, c); i--;)
            if (!writes)
                line_read(h, c[i].line, column_size(p), &c[i].strip);
            else if (!line_write(h, c[i].line, column_size(p), &c[i].strip))
                return false;
    return true;
}

bool page_by_columns(struct shadow *h, struct page *p, const struct strip *s)
{
    struct page by = {.number = p->number, .shift = PAGE_SHIFT, .step = s->step, .unit = s->bytes};
    struct strip old;
    if (p->step || p->shift <= LINE_SHIFT || by.step * WARP <= LINE || by.step % by.unit ||
        !page_takes(&by, s) || !(by.lines = take_room(h, lines_of(&by) * sizeof *by.lines)))
        return false;
    for (size_t i = 0; i < lines_of(p); i++)
        for (int k = 3; k >= 0; k--)
            if (strip_of(p, i, k, &old) &&
                !(page_takes(&by, &old) && put_columns(h, &by, &old, k > 1)))
                return false;
    *p = by;
    return true;
}

void page_clear(struct shadow *h, struct page *p)
{
    for (size_t i = 0; p->lines && i < lines_of(p); i++)
        line_clear(h, &p->lines[i]);
}

static struct page **page_slot(struct page **slots, size_t count, uint64_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (count - 1);
    while (slots[i] && slots[i]->number != number)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static int widen(struct shadow *h)
{
    size_t wider = h->page_slots ? h->page_slots * 2 : 256;
    struct page **slots = mem_alloc(from, wider * sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < h->page_slots; i++)
        if (h->pages[i])
            *page_slot(slots, wider, h->pages[i]->number) = h->pages[i];
    mem_free(from, h->pages, h->page_slots * sizeof *h->pages);
    h->pages = slots;
    h->page_slots = wider;
    return 0;
}

struct page *shadow_page(struct shadow *h, uint64_t number)
{
    if (2 * h->page_count >= h->page_slots && widen(h) != 0) {
        h->full = true;
        return NULL;
    }
    struct page **at = page_slot(h->pages, h->page_slots, number);
    if (!*at && (*at = take_room(h, sizeof **at))) {
        (*at)->number = number;
        h->page_count++;
    }
    return *at;
}

void shadow_end(struct shadow *h)
{
    mem_free(from, h->pages, h->page_slots * sizeof *h->pages);
    keep_chunks(h);
    *h = (struct shadow){.kept = h->kept};
}
