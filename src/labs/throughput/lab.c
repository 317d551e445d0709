/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throughput: how many results of each kind of arithmetic a multiprocessor gives a clock. The
 * guide's table says what it could do, the kernels of kernels/throughput.cu do it, and a GPU's
 * clock tells how near they came; the simulator counts what it took.
 */
#include "labs/throughput/rates.h"
#include "labs/throughput/say.h"
#include "labs/throughput/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"f32", "run_f32", "float multiply-adds", .tag = RATE_F32},
    {"f64", "run_f64", "double multiply-adds", .tag = RATE_F64},
    {"promoted", "run_promoted", "float, but 0.7 for 0.7f: each sum is made in double",
     .tag = RATE_F32 | PACE_PROMOTED},
    {"f16", "run_f16", "half multiply-adds, two in one instruction", .tag = RATE_F16},
    {"int-add", "run_int_add", "additions of 32-bit integers", .tag = RATE_INT_ADD},
    {"int-mul", "run_int_mul", "multiply-adds of 32-bit integers", .tag = RATE_INT_MUL},
    {"special", "run_rcp", "a special function: --function", .tag = RATE_SPECIAL},
    {0},
};

static const char *const functions[] = {"rcp", "rsqrt", "lg2", "ex2", "sin", "cos", NULL};
static const struct arg_spec options[] = {
    {OPTION(struct throughput_options, steps), .type = ARG_INT, .lo = 32, .hi = 16384,
     .initial = "1024", .help = "steps of each chain, a multiple of 8"},
    {OPTION(struct throughput_options, function), .type = ARG_CHOICE, .choices = functions,
     .initial = "rcp", .help = "which special function"},
    {OPTION(struct throughput_options, table), .help = "what NVIDIA's guides say of every card"},
    {0},
};

static const struct lab lab = {
    .module = "throughput",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

/* Without --variant all kinds are shown: what matters is how they differ. */
static int run(struct session *s, const void *given, struct report *r)
{
    const struct throughput_options *o = given;
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    if (o->table)
        return pace_table(s, r);
    if (o->lab.calls)
        return pace_calls(s, v ? v : variants, r);
    if (!v || !o->lab.variant_given)
        return pace_all(s, o, variants, r);
    return pace_one(s, o, v, r);
}

const struct command lab_throughput = {
    .name = "throughput",
    .kind = CLASS_LAB,
    .summary = "results a clock: float, double, integers, functions",
    .options = options,
    .size = sizeof(struct throughput_options),
    .lab = &lab,
    .run = run,
};
