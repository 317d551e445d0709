/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kind of arithmetic by a whole block, run as a kernel of kernels/throughput.cu: its results
 * compared with plain C, its instructions counted, and on a GPU its clocks.
 */
#ifndef LABS_THROUGHPUT_WORK_H
#define LABS_THROUGHPUT_WORK_H

#include "labkit/ladder/ladder.h"
#include "screen/facts.h"

enum rate_kind { RATE_F16, RATE_F32, RATE_F64, RATE_SPECIAL, RATE_INT_ADD, RATE_INT_MUL, RATES };

enum {
    PACE_KIND = 7,     /* of a variant's tag: an enum rate_kind */
    PACE_PROMOTED = 8, /* float, with a double by mistake */
    PACE_CHAINS = 4, PACE_UNROLL = 8, PACE_KINDS = 48
};

struct pace_kind { char name[32]; unsigned count; };

struct pace {
    const struct lab_variant *variant;
    const char *function; /* which special function */
    unsigned threads, steps;
    bool trace, quiet;
    /* Its result: */
    uint64_t results;
    bool right;
    int64_t clocks; /* first start to last end; -1: this device's clock keeps no time */
    struct launch_result result;
    struct pace_kind kinds[PACE_KINDS]; /* the instructions of one turn of the loop */
    unsigned kind_count;
    /* What the screens say of it: */
    const char *name, *turn_text, *clock_note;
    unsigned chains, turn;    /* turn: how many instructions */
    int rate;                 /* of the table */
    uint64_t least_clocks;    /* one SM needs at least so many by the table; 0: not known */
    double results_per_clock;
    bool special, has_rate, shows_clocks;
    struct verdict verdict;
    /* What the guide's table says of this card: */
    const char *source;
    char capability[12], rate_text[NUM_TEXT], f32[NUM_TEXT], f64[NUM_TEXT], functions[NUM_TEXT];
    char times_double[NUM_TEXT], times_special[NUM_TEXT]; /* what one costs, in floats */
};

int pace_run(struct pace *, struct session *, struct report *); /* the caller frees the result */
/* What a turn of the loop is made of, found by tracing two short runs. */
int pace_look_inside(struct pace *, struct session *, struct report *);
/* Fill in what the screens say. Where `variant` is NULL, only what they say of the card. */
void pace_describe(struct pace *, const struct device_props *, const struct report *);
int pace_ratio(const struct device_props *, enum rate_kind, enum rate_kind); /* 0: not known */

/* ---- the guide's table: rates.c --------------------------------------------------------- */

/* Results a clock and SM, or RATE_NONE, RATE_SEVERAL or RATE_UNKNOWN (dev/cards.h). */
int rate_of(const struct device_props *, enum rate_kind);
const char *rate_source(const struct device_props *); /* "NVIDIA's guide for CUDA 11.5, 2021" */
const char *rate_text(int rate, char out[NUM_TEXT]);
/* The whole table, this device's column marked; also "rates" in the result. */
void say_rates(struct report *, const struct device_props *);

#endif
