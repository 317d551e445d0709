/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of source that are to be shown, with the numbers that they have in their file; and how
 * the lines of one variant are found in a lab's file.
 *
 * There a line `//: variant NAME ...` opens the part of one variant, or of several that only the
 * host makes different; `//: used by NAME ...` a part that those need as well (`all`: every one;
 * `all but NAME ...`: every other one). A part ends where the next begins. What stands before the
 * first part is shown with the whole file only.
 */
#ifndef SOURCE_CODE_LINES_H
#define SOURCE_CODE_LINES_H

#include "base/lines.h"
#include "base/mem.h"

struct code_line {
    int number; /* 0: a blank line between two parts, or a note */
    struct span text;
};

struct code_lines {
    struct code_line *at;
    unsigned count;
    size_t capacity;
    struct arena notes;
    bool failed; /* no memory: asked once, at the end */
};

void code_lines_free(struct code_lines *);
void code_lines_add(struct code_lines *, int number, struct span text);
void code_lines_gap(struct code_lines *); /* between two parts; nothing before the first */
/* What follows is of the file of this name: a comment, which no file has. */
void code_lines_note(struct code_lines *, const char *file);
bool is_note(const struct code_line *);
/* All lines of a text from number `first` to `last`. */
void code_lines_from(struct code_lines *, struct span text, int first, int last);

/* What a marker line `//: variant NAME ...` names; n 0: the line is no such marker. */
struct span marked_variant(struct span line);
bool is_marker(struct span line);
bool is_license(struct span line); /* the SPDX line; it is never shown on the screen */
/* Does the part that this marker opens belong to the variant? */
bool marker_serves(struct span line, const char *variant);
bool code_has_variant(struct span file, const char *variant);
/* The lines of one variant. NULL: the lines of the whole file, without its license and its markers.
 * Blank lines at the beginning and the end of a part are dropped. */
void code_lines_of(struct code_lines *, struct span file, const char *variant);
/* The variant in whose part a kernel is defined. */
bool code_variant_of(struct span file, const char *kernel, char variant[64]);

/*
 * code-headers.c: headers that kernels of several labs share, kernels/lab_*.h. In such a header
 * `//: defines NAME ...` opens a part. The part ends where the next one begins, and the last one at
 * `//: end`. Lines need the parts whose names they use, and the parts whose names these parts use,
 * which lie above them. What stands before the first part is for readers of the header itself.
 */
struct span included_name(struct span line); /* NAME of `#include "NAME"`; n 0: there is none */
/* The shared header of this build that the line includes; name NULL: it includes none. */
struct text_file shared_header(struct span line);
/* Adds, above lines of a lab's file, those that they need of the headers that the file includes. A
 * note says which file each group is from. The #includes are taken out. */
void code_lines_head(struct code_lines *, struct text_file cu);

/*
 * code-text.c: the parts of a CUDA C file that belong to a kernel. One part is the kernel itself,
 * from the comment above it to its closing brace. The others are the __device__ functions and
 * variables that it uses. They are found by name, so another function of the same name is listed
 * too.
 */
struct code_part {
    int first, last; /* lines, 1 is the first of the file */
};
/* The kernel's part is the first, the others are in the order of the file. *count 0: the file
 * doesn't define such a kernel. NULL: out of memory. */
const struct code_part *code_parts(struct span text, const char *kernel, struct arena *,
                                   unsigned *count);

#endif
