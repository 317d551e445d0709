/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A student's file as it lies on the disk, and a fingerprint of all that goes into compiling
 * it: its own bytes and those of the headers beside it that it includes.
 */
#ifndef CC_SOURCE_H
#define CC_SOURCE_H

#include "base/buf.h"
#include "base/lines.h"
#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_MOST = 8 << 20 }; /* bytes of a .cu; nobody writes more by hand */

struct print128 { uint64_t high, low; };
extern const struct print128 print_start;
struct print128 print_add(struct print128, const void *bytes, size_t n);
/* Text with its end, so that "ab" "c" and "a" "bc" differ. */
struct print128 print_text(struct print128, const char *text);

/* The whole of an open file, at most `most` bytes, which must be text, without the byte order
 * mark that may stand in front; closes fd. */
int source_read(int fd, const char *path, size_t most, struct buf *text, struct err *);

/* The next of a student's options for the compiler: 'I' or 'D' and its text, or OPTION_DEBUG; 0: no
 * more. */
enum { OPTION_DEBUG = 'G' };
char option_next(const char **options, struct span *text);
/* Is the code to be unoptimised, with debug information? */
bool option_has_debug(const char *options);

/* Does what a compiler makes of this text depend on the text alone? Not if it asks for the date, or
 * whether a header is there. */
bool source_is_timeless(const char *text, size_t n);

/* Adds the file's text and its headers' to *print; options and environment say where those
 * lie. Returns 1 where that doesn't say it all (the text asks for the date, or names a header by
 * a macro): then nothing should be remembered. */
int source_print(const char *path, const char *text, size_t n, const char *options,
                 struct print128 *print);

#endif
