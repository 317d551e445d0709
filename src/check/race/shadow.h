/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who touched memory last: the shadow that the race checker looks into.
 *
 * Memory is cut into pages, and a page into lines of one size. Most accesses of a warp are evenly
 * spaced, so what a line remembers is strips: a warp's access by one instruction, lane i at
 * start + i * step, or turned round: at start + (i + turn) % 32 * step. The first access to a page
 * chooses the size of its lines, so that an access of a whole warp is about one strip of one line.
 *
 * A line keeps two strips of writes and two of reads. Where writes by different warps would push
 * each other out, a large line is split into small ones, and a small one is opened into cells, one
 * for each word or byte, which remember each lane.
 *
 * Where lanes lie further apart than they reach, other warps' lanes may lie between them. If those
 * are spaced alike, a page with large lines is dealt out by columns instead: a line is then `unit`
 * bytes wide and WARP rows high, each row `step` bytes behind the one before.
 *
 * Of reads the latest two are enough: a write that is ordered after both but not after a third
 * is rare. All of it is bounded (SHADOW_MOST); memory beyond that is not watched.
 */
#ifndef CHECK_RACE_SHADOW_H
#define CHECK_RACE_SHADOW_H

#include "base/lanes.h"
#include "check/chosen.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 16384, PAGE_SHIFT = 14, LINE = 128, LINE_SHIFT = 7, LINE_LEAST_SHIFT = 5, WARP = 32 };
#define SHADOW_MOST ((size_t)512 << 20) /* bytes that the shadow of one launch may take */
#define KEPT_MOST ((size_t)32 << 20)    /* of these, what is kept for the next launch */

/*
 * When, by which instruction, and whether no race with another such one: time << 24 | pc << 1 |
 * atomic. 0 is nobody. Times are compared by comparing keys.
 */
typedef uint64_t mark_key;
enum { PC_BITS = 23 };
static inline mark_key mark_make(uint64_t time, uint32_t pc, bool atomic)
{
    return time << (PC_BITS + 1) | (mark_key)pc << 1 | atomic;
}
static inline uint64_t mark_time(mark_key k) { return k >> (PC_BITS + 1); }
static inline uint32_t mark_pc(mark_key k) { return (uint32_t)(k >> 1) & ((1u << PC_BITS) - 1); }
static inline bool mark_atomic(mark_key k) { return k & 1; }
/* An atomic on the same bytes does not make a plain access forgotten: other atomics may race with
 * that one alone. */
static inline bool mark_outlives(mark_key old, mark_key now)
{
    return mark_atomic(now) && !mark_atomic(old);
}
/* Set in the time of a copy that runs beside its thread: it is over later (copies.h), and
 * until that is asked no time is late enough. */
#define MARK_COPY (UINT64_C(1) << 63)
static inline bool mark_copy(mark_key k) { return k & MARK_COPY; }

struct strip {
    mark_key key;
    uint32_t warp, lanes; /* warp: of the whole grid */
    int16_t start, step;  /* bytes from the line's start, of lane 0 even if it takes no part */
    uint16_t bytes;       /* a lane */
    uint16_t turn;        /* 0 where a lane takes no part */
};
static inline int strip_at(const struct strip *s, unsigned lane)
{
    return s->start + (int)((lane + s->turn) % WARP) * s->step;
}
/* The lanes that may touch a line of `size`; some of them may not. */
static inline uint32_t strip_inside(const struct strip *s, int size)
{
    if (s->turn || s->step <= 0)
        return s->lanes;
    int before = -s->start - s->bytes, after = size - s->start;
    uint32_t first = before < 0 ? 0 : (uint32_t)before / (uint32_t)s->step;
    uint32_t end = after <= 0 ? 0 : ((uint32_t)after - 1) / (uint32_t)s->step + 1;
    uint32_t below = end >= WARP ? UINT32_MAX : (1u << end) - 1;
    return first >= WARP ? 0 : s->lanes & below & UINT32_MAX << first;
}
/* Does it begin and end at words, in each lane? */
static inline bool strip_of_words(const struct strip *s)
{
    return !((s->start | s->step | s->bytes) & 3);
}
/* Lanes in a row, each next to the one before: no byte of its range is left out. */
static inline bool strip_dense(const struct strip *s)
{
    uint32_t row = s->lanes >> lane_first(s->lanes);
    int step = s->step < 0 ? -s->step : s->step;
    return (row & (row + 1)) == 0 && step <= s->bytes;
}

struct mark {
    mark_key key;
    uint32_t warp, lanes;
};
struct cell {
    struct mark write, read;
};

/* What a line is opened up into. */
struct cells {
    struct cell *at;    /* NULL: it is not opened */
    struct mark *older; /* of each cell the read before, by another warp; NULL while none has it */
    uint16_t count;
    uint8_t shift; /* a cell has 1 << shift bytes: 1 or 4 */
};

struct line {
    struct strip write[2], read[2];
    struct cells cells;
};

