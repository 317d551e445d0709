/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes host code out of a file for NVRTC, which refuses any: blanks in its place, so that
 * every line and column that stays keeps its number.
 */
#ifndef CC_HOST_H
#define CC_HOST_H

#include "base/buf.h"

struct host_report {
    bool blanked;       /* anything at all; else the text came out as it went in */
    bool bare_members;  /* what stays has functions without __host__ or __device__: members of
                           classes, constexpr. NVRTC takes them with -default-device only */
    bool has_old_words; /* in host code: names that CUDA 13 no longer has */
};

/* 0: `out` has the text. 1: not sure what is host code here (a file that opens a brace in one
 * branch of an #if and closes it in another): ask a compiler that reads it all. -1: no memory. */
int host_blank(const char *text, size_t n, struct buf *out, struct host_report *);

#endif
