/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that a card would need for a kernel or a copy, by a model: from what the simulator
 * counts and the public figures of the card. It knows no latency, no cache and no atomics.
 * Times are in picoseconds, rates in megabytes (10^6 bytes) a second.
 */
#ifndef LABKIT_MODEL_H
#define LABKIT_MODEL_H

#include "dev/device.h"

/* What no card says of itself, and the model assumes: how long a call of CUDA takes on the host,
 * and how fast the CPU copies pageable memory. */
enum { MODEL_CALL_PS = 1000000, MODEL_HOST_MB_S = 10000 };
/* PCI Express 3.0 with 16 lanes, where a card's link is not known. */
enum { MODEL_USUAL_LINK = 15753 };
enum { MODEL_SECTOR = 32 }; /* bytes */

uint64_t model_memory_mb_s(const struct device_props *); /* 0: not known */
uint64_t model_link_mb_s(const struct device_props *);   /* of each direction; 0: not known */
uint64_t model_ps(uint64_t bytes, uint64_t mb_s);        /* 0 where the rate is not known */
/* The busiest SM issues the instructions of its blocks, so many for each block. */
uint64_t model_issue_ps(uint64_t blocks, uint64_t instructions, const struct device_props *);

#endif
