/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the names in an expression mean where lanes stand, and their values there: threadIdx.x and
 * the like, lane, warp, thread, block, registers as %r5, local variables, the kernel's parameters,
 * elements of shared arrays, of arrays that a parameter points to, and of own arrays.
 */
#ifndef REPL_STEP_VALUES_H
#define REPL_STEP_VALUES_H

#include "own/element.h"
#include "repl/step/stepping.h"
#include "step/names.h"

/* A number, whole or real. Whole ones have 64 bits. */
struct lane_number {
    bool is_real;
    int64_t whole;
    double real;
};
double lane_number_real(const struct lane_number *);
void lane_number_text(const struct lane_number *, char out[NUM_TEXT]);
void lane_number_json(struct json *, const char *key, const struct lane_number *);

/* Lanes of a warp that stand together, and in which of the functions that they are in names are
 * looked up. */
struct lane_place {
    uint64_t block;
    unsigned warp;
    uint32_t lanes;
    const struct sim_instruction *at; /* the next one, or the call; NULL: the lanes have ended */
    unsigned calls, inlined;          /* so many calls further out, and inlined ones of these */
};

/* An array by its name, for the lane in focus. */
struct lane_array {
    bool shared;
    uint64_t address, bytes; /* bytes 0: its end isn't known */
    enum element type;
    bool type_known;
};
/* false: no array has this name here. */
bool lane_array_named(struct stepped *, const char *name, struct lane_array *);

enum lane_name_is {
    NAME_IS_WRONG, /* `why` says so */
    NAME_IS_BUILTIN,
    NAME_IS_REGISTER,
    NAME_IS_LOCAL,
    NAME_IS_PARAM,
    NAME_IS_ARRAY
};
/* How near a name is to having a value. */
enum lane_name_known { MEANS_NOTHING, MEANS_ELSEWHERE, MEANS_NO_VALUE, MEANS_NOT_YET, MEANS_VALUE };
struct lane_meaning {
    enum lane_name_is is;
    enum lane_name_known known;
    bool is_real;    /* its value, or that of an element */
    unsigned number; /* of a builtin name, of a parameter */
    struct lane_array array;
    struct name_variable variable; /* a local one */
};
/* What the name means where lanes stand at the instruction `at`. false: e says why it has no
 * meaning there; known says how near it is. */
bool lane_name_means(struct stepped *, const char *name, bool indexed, const struct lane_place *,
                     struct lane_meaning *, struct err *);

/* The row that a register or a local variable has in all lanes of the place; false: it has none. */
bool lane_name_row(struct stepped *, const char *name, const struct lane_meaning *,
                   const struct lane_place *, struct sim_row *);
/* The value in a lane. row: NULL where the name has none. false: there is no value; e says why. */
bool lane_name_value(struct stepped *, const char *name, const struct lane_meaning *,
                     const struct lane_place *, const struct sim_row *, unsigned lane,
                     struct lane_number *, struct err *);
bool lane_element(struct stepped *, const char *name, const struct lane_array *,
                  const struct lane_place *, const struct lane_number *index, struct lane_number *,
                  struct err *);

/* The name in the source of a shared array, from its name in the PTX. */
const char *stepping_shared_name(const char *ptx);
/* The i-th shared array with the type of its elements. false: there are no more. */
bool stepping_shared_array(struct stepped *, unsigned i, struct step_shared *, struct lane_array *);

#endif
