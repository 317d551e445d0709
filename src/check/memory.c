/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses outside of an array. The simulator finds them itself, since it can't go on after one:
 * they end the launch, and are told whether this checker watches or not.
 */
#include "check/checker.h"

const struct checker check_memory = {
    .name = "memory", .help = "accesses outside an array, also if they hit another array"};
