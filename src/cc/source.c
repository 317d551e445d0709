/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads sources. A header is looked for in the folder of the file that includes it and in
 * each folder that the compiler searches. All files of that name count, not only the first. So a
 * header that appears in an earlier folder changes the fingerprint. A header that is in no folder
 * belongs to a compiler, which has a fingerprint of its own. Conditions are not evaluated, since a
 * header too many does no harm.
 */
#include "cc/source.h"

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADERS_MOST = 200, HEADER_NAME = 200, DEEP = 20 };

/* ---- fingerprints: FNV-1a of 128 bits ------------------------------------------------- */

const struct print128 print_start = {UINT64_C(0x6c62272e07bb0142), UINT64_C(0x62b821756295c58d)};

struct print128 print_add(struct print128 p, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    /* times 2^88 + 0x13b, modulo 2^128 */
    for (size_t i = 0; i < n; i++) {
        uint64_t low = p.low ^ at[i];
        uint64_t carry = (low >> 32) * 0x13b + ((low & 0xffffffff) * 0x13b >> 32);
        p.high = p.high * 0x13b + (carry >> 32) + (low << 24);
        p.low = low * 0x13b;
    }
    return p;
}

struct print128 print_text(struct print128 p, const char *text)
{
    return print_add(p, text, strlen(text) + 1);
}

/* ---- reading -------------------------------------------------------------------------- */

/* Some editors begin a file with a mark that says it is UTF-8. */
static void drop_mark(struct buf *text)
{
    if (text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
        text->len -= 3;
        memmove(text->data, text->data + 3, text->len + 1);
    }
}

static int check_text(const char *path, const struct buf *text, struct err *e)
{
    if (text->failed)
        return fail_memory(e);
    if (text->len == 0)
        return fail(e, "`%.300s` is empty; load takes a source (.cu) or PTX", path);
    if (memchr(text->data, 0, text->len))
        return fail(e, "`%.300s` is not text: it has NUL bytes; load takes a source (.cu) or PTX",
                    path);
    return 0;
}

int source_read(int fd, const char *path, size_t most, struct buf *text, struct err *e)
{
    const enum fd_all end = fd_read_all(fd, most, text);
    const int why = errno;
    close(fd);
    if (end == FD_UNREADABLE)
        return fail(e, "cannot read `%.300s`: %s", path, strerror(why));
    if (end == FD_TOO_LARGE)
        return fail(e, "`%.300s` has more than %zu MiB; load takes smaller files", path,
                    most >> 20);
    drop_mark(text);
    return check_text(path, text, e);
}

/* ---- #include lines ------------------------------------------------------------------- */

struct include {
    bool is_macro; /* `#include NAME`: which file that is can't be said here */
    char name[HEADER_NAME];
};

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Tells whether a line begins with #include (or %:include), and gives the name in it. */
static int read_include(const char *at, const char *end, struct include *out)
{
    at = skip_blanks(at, end);
    size_t mark = at < end && *at == '#' ? 1 : end - at > 1 && memcmp(at, "%:", 2) == 0 ? 2 : 0;
    if (!mark)
        return 0;
    at = skip_blanks(at + mark, end);
    if (end - at < 8 || memcmp(at, "include", 7) != 0)
        return 0;
    at += 7;
    at += end - at > 5 && memcmp(at, "_next", 5) == 0 ? 5 : 0;
    at = skip_blanks(at, end);
    char close = at < end && *at == '<' ? '>' : at < end && *at == '"' ? '"' : 0;
    const char *stop = close ? memchr(at + 1, close, (size_t)(end - at - 1)) : NULL;
    out->is_macro = !stop || stop - at > HEADER_NAME - 1;
    if (!out->is_macro)
        snprintf(out->name, sizeof out->name, "%.*s", (int)(stop - at - 1), at + 1);
    return 1;
}

/* Finds the next #include of a text. false: there is no more. */
static bool next_include(struct span *rest, struct include *out)
{
    struct span line;
    while (next_line(rest, &line))
        if (read_include(line.at, line.at + line.n, out))
            return true;
    return false;
}

