/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared: each block turns its piece of an array around in shared memory, which is asked for in
 * every way there is. The score is how many elements are right. Beside it stands what
 * a launch asks for, and what a block holds for it. The kernels are in kernels/shared.cu.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

#include <stddef.h>
#include <stdio.h>

enum mirror_tag {                       /* of a variant */
                  MIRROR_FIXED = 1,     /* an array of fixed size, none in the launch */
                  MIRROR_PAIRS = 2,     /* a value and its place: two arrays */
                  MIRROR_FORGOTTEN = 4, /* the launch doesn't say how much */
                  MIRROR_BIG = 8,       /* pieces longer than a block */
                  MIRROR_UNASKED = 16   /* more than comes by itself, and nobody asked */
};

enum { MIRROR_FIXED_BYTES = 1024 * sizeof(float) };

struct shared_options {
    struct lab_options lab;
    int n, piece;
    bool n_given;
};

/* How a variant is launched. */
struct mirror_plan {
    unsigned blocks, threads, piece; /* elements of a block */
    uint64_t asked, used;            /* bytes of a block: in the launch, and touched */
    int n;
};

struct mirror_lab {
    struct lab_run run;
    const struct shared_options *options;
    /* What the facts say: */
    struct mirror_plan now;
    unsigned last, fit;                  /* its last thread; blocks that an SM holds at once */
    uint64_t held, half, fixed, free, most, sm; /* bytes of a block, and KiB of an SM */
    uint64_t reserved;                          /* bytes more that each block takes */
    uint64_t bytes;                             /* of the array */
    bool fixed_size, beyond, could; /* beyond: more than comes by itself; could: it may have it */
};

enum { WARP = 32 };

/* ---- shape ------------------------------------------------------------------------------ */

/* A long piece has an n of its own where none is typed. */
static struct mirror_plan mirror_of(const struct shared_options *o, const struct lab_variant *v)
{
    struct mirror_plan m = {.n = o->n, .threads = o->lab.threads ? (unsigned)o->lab.threads : 256};
    m.piece = v->tag & MIRROR_BIG ? (unsigned)o->piece : m.threads;
    if (v->tag & MIRROR_BIG && !o->n_given)
        m.n = 2 * (int)m.piece;
    m.blocks = ((unsigned)m.n + m.piece - 1) / m.piece;
    m.used = m.piece * sizeof(float) * (v->tag & MIRROR_PAIRS ? 2 : 1);
    m.asked = v->tag & (MIRROR_FIXED | MIRROR_FORGOTTEN) ? 0 : m.used;
    return m;
}

/* The most that a block can have once it is asked for. */
static size_t mirror_most(const struct device_props *p)
{
    return (size_t)(p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block);
}

/* How many blocks of so many bytes an SM holds. */
static unsigned mirror_fit(const struct device_props *p, uint64_t bytes)
{
    const uint64_t each = bytes + p->shared_reserved;
    return each ? (unsigned)(p->shared_per_sm / each) : 0;
}

/* The first element of element i's piece, and how many there are. */
static int piece_of(const struct mirror_plan *m, int i, int *base)
{
    int piece = (int)m->piece;
    *base = i / piece * piece;
    return m->n - *base < piece ? m->n - *base : piece;
}

static uint64_t warps(uint64_t threads)
{
    return (threads + WARP - 1) / WARP;
}

/* Stores to shared memory: one of each warp that has an element, over all pieces. */
static uint64_t stores(const struct mirror_plan *m, bool pairs)
{
    uint64_t requests = 0;
    int base;
    for (int i = 0; i < m->n; i += (int)m->piece) {
        uint64_t size = (uint64_t)piece_of(m, i, &base);
        requests += size / m->threads * warps(m->threads) + warps(size % m->threads);
    }
    return requests * (pairs ? 2 : 1);
}

/* ---- one run ---------------------------------------------------------------------------- */

struct arrays_of {
    float *x, *y;
    int *from;
};

static int score(const struct mirror_plan *m, const struct arrays_of *a, bool pairs)
{
    int right = 0, base;
    for (int i = 0; i < m->n; i++) {
        int size = piece_of(m, i, &base), twin = base + size - 1 - (i - base);
        right += a->y[i] == a->x[twin] && (!pairs || a->from[i] == twin);
    }
    return right;
}

