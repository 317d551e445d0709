/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a text of somebody else JSON (RFC 8259)? After that, json-find.h can look values up in it.
 */
#ifndef BASE_JSON_CHECK_H
#define BASE_JSON_CHECK_H

#include "base/lines.h"

enum { JSON_DEPTH_MOST = 64 };

/* One value, and nothing but blanks before and after it. It must be UTF-8, and has at most
 * JSON_DEPTH_MOST objects and arrays in one another. */
bool json_is_valid(struct span text);
bool json_is_object(struct span text); /* the same, and it is an object */

#endif
