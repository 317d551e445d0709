/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atomics: threads change one number together, by each of CUDA's atomics, by one made of compare
 * and swap, and by a load, a change and a store, which loses what others did in between. The
 * kernels are in kernels/atomics.cu, the proof in labs/atomics/work.c, the screens in
 * labs/atomics/say.c.
 */
#include "labs/atomics/work.h"
#include "labkit/lab.h"

#include <stdlib.h>

static const struct lab_variant variants[] = {
    {"atomic", "atomics_add", "one atomic a thread", .tag = ATOMIC_ONE},
    {"cas-loop", "atomics_cas_loop", "made of compare and swap: guess, and try again",
     .tag = ATOMIC_LOOP},
    {"f64", "atomics_f64", "doubles, in one instruction", .tag = ATOMIC_WIDE | ATOMIC_ONE},
    {"f64-cas", "atomics_f64_cas", "doubles, by compare and swap of their 64 bits",
     .tag = ATOMIC_WIDE | ATOMIC_LOOP},
    {"plain", "atomics_plain", "load, change and store", "atomic", "race-global", ATOMIC_PLAIN},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct atomics_options, start), GIVEN(struct atomics_options, start), .value = "X",
     .type = ARG_INT, .lo = INT32_MIN, .hi = INT32_MAX,
     .help = "what x is before; each operation has a start of its own if not told"},
    {OPTION(struct atomics_options, values), .type = ARG_LIST, .lo = INT32_MIN, .hi = INT32_MAX,
     .help = "the threads' operands v, as in 3,5,2; they begin anew where there are more threads"},
    {OPTION(struct atomics_options, list), .type = ARG_FLAG,
     .help = "all of them, and since which compute capability"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "OP", BIND(struct atomics_options, op), .type = ARG_CHOICE, .choices = atomic_names,
     .initial = "add", .help = "what each thread does to x"},
    {0},
};

static const struct lab lab = {
    .module = "atomics",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS |
             TAKES_COUNTERS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct atomics_options *o = given;
    if (o->list) {
        say_atomic_kinds(r, s);
        return 0;
    }
    struct atomic_lab *work = calloc(1, sizeof *work); /* too much for a stack */
    if (!work)
        return report_fail(r, "out of memory");
    work->run = (struct lab_run){.session = s, .report = r, .options = &o->lab, .lab = &lab};
    int rc = atomic_read(o, lab_seed(s, &o->lab), &work->now, r);
    if (rc == 0)
        rc = ladder_run(&atomic_ladder, &work->run);
    free(work);
    return rc;
}

const struct command lab_atomics = {
    .name = "atomics",
    .kind = CLASS_LAB,
    .summary = "threads change one number: at once, or one after the other",
    .options = options,
    .operands = operands,
    .size = sizeof(struct atomics_options),
    .lab = &lab,
    .run = run,
};
