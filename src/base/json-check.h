/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
<<<<<<< HEAD
 * Is a text of somebody else JSON (RFC 8259)? After that, json-find.h can look values up in it.
=======
 * Is a text JSON? A strict check (RFC 8259) of JSON that others wrote. What passes it can be looked
 * up by base/json-find.h. It needs no memory, and no input makes it recurse deeply.
>>>>>>> reports
 */
#ifndef BASE_JSON_CHECK_H
#define BASE_JSON_CHECK_H

<<<<<<< HEAD
=======
#include "base/buf.h"
>>>>>>> reports
#include "base/lines.h"

enum { JSON_DEPTH_MOST = 64 };

<<<<<<< HEAD
/* One value, and nothing but blanks before and after it. It must be UTF-8, and has at most
 * JSON_DEPTH_MOST objects and arrays in one another. */
bool json_is_valid(struct span text);
bool json_is_object(struct span text); /* the same, and it is an object */
=======
/* One whole value, and blanks around it. Its texts are valid UTF-8. The error has the line and the
 * column where it stops to be JSON. */
int json_check(struct span text, struct err *);
/* The characters of a text, by its value as it stands in JSON that was checked. \u0000 gives a byte
 * of 0. -1: the value is not a text. */
int json_string(struct span value, struct buf *out);
>>>>>>> reports

#endif
