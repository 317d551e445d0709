/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a plane, on the device and in plain C side by side; see plane.h.
 */
#include "labkit/plane/plane.h"

#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/shape.h"
#include "screen/pen.h"

#include <string.h>

/* ---- sizes ------------------------------------------------------------------------------ */

unsigned plane_pitch(unsigned wide)
{
    const unsigned step = PLANE_PITCH_BYTES / sizeof(float);
    return (wide + step - 1) / step * step;
}

bool plane_fits(const struct plane_shape *p)
{
    return p->wide % p->tile[0] == 0 && p->high % p->tile[1] == 0;
}

int plane_shape(struct plane_shape *p, const unsigned size[3], const unsigned tile[3],
                const struct device_props *device, struct report *r)
{
    const unsigned most = (unsigned)device->max_threads_per_block;
    *p = (struct plane_shape){
        .wide = size[0], .high = size[1], .tile = {tile[0], tile[1]}, .each = 1};
    if (size[2] > 1 || tile[2] > 1)
        return report_fail(r, "it has two dimensions, as in 100x60, and so has --tile, as in 32x8");
    if ((uint64_t)p->wide * p->high > PLANE_MOST)
        return report_fail(r, "%ux%u are more than %d points; take a smaller size", p->wide,
                           p->high, PLANE_MOST);
    if (most && (uint64_t)p->tile[0] * p->tile[1] > most)
        return report_fail(r, "--tile %ux%u: a block has at most %u threads here", p->tile[0],
                           p->tile[1], most);
    p->blocks[0] = (unsigned)divide_up(p->wide, p->tile[0]);
    p->blocks[1] = (unsigned)divide_up(p->high, p->tile[1]);
    if (device->max_grid[1] && p->blocks[1] > (uint64_t)device->max_grid[1])
        return report_fail(r, "%u blocks one below the other: a grid has at most %lld in y; take "
                              "a higher --tile", p->blocks[1], (long long)device->max_grid[1]);
    return blocks_in_grid(p->blocks[0], device, r);
}

struct plane_shape plane_by_fours(const struct plane_shape *p)
{
    struct plane_shape fours = *p;
    fours.each = 4;
    fours.blocks[0] = (unsigned)divide_up(p->wide, fours.each * p->tile[0]);
    return fours;
}

int plane_store(const struct plane_steps *of, const struct trial *t, uint64_t to,
                const float *plane)
{
    const struct plane_shape *p = &of->shape;
    for (unsigned y = 0; y < p->high; y++)
        if (session_store(t->session, to + (uint64_t)y * of->pitch * sizeof(float),
                          plane + (size_t)y * p->wide, p->wide * sizeof(float), t->report))
            return -1;
    return 0;
}

/* ---- steps ------------------------------------------------------------------------------ */

struct stepping {
    const struct plane_steps *of;
    const struct trial *trial;
    uint64_t at[2];
    size_t points, bytes, rows_bytes; /* bytes: of points; rows_bytes: with what is between rows */
    float *plain[2], *got, *rows;
};

static int fetch_rows(const struct stepping *s, uint64_t from)
{
    const struct plane_shape *p = &s->of->shape;
    if (session_fetch(s->trial->session, s->rows, from, s->rows_bytes, s->trial->report))
        return -1;
    for (unsigned y = 0; y < p->high; y++)
        memcpy(s->got + (size_t)y * p->wide, s->rows + (size_t)y * s->of->pitch,
               p->wide * sizeof(float));
    return 0;
}

static int begin(struct stepping *s)
{
    static const char *const name[] = {"u", "v"};
    const struct trial *t = s->trial;
    for (int k = 0; k < 2; k++)
        if (lab_array(t->session, s->rows_bytes, name[k], NULL, &s->at[k], t->report))
            return -1;
    memcpy(s->plain[0], s->of->start, s->bytes);
    if (plane_store(s->of, t, s->at[0], s->of->start))
        return -1;
    return s->of->open ? s->of->open(s->of->self, t, s->at) : 0;
}

/* A step in plain C. Its parts are rows. */
struct plain_step { const struct plane_steps *of; const float *before; float *after; unsigned rows; };

static int step_rows(void *self, uint64_t part, void *made, struct err *e)
{
    const struct plain_step *p = self;
    const unsigned high = p->of->shape.high, row = (unsigned)part * p->rows, left = high - row;
    (void)made, (void)e;
    p->of->plain(p->of->self, p->before, p->after, row, left < p->rows ? high : row + p->rows);
    return 0;
}

static int step_plainly(const struct stepping *s, const float *before, float *after)
{
    enum { POINTS = 1 << 16 }; /* of a part, about */
    const struct plane_shape *shape = &s->of->shape;
    struct plain_step p = {s->of, before, after, POINTS / shape->wide + 1};
    return lab_do_parts(s->trial->session,
                        &(struct parts){.count = divide_up(shape->high, p.rows), .self = &p,
                                        .make = step_rows}, s->trial->report);
}

