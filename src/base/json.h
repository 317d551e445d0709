/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing JSON into a buf: commas and nesting are kept here, so that callers only name
 * what they have. Text is made valid UTF-8 (bytes that are not become U+FFFD).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

struct json {
    struct buf *out;
    bool comma; /* a value stands before at this level */
};

void json_begin(struct json *, struct buf *out);
/* key is NULL inside an array */
void json_object(struct json *, const char *key);
void json_end_object(struct json *);
void json_array(struct json *, const char *key);
void json_end_array(struct json *);
void json_text(struct json *, const char *key, const char *text);
void json_bytes(struct json *, const char *key, const char *text, size_t n);
/* A text as an array of its lines; a newline ends a line and begins none. */
void json_lines(struct json *, const char *key, const char *text, size_t n);
void json_int(struct json *, const char *key, int64_t v);
void json_uint(struct json *, const char *key, uint64_t v);
void json_f16(struct json *, const char *key, uint16_t bits);
void json_bf16(struct json *, const char *key, uint16_t bits);
void json_f32(struct json *, const char *key, float v);
void json_f64(struct json *, const char *key, double v);
void json_bool(struct json *, const char *key, bool v);
void json_null(struct json *, const char *key);
void json_hex(struct json *, const char *key, uint64_t v); /* "0x..." */
void json_raw(struct json *, const char *key, const char *json, size_t n);
void json_dims(struct json *, const char *key, const unsigned dims[3]);

#endif
