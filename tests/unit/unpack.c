/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What nvcc packs in fat binaries, and what zstd, lz4 and zlib made of the samples below
 * (tests/data/unpack.txt), is unpacked right. What is cut off or changed at random never leads the
 * decoders out of their memory. With arguments this program serves tests/unpack.t:
 *
 *     unpack FILE ENTRY               writes the code of an entry of a fat binary
 *     unpack zstd FILE SIZE           unpacks a file to so many bytes; also lz4, deflate
 *     unpack sample KIND SIZE         writes a sample
 */
#include "base/philox.h"
#include "cc/fatbin.h"
#include "cc/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 5000 };

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

/* ---- samples and files ---------------------------------------------------------------- */

static uint32_t drawn(uint32_t seed, uint32_t at)
{
    uint32_t draw[4];
    philox((const uint32_t[2]){seed, 0}, (const uint32_t[4]){at, 0, 0, 0}, draw);
    return draw[0];
}

/* Lines like those of PTX: their words repeat, their numbers do not. */
static void put_text(struct buf *b, size_t size)
{
    static const char *const names[] = {"add.s32", "mul.wide.u32", "ld.global.f32", "fma.rn.f32"};
    for (uint32_t i = 0; b->len < size; i++) {
        uint32_t d = drawn(1, i);
        buf_printf(b, "\t%s \t%%r%u, %%r%u, 0x%04x;\n", names[d & 3], d >> 2 & 63, i, d >> 16);
    }
}

/* Some values are frequent, and few bytes repeat. */
static void put_skewed(struct buf *b, size_t size)
{
    for (uint32_t i = 0; b->len < size; i++) {
        uint32_t d = drawn(2, i);
        buf_putc(b, (char)((d & 255) * (d >> 8 & 255) >> 8));
    }
}

/* Four values, the first most often. */
static void put_few(struct buf *b, size_t size)
{
    for (uint32_t i = 0; b->len < size; i++)
        buf_putc(b, "aaaaaabbcd"[drawn(5, i) % 10]);
}

/* Long runs of one byte, and pieces of two that alternate. */
static void put_runs(struct buf *b, size_t size)
{
    for (uint32_t i = 0; b->len < size; i++) {
        uint32_t d = drawn(3, i);
        for (uint32_t k = 0; k < (d & 1023); k++)
            buf_putc(b, (char)(d >> (d & 1024 && k & 1 ? 11 : 19)));
    }
}

static void put_random(struct buf *b, size_t size)
{
    for (uint32_t i = 0; b->len < size; i++)
        buf_putc(b, (char)drawn(4, i));
}

static const struct sample {
    const char *kind;
    void (*put)(struct buf *, size_t);
} samples[] = {
    {"text", put_text}, {"skewed", put_skewed}, {"few", put_few}, {"runs", put_runs},
    {"random", put_random}};

/* false: there is no such kind. */
static bool sample(const char *kind, size_t size, struct buf *b)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (strcmp(kind, samples[i].kind) == 0) {
            samples[i].put(b, size);
            b->len = size;
            return !b->failed;
        }
    return false;
}

static bool read_all(const char *path, struct buf *b)
{
    char piece[4096];
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;)
        buf_add(b, piece, n);
    if (f)
        fclose(f);
    return f && !b->failed;
}

static bool read_data(const char *name, struct buf *b)
{
    char path[1000];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/data/%s", top ? top : ".", name);
    return read_all(path, b);
}

/* ---- unpacking in memory of just the size --------------------------------------------- */

enum format { LZ4, ZSTD, DEFLATE };

static enum format format_named(const char *name)
{
    return strcmp(name, "zstd") == 0 ? ZSTD : strcmp(name, "deflate") == 0 ? DEFLATE : LZ4;
}

static int unpack(enum format f, struct span packed, unsigned char *out, size_t size,
                  struct err *e)
{
    return f == ZSTD      ? unpack_zstd(packed, out, size, NULL, e)
           : f == DEFLATE ? unpack_deflate(packed, out, size, NULL, e)
                          : unpack_lz4(packed, out, size, e);
}

/* -1: it failed; 0: it gave these bytes; 1: it gave others; 2: it does not say why it failed. A
 * sanitizer or valgrind sees a byte too far, of either side. */
