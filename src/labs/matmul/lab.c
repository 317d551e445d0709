/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matmul: C = A B, from one thread for each element to what a library does. Each rung loads less
 * for a multiply-add than the one before; the counters show it. labs/matmul/work.c knows the tiles
 * and runs one variant, data.c has the matrices and judges the result.
 */
#include "labs/matmul/work.h"

#include "labkit/lab.h"
#include "labkit/props.h"

#include <stdio.h>

static const struct lab_variant variants[] = {
    {"tiled16", "matmul_tiled16", "tiles of 16 x 16 elements in shared memory",
     .tag = BY_TILES16},
    {"oneblock", "matmul_oneblock", "one block with a thread for each element of C",
     .tag = BY_ONEBLOCK},
    {"naive-rowx", "matmul_naive_rowx", "many blocks; x is the row: lanes read different rows",
     .tag = BY_ROWX},
    {"naive", "matmul_naive", "many blocks; x is the column: lanes read neighbouring elements",
     .tag = BY_COLX},
    {"tiled32", "matmul_tiled32", "tiles of 32 x 32 elements in shared memory",
     .tag = BY_TILES32},
    {"regtile", "matmul_regtile", "4 x 4 elements of C for each thread, in registers",
     .tag = BY_REGISTERS},
    {"regtile8", "matmul_regtile8", "8 x 8 elements of C for each thread",
     .tag = BY_MORE_REGISTERS},
    {"wide", "matmul_wide", "four elements for each load (float4)", .tag = BY_WIDE_LOADS},
    {"double", "matmul_double", "two buffers: load the next tiles early, one barrier per step",
     .tag = BY_BUFFERS},
    {"async", "matmul_async", "asynchronous copies into shared memory (cp.async)",
     .tag = BY_ASYNC_COPIES},
    {"warptile", "matmul_warptile", "a tile for each warp, and larger or smaller tiles by the size",
     .tag = BY_WARP_TILES},
    {"wmma", "matmul_wmma", "tensor cores: A and B in f16, sums in f32", .tag = BY_TENSOR_CORES},
    {"mma", "matmul_mma", "tensor cores: three buffers, fragments loaded one step early",
     .tag = BY_FRAGMENTS},
    {"cublas", "cublasSgemm", "a function of NVIDIA's library", .tag = BY_LIBRARY},
    {"nobarrier1", "matmul_nobarrier1", "tiled16 without the barrier after the loads", "tiled16",
     "race-shared uninitialized", BY_TILES16},
    {"nobarrier2", "matmul_nobarrier2", "tiled16 without the barrier before the next loads",
     "tiled16", "race-shared", BY_TILES16},
    {0},
};

struct matmul_options {
    struct lab_options lab;
    int m, n, k; /* m, k 0: as n */
    bool n_given;
    const char *a, *b;
};

struct matmul {
    struct lab_run run;
    const struct matmul_options *options;
    struct matmul_data data;
    bool open;
    /* What the facts say: */
    struct matmul_size size;
    struct matmul_launch shape;
    bool tiles, half, library, few_rows, counted, uses_shared, timed, knows_peaks, square;
    uint64_t elements, judged, products, bytes, steps, a_times, b_times;
    unsigned threads;
    double loads_each, bytes_each, shared_each, flop_each, balance, rate;
    int64_t peak;
};

/* ---- sizes ------------------------------------------------------------------------------ */

/* A variant that is wrong is run many times, and one block is small. */
static struct matmul_size size_of(const struct matmul *w, const struct lab_variant *v)
{
    const struct matmul_options *o = w->options;
    const bool all = lab_runs_all(&o->lab), wrong = v && v->mended_by;
    const bool typed = o->n_given || o->m || o->k;
    int n = o->n;
    if (wrong && (all || !typed))
        return (struct matmul_size){MATMUL_SMALL, MATMUL_SMALL, MATMUL_SMALL};
    if (v && v->tag == BY_ONEBLOCK && !all && !typed)
        n = MATMUL_BLOCK;
    return (struct matmul_size){o->m ? o->m : n, n, o->k ? o->k : n};
}