static int launch(const struct mirror_plan *m, const struct arrays_of *a, const struct trial *t,
                  struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    size_t bytes = (size_t)m->n * sizeof(float);
    uint64_t x, y, from;
    const struct lab_launch l = {.module = "shared",
                                 .kernel = v->kernel,
                                 .grid = {m->blocks, 1, 1},
                                 .block = {m->threads, 1, 1},
                                 .shared_bytes = m->asked,
                                 .as_written = v->tag & MIRROR_UNASKED};
    int failed = lab_array(t->session, bytes, "x", a->x, &x, t->report) ||
                 lab_array(t->session, bytes, "y", NULL, &y, t->report) ||
                 lab_array(t->session, bytes, "from", NULL, &from, t->report);
    if (!failed && v->tag & MIRROR_PAIRS)
        failed = trial_launch(t, &l, got, PARAMS(x, y, from, m->n));
    else if (!failed && v->tag & MIRROR_BIG)
        failed = trial_launch(t, &l, got, PARAMS(x, y, m->n, (int)m->piece));
    else if (!failed)
        failed = trial_launch(t, &l, got, PARAMS(x, y, m->n));
    return failed || session_fetch(t->session, a->y, y, bytes, t->report) ||
                   session_fetch(t->session, a->from, from, bytes, t->report)
               ? -1
               : 0;
}

/* Is it a launch that its variant is about, on this device? */
static int fits(const struct mirror_plan *m, const struct trial *t, struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    const struct device_props *p = &t->session->device->props;
    unsigned long long most = mirror_most(p), free = p->shared_per_block;
    if (v->tag & MIRROR_UNASKED && m->asked <= free)
        return report_fail(
            t->report,
            "--piece %u needs %zu bytes, and every kernel may use %llu; %s needs more, so take at "
            "least --piece %llu",
            m->piece, m->asked, free, v->name, free / sizeof(float) + 1);
    if (v->mended_by && !v->tag && (m->n < 2 || m->piece < 2))
        snprintf(
            got->not_run, sizeof got->not_run,
            "in a piece of one element no thread waits; take --threads 2 and -n 2 at least");
    if (v->tag == MIRROR_BIG && m->asked > most)
        snprintf(got->not_run, sizeof got->not_run,
                 "%zu bytes per block are asked for, and %llu are the most here: --piece %llu",
                 m->asked, most, most / sizeof(float));
    return 0;
}

static int mirror_run(const struct mirror_plan *m, const struct trial *t, struct attempt *got)
{
    size_t bytes = (size_t)m->n * sizeof(float);
    bool pairs = t->variant->tag & MIRROR_PAIRS;
    got->expected = m->n;
    got->has_predicted = t->variant->mended_by == NULL;
    got->predicted = stores(m, pairs);
    if (fits(m, t, got))
        return -1;
    if (got->not_run[0])
        return 0;
    struct arrays_of a = {mem_alloc(&allocator_libc, bytes), mem_alloc(&allocator_libc, bytes),
                          mem_alloc(&allocator_libc, bytes)};
    int failed =
        a.x && a.y && a.from ? 0 : report_fail_limit(t->report, "out of memory; take a smaller n");
    for (int i = 0; i < m->n && !failed; i++)
        a.x[i] = (float)(i % 1000003 + 1); /* never 0, which y holds before */
    if (!failed)
        failed = launch(m, &a, t, got);
    if (!failed)
        got->value = score(m, &a, pairs);
    got->right = got->value == got->expected;
    mem_free(&allocator_libc, a.x, bytes);
    mem_free(&allocator_libc, a.y, bytes);
    mem_free(&allocator_libc, a.from, bytes);
    return failed;
}

