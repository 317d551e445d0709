/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fat binaries: what nvcc 13 made of tests/data/fat.cu is read right, the rules choose what they
 * must, and files that are cut off or changed at random never lead the reader out of them.
 */
#include "base/philox.h"
#include "cc/fatbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, MUTANTS = 20000 };

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

static size_t read_data(const char *name, char *bytes)
{
    char path[1000];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/data/%s", top ? top : ".", name);
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, MOST, f) : 0;
    if (f)
        fclose(f);
    return n;
}

/* ---- right ones ----------------------------------------------------------------------- */

static bool is_entry(const struct fatbin *f, unsigned i, enum fat_kind kind, const char *target,
                     uint64_t unpacked, enum fat_packing packing)
{
    char got[32];
    const struct fat_entry *e = &f->entries[i];
    return i < f->count && e->kind == kind && strcmp(fat_target(e, got), target) == 0 &&
           e->unpacked == unpacked && e->packing == packing;
}

/* Has an entry this kernel, and no other one? */
static bool has_kernel(const struct fatbin *f, unsigned i, const char *name)
{
    return i < f->count && !f->entries[i].unread && f->entries[i].kernels == 1 &&
           strcmp(fat_names(f, &f->entries[i]), name) == 0;
}

/* Which entry a device takes of the first container, 1 is the first; 0: none. */
static int takes(const struct fatbin *f, unsigned cc)
{
    const struct fat_entry *e = fatbin_choose(f, 1, cc);
    return e ? (int)(e - f->entries) + 1 : 0;
}

static void test_object(char *bytes)
{
    struct fatbin f;
    struct err e;
    size_t n = read_data("fat.o", bytes);
    ok(fatbin_read((struct span){bytes, n}, &f, NULL, &e) == 0, "an object");
    ok(f.of == FAT_OF_OBJECT && f.containers == 1 && f.count == 3 && !f.damage[0], "of 3 entries");
    ok(is_entry(&f, 0, FAT_CUBIN, "sm_75", 3112, FAT_PLAIN), "a cubin");
    ok(is_entry(&f, 1, FAT_CUBIN, "sm_86", 3240, FAT_PLAIN), "another");
    ok(is_entry(&f, 2, FAT_PTX, "compute_80", 668, FAT_ZSTD), "packed PTX");
    ok(has_kernel(&f, 0, "scale"), "the cubin's kernel");
    ok(has_kernel(&f, 2, "scale"), "the packed PTX's kernel");
    ok(takes(&f, 75) == 1 && takes(&f, 86) == 2, "each takes the cubin made for it");
    ok(takes(&f, 89) == 2 && takes(&f, 88) == 2, "a higher minor number too");
    ok(takes(&f, 80) == 3, "8.0 can't run 8.6's, and takes PTX");
    ok(takes(&f, 90) == 3 && takes(&f, 120) == 3, "another major number takes PTX");
    ok(takes(&f, 70) == 0 && takes(&f, 52) == 0, "an older device takes nothing");
    fatbin_free(&f);
}

static void test_special(char *bytes)
{
    struct fatbin f;
    struct err e;
    size_t n = read_data("fat.fatbin", bytes);
    ok(fatbin_read((struct span){bytes, n}, &f, NULL, &e) == 0 && f.of == FAT_BARE, "by itself");
    ok(is_entry(&f, 0, FAT_CUBIN, "sm_90a", 3832, FAT_PLAIN), "for 9.0 alone");
    ok(is_entry(&f, 1, FAT_PTX, "compute_90a", 672, FAT_PLAIN), "PTX for it alone");
    ok(is_entry(&f, 2, FAT_CUBIN, "sm_100f", 5536, FAT_PLAIN), "for a family");
    ok(has_kernel(&f, 1, "scale"), "the kernel of PTX that isn't packed");
    ok(takes(&f, 90) == 1, "9.0 takes what is for it alone");
    ok(takes(&f, 100) == 3 && takes(&f, 103) == 3, "the family takes its own");
    ok(takes(&f, 120) == 0 && takes(&f, 86) == 0, "no others take any");
    fatbin_free(&f);
    n = read_data("packed.fatbin", bytes);
    ok(fatbin_read((struct span){bytes, n}, &f, NULL, &e) == 0 &&
           is_entry(&f, 1, FAT_PTX, "compute_75", 668, FAT_LZ4) && has_kernel(&f, 1, "scale"),
       "packed the other way");
    fatbin_free(&f);
}

