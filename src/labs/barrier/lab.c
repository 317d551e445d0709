/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier: who waits for whom. Threads leave numbers, wait, and take those of others; each variant
 * waits in another way. labs/barrier/work.c runs and judges one. The screen says how many threads
 * took the right number, and who came to which barrier.
 */
#include "labs/barrier/work.h"

#include "labkit/lab.h"

#include <stdio.h>

struct barrier_options {
    struct lab_options lab;
    int who, group; /* 0: choose */
};

struct barrier {
    struct lab_run run;
    const struct barrier_options *options;
    struct barrier_taken taken; /* in the last run */
    /* What the facts say: */
    struct barrier_shape shape;
    bool of_grid, has_who;
    uint64_t all, together; /* threads of the grid; of those that wait for each other */
    unsigned rest, warps, groups, clusters, over;
    int cluster, sms, steps;
};

/* ---- shape ------------------------------------------------------------------------------ */

/* As typed; for all at once a size that was typed goes to those that it fits, the others choose. */
static int choose(const struct barrier *b, const struct lab_variant *v, struct barrier_shape *s)
{
    const struct device_props *p = &b->run.session->device->props;
    const struct barrier_options *o = b->options;
    const struct barrier_wish typed = {o->lab.blocks, o->lab.threads, o->who, o->group};
    const struct barrier_wish wishes[] = {typed, {.threads = typed.threads}, {0}};
    int failed = -1;
    for (int i = 0; lab_runs_all(&o->lab) && i < 2 && failed; i++) {
        struct report ignored;
        report_init(&ignored);
        failed = barrier_choose(v, wishes[i], p, s, &ignored);
        report_free(&ignored);
    }
    return failed ? barrier_choose(v, wishes[lab_runs_all(&o->lab) ? 2 : 0], p, s, b->run.report)
                  : 0;
}

static bool of_grid(const struct lab_variant *v)
{
    return (v->tag & WAIT_MASK) == WAIT_GRID;
}

static bool of_clusters(const struct lab_variant *v)
{
    return (v->tag & WAIT_MASK) == WAIT_CLUSTER;
}

/* Blocks wait for each other since 6.0, and in clusters since 9.0. */
static bool card_can(const struct barrier *b, const struct lab_variant *v)
{
    bool cooperative = of_grid(v) && !(v->tag & (COUNTS_ITSELF | TWO_LAUNCHES));
    int needs = of_clusters(v) ? 9 : cooperative ? 6 : 0;
    return b->run.session->device->props.major >= needs;
}

static int refuse(const struct barrier *b, const struct lab_variant *v)
{
    const struct device_props *p = &b->run.session->device->props;
    if (of_clusters(v))
        return report_fail(b->run.report,
                           "a %s (compute capability %d.%d) has no clusters: they came with 9.0, "
                           "the H100 of 2022; `set device sim:h100` simulates one, and --variant "
                           "grid waits for all blocks", p->name, p->major, p->minor);
    return report_fail(b->run.report,
                       "blocks of a %s (compute capability %d.%d) can't wait for each other by "
                       "grid.sync(): that takes 6.0; --variant two-launches does it on any card",
                       p->name, p->major, p->minor);
}

