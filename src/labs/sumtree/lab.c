/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sumtree: up to 32 threads add up one value each, one by one or in a tree, drawn step by step.
 * The rules are in labs/sumtree/work.c, the picture in labs/sumtree/draw.c, the screens in
 * labs/sumtree/say.c. Here is what there is to choose from.
 */
#include "labs/sumtree/say.h"
#include "labs/sumtree/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"linear", "sumtree_linear", "one atomic a thread, one after the other", .tag = ADD_LINEAR},
    {"tree", "sumtree_tree", "half of the threads add, then half of those", .tag = ADD_TREE},
    {"shuffle", "sumtree_shuffle", "the same in registers, by shuffles", .tag = ADD_SHUFFLE},
    {"dissemination", "sumtree_dissemination", "all read round the corner: all get the sum",
     .tag = ADD_DISSEMINATION},
    {"butterfly", "sumtree_butterfly", "pairs swap by xor: all get the sum",
     .tag = ADD_BUTTERFLY},
    {"noguard", "sumtree_noguard", "thread 0 adds f(0) too, as in the textbook's table 6.6",
     "linear", NULL, ADD_LINEAR},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct sumtree_options, order), .type = ARG_LIST, .lo = 0, .hi = ADDING_MOST - 1,
     .help = "who goes first in `linear`, as in 5,2,3; the others follow as they are numbered"},
    {OPTION(struct sumtree_options, fill), .value = "FILL", .type = ARG_TEXT,
     .help = "the threads' values, as `array` fills: iota, list:1,2,3, random; not said: "
             "f(x) = 2x + 1"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "N", BIND(struct sumtree_options, n), .type = ARG_INT, .lo = 2, .hi = ADDING_MOST,
     .initial = "8", .help = "threads, all of one warp"},
    {0},
};
static const struct lab lab = {
    .module = "sumtree",
    .takes = TAKES_VARIANT | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS |
             TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct sumtree_options *o = given;
    struct sumtree w = {.run = {s, r, &o->lab, &lab}, .options = o};
    return sumtree_open(&w) ? -1 : ladder_run(&sumtree_ladder, &w.run);
}

const struct command lab_sumtree = {
    .name = "sumtree",
    .kind = CLASS_LAB,
    .summary = "a few threads, one sum: one by one or in a tree",
    .options = options,
    .operands = operands,
    .size = sizeof(struct sumtree_options),
    .lab = &lab,
    .run = run,
};
