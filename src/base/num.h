/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as people type and read them: 1048576, 1e6, 2^20, 1<<20, 64K, 0x10, -.5 in;
 * shortest text that reads back, and 1,048,576, out. Locale plays no part.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "base/buf.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

bool num_looks(const char *text); /* -3 -.5 -1e3 2^20 0x1f inf: a number, never an option */

/* Whole token or an error that says what a number looks like; range is inclusive. */
int num_int(const char *text, int64_t lo, int64_t hi, int64_t *out, struct err *);
int num_uint(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct err *);
int num_real(const char *text, double *out, struct err *); /* finite only */
int num_real32(const char *text, float *out, struct err *); /* rounded once, to f32 */

enum { NUM_TEXT = 40 };
const char *num_f32(float v, char out[NUM_TEXT]);  /* shortest text that reads back to it */
const char *num_f16(uint16_t bits, char out[NUM_TEXT]); /* likewise, of half precision */
const char *num_bf16(uint16_t bits, char out[NUM_TEXT]);
const char *num_f64(double v, char out[NUM_TEXT]); /* "nan" "inf" "-inf" for the rest */
const char *num_group(int64_t v, char out[NUM_TEXT]); /* 1,048,576 */
bool num_whole(double v); /* an integer that num_group() writes in full */
const char *num_value(float v, char out[NUM_TEXT]);   /* a whole one so, any other as num_f32 */
const char *num_rough(double v, char out[NUM_TEXT]);  /* two digits: 0.0097 -23 3976 3.2e-05 */

/* "1,048,576", and "(2^20)" behind it where it is a power of two. */
const char *num_count(uint64_t n, char out[NUM_TEXT]);
const char *num_seconds(double seconds, char out[NUM_TEXT]); /* in four digits: "12.30 us" */
const char *num_bytes(uint64_t bytes, char out[NUM_TEXT]); /* "48 KiB", "79.2 GiB" */

/* The size of a grid or a block, as in a .cu file: "4", "dim3(4,2)", "dim3(4,2,3)". */
enum { DIMS_TEXT = 48 };
const char *num_dims(const unsigned dims[3], char out[DIMS_TEXT]);

#endif