/* Lanes of a warp, warps of a block, ...: how large a group waits, in threads. */
static uint64_t waiting(const struct lab_variant *v, const struct barrier_shape *s)
{
    switch (v->tag & WAIT_MASK) {
    case WAIT_TILE:
    case WAIT_WARPS: return s->group;
    case WAIT_GRID: return (uint64_t)s->blocks * s->threads;
    case WAIT_CLUSTER: return (uint64_t)CLUSTER_BLOCKS * s->threads;
    default: return s->threads;
    }
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "sum", FACT_AT(struct barrier, run.got.value), .as = AS_GROUP, .label = "check",
     .says = "{verdict}    {taken} of {should} threads read the right number"},
    {.label = "sum", .says = "{sum:%11s}    the sum of the numbers that the threads read"},
    {.name = "expected", FACT_AT(struct barrier, run.got.expected)},
    FACT_OK,
    {.name = "blocks", FACT_AT(struct barrier, shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct barrier, shape.threads)},
    {.name = "numbers", FACT_AT(struct barrier, shape.numbers), .as = AS_GROUP},
    {FACT(struct barrier, together), .as = AS_GROUP, .label = "together",
     .says = "{together:%11s}    threads wait for each other"},
    {.name = "who", FACT_AT(struct barrier, shape.who), WHEN(struct barrier, has_who)},
    {.name = "group", FACT_AT(struct barrier, shape.group), .if_set = true},
    {.label = "barriers", WHEN(struct barrier, run.got.has_counters),
     .says = "{barriers:%11s}    times that a warp waited"},
    {.name = "blocks_at_once", FACT_AT(struct barrier, shape.fits), .as = AS_GROUP,
     WHEN(struct barrier, of_grid), .label = "room",
     .says = "{blocks_at_once:%11s}    blocks at once: {per_sm} on each of {sms} multiprocessors"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "taken", FACT_AT(struct barrier, taken.right), .as = AS_GROUP},
    {.name = "should", FACT_AT(struct barrier, taken.numbers), .as = AS_GROUP},
    {FACT(struct barrier, all), .as = AS_GROUP},
    {FACT(struct barrier, rest)},
    {FACT(struct barrier, warps)},
    {FACT(struct barrier, groups)},
    {FACT(struct barrier, cluster)},
    {FACT(struct barrier, clusters), .as = AS_GROUP},
    {FACT(struct barrier, over), .as = AS_GROUP},
    {.name = "per_sm", FACT_AT(struct barrier, shape.per_sm)},
    {FACT(struct barrier, sms)},
    {FACT(struct barrier, steps), .as = AS_GROUP},
    {.name = NULL},
};

/* Of all variants the facts are those of the first whose blocks wait for each other. */
static int find(void *self, const struct lab_variant *v)
{
    struct barrier *b = self;
    struct barrier_shape *s = &b->shape;
    bool refused = v && !lab_runs_all(&b->options->lab) && !card_can(b, v);
    if (!v)
        for (v = b->run.lab->variants; !of_grid(v);)
            v++;
    if (choose(b, v, s))
        return -1;
    if (refused)
        return refuse(b, v);
    b->of_grid = of_grid(v);
    b->has_who = (v->tag & WAIT_MASK) == WAIT_WHO;
    b->all = (uint64_t)s->blocks * s->threads;
    b->together = waiting(v, s);
    b->rest = s->threads > s->who ? s->threads - s->who : 0;
    b->warps = (s->threads + 31) / 32;
    b->groups = s->group ? s->threads / s->group : 1;
    b->cluster = CLUSTER_BLOCKS;
    b->clusters = s->blocks / CLUSTER_BLOCKS;
    b->over = s->blocks > s->fits ? s->blocks - s->fits : 0;
    b->sms = b->run.session->device->props.multiprocessors;
    b->steps = BARRIER_STEPS;
    return 0;
}

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct barrier *b = self;
    if (card_can(b, how->variant))
        return barrier_run(how, &b->shape, got, &b->taken);
    snprintf(got->fault, sizeof got->fault, "unsupported-instruction");
    return 0;
}

