/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many results of each kind of arithmetic a multiprocessor can give a clock, by compute
 * capability: the tables in NVIDIA's programming guides. Nothing here is measured.
 */
#ifndef LABS_THROUGHPUT_RATES_H
#define LABS_THROUGHPUT_RATES_H

#include "screen/report.h"

enum rate_kind { RATE_F16, RATE_F32, RATE_F64, RATE_SPECIAL, RATE_INT_ADD, RATE_INT_MUL, RATES };

/* Results a clock and SM, or RATE_NONE, RATE_SEVERAL or RATE_UNKNOWN (dev/cards.h). */
int rate_of(const struct device_props *, enum rate_kind);
const char *rate_source(const struct device_props *); /* "NVIDIA's guide 11.5, 2021" */
const char *rate_name(enum rate_kind);
const char *rate_text(int rate, char out[NUM_TEXT]);
/* The whole table, this device's column marked; also "rates" in the result. */
void say_rates(struct report *, const struct device_props *);

#endif
