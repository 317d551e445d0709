/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of programs (cc/host-lines.h). This program finds the lines of its own calls, as the
 * compiler and linker of this build wrote them. Then it reads line tables that it makes by hand,
 * with all that DWARF 2 to 5 allows, and broken ones.
 *
 * host-lines FILE: writes path:line for each hexadecimal address of stdin, as addr2line does.
 * host-lines --broken COUNT FILE: changes bytes of the file's line tables, and reads them.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/philox.h"
#include "cc/elf.h"
#include "cc/host-lines.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

static void give_up(const char *why)
{
    fprintf(stderr, "host-lines: %s\n", why);
    exit(99);
}

static struct buf read_file(const char *path)
{
    static char part[1 << 16];
    struct buf all = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        give_up("no such file");
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        buf_add(&all, part, n);
    fclose(f);
    if (all.failed)
        give_up("no memory");
    return all;
}

static struct span span_of(const struct buf *b)
{
    return (struct span){buf_text(b), b->len};
}

/* Where an address comes from: "path:line", or "?". */
static void put_line(const struct host_lines *l, uint64_t address, struct buf *out)
{
    struct host_line found;
    buf_clear(out);
    if (!host_lines_find(l, address, &found)) {
        buf_puts(out, "?");
        return;
    }
    host_line_path(&found, out);
    buf_printf(out, ":%u", found.line);
}

/* ---- this program ----------------------------------------------------------------------- */

enum { CALLS = 20, LOOPED = 3 };

struct calls {
    unsigned count;
    unsigned line[CALLS];
    uint64_t address[CALLS]; /* in memory */
};

#define OWN __attribute__((noinline)) /* a function that stays one */

/* Notes from where it was called, and the line that the caller says. */
static OWN unsigned note(struct calls *c, unsigned line)
{
    if (c->count < CALLS) {
        c->line[c->count] = line;
        c->address[c->count++] = (uint64_t)(uintptr_t)__builtin_return_address(0) - 1;
    }
    return c->count;
}

static inline __attribute__((always_inline)) unsigned inlined(struct calls *c)
{
    unsigned n = note(c, __LINE__);
    return n + 1;
}

static inline __attribute__((always_inline)) unsigned inlined_twice(struct calls *c)
{
    unsigned n = inlined(c);
    n += note(c, __LINE__);
    return n;
}

static OWN unsigned straight(struct calls *c)
{
    unsigned n = note(c, __LINE__);
    n += note(c, __LINE__); n += note(c, __LINE__);
    return n + inlined(c);
}

static OWN unsigned looping(struct calls *c)
{
    unsigned n = 0;
    for (int i = 0; i < LOOPED; i++)
        n += note(c, __LINE__);
    n += inlined_twice(c);
    return n + 1;
}

static OWN unsigned elsewhere(struct calls *c);

/* How much higher a program lies in memory than the linker said; the first one is this. */
static int keep_shift(struct dl_phdr_info *info, size_t size, void *shift)
{
    (void)size;
    *(uint64_t *)shift = info->dlpi_addr;
    return 1;
}

static void test_own(void)
{
    struct calls c = {0};
    struct host_lines l;
    struct err e;
    uint64_t shift = 0;
    struct buf file = read_file("/proc/self/exe"), text = {0}, wanted = {0};
    unsigned sum = straight(&c) + looping(&c), before = c.count;
    sum += elsewhere(&c);
    dl_iterate_phdr(keep_shift, &shift);
    ok(c.count > before && sum > c.count, "functions note who calls them");
    if (host_lines_read(span_of(&file), &l, &e) != 0) {
        printf("ok %d - lines of this program # SKIP %s\n", ++tests_run, e.text);
    } else {
        for (unsigned i = 0; i < c.count; i++) {
            const char *name = i < before ? "host-lines.c" : "elsewhere.cu";
            put_line(&l, c.address[i] - shift, &text);
            buf_clear(&wanted);
            buf_printf(&wanted, "%s:%u", name, c.line[i]);
            ok(strcmp(base_name(buf_text(&text)), buf_text(&wanted)) == 0, buf_text(&wanted));
        }
        put_line(&l, 1, &text);
        ok(strcmp(buf_text(&text), "?") == 0, "no code is at address 1");
    }
    host_lines_free(&l);
    buf_free(&file);
    buf_free(&text);
    buf_free(&wanted);
}

