/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of labs. The Makefile writes labs/list.h from src/labs/LIST, one LAB(name) a
 * line; it is read twice, to declare the labs and to list them.
 */
#include "labs/labs.h"

#define LAB(name) extern const struct command lab_##name;
#include "labs/list.h"
#undef LAB

const struct command *const all_labs[] = {
#define LAB(name) &lab_##name,
#include "labs/list.h"
#undef LAB
    NULL};
