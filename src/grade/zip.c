/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format is described in PKWARE's APPNOTE. At the end of an archive stands where its directory
 * begins. For each entry the directory has its name, its sizes, and where its own header and its
 * bytes lie. Only the directory is believed. The entry's own header must agree with it.
 */
#include "grade/zip.h"

#include "base/near.h"
#include "base/utf8.h"
#include "cc/unpack-parts.h"
#include "cc/unpack.h"

#include <stdlib.h>

enum { END_SIZE = 22, END_64_SIZE = 56, LOCATOR_SIZE = 20, LOCAL_SIZE = 30, COMMENT_MOST = 0xFFFF };
enum { STORED = 0, DEFLATED = 8 };
enum {
    ENCRYPTED = 1,
    SIZES_FOLLOW = 8,
    PATCHED = 32,
    STRONGLY = 64,
    IS_UTF8 = 1 << 11,
    MASKED = 1 << 13
};
enum { RATIO_MOST = 200, RATIO_FREE = 1 << 20 }; /* entries up to RATIO_FREE bytes may have any */

static const char end_mark[] = "PK\5\6", end_64_mark[] = "PK\6\6", locator_mark[] = "PK\6\7",
                  entry_mark[] = "PK\1\2", local_mark[] = "PK\3\4";

static int damaged(struct err *e, const char *why)
{
    return fail(e, "the zip archive is damaged: %s", why);
}

/* ---- numbers -------------------------------------------------------------------------- */

/* A record of the archive that is read from its front. */
struct zip_record {
    struct span rest;
    bool over; /* it ended too early */
};

static uint64_t number(struct zip_record *r, unsigned bytes)
{
    uint64_t n;
    r->over |= !take_number(&r->rest, bytes, &n);
    return r->over ? 0 : n;
}

static struct span piece(struct zip_record *r, uint64_t n)
{
    struct span taken = {r->rest.at, 0};
    r->over |= !take(&r->rest, n, &taken);
    return taken;
}

/* The bytes of the archive from an offset on. */
static struct zip_record record_at(struct span archive, uint64_t at)
{
    return at <= archive.n ? (struct zip_record){{archive.at + at, archive.n - (size_t)at}, false}
                           : (struct zip_record){{archive.at, 0}, true};
}

static bool has_mark(struct zip_record *r, const char mark[5])
{
    struct span is = piece(r, 4);
    return !r->over && memcmp(is.at, mark, 4) == 0;
}

/* ---- the end of the archive ----------------------------------------------------------- */

struct directory {
    uint64_t begin, bytes, end, count; /* the archive's next record begins at `end` */
};

/* The last record whose comment fills the rest of the archive. */
static bool find_end(struct span archive, uint64_t *at)
{
    const size_t most = archive.n < END_SIZE + COMMENT_MOST ? archive.n : END_SIZE + COMMENT_MOST;
    for (size_t back = END_SIZE; back <= most; back++) {
        struct zip_record r = record_at(archive, archive.n - back);
        if (!has_mark(&r, end_mark))
            continue;
        piece(&r, END_SIZE - 6);
        if (number(&r, 2) == back - END_SIZE) {
            *at = archive.n - back;
            return true;
        }
    }
    return false;
}

/* Large archives have a second record with wider numbers, and a locator that tells where. */
static int read_end_64(struct span archive, uint64_t end, struct directory *d, struct err *e)
{
    struct zip_record l = record_at(archive, end - LOCATOR_SIZE);
    if (end < LOCATOR_SIZE || !has_mark(&l, locator_mark))
        return 0;
    const uint64_t disk = number(&l, 4), at = number(&l, 8), disks = number(&l, 4);
    struct zip_record r = record_at(archive, at);
    if (disk != 0 || disks > 1 || !has_mark(&r, end_64_mark))
        return damaged(e, "its zip64 locator leads nowhere");
    const uint64_t size = number(&r, 8);
    piece(&r, 4);
    const uint64_t this_disk = number(&r, 4), first_disk = number(&r, 4), here = number(&r, 8);
    d->count = number(&r, 8);
    d->bytes = number(&r, 8);
    d->begin = number(&r, 8);
    d->end = at;
    if (r.over || this_disk || first_disk || here != d->count || size < END_64_SIZE - 12 ||
        at + 12 + size != end - LOCATOR_SIZE)
        return damaged(e, "its zip64 record is wrong");
    return 0;
}

