/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the elements of a launch's arrays lie: their size and dimensions, as `array` was told, or
 * as the source declares them. Faults name elements by it.
 */
#ifndef OWN_ELEMENT_SHAPE_H
#define OWN_ELEMENT_SHAPE_H

#include "dev/device.h"

/* For struct launch_how: `session` is a struct session. */
bool element_shape_of(const void *session, const struct sim_array *, struct sim_shape *);

#endif
