/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who touched memory last: the shadow that the race checker looks into.
 *
 * Memory is cut into lines of 128 bytes. Most accesses of a warp are evenly spaced, so what a
 * line remembers is strips: a warp's access by one instruction, lane i at start + i * step, or
 * turned round: at start + (i + turn) % 32 * step. A line keeps two of writes and two of reads;
 * where writes by different hands, or those of single lanes, would push each other out, it is
 * opened into cells, one for each word or byte, which remember each lane.
 *
 * Of reads the latest two are enough: a write that is ordered after both but not after a third
 * is rare. All of it is bounded (SHADOW_MOST); memory beyond that is not watched.
 */
#ifndef OBS_SHADOW_H
#define OBS_SHADOW_H

#include "sim/sim.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE = 128, LINES = 32, WARP = 32 };
#define SHADOW_MOST ((size_t)512 << 20) /* bytes that the shadow of one launch may take */

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

struct strip {
    mark_key key;
    uint32_t warp, lanes; /* warp: of the whole grid */
    int16_t start, step;  /* bytes from the line's start, of lane 0 even if it takes no part */
    uint16_t bytes;       /* a lane */
    uint16_t turn;        /* 0 where a lane takes no part */
};
static inline int strip_at(const struct strip *s, int lane)
{
    return s->start + (lane + s->turn) % WARP * s->step;
}

struct mark {
    mark_key key;
    uint32_t warp, lanes;
};
struct cell {
    struct mark write, read[2];
};

struct line {
    struct strip write[2], read[2];
    struct cell *cells;
    uint8_t unit; /* bytes of a cell, 1 or 4 */
};

struct shadow_page {
    uint64_t number;
    struct line lines[LINES];
};

struct shadow {
    const struct sim_instruction *code; /* what pcs are of */
    struct shadow_page **pages; /* open hash by number */
    size_t page_count, page_slots;
    size_t bytes; /* taken so far, pages and cells */
    bool full;    /* something found no room */
};

void shadow_end(struct shadow *);
struct line *shadow_line(struct shadow *, uint64_t number); /* of global memory; NULL: no room */
void line_clear(struct shadow *, struct line *);

/* The bytes of the line that a strip touches, from..to; false where it touches none. */
bool strip_range(const struct strip *, int *lo, int *hi);

/* Remember an access; the line's earlier ones were compared with it already. `settled` tells
 * whether an earlier mark is ordered before all that may still come from this warp. */
void line_read(struct shadow *, struct line *, const struct strip *);
void line_write(struct shadow *, struct line *, const struct strip *);

#endif
