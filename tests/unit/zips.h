/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zip archives for tests, written byte by byte: right ones, and ones that lie. So no program `zip`
 * is needed, and none would write most of them.
 */
#ifndef UNIT_ZIPS_H
#define UNIT_ZIPS_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdint.h>
#include <string.h>

enum { ZIPPED_MOST = 40 };

/* An entry as it is to be written. 0 and NULL: as it should be. */
struct zipped {
    const char *name, *bytes;
    const char *deflated; /* hexadecimal digits; the entry is packed */
    unsigned flags, method, made_by, mode, name_bytes;
    uint32_t crc;          /* the difference to the right one */
    uint64_t size, packed; /* that the directory tells */
    const char *local_name;
    bool zip64, follows;   /* sizes in an extra field; sizes behind the bytes */
    unsigned repeated;     /* the directory has it again so often */
    const struct buf *raw; /* in place of `bytes`, if they have NULs */
};

static inline struct span zip_bytes(const struct zipped *m)
{
    return m->raw ? (struct span){buf_text(m->raw), m->raw->len}
                  : (struct span){m->bytes, strlen(m->bytes)};
}

static inline void zip_put(struct buf *b, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        buf_putc(b, (char)(value >> 8 * i));
}

/* Bit by bit, and so by another way than in src/grade/zip.c. */
static inline uint32_t zip_crc(struct span bytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes.n; i++) {
        crc ^= (unsigned char)bytes.at[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static inline void zip_put_packed(struct buf *b, const struct zipped *m)
{
    if (!m->deflated)
        buf_add(b, zip_bytes(m).at, zip_bytes(m).n);
    for (const char *at = m->deflated; at && *at; at += 2)
        buf_putc(b, (char)(hex_value(at[0]) << 4 | hex_value(at[1])));
}

static inline unsigned zip_name_bytes(const struct zipped *m, const char *name)
{
    return m->name_bytes ? m->name_bytes : (unsigned)strlen(name);
}

/* What a header and the directory have in common. */
static inline void zip_put_facts(struct buf *b, const struct zipped *m, bool local, uint64_t packed)
{
    const bool later = local && m->follows;
    const uint64_t size = m->size ? m->size : zip_bytes(m).n;
    zip_put(b, m->flags | (m->follows ? 8u : 0), 2);
    zip_put(b, m->method ? m->method : m->deflated ? 8 : 0, 2);
    zip_put(b, 0, 4);
    zip_put(b, later ? 0 : zip_crc(zip_bytes(m)) + m->crc, 4);
    zip_put(b, later ? 0 : m->zip64 ? UINT32_MAX : packed, 4);
    zip_put(b, later ? 0 : m->zip64 ? UINT32_MAX : size, 4);
}

static inline void zip_put_extra(struct buf *b, const struct zipped *m, uint64_t packed)
{
    const uint64_t size = m->size ? m->size : zip_bytes(m).n;
    zip_put(b, 0x5455, 2), zip_put(b, 5, 2),
        zip_put(b, 0, 5); /* a time, as many programs write it */
    if (m->zip64)
        zip_put(b, 1, 2), zip_put(b, 16, 2), zip_put(b, size, 8), zip_put(b, packed, 8);
}

static inline unsigned zip_extra_bytes(const struct zipped *m)
{
    return 9 + (m->zip64 ? 20 : 0);
}

static inline uint64_t zip_put_local(struct buf *b, const struct zipped *m)
{
    const char *name = m->local_name ? m->local_name : m->name;
    struct buf packed = {0};
    zip_put_packed(&packed, m);
    buf_add(b, "PK\3\4", 4);
    zip_put(b, 20, 2);
    zip_put_facts(b, m, true, packed.len);
    zip_put(b, zip_name_bytes(m, name), 2), zip_put(b, zip_extra_bytes(m), 2);
    buf_add(b, name, zip_name_bytes(m, name));
    zip_put_extra(b, m, packed.len);
    buf_add(b, buf_text(&packed), packed.len);
    const uint64_t n = packed.len;
    buf_free(&packed);
    if (m->follows)
        buf_add(b, "PK\7\10", 4), zip_put(b, zip_crc(zip_bytes(m)), 4), zip_put(b, n, 4),
            zip_put(b, zip_bytes(m).n, 4);
    return n;
}

static inline void zip_put_listed(struct buf *b, const struct zipped *m, uint64_t packed,
                                  uint64_t local)
{
    buf_add(b, "PK\1\2", 4);
    zip_put(b, 20, 1), zip_put(b, m->made_by, 1), zip_put(b, 20, 2);
    zip_put_facts(b, m, false, m->packed ? m->packed : packed);
    zip_put(b, zip_name_bytes(m, m->name), 2), zip_put(b, zip_extra_bytes(m), 2), zip_put(b, 0, 2);
    zip_put(b, 0, 4), zip_put(b, (uint64_t)m->mode << 16, 4), zip_put(b, local, 4);
    buf_add(b, m->name, zip_name_bytes(m, m->name));
    zip_put_extra(b, m, m->packed ? m->packed : packed);
}

/* How the end is written. */
struct zipped_end {
    bool zip64;
    const char *comment;
    unsigned disk, more; /* entries that are not there */
    int shift;           /* of the place of the directory */
};

static inline struct buf zip_made_of(const struct zipped *entries, const struct zipped_end *how)
{
    struct buf b = {0};
    uint64_t at[ZIPPED_MOST], packed[ZIPPED_MOST], count = 0, listed = 0;
    const struct zipped_end plain = {.zip64 = false};
    how = how ? how : &plain;
    for (; entries[count].name; count++) {
        at[count] = b.len;
        packed[count] = zip_put_local(&b, &entries[count]);
    }
    const uint64_t begin = b.len;
    for (uint64_t i = 0; i < count; i++)
        for (unsigned k = 0; k <= entries[i].repeated; k++, listed++)
            zip_put_listed(&b, &entries[i], packed[i], at[i]);
    const uint64_t bytes = b.len - begin, end = b.len;
    listed += how->more;
    if (how->zip64) {
        buf_add(&b, "PK\6\6", 4), zip_put(&b, 44, 8), zip_put(&b, 45, 2), zip_put(&b, 45, 2),
            zip_put(&b, 0, 8);
        zip_put(&b, listed, 8), zip_put(&b, listed, 8), zip_put(&b, bytes, 8),
            zip_put(&b, begin, 8);
        buf_add(&b, "PK\6\7", 4), zip_put(&b, 0, 4), zip_put(&b, end, 8), zip_put(&b, 1, 4);
    }
    buf_add(&b, "PK\5\6", 4);
    zip_put(&b, how->disk, 2), zip_put(&b, how->disk, 2);
    zip_put(&b, how->zip64 ? 0xFFFF : listed, 2), zip_put(&b, how->zip64 ? 0xFFFF : listed, 2);
    zip_put(&b, how->zip64 ? UINT32_MAX : bytes, 4);
    zip_put(&b, how->zip64 ? UINT32_MAX : begin + (uint64_t)how->shift, 4);
    zip_put(&b, how->comment ? strlen(how->comment) : 0, 2);
    buf_puts(&b, how->comment ? how->comment : "");
    return b;
}

#define ONE(...)            \
    (const struct zipped[]) \
    {                       \
        {__VA_ARGS__},      \
        {                   \
            0               \
        }                   \
    }
#define TWO(...)            \
    (const struct zipped[]) \
    {                       \
        __VA_ARGS__,        \
        {                   \
            0               \
        }                   \
    }
#define END(...)               \
    &(const struct zipped_end) \
    {                          \
        __VA_ARGS__            \
    }
#define HELLO        .deflated = "cb48cdc9c90700"
#define EMPTY        .deflated = "0300"
#define E(what, has) .name = what, .bytes = has

#endif
