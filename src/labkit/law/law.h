/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Amdahl's law and Gustafson's: how much faster P processors are than one, where a part of the
 * work is serial. Amdahl's part is of the time of one processor, and the work stays the same;
 * Gustafson's is of the time of P processors, and the work grows with them.
 *
 * A device has a point of its own on each: a kernel does the serial part by one block, and the rest
 * by one block for each processor, an SM. A GPU's times are measured. On the simulator a launch
 * takes as long as the block with the most items, in instructions: it is a model, in which SMs do
 * not slow each other down.
 */
#ifndef LABKIT_LAW_LAW_H
#define LABKIT_LAW_LAW_H

#include "labkit/lab.h"

enum law { AMDAHL, GUSTAFSON };

struct law_options {
    struct lab_options lab;
    const char *serial; /* a list */
    int processors, work;
};
extern const struct arg_spec law_option_specs[]; /* of both labs */

double law_speedup(enum law, double serial, double processors);
/* All that one of the labs does; `lab` says its texts. */
int law_run(enum law, const char *lab, struct session *, const struct law_options *,
            struct report *);

#endif
