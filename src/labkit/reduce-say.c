/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer and whether it is right, then the counts that matter, then why, from the lab's help
 * with this run's numbers.
 */
#include "labkit/reduce.h"

#include <stdio.h>

struct reduction {
    struct lab_run run;
    const struct reduce_lab *of;
    const struct reduce_options *options;
    struct reduce_data data;  /* as asked */
    struct reduce_data small; /* for wrong variants: so little that losing one shows. If it is not
                               * opened, they have the data as asked */
    bool on_gpu;
    /* What the facts say: */
    struct reduce_data now;   /* one of these two */
    struct launch_shape shape;       /* 0, 0: none */
    const char *fill, *second, *slides, *says, *adds;
    bool sums, products, stuck, library, own_chain, useless, of_blocks, odd, uneven, has_slides;
    double bound, additions;
    uint64_t bytes, shared, terms, waits, one_wait;
    int64_t stands;
    unsigned idle, warps, halvings, lost, kept;
    char links[3 * NUM_TEXT]; /* "8 + 1,024" */
};

enum { SMALL_N = 1000 };

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct reduction, now.n), .as = AS_GROUP},
    {.name = "exact", FACT_AT(struct reduction, now.sum.exact), .as = AS_VALUE, .format = "%.10g"},
    {.name = "in_order", FACT_AT(struct reduction, now.sum.in_order), .as = AS_VALUE},
    {.name = "stuck_after", FACT_AT(struct reduction, now.sum.last), .as = AS_GROUP,
     WHEN(struct reduction, stuck)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "sum", FACT_AT(struct reduction, run.got.value_f32), .as = AS_VALUE,
     WHEN(struct reduction, sums), .label = "sum",
     .says = "{sum}    exact {exact}    error {error}"},
    {.name = "dot", FACT_AT(struct reduction, run.got.value_f32), .as = AS_VALUE,
     WHEN(struct reduction, products), .label = "dot",
     .says = "{dot}    exact {exact}    error {error}"},
    {.name = "error", FACT_AT(struct reduction, run.got.error), .as = AS_ROUGH, .label = "host",
     .says = "{exact} in double    {in_order} in float, in order"},
    {FACT(struct reduction, bound), .as = AS_ROUGH, .label = "check",
     .says = "{verdict}: {library?{chain} additions in any order have|a chain of {links} additions "
             "has} an error of at most {bound}{useless?, so the result is not useful|}"},
    {.name = "chain", FACT_AT(struct reduction, additions), .only = FACT_IN_JSON,
     WHEN(struct reduction, own_chain)},
    FACT_OK,
    {.name = "blocks", FACT_AT(struct reduction, shape.blocks), .as = AS_GROUP, .if_set = true},
    {.name = "threads", FACT_AT(struct reduction, shape.threads), .if_set = true},
    {FACT(struct reduction, lost), WHEN(struct reduction, odd)},
    {.label = "stuck", WHEN(struct reduction, stuck),
     .says = "after {stuck_after} terms a single float stays at {stands}: each further term is "
             "at most half of its last bit"},
    {.label = "atomics", WHEN(struct reduction, run.got.has_counters),
     .says = "{global_atomics:%11s}    {adds}{of_blocks?; `atomic` has {n}|}"},
    {.label = "loads", WHEN(struct reduction, run.got.has_counters),
     .says = "{global_load_requests:%11s}    by all warps, for {global_load_sectors sector} of "
             "32 bytes"},
    {.label = "barriers", WHEN(struct reduction, run.got.counters.barriers),
     .says = "{barriers:%11s}    times that a warp waited for its block"},
    {.label = "shuffles", WHEN(struct reduction, run.got.counters.shuffles),
     .says = "{shuffles:%11s}    by all warps"},
    {.label = "slides", WHEN(struct reduction, has_slides), .says = "{slides} ms {says}"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "count", FACT_AT(struct reduction, now.n), .as = AS_COUNT},
    {.name = "small", FACT_AT(struct reduction, small.n)},
    {FACT(struct reduction, fill)},
    {FACT(struct reduction, second)},
    {FACT(struct reduction, bytes), .as = AS_GROUP},
    {FACT(struct reduction, slides)},
    {.name = "chain", FACT_AT(struct reduction, additions), .as = AS_GROUP},
    {FACT(struct reduction, links)},
    {FACT(struct reduction, says)},
    {FACT(struct reduction, library)},
    {FACT(struct reduction, useless)},
    {FACT(struct reduction, stands), .as = AS_GROUP},
    {FACT(struct reduction, adds)},
    {FACT(struct reduction, of_blocks)},
    {FACT(struct reduction, shared)},
    {FACT(struct reduction, idle)},
    {FACT(struct reduction, warps)},
    {FACT(struct reduction, halvings)},
    {FACT(struct reduction, waits), .as = AS_GROUP},
    {FACT(struct reduction, one_wait), .as = AS_GROUP},
    {FACT(struct reduction, terms), .as = AS_GROUP},
    {FACT(struct reduction, uneven)},
    {FACT(struct reduction, kept)},
    {.name = NULL},
};

static bool has_shape(const struct lab_variant *v)
{
    return v && !(v->tag & (ON_HOST | BY_CUBLAS));
}

