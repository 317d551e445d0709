/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX beside the source it came from: a kernel's lines as the compiler wrote them, with the
 * source lines in between in place of .loc. Where sources lie is the caller's to know.
 */
#ifndef SOURCE_PTX_TEXT_H
#define SOURCE_PTX_TEXT_H

#include "base/buf.h"
#include "base/lines.h"
#include "ptx/ptx.h"

struct ptx_source;
struct ptx_text {
    struct text_file ptx;
    /* The file that a .file line names; its name is NULL where it isn't at hand. */
    struct text_file (*source)(void *ctx, const char *path);
    void *ctx;
    struct ptx_module *module; /* ptx_text_open fills in these */
    struct ptx_source *sources;
};
int ptx_text_open(struct ptx_text *, struct err *);
void ptx_text_close(struct ptx_text *);

/* A kernel or function that has a body; NULL: there is none of that name. */
const struct ptx_function *ptx_text_function(const struct ptx_text *, const char *name);
/* The function and, in the order of the file, all it calls that have a body; the list lives as
 * long as the module. NULL: out of memory. */
const struct ptx_function **ptx_text_called(const struct ptx_text *, const struct ptx_function *,
                                            unsigned *count);

/* Does it launch kernels, itself or in what it calls? */
bool ptx_text_launches(const struct ptx_text *, const struct ptx_function *);

/* Where an instruction came from: the line of a file at hand, the innermost if code was put
 * into other code. file NULL: not known. */
struct ptx_origin {
    const char *file;
    int line;
    struct span text; /* without its blanks */
};
struct ptx_origin ptx_text_origin(const struct ptx_text *, const struct ptx_instruction *);
bool ptx_same_origin(const struct ptx_origin *, const struct ptx_origin *);

/* All lines of a function. */
void ptx_text_lines(const struct ptx_text *, const struct ptx_function *, struct buf *);

#endif
