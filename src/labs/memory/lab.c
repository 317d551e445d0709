/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory: the kinds of it that this device has, how large, who reaches them, how long they live;
 * each one touched by a kernel, and the counters to prove it. The kernels are in
 * kernels/memory.cu, running and judging them in labs/memory/work.c, the screens in
 * labs/memory/say.c.
 */
#include "labs/memory/say.h"
#include "labs/memory/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"hierarchy", "touch_each", "each memory once", .tag = TOUCH_EACH},
    {"symbol", "through_symbols", "constants and variables, copied by name",
     .tag = THROUGH_SYMBOLS},
    {"registers", "bins_in_registers", "an array without an index, in registers",
     .tag = FILL_BINS},
    {"spill", "bins_in_local", "the same indexed at run time: local memory", .tag = FILL_BINS},
    {"shared-array", "bins_in_shared", "the same index into shared memory",
     .tag = FILL_BINS | BINS_IN_SHARED},
    {"carveout", "fill_shared", "a block that takes much shared memory", .tag = FILL_SHARED},
    {"unset", "through_symbols", "a device pointer that nobody set", "symbol", "null",
     THROUGH_SYMBOLS | NO_WHERE},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct memory_options, keys), .type = ARG_INT, .lo = 1, .hi = 65536, .initial = "64",
     .help = "keys that each thread counts (registers, spill, shared-array)"},
    {OPTION(struct memory_options, terms), .type = ARG_INT, .lo = 1, .hi = MEMORY_TERMS,
     .initial = "8", .help = "coefficients in constant memory (symbol)"},
    {OPTION(struct memory_options, launches), .type = ARG_INT, .lo = 1, .hi = 1000, .initial = "2",
     .help = "how often the kernel is launched (symbol)"},
    {OPTION(struct memory_options, shared), .value = "BYTES", .type = ARG_INT, .lo = 4,
     .hi = 1 << 30,
     .help = "shared memory a block (carveout); 64 KB, or the most there is, if not given"},
    {0},
};

static const struct lab lab = {
    .module = "memory",
    .takes = TAKES_VARIANT | TAKES_BLOCKS | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE |
             TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct memory_options *o = given;
    struct memory_lab m = {.run = {s, r, &o->lab, &lab}};
    return memory_open(&m, o) ? -1 : ladder_run(&memory_ladder, &m.run);
}

const struct command lab_memory = {
    .name = "memory",
    .kind = CLASS_LAB,
    .summary = "the kinds of memory, and who can reach them",
    .options = options,
    .size = sizeof(struct memory_options),
    .lab = &lab,
    .run = run,
};
