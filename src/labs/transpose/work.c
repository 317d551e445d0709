/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of which elements a warp accesses together, in plain C, and what follows from it: the
 * sectors of global memory, and the wavefronts of shared memory. The matrices, and one run.
 */
#include "labs/transpose/work.h"

#include "labkit/floats.h"
#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/shape.h"

#include <string.h>

enum { SECTOR = 32 / sizeof(float), FOUR = 4, WARP = 32 };

/* The elements that a warp accesses at once: `each` neighbours a lane, `lanes` along a row. */
struct warp_piece { unsigned rows, lanes, each; };
static const struct warp_piece along_row = {1, WARP, 1}, along_column = {WARP, 1, 1},
                               by_fours = {FOUR, WARP / FOUR, FOUR};

static const struct transpose_kernel {
    unsigned block[2], tile;
    const struct warp_piece *load, *store;
    enum { NO_TILE, ONE_BANK, ALL_BANKS } banks; /* that a warp uses when it loads from the tile */
    bool copies;
} kernels[] = {
    [BY_READING_ROWS] = {{32, 32}, 32, &along_row, &along_column, NO_TILE, false},
    [BY_WRITING_ROWS] = {{32, 32}, 32, &along_column, &along_row, NO_TILE, false},
    [BY_ONE_BANK] = {{32, 32}, 32, &along_row, &along_row, ONE_BANK, false},
    [BY_TILES] = {{32, 32}, 32, &along_row, &along_row, ALL_BANKS, false},
    [BY_FOUR_ROWS] = {{32, 8}, 32, &along_row, &along_row, ALL_BANKS, false},
    [BY_WIDE_TILES] = {{256, 1}, 64, &by_fours, &by_fours, ALL_BANKS, false},
    [BY_COPYING] = {{256, 1}, 64, &by_fours, &by_fours, NO_TILE, true},
    [WITHOUT_BARRIER] = {{32, 32}, 32, &along_row, &along_row, ALL_BANKS, false},
    [TO_SAME_PLACE] = {{32, 32}, 32, &along_row, &along_row, ALL_BANKS, false},
};

static struct transpose_size turned(struct transpose_size s)
{
    return (struct transpose_size){s.cols, s.rows};
}

static struct transpose_size size_of_b(const struct transpose_kernel *k, struct transpose_size s)
{
    return k->copies ? s : turned(s);
}

/* A float4 must not go beyond its row, and it begins at a multiple of 16 bytes. */
static const struct warp_piece *possible(const struct warp_piece *p, struct transpose_size matrix)
{
    return p->each > 1 && matrix.cols % FOUR ? &along_row : p;
}

struct transpose_launch transpose_launch(const struct lab_variant *v, struct transpose_size s)
{
    const struct transpose_kernel *k = &kernels[v->tag];
    const unsigned wide = (unsigned)divide_up((uint64_t)s.cols, k->tile);
    const unsigned high = (unsigned)divide_up((uint64_t)s.rows, k->tile);
    const bool x_is_row = k->load == &along_column;
    return (struct transpose_launch){
        .grid = {x_is_row ? high : wide, x_is_row ? wide : high},
        .block = {k->block[0], k->block[1]},
        .tile = k->tile,
        .copies = k->copies,
        .fours_read = possible(k->load, s)->each == FOUR,
        .fours_written = possible(k->store, size_of_b(k, s))->each == FOUR,
    };
}

/* ---- what a launch needs ---------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Of the piece that begins at this row and column. Its elements are visited by rising addresses. */
static uint64_t piece_sectors(const struct warp_piece *p, struct transpose_size m, int row, int col)
{
    const int below = least(m.rows, row + (int)p->rows);
    const int right = least(m.cols, col + (int)(p->lanes * p->each));
    int64_t last = -1;
    uint64_t sectors = 0;
    for (int i = row; i < below; i++) {
        const int64_t from = ((int64_t)i * m.cols + col) / SECTOR;
        const int64_t to = ((int64_t)i * m.cols + right - 1) / SECTOR;
        sectors += (uint64_t)(to - from) + (from != last);
        last = to;
    }
    return sectors;
}

struct piece_sums { uint64_t requests, sectors; };

