/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of who has which element, in plain C, and what follows from it: the sectors of each
 * request. The matrices, with rows that are padded on the device, and one run.
 */
#include "labs/matadd/work.h"

#include "labkit/floats.h"
#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/shape.h"

#include <string.h>

enum { WARP = 32, SECTOR = 32 };

static unsigned kind_of(const struct lab_variant *v)
{
    return (unsigned)v->tag & MATADD_KIND;
}

static unsigned threads_of(const struct matadd_shape *s)
{
    return s->block[0] * s->block[1];
}

static unsigned parts(uint64_t size, unsigned part)
{
    return (unsigned)divide_up(size, part);
}

void matadd_grid(struct matadd_shape *s, const struct lab_variant *v)
{
    const unsigned rows = (unsigned)s->rows, cols = (unsigned)s->cols, *b = s->block;
    if (kind_of(v) == BY_NUMBER || kind_of(v) == BY_ROW_BLOCKS) { /* one dimension */
        s->block[0] = threads_of(s);
        s->block[1] = 1;
    }
    switch (kind_of(v)) {
    case BY_ROWS:
        s->grid[0] = parts(rows, b[0]);
        s->grid[1] = parts(cols, b[1]);
        return;
    case BY_NUMBER:
        s->grid[0] = parts((uint64_t)rows * cols, threads_of(s));
        s->grid[1] = 1;
        return;
    case BY_ROW_BLOCKS:
        s->grid[0] = rows;
        s->grid[1] = 1;
        return;
    default:
        s->grid[0] = parts(cols, b[0]);
        s->grid[1] = parts(rows, b[1]);
    }
}

/* ---- who has which element -------------------------------------------------------------- */

static struct matadd_place place_of(const struct matadd_shape *s, unsigned kind, uint64_t block,
                                    unsigned thread, int turn)
{
    const uint64_t threads = threads_of(s), i = block * threads + thread;
    const unsigned x = (unsigned)(block % s->grid[0]) * s->block[0] + thread % s->block[0];
    const unsigned y = (unsigned)(block / s->grid[0]) * s->block[1] + thread / s->block[0];
    switch (kind) {
    case BY_ROWS: return (struct matadd_place){(int)x, (int)y};
    case BY_NUMBER:
        return (struct matadd_place){(int)(i / (unsigned)s->cols), (int)(i % (unsigned)s->cols)};
    case BY_ROW_BLOCKS:
        return (struct matadd_place){(int)block, (int)(thread + threads * (unsigned)turn)};
    default: return (struct matadd_place){(int)y, (int)x};
    }
}

bool matadd_place(const struct matadd_shape *s, const struct lab_variant *v, uint64_t warp,
                  int lane, int turn, struct matadd_place *out)
{
    const unsigned each = parts(threads_of(s), WARP); /* warps of a block */
    const unsigned thread = (unsigned)(warp % each) * WARP + (unsigned)lane;
    if (thread >= threads_of(s))
        return false;
    *out = place_of(s, kind_of(v), warp / each, thread, turn);
    return out->row < s->rows && out->col < s->cols;
}

/* Adds a sector to those of one request, unless it is there. Most often it is the last one. */
static unsigned add_sector(uint64_t sector[WARP], unsigned count, uint64_t number)
{
    unsigned k = count;
    while (k > 0 && sector[k - 1] != number)
        k--;
    if (k > 0)
        return count;
    sector[count] = number;
    return count + 1;
}

/* Of one warp in one turn, for one matrix. */
static bool add_request(const struct matadd_shape *s, const struct lab_variant *v, uint64_t warp,
                        int turn, struct matadd_loads *to)
{
    uint64_t sector[WARP];
    unsigned count = 0;
    for (int lane = 0; lane < WARP; lane++) {
        struct matadd_place p;
        if (matadd_place(s, v, warp, lane, turn, &p))
            count = add_sector(sector, count, ((uint64_t)p.row * (uint64_t)s->pitch +
                                               (uint64_t)p.col * sizeof(float)) / SECTOR);
    }
    to->requests += count > 0;
    to->sectors += count;
    return count > 0;
}

