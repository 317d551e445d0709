/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a lab adds to a command: its variants, and which of the options that labs share it takes.
 */
#ifndef COMMAND_VARIANTS_H
#define COMMAND_VARIANTS_H

#include <stdbool.h>
#include <stdint.h>

enum lab_takes { /* common options a lab understands */
    TAKES_VARIANT = 1, TAKES_BLOCKS = 2, TAKES_THREADS = 4, TAKES_REPEAT = 8, TAKES_TRACE = 16,
    TAKES_CALLS = 32, TAKES_COUNTERS = 64, TAKES_SEED = 128,
    TAKES_LADDER = TAKES_VARIANT | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS
};

/* The values of these options. The struct of a lab's own options begins with it. */
struct lab_options {
    const char *variant; /* its name, or "all" */
    int blocks, threads, repeat;
    uint64_t seed;
    bool variant_given, blocks_given, threads_given, repeat_given, seed_given;
    bool trace, counters, calls, json, whole;
    const char *svg; /* a picture of the screen goes to this file; NULL: none does */
};

struct lab_variant {
    const char *name;
    const char *kernel;   /* in the lab's PTX; NULL: host only */
    const char *summary;  /* what changed from the row above */
    const char *mended_by; /* wrong on purpose: the variant that mends it; else NULL */
    const char *fault;    /* and what is found in it, "race-shared uninitialized" if either can
                             be; NULL: nothing, its answer is wrong */
    int tag;              /* the lab's own */
};

struct lab {
    const char *module;   /* "trap": kernels/trap.cu and kernels/ptx/trap.ptx; NULL: none */
    unsigned takes;
    const struct lab_variant *variants; /* ends with a NULL name; first is the default */
    bool all_unless_told; /* without --variant: all of them; only --calls then shows the first */
};

const struct lab_variant *lab_variant_named(const struct lab *, const char *name);

#endif