static int unpacks_to(enum format f, const char *packed, size_t n, const char *bytes, size_t size)
{
    struct err e = {.line = 0};
    char *copy = malloc(n ? n : 1);
    unsigned char *out = malloc(size ? size : 1);
    if (!copy || !out)
        abort();
    memcpy(copy, packed, n);
    int rc = unpack(f, (struct span){copy, n}, out, size, &e);
    if (rc == 0)
        rc = !bytes || memcmp(out, bytes, size) != 0;
    else if (!e.text[0])
        rc = 2;
    free(copy);
    free(out);
    return rc;
}

/* ---- vectors made by hand ------------------------------------------------------------- */

static int hex_bytes(const char *hex, char *bytes)
{
    int n = 0;
    for (; *hex; hex++)
        if (*hex != ' ') {
            bytes[n++] = (char)(hex_value(hex[0]) << 4 | hex_value(hex[1]));
            hex++;
        }
    return n;
}

struct vector {
    const char *what, *hex, *text; /* NULL: it must fail */
    size_t size;
};

static const struct vector lz4_vectors[] = {
    {"LZ4: only literals", "50 68656c6c6f", "hello", 0},
    {"LZ4: a match that overlaps itself", "1f 61 0100 00 20 6263", "aaaaaaaaaaaaaaaaaaaabc", 0},
    {"LZ4: a match of the bytes before", "44 61626364 0400 10 65", "abcdabcdabcde", 0},
    {"LZ4: a length of several bytes", "f0 01 31323334353637383930313233343536",
     "1234567890123456", 0},
    {"LZ4: no distance", "10 61 0000 10 62", NULL, 6},
    {"LZ4: a distance to before the beginning", "10 61 0200 10 62", NULL, 6},
    {"LZ4: literals that are not there", "50 68656c6c", NULL, 5},
    {"LZ4: a length that does not end", "f0 ff ff ff", NULL, 5},
    {"LZ4: half a distance", "10 61 01", NULL, 6},
    {"LZ4: more bytes than there should be", "50 68656c6c6f", NULL, 4},
    {"LZ4: fewer bytes than there should be", "50 68656c6c6f", NULL, 6},
    {"LZ4: a match of more bytes than there should be", "10 61 0100 10 62", NULL, 5},
    {"LZ4: nothing", "", NULL, 1},
};

