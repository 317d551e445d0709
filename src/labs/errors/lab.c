/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errors: programs that ask none of their calls whether it worked, and what each call would have
 * said. The launches are real, in labs/errors/work.c; the kernels are in kernels/errors.cu.
 */
#include "labs/errors/work.h"
#include "labkit/lab.h"

enum { MOST_N = 1 << 24, MOST_THREADS = 1 << 20 };

static const struct lab_variant variants[] = {
    {"checked", "twice", "every call is asked", .tag = 0},
    {"badconfig", "twice", "a block that can't start, and nobody asks", "checked", "bad-launch",
     UNCHECKED_CONFIG},
    {"async", "twice", "the kernel fails after its launch went well", "checked",
     "null misaligned trap assert out-of-bounds", UNCHECKED_ASYNC},
    {"nosync", "twice", "the host reads without waiting", "checked", NULL, UNCHECKED_NOSYNC},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct errors_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "1000", .help = "elements"},
    {OPTION(struct errors_options, threads), GIVEN(struct errors_options, threads), .value = "T",
     .type = ARG_INT, .lo = 0, .hi = MOST_THREADS,
     .help = "of a block; badconfig takes those that can't be, 2048 if not told"},
    {OPTION(struct errors_options, fault), .type = ARG_CHOICE, .choices = unchecked_faults,
     .initial = "null", .help = "what goes wrong in the kernel of async"},
    {0},
};

static const struct lab lab = {
    .module = "errors",
    .takes = TAKES_VARIANT | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct errors_options *o = given;
    struct unchecked u = {.run = {s, r, &o->lab, &lab}, .options = o, .n = o->n, .fault = o->fault};
    return unchecked_open(&u) ? -1 : ladder_run(&unchecked_ladder, &u.run);
}

const struct command lab_errors = {
    .name = "errors",
    .kind = CLASS_LAB,
    .summary = "calls that nobody checks, and what each would have said",
    .options = options,
    .size = sizeof(struct errors_options),
    .lab = &lab,
    .run = run,
};
