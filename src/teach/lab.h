/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a lab needs, in one include. A lab is a const struct command with a struct lab
 * behind it: its variants, the options it shares with other labs, and a run function that
 * turns options into data, launches, checks the answer, and says what it found.
 */
#ifndef TEACH_LAB_H
#define TEACH_LAB_H

#include "teach/adding-say.h"
#include "teach/atomic.h"
#include "teach/bank-run.h"
#include "teach/banks.h"
#include "teach/chase.h"
#include "teach/cards.h"
#include "teach/barrier-run.h"
#include "teach/barrier-say.h"
#include "teach/command.h"
#include "teach/explain.h"
#include "teach/floats.h"
#include "teach/grid.h"
#include "teach/indexing.h"
#include "teach/ladder.h"
#include "teach/latency-say.h"
#include "teach/memories.h"
#include "teach/memory-run.h"
#include "teach/memory-say.h"
#include "teach/pace.h"
#include "teach/pace-say.h"
#include "teach/mirror.h"
#include "teach/paint.h"
#include "teach/picture.h"
#include "teach/props.h"
#include "teach/reduce-say.h"
#include "teach/relaunching.h"
#include "teach/rates.h"
#include "teach/report.h"
#include "teach/returning.h"
#include "teach/run.h"
#include "teach/shuffle.h"
#include "teach/timed.h"
#include "teach/trap-run.h"
#include "teach/trap-say.h"
#include "teach/trapezoid.h"
#include "teach/unchecked.h"
#include "teach/vecadd.h"
#include "teach/waves.h"

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
