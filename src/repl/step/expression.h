/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An expression over the lanes of a stepped launch, as `print`, `watch` and the conditions of
 * breakpoints have it. It is read once and becomes a tree. What its names mean follows from the
 * instruction at which lanes stand (values.h), and is found once for each instruction. Their values
 * are read in each lane.
 */
#ifndef REPL_STEP_EXPRESSION_H
#define REPL_STEP_EXPRESSION_H

#include "repl/step/values.h"

struct lane_expression;
/* NULL: e says what is wrong; its column counts in the text. */
struct lane_expression *lane_expression_read(const char *text, struct err *);
void lane_expression_free(struct lane_expression *); /* NULL is fine */

/* The element, or the array, that it names and that is all of it; the index is that of the lane in
 * focus. -1: e says why there is none. */
int lane_cell_named(struct stepped *, const char *text, struct lane_cell *, struct err *);

/* Are its names known where lanes come to this line, or for line 0 to any one? -1: e says which one
 * is not, and why. */
int lane_expression_known(struct stepped *, struct lane_expression *, int line, struct err *);

/* Why an expression has no value. */
enum lane_fault {
    LANE_RIGHT,
    LANE_WRONG /* in no lane of the place */,
    LANE_NONE /* in this lane */
};
/* The values in the lanes of a place; the lanes that have one. fault: why others have none, which e
 * says. */
uint32_t lane_values(struct stepped *, struct lane_expression *, const struct lane_place *,
                     struct lane_number value[STEP_LANES], enum lane_fault *fault, struct err *);

/* The value in the lane in focus, of a text that is read for that. */
enum lane_fault lane_value(struct stepped *, const char *text, struct lane_number *, struct err *);

#endif
