/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of labs, from src/labs/LIST: labs/list.h has it as macros, and is read twice, to
 * declare the labs and to list them.
 */
#include "labs/labs.h"

#define SESSION(name, title)
#define STEP(name)
#define LAB(id, name) extern const struct command lab_##id;
#include "labs/list.h"
#undef LAB

const struct command *const all_labs[] = {
#define LAB(id, name) &lab_##id,
#include "labs/list.h"
#undef LAB
    NULL};
