/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UTF-8, a character at a time.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at the head of a text that isn't empty: its number, and the bytes it takes. 0:
 * there is none, but a byte that is out of place or begins what is cut short, overlong, half of
 * a pair of UTF-16 or beyond U+10FFFF. */
size_t utf8_next(const char *text, size_t n, uint32_t *code);

/* Writes the bytes of a character, and returns how many: UTF8_MOST at most. */
enum { UTF8_MOST = 4 };
size_t utf8_put(uint32_t code, char *to);

/* Is the character in one of these ranges? The ranges are sorted, and do not overlap. */
struct code_range { uint32_t first, last; };
bool utf8_in(uint32_t code, const struct code_range *, size_t count);

#endif