struct matadd_loads matadd_loads(const struct matadd_shape *s, const struct lab_variant *v)
{
    const uint64_t warps = (uint64_t)s->grid[0] * s->grid[1] * parts(threads_of(s), WARP);
    const bool walks = kind_of(v) == BY_ROW_BLOCKS;
    struct matadd_loads one = {0, 0};
    for (uint64_t warp = 0; warp < warps; warp++) {
        int turn = 0;
        while (add_request(s, v, warp, turn, &one) && walks)
            turn++;
    }
    return (struct matadd_loads){2 * one.requests, 2 * one.sectors}; /* of A and of B */
}

/* ---- the matrices ----------------------------------------------------------------------- */

static float *floats(size_t n)
{
    return mem_alloc(&allocator_libc, n * sizeof(float));
}

static size_t elements(const struct matadd_data *d)
{
    return (size_t)d->shape.rows * (size_t)d->shape.cols;
}

static void add(void *data, uint64_t from, uint64_t to)
{
    const struct matadd_data *d = data;
    const size_t cols = (size_t)d->shape.cols;
    for (size_t i = (size_t)from; i < to; i++)
        d->want[i / cols * d->row + i % cols] = d->a[i] + d->b[i];
}

int matadd_open(struct matadd_data *d, const struct matadd_shape *s, uint64_t seed,
                struct session *session, struct report *r)
{
    const size_t rows = (size_t)s->rows, cols = (size_t)s->cols;
    *d = (struct matadd_data){.shape = *s, .row = (size_t)s->pitch / sizeof(float)};
    d->all = rows * d->row;
    d->a = floats(rows * cols);
    d->b = floats(rows * cols);
    d->want = floats(d->all); /* zeroed */
    d->got = floats(d->all);
    if (!d->a || !d->b || !d->want || !d->got)
        return report_fail_limit(r, "out of memory; fewer rows or columns need less");
    if (floats_fill(session, "seed", "random", seed, d->a, rows * cols, r) ||
        floats_fill(session, "seed", "random", seed + 1, d->b, rows * cols, r))
        return -1;
    return lab_loop(session, rows * cols, add, d, r);
}

void matadd_close(struct matadd_data *d)
{
    mem_free(&allocator_libc, d->a, d->a ? elements(d) * sizeof(float) : 0);
    mem_free(&allocator_libc, d->b, d->b ? elements(d) * sizeof(float) : 0);
    mem_free(&allocator_libc, d->want, d->want ? d->all * sizeof(float) : 0);
    mem_free(&allocator_libc, d->got, d->got ? d->all * sizeof(float) : 0);
    *d = (struct matadd_data){.row = 0};
}

/* ---- one run ---------------------------------------------------------------------------- */

/* As cudaMemcpy2D does it: row by row, and nothing is written to the padding. */
static int send_rows(const struct matadd_data *d, const struct trial *t, const char *name,
                     const float *from, uint64_t *to)
{
    const size_t cols = (size_t)d->shape.cols;
    if (lab_array(t->session, d->all * sizeof(float), name, NULL, to, t->report))
        return -1;
    if (d->row == cols)
        return session_store(t->session, *to, from, d->all * sizeof(float), t->report);
    for (size_t i = 0; i < (size_t)d->shape.rows; i++)
        if (session_store(t->session, *to + i * d->row * sizeof(float), from + i * cols,
                          cols * sizeof(float), t->report))
            return -1;
    return 0;
}

int matadd_run(struct matadd_data *d, const struct matadd_shape *s,
               const struct matadd_loads *loads, const struct trial *t, struct attempt *got)
{
    const struct lab_launch l = {.module = "matadd", .kernel = t->variant->kernel,
                                 .grid = {s->grid[0], s->grid[1]},
                                 .block = {s->block[0], s->block[1]}};
    const size_t bytes = d->all * sizeof(float);
    uint64_t a, b, c;
    memset(d->got, 0, bytes);
    got->has_predicted = !t->variant->mended_by;
    got->predicted = loads->sectors;
    int failed = send_rows(d, t, "a", d->a, &a) || send_rows(d, t, "b", d->b, &b) ||
                 lab_array(t->session, bytes, "c", d->got, &c, t->report) ||
                 trial_launch(t, &l, got, PARAMS(a, b, c, s->rows, s->cols, s->pitch)) ||
                 session_fetch(t->session, d->got, c, bytes, t->report);
    lab_arrays_free(t->session);
    if (failed)
        return -1;
    attempt_array(got, d->got, d->want, d->all);
    if (got->has_counters)
        got->cost = got->counters.global_load_sectors + got->counters.global_store_sectors;
    return 0;
}
