/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads fat binaries in programs, objects and files of their own. Files come from
 * students and may be broken. An entry that leads out of its container ends the reading, and what
 * was read until then is kept. Each byte of a file belongs to one entry at most, so the entries are
 * never larger than the file. Packed ones can be much larger when they are unpacked; so there is a
 * limit for each of them, and one for what is unpacked of a file while it is read.
 */
#include "cc/fatbin.h"

#include "base/mem.h"
#include "cc/elf.h"
#include "cc/unpack.h"

#include <stdio.h>
#include <string.h>

enum {
    MAGIC_AT = 0, MAGIC_SIZE = 4, CONTAINER_HEADER = 16, ENTRY_HEADER = 64, ALIGNED = 8,
    KIND_PTX = 1, KIND_CUBIN = 2, KIND_LTO = 8,
    CONTAINERS_MOST = 10000, ENTRIES_MOST = 100000,
    IS_DEBUG = 0x2, IS_LZ4 = 0x2000, IS_ZSTD = 0x8000, IS_SCRAMBLED = 0x10000,
    IS_ARCH_ONLY = 0x100000, IS_FAMILY = 0x200000
};
static const uint64_t magic = 0xba55ed50;

const char *const fat_kind_names[] = {"PTX", "cubin", "LTO code", "of an unknown kind"};
const char *const fat_packing_names[] = {"plain", "lz4", "zstd", "packed"};

/* ---- entries -------------------------------------------------------------------------- */

static int unpack_entry(const struct fat_entry *entry, struct buf *code, const struct go_on *g,
                        struct err *e)
{
    enum { MIB = 1 << 20, CODE_MOST = 512 };
    if (entry->scrambled)
        return fail(e, "NVIDIA has scrambled it");
    if (entry->packing == FAT_PACKED)
        return fail(e, "its format is not known");
    if (entry->unpacked > (uint64_t)CODE_MOST * MIB)
        return fail(e, "it has more than %d MiB", CODE_MOST);
    const size_t size = (size_t)entry->unpacked;
    unsigned char *bytes = (unsigned char *)buf_extend(code, size);
    if (!bytes)
        return fail_memory(e);
    return entry->packing == FAT_LZ4 ? unpack_lz4(entry->bytes, bytes, size, e)
                                     : unpack_zstd(entry->bytes, bytes, size, g, e);
}

int fat_unpack(const struct fat_entry *entry, struct buf *code, const struct go_on *g,
               struct err *e)
{
    buf_clear(code);
    if (entry->packing != FAT_PLAIN && unpack_entry(entry, code, g, e) != 0)
        return -1;
    if (entry->packing == FAT_PLAIN && buf_add(code, entry->bytes.at, entry->bytes.n) != 0)
        return fail_memory(e);
    while (entry->kind == FAT_PTX && code->len && !code->data[code->len - 1])
        code->len--;
    return 0;
}

/* Unpacks an entry while a file is read, and notes the first one that can't be unpacked. */
static void unpack_for_names(struct fatbin *f, struct fat_entry *entry, struct buf *code)
{
    struct err why;
    int rc = entry->unpacked <= f->may_unpack ? fat_unpack(entry, code, f->go_on, &why)
                                              : fail(&why, "the file has too much packed code");
    if (rc == 0)
        f->may_unpack -= entry->unpacked;
    entry->unread = rc != 0;
    if (rc != 0 && !f->unread[0])
        snprintf(f->unread, sizeof f->unread, "entry %u can't be unpacked: %.150s", f->count + 1,
                 why.text);
}