/* ---- tables made by hand ---------------------------------------------------------------- */

static void put(struct buf *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_putc(b, (char)(value >> 8 * i));
}

static void put_text(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text) + 1);
}

static void put_all(struct buf *b, const struct buf *bytes)
{
    buf_add(b, buf_text(bytes), bytes->len);
}

/* Groups of 7 bits of a number that may be negative. */
static void put_groups(struct buf *b, int64_t v)
{
    bool more = true;
    while (more) {
        unsigned low = (unsigned)v & 0x7f;
        v = v < 0 ? ~(~v >> 7) : v >> 7;
        more = !(v == 0 && !(low & 0x40)) && !(v == -1 && (low & 0x40));
        buf_putc(b, (char)(low | (more ? 0x80 : 0)));
    }
}

/* How a unit is written. */
struct style {
    unsigned version, offset_size, step, first_special, line_range;
};

enum { LINE_BASE = -5, LINE_RANGE = 14, LOW = 0x1000, EARLY = 0x800 };
enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE, BLOCK, CONST_ADD_PC,
       FIXED_ADVANCE_PC, LAST_OF_DWARF_2 = FIXED_ADVANCE_PC, UNKNOWN = 13 };

/* ---- an instruction each ---- */

static void set_address(struct buf *b, uint64_t address)
{
    put(b, 0, 1), put(b, 9, 1), put(b, 2, 1), put(b, address, 8);
}

static void end_sequence(struct buf *b)
{
    put(b, 0, 1), put(b, 1, 1), put(b, 1, 1);
}

static void with_number(struct buf *b, unsigned code, int64_t operand)
{
    put(b, code, 1);
    put_groups(b, operand);
}

static void special(struct buf *b, const struct style *s, unsigned steps, int lines)
{
    put(b, s->first_special + steps * s->line_range + (unsigned)(lines - LINE_BASE), 1);
}

/* ---- a program with all instructions, and what must come of it ---- */

struct wanted {
    uint64_t address;
    int file; /* 0: not known */
    unsigned line;
};

