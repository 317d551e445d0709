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
/* Does the part that this marker opens belong to the variant? */
bool marker_serves(struct span line, const char *variant);
bool code_has_variant(struct span file, const char *variant);
/* The lines of one variant, NULL: of the whole file. A part's blank ends are dropped. */
void code_lines_of(struct code_lines *, struct span file, const char *variant);
/* The variant in whose part a kernel is defined. */
bool code_variant_of(struct span file, const char *kernel, char variant[64]);

#endif
