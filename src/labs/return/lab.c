/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * return: a kernel is void, so what it has worked out must be left in memory that the host can
 * reach. Three ways that do, and the pointer to the host's own variable, which doesn't.
 * How one is run and told is in labs/return/work.c.
 */
#include "labs/return/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"copy", "return_pointer", "memory of the device, copied back", .tag = BY_POINTER},
    {"managed", "return_pointer", "memory that both sides reach", .tag = BY_MANAGED},
    {"global", "return_global", "a variable of the device, copied by name", .tag = BY_NAME},
    {"hostptr", "return_pointer", "a pointer to the host's own variable", "copy",
     "host-pointer out-of-bounds", BY_HOST_POINTER},
    {0},
};

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct returning w = {s, args, r, (int)arg_int(args, "X"), (int)arg_int(args, "Y")};
    const struct old_ladder ladder = returning_ladder(&w, variants);
    return old_ladder_run(&ladder);
}

static const struct arg_spec operands[] = {
    {.name = "X", .type = ARG_INT, .lo = -1000000000, .hi = 1000000000, .initial = "2",
     .help = "the first number"},
    {.name = "Y", .type = ARG_INT, .lo = -1000000000, .hi = 1000000000, .initial = "3",
     .help = "the second one"},
    {0},
};
static const struct lab lab = {
    .module = "return",
    .takes = TAKES_VARIANT | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants};

const struct command lab_return = {
    .name = "return",
    .kind = CLASS_LAB,
    .summary = "why a kernel can't return a value, and what does",
    .operands = operands,
    .lab = &lab,
    .run = run,
};