/* Lines of the files 1 to 4; 5 where the program defines one. */
static unsigned put_program(struct buf *b, const struct style *s, struct wanted *w)
{
    struct wanted *first = w;
    uint64_t at = LOW;
    bool defines = s->version < 5;
    set_address(b, at);
    with_number(b, ADVANCE_LINE, 9);
    put(b, COPY, 1);
    *w++ = (struct wanted){at, 1, 10};
    special(b, s, 3, 2);
    *w++ = (struct wanted){at + 3 * s->step - 1, 1, 10};
    *w++ = (struct wanted){at += 3 * s->step, 1, 12};
    with_number(b, SET_FILE, 2);
    with_number(b, ADVANCE_PC, 200);
    with_number(b, ADVANCE_LINE, -4);
    put(b, COPY, 1);
    *w++ = (struct wanted){at += 200 * s->step, 2, 8};
    put(b, CONST_ADD_PC, 1);
    special(b, s, 0, 1);
    *w++ = (struct wanted){at += (255 - s->first_special) / s->line_range * s->step, 2, 9};
    with_number(b, SET_FILE, 3);
    put(b, FIXED_ADVANCE_PC, 1), put(b, 0x1234, 2);
    with_number(b, SET_COLUMN, 300);
    put(b, NEGATE, 1), put(b, BLOCK, 1);
    put(b, COPY, 1);
    *w++ = (struct wanted){at += 0x1234, 3, 9};
    with_number(b, SET_FILE, 4);
    put(b, 0, 1), put(b, 4, 1), put(b, 0x85, 1), put(b, 0x010203, 3); /* of a vendor */
    put(b, 0, 1), put(b, 2, 1), put(b, 4, 1), put(b, 1, 1);          /* a discriminator */
    put(b, 0, 1), put(b, 0, 1);                                      /* an empty one */
    if (s->first_special > UNKNOWN)
        put(b, UNKNOWN, 1), put_groups(b, 1000), put_groups(b, 1);
    special(b, s, 2, -1);
    special(b, s, 0, 3); /* of two rows with one address the last one counts */
    *w++ = (struct wanted){at += 2 * s->step, 4, 11};
    if (defines) {
        put(b, 0, 1), put(b, 3 + 9, 1), put(b, 3, 1);
        put_text(b, "made.h"), put(b, 1, 1), put(b, 0, 1), put(b, 0, 1);
        put(b, 0, 1);
        with_number(b, SET_FILE, 5);
        special(b, s, 1, 0);
        *w++ = (struct wanted){at += s->step, 5, 11};
    }
    with_number(b, SET_FILE, 6); /* no such file */
    special(b, s, 1, 0);
    *w++ = (struct wanted){at += s->step, 0, 0};
    with_number(b, SET_FILE, 1);
    with_number(b, ADVANCE_LINE, -11);
    special(b, s, 1, 0); /* line 0 */
    *w++ = (struct wanted){at += s->step, 0, 0};
    with_number(b, ADVANCE_LINE, 100000);
    special(b, s, 1, 0);
    *w++ = (struct wanted){at += s->step, 1, 100000};
    with_number(b, ADVANCE_PC, 5);
    end_sequence(b);
    *w++ = (struct wanted){at += 5 * s->step - 1, 1, 100000};
    *w++ = (struct wanted){at + 1, 0, 0};

    set_address(b, 0); /* a function that the linker left out */
    put(b, COPY, 1);
    with_number(b, ADVANCE_PC, 0x100);
    end_sequence(b);
    *w++ = (struct wanted){0, 0, 0};
    *w++ = (struct wanted){4, 0, 0};

    set_address(b, EARLY); /* below the first; it has lines and files of its own */
    put(b, COPY, 1);
    with_number(b, ADVANCE_PC, 4);
    end_sequence(b);
    *w++ = (struct wanted){EARLY - 1, 0, 0};
    *w++ = (struct wanted){EARLY, 1, 1};
    *w++ = (struct wanted){EARLY + 4 * s->step - 1, 1, 1};
    *w++ = (struct wanted){EARLY + 4 * s->step, 0, 0};
    return (unsigned)(w - first);
}

static const char *const old_paths[] = {"?", "a.cu", "inc/b.h", "/abs/c.h", "/d/e.h", "inc/made.h"};
static const char *const new_paths[] = {"?", "/home/s/a.cu", "/home/s/inc/b.h", "/abs/c.h",
                                        "/d/e.h"};

static void put_old_tables(struct buf *b)
{
    static const struct { const char *name; int folder; } files[] = {
        {"a.cu", 0}, {"b.h", 1}, {"c.h", 2}, {"/d/e.h", 1}};
    put_text(b, "inc"), put_text(b, "/abs"), put_text(b, "");
    for (int i = 0; i < 4; i++) {
        put_text(b, files[i].name);
        put_groups(b, files[i].folder), put_groups(b, 12345), put_groups(b, 678);
    }
    put_text(b, "");
}

/* The folders' names are in .debug_line_str, one of the files' in .debug_str. */
static void put_new_tables(struct buf *b, const struct style *s, struct buf *line_texts,
                           struct buf *texts)
{
    static const char *const folders[] = {"/home/s", "inc", "/abs"};
    static const struct { const char *name; unsigned folder; } files[] = {
        {"a.cu", 0}, {"a.cu", 0}, {"b.h", 1}, {"c.h", 2}, {"/d/e.h", 1}};
    enum { PATH = 1, FOLDER, TIME, SIZE, MD5, VENDOR = 0x2001 };
    enum { BLOCK_FORM = 9, STRP = 0x0e, UDATA = 0x0f, DATA16 = 0x1e, LINE_STRP = 0x1f };
    put(b, 1, 1), put(b, PATH, 1), put(b, LINE_STRP, 1), put(b, 3, 1);
    for (int i = 0; i < 3; i++) {
        put(b, line_texts->len, s->offset_size);
        put_text(line_texts, folders[i]);
    }
    put(b, 5, 1);
    put(b, MD5, 1), put(b, DATA16, 1), put(b, PATH, 1), put(b, STRP, 1);
    put(b, FOLDER, 1), put(b, UDATA, 1), put(b, SIZE, 1), put(b, UDATA, 1);
    put_groups(b, VENDOR), put(b, BLOCK_FORM, 1);
    put(b, 5, 1);
    for (int i = 0; i < 5; i++) {
        put(b, 0, 8), put(b, 0, 8);
        put(b, texts->len, s->offset_size);
        put_text(texts, files[i].name);
        put_groups(b, files[i].folder), put_groups(b, 70000);
        put(b, 3, 1), put(b, 0x616161, 3);
    }
}

