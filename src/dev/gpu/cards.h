/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which GPUs the driver has, asked in the process that works with them.
 */
#ifndef DEV_GPU_CARDS_H
#define DEV_GPU_CARDS_H

#include "dev/gpu/driver.h"
#include "dev/gpu/wire.h"

/* Start the driver and describe its cards; else its status, and in `why` what to say of it. */
int gpu_cards(const struct driver *, int wanted, struct gpu_ready *, char *why, size_t size);
/* On the other side: names where they belong, and what only NVIDIA's tables say. */
void gpu_cards_complete(struct device_cards *);

#endif
