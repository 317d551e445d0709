/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row for each way to multiply: the shape of its blocks and tiles, from which its launch and
 * the number of its loads follow. And one run, which is a launch or a call of cuBLAS.
 */
#include "labs/matmul/work.h"

#include "dev/jobs.h"
#include "labkit/lab.h"
#include "labkit/shape.h"

enum { WARP = 32, ENOUGH_BLOCKS = 128 };

struct rung {
    unsigned block[2];         /* threads */
    unsigned rows, cols;       /* of C that a block computes */
    unsigned depth;            /* columns of its tile of A; 0: it has no tiles */
    unsigned width;            /* elements that one load reads */
    unsigned shared_bytes;     /* that the launch asks for */
    const char *kernel;        /* NULL: that of the variant */
};

static const struct rung rungs[] = {
    [BY_ROWX] = {{32, 8}, 32, 8, 0, 1},
    [BY_COLX] = {{32, 8}, 8, 32, 0, 1},
    [BY_TILES16] = {{16, 16}, 16, 16, 16, 1},
    [BY_TILES32] = {{32, 32}, 32, 32, 32, 1},
    [BY_REGISTERS] = {{16, 16}, 64, 64, 16, 1},
    [BY_MORE_REGISTERS] = {{16, 16}, 128, 128, 8, 1},
    [BY_WIDE_LOADS] = {{256, 1}, 128, 128, 8, 4},
    [BY_BUFFERS] = {{256, 1}, 128, 128, 8, 4},
    [BY_ASYNC_COPIES] = {{256, 1}, 128, 128, 8, 4},
    [BY_TENSOR_CORES] = {{128, 1}, 64, 64, 16, 8},
    [BY_FRAGMENTS] = {{256, 1}, 256, 128, 64, 8,
                      3 * 2 * (256 * 64 + 64 * 128) /* three stages of f16 */},
};

/* The largest tiles are the best, if there are enough blocks for the multiprocessors of a card. The
 * kernel with the first ones has no tests, so they must fit. */
static const struct rung warp_tiles[] = {
    {{256, 1}, 128, 128, 8, 4, 0, NULL},
    {{128, 1}, 64, 128, 8, 4, 0, "matmul_warptile64"},
    {{128, 1}, 64, 32, 16, 4, 0, "matmul_warptile32"},
};
enum { WARP_TILES = sizeof warp_tiles / sizeof warp_tiles[0] };

/* ---- shape ------------------------------------------------------------------------------ */

static unsigned parts(int size, unsigned part)
{
    return (unsigned)divide_up((uint64_t)size, part);
}

static bool tiles_fit(const struct rung *g, struct matmul_size z)
{
    return (unsigned)z.m % g->rows == 0 && (unsigned)z.n % g->cols == 0 &&
           (unsigned)z.k % g->depth == 0;
}

static const struct rung *rung_of(const struct lab_variant *v, struct matmul_size z)
{
    const struct rung *g = warp_tiles, *last = warp_tiles + WARP_TILES - 1;
    if (v->tag != BY_WARP_TILES)
        return &rungs[v->tag];
    g += !tiles_fit(g, z);
    while (g < last && parts(z.m, g->rows) * parts(z.n, g->cols) < ENOUGH_BLOCKS)
        g++;
    return g;
}

bool matmul_half(const struct lab_variant *v)
{
    return v->tag == BY_TENSOR_CORES || v->tag == BY_FRAGMENTS;
}

struct matmul_launch matmul_launch(const struct lab_variant *v, struct matmul_size z)
{
    if (v->tag == BY_LIBRARY)
        return (struct matmul_launch){.rows = 0};
    if (v->tag == BY_ONEBLOCK)
        return (struct matmul_launch){{1, 1}, {(unsigned)z.n, (unsigned)z.m}, (unsigned)z.m,
                                      (unsigned)z.n, 0, 0, v->kernel};
    const struct rung *g = rung_of(v, z);
    struct matmul_launch l = {{parts(z.n, g->cols), parts(z.m, g->rows)},
                              {g->block[0], g->block[1]}, g->rows, g->cols, g->depth,
                              g->shared_bytes, g->kernel ? g->kernel : v->kernel};
    if (v->tag == BY_ROWX) { /* x goes along rows */
        l.grid[0] = parts(z.m, g->rows);
        l.grid[1] = parts(z.n, g->cols);
    }
    return l;
}

uint64_t matmul_products(struct matmul_size z)
{
    return (uint64_t)z.m * (uint64_t)z.n * (uint64_t)z.k;
}

/* ---- what to expect --------------------------------------------------------------------- */

/*
 * Requests that load a matrix once, tile by tile. A request of a warp covers 32 x width elements: a
 * rectangle, at most as wide as a tile. Unless loads are `wide`, each is `width` loads of one
 * element, as far as a lane has one inside.
 */
static uint64_t tile_loads(int rows, int cols, unsigned tile_cols, unsigned width, bool wide)
{
    const unsigned all = WARP * width, across = tile_cols < all ? tile_cols : all;
    const uint64_t high = divide_up((uint64_t)rows, all / across);
    uint64_t along = 0;
    for (unsigned first = 0; first < (unsigned)cols; first += across) {
        unsigned inside = (unsigned)cols - first;
        along += wide ? 1 : inside < width ? inside : width;
    }
    return high * along;
}