static int add_entry(struct fatbin *f, struct fat_entry *entry, struct err *e)
{
    void *entries = f->entries;
    struct buf code = {0};
    entry->names_at = f->names.len;
    entry->unread = entry->kind != FAT_PTX && entry->kind != FAT_CUBIN;
    if (entry->packing != FAT_PLAIN && !entry->unread)
        unpack_for_names(f, entry, &code);
    if (!entry->unread)
        entry->kernels = fat_kernels(entry->kind,
                                     entry->packing == FAT_PLAIN
                                         ? entry->bytes
                                         : (struct span){buf_text(&code), code.len},
                                     &f->names);
    buf_free(&code);
    if (go_on(f->go_on, e) != 0)
        return -1;
    if (f->names.failed ||
        mem_grow(&allocator_libc, &entries, &f->capacity, f->count, sizeof *f->entries) != 0)
        return fail_memory(e);
    f->entries = entries;
    f->entries[f->count++] = *entry;
    return 0;
}

/* ---- containers ----------------------------------------------------------------------- */

static enum fat_kind kind_of(uint64_t number)
{
    return number == KIND_PTX     ? FAT_PTX
           : number == KIND_CUBIN ? FAT_CUBIN
           : number == KIND_LTO   ? FAT_LTO
                                  : FAT_UNKNOWN;
}

/*
 * Reads an entry. Its header says how many bytes follow; of a packed entry fewer of them count.
 * nvcc 13 packs by zstd. With --compress-mode=speed it packs by LZ4, as older versions did: into
 * one block without a frame. It packs PTX and LTO code, and with -G or --compress-mode=size cubins
 * too. Packed LTO code is also scrambled.
 */
static struct fat_entry read_entry(struct span header, struct span bytes)
{
    uint64_t flags = bytes_at(header, 40, 8), packed = bytes_at(header, 16, 4);
    struct fat_entry e = {
        .kind = kind_of(bytes_at(header, 0, 2)),
        .minor = (unsigned)bytes_at(header, 24, 2),
        .major = (unsigned)bytes_at(header, 26, 2),
        .arch = (unsigned)bytes_at(header, 28, 4),
        .feature = flags & IS_FAMILY ? 'f' : flags & IS_ARCH_ONLY ? 'a' : 0,
        .debug = flags & IS_DEBUG,
        .packing = flags & IS_ZSTD  ? FAT_ZSTD
                   : flags & IS_LZ4 ? FAT_LZ4
                   : packed         ? FAT_PACKED
                                    : FAT_PLAIN,
        .scrambled = flags & IS_SCRAMBLED,
        .bytes = bytes, .size = bytes.n, .unpacked = bytes.n,
    };
    if (e.packing != FAT_PLAIN) {
        e.size = packed && packed < bytes.n ? packed : bytes.n;
        e.bytes.n = (size_t)e.size;
        e.unpacked = bytes_at(header, 56, 8);
    }
    return e;
}

static int too_many(struct fatbin *f, const char *what, int most)
{
    if (!f->damage[0])
        snprintf(f->damage, sizeof f->damage, "no program has more than %d %s", most, what);
    return 0;
}

/* Notes that an entry is damaged. Entry 0 is the container's own header. */
static void damaged(struct fatbin *f, unsigned entry)
{
    char what[32] = "the header";
    if (entry)
        snprintf(what, sizeof what, "entry %u", entry);
    if (!f->damage[0])
        snprintf(f->damage, sizeof f->damage, "%s of fat binary %u claims more bytes than there "
                 "are", what, f->containers);
}

static int read_container(struct fatbin *f, struct span all, bool for_linker, struct err *e)
{
    for (unsigned k = 1; all.n >= ENTRY_HEADER; k++) {
        uint64_t header = bytes_at(all, 4, 4), size = bytes_at(all, 8, 8);
        if (header < ENTRY_HEADER || header > all.n || size > all.n - header) {
            damaged(f, k);
            return 0;
        }
        struct fat_entry entry = read_entry(bytes_part(all, 0, header),
                                            bytes_part(all, header, size));
        entry.container = f->containers;
        entry.for_linker = for_linker;
        if (f->count == ENTRIES_MOST)
            return too_many(f, "entries", ENTRIES_MOST);
        if (add_entry(f, &entry, e) != 0)
            return -1;
        all = bytes_part(all, header + size, all.n - header - size);
    }
    return 0;
}