static bool same_size(struct matmul_size a, struct matmul_size b)
{
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

/* The matrices of this size. They stay for the next variant. */
static int need_data(struct matmul *w)
{
    const char *const fill[] = {w->options->a, w->options->b};
    struct session *s = w->run.session;
    if (w->open && same_size(w->data.size, w->size))
        return 0;
    if (w->open)
        matmul_close(&w->data);
    w->open = true;
    return matmul_open(&w->data, w->size, fill, lab_seed(s, &w->options->lab), s, w->run.report);
}

/* ---- one run ---------------------------------------------------------------------------- */

/* May it run? If not, not_run says why. */
static void check_variant(const struct matmul *w, const struct lab_variant *v,
                          struct attempt *got)
{
    const struct device_props *p = &w->run.session->device->props;
    char wanted[NUM_TEXT], most[NUM_TEXT];
    if (v->tag == BY_ONEBLOCK && w->elements > (uint64_t)w->run.limit)
        snprintf(got->not_run, sizeof got->not_run,
                 "C has %s elements, and one block has at most %s threads",
                 num_group((int64_t)w->elements, wanted), num_group(w->run.limit, most));
    if ((v->tag == BY_ASYNC_COPIES || v->tag == BY_FRAGMENTS) && w->run.major < 8)
        snprintf(got->not_run, sizeof got->not_run,
                 "cp.async needs compute capability 8.0, and this device has %d.%d", w->run.major,
                 w->run.minor);
    else if (w->shape.shared_bytes > (uint64_t)p->shared_per_block_optin)
        snprintf(got->not_run, sizeof got->not_run,
                 "its buffers need %s bytes of shared memory, and a block has at most %s here",
                 num_group(w->shape.shared_bytes, wanted),
                 num_group((int64_t)p->shared_per_block_optin, most));
    if (matmul_half(v) && !w->data.fits_half)
        snprintf(got->not_run, sizeof got->not_run,
                 "an element is too large for f16: its largest number is 65,504");
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct matmul *w = self;
    if (need_data(w) || (matmul_half(t->variant) &&
                         matmul_need_half(&w->data, t->session, t->report)))
        return -1;
    check_variant(w, t->variant, got);
    return got->not_run[0] ? 0 : matmul_run(&w->data, t, got);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "m", FACT_AT(struct matmul, size.m), .as = AS_GROUP},
    {.name = "n", FACT_AT(struct matmul, size.n), .as = AS_GROUP},
    {.name = "k", FACT_AT(struct matmul, size.k), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    FACT_OK,
    {.name = "norm", FACT_AT(struct matmul, run.got.value), .format = "%.2g", .label = "check",
     .says = "{verdict}: {right?all {judged} elements of C{few_rows? in {checked} of {m} rows|} "
             "are|{wrong} of {judged} elements are not} within the rounding of plain C; two-norm "
             "of the error {norm}"},
    {.name = "checked", FACT_AT(struct matmul, data.rows), .as = AS_GROUP},
    {.name = "wrong", FACT_AT(struct matmul, run.got.wrong), .as = AS_GROUP},
    {.name = "blocks_x", FACT_AT(struct matmul, shape.grid[0]), .if_set = true},
    {.name = "blocks_y", FACT_AT(struct matmul, shape.grid[1]), .if_set = true},
    {FACT(struct matmul, threads), .as = AS_GROUP, .if_set = true},
    {.name = "tile_rows", FACT_AT(struct matmul, shape.rows), .if_set = true, .label = "block",
     .says = "{threads} threads for {tile_rows} x {tile_cols} elements of C"
             "{tiles?, in {steps step}|}"},
    {.name = "tile_cols", FACT_AT(struct matmul, shape.cols), .if_set = true},
    {.name = "tile_depth", FACT_AT(struct matmul, shape.depth), .if_set = true},
    {.name = "products", FACT_AT(struct matmul, products), .as = AS_GROUP, .label = "products",
     .says = "{products:%11s}    multiply-adds; a warp does 32 at once"},
    {FACT(struct matmul, loads_each), .format = "%.3g", WHEN(struct matmul, counted),
     .label = "loads",
     .says = "{global_load_requests:%11s}    from global memory: {loads_each} for each "
             "multiply-add"},
    {FACT(struct matmul, bytes_each), .format = "%.3g", WHEN(struct matmul, counted),
     .label = "bytes",
     .says = "{bytes:%11s}    in {global_load_sectors sector}: {bytes_each} for each multiply-add"},
    {FACT(struct matmul, flop_each), .format = "%.3g", WHEN(struct matmul, counted),
     .label = "FLOP/byte",
     .says = "{flop_each:%11s}    {knows_peaks?this device computes up to {balance} per byte of "
             "memory|}"},
    {FACT(struct matmul, shared_each), .format = "%.3g", WHEN(struct matmul, uses_shared),
     .label = "shared",
     .says = "{shared_load_requests:%11s}    loads in {shared_load_wavefronts wavefront}: "
             "{shared_each} for each multiply-add"},
    {.label = "barriers", WHEN(struct matmul, run.got.counters.barriers),
     .says = "{barriers:%11s}    times that a warp waited for its block"},
    {.name = "half_off", FACT_AT(struct matmul, data.half_off), .as = AS_ROUGH,
     WHEN(struct matmul, half), .label = "f16",
     .says = "with A and B in f16, elements of C are off by up to {half_off}"},
    {FACT(struct matmul, rate), .format = "%.4g", WHEN(struct matmul, timed), .label = "rate",
     .says = "{rate} GFLOP/s{knows_peaks?; the float units have at most {peak}|}"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct matmul, elements), .as = AS_GROUP},
    {FACT(struct matmul, counted)},
    {.name = "block_x", FACT_AT(struct matmul, shape.block[0])},
    {.name = "block_y", FACT_AT(struct matmul, shape.block[1])},
    {.name = "shared_bytes", FACT_AT(struct matmul, shape.shared_bytes)},
    {FACT(struct matmul, bytes), .as = AS_GROUP},
    {FACT(struct matmul, steps), .as = AS_GROUP},
    {FACT(struct matmul, a_times), .as = AS_GROUP},
    {FACT(struct matmul, b_times), .as = AS_GROUP},
    {FACT(struct matmul, tiles)},
    {FACT(struct matmul, library)},
    {FACT(struct matmul, few_rows)},
    {FACT(struct matmul, square)},
    {FACT(struct matmul, judged), .as = AS_GROUP},
    {FACT(struct matmul, knows_peaks)},
    {FACT(struct matmul, balance), .format = "%.0f", WHEN(struct matmul, knows_peaks)},
    {FACT(struct matmul, peak), .as = AS_GROUP, WHEN(struct matmul, knows_peaks)},
    {.name = NULL},
};

