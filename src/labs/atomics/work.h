/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of the lab `atomics`: threads of one block change one number, each by its operand, and
 * each keeps what it found. Whether the changes came one after the other can be told from what
 * they found, whatever their order was: that is the lab's reference in plain C.
 */
#ifndef LABS_ATOMICS_WORK_H
#define LABS_ATOMICS_WORK_H

#include "labkit/ladder/ladder.h"
#include <stdint.h>

enum atomic_op { /* as in kernels/atomics.cu */
                 ATOMIC_ADD,
                 ATOMIC_SUB,
                 ATOMIC_MIN,
                 ATOMIC_MAX,
                 ATOMIC_AND,
                 ATOMIC_OR,
                 ATOMIC_XOR,
                 ATOMIC_EXCH,
                 ATOMIC_CAS,
                 ATOMIC_INC,
                 ATOMIC_DEC
};

/* Since which compute capability; NULL: there is none. */
struct atomic_since {
    const char *global, *shared, *wide, *f32, *f64;
};

struct atomic_kind {
    const char *name, *function, *does; /* "add", "atomicAdd", "x += v" */
    const char *kernel;
    struct atomic_since since;
};
enum { ATOMIC_KINDS = ATOMIC_DEC + 1, ATOMIC_THREADS = 1024 };
extern const struct atomic_kind atomic_kinds[];
extern const char *const atomic_names[]; /* for an operand's choices */

enum atomic_tag { ATOMIC_ONE = 1, ATOMIC_LOOP = 2, ATOMIC_WIDE = 4, ATOMIC_PLAIN = 8 };

struct atomics_options {
    struct lab_options lab;
    int start, op; /* op: one of atomic_names */
    const char *values;
    bool start_given, list;
};

/* One run of one variant. */
struct atomic_run {
    enum atomic_op op;
    unsigned threads;
    int32_t start, in[ATOMIC_THREADS];
    int32_t old[ATOMIC_THREADS], left; /* what each found, and what is there in the end */
    int32_t tries[ATOMIC_THREADS];     /* of a loop */
    unsigned all_tries;
    unsigned order[ATOMIC_THREADS]; /* who went when, one way that explains all; if right */
    bool right;
};

/* Is x the same in the end, whatever the order of the threads? */
bool atomic_has_one_answer(const struct atomic_run *);
int32_t atomic_changed(enum atomic_op, int32_t found, int32_t by);
/* Operation, start and operands, as typed or as usual. -1: the report says why not. */
int atomic_read(const struct atomics_options *, uint64_t seed, struct atomic_run *,
                struct report *);
int atomic_launch(struct atomic_run *, const struct trial *, struct attempt *);

#endif
