/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What kernels left in the ring: lines of text, and an assertion that failed.
 */
#ifndef DEV_GPU_PRINT_H
#define DEV_GPU_PRINT_H

#include "dev/device.h"
#include "dev/gpu/wire.h"

/* Adds to result->prints, and a fault each for lost lines and a failed assertion. -1: out of
 * memory. */
int gpu_prints(const struct gpu_ring *, const struct launch_want *, struct launch_result *);

/* Empties the ring before a launch. */
void gpu_ring_clear(struct gpu_ring *);
/* For a launch that did not end by itself: only its records say how far it came. */
void gpu_ring_abandon(struct gpu_ring *);

/* Adds a fault to a result; NULL: out of memory. */
struct fault *gpu_fault(struct launch_result *, const char *kind);

#endif
