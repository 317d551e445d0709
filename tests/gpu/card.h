/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first GPU of this machine, for the programs here that ask it: the driver's functions as
 * cudalab finds them, and a context. Whatever fails ends the program with its name and status.
 */
#ifndef GPU_CARD_H
#define GPU_CARD_H

#include "dev/gpu/driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct driver cu;

static inline void check(int rc, const char *what)
{
    if (rc) {
        fprintf(stderr, "%s: error %d\n", what, rc);
        exit(1);
    }
}

/* The device's number. */
static inline int card_open(void)
{
    void *context;
    int device;
    struct err e;
    if (driver_open(&cu, &e) != 0)
        check(1, e.text);
    check(cu.cuInit(0), "cuInit");
    check(cu.cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cu.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cu.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    return device;
}

/* The module of a PTX text, assembled without optimisation; what names it if it isn't one. */
static inline void *card_load_as_written(const char *ptx, const char *what)
{
    enum { OPTIMIZATION_LEVEL = 7 };
    int option = OPTIMIZATION_LEVEL;
    void *level = 0, *module;
    check(cu.cuModuleLoadDataEx(&module, ptx, 1, &option, &level), what);
    return module;
}

/* Runs kernel `k` of a PTX text once. False: the driver refuses the text. */
static inline bool card_run(const char *ptx, unsigned blocks, unsigned threads, void **params,
                            const char *what)
{
    void *module, *function;
    if (cu.cuModuleLoadDataEx(&module, ptx, 0, NULL, NULL) != 0)
        return false;
    check(cu.cuModuleGetFunction(&function, module, "k"), what);
    check(cu.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL), what);
    check(cu.cuStreamSynchronize(NULL), what);
    check(cu.cuModuleUnload(module), what);
    return true;
}

#endif
