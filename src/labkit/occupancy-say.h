/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Occupancy on the screen and in JSON: the answer and what binds, each limit with what a block
 * takes of it, the same for other sizes of blocks, and the slots of its explanations.
 */
#ifndef LABKIT_OCCUPANCY_SAY_H
#define LABKIT_OCCUPANCY_SAY_H

#include "text/explain.h"
#include "labkit/occupancy.h"
#include "screen/report.h"

/* "threads and registers": the limits that bind. */
const char *occupancy_binds_text(const struct occupancy *, char out[80]);
/* Which of the explanations fits: "full", "registers", "refused", ... */
const char *occupancy_case(const struct occupancy *);

void say_occupancy(struct report *, const struct device_props *, const struct occupancy_want *,
                   const struct occupancy *);
void say_occupancy_by_threads(struct report *, const struct device_props *,
                              const struct occupancy_want *);
void json_occupancy(struct json *, const struct occupancy_want *, const struct occupancy *);
void occupancy_slots(struct slots *, const struct device_props *, const struct occupancy_want *,
                     const struct occupancy *);

/* What a lecture said of the G80, as an exercise: four questions, and, with guesses (a list as
 * in "8,2,4096,300"), what is right. -1: the guesses can't be read. */
int occupancy_exercise(struct report *, const char *guesses);

#endif
