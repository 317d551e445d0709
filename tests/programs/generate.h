/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the generator share: chance, the names that a text may use, expressions.
 */
#ifndef TESTS_PROGRAMS_GENERATE_H
#define TESTS_PROGRAMS_GENERATE_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BLOCKS = 2,
    MOST_THREADS = 128,
    THREAD_WORDS = 24, /* of output */
    TAIL_WORDS = 64,   /* of output, for atomics of all threads */
    KERNEL_WORDS = BLOCKS * MOST_THREADS * THREAD_WORDS + TAIL_WORDS,
    INPUT_WORDS = 1024,
    MOST_HELPERS = 4
};

/* A function that the kernel may call. It takes `in` first. */
struct helper {
    char result;
    char operands[5]; /* letters of types */
    bool recursive;   /* one more operand, how deep it may go */
};

struct gen {
    uint64_t chance;
    int kernel;                /* its number */
    const char *types;         /* letters of the variables that there are */
    int copies[128];           /* how many variables there are of each letter */
    int counters;              /* of loops around this place: n0, n1 and so on */
    bool has_pack, has_arrays; /* the variables p, and l and m */
    struct helper helpers[MOST_HELPERS];
    int helper_count;
    int indent;
    int loops;      /* around this place */
    bool may_break; /* some threads may leave the innermost loop here */
    bool uniform;   /* all threads of the block come here together */
    bool in_kernel;
    const char *atomic; /* "add u", say: what the atomics on shared memory do here */
    int labels;
};

static inline uint64_t draw(struct gen *g)
{
    return random_next(&g->chance);
}
static inline int below(struct gen *g, int n)
{
    return (int)(draw(g) >> 33) % n;
}
static inline bool one_in(struct gen *g, int n)
{
    return below(g, n) == 0;
}

/* The name of a type, by its letter */
const char *type_name(char letter);
/* How 32 bits `%s` become a value of the type, as a format for printf */
const char *type_from_bits(char letter);

/* Each writes C to stdout. */
void expression(struct gen *g, char type, int depth);
void any_expression(struct gen *g, char type); /* of a depth by chance */
void target(struct gen *g, char type);         /* what can be assigned to */
void call(struct gen *g, int helper, int depth);
uint32_t constant(struct gen *g); /* more often one at an edge */

/* statements.c */
void line(struct gen *g, const char *format, ...);
void open_line(struct gen *g);
void statements(struct gen *g, int count, int depth);

#endif
