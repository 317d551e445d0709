/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads a program's ELF file: the libraries that it needs, its symbols and its fat
 * binaries. What a student can do about a program that can't run here is said before it starts.
 */
#include "run/built.h"

#include "base/buf.h"
#include "cc/elf.h"
#include "cc/fatbin.h"

#include <stdio.h>
#include <string.h>

/* ---- what it needs --------------------------------------------------------------------- */

struct needs {
    bool is_program, has_path;
    unsigned toolkit; /* of a shared runtime; 0: it needs none */
};

/* A text of a section that has texts; "": there is none. */
static const char *text_in(struct span texts, uint64_t at)
{
    return at < texts.n && memchr(texts.at + at, '\0', texts.n - (size_t)at) ? texts.at + at : "";
}

static struct needs needs_of(const struct elf *elf)
{
    enum { ENTRY = 16, NEEDED = 1, PATH = 15, FLAGS = 0x6ffffffb, IS_PROGRAM = 0x08000000 };
    struct elf_section dynamic, texts;
    struct needs n = {0};
    if (!elf_named(elf, ".dynamic", &dynamic) || !elf_named(elf, ".dynstr", &texts))
        return n;
    for (uint64_t at = 0; at + ENTRY <= dynamic.bytes.n; at += ENTRY) {
        const uint64_t tag = bytes_at(dynamic.bytes, at, 8);
        const uint64_t value = bytes_at(dynamic.bytes, at + 8, 8);
        const char *name = tag == NEEDED ? text_in(texts.bytes, value) : "";
        unsigned version;
        n.is_program = n.is_program || (tag == FLAGS && value & IS_PROGRAM);
        n.has_path = n.has_path || tag == PATH;
        if (sscanf(name, "libcudart.so.%u", &version) == 1)
            n.toolkit = version;
    }
    return n;
}

/* ---- its symbols ----------------------------------------------------------------------- */

/* Which of these functions does the program have itself? As bits. */
static unsigned functions_of(const struct elf *elf, const char *const *wanted)
{
    enum { ENTRY = 24, FUNCTION = 2 };
    struct elf_section symbols, texts;
    unsigned found = 0;
    if (!elf_named(elf, ".symtab", &symbols) || !elf_named(elf, ".strtab", &texts))
        return 0;
    for (uint64_t at = 0; at + ENTRY <= symbols.bytes.n; at += ENTRY) {
        const bool is_defined = bytes_at(symbols.bytes, at + 6, 2) != 0;
        if ((bytes_at(symbols.bytes, at + 4, 1) & 15) != FUNCTION || !is_defined)
            continue;
        const char *name = text_in(texts.bytes, bytes_at(symbols.bytes, at, 4));
        for (unsigned i = 0; wanted[i]; i++)
            if (strcmp(name, wanted[i]) == 0)
                found |= 1u << i;
    }
    return found;
}

/* Of a program that has the runtime in it. Only 12 has the second form of this function, and only
 * 11 has textures by reference. */
static void find_runtime(const struct elf *elf, struct run_built *b)
{
    enum { REGISTER = 1, SECOND = 2, REFERENCE = 4 };
    static const char *const wanted[] = {"__cudaRegisterFatBinary", "cudaGetDeviceProperties_v2",
                                         "cudaBindTexture", NULL};
    const unsigned found = functions_of(elf, wanted);
    if (!(found & REGISTER))
        return;
    b->has_runtime = true;
    b->toolkit = found & SECOND ? 12 : found & REFERENCE ? 11 : 13;
}

/* ---- its kernels ----------------------------------------------------------------------- */

/* The device's part of the runtime is linked to programs with -rdc, whether they need it or not. */
static bool is_runtime(const struct fatbin *f, const struct fat_entry *e)
{
    const char *name = fat_names(f, e);
    for (unsigned i = 0; i < e->kernels; i++, name += strlen(name) + 1)
        if (strstr(name, "cuda_device_runtime"))
            return true;
    return false;
}

static void add_target(struct buf *all, const char *target)
{
    struct span rest = {buf_text(all), all->len};
    for (struct span word = next_blank_word(&rest); word.n; word = next_blank_word(&rest))
        if (same_text(word, target))
            return;
    buf_printf(all, "%s%s", all->len ? " " : "", target);
}