#define MAGIC "28b52ffd "
/* A block of 8 bytes, and one of 7 that begins without literals. */
#define AFTER_8 MAGIC "00 00 400000 6162636465666768 3d0000 00 "
static const struct vector zstd_vectors[] = {
    {"zstd: a block that is stored", MAGIC "20 05 290000 68656c6c6f", "hello", 0},
    {"zstd: a byte that repeats", MAGIC "20 05 2b0000 61", "aaaaa", 0},
    {"zstd: a byte that repeats 0 times", MAGIC "20 05 020000 61 290000 68656c6c6f", "hello", 0},
    {"zstd: two blocks", MAGIC "20 05 100000 6865 190000 6c6c6f", "hello", 0},
    {"zstd: two frames", MAGIC "20 02 110000 6865" MAGIC "20 03 190000 6c6c6f", "hello", 0},
    {"zstd: a window and no size", MAGIC "00 00 290000 68656c6c6f", "hello", 0},
    {"zstd: a checksum", MAGIC "24 05 290000 68656c6c6f 01020304", "hello", 0},
    {"zstd: frames to be left out",
     "502a4d18 03000000 616263" MAGIC "20 05 290000 68656c6c6f 5f2a4d18 00000000", "hello", 0},
    {"zstd: a size of 8 bytes", MAGIC "e0 0500000000000000 290000 68656c6c6f", "hello", 0},
    {"zstd: a dictionary of the number 0", MAGIC "21 00 05 290000 68656c6c6f", "hello", 0},
    {"zstd: literals without sequences", MAGIC "00 00 3d0000 28 68656c6c6f 00", "hello", 0},
    {"zstd: literals that repeat", MAGIC "20 05 1d0000 29 61 00", "aaaaa", 0},
    {"zstd: the oldest distance, and one byte less than the last", AFTER_8 "02 54 00 01 00 05",
     "abcdefghabcefg", 0},
    {"zstd: the distance before the last", AFTER_8 "01 54 00 00 00 01", "abcdefghefg", 0},
    {"zstd: the last distance, behind a literal",
     MAGIC "00 00 400000 6162636465666768 450000 08 78 01 54 01 00 00 01", "abcdefghxxxx", 0},
    {"zstd: one byte less than the distance 1", AFTER_8 "01 54 00 01 00 03", NULL, 11},
    {"zstd: a distance to before the beginning", AFTER_8 "01 54 00 04 00 10", NULL, 11},
    {"zstd: a distance into the frame before",
     MAGIC "20 08 410000 6162636465666768" MAGIC "00 00 3d0000 00 01 54 00 01 00 02", NULL, 11},
    {"zstd: a literal that is not there", AFTER_8 "01 54 01 00 00 01", NULL, 12},
    {"zstd: bits behind the last sequence", AFTER_8 "01 54 00 00 00 02", NULL, 11},
    {"zstd: too few bits for the sequences", AFTER_8 "02 54 00 01 00 02", NULL, 14},
    {"zstd: sequences without a mark of the end", AFTER_8 "01 54 00 00 00 00", NULL, 11},
    {"zstd: a mode that does not exist", AFTER_8 "01 55 00 00 00 01", NULL, 11},
    {"zstd: a symbol that does not exist", AFTER_8 "01 54 00 20 00 01", NULL, 11},
    {"zstd: no table of sequences before", AFTER_8 "01 fc 00 00 00 01", NULL, 11},
    {"zstd: nothing", "", NULL, 1},
    {"zstd: another format", "50 68656c6c6f", NULL, 5},
    {"zstd: a dictionary", MAGIC "21 01 05 290000 68656c6c6f", NULL, 5},
    {"zstd: a reserved flag", MAGIC "28 05 290000 68656c6c6f", NULL, 5},
    {"zstd: a block of an unknown kind", MAGIC "20 05 2f0000 68656c6c6f", NULL, 5},
    {"zstd: no last block", MAGIC "20 05 280000 68656c6c6f", NULL, 5},
    {"zstd: no checksum", MAGIC "24 05 290000 68656c6c6f 010203", NULL, 5},
    {"zstd: another size than the header's", MAGIC "20 06 290000 68656c6c6f", NULL, 5},
    {"zstd: a block larger than the window", MAGIC "20 04 290000 68656c6c6f", NULL, 5},
    {"zstd: more bytes than there should be", MAGIC "20 05 290000 68656c6c6f", NULL, 4},
    {"zstd: fewer bytes than there should be", MAGIC "20 05 290000 68656c6c6f", NULL, 6},
    {"zstd: bytes behind the frame", MAGIC "20 05 290000 68656c6c6f 0000", NULL, 5},
    {"zstd: a frame to be left out is cut off", "502a4d18 03000000 6162", NULL, 5},
    {"zstd: no Huffman table before", MAGIC "00 00 3d0000 53c000 616263 00", NULL, 5},
    {"zstd: no sequences", MAGIC "00 00 350000 28 68656c6c6f", NULL, 5},
    {"zstd: bytes behind the sequences", MAGIC "00 00 450000 28 68656c6c6f 00 00", NULL, 5},
    {"zstd: literals that are not there", MAGIC "00 00 2d0000 28 68656c6c", NULL, 5},
};

/* Bytes that would be codes. */
#define FF_60 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" \
              "ffffffffffffffffffffffffffffffffffffffff"
