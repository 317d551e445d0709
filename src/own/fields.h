/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in braces, {x, 3, {1, 2}}, and what they are given to: the fields of a struct as the
 * source declares it, the elements of an array in it, or x, y, z and w of a float4.
 */
#ifndef OWN_FIELDS_H
#define OWN_FIELDS_H

#include "own/call.h"
#include "own/unit.h"

struct own_field {
    const char *name;       /* "n"; "x" of a float4; "[2]" of an array */
    const char *type;       /* "float*"; for an array, the type of its elements */
    unsigned offset, size;  /* offset: from the start of the whole */
    const uint64_t *dims;   /* sizes of an array */
    unsigned dim_count;
};

/* Lists the parts of `whole` in the order of their offsets. -1: it has none, or they can't be read
 * from the source. */
int fields_of(const struct unit *, const struct own_field *whole, struct arena *,
              struct own_field **out, unsigned *count);

/* Splits the text into the items between its braces. `column` is the column of the opening brace.
 * -1: an item is empty, or there is something behind the closing brace. */
int fields_split(const char *text, int column, struct arena *, struct call_text **out,
                 unsigned *count, struct err *);

#endif
