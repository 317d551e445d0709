/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * amdahl: Amdahl's law, and the device's own points on its curves. Both laws are in
 * labkit/law, the kernel is in kernels/laws.cu.
 */
#include "labkit/law/law.h"

static const struct lab lab = {.module = "laws", .takes = TAKES_CALLS | TAKES_COUNTERS};

static int run(struct session *s, const void *given, struct report *r)
{
    return law_run(AMDAHL, "amdahl", s, given, r);
}

const struct command lab_amdahl = {
    LAB_COMMAND(struct law_options),
    .name = "amdahl",
    .summary = "Amdahl's law: the limit of the speed-up of a fixed task",
    .options = law_option_specs,
};
