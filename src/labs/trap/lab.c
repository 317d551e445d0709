/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trap: the integral of f from a to b by n trapezoids, one kernel a way of adding up. The kernels
 * are in kernels/trap.cu; labs/trap/work.c runs and judges them, labs/trap/trapezoid.c knows the
 * right answer.
 */
#include "labs/trap/trapezoid.h"
#include "labs/trap/work.h"

#include "labkit/lab.h"

#include <string.h>

struct trap_options {
    struct lab_options lab;
    double a, b;
    int n;
    const char *f;
    bool n_given, table;
};

struct trap {
    struct lab_run run;
    const struct trap_options *options;
    const char *module; /* "trap", or "trap-f" with the student's function in it */
    struct integrand f;
    struct trapezoid rule;  /* as asked */
    struct trapezoid small; /* for wrong variants: so few terms that losing one shows */
    /* What the facts say: */
    struct trapezoid now;   /* one of these two */
    struct launch_shape shape;
    const char *adds;       /* "one per warp" */
    bool fewer_add;         /* not each thread does */
    double off; /* from the sum in double: what rounding did */
    double chain, bound, fewer, terms;
    uint64_t threads, atomics, conflicts;
    unsigned warps, lanes;  /* of a block; of its last warp */
    int last;               /* n - 1 */
};

enum { SMALL_N = 1000, SAMEBANK_READS = 11 }; /* of warp 0: two in each of 5 steps, and the sum */

/* ---- opening ---------------------------------------------------------------------------- */

/* Close it also when opening failed. All give -1 where the report has an error. */
static int trap_open(struct trap *t)
{
    const struct trap_options *o = t->options;
    struct session *s = t->run.session;
    struct report *r = t->run.report;
    bool few = (lab_runs_all(&o->lab) || !o->n_given) && o->n > SMALL_N;
    if (integrand_open(&t->f, o->f, r))
        return -1;
    if (t->f.typed) {
        t->module = "trap-f";
        if (integrand_load(&t->f, s, t->module, "trap_f", r))
            return -1;
    }
    if (trapezoid_solve(&t->f, o->a, o->b, o->n, s, &t->rule, r))
        return -1;
    t->small = t->rule;
    return few ? trapezoid_solve(&t->f, o->a, o->b, SMALL_N, s, &t->small, r) : 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "exact", FACT_AT(struct trap, now.exact), .format = "%.7g"},
    {.name = "n", FACT_AT(struct trap, now.n), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    {.name = "area", FACT_AT(struct trap, run.got.value_f32), .label = "area",
     .says = "{area}    exact {exact:%.9g}    error {error} (trapezoids and rounding)"},
    {.name = "error", FACT_AT(struct trap, run.got.error), .as = AS_ROUGH},
    FACT_VARIANT,
    FACT_OK,
    {.name = "f", FACT_AT(struct trap, f.text)},
    {.name = "in_double", FACT_AT(struct trap, now.in_double), .label = "host",
     .says = "{in_double:%.10f} in double    {serial:%.9g} in float, in order"},
    {FACT(struct trap, bound), .as = AS_ROUGH, .label = "check",
     .says = "{verdict}: rounding error {off} (at most {bound} in {chain} additions)"},
    {FACT(struct trap, off), .as = AS_ROUGH, .only = FACT_IN_TEXT},
    {.name = "blocks", FACT_AT(struct trap, shape.blocks), .as = AS_GROUP, .if_set = true},
    {.name = "threads", FACT_AT(struct trap, shape.threads), .if_set = true},
    {.label = "atomics", WHEN(struct trap, run.got.has_counters),
     .says = "{global_atomics:%11s}    {adds}{fewer_add?; `atomic` needs {last}, one per term|}"},
    {.label = "shuffles", WHEN(struct trap, run.got.counters.shuffles),
     .says = "{shuffles:%11s}    5 steps per warp: 16 8 4 2 1"},
    {.label = "barriers", WHEN(struct trap, run.got.counters.barriers),
     .says = "{barriers:%11s}    times that a warp waited, for its lanes or its block"},
    {.label = "conflicts", WHEN(struct trap, run.got.counters.shared_load_conflicts),
     .says = "{shared_load_conflicts:%11s}    extra passes over the banks"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "count", FACT_AT(struct trap, now.n), .as = AS_COUNT},
    {.name = "small", FACT_AT(struct trap, small.n), .as = AS_GROUP},
    {.name = "serial", FACT_AT(struct trap, now.in_order)},
    {.name = "a", FACT_AT(struct trap, now.a)},
    {.name = "b", FACT_AT(struct trap, now.b)},
    {FACT(struct trap, last), .as = AS_GROUP},
    {.name = "all", FACT_AT(struct trap, threads), .as = AS_GROUP},
    {FACT(struct trap, warps)},
    {FACT(struct trap, lanes)},
    {FACT(struct trap, atomics), .as = AS_GROUP},
    {FACT(struct trap, adds)},
    {FACT(struct trap, fewer_add)},
    {FACT(struct trap, fewer), .format = "%.0f"},
    {FACT(struct trap, chain), .as = AS_GROUP},
    {FACT(struct trap, terms), .format = "%.0f"},
    {FACT(struct trap, conflicts), .as = AS_GROUP},
    {.name = NULL},
};

