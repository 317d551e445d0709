/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the symbols in the program's file. Nothing in the file is trusted.
 */
#define _GNU_SOURCE
#include "run/client/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_inside(const struct symbols *s, uint64_t at, uint64_t n)
{
    return at <= s->size && n <= s->size - at;
}

static bool take_table(struct symbols *s, const Elf64_Shdr *all, unsigned count, unsigned i)
{
    const Elf64_Shdr *table = &all[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= count ||
        !is_inside(s, table->sh_offset, table->sh_size))
        return false;
    const Elf64_Shdr *names = &all[table->sh_link];
    if (!is_inside(s, names->sh_offset, names->sh_size) || !names->sh_size ||
        s->file[names->sh_offset + names->sh_size - 1])
        return false;
    s->all = (const void *)(s->file + table->sh_offset);
    s->count = table->sh_size / sizeof *s->all;
    s->names = s->file + names->sh_offset;
    s->names_size = names->sh_size;
    return true;
}

bool run_open_symbols(struct symbols *s)
{
    struct stat info;
    *s = (struct symbols){.base = run_program_base()};
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 || info.st_size < (off_t)sizeof(Elf64_Ehdr)) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    s->size = (size_t)info.st_size;
    s->file = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (s->file == MAP_FAILED)
        return false;
    const Elf64_Ehdr *h = (const void *)s->file;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 && h->e_ident[EI_CLASS] == ELFCLASS64 &&
        is_inside(s, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        for (unsigned i = 0; i < h->e_shnum; i++)
            if (take_table(s, (const void *)(s->file + h->e_shoff), h->e_shnum, i))
                return true;
    munmap((void *)(uintptr_t)s->file, s->size);
    return false;
}
