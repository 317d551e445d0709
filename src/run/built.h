/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the file of a program says of it, before it is started: whether it can run here, and which
 * runtime of CUDA it was made for.
 */
#ifndef RUN_BUILT_H
#define RUN_BUILT_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/lines.h"

struct run_built {
    unsigned toolkit; /* the major version of CUDA; 0: the program's own code has no runtime */
    bool has_runtime; /* NVIDIA's runtime is in the program, since it was linked statically */
    bool needs_preload; /* ours is only found if it is loaded before all else */
};

/* `path` is its name in errors, and `capability` is 90 for a device of 9.0. -1: it can't run here,
 * and the error says why, and what to do. */
int run_examine(struct span program, const char *path, unsigned capability, const struct go_on *,
                struct run_built *, struct err *);

#endif
