/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of a normal distribution by the inverse of its function, one from each point of a
 * quasi-random sequence or each word of MT19937. So neighbouring points give neighbouring numbers. A
 * generator of the host uses this, and a kernel does the same with the device's own inverse.
 */
#ifndef RUN_LIBRARIES_INVERSE_H
#define RUN_LIBRARIES_INVERSE_H

#include <stdbool.h>
#include <stdint.h>

/* The normal number of a point: of one word, or of two where the sequence is wide. */
float inverse_float(const uint32_t *point, bool wide);
double inverse_double(const uint32_t *point, bool wide);

#endif
