/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ELF files of 64 bits by their sections, as far as finding GPU code and line numbers in them
 * needs it: programs and objects of the host, and cubins, which are ELF files too. Nothing in a
 * file is trusted: whatever leads out of it isn't there.
 */
#ifndef CC_ELF_H
#define CC_ELF_H

#include "base/lines.h"

#include <stdint.h>

/* Numbers in little-endian order; 0 for what lies beyond the end. */
uint64_t bytes_at(struct span, uint64_t at, unsigned size);
/* The part [at, at + n) of some bytes; empty where it isn't all there. */
struct span bytes_part(struct span, uint64_t at, uint64_t n);

enum { ELF_X86_64 = 62, ELF_AARCH64 = 183, ELF_CUDA = 190 };
enum { ELF_OBJECT = 1, ELF_PROGRAM = 2, ELF_SHARED = 3 };
enum { ELF_COMPRESSED = 0x800 }; /* a flag of a section */

struct elf {
    struct span file;
    unsigned type, machine, abi, flags;
    uint64_t sections_at;
    unsigned section_size, section_count;
    struct span names;
};

struct elf_section {
    const char *name; /* NUL-ended within the file, or "" */
    struct span bytes;
    uint64_t at;      /* in the file */
    uint64_t flags;
};

bool elf_is(struct span file);
/* false: it is no ELF file of 64 bits and this byte order. */
bool elf_open(struct elf *, struct span file);
/* false: there is no section of this number. */
bool elf_section(const struct elf *, unsigned number, struct elf_section *);
/* The first section of a name; false: there is none. */
bool elf_named(const struct elf *, const char *name, struct elf_section *);

/* The name of shared library `number` that a program asks for; false: it asks for fewer. */
bool elf_needed(const struct elf *, unsigned number, struct span *name);

#endif
