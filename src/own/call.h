/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a launch as a student types it, `k<<<4x2, 256, 1K>>>(x, y+10, 3.5)`. Nothing here
 * knows kernels or arrays. Columns count from the start of the call; 1 is its first byte.
 */
#ifndef OWN_CALL_H
#define OWN_CALL_H

#include "base/err.h"
#include "base/mem.h"
#include <stddef.h>
#include <stdint.h>

struct call_text { const char *text; int column; };

struct own_call {
    struct call_text kernel;   /* "tk<float>", "ns::k", "mine.cu:k" */
    uint64_t grid[3], block[3];
    uint64_t shared_bytes;
    struct call_text *args;    /* "x", "y+10", "3.5" */
    unsigned arg_count;
    const char *shown;         /* the launch as in a .cu file: "k<<<dim3(4,2), 256, 1024>>>(...)" */
    const char *sizes;         /* the part of `shown` between <<< and >>> */
    const char *bare;          /* "(4,2)", the first size list without dim3; NULL: none */
    uint64_t bare_is;          /* its value in C++: 2 */
    int end_column;            /* where the closing parenthesis is */
};

/* Reads the items of a list and returns where they end, at the closing character; NULL: no memory.
 * An item may be empty. The text starts at `column`. */
const char *call_items(const char *text, char close, int column, struct arena *,
                       struct call_text **out, unsigned *count);
/* All text is in the arena. */
int call_parse(const char *text, struct arena *, struct own_call *, struct err *);

#endif
