/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zip archives that are made here, byte by byte: right ones in each form, and one for each way to
 * be wrong or hostile. Then archives that are cut off or changed anywhere: reading ends without
 * leaving their bytes, and gives a reason or the right bytes.
 */
#include "grade/zip.h"
#include "base/buf.h"
#include "base/philox.h"
#include "zips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

/* ---- reading them --------------------------------------------------------------------- */

static const struct zip_bounds bounds = {100, 1 << 20};

/* What an archive has: "NAME=BYTES|NAME!why", in memory of just its size. */
static void tell(struct span archive, const struct zip_bounds *b, struct buf *out)
{
    struct zip z;
    struct err e;
    char *copy = malloc(archive.n ? archive.n : 1);
    if (!copy)
        abort();
    if (archive.n)
        memcpy(copy, archive.at, archive.n);
    if (zip_open(&z, (struct span){copy, archive.n}, b, &e) != 0)
        buf_printf(out, "archive!%s", e.text);
    for (unsigned i = 0; out->len < 8 || memcmp(buf_text(out), "archive!", 8) != 0; i++) {
        if (i == z.count)
            break;
        const struct zip_entry *entry = &z.entry[i];
        unsigned char *bytes = malloc(entry->size ? (size_t)entry->size : 1);
        buf_printf(out, "%s%s", i ? "|" : "", entry->name);
        if (entry->folder && !entry->refused)
            buf_puts(out, ":folder");
        else if (entry->refused)
            buf_printf(out, "!%s", entry->refused);
        else if (!bytes || zip_unpack(entry, bytes, NULL, &e) != 0)
            buf_printf(out, "!%s", e.text);
        else
            buf_printf(out, "=%.*s", (int)entry->size, (const char *)bytes);
        free(bytes);
    }
    zip_close(&z);
    free(copy);
}

static void reads(const struct zipped *entries, const struct zipped_end *how, const char *wanted,
                  const char *what)
{
    struct buf archive = zip_made_of(entries, how), told = {0};
    tell((struct span){buf_text(&archive), archive.len}, &bounds, &told);
    const bool same = strcmp(buf_text(&told), wanted) == 0;
    ok(same, what);
    if (!same)
        printf("# wanted: %s\n# got:    %s\n", wanted, buf_text(&told));
    buf_free(&told);
    buf_free(&archive);
}

#define WRONG "archive!the zip archive is damaged: "

static void test_right(void)
{
    reads(ONE(E("x.cu", "hello")), NULL, "x.cu=hello", "a stored entry");
    reads(ONE(E("x.cu", "hello"), HELLO), NULL, "x.cu=hello", "a packed entry");
    reads(TWO({E("a/", "")}, {E("a/x", "hello"), HELLO}, {E("b", "")}), NULL,
          "a/:folder|a/x=hello|b=", "a folder, and an empty entry");
    reads(ONE(.name = NULL), NULL, "", "no entry");
    reads(ONE(E("x", "hello"), HELLO, .follows = true), NULL, "x=hello", "sizes behind the bytes");
    reads(ONE(E("x", "hello"), .zip64 = true), NULL, "x=hello", "sizes of 64 bits");
    reads(ONE(E("x", "hello")), END(.zip64 = true), "x=hello", "a zip64 record");
    reads(ONE(E("x", "hello")), END(.comment = "made by PK\5\6 me, and this is a comment"),
          "x=hello", "a comment with a mark in it");
    reads(ONE(E("x", "hello"), .made_by = 3, .mode = 0100644), NULL, "x=hello", "made by Unix");
    reads(ONE(E("\x81\x84.cu", "1")), NULL, "\xc3\xbc\xc3\xa4.cu=1", "a name in CP437");
    reads(ONE(E("\xdb\x9f", "1")), NULL, "\xdb\x9f=1", "a name in UTF-8 that does not say so");
    reads(ONE(E("\xdb", "1")), NULL, "\xe2\x96\x88=1", "a sign in CP437");
    reads(ONE(E("\xc3\xbc.cu", "1"), .flags = 1 << 11), NULL, "\xc3\xbc.cu=1", "a name in UTF-8");
    reads(ONE(E("a\\b.cu", "1")), NULL, "a/b.cu=1", "\\ between folders");
    reads(ONE(E("a\\b.cu", "1"), .made_by = 3), NULL, "a\\b.cu=1", "\\ in a name of Unix");
    reads(ONE(E("-rf \n.cu", "1")), NULL, "-rf \n.cu=1", "a name with a newline");
    reads(ONE(E("..a/b..", "1")), NULL, "..a/b..=1", "dots in names");
}

