/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads the few fields of an ELF file that matter here, and never beyond the file's end.
 * Several sections may name the same bytes and the same names. So a caller must limit how much it
 * reads in all.
 */
#include "cc/elf.h"

#include <string.h>

enum {
    HEADER = 64, SECTION = 64, SECTIONS_MOST = 1 << 20, NO_BITS = 8, BIG_INDEX = 0xffff,
    NAME_MOST = 1 << 14 /* a longer one is none */
};

uint64_t bytes_at(struct span s, uint64_t at, unsigned size)
{
    uint64_t v = 0;
    if (at > s.n || size > s.n - at)
        return 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | (unsigned char)s.at[at + i];
    return v;
}

struct span bytes_part(struct span s, uint64_t at, uint64_t n)
{
    if (at > s.n || n > s.n - at)
        return (struct span){s.at, 0};
    return (struct span){s.at + at, (size_t)n};
}

bool elf_is(struct span file)
{
    return file.n >= 4 && memcmp(file.at, "\177ELF", 4) == 0;
}

static struct span header_of(const struct elf *e, unsigned number)
{
    return bytes_part(e->file, e->sections_at + (uint64_t)number * e->section_size, SECTION);
}

bool elf_open(struct elf *e, struct span file)
{
    enum { BITS_64 = 2, LITTLE = 1 };
    *e = (struct elf){.file = file};
    if (!elf_is(file) || file.n < HEADER || file.at[4] != BITS_64 || file.at[5] != LITTLE)
        return false;
    e->abi = (unsigned)bytes_at(file, 8, 1);
    e->type = (unsigned)bytes_at(file, 16, 2);
    e->machine = (unsigned)bytes_at(file, 18, 2);
    e->flags = (unsigned)bytes_at(file, 48, 4);
    e->sections_at = bytes_at(file, 40, 8);
    e->section_size = (unsigned)bytes_at(file, 58, 2);
    e->section_count = (unsigned)bytes_at(file, 60, 2);
    unsigned names = (unsigned)bytes_at(file, 62, 2);
    if (e->sections_at > file.n || e->section_size < SECTION)
        e->section_count = 0;
    else if (!e->section_count) /* too many for the header: the first section says it */
        e->section_count = (unsigned)bytes_at(header_of(e, 0), 32, 8);
    if (names == BIG_INDEX)
        names = (unsigned)bytes_at(header_of(e, 0), 40, 4);
    if (e->section_count > SECTIONS_MOST)
        e->section_count = 0;
    struct elf_section s;
    if (elf_section(e, names, &s))
        e->names = s.bytes;
    return true;
}

bool elf_section(const struct elf *e, unsigned number, struct elf_section *s)
{
    struct span header = header_of(e, number);
    if (number >= e->section_count || !header.n)
        return false;
    uint64_t name = bytes_at(header, 0, 4), size = bytes_at(header, 32, 8);
    *s = (struct elf_section){.name = "", .at = bytes_at(header, 24, 8),
                              .flags = bytes_at(header, 8, 8)};
    s->bytes = bytes_part(e->file, s->at, bytes_at(header, 4, 4) == NO_BITS ? 0 : size);
    size_t most = name < e->names.n ? e->names.n - (size_t)name : 0;
    if (most && memchr(e->names.at + name, '\0', most < NAME_MOST ? most : NAME_MOST))
        s->name = e->names.at + name;
    return true;
}

bool elf_named(const struct elf *e, const char *name, struct elf_section *s)
{
    for (unsigned i = 0; elf_section(e, i, s); i++)
        if (strcmp(s->name, name) == 0)
            return true;
    return false;
}

bool elf_needed(const struct elf *e, unsigned number, struct span *name)
{
    enum { ENTRY = 16, NEEDED = 1 };
    struct elf_section dynamic, names;
    if (!elf_named(e, ".dynamic", &dynamic) || !elf_named(e, ".dynstr", &names))
        return false;
    for (uint64_t at = 0; at + ENTRY <= dynamic.bytes.n; at += ENTRY) {
        if (bytes_at(dynamic.bytes, at, 8) != NEEDED || number-- > 0)
            continue;
        const uint64_t from = bytes_at(dynamic.bytes, at + 8, 8);
        const char *end = from < names.bytes.n
                              ? memchr(names.bytes.at + from, '\0', names.bytes.n - (size_t)from) : NULL;
        if (!end)
            return false;
        *name = (struct span){names.bytes.at + from, (size_t)(end - names.bytes.at - from)};
        return true;
    }
    return false;
}