static bool has_word(const char *text, size_t n, const char *word)
{
    size_t k = strlen(word);
    for (const char *at = text; (at = memchr(at, word[0], (size_t)(text + n - at)));) {
        if ((size_t)(text + n - at) < k)
            return false;
        if (memcmp(at, word, k) == 0)
            return true;
        at++;
    }
    return false;
}

bool source_is_timeless(const char *text, size_t n)
{
    return !has_word(text, n, "__DATE__") && !has_word(text, n, "__TIME") &&
           !has_word(text, n, "__has_include");
}

/* ---- the closure ---------------------------------------------------------------------- */

struct closure {
    struct print128 print;
    const char *options;
    char *seen[HEADERS_MOST];
    unsigned count;
    bool unsure;
};

static void take_file(struct closure *c, const char *path, int deep);

char option_next(const char **options, struct span *text)
{
    struct span rest = {*options, *options ? strlen(*options) : 0}, line;
    if (!rest.n || !next_line(&rest, &line) || !line.n)
        return 0;
    *options = rest.at;
    *text = (struct span){line.at + 1, line.n - 1};
    return line.at[0];
}

bool option_has_debug(const char *options)
{
    struct span text;
    for (char kind; (kind = option_next(&options, &text));)
        if (kind == OPTION_DEBUG)
            return true;
    return false;
}

static void take_in(struct closure *c, struct span folder, const char *name, int deep)
{
    char path[1024];
    if (snprintf(path, sizeof path, "%.*s/%s", (int)folder.n, folder.at, name) < (int)sizeof path)
        take_file(c, path, deep);
}

/* Looks in each folder that is searched. An empty part of a variable means the working folder. */
static void take_searched(struct closure *c, const char *name, int deep)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", NULL};
    const char *options = c->options;
    struct span folder;
    for (char kind; (kind = option_next(&options, &folder));)
        if (kind == 'I')
            take_in(c, folder, name, deep);
    for (const char *const *v = variables; *v; v++)
        for (const char *at = getenv(*v); at && *at;) {
            size_t n = strcspn(at, ":");
            take_in(c, n ? (struct span){at, n} : SPAN("."), name, deep);
            at += n + (at[n] == ':');
        }
    take_in(c, SPAN("/usr/local/include"), name, deep);
}

static void take_text(struct closure *c, const char *path, const char *text, size_t n, int deep)
{
    const char *slash = strrchr(path, '/');
    const struct span folder = slash ? (struct span){path, (size_t)(slash - path)}
                                     : SPAN(".");
    struct span rest = {text, n};
    struct include each;
    c->print = print_add(c->print, text, n);
    c->unsure = c->unsure || !source_is_timeless(text, n) || has_word(text, n, "include_next");
    while (next_include(&rest, &each)) {
        c->unsure = c->unsure || each.is_macro;
        if (each.is_macro)
            continue;
        if (each.name[0] == '/') {
            take_file(c, each.name, deep + 1);
            continue;
        }
        take_in(c, folder, each.name, deep + 1);
        take_searched(c, each.name, deep + 1);
    }
}

static bool is_new(struct closure *c, const char *path)
{
    for (unsigned i = 0; i < c->count; i++)
        if (strcmp(c->seen[i], path) == 0)
            return false;
    if (c->count == HEADERS_MOST || !(c->seen[c->count] = strdup(path))) {
        c->unsure = true;
        return false;
    }
    c->count++;
    return true;
}

static void take_file(struct closure *c, const char *path, int deep)
{
    struct stat info;
    struct buf text = {0};
    struct err ignored;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || !is_new(c, path))
        return; /* not beside it: one of the compiler's own */
    int fd = deep > DEEP ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    c->print = print_text(c->print, path);
    if (fd < 0 || source_read(fd, path, SOURCE_MOST, &text, &ignored) != 0)
        c->unsure = true;
    else
        take_text(c, path, buf_text(&text), text.len, deep);
    buf_free(&text);
}

int source_print(const char *path, const char *text, size_t n, const char *options,
                 struct print128 *print)
{
    struct closure c = {.print = print_text(*print, path), .options = options};
    take_text(&c, path, text, n, 0);
    for (unsigned i = 0; i < c.count; i++)
        free(c.seen[i]);
    *print = c.print;
    return c.unsure;
}
