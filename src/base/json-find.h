/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking up one value in JSON that this program wrote itself: by a path such as "result.sum",
 * "variants.2.variant" or "faults.0.kind". JSON of others is checked by base/json-check.h first.
 */
#ifndef BASE_JSON_FIND_H
#define BASE_JSON_FIND_H

#include "base/buf.h"
#include "base/lines.h"

/* Through the members of an object, or the elements of an array, from one to the next. */
struct json_walk {
    const char *at, *end;
    bool first;
};
struct json_walk json_walk(struct span value);
bool json_next_member(struct json_walk *, struct span *name, struct span *value);
bool json_next_element(struct json_walk *, struct span *value);

/* The value at the path, as it stands in the text. false: there is none. */
bool json_find(struct span json, struct span path, struct span *value);
bool json_at(struct span json, const char *path, struct span *value); /* the same */
bool json_has(struct span json, const char *path);
/* The k-th element of an array. false: it has fewer, or it is no array. */
bool json_element(struct span array, unsigned k, struct span *value);
/* The k-th member of an object. false: it has fewer, or it is no object. */
bool json_member(struct span object, unsigned k, struct span *name, struct span *value);
/* A text of JSON with its escapes undone, exactly. -1: the value is no text. */
int json_string(struct span value, struct buf *out);
/* A value as people read it: a text without its quotes and escapes. */
void json_plain(struct span value, struct buf *out);

#endif
