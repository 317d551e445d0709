/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What kernels left in the ring: lines of text, and the assertion that failed.
 */
#ifndef DEV_GPU_PRINT_H
#define DEV_GPU_PRINT_H

#include "dev/device.h"
#include "dev/gpu/wire.h"

/* Adds to result->prints, and a fault for each of: lines lost, an assertion. -1: out of memory. */
int gpu_prints(const struct gpu_ring *, const struct launch_want *, struct launch_result *);

/* Forget it all, before a launch. */
void gpu_ring_clear(struct gpu_ring *);
/* A launch that never came to its end: how far it got stands in the records alone. */
void gpu_ring_abandon(struct gpu_ring *);

/* One more fault in a result; NULL: out of memory. */
struct fault *gpu_fault(struct launch_result *, const char *kind);

#endif
