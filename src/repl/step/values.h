/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions over a lane of a stepped launch, as `print` and the conditions of breakpoints have
 * them: numbers, + - * / %, comparisons, && || !, parentheses; and names: threadIdx.x and the like,
 * lane, warp, thread, block, registers as %r5, the kernel's parameters, elements of shared arrays,
 * of arrays that a parameter points to, and of own arrays.
 */
#ifndef REPL_STEP_VALUES_H
#define REPL_STEP_VALUES_H

#include "own/element.h"
#include "repl/step/stepping.h"

/* A number, whole or real. Whole ones have 64 bits. */
struct lane_number {
    bool is_real;
    int64_t whole;
    double real;
};
double lane_number_real(const struct lane_number *);
void lane_number_text(const struct lane_number *, char out[NUM_TEXT]);
void lane_number_json(struct json *, const char *key, const struct lane_number *);

/* Why an expression has no value. */
enum lane_fault { LANE_RIGHT, LANE_WRONG /* never a value */, LANE_NONE /* not here */ };
enum lane_fault lane_value(struct stepped *, unsigned lane, const char *text, struct lane_number *,
                           struct err *);

/* An array by its name, for the lane in focus. */
struct lane_array {
    bool shared;
    uint64_t address, bytes; /* bytes 0: its end isn't known */
    enum element type;
    bool type_known;
};
/* false: no array has this name here. */
bool lane_array_named(struct stepped *, const char *name, struct lane_array *);

/* The name in the source of a shared array, from its name in the PTX. */
const char *stepping_shared_name(const char *ptx);
/* The i-th shared array with the type of its elements. false: there are no more. */
bool stepping_shared_array(struct stepped *, unsigned i, struct step_shared *, struct lane_array *);

#endif
