/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX as it goes to a driver: the same program, made so that a GPU computes what the simulator
 * computes, prints where cudalab can count it, and loads with a driver older than its compiler.
 */
#ifndef DEV_GPU_PTX_H
#define DEV_GPU_PTX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/go-on.h"
#include <stdbool.h>

/* The text for a driver that knows PTX up to `version` (82 is 8.2) is added to *out; *prints:
 * it calls printf or assert, so it has a variable cudalab_ring that wants the ring's address.
 * The lines of the given text keep their numbers. */
int gpu_ptx(const char *ptx, size_t n, int version, struct buf *out, bool *prints,
            const struct go_on *, struct err *);

/* The newest PTX of a driver, from what cuDriverGetVersion says: 12020 gives 82. */
int gpu_ptx_version(int driver_version);

#endif
