/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a text JSON? A strict check (RFC 8259) of JSON that others wrote. What passes it can be looked
 * up by base/json-find.h. It needs no memory, and no input makes it recurse deeply.
 */
#ifndef BASE_JSON_CHECK_H
#define BASE_JSON_CHECK_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdint.h>

enum { JSON_DEPTH_MOST = 64 };

/* One whole value, and blanks around it. Its texts are valid UTF-8. The error has the line and the
 * column where it stops to be JSON. */
int json_check(struct span text, struct err *);

/* The character that XXXX or XXXX\uXXXX stands for, behind a \u. Returns how many bytes these are;
 * 0: they are no digits, or half of a pair. */
size_t json_unicode(const char *at, const char *end, uint32_t *code);

#endif