static void test_refused(void)
{
    static const struct {
        const char *name, *why;
    } names[] = {{"/etc/passwd", "has an absolute path"}, {"C:/x", "has an absolute path"},
                 {"c:\\x", "has an absolute path"},       {"../x", "has a path with `..`"},
                 {"a/../../x", "has a path with `..`"},   {"a/..", "has a path with `..`"},
                 {"..\\x", "has a path with `..`"}};
    char wanted[100], shown[40];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(shown, sizeof shown, "%s", names[i].name);
        for (char *at = shown; *at; at++)
            *at = *at == '\\' ? '/' : *at;
        snprintf(wanted, sizeof wanted, "%s!%s|y=1", shown, names[i].why);
        reads(TWO({E(names[i].name, "1")}, {E("y", "1")}), NULL, wanted, names[i].name);
    }
    reads(ONE(E("a\0b", "1"), .name_bytes = 3), NULL, "a!has a name with a NUL byte", "a NUL byte");
    reads(ONE(E("", "1")), NULL, "!has no name", "no name");
    reads(ONE(E("x", "/etc/passwd"), .made_by = 3, .mode = 0120777), NULL, "x!is a link", "a link");
    reads(ONE(E("x", "y"), .made_by = 19, .mode = 0120777), NULL, "x!is a link", "a link of macOS");
    reads(ONE(E("x", ""), .made_by = 3, .mode = 0060644), NULL,
          "x!is a device or another special file", "a device");
    reads(ONE(E("x", ""), .made_by = 3, .mode = 0010644), NULL,
          "x!is a device or another special file", "a FIFO");
    reads(ONE(E("x", "hello"), .flags = 1), NULL, "x!is encrypted", "an encrypted entry");
    reads(ONE(E("x", "hello"), .method = 12), NULL,
          "x!is packed by a method that cudalab does not know", "another method");
    reads(TWO({E("x", "1")}, {E("y", "2")}, {E("X", "3")}), NULL,
          "x!has the name of another file|y=2|X!has the name of another file", "a name twice");
    reads(ONE(E("x", "hello"), .crc = 1), NULL, "x!its checksum is wrong: the archive is damaged",
          "a wrong checksum");
    reads(ONE(E("x", "hello"), HELLO, .size = 6), NULL, "x!its deflate data has only 5 of 6 bytes",
          "too few bytes");
    reads(ONE(E("x", "hello"), HELLO, .size = 4), NULL, "x!its deflate data has more than 4 bytes",
          "too many bytes");
    reads(ONE(E("x", "hello"), .size = 4), NULL, "x!has two different sizes", "two sizes");
    reads(ONE(E("a/", "hello")), NULL, "a/!is a folder with bytes of its own",
          "a folder with bytes");
}