static void put_unit(struct buf *b, const struct style *s, const struct buf *tables,
                     const struct buf *program)
{
    static const unsigned char operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2};
    struct buf header = {0}, all = {0};
    put(&header, s->step, 1);
    if (s->version >= 4)
        put(&header, 1, 1);
    put(&header, 1, 1), put(&header, (uint64_t)LINE_BASE, 1), put(&header, s->line_range, 1);
    put(&header, s->first_special, 1);
    for (unsigned i = 0; i + 1 < s->first_special; i++)
        put(&header, operands[i], 1);
    put_all(&header, tables);
    put(&all, s->version, 2);
    if (s->version >= 5)
        put(&all, 8, 1), put(&all, 0, 1);
    put(&all, header.len, s->offset_size);
    put_all(&all, &header);
    put_all(&all, program);
    if (s->offset_size == 8)
        put(b, 0xffffffff, 4);
    put(b, all.len, s->offset_size);
    put_all(b, &all);
    buf_free(&header);
    buf_free(&all);
}

/* ---- files of sections ---- */

enum { NAMES = 1, LINE_TEXTS, TEXTS, LINES, SECTIONS };

struct made {
    struct buf part[SECTIONS];
    const char *lines_name; /* NULL: .debug_line */
    unsigned type, lines_flags;
};

static void made_free(struct made *m)
{
    for (int i = 0; i < SECTIONS; i++)
        buf_free(&m->part[i]);
}