static int find_directory(struct span archive, struct directory *d, struct err *e)
{
    uint64_t end;
    if (archive.n == 0)
        return fail(e, "the zip archive is empty: it has no bytes");
    if (!find_end(archive, &end))
        return zip_begins(archive) ? damaged(e, "its end is missing")
                                   : fail(e, "this is not a zip archive");
    struct zip_record r = record_at(archive, end + 4);
    const uint64_t disk = number(&r, 2), first_disk = number(&r, 2), here = number(&r, 2);
    *d = (struct directory){.end = end};
    d->count = number(&r, 2);
    d->bytes = number(&r, 4);
    d->begin = number(&r, 4);
    if (read_end_64(archive, end, d, e) != 0)
        return -1;
    if (d->end == end && (disk || first_disk || here != d->count))
        return fail(e, "this is one part of a zip archive of several parts");
    if (d->begin > d->end || d->bytes != d->end - d->begin)
        return damaged(e, "its directory is not where it should be");
    return 0;
}

/* ---- names ---------------------------------------------------------------------------- */

/* The characters of the IBM PC from 128 on, which names have that say nothing else. */
static const uint16_t cp437[128] = {
    0xC7,   0xFC,   0xE9,   0xE2,   0xE4,   0xE0,   0xE5,   0xE7,   0xEA,   0xEB,   0xE8,   0xEF,
    0xEE,   0xEC,   0xC4,   0xC5,   0xC9,   0xE6,   0xC6,   0xF4,   0xF6,   0xF2,   0xFB,   0xF9,
    0xFF,   0xD6,   0xDC,   0xA2,   0xA3,   0xA5,   0x20A7, 0x192,  0xE1,   0xED,   0xF3,   0xFA,
    0xF1,   0xD1,   0xAA,   0xBA,   0xBF,   0x2310, 0xAC,   0xBD,   0xBC,   0xA1,   0xAB,   0xBB,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F,
    0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580,
    0x3B1,  0xDF,   0x393,  0x3C0,  0x3A3,  0x3C3,  0xB5,   0x3C4,  0x3A6,  0x398,  0x3A9,  0x3B4,
    0x221E, 0x3C6,  0x3B5,  0x2229, 0x2261, 0xB1,   0x2265, 0x2264, 0x2320, 0x2321, 0xF7,   0x2248,
    0xB0,   0x2219, 0xB7,   0x221A, 0x207F, 0xB2,   0x25A0, 0xA0};

static bool is_utf8(struct span s)
{
    uint32_t code;
    for (size_t at = 0, n; at < s.n; at += n)
        if ((n = utf8_next(s.at + at, s.n - at, &code)) == 0)
            return false;
    return true;
}

/* Many programs write UTF-8 and do not say so. In CP437 the same bytes would be nonsense. */
static char *read_name(struct zip *z, struct span raw, bool says_utf8)
{
    enum { MOST = 3 }; /* bytes of UTF-8 for one of these characters */
    char *name = arena_alloc(&z->memory, MOST * raw.n + 1), *to = name;
    if (!name || says_utf8 || is_utf8(raw)) {
        if (name && raw.n)
            memcpy(name, raw.at, raw.n);
        return name;
    }
    for (size_t i = 0; i < raw.n; i++) {
        const unsigned char c = (unsigned char)raw.at[i];
        to += utf8_put(c < 128 ? c : cp437[c - 128], to);
    }
    return name;
}

/* Does it lead to the folder above? */
static bool leads_up(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (!at[2] || at[2] == '/'))
            return true;
    }
    return false;
}

static const char *refuse_name(const char *name, struct span raw)
{
    if (!raw.n)
        return "has no name";
    if (memchr(raw.at, 0, raw.n))
        return "has a name with a NUL byte";
    if (name[0] == '/' || (is_letter(name[0]) && name[1] == ':'))
        return "has an absolute path";
    return leads_up(name) ? "has a path with `..`" : NULL;
}

/* ---- entries -------------------------------------------------------------------------- */

/* What the directory says about an entry. */
struct listed {
    unsigned made_by, flags;
    uint64_t packed, local; /* bytes; where its header begins */
    uint32_t mode;
    struct span name;
    uint64_t end; /* of its bytes in the archive */
    unsigned number;
};

/* Numbers that are too large for the entry stand in an extra field, in this order. */
static int read_wide(struct span extra, uint64_t *const wide[3])
{
    enum { ZIP64 = 1 };
    struct zip_record r = {extra, false};
    while (r.rest.n >= 4) {
        const uint64_t kind = number(&r, 2), n = number(&r, 2);
        struct zip_record field = {piece(&r, n), false};
        for (unsigned i = 0; kind == ZIP64 && i < 3; i++)
            if (*wide[i] == UINT32_MAX)
                *wide[i] = number(&field, 8);
        if (kind == ZIP64)
            return field.over || r.over ? -1 : 0;
    }
    return 0;
}

