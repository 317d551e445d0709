/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rewrites PTX for the driver. The program stays the same, but a GPU then computes what the
 * simulator computes and prints into the ring, and a driver older than the compiler can load it.
 */
#ifndef DEV_GPU_PTX_H
#define DEV_GPU_PTX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/go-on.h"
#include <stdbool.h>

/* Adds to *out the text for a driver that knows PTX up to `version` (82 is 8.2). *prints: it calls
 * printf or assert, and then its variable cudalab_ring needs the ring's address. The lines of the
 * given text keep their numbers. */
int gpu_ptx(const char *ptx, size_t n, int version, struct buf *out, bool *prints,
            const struct go_on *, struct err *);

/* The newest PTX that a driver knows, by what cuDriverGetVersion returns: 12020 gives 82. */
int gpu_ptx_version(int driver_version);

#endif
