/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU's own instructions: what is asked for and what comes of it. NVIDIA's programs make them of
 * PTX where they are installed (programs/assemble.c): ptxas assembles a cubin, nvdisasm or
 * cuobjdump writes its instructions as text. Without the latter there is still what ptxas says
 * and what the cubin's size tells.
 */
#ifndef CC_SASS_H
#define CC_SASS_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/progress.h"
#include <signal.h>

struct sass_want {
    const char *ptx;
    size_t size;
    const char *kernel; /* its name in the PTX; usage() does not use it */
    unsigned arch;      /* 90 for sm_90 */
    bool usage_only;    /* what ptxas says, without its instructions */
    bool safe;          /* other people's: by confined programs */
    const char *cache;  /* of usage(); NULL: none (cc/compile.h) */
    size_t memory;      /* bytes that each may have, 0: any */
    double deadline;    /* of all programs together, by clock_seconds() */
    const volatile sig_atomic_t *stop;
    const struct progress *progress;
};

struct sass_line {
    bool is_label;    /* else an instruction: */
    unsigned address;
    const char *text; /* without address and semicolon */
    const char *file; /* where it came from, by its last name; NULL: not known */
    int line;
    const char *outer_file; /* if that was put into other code: where; else NULL */
    int outer_line;
};

struct sass {
    struct arena memory;
    struct sass_line *lines;   /* in their order; none without a disassembler */
    unsigned count, capacity;
    const char *disassembler;  /* "nvdisasm"; NULL: there is none here */
    unsigned bytes;            /* of code */
    unsigned instructions;     /* without the NOPs that fill up its end; 0: not known */
    int registers, shared, stack, spill_stores, spill_loads; /* as ptxas says; -1: it doesn't */
};

void sass_free(struct sass *);

/* What a disassembler printed; -1: out of memory. The text may go, the lines stay. */
int sass_read(struct sass *, const char *text, size_t n, const char *kernel);

/* How many registers the kernel uses. `said` is what `ptxas -v` printed about all kernels. 0: it
 * does not say. */
unsigned sass_registers(const char *said, const char *kernel);

#endif
