/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA C in, PTX out: what is asked for, and what comes of it. Who compiles is in
 * programs/compile.c.
 */
#ifndef CC_COMPILE_H
#define CC_COMPILE_H

#include "base/buf.h"
#include "base/progress.h"
#include <signal.h>
#include <stdbool.h>

enum compiler { COMPILER_AUTO, COMPILER_NVRTC, COMPILER_NVCC, COMPILER_CLANG };
extern const char *const compiler_names[]; /* by enum, "auto" first; ends with NULL */

struct compile_want {
    const char *path; /* as the student typed it: so errors and line information name it */
    const char *text; /* what the file holds */
    size_t size;
    bool linked;  /* it may use functions and variables of other files */
    bool no_file; /* the text comes from no file: path is only its name */
    enum compiler by;
    const char *options; /* of the student, each with a newline behind it: "Iinc", "DN=64" */
    int arch;     /* 75 for compute_75; 0: the device's */
    int device;   /* the device's; 0: not known. A compiler takes the nearest that it knows */
    bool safe;    /* other people's file: a confined compiler, and no headers but its own */
    const char *cache; /* where what it makes is kept, cache_of_user for one; NULL: nowhere */
    size_t memory; /* bytes a compiler may have, 0: any */
    double limit; /* seconds, 0: none */
    double began; /* by os/clock.h, when they began: several compilers share them */
    const volatile sig_atomic_t *stop;
    const struct progress *progress; /* told while a compiler works; may be NULL */
};

/* The cache of this user. Any other is named by the path of its folder. */
extern const char cache_of_user[];

struct compiled {
    struct buf ptx;
    struct buf log;    /* what the compiler said: warnings, or why it refused */
    char compiler[64]; /* "nvcc 13.0" */
    bool refused;      /* by the compiler, for what the log says */
    bool crashed;      /* a compiler crashed; the log begins as its own does */
};

void compiled_free(struct compiled *);

#endif
