/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The size and the dimensions of the elements in a launch's arrays, as `array` was told or as the
 * source declares them. Faults name elements by them.
 */
#ifndef OWN_ELEMENT_SHAPE_H
#define OWN_ELEMENT_SHAPE_H

#include "cc/tokens.h"
#include "dev/device.h"

/* To be used in struct launch_how; `session` is a struct session. */
bool element_shape_of(const void *session, const struct sim_array *, struct sim_shape *);

/* The bytes of a number, a vector, a pointer, or a struct of this source; 0: some other type. */
unsigned element_type_bytes(const struct tokens *source, const char *type, bool is_pointer);

#endif
