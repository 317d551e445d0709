/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a lab needs, in one include. A lab is a const struct command with a struct lab
 * behind it: its variants, the options it shares with other labs, and a run function that
 * turns options into data, launches, checks the answer, and says what it found.
 */
#ifndef LABKIT_LAB_H
#define LABKIT_LAB_H

#include "labs/sumtree/say.h"
#include "labs/atomics/work.h"
#include "labs/banks/work.h"
#include "labkit/banks.h"
#include "labs/latency/work.h"
#include "labs/devquery/cards.h"
#include "labs/barrier/work.h"
#include "labs/barrier/say.h"
#include "command/command.h"
#include "text/explain.h"
#include "labkit/floats.h"
#include "labkit/grid.h"
#include "labs/grid/work.h"
#include "labkit/ladder.h"
#include "labs/latency/say.h"
#include "labkit/memories.h"
#include "labs/memory/work.h"
#include "labs/memory/say.h"
#include "labs/throughput/work.h"
#include "labs/throughput/say.h"
#include "labs/shared/work.h"
#include "screen/paint.h"
#include "screen/picture.h"
#include "labkit/props.h"
#include "labkit/reduce-say.h"
#include "labs/relaunch/work.h"
#include "labs/throughput/rates.h"
#include "screen/report.h"
#include "labs/return/work.h"
#include "labkit/run.h"
#include "labkit/shuffle.h"
#include "labs/timing/work.h"
#include "labs/trap/work.h"
#include "labs/trap/say.h"
#include "labs/trap/trapezoid.h"
#include "labs/errors/work.h"
#include "labs/vecadd/work.h"
#include "labs/waves/work.h"

enum lab_takes { /* common options a lab understands */
    TAKES_VARIANT = 1, TAKES_BLOCKS = 2, TAKES_THREADS = 4, TAKES_REPEAT = 8, TAKES_TRACE = 16,
    TAKES_CALLS = 32, TAKES_COUNTERS = 64, TAKES_SEED = 128
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
};

const struct lab_variant *lab_variant_named(const struct lab *, const char *name);

/* The end of a screen: --trace, and --counters or the setting of that name. */
void lab_extras(const struct session *, const struct args *, const struct launch_result *,
                struct report *);
/* A finding that the lab is there to show: it is no fault of this run. */
void lab_expected(struct report *, const char *kind);
/* Why and Try from help/FILE.txt; frees the slots. */
void lab_explain(struct report *, const char *file, const char *which, struct slots *);

#endif
