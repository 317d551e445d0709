/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards side by side: those that the simulator can stand for, and what each compute capability
 * brought, from the first to today's.
 */
#ifndef LABS_DEVQUERY_CARDS_H
#define LABS_DEVQUERY_CARDS_H

#include "screen/report.h"

void say_cards(struct report *);         /* the profiles; "profiles" in JSON */
void say_architectures(struct report *); /* by name, in a few lines */
/* Each with its SM's limits; "architectures" in JSON. -1: no memory. */
int say_capabilities(struct report *);

#endif
