/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of 32 things side by side: the lanes of a warp, the banks of shared memory. They
 * stand in two halves of 16, four columns each, so that a projector's 72 columns hold them.
 */
#ifndef TEACH_PICTURE_H
#define TEACH_PICTURE_H

#include "teach/report.h"

struct picture_row {
    const char *label;  /* at most 7 columns */
    char cell[32][12];  /* each one at most 3 columns wide */
};

/* The numbers 0 to columns - 1 (16 or 32 of them) after this label, and the rows below. */
void say_picture(struct report *, const char *label, const struct picture_row *, unsigned rows,
                 unsigned columns);

#endif