static void test_wrong(void)
{
    reads(ONE(E("x", "hello"), .local_name = "y"), NULL,
          WRONG "an entry and the directory say different things about it", "two names");
    reads(ONE(E("x", "hello"), .packed = 100, .size = 100), NULL,
          WRONG "the bytes of an entry lead out of it", "bytes of the directory");
    reads(ONE(E("x", "hello"), .repeated = 1), NULL, WRONG "two of its entries share bytes",
          "an entry twice");
    reads(ONE(E("x", "hello")), END(.shift = 1), WRONG "its directory is not where it should be",
          "a directory elsewhere");
    reads(ONE(E("x", "hello")), END(.shift = -1), WRONG "its directory is not where it should be",
          "a directory before itself");
    reads(ONE(E("x", "hello")), END(.more = 1), WRONG "its directory ends too early",
          "more entries than there are");
    reads(ONE(E("x", "hello")), END(.more = 200),
          "archive!it has 201 entries, and 100 are "
          "allowed",
          "too many entries");
    reads(ONE(E("x", "hello")), END(.zip64 = true, .more = UINT32_MAX),
          "archive!it has 4294967296 entries, and 100 are allowed", "2^32 entries");
    reads(ONE(E("x", "hello")), END(.disk = 1),
          "archive!this is one part of a zip archive of several parts", "one of several parts");
    reads(ONE(E("x", "1"), EMPTY, .size = 1 << 21), NULL,
          "archive!it has more than 1 MiB when it is unpacked",
          "too many bytes in all");
    reads(TWO({E("x", "1"), EMPTY, .size = 600 << 10}, {E("y", "1"), EMPTY, .size = 600 << 10}),
          NULL, "archive!it has more than 1 MiB when it is unpacked",
          "two entries in all");
    reads(ONE(E("x", "1"), EMPTY, .zip64 = true, .size = UINT64_MAX), NULL,
          "archive!it has more than 1 MiB when it is unpacked", "2^64 bytes");

    const struct zip_bounds wide = {100, UINT64_C(1) << 40};
    struct buf told = {0}, archive = zip_made_of(ONE(E("x", "1"), EMPTY, .size = 2 << 20), NULL);
    tell((struct span){archive.data, archive.len}, &wide, &told);
    ok(strcmp(buf_text(&told), "x!has too many bytes for what it is packed in") == 0,
       "a million bytes for each one");
    buf_clear(&told);
    tell((struct span){"", 0}, &bounds, &told);
    ok(strcmp(buf_text(&told), "archive!the zip archive is empty: it has no bytes") == 0,
       "nothing");
    buf_clear(&told);
    tell((struct span){"#include <stdio.h> and some more text", 37}, &bounds, &told);
    ok(strcmp(buf_text(&told), "archive!this is not a zip archive") == 0, "a text");
    buf_free(&told);
    buf_free(&archive);
}

/* ---- cut off and changed -------------------------------------------------------------- */

static uint32_t drawn(uint32_t seed, uint32_t at)
{
    uint32_t draw[4];
    philox((const uint32_t[2]){seed, 0}, (const uint32_t[4]){at, 0, 0, 0}, draw);
    return draw[0];
}

static void test_damage(bool zip64)
{
    enum { CHANGES = 20000 };
    const struct zipped entries[] = {
        {E("a/x.cu", "hello"), HELLO, .zip64 = zip64}, {E("b", "hello"), .follows = true}, {0}};
    struct buf archive = zip_made_of(entries, END(.zip64 = zip64)), told = {0};
    bool good = true;
    for (size_t cut = 0; cut < archive.len; cut++) {
        buf_clear(&told);
        tell((struct span){archive.data, cut}, &bounds, &told);
        good &= strncmp(buf_text(&told), "archive!", 8) == 0 && told.len > 12;
    }
    ok(good, zip64 ? "zip64, cut off anywhere" : "cut off anywhere");
    char *changed = malloc(archive.len);
    for (uint32_t i = 0; changed && i < CHANGES; i++) {
        memcpy(changed, archive.data, archive.len);
        for (uint32_t k = 0; k <= i % 3; k++)
            changed[drawn(1, 3 * i + k) % archive.len] ^= (char)(1 << drawn(2, 3 * i + k) % 8);
        buf_clear(&told);
        tell((struct span){changed, archive.len}, &bounds, &told);
        /* Bytes that pass the checksum are the right ones, unless the size was changed too. */
        const char *bytes = strstr(buf_text(&told), "x.cu=");
        good &= !bytes || strncmp(bytes, "x.cu=hello", 10) == 0;
    }
    ok(good && changed, zip64 ? "zip64, changed anywhere" : "changed anywhere");
    free(changed);
    buf_free(&told);
    buf_free(&archive);
}

int main(void)
{
    test_right();
    test_refused();
    test_wrong();
    test_damage(false);
    test_damage(true);
    printf("1..%d\n", tests_run);
    return 0;
}