static const struct vector deflate_vectors[] = {
    {"deflate: the fixed codes", "cb48cdc9c90700", "hello", 0},
    {"deflate: a match that overlaps itself", "4b440000", "aaaaaaaaaaa", 0},
    {"deflate: a distance with one more bit", "4b4c4a4e49051200", "abcdeabc", 0},
    {"deflate: a stored block", "010500faff68656c6c6f", "hello", 0},
    {"deflate: two stored blocks", "000200fdff6865010300fcff6c6c6f", "hello", 0},
    {"deflate: a stored block behind a coded one", "ca00040400fbff656c6c6f", "hello", 0},
    {"deflate: an empty block", "0300", "", 0},
    {"deflate: codes of its own, one of distances",
     "15e00509000000c030647dff12678b01", "aaaaa", 0},
    {"deflate: a distance to before the beginning", "4b444000", NULL, 11},
    {"deflate: a distance that does not exist", "4b443c00", NULL, 11},
    {"deflate: a length that does not exist", "4b1c0300", NULL, 11},
    {"deflate: a match of more bytes than there should be", "4b440000", NULL, 10},
    {"deflate: fewer bytes than there should be", "4b440000", NULL, 12},
    {"deflate: no end of a block", "cb48cdc9c907", NULL, 5},
    {"deflate: no last block", "ca48cdc9c90700", NULL, 5},
    {"deflate: bytes behind the last block", "cb48cdc9c9070000", NULL, 5},
    {"deflate: a block of an unknown kind", "07", NULL, 0},
    {"deflate: a stored block of two lengths", "010500000068656c6c6f", NULL, 5},
    {"deflate: a stored block that is cut off", "010500faff68656c6c", NULL, 5},
    {"deflate: more codes of lengths than there can be",
     "05e001040000004010000000000000000000", NULL, 1},
    {"deflate: fewer codes of lengths than there must be",
     "05e001000000008020000000000000000000", NULL, 1},
    {"deflate: a length that repeats none", "05e003000000000010040000000000000000", NULL, 1},
    {"deflate: too many codes", "f5e00104000000001000" FF_60, NULL, 1},
    {"deflate: too many codes of distances", "05fe0104000000001000" FF_60, NULL, 1},
    {"deflate: more lengths than codes", "05e081000000000010fcff030000000000000000", NULL, 1},
    {"deflate: no code for the end of a block", "05e0010500000000206cadff270000000000", NULL, 1},
    {"deflate: a code of distances that is not there",
     "15e00509000000c030647dff1267cb01", NULL, 5},
    {"deflate: nothing", "", NULL, 1},
};

static void test_vectors(enum format f, const struct vector *v, size_t count)
{
    char packed[200];
    for (size_t i = 0; i < count; i++) {
        size_t size = v[i].text ? strlen(v[i].text) : v[i].size;
        int n = hex_bytes(v[i].hex, packed);
        int rc = unpacks_to(f, packed, (size_t)n, v[i].text, size);
        ok(rc == (v[i].text ? 0 : -1), v[i].what);
    }
}

/* The longest form of a count, with sequences that need no bits. */
static void test_many_sequences(void)
{
    enum { COUNT = 0x7f00, EACH = 3, BEFORE = 8, SIZE = BEFORE + COUNT * EACH };
    char packed[100], *bytes = malloc(SIZE);
    int n = hex_bytes(MAGIC "a0 087d0100 420000 61 4d0000 00 ff0000 54 00 00 00 01", packed);
    if (bytes)
        memset(bytes, 'a', SIZE);
    ok(bytes && unpacks_to(ZSTD, packed, (size_t)n, bytes, SIZE) == 0, "zstd: 32512 sequences");
    free(bytes);
}

/* ---- vectors made by zstd, lz4 and zlib ----------------------------------------------- */

/* Cut off anywhere, it is refused. Changed anywhere, it may be. */
static void test_damage(enum format f, const char *packed, size_t n, const struct buf *bytes,
                        const char *name, uint32_t seed)
{
    char what[100], *changed = malloc(n);
    bool good = changed;
    for (size_t cut = 0; good && cut < n; cut += n < 600 ? 1 : 13)
        good = unpacks_to(f, packed, cut, bytes->data, bytes->len) == -1;
    snprintf(what, sizeof what, "%s, cut off anywhere", name);
    ok(good, what);
    for (uint32_t i = 0; good && i < CHANGES; i++) {
        memcpy(changed, packed, n);
        for (uint32_t k = 0; k <= i % 3; k++) {
            uint32_t at = drawn(seed, 2 * (3 * i + k)), how = drawn(seed, 2 * (3 * i + k) + 1);
            at %= i % 2 || n < 60 ? (uint32_t)n : 60; /* half of the changes are in the headers */
            changed[at] = (char)(how & 256 ? changed[at] ^ 1 << (how & 7) : (int)(how & 255));
        }
        good = unpacks_to(f, changed, n, bytes->data, bytes->len) <= 1;
    }
    free(changed);
    snprintf(what, sizeof what, "%s, changed anywhere", name);
    ok(good, what);
}