/* For all at once a size that was typed goes to those that it fits; the others choose. */
static int choose(struct trap *t, const struct lab_variant *v, struct launch_shape *shape)
{
    int threads = t->options->lab.threads, blocks = t->options->lab.blocks;
    if (lab_runs_all(&t->options->lab)) {
        bool fits = v->tag & ODD_WARP     ? threads % 32 != 0
                    : v->tag & FULL_WARPS ? threads % 32 == 0
                                          : true;
        threads = fits ? threads : 0;
        blocks = v->mended_by || !fits ? 0 : blocks;
    }
    return trap_choose(v, t->now.n, blocks, threads, &t->run.session->device->props, shape,
                       t->run.report);
}

static int find(void *self, const struct lab_variant *v)
{
    static const char *const who[] = {"one per term", "one per warp", "one per block",
                                      "one per block"};
    struct trap *t = self;
    t->now = v && v->mended_by ? t->small : t->rule;
    t->last = t->now.n - 1;
    t->shape = (struct launch_shape){0, 0};
    if (v && v->kernel && choose(t, v, &t->shape))
        return -1;
    if (!v)
        return 0;
    const double n = (double)t->now.n;
    t->threads = shape_threads(t->shape);
    t->warps = (t->shape.threads + 31) / 32;
    t->lanes = t->shape.threads % 32 ? t->shape.threads % 32 : 32;
    t->adds = who[v->tag & ADDS_MASK];
    t->fewer_add = (v->tag & ADDS_MASK) != ADDS_THREADS;
    t->atomics = v->kernel ? trap_atomics(v, t->now.n, t->shape) : 0;
    t->fewer = t->atomics ? (n - 1) / (double)t->atomics : 1.0;
    t->off = t->run.got.value - t->now.in_double;
    t->off = t->off < 0 ? -t->off : t->off;
    t->chain = trap_chain(v, t->now.n, t->shape);
    t->bound = trapezoid_bound(&t->now, t->chain);
    t->terms = t->threads ? n / (double)t->threads : 0.0;
    /* One bank for all that warp 0 of a block reads: of 32 passes each time 31 are too many. */
    t->conflicts = t->warps > 1 ? (uint64_t)t->shape.blocks * SAMEBANK_READS * 31 : 0;
    if (t->run.got.has_counters)
        t->conflicts = t->run.got.counters.shared_load_conflicts;
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    const struct trap *t = self;
    return trap_run(t->module, &t->now, t->shape, how, got);
}

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"barriers", offsetof(struct counters, barriers)},
    {"conflicts", offsetof(struct counters, shared_load_conflicts)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "area",
    .kind = VALUE_F32,
    .order = "slowest first: atomic operations at one address wait for each other",
    .columns = columns,
    .head = "f(x) = {f:%.60s} on [{a:%.6g}, {b:%.6g}], n = {count}"
            "{blocks?, {blocks:%.0f} x {threads} threads|}",
    .head_of_all = "f(x) = {f:%.60s} on [{a:%.6g}, {b:%.6g}], n = {count}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the textbook's launches ------------------------------------------------------------ */

/* Its tables 6.8 and 6.10: f, a, b and n as the defaults here, mean of 50 runs or more. */
static const struct book_row {
    unsigned blocks, threads;
    const char *variant, *gk20a, *titan;
} book[] = {
    {1024, 1024, "atomic", "20.7", "3.08"},        {32768, 32, "atomic", "-", "-"},
    {32768, 32, "shuffle", "14.4", "0.210"},       {32768, 32, "shared", "15.0", "0.206"},
    {1024, 1024, "block-shuffle", "12.8", "0.141"}, {1024, 1024, "block-shared", "14.3", "0.150"},
};
enum { BOOK_ROWS = sizeof book / sizeof book[0] };

/* On a GPU its own times stand beside the book's. */
struct book_run {
    struct book_row row;
    struct attempt got;
    float area;
    bool ok, wrong_on_purpose, timed, counted;
    double here_ms;
};

static const struct fact book_facts[] = {
    {.name = "variant", FACT_AT(struct book_run, row.variant), .head = "variant"},
    {.name = "blocks", FACT_AT(struct book_run, row.blocks), .head = "blocks", .right = true},
    {.name = "threads", FACT_AT(struct book_run, row.threads), .head = "threads", .right = true},
    {FACT(struct book_run, area), .head = "area", .right = true, .gives_way = 1},
    {.name = "error", FACT_AT(struct book_run, got.error)},
    {FACT(struct book_run, ok)},
    {FACT(struct book_run, wrong_on_purpose)},
    {.name = "global_atomics", FACT_AT(struct book_run, got.counters.global_atomics),
     .head = "atomics", .right = true, .gives_way = 3},
    {.head = "here ms", FACT_AT(struct book_run, here_ms), .format = "%.3g", .right = true,
     .gives_way = 2, WHEN(struct book_run, timed)},
    {.head = "instr", FACT_AT(struct book_run, got.counters.warp_instructions), .right = true,
     .gives_way = 2, WHEN(struct book_run, counted)},
    {.head = "GK20A ms", FACT_AT(struct book_run, row.gk20a), .right = true},
    {.head = "TitanX ms", FACT_AT(struct book_run, row.titan), .right = true},
    {.name = NULL},
};

static int run_book_row(struct trap *t, struct book_run *row)
{
    const struct schedule as_set = {.name = NULL};
    const struct lab_variant *v = lab_variant_named(t->run.lab, row->row.variant);
    struct report *r = t->run.report;
    struct attempt *got = &row->got;
    const struct trial how = {.session = t->run.session, .report = r, .variant = v,
                              .schedule = &as_set, .counts = true};
    const struct launch_shape shape = {row->row.blocks, row->row.threads};
    const bool timed = trial_keeps(&how);
    int failed = trap_run(t->module, &t->rule, shape, &how, got);
    if (timed)
        failed = trial_times(&how, failed, got);
    if (failed)
        return -1;
    row->area = (float)got->value;
    row->ok = attempt_ok(got);
    row->timed = session_on_gpu(t->run.session) && r->volatile_on;
    row->counted = !row->timed;
    row->here_ms = got->median_s * 1e3;
    json_object(&r->variants, NULL);
    facts_json(book_facts, row, &r->variants);
    json_end_object(&r->variants);
    return row->ok ? 0 : report_fail(r, "%s: the area is outside its bound", v->name);
}

static int trap_table(struct trap *t)
{
    static const char serial[] = "serial, as the book timed it: ARM Cortex-A15 (2.3 GHz) 33.6 ms, "
                                 "Core i7 (3.5 GHz) 4.48 ms";
    struct report *r = t->run.report;
    struct session *s = t->run.session;
    struct book_run rows[BOOK_ROWS] = {0};
    size_t n = 0;
    int failed = 0;
    s->runs = s->runs ? s->runs : 50;
    if (t->rule.n > 1024 * 1024)
        return report_fail(r, "--table runs the textbook's launches of 2^20 threads; leave -n "
                              "out, or take at most 2^20");
    say_head(r, s, "the textbook's own launches, tables 6.8 and 6.10");
    for (; n < BOOK_ROWS && !failed; n++) {
        rows[n].row = book[n];
        failed = run_book_row(t, &rows[n]);
    }
    facts_say_rows(book_facts, rows, n, sizeof rows[0], 0, r);
    text_wrap(&r->screen, serial, strlen(serial), r->width, 0);
    json_bool(&r->result, "ok", !failed);
    lab_explain(r, "trap", "table", book_facts, &rows[0]);
    return failed;
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"atomic", "trap_atomic", "one atomic operation per thread", .tag = ADDS_THREADS},
    {"serial", NULL, "one loop on the host, in float", .tag = ADDS_THREADS},
    {"shuffle", "trap_shuffle", "warps add in registers, one atomic per warp",
     .tag = ADDS_WARPS | FULL_WARPS},
    {"shared", "trap_shared", "warps add in shared memory", .tag = ADDS_WARPS | FULL_WARPS},
    {"samebank", "trap_samebank", "warp sums 32 words apart, all in one bank",
     .tag = ADDS_BLOCKS},
    {"two-barriers", "trap_two_barriers", "one array for values and sums, two barriers",
     .tag = ADDS_BLOCKS},
    {"block-shared", "trap_block_shared", "a second array for the sums, one barrier",
     .tag = ADDS_BLOCKS},
    {"block-shuffle", "trap_block_shuffle", "registers again, one atomic per block",
     .tag = ADDS_BLOCKS},
    {"block-1024", "trap_block_1024", "blocks of 1024 threads, all warps full",
     .tag = ADDS_BLOCKS | FULL_WARPS | BIG_BLOCKS},
    {"gridstride", "trap_gridstride", "many terms per thread, few blocks", .tag = ADDS_STRIDE},
    {"race", "trap_race", "+= without an atomic operation", "atomic", "race-global", ADDS_THREADS},
    {"private", "trap_private", "each thread has its own h and its own sum", "atomic", NULL,
     ADDS_THREADS | NO_H | NO_SCALE},
    {"init-race", "trap_init_race", "thread 0 sets the start value while others add", "atomic",
     "race-global", ADDS_THREADS | NO_START},
    {"norange", "trap_norange", "no test of the thread's number: too many terms", "atomic", NULL,
     ADDS_THREADS},
    {"noscale", "trap_noscale", "no multiplication by h at the end", "shuffle", NULL,
     ADDS_WARPS | FULL_WARPS | NO_SCALE},
    {"partial", "trap_partial", "the last warp isn't full", "block-shuffle",
     "invalid-shuffle", ADDS_WARPS | ODD_WARP},
    {"lockstep", "trap_lockstep", "the variant `shared` without its warp barriers", "shared",
     "race-shared uninitialized", ADDS_WARPS | FULL_WARPS},
    {"zerofill", "trap_zerofill", "zeros for the missing warps, no warp barrier", "block-shared",
     "race-shared uninitialized", ADDS_BLOCKS},
    {"nobarrier", "trap_nobarrier", "warp 0 adds the sums without waiting", "block-shuffle",
     "race-shared uninitialized", ADDS_BLOCKS},
    {"reuse", "trap_reuse", "warps store sums in memory that warp 0 still uses",
     "two-barriers", "race-shared",
     ADDS_BLOCKS},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct trap_options, a), .value = "A", .type = ARG_REAL, .initial = "-3",
     .help = "the start of the interval"},
    {OPTION(struct trap_options, b), .value = "B", .type = ARG_REAL, .initial = "3",
     .help = "the end of the interval"},
    {OPTION(struct trap_options, n), GIVEN(struct trap_options, n), .value = "N", .type = ARG_INT,
     .lo = 1, .hi = INT32_MAX, .initial = "2^20",
     .initial_but = "1000 for a variant that is wrong on purpose",
     .help = "the number of trapezoids"},
    {OPTION(struct trap_options, f), .value = "EXPR", .type = ARG_TEXT,
     .help = "the function, as in x^2+1 or 'sin(x)/x'; + - * / ^ ( ) sin cos tan exp log sqrt "
             "abs pi e"},
    {OPTION(struct trap_options, table), .type = ARG_FLAG,
     .help = "run the launches of the textbook, and show its times"},
    {0},
};

static const struct lab lab = {
    .module = "trap",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct trap_options *o = given;
    struct trap t = {.run = {s, r, &o->lab, &lab}, .options = o, .module = "trap"};
    int failed = trap_open(&t);
    if (!failed)
        failed = o->table ? trap_table(&t) : ladder_run(&ladder, &t.run);
    integrand_close(&t.f);
    return failed;
}

const struct command lab_trap = {
    LAB_COMMAND(struct trap_options),
    .name = "trap",
    .summary = "the integral of a function: many ways to add up the terms",
    .options = options,
};