/* Reads all containers of a section. Between two of them there may be bytes for alignment. */
static int read_containers(struct fatbin *f, struct span all, bool for_linker, struct err *e)
{
    while (all.n >= CONTAINER_HEADER && !f->damage[0]) {
        uint64_t header = bytes_at(all, 6, 2), size = bytes_at(all, 8, 8), used = ALIGNED;
        if (bytes_at(all, MAGIC_AT, MAGIC_SIZE) == magic) {
            if (f->containers == CONTAINERS_MOST)
                return too_many(f, "fat binaries", CONTAINERS_MOST);
            f->containers++;
            bool begun = header >= CONTAINER_HEADER && header <= all.n;
            uint64_t most = begun ? all.n - header : 0, inside = size < most ? size : most;
            if (begun && read_container(f, bytes_part(all, header, inside), for_linker, e) != 0)
                return -1;
            if (!begun || size > most)
                damaged(f, 0);
            used = header + inside;
        }
        if (used > all.n)
            break;
        all = bytes_part(all, used, all.n - used);
    }
    return 0;
}

/* ---- files ---------------------------------------------------------------------------- */

static int read_cubin(struct fatbin *f, const struct elf *elf, struct err *e)
{
    enum { SHIFTED_SINCE = 8, OLD_ONE_ONLY = 0x800 }; /* versions of the cubins' own ABI */
    bool shifted = elf->abi >= SHIFTED_SINCE;
    struct fat_entry entry = {
        .kind = FAT_CUBIN, .container = 1, .arch = (shifted ? elf->flags >> 8 : elf->flags) & 0xff,
        .feature = !shifted && elf->flags & OLD_ONE_ONLY ? 'a' : 0,
        .for_linker = elf->type == ELF_OBJECT,
        .bytes = elf->file, .size = elf->file.n, .unpacked = elf->file.n};
    f->of = FAT_OF_CUBIN;
    f->containers = 1;
    return add_entry(f, &entry, e);
}

static int read_elf(struct fatbin *f, struct span file, struct err *e)
{
    struct elf elf;
    struct elf_section s;
    bool found = false, starts = false; /* .interp: it is a program that can be started */
    size_t unread = file.n;
    if (!elf_open(&elf, file))
        return fail(e, "it is an ELF file, but a broken one, or not of 64 bits");
    if (elf.machine == ELF_CUDA)
        return read_cubin(f, &elf, e);
    f->machine = elf.machine == ELF_X86_64    ? "x86-64"
                 : elf.machine == ELF_AARCH64 ? "aarch64"
                                              : "another CPU";
    for (unsigned i = 0; i < elf.section_count && elf_section(&elf, i, &s); i++) {
        bool linked = strcmp(s.name, ".nv_fatbin") == 0;
        bool unlinked = strcmp(s.name, "__nv_relfatbin") == 0;
        found = found || linked || unlinked;
        starts = starts || strcmp(s.name, ".interp") == 0;
        if (!linked && !unlinked)
            continue;
        if (s.bytes.n > unread) {
            snprintf(f->damage, sizeof f->damage, "its sections share bytes");
            break;
        }
        unread -= s.bytes.n;
        if (read_containers(f, s.bytes, unlinked, e) != 0)
            return -1;
    }
    f->of = elf.type == ELF_OBJECT             ? FAT_OF_OBJECT
            : elf.type == ELF_SHARED && !starts ? FAT_OF_LIBRARY
                                                : FAT_OF_PROGRAM;
    if (!elf.section_count)
        return fail(e, "it is an ELF file whose sections can't be read: cut off, or stripped");
    if (!found)
        return fail(e, "it is an ELF file for %s without a section .nv_fatbin: nvcc did not "
                    "make it, or it has no kernels", f->machine);
    return f->count || f->damage[0] ? 0 : fail(e, "its section .nv_fatbin is empty");
}