/* "zstd text 3000 --fast=5 | HEX": the format, the sample and its size, how it was packed. */
static void test_made(char *line, uint32_t seed)
{
    char format[20], kind[20], *bar = strchr(line, '|'), *packed = malloc(strlen(line));
    unsigned size;
    struct buf bytes = {0};
    if (!bar || !packed || sscanf(line, "%19s %19s %u", format, kind, &size) != 3 ||
        !sample(kind, size, &bytes)) {
        ok(false, "a line of unpack.txt");
    } else {
        const enum format f = format_named(format);
        int n = hex_bytes(bar + 2, packed);
        bar[-1] = '\0';
        ok(unpacks_to(f, packed, (size_t)n, bytes.data, bytes.len) == 0, line);
        test_damage(f, packed, (size_t)n, &bytes, line, seed);
    }
    free(packed);
    buf_free(&bytes);
}

static void test_all_made(void)
{
    struct buf file = {0};
    uint32_t seed = 10;
    ok(read_data("unpack.txt", &file), "unpack.txt");
    for (char *at = file.data, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        *end = '\0';
        if (*at != '#')
            test_made(at, seed++);
    }
    buf_free(&file);
}

/* ---- entries of fat binaries ---------------------------------------------------------- */

static void test_entry(const char *name, unsigned entry, enum fat_packing packing)
{
    char what[60];
    struct buf file = {0}, code = {0};
    struct fatbin f = {.count = 0};
    struct err e;
    snprintf(what, sizeof what, "PTX of %s", name);
    ok(read_data(name, &file) &&
           fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 && entry < f.count &&
           f.entries[entry].packing == packing &&
           fat_unpack(&f.entries[entry], &code, NULL, &e) == 0 &&
           strstr(buf_text(&code), ".version 9.0") && strstr(buf_text(&code), ".entry scale(") &&
           code.len == strlen(buf_text(&code)) && buf_text(&code)[code.len - 1] == '\n',
       what);
    ok(!f.unread[0] && f.count > entry && !f.entries[entry].unread &&
           f.entries[entry].kernels == 1 &&
           strcmp(fat_names(&f, &f.entries[entry]), "scale") == 0, "its kernel");
    fatbin_free(&f);
    buf_free(&file);
    buf_free(&code);
}

static void put(struct buf *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_putc(b, (char)(i < sizeof value ? value >> 8 * i : 0));
}

/* A fat binary of so many entries of PTX, each with the same packed bytes. */
static struct buf fatbin_of(unsigned entries, uint64_t flags, const struct buf *packed,
                            uint64_t unpacked)
{
    struct buf b = {0};
    put(&b, 0xba55ed50, 4), put(&b, 1, 2), put(&b, 16, 2);
    put(&b, entries * (64 + packed->len), 8);
    for (unsigned i = 0; i < entries; i++) {
        put(&b, 1, 4), put(&b, 64, 4), put(&b, packed->len, 8);
        put(&b, packed->len, 4), put(&b, 0, 8), put(&b, 80, 4);
        put(&b, 0, 8), put(&b, flags, 8), put(&b, 0, 8), put(&b, unpacked, 8);
        buf_add(&b, packed->data, packed->len);
    }
    return b;
}

enum { BLOCK = 128 << 10, IS_LZ4 = 0x2000, IS_ZSTD = 0x8000 };

/* A frame that has the byte 10 repeated, in so many blocks of the largest size. */
static struct buf frame_of(unsigned blocks)
{
    struct buf b = {0};
    buf_add(&b, "\x28\xb5\x2f\xfd\x00\x50", 6);
    for (unsigned i = 0; i < blocks; i++) {
        put(&b, (uint64_t)BLOCK << 3 | 1 << 1 | (i + 1 == blocks), 3);
        put(&b, 10, 1);
    }
    return b;
}

static int never(void *self, struct err *e)
{
    int *left = self;
    return (*left)-- > 0 ? 0 : fail(e, "interrupted");
}

/* How many of the entries are read; -1: reading fails. */
static int entries_read(const struct buf *file, const char *unread, const struct go_on *g)
{
    struct fatbin f;
    struct err e;
    int rc = fatbin_read((struct span){file->data, file->len}, &f, g, &e), count = 0;
    for (unsigned i = 0; i < f.count; i++)
        count += !f.entries[i].unread;
    bool told = unread ? strstr(f.unread, unread) != NULL : !f.unread[0];
    fatbin_free(&f);
    return rc != 0 ? -1 : told ? count : -2;
}