static const struct ladder_column columns[] = {
    {"stores", offsetof(struct counters, shared_store_requests)},
    {"loads", offsetof(struct counters, shared_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {0},
};

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    return mirror_run(&((struct mirror_lab *)self)->now, t, got);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct mirror_lab, now.n), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct mirror_lab, now.threads)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct mirror_lab, run.got.value), .as = AS_GROUP, .label = "score",
     .says = "{score} of {n} elements right: each block reverses its piece of x"},
    {.name = "blocks", FACT_AT(struct mirror_lab, now.blocks)},
    {.name = "piece", FACT_AT(struct mirror_lab, now.piece)},
    {.name = "asked_bytes", FACT_AT(struct mirror_lab, now.asked)},
    {.name = "held_bytes", FACT_AT(struct mirror_lab, held), .as = AS_GROUP, .label = "shared",
     .says = "{held_bytes} bytes per block, {used_bytes} used  "
             "({fixed_size?fixed when compiled|the launch's third number})"},
    {.name = "used_bytes", FACT_AT(struct mirror_lab, now.used), .as = AS_GROUP},
    {.name = "blocks_fit", FACT_AT(struct mirror_lab, fit)},
    {.name = "predicted", FACT_AT(struct mirror_lab, run.got.predicted),
     WHEN(struct mirror_lab, run.got.has_predicted)},
    FACT_OK,
    {.label = "stores", WHEN(struct mirror_lab, run.got.has_counters),
     .says = "{shared_store_requests:%.0f}, loads {shared_load_requests:%.0f}; the lab predicted "
             "{predicted} of each"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct mirror_lab, bytes)},
    {FACT(struct mirror_lab, fixed), .as = AS_GROUP},
    {FACT(struct mirror_lab, fixed_size)},
    {FACT(struct mirror_lab, last)},
    {FACT(struct mirror_lab, half), .as = AS_GROUP},
    {FACT(struct mirror_lab, free), .as = AS_GROUP},
    {FACT(struct mirror_lab, most), .as = AS_GROUP},
    {FACT(struct mirror_lab, sm)},
    {FACT(struct mirror_lab, reserved), .as = AS_GROUP},
    {FACT(struct mirror_lab, beyond)},
    {FACT(struct mirror_lab, could)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    struct mirror_lab *w = self;
    const struct device_props *p = &w->run.session->device->props;
    const struct mirror_plan *m = &w->now;
    w->now = mirror_of(w->options, v ? v : w->run.lab->variants);
    w->bytes = (uint64_t)m->n * sizeof(float);
    w->fixed = MIRROR_FIXED_BYTES;
    w->fixed_size = v && v->tag & MIRROR_FIXED;
    w->held = w->fixed_size ? w->fixed : m->asked;
    w->last = m->threads - 1;
    w->half = m->used / 2;
    w->free = p->shared_per_block;
    w->most = mirror_most(p);
    w->beyond = m->used > w->free;
    w->could = w->most > w->free && m->used <= w->most;
    w->sm = p->shared_per_sm / 1024;
    w->reserved = p->shared_reserved;
    w->fit = mirror_fit(p, v ? w->held : m->used);
    return 0;
}

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "Rows are grouped by what they do. Stores and loads are to shared memory, one for "
             "each warp.",
    .columns = columns,
    .head = "{kernel}<<<{blocks}, {threads}{asked_bytes?, {asked_bytes}|}>>>, n = {n}",
    .head_of_all = "pieces turned around in shared memory, blocks of {threads}",
    .beside_head = "n",
    .beside = "{n}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

enum { MOST_N = 1 << 24, MOST_PIECE = 1 << 16 };

static const struct lab_variant variants[] = {
    {"extern", "mirror_extern", "extern: the launch gives the size", .tag = 0},
    {"static", "mirror_static", "a fixed size, for the largest block", .tag = MIRROR_FIXED},
    {"two", "mirror_two", "two arrays in one extern array", .tag = MIRROR_PAIRS},
    {"optin", "mirror_big", "more than 48 KiB: the program asks for it", .tag = MIRROR_BIG},
    {"noargument", "mirror_extern", "the third number of the launch is missing", "extern",
     "out-of-bounds", MIRROR_FORGOTTEN},
    {"over48k", "mirror_big", "more than 48 KiB: the program does not ask", "optin", "bad-launch",
     MIRROR_BIG | MIRROR_UNASKED},
    {"nobarrier", "mirror_nobarrier", "no barrier between store and load", "extern",
     "race-shared uninitialized", 0},
    {"overlap", "mirror_overlap", "two extern arrays at the same address",
     "two", NULL, MIRROR_PAIRS},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct shared_options, n), GIVEN(struct shared_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = MOST_N, .initial = "1000",
     .initial_but = "for `optin` and `over48k`, twice the value of --piece",
     .help = "elements of the array"},
    {OPTION(struct shared_options, piece), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_PIECE,
     .initial = "16384", .help = "elements of a block's piece of the array (optin and over48k)"},
    {0},
};

static const struct lab lab = {
    .module = "shared",
    .takes = TAKES_LADDER | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct shared_options *o = given;
    struct mirror_lab work = {.run = {s, r, &o->lab, &lab}, .options = o};
    return ladder_run(&ladder, &work.run);
}

const struct command lab_shared = {
    LAB_COMMAND(struct shared_options),
    .name = "shared",
    .summary = "shared memory: the ways to declare it, and typical mistakes",
    .options = options,
};
