/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads that the compiler does ahead of the question whether they are wanted.
 *
 * `c ? s[3] : 0` may load s[3] always, where that can't fault, and choose afterwards: the student
 * didn't read it, whatever the instructions do. Such a load is known by its value going nowhere
 * but into selections. Checkers pass it over: a real mistake may hide there, but what they say
 * is never wrong.
 *
 * Two more things are found out in the same way. A value may only be copied: padding of a struct
 * is. And a load may poll: its value decides whether its loop ends.
 */
#ifndef CHECK_CHOSEN_H
#define CHECK_CHOSEN_H

#include "sim/sim.h"
#include <stdbool.h>

enum chosen_question {
    CHOSEN_ONLY,   /* a load of shared or local memory: is its value only chosen from? */
    CHOSEN_SINGLE, /* a load: is it the only one of its source line from its register? A struct is
                      copied by several loads. */
    CHOSEN_POLLS,  /* a load in a loop: does the loop end when the value is the one waited for? */
    CHOSEN_WAITS,  /* does the function wait in a loop for what others write: a lock, a flag? */
    CHOSEN_UNUSED, /* an atomic: does nobody look at the value that it found in memory? */
    CHOSEN_SPINS, /* a load or an atomic: does a loop do nothing but wait for its value, or
                     did the student write such a loop? */
    CHOSEN_COPIED, CHOSEN_ELEMENT, CHOSEN_FILLER, CHOSEN_UPDATE, /* these have functions below */
    CHOSEN_QUESTIONS
};

/* The code of a launch, and what was found out about it so far: an answer to each question by pc,
 * kept since the question was first asked. */
struct chosen {
    const struct sim_instruction *code;
    uint32_t count;
    uint8_t *answers[CHOSEN_QUESTIONS];
};

void chosen_begin(struct chosen *, const struct sim_instruction *code, uint32_t count);
void chosen_end(struct chosen *);
bool chosen_is(struct chosen *, enum chosen_question, uint32_t pc); /* of the first six */

/* CHOSEN_ONLY for the k-th element of a vector alone. */
bool chosen_element(struct chosen *, uint32_t pc, unsigned k);
/* Does the k-th element that pc loads only go to memory again, or to other lanes? */
bool chosen_copied(struct chosen *, uint32_t pc, unsigned k);
/* Does pc only copy bytes that fill a struct? These come beside its members: bytes beside wider
 * loads, the rest up to where the next struct can begin, or a part of what another load reads as
 * well. `in_struct`: structs may lie there, so bytes beside bytes are enough. */
bool chosen_filler(struct chosen *, uint32_t pc, bool in_struct);
/* Does the source line of pc load and store one place, pc being one of the two? *adds: as x += 1
 * does it or the like, in whose place an atomic could stand. */
bool chosen_update(struct chosen *, uint32_t pc, bool *adds);

/* Does the store keep what was added, or the like, to what an earlier line loaded from its place? */
bool chosen_adds(const struct chosen *, uint32_t store);
/* Do both instructions reach one place, by their registers? */
bool chosen_one_place(const struct chosen *, uint32_t a, uint32_t b);
/* The loop that waits for a lock or a flag in the function of pc: the instruction that looks at it.
 * False: there is none. */
bool chosen_waits_at(struct chosen *, uint32_t pc, uint32_t *loop);

/* Where a loaded value is compared, and the answer decides whether its place is stored to: by which
 * comparison? LARGER: the larger of the two integers is kept. AGAIN: atomicMax or atomicMin compares
 * once more. GUESS: atomicCAS does. */
enum chosen_test {
    CHOSEN_NO_TEST, CHOSEN_OTHER_TEST, CHOSEN_LARGER, CHOSEN_SMALLER, CHOSEN_AGAIN,
    CHOSEN_GUESS
};
enum chosen_test chosen_test(struct chosen *, uint32_t load, uint32_t store);
enum chosen_test chosen_test_before(struct chosen *, uint32_t store); /* by any load */

#endif