/* Rows begin at multiples of the width of a load; and for some kernels all tiles must fit. */
static bool loads_are_wide(const struct lab_variant *v, const struct rung *g, struct matmul_size z,
                           int cols)
{
    return v->tag == BY_FRAGMENTS ? tiles_fit(g, z) : (unsigned)cols % g->width == 0;
}

uint64_t matmul_loads(const struct lab_variant *v, struct matmul_size z)
{
    const struct matmul_launch l = matmul_launch(v, z);
    const uint64_t each = 2 * (uint64_t)z.k; /* of a warp that has elements, without tiles */
    switch (v->tag) {
    case BY_LIBRARY: return 0;
    case BY_ONEBLOCK: return each * divide_up((uint64_t)z.m * (uint64_t)z.n, WARP);
    case BY_ROWX: return each * divide_up((uint64_t)z.m, WARP) * (uint64_t)z.n;
    case BY_COLX: return each * divide_up((uint64_t)z.n, WARP) * (uint64_t)z.m;
    default: break;
    }
    const struct rung *g = rung_of(v, z);
    return l.grid[0] * tile_loads(z.m, z.k, g->depth, g->width, loads_are_wide(v, g, z, z.k)) +
           l.grid[1] * tile_loads(z.k, z.n, g->cols, g->width, loads_are_wide(v, g, z, z.n));
}

/* ---- one run ---------------------------------------------------------------------------- */

struct addresses { uint64_t a, b, c; };

static int get_arrays(const struct matmul_data *d, const struct trial *t, struct addresses *at)
{
    const bool halves = matmul_half(t->variant);
    const struct matmul_size z = d->size;
    const size_t size = halves ? sizeof *d->half_a : sizeof *d->a;
    const void *a = halves ? (const void *)d->half_a : (const void *)d->a;
    const void *b = halves ? (const void *)d->half_b : (const void *)d->b;
    return lab_array(t->session, (uint64_t)z.m * (uint64_t)z.k * size, "a", a, &at->a,
                     t->report) ||
                   lab_array(t->session, (uint64_t)z.k * (uint64_t)z.n * size, "b", b, &at->b,
                             t->report) ||
                   lab_array(t->session, (uint64_t)z.m * (uint64_t)z.n * sizeof *d->c, "c", NULL,
                             &at->c, t->report)
               ? -1
               : 0;
}

static int call_library(const struct matmul_data *d, const struct trial *t,
                        const struct addresses *at, struct attempt *got)
{
    const float one = 1, zero = 0;
    struct product_job p = {.a = at->a, .b = at->b, .c = at->c, .m = d->size.m, .n = d->size.n,
                            .k = d->size.k};
    return lab_array(t->session, sizeof one, "one", &one, &p.one, t->report) ||
                   lab_array(t->session, sizeof zero, "zero", &zero, &p.zero, t->report)
               ? -1
               : trial_product(t, &p, got);
}

static int launch(const struct matmul_data *d, const struct trial *t, const struct addresses *at,
                  struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    const struct matmul_launch shape = matmul_launch(v, d->size);
    if (v->tag == BY_LIBRARY)
        return call_library(d, t, at, got);
    const struct lab_launch l = {
        .module = v->tag == BY_ASYNC_COPIES ? "matmul-async"
                  : v->tag == BY_FRAGMENTS  ? "matmul-mma"
                                            : "matmul",
        .kernel = shape.kernel,
        .grid = {shape.grid[0], shape.grid[1]},
        .block = {shape.block[0], shape.block[1]},
        .shared_bytes = shape.shared_bytes,
    };
    return trial_launch(t, &l, got,
                        PARAMS(at->a, at->b, at->c, d->size.m, d->size.n, d->size.k));
}

/* A tensor core keeps a few bits fewer of each sum than a chain of roundings does. */
static void judge(const struct matmul_data *d, const struct lab_variant *v, struct attempt *got)
{
    const bool halves = matmul_half(v);
    const double chain = (double)d->size.k + 1;
    matmul_judge(d, halves ? &d->want_half : &d->want, halves ? 2 * chain : chain, got);
}

int matmul_run(struct matmul_data *d, const struct trial *t, struct attempt *got)
{
    const struct matmul_size z = d->size;
    struct addresses at;
    got->has_predicted = !t->variant->mended_by && t->variant->tag != BY_LIBRARY;
    got->predicted = matmul_loads(t->variant, z);
    int failed = get_arrays(d, t, &at) || launch(d, t, &at, got) ||
                 session_fetch(t->session, d->c, at.c,
                               (size_t)z.m * (size_t)z.n * sizeof *d->c, t->report);
    lab_arrays_free(t->session);
    if (failed)
        return -1;
    judge(d, t->variant, got);
    got->expected_words = "close to 0";
    got->cost = (uint64_t)(BY_LIBRARY - t->variant->tag); /* no count tells of waiting */
    return 0;
}
