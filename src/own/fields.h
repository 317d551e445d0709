/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in braces, {x, 3, {1, 2}}, and what it stands for: the fields of a struct as the
 * source declares it, the elements of an array in it, or x, y, z and w of a float4.
 */
#ifndef OWN_FIELDS_H
#define OWN_FIELDS_H

#include "own/call.h"
#include "own/unit.h"

struct field {
    const char *name;       /* "n"; "x" of a float4; "[2]" of an array */
    const char *type;       /* "float*"; of an array, its element's */
    unsigned offset, size;  /* from the start of what it is a field of */
    const uint64_t *dims;   /* of an array */
    unsigned dim_count;
};

/* Of what has parts, those, in the order of their offsets. -1: it has none, or they can't be read
 * from the source. */
int fields_of(const struct unit *, const struct field *whole, struct arena *, struct field **out,
              unsigned *count);

/* The items between the braces, their columns counted from the opening one, which has `column`.
 * -1: there is something behind the closing brace, or an item is empty. */
int fields_split(const char *text, int column, struct arena *, struct call_text **out,
                 unsigned *count, struct err *);

#endif