/* A folder's name ends in a slash. Archives of MS-DOS and Windows may have \ between folders. */
static void find_folder(struct zip_entry *entry, const struct listed *l)
{
    enum { DOS = 0, NTFS = 10, VFAT = 14 };
    for (char *at = entry->name; *at; at++)
        if (*at == '\\' && (l->made_by == DOS || l->made_by == NTFS || l->made_by == VFAT))
            *at = '/';
    const size_t n = strlen(entry->name);
    entry->folder = n && entry->name[n - 1] == '/';
}

static const char *refuse_kind(const struct zip_entry *entry, const struct listed *l)
{
    enum {
        UNIX = 3,
        MACOS = 19,
        KIND = 0170000,
        LINK = 0120000,
        FOLDER = 0040000,
        PLAIN = 0100000
    };
    const uint32_t kind = l->made_by == UNIX || l->made_by == MACOS ? l->mode >> 16 & KIND : 0;
    if (kind == LINK)
        return "is a link";
    if (kind && kind != FOLDER && kind != PLAIN)
        return "is a device or another special file";
    if (l->flags & (ENCRYPTED | STRONGLY | MASKED))
        return "is encrypted";
    if (l->flags & PATCHED || (entry->method != STORED && entry->method != DEFLATED))
        return "is packed by a method that cudalab does not know";
    if (entry->folder)
        return entry->size ? "is a folder with bytes of its own" : NULL;
    if (entry->method == STORED && entry->size != l->packed)
        return "has two different sizes";
    if (entry->size > RATIO_FREE && entry->size / RATIO_MOST > l->packed)
        return "has too many bytes for what it is packed in";
    return NULL;
}

/* Finds the entry's own bytes behind its header. */
static int find_bytes(struct span archive, const struct directory *d, struct zip_entry *entry,
                      struct listed *l, struct err *e)
{
    struct zip_record r = record_at(archive, l->local);
    if (!has_mark(&r, local_mark))
        return damaged(e, "an entry has no header");
    piece(&r, 2);
    const unsigned flags = (unsigned)number(&r, 2), method = (unsigned)number(&r, 2);
    piece(&r, 4);
    const uint64_t crc = number(&r, 4);
    piece(&r, 8);
    const uint64_t name_bytes = number(&r, 2), extra_bytes = number(&r, 2);
    const struct span name = piece(&r, name_bytes);
    piece(&r, extra_bytes);
    entry->packed = piece(&r, l->packed);
    l->end = (uint64_t)(r.rest.at - archive.at);
    if (r.over || l->end > d->begin)
        return damaged(e, "the bytes of an entry lead out of it");
    if (name.n != l->name.n || memcmp(name.at, l->name.at, name.n) != 0 ||
        method != entry->method || (flags & ENCRYPTED) != (l->flags & ENCRYPTED) ||
        (!(flags & SIZES_FOLLOW) && crc != entry->crc))
        return damaged(e, "an entry and the directory say different things about it");
    return 0;
}

static int read_entry(struct zip *z, struct span archive, const struct directory *d,
                      struct zip_record *r, struct listed *l, struct err *e)
{
    struct zip_entry *entry = &z->entry[z->count];
    if (!has_mark(r, entry_mark))
        return damaged(e, "its directory ends too early");
    piece(r, 1);
    l->made_by = (unsigned)number(r, 1);
    piece(r, 2);
    l->flags = (unsigned)number(r, 2);
    entry->method = (uint16_t)number(r, 2);
    piece(r, 4);
    entry->crc = (uint32_t)number(r, 4);
    l->packed = number(r, 4);
    entry->size = number(r, 4);
    const uint64_t name = number(r, 2), extra = number(r, 2), comment = number(r, 2);
    piece(r, 4);
    l->mode = (uint32_t)number(r, 4);
    l->local = number(r, 4);
    l->name = piece(r, name);
    const struct span fields = piece(r, extra);
    piece(r, comment);
    if (r->over || read_wide(fields, (uint64_t *[]){&entry->size, &l->packed, &l->local}) != 0)
        return damaged(e, "its directory ends too early");
    l->number = z->count;
    entry->name = read_name(z, l->name, l->flags & IS_UTF8);
    if (!entry->name)
        return fail_memory(e);
    find_folder(entry, l);
    entry->refused = refuse_name(entry->name, l->name);
    if (!entry->refused)
        entry->refused = refuse_kind(entry, l);
    return find_bytes(archive, d, entry, l, e);
}