struct page {
    uint64_t number;
    struct line *lines; /* NULL: nothing has touched it */
    unsigned shift;     /* a line has 1 << shift bytes */
    int step, unit;     /* of columns; 0: it has none */
};

/* The page's columns that a strip touches, unit by unit: of each up to two, one below the other. */
struct column {
    struct line *line;
    struct strip strip; /* counts from the column's top */
};
static inline bool page_takes(const struct page *p, const struct strip *s)
{
    return s->step == p->step && !s->turn && (s->bytes | s->start) % p->unit == 0;
}
static inline int column_size(const struct page *p) { return WARP * p->step; }
unsigned page_columns(const struct page *, const struct strip *, int unit, struct column out[2]);

enum { POOL_SIZES = 16 };
struct chunk;
struct kept_chunks {
    struct chunk *first;
    size_t bytes;
    size_t taken; /* by the shadows of a launch that are there now */
    bool busy;    /* parts of a launch take chunks at one time */
};
void chunks_free(struct kept_chunks *);
bool chunks_plenty(const struct kept_chunks *); /* do all shadows take at most half of the most? */

struct shadow {
    struct kept_chunks *kept; /* from the launches before, for those to come */
    struct chosen *chosen;    /* what pcs are of */
    mark_key compared[2]; /* the last two, and */
    bool same;            /* whether they are one deed */
    struct page **pages; /* open hash by number */
    size_t page_count, page_slots;
    mark_key settled; /* what is not later can race no more with what is remembered now */
    size_t bytes; /* taken so far; what pages and lines take is given back at the end */
    bool full;    /* something found no room */
    struct chunk *chunks;
    void *spare[POOL_SIZES]; /* cells and marks given back, by how many they are */
};

/* Nothing tells them apart but the instruction of one source line. It may be in an unrolled loop, or
 * load another member of a struct. A load that the compiler did ahead is excused where the other
 * one is not, so these two are told apart. */
static inline bool shadow_same_deed(struct shadow *h, mark_key a, mark_key b)
{
    if (a == b || mark_time(a) != mark_time(b) || mark_atomic(a) != mark_atomic(b))
        return a == b;
    if (h->compared[0] != a || h->compared[1] != b) { /* the next lane asks for the same two */
        const uint32_t p = mark_pc(a), q = mark_pc(b);
        const struct sim_instruction *x = &h->chosen->code[p], *y = &h->chosen->code[q];
        h->compared[0] = a;
        h->compared[1] = b;
        h->same = x->line && x->line == y->line && x->file == y->file && x->kind == y->kind &&
                  chosen_is(h->chosen, CHOSEN_ONLY, p) == chosen_is(h->chosen, CHOSEN_ONLY, q);
    }
    return h->same;
}

void shadow_end(struct shadow *);
struct page *shadow_page(struct shadow *, uint64_t number); /* of global memory; NULL: no room */

/* Lines of this size for a page without any, or smaller ones than it has; false: no room. One with
 * columns is ready for any size: page_takes() says whether it can take an access as it is. */
bool page_cut(struct shadow *, struct page *, unsigned shift);
bool page_by_columns(struct shadow *, struct page *, const struct strip *); /* false: unfit */
void page_clear(struct shadow *, struct page *); /* as if nothing had touched it */
static inline bool page_ready(struct shadow *h, struct page *p, unsigned shift)
{
    return (p->lines && (p->step || p->shift <= shift || p->shift <= LINE_SHIFT)) ||
           page_cut(h, p, shift);
}

/* The bytes of a line of `size` that a strip touches, from..to; false where it touches none. */
bool strip_range(const struct strip *, int size, int *lo, int *hi);

/* Remember an access; the line's earlier ones were compared with it already. line_write gives
 * false where the line has to be cut smaller first. */
void line_read(struct shadow *, struct line *, int size, const struct strip *);
bool line_write(struct shadow *, struct line *, int size, const struct strip *);

/* The same for a cell. */
void cell_keep_older(struct shadow *, struct cells *, const struct cell *);
static inline void cell_read(struct shadow *h, struct cells *all, struct cell *c,
                             const struct mark *m)
{
    struct mark *r = &c->read;
    if (r->warp == m->warp && mark_time(r->key) == mark_time(m->key)) {
        r->lanes |= m->lanes;
        r->key = m->key;
        return;
    }
    if (r->key > h->settled && r->warp != m->warp)
        cell_keep_older(h, all, c);
    *r = *m;
}
static inline void cell_write(struct shadow *h, struct cells *all, struct cell *c,
                              const struct mark *m)
{
    struct mark *w = &c->write;
    if (w->key == m->key && w->warp == m->warp) {
        w->lanes |= m->lanes;
        return;
    }
    if (w->key > h->settled && mark_outlives(w->key, m->key)) {
        if (c->read.key > h->settled && c->read.warp != w->warp)
            cell_keep_older(h, all, c);
        c->read = *w; /* only what writes is compared with it there, as an atomic does */
    }
    *w = *m;
}

#endif
