/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines, their strips and cells; and the pages in which lines of global memory are found.
 */
#include "obs/shadow.h"

#include "base/mem.h"

#include <string.h>

static const struct allocator *const from = &allocator_libc;

/* ---- strips ---------------------------------------------------------------------------- */

bool strip_range(const struct strip *s, int *lo, int *hi)
{
    int first = s->start + __builtin_ctz(s->lanes) * s->step;
    int last = s->start + (31 - __builtin_clz(s->lanes)) * s->step;
    *lo = first < last ? first : last;
    *hi = (first < last ? last : first) + s->bytes;
    if (*lo < 0)
        *lo = 0;
    if (*hi > LINE)
        *hi = LINE;
    return *lo < *hi;
}

static bool same_shape(const struct strip *a, const struct strip *b)
{
    return a->warp == b->warp && a->start == b->start && a->step == b->step &&
           a->bytes == b->bytes && a->turn == b->turn;
}

/* Lanes in a row, each next to the one before: no byte of its range is left out. */
static bool is_dense(const struct strip *s)
{
    uint32_t row = s->lanes >> __builtin_ctz(s->lanes);
    int step = s->step < 0 ? -s->step : s->step;
    return (row & (row + 1)) == 0 && step <= s->bytes;
}

/* The same but for when and by which instruction: all behind the key, which has no padding. */
static inline bool same_hand(const struct strip *a, const struct strip *b)
{
    return memcmp(&a->warp, &b->warp, sizeof *a - offsetof(struct strip, warp)) == 0;
}

/* Does the new one touch every byte that the old one does? */
static inline bool covers(const struct strip *now, const struct strip *old)
{
    int lo, hi, old_lo, old_hi;
    if (same_hand(now, old))
        return true;
    if (!now->step && !old->step) /* each all at one place */
        return now->start <= old->start && now->start + now->bytes >= old->start + old->bytes;
    if (same_shape(now, old) && !(old->lanes & ~now->lanes))
        return true;
    if (!strip_range(old, &old_lo, &old_hi))
        return true;
    return is_dense(now) && strip_range(now, &lo, &hi) && lo <= old_lo && hi >= old_hi;
}

static bool one_lane(const struct strip *s)
{
    return (s->lanes & (s->lanes - 1)) == 0;
}

/* Nothing tells them apart but, in an unrolled loop, the instruction of one source line. */
static bool same_deed(const struct shadow *h, mark_key a, mark_key b)
{
    const struct sim_instruction *x = &h->code[mark_pc(a)], *y = &h->code[mark_pc(b)];
    return a == b || (mark_time(a) == mark_time(b) && mark_atomic(a) == mark_atomic(b) &&
                      x->line && x->line == y->line && x->file == y->file && x->kind == y->kind);
}

/* The same lanes in a loop, each a word further than it just was and still within its own part:
 * their strip grows. */
static bool goes_on(const struct shadow *h, struct strip *old, const struct strip *s)
{
    int step = old->step < 0 ? -old->step : old->step;
    if (old->warp != s->warp || old->lanes != s->lanes || old->turn != s->turn ||
        s->bytes % 4 || old->bytes % 4 || !old->key || !same_deed(h, old->key, s->key))
        return false;
    if (!one_lane(s) && (old->step != s->step || old->bytes + s->bytes > step))
        return false;
    if (one_lane(s) && (old->step || s->step))
        return false;
    bool ahead = s->start == old->start + old->bytes;
    if (!ahead && s->start + s->bytes != old->start)
        return false;
    old->start = ahead ? old->start : s->start;
    old->bytes = (uint16_t)(old->bytes + s->bytes);
    old->key = s->key;
    return true;
}

/* ---- cells ----------------------------------------------------------------------------- */

static size_t cells_of(const struct line *l)
{
    return LINE / l->unit;
}

static void read_cell(struct cell *c, const struct mark *m)
{
    if (c->read[0].key && c->read[0].warp != m->warp)
        c->read[1] = c->read[0];
    else if (c->read[0].key && mark_time(c->read[0].key) == mark_time(m->key)) {
        c->read[0].lanes |= m->lanes;
        c->read[0].key = m->key;
        return;
    }
    c->read[0] = *m;
}

static void write_cell(struct cell *c, const struct mark *m)
{
    if (c->write.key == m->key && c->write.warp == m->warp)
        c->write.lanes |= m->lanes;
    else
        c->write = *m;
}

/* Each lane's bytes of a strip, cell by cell. */
static void mark_cells(struct line *l, const struct strip *s, void (*put)(struct cell *,
                                                                          const struct mark *))
{
    for (uint32_t left = s->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(s, lane), end = at + s->bytes;
        const struct mark m = {s->key, s->warp, 1u << lane};
        if (at >= LINE || end <= 0)
            continue;
        int cell = at < 0 ? 0 : at / l->unit, last = (end - 1) / l->unit;
        for (; cell <= last && cell < (int)cells_of(l); cell++)
            put(&l->cells[cell], &m);
    }
}

static void free_cells(struct shadow *h, struct line *l)
{
    if (!l->cells)
        return;
    h->bytes -= cells_of(l) * sizeof *l->cells;
    mem_put(from, l->cells, cells_of(l) * sizeof *l->cells);
    l->cells = NULL;
}

