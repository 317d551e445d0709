/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One fact as text; for facts.c alone, and the slots that it fills.
 */
#ifndef SCREEN_FACT_TEXT_H
#define SCREEN_FACT_TEXT_H

#include "screen/facts.h"

bool fact_ends(const struct fact *); /* the row after the last */
bool fact_holds(const struct fact *, const void *found); /* by its WHEN and its if_set */
bool fact_is_set(const struct fact *, const void *found); /* not false, 0, NULL or "" */
/* The value as the table writes it, or by a format. Verdicts are painted for the report. */
void fact_put(struct buf *out, const struct fact *, const void *found, const char *format,
              const struct report *);
enum ink fact_ink(const struct fact *, const void *found, const struct report *);

#endif