/* ---- the whole archive ---------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    return (x->local > y->local) - (x->local < y->local);
}

/* Entries that share bytes make a small archive huge when it is unpacked. */
static int check_overlap(struct listed *all, unsigned count, struct err *e)
{
    qsort(all, count, sizeof *all, by_place);
    for (unsigned i = 1; i < count; i++)
        if (all[i].local < all[i - 1].end)
            return damaged(e, "two of its entries share bytes");
    return 0;
}

/* Names that differ only in capitals are one file on some systems. A folder may be listed twice. */
static int by_name(const void *a, const void *b)
{
    const struct zip_entry *x = *(struct zip_entry *const *)a, *y = *(struct zip_entry *const *)b;
    const char *p = x->name, *q = y->name;
    while (*p && near_lower(*p) == near_lower(*q))
        p++, q++;
    return (unsigned char)near_lower(*p) - (unsigned char)near_lower(*q);
}

static int refuse_doubles(struct zip *z, struct err *e)
{
    struct zip_entry **sorted = arena_alloc(&z->memory, (z->count + 1) * sizeof *sorted);
    if (!sorted)
        return fail_memory(e);
    for (unsigned i = 0; i < z->count; i++)
        sorted[i] = &z->entry[i];
    qsort(sorted, z->count, sizeof *sorted, by_name);
    for (unsigned i = 1; i < z->count; i++)
        if (by_name(&sorted[i - 1], &sorted[i]) == 0 && !sorted[i]->folder)
            sorted[i - 1]->refused = sorted[i]->refused = "has the name of another file";
    return 0;
}

static int check_bytes(const struct zip *z, const struct zip_bounds *b, struct err *e)
{
    uint64_t left = b->bytes;
    for (unsigned i = 0; i < z->count; i++) {
        if (z->entry[i].size > left)
            return fail(e, "it has more than %llu MiB when it is unpacked",
                        (unsigned long long)b->bytes >> 20);
        left -= z->entry[i].size;
    }
    return 0;
}

static int read_entries(struct zip *z, struct span archive, const struct directory *d,
                        struct listed *listed, struct err *e)
{
    struct zip_record r = record_at(archive, d->begin);
    r.rest.n = (size_t)d->bytes;
    for (; z->count < d->count; z->count++)
        if (read_entry(z, archive, d, &r, &listed[z->count], e) != 0)
            return -1;
    return r.rest.n ? damaged(e, "its directory has more bytes than entries")
                    : check_overlap(listed, z->count, e);
}

int zip_open(struct zip *z, struct span archive, const struct zip_bounds *b, struct err *e)
{
    struct directory d = {0};
    *z = (struct zip){0};
    if (find_directory(archive, &d, e) != 0)
        return -1;
    if (d.count > b->entries)
        return fail(e, "it has %llu entries, and %u are allowed",
                    (unsigned long long)d.count, b->entries);
    z->entry = arena_alloc(&z->memory, (d.count + 1) * sizeof *z->entry);
    struct listed *listed = arena_alloc(&z->memory, (d.count + 1) * sizeof *listed);
    if (!z->entry || !listed)
        return fail_memory(e);
    if (read_entries(z, archive, &d, listed, e) != 0 || check_bytes(z, b, e) != 0)
        return -1;
    return refuse_doubles(z, e);
}

void zip_close(struct zip *z)
{
    arena_free(&z->memory);
    *z = (struct zip){0};
}

bool zip_begins(struct span bytes)
{
    return bytes.n >= 4 &&
           (memcmp(bytes.at, local_mark, 4) == 0 || memcmp(bytes.at, end_mark, 4) == 0);
}

/* ---- the bytes of an entry ------------------------------------------------------------ */

/* The checksum of zip, half a byte at a time. */
static uint32_t crc_of(const unsigned char *bytes, uint64_t n)
{
    static const uint32_t of_half[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                         0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                         0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                         0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = UINT32_MAX;
    for (uint64_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ of_half[crc & 15];
        crc = crc >> 4 ^ of_half[crc & 15];
    }
    return ~crc;
}

int zip_unpack(const struct zip_entry *entry, unsigned char *to, const struct go_on *g,
               struct err *e)
{
    if (entry->refused || entry->folder)
        return fail(e, "it %s", entry->refused ? entry->refused : "is a folder");
    if (entry->method == DEFLATED &&
        unpack_deflate(entry->packed, to, (size_t)entry->size, g, e) != 0)
        return -1;
    if (entry->method == STORED && entry->size)
        memcpy(to, entry->packed.at, (size_t)entry->size);
    return crc_of(to, entry->size) == entry->crc
               ? 0
               : fail(e, "its checksum is wrong: the archive is damaged");
}