/* What the counters and the time say of each multiply-add. A warp does 32 at once. */
static void count_each(struct matmul *w)
{
    const struct attempt *got = &w->run.got;
    const struct counters *c = &got->counters;
    const double products = (double)w->products, warps = products / 32;
    w->counted = got->has_counters;
    w->uses_shared = w->counted && c->shared_load_requests;
    w->bytes = c->global_load_sectors * 32;
    w->loads_each = (double)c->global_load_requests / warps;
    w->bytes_each = (double)w->bytes / products;
    w->shared_each = (double)c->shared_load_requests / warps;
    w->flop_each = w->bytes ? 2 * products / (double)w->bytes : 0;
    w->timed = got->median_s > 0 && w->run.report->volatile_on;
    w->rate = got->median_s > 0 ? 2 * products / got->median_s / 1e9 : 0;
}

static void find_peaks(struct matmul *w)
{
    const struct props_peaks p = props_peaks(&w->run.session->device->props);
    w->knows_peaks = p.gbs && p.gflops;
    w->balance = w->knows_peaks ? (double)p.gflops / (double)p.gbs : 0;
    w->peak = p.gflops;
}

static int find(void *self, const struct lab_variant *v)
{
    struct matmul *w = self;
    const struct matmul_size z = w->size = size_of(w, v);
    w->elements = (uint64_t)z.m * (uint64_t)z.n;
    w->judged = (uint64_t)w->data.rows * (uint64_t)z.n;
    w->products = matmul_products(z);
    w->square = z.m == z.n && z.n == z.k;
    w->few_rows = w->data.rows && w->data.rows < z.m;
    find_peaks(w);
    if (!v)
        return 0;
    const struct matmul_launch l = w->shape = matmul_launch(v, z);
    w->threads = l.block[0] * l.block[1];
    w->tiles = l.depth;
    w->steps = l.depth ? ((uint64_t)z.k + l.depth - 1) / l.depth : 0;
    w->a_times = l.depth ? l.grid[0] : (uint64_t)z.n;
    w->b_times = l.depth ? l.grid[1] : (uint64_t)z.m;
    w->library = v->tag == BY_LIBRARY;
    w->half = matmul_half(v);
    w->run.kernel = l.kernel;
    count_each(w);
    return 0;
}

/* ---- the lab ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "each row loads less than the row above, or waits less",
    .beside_head = "FLOP/B",
    .beside = "{counted?{flop_each}|}",
    .columns = columns,
    .head = "C = A B, {square?all {n} x {n}|A {m} x {k}, B {k} x {n}}"
            "{library?|, {blocks_x} x {blocks_y} blocks}",
    .head_of_all = "C = A B, {square?all {n} x {n}|A {m} x {k}, B {k} x {n}}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

static const struct arg_spec options[] = {
    {OPTION(struct matmul_options, n), GIVEN(struct matmul_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = MATMUL_MOST, .initial = "128",
     .initial_but = "32 for `oneblock`, 40 for a variant that is wrong on purpose",
     .help = "the columns of B and C"},
    {OPTION(struct matmul_options, m), .value = "M", .type = ARG_INT, .lo = 1, .hi = MATMUL_MOST,
     .help = "the rows of A and C, the value of -n if not given"},
    {OPTION(struct matmul_options, k), .value = "K", .type = ARG_INT, .lo = 1, .hi = MATMUL_MOST,
     .help = "the columns of A and the rows of B, the value of -n if not given"},
    {OPTION(struct matmul_options, a), .value = "FILL", .type = ARG_TEXT,
     .initial = "random:-1:1",
     .help = "the elements of A, as for `array`: value:1, iota, list:1,2,3, random:-1:1"},
    {OPTION(struct matmul_options, b), .value = "FILL", .type = ARG_TEXT,
     .initial = "random:-1:1", .help = "the elements of B; random takes the next seed"},
    {0},
};

static const struct lab lab = {
    .module = "matmul",
    .takes = TAKES_LADDER | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct matmul_options *o = given;
    struct matmul w = {.run = {s, r, &o->lab, &lab}, .options = o};
    int failed = ladder_run(&ladder, &w.run);
    if (w.open)
        matmul_close(&w.data);
    return failed;
}

const struct command lab_matmul = {
    LAB_COMMAND(struct matmul_options),
    .name = "matmul",
    .summary = "a product of matrices: from one thread per element to tensor cores",
    .options = options,
};
