/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared: each block turns its piece of an array around in shared memory, which is asked for in
 * every way there is. The score is how many elements came where they belong; what a launch asks
 * for, and what a block holds for it, is beside it. The kernels are in
 * kernels/shared.cu, one run in labs/shared/work.c, the screens in labs/shared/say.c.
 */
#include "labs/shared/work.h"
#include "labkit/lab.h"

enum { MOST_N = 1 << 24, MOST_PIECE = 1 << 16 };

static const struct lab_variant variants[] = {
    {"extern", "mirror_extern", "the launch says how much", .tag = 0},
    {"static", "mirror_static", "fixed when compiled, for the largest block", .tag = MIRROR_FIXED},
    {"two", "mirror_two", "two arrays in the launch's one", .tag = MIRROR_PAIRS},
    {"optin", "mirror_big", "long pieces: more than comes by itself, asked for", .tag = MIRROR_BIG},
    {"noargument", "mirror_extern", "the launch's third number is forgotten", "extern",
     "out-of-bounds", MIRROR_FORGOTTEN},
    {"over48k", "mirror_big", "more than comes by itself, and not asked for", "optin", "bad-launch",
     MIRROR_BIG | MIRROR_UNASKED},
    {"nobarrier", "mirror_nobarrier", "read before it is written", "extern",
     "race-shared uninitialized", 0},
    {"overlap", "mirror_overlap", "two extern arrays, which are one", "two", NULL, MIRROR_PAIRS},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct shared_options, n), GIVEN(struct shared_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = MOST_N, .initial = "1000",
     .help = "elements of the array; with long pieces two of them if not told"},
    {OPTION(struct shared_options, piece), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_PIECE,
     .initial = "16384", .help = "elements of a block's long piece: optin and over48k"},
    {0},
};

static const struct lab lab = {
    .module = "shared",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS |
             TAKES_COUNTERS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct shared_options *o = given;
    struct mirror_lab work = {.run = {s, r, &o->lab, &lab}, .options = o};
    return ladder_run(&mirror_ladder, &work.run);
}

const struct command lab_shared = {
    .name = "shared",
    .kind = CLASS_LAB,
    .summary = "memory of one block: asked for in each way, and wrongly",
    .options = options,
    .size = sizeof(struct shared_options),
    .lab = &lab,
    .run = run,
};