static int take_step(struct stepping *s, unsigned k, struct attempt *got)
{
    const struct plane_steps *of = s->of;
    const unsigned from = of->one_array ? 0 : k % 2, to = of->one_array ? 0 : 1 - from;
    float *before = s->plain[k % 2], *after = s->plain[1 - k % 2];
    if (lab_host_goes_on(s->trial->session, s->trial->report) ||
        of->launch(of->self, s->trial, s->at, from, got))
        return -1;
    if (got->not_run[0] || (got->fault[0] && got->fault_ends))
        return 0;
    if (fetch_rows(s, s->at[to]) || step_plainly(s, before, after))
        return -1;
    attempt_array(got, s->got, after, s->points);
    if (of->seen)
        of->seen(of->self, k + 1, before, after);
    return 0;
}

static int take_steps(struct stepping *s, struct attempt *got, unsigned *done)
{
    int failed = begin(s);
    got->right = !failed;
    for (*done = 0; *done < s->of->steps && !failed && got->right && !got->fault[0] &&
                    !got->not_run[0];
         ++*done)
        failed = take_step(s, *done, got);
    if (s->of->close)
        s->of->close(s->of->self, s->trial);
    if (got->fault[0] && got->fault_ends) { /* nothing came out of it */
        got->right = false;
        got->wrong = s->points;
    }
    return failed;
}

int plane_run(const struct plane_steps *of, const struct trial *t, struct attempt *got,
              unsigned *done, float *out)
{
    struct stepping s = {.of = of, .trial = t};
    s.points = (size_t)of->shape.wide * of->shape.high;
    s.bytes = s.points * sizeof(float);
    s.rows_bytes = ((size_t)(of->shape.high - 1) * of->pitch + of->shape.wide) * sizeof(float);
    s.plain[0] = mem_alloc(&allocator_libc, s.bytes);
    s.plain[1] = mem_alloc(&allocator_libc, s.bytes);
    s.got = mem_alloc(&allocator_libc, s.bytes);
    s.rows = mem_alloc(&allocator_libc, s.rows_bytes);
    int failed = s.plain[0] && s.plain[1] && s.got && s.rows
                     ? take_steps(&s, got, done)
                     : report_fail_limit(t->report, "out of memory; take a smaller size");
    if (!failed && out)
        memcpy(out, s.got, s.bytes);
    mem_free(&allocator_libc, s.plain[0], s.bytes);
    mem_free(&allocator_libc, s.plain[1], s.bytes);
    mem_free(&allocator_libc, s.got, s.bytes);
    mem_free(&allocator_libc, s.rows, s.rows_bytes);
    lab_arrays_free(t->session);
    return failed ? -1 : 0;
}

enum { MAP_LABEL = 8 }; /* columns before the cells */

/* ---- drawing ---------------------------------------------------------------------------- */

/* The mean of the points from `from` to before `to`, in both directions. */
static double mean(const float *plane, unsigned wide, const unsigned from[2], const unsigned to[2])
{
    double sum = 0;
    for (unsigned y = from[1]; y < to[1]; y++)
        for (unsigned x = from[0]; x < to[0]; x++)
            sum += plane[(size_t)y * wide + x];
    return sum / ((double)(to[0] - from[0]) * (to[1] - from[1]));
}

void plane_map(struct plane_map *m, const float *plane, unsigned wide, unsigned high, int width)
{
    const int fit = (width - MAP_LABEL) / 2;
    const unsigned most = fit < 1 ? 1 : fit < PLANE_MAP_COLUMNS ? (unsigned)fit : PLANE_MAP_COLUMNS;
    m->columns = wide < most ? wide : most;
    const uint64_t square = ((uint64_t)high * m->columns + wide - 1) / wide; /* at most `high` */
    m->rows = square < PLANE_MAP_ROWS ? (unsigned)square : PLANE_MAP_ROWS;
    for (unsigned y = 0; y < m->rows; y++)
        for (unsigned x = 0; x < m->columns; x++) {
            const unsigned from[2] = {(unsigned)((uint64_t)x * wide / m->columns),
                                      (unsigned)((uint64_t)y * high / m->rows)};
            const unsigned to[2] = {(unsigned)((uint64_t)(x + 1) * wide / m->columns),
                                    (unsigned)((uint64_t)(y + 1) * high / m->rows)};
            m->cell[y * m->columns + x] = mean(plane, wide, from, to);
        }
}

void say_plane_map(struct report *r, const struct plane_map *m)
{
    say_heat_map(r, &(struct heat_map){.row_name = "row", .column_name = "column",
                                       .rows = m->rows, .columns = m->columns,
                                       .values = m->cell, .bare = true});
    const struct extremes range = extremes_of(m->cell, (size_t)m->rows * m->columns);
    say_item(r, "range", "%.4g to %.4g, as the digits 0 to 9", range.lo, range.hi);
}
