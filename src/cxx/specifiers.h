/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that C's arithmetic types are made of, in any order: `long unsigned` is `unsigned
 * long`, `unsigned` is `unsigned int`.
 */
#ifndef CXX_SPECIFIERS_H
#define CXX_SPECIFIERS_H

#include <stdbool.h>
#include <stddef.h>

struct specifiers {
    int is_unsigned, is_signed, is_short, is_long, is_int, is_char, is_double;
    bool is_const, is_volatile;
};

/* true: the word is one of these, const, volatile, or one that changes nothing, like struct. */
bool specifiers_take(struct specifiers *, const char *word, size_t length);
bool specifiers_silent(const char *word, size_t length); /* struct, typename, __restrict__, ... */

/* "unsigned int"; NULL where none of an arithmetic type's words was among them. */
const char *specifiers_type(const struct specifiers *);

/* What a name of <stdint.h> or of CUDA's headers stands for on the GPU, or NULL. */
const char *specifiers_alias(const char *word, size_t length);

#endif
