/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing string; {0} is an empty one. Failure is sticky: write all you like, ask `failed` once
 * at the end. data is always NUL-terminated when not NULL; buf_text() never returns NULL.  `most`
 * bounds a text: what would make it longer is refused, and `full` tells that memory was not the
 * reason.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/err.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t len, cap;
    size_t most; /* bytes it may have, 0: as many as there is memory for */
    bool failed;
    bool full;   /* it failed since it would have had more than `most` */
};

void buf_free(struct buf *);
void buf_clear(struct buf *); /* keeps the memory, and `most` */
/* Is there room for n more bytes? If not, the text is full from now on. */
bool buf_room(struct buf *, size_t n);
int buf_add(struct buf *, const void *bytes, size_t n);
/* Adds n bytes that the caller fills in, and returns where they begin. NULL: it failed. */
char *buf_extend(struct buf *, size_t n);
int buf_puts(struct buf *, const char *text);
int buf_putc(struct buf *, char c);
int buf_printf(struct buf *, const char *fmt, ...) PRINTF_LIKE(2, 3);
int buf_vprintf(struct buf *, const char *fmt, va_list ap);
const char *buf_text(const struct buf *);

#endif