static void test_ptx(void)
{
    static const char text[] = "//\n.version 8.7\n.target sm_100a\n.visible .entry k(\n)\n{\n}\n";
    struct fatbin f;
    struct err e;
    ok(fatbin_read((struct span){text, sizeof text - 1}, &f, NULL, &e) == 0 &&
           f.of == FAT_OF_PTX &&
           is_entry(&f, 0, FAT_PTX, "compute_100a", sizeof text - 1, FAT_PLAIN), "PTX");
    fatbin_free(&f);
    ok(fatbin_read((struct span){"int main;", 9}, &f, NULL, &e) != 0 &&
           strstr(e.text, "not a program"),
       "a text that is none");
    fatbin_free(&f);
    ok(fatbin_read((struct span){"", 0}, &f, NULL, &e) != 0, "an empty file");
    fatbin_free(&f);
    ok(fatbin_read((struct span){"!<arch>\nx", 9}, &f, NULL, &e) != 0 && strstr(e.text, "ar x"),
       "an archive");
    fatbin_free(&f);
}

/* ---- broken ones ---------------------------------------------------------------------- */

static bool lies_in(struct span part, struct span file)
{
    return part.n == 0 || (part.at >= file.at && part.at + part.n <= file.at + file.n);
}

/* Everything that can be asked of a file; false: something leads out of it. */
static bool survives(struct span file)
{
    struct fatbin f;
    struct err e;
    bool inside = true;
    char target[32];
    int rc = fatbin_read(file, &f, NULL, &e);
    for (unsigned i = 0; i < f.count; i++) {
        const char *name = fat_names(&f, &f.entries[i]);
        for (unsigned k = 0; k < f.entries[i].kernels; k++)
            name += strlen(name) + 1;
        inside = inside && name <= buf_text(&f.names) + f.names.len &&
                 lies_in(f.entries[i].bytes, file) && fat_target(&f.entries[i], target) &&
                 f.entries[i].container >= 1 && f.entries[i].container <= f.containers;
    }
    for (unsigned cc = 20; rc == 0 && cc < 130; cc += 5)
        fatbin_choose(&f, 1, cc);
    fatbin_free(&f);
    return inside;
}

/* In memory of just its size, so that a sanitizer or valgrind sees a byte too far. */
static bool survives_copy(const char *bytes, size_t n)
{
    char *copy = malloc(n ? n : 1);
    if (!copy)
        return false;
    memcpy(copy, bytes, n);
    bool good = survives((struct span){copy, n});
    free(copy);
    return good;
}

static void test_cut(const char *name, char *bytes)
{
    char what[60];
    size_t all = read_data(name, bytes);
    bool good = all > 0;
    for (size_t n = 0; n < all; n += n < 512 ? 1 : 37)
        good = good && survives_copy(bytes, n);
    snprintf(what, sizeof what, "%s cut off anywhere", name);
    ok(good, what);
}

