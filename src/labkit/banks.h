/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The banks of shared memory as a rule in plain C, and the picture of which lane asks which bank.
 * The simulator's counters have their own rule, so that each checks the other.
 */
#ifndef LABKIT_BANKS_H
#define LABKIT_BANKS_H

#include "screen/report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BANK_LANES = 32 };

/* How the elements that the lanes ask for are chosen. */
enum bank_kind {
    BANK_LINEAR, BANK_BROADCAST, BANK_REVERSE, BANK_RANDOM, BANK_TRANSPOSE, BANK_LISTED
};

struct bank_pattern {
    enum bank_kind kind;
    int stride, pad;
    uint64_t seed;
    int listed[BANK_LANES];
};

struct bank_access {
    int element[BANK_LANES]; /* lane i asks for element[i] */
    int bytes;               /* of an element: 4, 8 or 16 */
    int banks;               /* 32; 16 before compute capability 2.0 */
    bool store;              /* it is a store */
};

struct bank_passes {
    int wavefronts;         /* passes in all */
    int together;           /* lanes that are served together */
    int ideal;              /* passes where no bank is asked for two words */
    int degree;             /* most words in one bank among lanes that are served together */
    bool shared_words;      /* lanes ask for the same word: it is sent to all of them */
    int lanes[BANK_LANES];  /* how many lanes ask each bank */
    int words[BANK_LANES];  /* for how many distinct words */
};

/* "linear", ..., or a list as in 0,32,64, which begins again where it is shorter than 32. */
int bank_pattern_read(const char *text, struct bank_pattern *, struct report *);
void bank_place(const struct bank_pattern *, struct bank_access *); /* sets element[] */
void bank_describe(const struct bank_pattern *, char *out, size_t size); /* "s[33 i]" */
/* The least padding with the fewest passes, -1 if none helps. */
int bank_best_pad(const struct bank_pattern *, const struct bank_access *, int most);

struct bank_passes bank_count(const struct bank_access *);
void bank_draw(const struct bank_access *, const struct bank_passes *, struct report *);
/* Draw, for each lane, the banks that it asks and the pass that serves it. */
void bank_draw_lanes(const struct bank_access *, struct report *);
/* The explanation in help/banks.txt that fits: conflict, broadcast, wide, old, free. */
const char *bank_case(const struct bank_access *, const struct bank_passes *);
int bank_elements(const struct bank_access *); /* one more than the highest asked for */

#endif