/* PTX is text that begins, after comments, with .version; .target says what it is for. */
static int read_ptx(struct fatbin *f, struct span file, struct err *e)
{
    struct span rest = file, line;
    struct fat_entry entry = {.kind = FAT_PTX, .container = 1, .bytes = file, .size = file.n,
                              .unpacked = file.n};
    for (int i = 0; i < 200 && next_line(&rest, &line); i++) {
        char text[100];
        char feature = 0;
        snprintf(text, sizeof text, "%.*s", (int)(line.n < 99 ? line.n : 99), line.at);
        if (sscanf(text, " .version %u.%u", &entry.major, &entry.minor) == 2)
            continue;
        if (sscanf(text, " .target sm_%5u%c", &entry.arch, &feature) >= 1)
            entry.feature = feature == 'a' || feature == 'f' ? feature : 0;
    }
    f->of = FAT_OF_PTX;
    f->containers = 1;
    if (entry.major && entry.arch)
        return add_entry(f, &entry, e);
    return fail(e, "it is not a program, object, cubin, fat binary or PTX; nvcc makes those");
}

int fatbin_read(struct span file, struct fatbin *f, const struct go_on *g, struct err *e)
{
    enum { UNPACKED_MOST = 128 << 20, TIMES = 32 };
    *f = (struct fatbin){.go_on = g, .may_unpack = UNPACKED_MOST + (uint64_t)TIMES * file.n};
    if (elf_is(file))
        return read_elf(f, file, e);
    if (bytes_at(file, MAGIC_AT, MAGIC_SIZE) == magic) {
        f->of = FAT_BARE;
        if (read_containers(f, file, false, e) != 0)
            return -1;
        return f->count || f->damage[0] ? 0 : fail(e, "it is a fat binary without entries");
    }
    if (begins(file, "!<arch>\n"))
        return fail(e, "it is an archive of objects; take them out with `ar x`, and name one");
    return read_ptx(f, file, e);
}

void fatbin_free(struct fatbin *f)
{
    mem_free(&allocator_libc, f->entries, f->capacity * sizeof *f->entries);
    buf_free(&f->names);
    memset(f, 0, sizeof *f);
}

/* ---- what an entry is ----------------------------------------------------------------- */

const char *fat_target(const struct fat_entry *e, char out[32])
{
    char feature[2] = {e->feature, '\0'};
    snprintf(out, 32, "%s_%u%s",
             e->kind == FAT_PTX ? "compute" : e->kind == FAT_LTO ? "lto" : "sm", e->arch, feature);
    return out;
}

static unsigned add_name(struct buf *names, const char *at, size_t n)
{
    buf_add(names, at, n);
    buf_putc(names, '\0');
    return 1;
}

/* In a cubin, each function has a section .text.NAME of its own. */
static unsigned cubin_kernels(struct span bytes, struct buf *names)
{
    static const char mark[] = ".text.";
    struct elf elf;
    struct elf_section s;
    unsigned count = 0;
    size_t before = names->len;
    if (!elf_open(&elf, bytes))
        return 0;
    for (unsigned i = 0; i < elf.section_count && elf_section(&elf, i, &s); i++)
        if (strncmp(s.name, mark, sizeof mark - 1) == 0 && s.name[sizeof mark - 1] &&
            names->len - before + strlen(s.name) <= elf.names.n) /* many may have one name */
            count += add_name(names, s.name + sizeof mark - 1, strlen(s.name) - sizeof mark + 1);
    return count;
}

static unsigned ptx_kernels(struct span bytes, struct buf *names)
{
    static const char mark[] = ".entry ";
    unsigned count = 0;
    for (size_t i = 0; i + sizeof mark < bytes.n; i++) {
        const char *dot = memchr(bytes.at + i, '.', bytes.n - i);
        if (!dot)
            break;
        i = (size_t)(dot - bytes.at);
        struct span rest = {dot, bytes.n - i};
        if (!begins(rest, mark))
            continue;
        const char *name = dot + sizeof mark - 1;
        size_t n = 0, most = rest.n - sizeof mark + 1;
        while (n < most && n < 1000 && (unsigned char)name[n] > ' ' && name[n] != '(')
            n++;
        count += n ? add_name(names, name, n) : 0;
    }
    return count;
}

