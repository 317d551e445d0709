/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The growing string. After the first failure every later write is refused too, so that a
 * text is either whole or known to be broken; the memory comes from the C library.
 */
#include "base/buf.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void buf_free(struct buf *b)
{
    mem_free(&allocator_libc, b->data, b->cap);
    *b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    b->failed = b->full = false;
    if (b->data)
        b->data[0] = '\0';
}

static int refuse(struct buf *b)
{
    b->failed = true;
    return -1;
}

bool buf_room(struct buf *b, size_t n)
{
    if (b->most && !b->failed && n > b->most - b->len)
        b->failed = b->full = true;
    return !b->failed;
}

/* The next size of a text that grows; beyond `most` it needs only its NUL. */
static size_t grown(const struct buf *b, size_t n)
{
    size_t cap = b->cap ? b->cap * 2 : 64;
    while (cap <= b->len + n)
        cap *= 2;
    return b->most && cap > b->most ? b->most + 1 : cap;
}

/* Room for n more bytes and the NUL. */
static int reserve(struct buf *b, size_t n)
{
    if (!buf_room(b, n))
        return -1;
    if (n < b->cap - b->len)
        return 0;
    if (n > SIZE_MAX / 4 - b->len)
        return refuse(b);
    size_t cap = grown(b, n);
    char *data = mem_resize(&allocator_libc, b->data, b->cap, cap);
    if (!data)
        return refuse(b);
    b->data = data;
    b->cap = cap;
    return 0;
}

char *buf_extend(struct buf *b, size_t n)
{
    if (reserve(b, n) != 0)
        return NULL;
    b->len += n;
    b->data[b->len] = '\0';
    return b->data + b->len - n;
}

int buf_add(struct buf *b, const void *bytes, size_t n)
{
    char *at = buf_extend(b, n);
    if (at && n)
        memcpy(at, bytes, n);
    return at ? 0 : -1;
}

int buf_puts(struct buf *b, const char *text)
{
    return buf_add(b, text, strlen(text));
}

int buf_putc(struct buf *b, char c)
{
    return buf_add(b, &c, 1);
}

int buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    char small[256];
    int n = vsnprintf(small, sizeof small, fmt, ap), rc = -1;
    if (n < 0)
        rc = refuse(b);
    else if ((size_t)n < sizeof small)
        rc = buf_add(b, small, (size_t)n);
    else if (reserve(b, (size_t)n) == 0) {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
        rc = 0;
    }
    va_end(again);
    return rc;
}

int buf_printf(struct buf *b, const char *fmt, ...)
{
    int rc;
    WITH_ARGS(fmt, rc = buf_vprintf(b, fmt, args));
    return rc;
}

const char *buf_text(const struct buf *b)
{
    return b->data ? b->data : "";
}
