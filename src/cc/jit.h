/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of the student's compiles CUDA C++ while it runs, by NVRTC: what it asks for, and what
 * comes of it. Nothing is added to its options but the lines of the source.
 */
#ifndef CC_JIT_H
#define CC_JIT_H

#include "base/buf.h"
#include "base/progress.h"
#include <signal.h>
#include <stdbool.h>

struct jit_want {
    const char *name, *source; /* no source: only the version is asked */
    const char *shown;         /* the name in the PTX's lines */
    const char *const *options;
    const char *const *headers;     /* names and texts by turns */
    const char *const *expressions; /* names of kernels, as C++ has them */
    unsigned option_count, header_count, expression_count;
    bool safe; /* --safe: NVRTC is confined, and reads only `files` of the student's */
    const char *const *files; /* NULL-ended */
    size_t memory;   /* bytes that NVRTC may have, 0: any */
    double deadline; /* by clock_seconds(), 0: none */
    const volatile sig_atomic_t *stop;
    const struct progress *progress;
};

enum { JIT_ARCHS_MOST = 64 };

struct jitted {
    int result;                  /* an nvrtcResult, 0: it compiled */
    int major, minor;            /* of NVRTC */
    int archs[JIT_ARCHS_MOST];   /* that it knows: 75 for sm_75 */
    unsigned arch_count;
    struct buf log, ptx, cubin;  /* no cubin: none was asked for */
    struct buf names;            /* in the PTX, of the expressions: each ends with a NUL */
};

void jitted_free(struct jitted *);

#endif
