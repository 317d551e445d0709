/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every lab, in the order of src/labs/LIST; ends with NULL.
 */
#ifndef LABS_LABS_H
#define LABS_LABS_H

#include "command/command.h"

extern const struct command *const all_labs[];

#endif