static void test_limits(void)
{
    enum { MANY = 100 };
    struct buf frame = frame_of(MANY), file = fatbin_of(2, IS_ZSTD, &frame, MANY * BLOCK);
    int left = 1;
    const struct go_on g = {never, &left};
    ok(entries_read(&file, NULL, NULL) == 2, "entries that unpack to 12 MiB each");
    ok(entries_read(&file, NULL, &g) == -1, "reading them is interrupted");
    buf_free(&file);
    file = fatbin_of(1000, IS_ZSTD, &frame, MANY * BLOCK);
    int some = entries_read(&file, "the file has too much packed code", NULL);
    ok(some > 2 && some < 100, "entries that unpack to 12 GiB in all");
    buf_free(&file);
    file = fatbin_of(2, IS_ZSTD, &frame, MANY * BLOCK + 1);
    ok(entries_read(&file, "entry 1 can't be unpacked: it has only", NULL) == 0,
       "bytes are missing");
    buf_free(&file);
    file = fatbin_of(1, IS_LZ4, &frame, MANY * BLOCK);
    ok(entries_read(&file, "entry 1 can't be unpacked: its LZ4 data", NULL) == 0,
       "another format than the header says");
    buf_free(&file);
    file = fatbin_of(1, 0, &frame, MANY * BLOCK);
    ok(entries_read(&file, "its format is not known", NULL) == 0, "a format that is not known");
    buf_free(&file);
    file = fatbin_of(1, IS_ZSTD, &frame, UINT64_MAX);
    ok(entries_read(&file, "entry 1", NULL) == 0, "an entry of 2^64 bytes");
    buf_free(&file);
    buf_free(&frame);
}

static void test_huge(void)
{
    struct buf code = {0};
    struct err e;
    const struct fat_entry huge = {.kind = FAT_PTX, .packing = FAT_LZ4, .unpacked = 600 << 20};
    ok(fat_unpack(&huge, &code, NULL, &e) != 0 && strstr(e.text, "more than 512 MiB"),
       "no entry may have 600 MiB");
    buf_free(&code);
}

/* ---- as a tool for tests/unpack.t ----------------------------------------------------- */

static int tell(const char *why)
{
    fprintf(stderr, "unpack: %s\n", why);
    return 1;
}

static int write_entry(const char *path, unsigned entry)
{
    struct buf file = {0}, code = {0};
    struct fatbin f = {.count = 0};
    struct err e = {.text = "there is no such entry"};
    int rc = !read_all(path, &file) ||
             fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) != 0 || !entry ||
             entry > f.count || fat_unpack(&f.entries[entry - 1], &code, NULL, &e) != 0;
    if (rc == 0)
        fwrite(code.data, 1, code.len, stdout);
    fatbin_free(&f);
    buf_free(&file);
    buf_free(&code);
    return rc ? tell(e.text) : 0;
}

static int write_unpacked(enum format f, const char *path, size_t size)
{
    struct buf file = {0};
    struct err e = {.text = "the file can't be read"};
    unsigned char *out = malloc(size ? size : 1);
    int rc = !out || !read_all(path, &file) ||
             unpack(f, (struct span){buf_text(&file), file.len}, out, size, &e) != 0;
    if (rc == 0)
        fwrite(out, 1, size, stdout);
    free(out);
    buf_free(&file);
    return rc ? tell(e.text) : 0;
}

static int write_sample(const char *kind, size_t size)
{
    struct buf b = {0};
    bool there = sample(kind, size, &b);
    if (there)
        fwrite(b.data, 1, b.len, stdout);
    buf_free(&b);
    return there ? 0 : tell("there is no such sample");
}

int main(int argc, char *argv[])
{
    if (argc == 3)
        return write_entry(argv[1], (unsigned)strtoul(argv[2], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "sample") == 0)
        return write_sample(argv[2], (size_t)strtoul(argv[3], NULL, 10));
    if (argc == 4)
        return write_unpacked(format_named(argv[1]), argv[2],
                              (size_t)strtoul(argv[3], NULL, 10));
    test_vectors(LZ4, lz4_vectors, sizeof lz4_vectors / sizeof *lz4_vectors);
    test_vectors(ZSTD, zstd_vectors, sizeof zstd_vectors / sizeof *zstd_vectors);
    test_vectors(DEFLATE, deflate_vectors, sizeof deflate_vectors / sizeof *deflate_vectors);
    test_many_sequences();
    test_all_made();
    test_entry("fat.o", 2, FAT_ZSTD);
    test_entry("packed.fatbin", 1, FAT_LZ4);
    test_limits();
    test_huge();
    printf("1..%d\n", tests_run);
    return 0;
}