unsigned fat_kernels(enum fat_kind kind, struct span code, struct buf *names)
{
    return kind == FAT_CUBIN ? cubin_kernels(code, names)
           : kind == FAT_PTX ? ptx_kernels(code, names)
                             : 0;
}

const char *fat_names(const struct fatbin *f, const struct fat_entry *e)
{
    return buf_text(&f->names) + e->names_at;
}

/* Finds where a container's entries begin. They end where those of the next container begin. */
static unsigned first_of(const struct fatbin *f, unsigned container)
{
    unsigned low = 0, high = f->count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (f->entries[middle].container < container)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool fat_is_empty(const struct fatbin *f, unsigned container)
{
    bool empty = true;
    for (unsigned i = first_of(f, container), end = first_of(f, container + 1); i < end; i++)
        empty = empty && !f->entries[i].unread && !f->entries[i].kernels;
    return empty;
}

/* ---- which one a device takes --------------------------------------------------------- */

static bool fits(const struct fat_entry *e, unsigned cc)
{
    bool same_major = e->arch / 10 == cc / 10;
    if (e->for_linker || (e->kind != FAT_CUBIN && e->kind != FAT_PTX) || e->arch > cc)
        return false;
    if (e->feature == 'a')
        return e->arch == cc;
    return same_major || (e->kind == FAT_PTX && e->feature != 'f');
}

/* Of two that fit, machine code is better than text, then the newer one, then one for this card
 * alone. */
static bool is_better(const struct fat_entry *a, const struct fat_entry *b)
{
    if (!b || a->kind != b->kind)
        return !b || a->kind == FAT_CUBIN;
    return a->arch != b->arch ? a->arch > b->arch : a->feature && !b->feature;
}

const struct fat_entry *fatbin_choose(const struct fatbin *f, unsigned container, unsigned cc)
{
    const struct fat_entry *best = NULL;
    for (unsigned i = first_of(f, container), end = first_of(f, container + 1); i < end; i++)
        if (fits(&f->entries[i], cc) && is_better(&f->entries[i], best))
            best = &f->entries[i];
    return best;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void add_number(struct buf *out, uint64_t value, unsigned bytes)
{
    char byte;
    for (; bytes; bytes--, value >>= 8) {
        byte = (char)(value & 0xff);
        buf_add(out, &byte, 1);
    }
}

void fatbin_of_ptx(struct span ptx, unsigned arch, struct buf *out)
{
    enum { FORMAT = 0x0101, CONTAINER_FORMAT = 1, IS_64_BIT = 0x1 };
    const uint64_t bytes = (ptx.n + 1 + ALIGNED - 1) / ALIGNED * ALIGNED; /* with a NUL at least */
    const char *version = NULL;
    unsigned major = 0, minor = 0;
    for (struct span rest = ptx, line; !version && next_line(&rest, &line);)
        if (line.n > 9 && memcmp(line.at, ".version ", 9) == 0 &&
            sscanf(version = line.at, ".version %u.%u", &major, &minor) != 2)
            major = minor = 0;
    add_number(out, magic, 4);
    add_number(out, CONTAINER_FORMAT, 2);
    add_number(out, CONTAINER_HEADER, 2);
    add_number(out, ENTRY_HEADER + bytes, 8);
    add_number(out, KIND_PTX, 2);
    add_number(out, FORMAT, 2);
    add_number(out, ENTRY_HEADER, 4);
    add_number(out, bytes, 8);
    add_number(out, 0, 8); /* not packed, and no name */
    add_number(out, minor, 2);
    add_number(out, major, 2);
    add_number(out, arch, 4);
    add_number(out, 0, 8);
    add_number(out, IS_64_BIT, 8);
    add_number(out, 0, 16);
    buf_add(out, ptx.at, ptx.n);
    for (uint64_t i = ptx.n; i < bytes; i++)
        add_number(out, 0, 1);
}