/* A file with these sections. The lines come last, so that a sanitizer sees a byte too far. */
static struct buf elf_of(const struct made *m)
{
    enum { HEADER = 64 };
    const char *names[] = {"", ".shstrtab", ".debug_line_str", ".debug_str", ".debug_line"};
    struct buf b = {0}, all_names = {0};
    size_t name_at[SECTIONS], at = HEADER + SECTIONS * HEADER;
    names[LINES] = m->lines_name ? m->lines_name : names[LINES];
    for (int i = 0; i < SECTIONS; i++) {
        name_at[i] = all_names.len;
        put_text(&all_names, names[i]);
    }
    buf_add(&b, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
    put(&b, m->type ? m->type : ELF_PROGRAM, 2), put(&b, ELF_X86_64, 2), put(&b, 1, 4);
    put(&b, 0, 8), put(&b, 0, 8);
    put(&b, HEADER, 8); /* the sections */
    put(&b, 0, 4), put(&b, HEADER, 2), put(&b, 0, 4);
    put(&b, HEADER, 2), put(&b, SECTIONS, 2), put(&b, NAMES, 2);
    for (int i = 0; i < SECTIONS; i++) {
        const struct buf *part = i == NAMES ? &all_names : &m->part[i];
        put(&b, name_at[i], 4), put(&b, 1, 4);
        put(&b, i == LINES ? m->lines_flags : 0, 8), put(&b, 0, 8);
        put(&b, at, 8), put(&b, part->len, 8);
        put(&b, 0, 8), put(&b, 0, 8), put(&b, 0, 8);
        at += part->len;
    }
    put_all(&b, &all_names);
    for (int i = NAMES + 1; i < SECTIONS; i++)
        put_all(&b, &m->part[i]);
    buf_free(&all_names);
    return b;
}

/* The same bytes in memory of just their size. */
static char *exact_copy(const struct buf *b)
{
    char *copy = malloc(b->len + !b->len);
    if (!copy || b->failed)
        give_up("no memory");
    memcpy(copy, buf_text(b), b->len);
    return copy;
}

/* Reads the lines of a file. -1: there are none, and e says why. */
static int read_made(const struct made *m, struct buf *file, struct host_lines *l, struct err *e)
{
    *file = elf_of(m);
    return host_lines_read(span_of(file), l, e);
}

static void make_unit(struct made *m, const struct style *s, struct wanted *w, unsigned *count)
{
    struct buf tables = {0}, program = {0};
    if (s->version >= 5)
        put_new_tables(&tables, s, &m->part[LINE_TEXTS], &m->part[TEXTS]);
    else
        put_old_tables(&tables);
    *count = put_program(&program, s, w);
    put_unit(&m->part[LINES], s, &tables, &program);
    buf_free(&tables);
    buf_free(&program);
}

static void test_style(const struct style *s)
{
    struct made m = {.type = 0};
    struct wanted wanted[40];
    struct host_lines l;
    struct err e;
    struct buf file, text = {0}, want = {0};
    unsigned count = 0;
    make_unit(&m, s, wanted, &count);
    bool good = read_made(&m, &file, &l, &e) == 0;
    for (unsigned i = 0; good && i < count; i++) {
        const char *path = (s->version >= 5 ? new_paths : old_paths)[wanted[i].file];
        put_line(&l, wanted[i].address, &text);
        buf_clear(&want);
        if (wanted[i].file)
            buf_printf(&want, "%s:%u", path, wanted[i].line);
        else
            buf_puts(&want, path);
        good = strcmp(buf_text(&text), buf_text(&want)) == 0;
        if (!good)
            printf("# %#" PRIx64 ": %s, wanted %s\n", wanted[i].address, buf_text(&text),
                   buf_text(&want));
    }
    buf_clear(&want);
    buf_printf(&want, "DWARF %u, offsets of %u bytes, instructions of %u, %u of them standard",
               s->version, s->offset_size, s->step, s->first_special - 1);
    ok(good, buf_text(&want));
    host_lines_free(&l);
    buf_free(&file);
    buf_free(&text);
    buf_free(&want);
    made_free(&m);
}

static const struct style plain = {5, 4, 1, 13, LINE_RANGE};

static void test_styles(void)
{
    static const unsigned first[] = {10, 13, 14};
    for (unsigned version = 2; version <= 5; version++)
        for (unsigned size = 4; size <= 8; size += 4)
            for (unsigned step = 1; step <= 4; step += 3)
                for (int i = 0; i < 3; i++)
                    test_style(&(struct style){version, size, step, first[i], LINE_RANGE});
}

/* ---- what can't be read ---- */

static void refused(const struct made *m, const char *words)
{
    struct host_lines l;
    struct err e = {0};
    struct buf file;
    ok(read_made(m, &file, &l, &e) != 0 && strstr(e.text, words), words);
    host_lines_free(&l);
    buf_free(&file);
}

static bool finds(const struct made *m, uint64_t address, const char *wanted)
{
    struct host_lines l;
    struct err e;
    struct buf file, text = {0};
    bool good = read_made(m, &file, &l, &e) == 0;
    put_line(&l, address, &text);
    good = good && strcmp(buf_text(&text), wanted) == 0;
    host_lines_free(&l);
    buf_free(&file);
    buf_free(&text);
    return good;
}

static void test_refused(void)
{
    struct made m = {.lines_name = ".other"};
    struct wanted wanted[40];
    struct host_lines l;
    struct err e;
    unsigned count;
    refused(&m, "Compile it with -g");
    m.lines_name = ".zdebug_line";
    refused(&m, "Compile it without -gz");
    m.lines_name = NULL;
    refused(&m, "can't be read");
    buf_puts(&m.part[LINES], "no table of lines at all, but a text");
    refused(&m, "can't be read");
    buf_clear(&m.part[LINES]);
    make_unit(&m, &(struct style){6, 4, 1, 13, LINE_RANGE}, wanted, &count);
    make_unit(&m, &(struct style){1, 4, 1, 13, LINE_RANGE}, wanted, &count);
    refused(&m, "newer than DWARF 5");
    make_unit(&m, &plain, wanted, &count);
    ok(finds(&m, LOW, "/home/s/a.cu:10"), "what follows units of unknown versions is read");
    m.lines_flags = ELF_COMPRESSED;
    refused(&m, "Compile it without -gz");
    m.lines_flags = 0;
    m.type = ELF_OBJECT;
    refused(&m, "it is an object");
    made_free(&m);
    ok(host_lines_read((struct span){"int main;", 9}, &l, &e) != 0 &&
           strstr(e.text, "not a program"), "a text");
    host_lines_free(&l);
    ok(host_lines_read((struct span){"", 0}, &l, &e) != 0, "an empty file");
    host_lines_free(&l);
}

/* Units whose headers are of no use, alone and before a good one. */
static void test_odd_units(void)
{
    const struct style styles[] = {{4, 4, 1, 13, 0}, {4, 4, 1, 0, LINE_RANGE}};
    struct wanted wanted[40];
    unsigned count;
    for (int i = 0; i < 2; i++) {
        struct made m = {.type = 0};
        struct buf tables = {0}, program = {0};
        put_old_tables(&tables);
        set_address(&program, LOW);
        put(&program, 200, 1), put(&program, 255, 1), put(&program, CONST_ADD_PC, 1);
        end_sequence(&program);
        put_unit(&m.part[LINES], &styles[i], &tables, &program);
        refused(&m, "can't be read");
        make_unit(&m, &plain, wanted, &count);
        ok(finds(&m, LOW, "/home/s/a.cu:10"), "the next unit is read");
        buf_free(&tables);
        buf_free(&program);
        made_free(&m);
    }

    struct made m = {.type = 0};
    struct buf tables = {0}, program = {0};
    put(&tables, 0, 1), put_groups(&tables, INT64_MAX); /* entries that consist of nothing */
    put(&tables, 1, 1), put(&tables, 1, 1), put(&tables, 8, 1), put_groups(&tables, INT64_MAX);
    put_text(&tables, "a.cu"), put_text(&tables, "b.cu");
    set_address(&program, LOW);
    put(&program, COPY, 1);
    special(&program, &plain, 8, 1);
    special(&program, &plain, 8, 1);
    put_unit(&m.part[LINES], &plain, &tables, &program);
    ok(finds(&m, LOW + 8, "b.cu:2"), "tables that claim more entries than there are");
    ok(finds(&m, LOW + 16, "?"), "a sequence without an end has no last line");
    m.part[LINES].data[0] = m.part[LINES].data[1] = -1;
    ok(finds(&m, LOW + 8, "b.cu:2"), "a unit that claims more bytes than there are");
    memset(m.part[LINES].data, 0xf8, 4);
    ok(finds(&m, LOW + 8, "b.cu:2"), "a unit that claims a length that is no length");
    buf_free(&tables);
    buf_free(&program);
    made_free(&m);
}

/* ---- broken ones ------------------------------------------------------------------------ */

/* Asks for lines all over the code; what comes must lie in the file. */
static bool survives(const char *bytes, size_t n)
{
    struct host_lines l;
    struct host_line found;
    struct err e;
    bool inside = true;
    if (host_lines_read((struct span){bytes, n}, &l, &e) == 0)
        for (uint64_t i = 0; i < 40; i++) {
            const struct host_code *c = &l.codes[i * l.count / 40];
            uint64_t at = c->low + (c->high - c->low) * (i % 8) / 8;
            bool is_known = host_lines_find(&l, at, &found);
            const struct span parts[] = {found.root, found.folder, found.file};
            for (int k = 0; k < 3; k++)
                inside = inside && (parts[k].n == 0 || (is_known && parts[k].at >= bytes &&
                                                        parts[k].at + parts[k].n <= bytes + n));
        }
    host_lines_free(&l);
    return inside;
}

/* Changes one to four bytes among the last `part` ones of a file, `times` times. */
static bool survives_changes(const struct buf *file, size_t part, uint32_t times)
{
    bool good = part > 0;
    char *bytes = exact_copy(file);
    for (uint32_t i = 0; good && i < times; i++) {
        uint32_t draw[4];
        for (uint32_t k = 0; k <= i % 4; k++) {
            philox((const uint32_t[2]){5, 0}, (const uint32_t[4]){i, k, 0, 0}, draw);
            /* Half of the changes are made in the first header. */
            size_t at = draw[0] % (draw[1] % 2 && part > 400 ? 400 : part);
            bytes[file->len - part + at] = (char)(draw[1] % 4 ? draw[2] : 0xff * (draw[2] % 2));
        }
        good = survives(bytes, file->len);
        memcpy(bytes + file->len - part, file->data + file->len - part, part);
    }
    free(bytes);
    return good;
}

static void test_broken(void)
{
    enum { CHANGES = 3000 };
    struct made m = {.type = 0};
    struct wanted wanted[40];
    unsigned count;
    for (unsigned version = 2; version <= 5; version++)
        make_unit(&m, &(struct style){version, 4, 1, 13, LINE_RANGE}, wanted, &count);
    struct buf file = elf_of(&m);
    size_t part = m.part[LINES].len + m.part[TEXTS].len + m.part[LINE_TEXTS].len;
    ok(survives_changes(&file, part, CHANGES), "changed bytes");
    ok(survives_changes(&file, file.len, CHANGES), "also outside of the line tables");
    bool good = true;
    for (size_t n = m.part[LINES].len; good && n-- > 0;) {
        m.part[LINES].len = n;
        buf_free(&file);
        file = elf_of(&m);
        char *bytes = exact_copy(&file);
        good = survives(bytes, file.len);
        free(bytes);
    }
    ok(good, "cut off anywhere");
    buf_free(&file);
    made_free(&m);
}

/* ---- for tests/host-lines.t ------------------------------------------------------------- */

static int show_lines(const char *path)
{
    struct buf file = read_file(path), text = {0};
    struct host_lines l;
    struct err e;
    uint64_t address;
    int rc = host_lines_read(span_of(&file), &l, &e);
    if (rc != 0)
        printf("%s\n", e.text);
    while (rc == 0 && scanf("%" SCNx64, &address) == 1) {
        put_line(&l, address, &text);
        puts(buf_text(&text));
    }
    host_lines_free(&l);
    buf_free(&file);
    buf_free(&text);
    return rc != 0;
}

/* Only the line tables of a file are changed. They go into a small file of their own. */
static int break_lines(const char *path, uint32_t times)
{
    static const char *const names[] = {[LINE_TEXTS] = ".debug_line_str", ".debug_str",
                                        ".debug_line"};
    struct buf file = read_file(path);
    struct made m = {.type = 0};
    struct elf elf;
    struct elf_section s;
    if (!elf_open(&elf, span_of(&file)))
        give_up("it is no program");
    for (int i = LINE_TEXTS; i < SECTIONS; i++)
        if (elf_named(&elf, names[i], &s))
            buf_add(&m.part[i], s.bytes.at, s.bytes.n);
    struct buf small = elf_of(&m);
    bool good = survives_changes(&small, m.part[LINES].len, times);
    buf_free(&small);
    buf_free(&file);
    made_free(&m);
    puts(good ? "all read" : "a name lies outside of the file");
    return !good;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return show_lines(argv[1]);
    if (argc == 4 && strcmp(argv[1], "--broken") == 0)
        return break_lines(argv[3], (uint32_t)strtoul(argv[2], NULL, 10));
    test_own();
    test_styles();
    test_refused();
    test_odd_units();
    test_broken();
    printf("1..%d\n", tests_run);
    return 0;
}

/* Code of another file, as #line says. It is last, since all below has those numbers. */
#line 7000 "elsewhere.cu"
static OWN unsigned elsewhere(struct calls *c)
{
    unsigned n = note(c, __LINE__);
#line 3 "elsewhere.cu"
    n += note(c, __LINE__);
    return n + 1;
}
