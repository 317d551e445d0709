/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes host code out of a file for NVRTC, which refuses any: blanks in its place, so that
 * every line and column that stays keeps its number.
 */
#ifndef CC_HOST_H
#define CC_HOST_H

#include "base/buf.h"
#include "cc/token.h"

struct host_report {
    bool blanked;       /* anything at all; else the text came out as it went in */
    bool bare_members;  /* what stays has functions without __host__ or __device__: members of
                           classes, constexpr. NVRTC takes them with -default-device only */
    bool has_old_words; /* in host code: names that CUDA 13 no longer has */
};

/* 0: `out` has the text. 1: not sure what is host code here (a file that opens a brace in one
 * branch of an #if and closes it in another): ask a compiler that reads it all. -1: no memory. */
int host_blank(const char *text, size_t n, struct buf *out, struct host_report *);

/* old-names.c: names that CUDA no longer has, and what to write in their place. One line is
 * appended for each such name in a text, with the first place where it stands. `out` has what the
 * compiler said. */
void old_names(const char *path, const char *text, size_t n, struct buf *out);
/* Would host code with this word, after that token, be refused because CUDA 13 lacks the name? */
bool old_name_is_gone(const struct token *before, const struct token *word);

#endif