/* One to four numbers in it changed to others, mostly to such as lengths are. */
static void test_changed(const char *name, char *bytes, uint32_t seed)
{
    static const uint64_t values[] = {0, 1, 7, 63, 64, 0xff, 0xffff, 0x7fffffff, 0xffffffff,
                                      UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
    char what[60], *changed = malloc(MOST);
    const uint32_t key[2] = {seed, 0};
    size_t all = read_data(name, bytes);
    bool good = all > 0 && changed;
    for (uint32_t i = 0; good && i < MUTANTS / 4; i++) {
        uint32_t draw[4];
        memcpy(changed, bytes, all);
        for (uint32_t k = 0; k <= i % 4; k++) {
            philox(key, (const uint32_t[4]){i, k, 0, 0}, draw);
            /* The headers come first, or last: half of the changes are made there. */
            size_t at = draw[0] % (draw[3] & 1 ? all : all < 600 ? all : 600);
            if (draw[3] & 2)
                at = all - 1 - at;
            size_t size = (size_t)1 << (draw[1] % 4);
            uint64_t value = draw[3] & 4 ? draw[2] : values[draw[2] % 12];
            for (size_t b = 0; b < size && at + b < all; b++)
                changed[at + b] = (char)(value >> 8 * b);
        }
        good = survives_copy(changed, all);
    }
    free(changed);
    snprintf(what, sizeof what, "%s changed in any way", name);
    ok(good, what);
}

/* ---- files that would come to more than they have --------------------------------------- */

static void put(struct buf *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_putc(b, (char)(i < sizeof value ? value >> 8 * i : 0));
}

static void put_section(struct buf *b, uint32_t name, uint64_t at, uint64_t size)
{
    put(b, name, 4), put(b, 1, 4);
    put(b, 0, 16);
    put(b, at, 8), put(b, size, 8);
    put(b, 0, 24);
}

/* An ELF file of a machine: its header, the text of names, `bytes`, and all sections but the names'
 * the same: of the same name, with the same bytes. */
static struct buf elf_of(unsigned machine, const char *name, const struct buf *bytes,
                         unsigned sections)
{
    enum { HEADER = 64, X86_64_SECTION = 64 };
    size_t name_bytes = strlen(name) + 2, at = HEADER + name_bytes;
    struct buf b = {0};
    buf_add(&b, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
    put(&b, 1, 2), put(&b, machine, 2), put(&b, 1, 4);
    put(&b, 0, 16);
    put(&b, at + bytes->len, 8); /* the sections */
    put(&b, 0, 4), put(&b, HEADER, 2), put(&b, 0, 4);
    put(&b, X86_64_SECTION, 2), put(&b, sections, 2), put(&b, 0, 2);
    buf_putc(&b, '\0');
    buf_add(&b, name, name_bytes - 1);
    buf_add(&b, bytes->data, bytes->len);
    put_section(&b, 0, HEADER, name_bytes);
    for (unsigned i = 1; i < sections; i++)
        put_section(&b, 1, at, bytes->len);
    return b;
}

/* A container of entries of `size` bytes. */
static struct buf container_of(unsigned entries, unsigned size)
{
    struct buf b = {0};
    put(&b, 0xba55ed50, 4), put(&b, 1, 2), put(&b, 16, 2);
    put(&b, (uint64_t)entries * (64 + size), 8);
    for (unsigned i = 0; i < entries; i++) {
        put(&b, 1, 4), put(&b, 64, 4), put(&b, size, 8);
        put(&b, 0, 12), put(&b, 80, 4);
        put(&b, 0, 32);
        put(&b, 0, size);
    }
    return b;
}

static void test_more_than_there_is(void)
{
    enum { SECTIONS = 20000, ENTRIES = 1000, LONG = 16000 };
    struct buf one = container_of(ENTRIES, 8), none = {.data = NULL};
    struct buf file = elf_of(62, ".nv_fatbin", &one, SECTIONS);
    struct fatbin f;
    struct err e;
    ok(fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 &&
           f.count <= file.len / 64 && strstr(f.damage, "share bytes"),
       "20000 sections of the same bytes");
    fatbin_free(&f);
    buf_free(&file);

    char *name = calloc(LONG + 1, 1);
    memset(name, 'k', LONG);
    memcpy(name, ".text.", 6);
    file = elf_of(190, name, &none, SECTIONS);
    ok(fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 && f.count == 1 &&
           f.entries[0].kernels && f.names.len <= file.len,
       "20000 kernels of one long name");
    fatbin_free(&f);
    buf_free(&file);
    free(name);

    for (int i = 0; i < 100000; i++)
        put(&file, 0xba55ed50, 4), put(&file, 16 << 16, 4), put(&file, 0, 8);
    ok(fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 &&
           f.containers <= 10000 && strstr(f.damage, "no program has"),
       "100000 fat binaries");
    fatbin_free(&f);
    buf_free(&file);
    buf_free(&one);
}

/* What is written is read again. */
static void test_written(void)
{
    static const char ptx[] = ".version 7.5\n.target sm_86\n.address_size 64\n"
                              ".visible .entry written(){ret;}\n";
    static const char *const texts[] = {ptx, ptx + 1, "x", ""};
    struct err e;
    struct fatbin f;
    struct buf file = {0}, code = {0};
    fatbin_of_ptx((struct span){ptx, sizeof ptx - 1}, 86, &file);
    ok(fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 && f.count == 1 &&
           !f.damage[0] && f.entries[0].major == 7 && f.entries[0].minor == 5 &&
           is_entry(&f, 0, FAT_PTX, "compute_86", f.entries[0].size, FAT_PLAIN) &&
           has_kernel(&f, 0, "written"), "a fat binary that is written is read again");
    fatbin_free(&f);
    for (int i = 0; i < 4; i++) {
        struct span text = {texts[i], strlen(texts[i])};
        buf_clear(&file);
        fatbin_of_ptx(text, 90, &file);
        bool same = fatbin_read((struct span){file.data, file.len}, &f, NULL, &e) == 0 &&
                    f.count == 1 && fat_unpack(&f.entries[0], &code, NULL, &e) == 0;
        ok(same && code.len == text.n && memcmp(buf_text(&code), text.at, text.n) == 0,
           "and has the same text");
        fatbin_free(&f);
    }
    buf_free(&file);
    buf_free(&code);
}

int main(void)
{
    static const char *const names[] = {"fat.o", "fat.fatbin", "packed.fatbin"};
    char *bytes = malloc(MOST);
    if (!bytes)
        return 99;
    test_object(bytes);
    test_special(bytes);
    test_ptx();
    test_written();
    test_more_than_there_is();
    for (uint32_t i = 0; i < 3; i++) {
        test_cut(names[i], bytes);
        test_changed(names[i], bytes, i);
    }
    free(bytes);
    printf("1..%d\n", tests_run);
    return 0;
}