static struct cell *get_cells(struct shadow *h, unsigned unit)
{
    size_t bytes = LINE / unit * sizeof(struct cell);
    struct cell *c = h->bytes + bytes <= SHADOW_MOST ? mem_get(from, bytes) : NULL;
    h->bytes += c ? bytes : 0;
    h->full |= !c;
    return c;
}

/* Open a line into cells that hold what its strips say; false: there is no room. */
static bool open_line(struct shadow *h, struct line *l, unsigned unit)
{
    l->cells = get_cells(h, unit);
    if (!l->cells)
        return false;
    l->unit = (uint8_t)unit;
    for (int i = 1; i >= 0; i--) {
        if (l->write[i].key)
            mark_cells(l, &l->write[i], write_cell);
        if (l->read[i].key)
            mark_cells(l, &l->read[i], read_cell);
    }
    memset(l->write, 0, sizeof l->write);
    memset(l->read, 0, sizeof l->read);
    return true;
}

/* Words become bytes, for accesses smaller than a word. */
static void split_cells(struct shadow *h, struct line *l)
{
    struct cell *bytes = get_cells(h, 1);
    if (!bytes)
        return;
    for (int i = 0; i < LINE; i++)
        bytes[i] = l->cells[i / l->unit];
    free_cells(h, l);
    l->cells = bytes;
    l->unit = 1;
}

void line_clear(struct shadow *h, struct line *l)
{
    free_cells(h, l);
    memset(l, 0, sizeof *l);
}

static unsigned smallest(const struct line *l, const struct strip *s)
{
    unsigned n = s->bytes;
    for (int i = 0; i < 2; i++) {
        if (l->write[i].key && l->write[i].bytes < n)
            n = l->write[i].bytes;
        if (l->read[i].key && l->read[i].bytes < n)
            n = l->read[i].bytes;
    }
    return n < 4 ? 1 : 4;
}

/* ---- remembering ----------------------------------------------------------------------- */

void line_read(struct shadow *h, struct line *l, const struct strip *s)
{
    struct strip *r = l->read;
    if (l->cells) {
        if (s->bytes < l->unit)
            split_cells(h, l);
        mark_cells(l, s, read_cell);
        return;
    }
    if (same_hand(&r[0], s)) {
        r[0].key = s->key;
        return;
    }
    if (goes_on(h, &r[0], s))
        return;
    if (r[0].key && !same_shape(&r[0], s)) {
        bool keep = r[1].key && r[1].warp != s->warp && r[0].warp == s->warp;
        if (!keep)
            r[1] = r[0];
    }
    r[0] = *s;
}

void line_write(struct shadow *h, struct line *l, const struct strip *s)
{
    struct strip *w = l->write;
    int lo, hi;
    if (l->cells && is_dense(s) && strip_range(s, &lo, &hi) && lo == 0 && hi == LINE)
        line_clear(h, l);
    if (l->cells) {
        if (s->bytes < l->unit)
            split_cells(h, l);
        mark_cells(l, s, write_cell);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (w[i].key && covers(s, &w[i]))
            w[i].key = 0;
        if (l->read[i].key && covers(s, &l->read[i]))
            l->read[i].key = 0;
    }
    if (!w[0].key) {
        w[0] = *s;
        return;
    }
    if (goes_on(h, &w[0], s))
        return;
    if (w[1].key && open_line(h, l, smallest(l, s))) {
        mark_cells(l, s, write_cell);
        return;
    }
    w[1] = w[0];
    w[0] = *s;
}

/* ---- global memory --------------------------------------------------------------------- */

static struct shadow_page **page_slot(struct shadow_page **slots, size_t count, uint64_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (count - 1);
    while (slots[i] && slots[i]->number != number)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static int widen(struct shadow *h)
{
    size_t wider = h->page_slots ? h->page_slots * 2 : 256;
    struct shadow_page **slots = mem_get(from, wider * sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < h->page_slots; i++)
        if (h->pages[i])
            *page_slot(slots, wider, h->pages[i]->number) = h->pages[i];
    mem_put(from, h->pages, h->page_slots * sizeof *h->pages);
    h->pages = slots;
    h->page_slots = wider;
    return 0;
}

struct line *shadow_line(struct shadow *h, uint64_t number)
{
    uint64_t page = number / LINES;
    if (2 * h->page_count >= h->page_slots && widen(h) != 0) {
        h->full = true;
        return NULL;
    }
    struct shadow_page **at = page_slot(h->pages, h->page_slots, page);
    if (!*at) {
        if (h->bytes + sizeof **at > SHADOW_MOST || !(*at = mem_get(from, sizeof **at))) {
            h->full = true;
            return NULL;
        }
        (*at)->number = page;
        h->bytes += sizeof **at;
        h->page_count++;
    }
    return &(*at)->lines[number % LINES];
}

void shadow_end(struct shadow *h)
{
    for (size_t i = 0; i < h->page_slots; i++) {
        struct shadow_page *p = h->pages[i];
        for (unsigned k = 0; p && k < LINES; k++)
            free_cells(h, &p->lines[k]);
        mem_put(from, p, p ? sizeof *p : 0);
    }
    mem_put(from, h->pages, h->page_slots * sizeof *h->pages);
    *h = (struct shadow){0};
}
