/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads that the compiler does ahead of the question whether they are wanted.
 *
 * `c ? s[3] : 0` may load s[3] always, where that can't fault, and choose afterwards: the student
 * didn't read it, whatever the instructions do. Such a load is known by its value going nowhere
 * but into selections. Checkers pass it over: a real mistake may hide there, but what they say
 * is never wrong. In the same way a load is known that polls: its value decides whether its loop
 * ends.
 */
#ifndef OBS_CHOSEN_H
#define OBS_CHOSEN_H

#include "sim/sim.h"
#include <stdbool.h>

/* The code of a launch, and what was found out of it so far. */
struct chosen {
    const struct sim_instruction *code;
    uint32_t count;
    uint8_t *known; /* by pc; made when first asked */
    uint8_t *polls;
};

void chosen_begin(struct chosen *, const struct sim_instruction *code, uint32_t count);
void chosen_end(struct chosen *);
/* Is pc a load of shared or local memory whose value is only chosen from? */
bool chosen_only(struct chosen *, uint32_t pc);

/* Is pc a load in a loop that goes on until the loaded value is the one waited for? */
bool chosen_polls(struct chosen *, uint32_t pc);

/* The instruction's text behind its guard: "ld.shared.u32 %r1, [s];" */
const char *chosen_opcode(const struct sim_instruction *);

#endif