static struct piece_sums accesses_of(const struct warp_piece *p, struct transpose_size m)
{
    struct piece_sums a = {0, 0};
    for (int row = 0; row < m.rows; row += (int)p->rows)
        for (int col = 0; col < m.cols; col += (int)(p->lanes * p->each)) {
            a.requests++;
            a.sectors += piece_sectors(p, m, row, col);
        }
    return a;
}

/* Each load from the tile gives a lane one float. */
static uint64_t tile_wavefronts(const struct transpose_kernel *k, const struct warp_piece *store,
                                uint64_t stores, struct transpose_size s)
{
    switch (k->banks) {
    case ONE_BANK: return (uint64_t)s.rows * (uint64_t)s.cols;
    case ALL_BANKS: return stores * store->each;
    default: return 0;
    }
}

struct transpose_needs transpose_needs(const struct lab_variant *v, struct transpose_size s)
{
    const struct transpose_kernel *k = &kernels[v->tag];
    const struct transpose_size b = size_of_b(k, s);
    const struct warp_piece *store = possible(k->store, b);
    const struct piece_sums loads = accesses_of(possible(k->load, s), s);
    const struct piece_sums stores = accesses_of(store, b);
    return (struct transpose_needs){loads.sectors, stores.sectors,
                                    tile_wavefronts(k, store, stores.requests, s)};
}

/* ---- the matrices ----------------------------------------------------------------------- */

static size_t elements(const struct transpose_data *d)
{
    return (size_t)d->size.rows * (size_t)d->size.cols;
}

static float *floats(size_t n)
{
    return mem_alloc(&allocator_libc, n * sizeof(float));
}

static void transpose(void *data, uint64_t from, uint64_t to)
{
    const struct transpose_data *d = data;
    const size_t rows = (size_t)d->size.rows, cols = (size_t)d->size.cols;
    for (size_t i = (size_t)from; i < to; i++)
        d->transposed[i] = d->a[i % rows * cols + i / rows];
}

int transpose_open(struct transpose_data *d, struct transpose_size size, const char *fill,
                   uint64_t seed, struct session *session, struct report *r)
{
    *d = (struct transpose_data){.size = size};
    const size_t n = elements(d);
    d->a = floats(n);
    d->transposed = floats(n);
    d->got = floats(n);
    if (!d->a || !d->transposed || !d->got)
        return report_fail_limit(r, "out of memory; fewer rows or columns need less");
    return floats_fill(session, "a", fill, seed, d->a, n, r) ||
                   lab_loop(session, n, transpose, d, r)
               ? -1
               : 0;
}

void transpose_close(struct transpose_data *d)
{
    const size_t bytes = elements(d) * sizeof(float);
    mem_free(&allocator_libc, d->a, d->a ? bytes : 0);
    mem_free(&allocator_libc, d->transposed, d->transposed ? bytes : 0);
    mem_free(&allocator_libc, d->got, d->got ? bytes : 0);
    *d = (struct transpose_data){.a = NULL};
}

/* ---- one run ---------------------------------------------------------------------------- */

int transpose_run(struct transpose_data *d, const struct trial *t,
                  const struct transpose_needs *predicted, struct attempt *got)
{
    const struct transpose_launch shape = transpose_launch(t->variant, d->size);
    const struct lab_launch l = {.module = "transpose", .kernel = t->variant->kernel,
                                 .grid = {shape.grid[0], shape.grid[1]},
                                 .block = {shape.block[0], shape.block[1]}};
    const size_t n = elements(d), bytes = n * sizeof(float);
    uint64_t a, b;
    memset(d->got, 0, bytes);
    got->has_predicted = !t->variant->mended_by;
    got->predicted = predicted->load_sectors;
    int failed = lab_array(t->session, bytes, "a", d->a, &a, t->report) ||
                 lab_array(t->session, bytes, "b", d->got, &b, t->report) ||
                 trial_launch(t, &l, got, PARAMS(a, b, d->size.rows, d->size.cols)) ||
                 session_fetch(t->session, d->got, b, bytes, t->report);
    lab_arrays_free(t->session);
    if (failed)
        return -1;
    attempt_array(got, d->got, shape.copies ? d->a : d->transposed, n);
    return 0;
}
