/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One request as a strip of memory: a row for each cache line, in it four sectors of eight words,
 * and in each word a letter for the lane that reads it. What is moved and not read is a dot; a
 * sector that is not moved stays empty.
 */
#include "labs/coalesce/draw.h"

#include "screen/pen.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <string.h>

enum {
    LABEL = 12, WORD = 4, SECTOR_WORDS = SECTOR_BYTES / WORD,
    LINE_SECTORS = CACHE_LINE_BYTES / SECTOR_BYTES, ROWS = 6
};
enum { NO_LANE = -1, SEVERAL = -2 };

/* Which lane reads the word at this byte? */
static int reader_of(const struct access_request *q, uint64_t byte)
{
    int reader = NO_LANE;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (q->mask >> lane & 1 && q->at[lane] < byte + WORD && q->at[lane] + q->bytes > byte)
            reader = reader == NO_LANE ? lane : SEVERAL;
    return reader;
}

static bool has(const uint64_t *list, unsigned count, uint64_t number)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

static int column_of(unsigned sector)
{
    return LABEL + (int)sector * (SECTOR_WORDS + 1);
}

static unsigned sectors_a_part(const struct report *r)
{
    unsigned sectors = LINE_SECTORS;
    while (sectors > 1 && column_of(sectors) - 1 > r->width)
        sectors /= 2;
    return sectors;
}

static void draw_sector(struct pen *p, const struct access_request *q, uint64_t sector)
{
    for (unsigned word = 0; word < SECTOR_WORDS; word++) {
        int lane = reader_of(q, sector * SECTOR_BYTES + word * WORD);
        char cell = lane == NO_LANE   ? '.'
                    : lane == SEVERAL ? '*'
                                      : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"[lane];
        pen_put(p, lane == NO_LANE ? INK_DIM : INK_GOOD, "%c", cell);
    }
}

static void draw_part(struct report *r, const struct access_request *q, const uint64_t *lines,
                      unsigned shown, unsigned from, unsigned to)
{
    uint64_t sectors[TOUCHED_MOST];
    unsigned count = request_touches(q, SECTOR_BYTES, sectors);
    struct pen p = pen_of(r);
    pen_put(&p, INK_HEADING, "sector");
    for (unsigned sector = from; sector < to; sector++) {
        pen_to(&p, column_of(sector - from));
        pen_put(&p, INK_HEADING, "%u", sector);
    }
    pen_end(&p);
    for (unsigned i = 0; i < shown; i++) {
        pen_put(&p, INK_PLAIN, "line %" PRIu64, lines[i]);
        for (unsigned sector = from; sector < to; sector++) {
            uint64_t number = lines[i] * LINE_SECTORS + sector;
            pen_to(&p, column_of(sector - from));
            if (has(sectors, count, number))
                draw_sector(&p, q, number);
        }
        pen_end(&p);
    }
}

/* "lanes 0 to 7, lane 9" */
static void tell_lanes(struct buf *out, const struct access_request *q, uint64_t sector)
{
    const uint64_t from = sector * SECTOR_BYTES, to = from + SECTOR_BYTES;
    bool any = false;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int last = lane;
        while (last < WARP_LANES && q->mask >> last & 1 && q->at[last] < to &&
               q->at[last] + q->bytes > from)
            last++;
        if (last == lane)
            continue;
        buf_printf(out, last - lane > 1 ? "%slanes %d to %d" : "%slane %d", any ? ", " : " ", lane,
                   last - 1);
        any = true;
        lane = last - 1;
    }
}

/* Says a line: "Line 0: sector 0 for lanes 0 to 7; sector 1 for lanes 8 to 15." */
static void tell_line(struct report *r, const struct access_request *q, uint64_t line)
{
    uint64_t sectors[TOUCHED_MOST];
    unsigned count = request_touches(q, SECTOR_BYTES, sectors);
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "Line %" PRIu64 ":", line);
    for (unsigned sector = 0; sector < LINE_SECTORS; sector++) {
        uint64_t number = line * LINE_SECTORS + sector;
        if (!has(sectors, count, number))
            continue;
        buf_printf(&text, "%s sector %u for", any ? ";" : "", sector);
        tell_lanes(&text, q, number);
        any = true;
    }
    buf_puts(&text, ".");
    pen_tell(r, &text, 0);
}

void access_draw(const struct access_request *q, struct report *r)
{
    uint64_t lines[TOUCHED_MOST];
    unsigned count = request_touches(q, CACHE_LINE_BYTES, lines);
    unsigned shown = count > ROWS + 1 ? ROWS : count, part = sectors_a_part(r);
    for (unsigned i = 0; r->plain && i < shown; i++)
        tell_line(r, q, lines[i]);
    for (unsigned from = 0; !r->plain && from < LINE_SECTORS; from += part)
        draw_part(r, q, lines, shown, from, from + part);
    if (shown < count)
        say_wrapped(r, 0, "and %u lines more, the last is line %" PRIu64 "%s",
                    count - shown, lines[count - 1], r->plain ? "." : "");
}
