/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of memory that a program of CUDA has.
 */
#ifndef RUN_MEMORY_H
#define RUN_MEMORY_H

enum run_memory {
    MEMORY_NONE,    /* the program's own, from malloc() or a variable */
    MEMORY_DEVICE,  /* cudaMalloc(): the host can't reach it */
    MEMORY_PINNED,  /* cudaMallocHost(): the host's; kernels reach it at the same address */
    MEMORY_MANAGED, /* cudaMallocManaged(): of both */
    MEMORY_KINDS
};

#endif