static int find_ptx(const struct fatbin *f, const char *path, unsigned capability, struct err *e)
{
    struct buf targets = {0};
    char target[32];
    bool some = false, has_ptx = false, fits = false;
    for (unsigned i = 0; i < f->count; i++) {
        const struct fat_entry *entry = &f->entries[i];
        if (fat_is_empty(f, entry->container) || is_runtime(f, entry))
            continue;
        some = true;
        has_ptx = has_ptx || entry->kind == FAT_PTX;
        fits = fits || (entry->kind == FAT_PTX && entry->arch <= capability);
        if (entry->kind != FAT_UNKNOWN)
            add_target(&targets, fat_target(entry, target));
    }
    int rc = 0;
    if (some && !has_ptx)
        rc = fail(e, "`%.200s` has only machine code, for %.300s. The simulator needs PTX. Build "
                  "it with `nvcc -gencode arch=compute_75,code=compute_75`", path,
                  buf_text(&targets));
    else if (some && !fits)
        rc = fail(e, "`%.200s` has code for %.300s, which is newer than this device of %u.%u. "
                  "Build it with `nvcc -gencode arch=compute_75,code=compute_75`", path,
                  buf_text(&targets), capability / 10, capability % 10);
    buf_free(&targets);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------- */

#if defined __x86_64__
enum { OUR_MACHINE = ELF_X86_64 };
#elif defined __aarch64__
enum { OUR_MACHINE = ELF_AARCH64 };
#else
enum { OUR_MACHINE = -1 };
#endif

static int check_kind(const struct elf *elf, const struct needs *n, const char *path,
                      struct err *e)
{
    struct elf_section s;
    if (elf->machine == ELF_CUDA)
        return fail(e, "`%.200s` is machine code of a GPU, and no program", path);
    if ((int)elf->machine != OUR_MACHINE)
        return fail(e, "`%.200s` is a program for another kind of computer%s", path,
                    elf->machine == ELF_X86_64    ? ", x86-64"
                    : elf->machine == ELF_AARCH64 ? ", aarch64"
                                                  : "");
    if (elf->type == ELF_OBJECT)
        return fail(e, "`%.200s` is an object and no program yet. Link it: nvcc -o PROGRAM "
                    "%.100s", path, path);
    const bool starts = elf_named(elf, ".interp", &s);
    if (elf->type == ELF_SHARED && !starts && !n->is_program)
        return fail(e, "`%.200s` is a library. Name a program that uses it", path);
    if (elf->type != ELF_PROGRAM && elf->type != ELF_SHARED)
        return fail(e, "`%.200s` is an ELF file, but no program", path);
    if (!starts)
        return fail(e, "`%.200s` uses no shared libraries at all, so nothing can take the place "
                    "of its runtime. Link it without -static", path);
    return 0;
}

int run_examine(struct span program, const char *path, unsigned capability,
                const struct go_on *go_on, struct run_built *b, struct err *e)
{
    struct elf elf;
    struct elf_section s;
    struct fatbin fat;
    struct err none;
    *b = (struct run_built){0};
    if (!elf_open(&elf, program))
        return fail(e, "`%.200s` is not a program of 64 bits, or its file is damaged", path);
    const struct needs n = needs_of(&elf);
    if (check_kind(&elf, &n, path, e) != 0)
        return -1;
    b->toolkit = n.toolkit;
    if (!n.toolkit)
        find_runtime(&elf, b);
    b->needs_preload = b->has_runtime || n.has_path; /* its path comes before LD_LIBRARY_PATH */
    const bool has_code = elf_named(&elf, ".nv_fatbin", &s) ||
                          elf_named(&elf, "__nv_relfatbin", &s);
    if (has_code && !b->toolkit && !elf_named(&elf, ".symtab", &s))
        return fail(e, "`%.200s` has the runtime of CUDA in it, and its symbols were removed. "
                    "Build it without `strip` or -s, or link it with `-cudart shared`", path);
    if (b->has_runtime && elf.machine != ELF_X86_64)
        return fail(e, "`%.200s` has the runtime of CUDA in it, which can be replaced only on "
                    "x86-64. Link it with `-cudart shared`", path);
    if (!has_code)
        return 0;
    int rc = fatbin_read(program, &fat, go_on, &none) == 0 ? find_ptx(&fat, path, capability, e)
                                                           : 0;
    fatbin_free(&fat);
    return rc;
}