static struct reduce_data *data_of(struct reduction *w, const struct lab_variant *v)
{
    return v && v->mended_by && w->small.x.opened ? &w->small : &w->data;
}

/* For all at once a size that was typed goes to those that it fits; the others choose. */
static int choose(struct reduction *w, const struct lab_variant *v)
{
    int threads = w->options->lab.threads, blocks = w->options->lab.blocks;
    if (lab_runs_all(&w->options->lab)) {
        bool fits = !(v->tag & ODD_BLOCK) || (threads & (threads - 1)) != 0;
        threads = fits ? threads : 0;
        blocks = v->mended_by || !fits ? 0 : blocks;
    }
    return reduce_choose(v, w->now.n, blocks, threads, w->of->threads,
                         &w->run.session->device->props, &w->shape, w->run.report);
}

/* What follows from the number of threads. */
static void count_threads(struct reduction *w)
{
    const struct launch_shape s = w->shape;
    uint64_t threads = shape_threads(s), n = (uint64_t)w->now.n;
    w->halvings = reduce_halvings(s.threads);
    w->idle = s.threads - 1;
    w->warps = (s.threads + 31) / 32;
    w->one_wait = (uint64_t)s.blocks * w->warps;
    w->waits = w->one_wait * w->halvings;
    w->terms = divide_up(n, threads); /* where threads can't all have as many, the most */
    w->uneven = n % threads != 0;
    w->lost = reduce_lost(s.threads);
    w->kept = s.threads - w->lost;
}

/* The parts of the chain that have additions. */
static void tell_links(struct reduction *w, struct reduce_links of)
{
    const int64_t part[] = {of.thread, of.block, of.blocks};
    char number[NUM_TEXT];
    size_t n = 0;
    w->links[0] = '\0';
    for (int i = 0; i < 3; i++)
        if (part[i])
            n += (size_t)snprintf(w->links + n, sizeof w->links - n, "%s%s", n ? " + " : "",
                                  num_group(part[i], number));
}

static int find(void *self, const struct lab_variant *v)
{
    static const char *const who[] = {"one per element", "one per block", "one per block"};
    struct reduction *w = self;
    unsigned adds = v ? (unsigned)v->tag & REDUCE_MASK : 0;
    w->now = *data_of(w, v);
    w->fill = w->options->fill[0];
    w->second = w->options->fill[1];
    w->bytes = (uint64_t)w->now.n * sizeof(float);
    w->stuck = floats_stuck(&w->now.sum, (uint64_t)w->now.n);
    w->stands = (int64_t)w->now.sum.in_order;
    w->shape = (struct launch_shape){0, 0};
    if (!v)
        return 0;
    if (has_shape(v) && choose(w, v))
        return -1;
    if (has_shape(v))
        count_threads(w);
    w->sums = w->now.arrays == 1;
    w->products = w->now.arrays == 2;
    w->library = v->tag & BY_CUBLAS;
    w->own_chain = !w->library; /* what the library's is, is its own affair */
    w->useless = !w->run.got.verdict.good;
    w->odd = v->tag & ODD_BLOCK;
    w->bound = reduce_bound(v, &w->now, w->shape);
    w->additions = reduce_chain(v, w->now.n, w->shape);
    tell_links(w, reduce_links(v, w->now.n, w->shape));
    w->of_blocks = adds == EACH_BLOCK || adds == FEW_BLOCKS;
    w->adds = adds > FEW_BLOCKS ? "`atomic` has one per element" : who[adds];
    w->shared = v->tag & SHARED_VALUES ? w->shape.threads * sizeof(float) : 0;
    const char *there = w->of->elsewhere ? w->of->elsewhere(v) : NULL;
    w->has_slides = there != NULL;
    w->slides = there ? there : "-";
    w->says = w->of->beside_says;
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct reduction *w = self;
    return reduce_run(w->of->name, data_of(w, how->variant), w->shape, w->on_gpu, how, got);
}

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"loads", offsetof(struct counters, global_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

int reduction_run(const struct reduce_lab *of, const struct lab_run *run,
                  const struct reduce_options *o)
{
    const struct ladder ladder = {
        .value = of->name, .kind = VALUE_F32,
        .order = "slowest first: atomic operations at one address wait for each other",
        .columns = columns,
        .head = "n = {count}, {second?a |}{fill:%.40s}{second?, b {second:%.40s}|}"
                "{blocks?, {blocks:%.0f} x {threads} threads|}",
        .head_of_all = "n = {count}, {second?a |}{fill:%.40s}{second?, b {second:%.40s}|}",
        .beside_head = of->beside_head, .beside = "{slides}", .task = task, .facts = facts,
        .words = words, .attempt = attempt, .find = find};
    struct reduction w = {.run = *run, .of = of, .options = o,
                          .on_gpu = session_on_gpu(run->session)};
    const bool few = lab_runs_all(&o->lab) || !o->n_given;
    w.small.n = o->n;
    int failed = reduce_open(&w.data, run->session, o, o->n, of->fills, run->report) ||
                 (few && reduce_open(&w.small, run->session, o, SMALL_N, of->fills, run->report)) ||
                 ladder_run(&ladder, &w.run);
    reduce_close(&w.data);
    reduce_close(&w.small);
    return failed ? -1 : 0;
}
