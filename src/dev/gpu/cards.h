/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which GPUs the driver has. The process that works with them asks it.
 */
#ifndef DEV_GPU_CARDS_H
#define DEV_GPU_CARDS_H

#include "dev/gpu/driver.h"
#include "dev/gpu/wire.h"

/* Starts the driver and describes its cards. Returns its status; `why` says what is wrong. */
int gpu_cards(const struct driver *, int wanted, struct gpu_ready *, char *why, size_t size);
/* On the other side: sets the names' pointers and adds what only NVIDIA's tables say. */
void gpu_cards_complete(struct device_cards *);

#endif