/* Who came to which barrier. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *result)
{
    const struct barrier *b = self;
    (void)v;
    say_meetings(b->run.report, result, b->shape.threads);
    return false;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"barriers", offsetof(struct counters, barriers)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {"atomics", offsetof(struct counters, global_atomics)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "sum",
    .kind = VALUE_INT,
    .order = "most work first: blocks that wait for each other are many, lanes of a warp few",
    .columns = columns,
    .head = "{blocks:%.0f} x {threads} threads: each writes a number, waits, reads another one",
    .head_of_all = "each thread writes a number, waits, and reads another one",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

#define BAD_BRANCH "barrier-divergence race-shared uninitialized"

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"block", "barrier_block", "__syncthreads() for all threads of a block", .tag = WAIT_BLOCK},
    {"outside", "barrier_outside", "the barrier is outside the branch, so all threads reach it",
     .tag = WAIT_WHO},
    {"named", "barrier_named", "groups of warps, each with its own barrier number",
     .tag = WAIT_WARPS},
    {"tiles", "barrier_tiles", "groups of lanes in a warp, each with its mask", .tag = WAIT_TILE},
    {"flag", "barrier_flag", "blocks wait for a counter; all of them run at the same time",
     .tag = WAIT_GRID | COUNTS_ITSELF},
    {"grid", "barrier_grid", "grid.sync() for all blocks, in a cooperative launch",
     .tag = WAIT_GRID},
    {"gridstride", "barrier_gridstride", "the same, with more numbers than threads",
     .tag = WAIT_GRID | STRIDES},
    {"two-launches", "barrier_leave", "any number of blocks: the end of the kernel is the barrier",
     .tag = WAIT_GRID | TWO_LAUNCHES},
    {"cluster", "barrier_cluster", "cluster.sync() for the blocks of a cluster (9.0 and later)",
     .tag = WAIT_CLUSTER},
    {"branch", "barrier_branch", "a barrier in a branch that only some threads take",
     "outside", BAD_BRANCH,
     WAIT_WHO},
    {"return", "barrier_return", "some threads return before the barrier",
     "outside", BAD_BRANCH, WAIT_WHO},
    {"later", "barrier_later", "a barrier in a branch, and another one after it", "outside",
     BAD_BRANCH " timeout", WAIT_WHO | ALL_TAKE | NEVER_ENDS},
    {"sides", "barrier_sides", "one barrier in each side of a branch", "block", BAD_BRANCH,
     WAIT_WHO | BOTH_SIDES},
    {"fullmask", "barrier_fullmask", "the mask of __syncwarp() names lanes that wait elsewhere",
     "tiles",
     "deadlock timeout", WAIT_TILE | MASK_NAMES_ALL | NEVER_ENDS},
    {"miscount", "barrier_miscount", "barriers that expect more threads than arrive", "named",
     "deadlock timeout", WAIT_WARPS | NEVER_ENDS},
    {"toomany", "barrier_flag", "flag, with more blocks than run at the same time", "two-launches",
     "timeout", WAIT_GRID | COUNTS_ITSELF | TOO_MANY | NEVER_ENDS},
    {"toobig", "barrier_grid", "grid, with more blocks than run at the same time", "gridstride",
     "bad-launch", WAIT_GRID | TOO_MANY},
    {"cluster-nosync", "barrier_cluster_nosync", "cluster, with __syncthreads() in place of "
                                                 "cluster.sync()",
     "cluster", "race-shared uninitialized", WAIT_CLUSTER},
    {"cluster-noend", "barrier_cluster_noend", "cluster, without a barrier before the blocks end",
     "cluster", "race-shared use-after-free", WAIT_CLUSTER},
    {"badlaunch", "barrier_grid", "grid, launched with <<<>>>",
     "grid", "trap", WAIT_GRID | PLAINLY},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct barrier_options, who), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "the number of threads of each block that take the branch"},
    {OPTION(struct barrier_options, group), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "the number of threads that wait for each other, if only some of them do"},
    {0},
};

static const struct lab lab = {
    .module = "barrier",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct barrier_options *o = given;
    struct barrier b = {.run = {s, r, &o->lab, &lab}, .options = o};
    return ladder_run(&ladder, &b.run);
}

const struct command lab_barrier = {
    LAB_COMMAND(struct barrier_options),
    .name = "barrier",
    .summary = "how lanes, warps and blocks wait for each other at a barrier",
    .options = options,
};
