/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fat binaries: what nvcc puts beside the host's code. A program has one for each .cu (and one
 * more that its linker makes), each with entries that hold the same kernels for several kinds of
 * GPU: cubins, machine code (SASS) for one of them, and PTX, text that the driver compiles.
 *
 * NVIDIA doesn't document the container. What is read here is what nvcc 11 to 13 write: a magic
 * number, a header, and entries with headers of their own.
 */
#ifndef CC_FATBIN_H
#define CC_FATBIN_H

#include "base/buf.h"
#include "base/go-on.h"
#include "base/lines.h"

#include <stdint.h>

enum fat_kind { FAT_PTX, FAT_CUBIN, FAT_LTO, FAT_UNKNOWN };
enum fat_packing { FAT_PLAIN, FAT_LZ4, FAT_ZSTD, FAT_PACKED };
extern const char *const fat_kind_names[];    /* "PTX", "cubin", ... */
extern const char *const fat_packing_names[]; /* "plain", "lz4", ... */

struct fat_entry {
    enum fat_kind kind;
    unsigned container;    /* 1 is the first */
    unsigned arch;         /* 86 for 8.6 */
    char feature;          /* 'a': for that one alone; 'f': for its family; else 0 */
    unsigned major, minor; /* of PTX: its version */
    bool debug, for_linker; /* built by -G; by -dc, to be linked before it can run */
    enum fat_packing packing;
    bool scrambled;        /* only NVIDIA's programs can read it */
    uint64_t size;         /* bytes as they are stored */
    uint64_t unpacked;     /* and as they are meant; 0: not known */
    struct span bytes;     /* as stored */
    unsigned kernels;      /* how many it has */
    size_t names_at;       /* of their names, in those of the file */
    bool unread;           /* its kernels aren't known: it is LTO code, or can't be unpacked */
};

enum fat_file { FAT_OF_PROGRAM, FAT_OF_OBJECT, FAT_OF_LIBRARY, FAT_BARE, FAT_OF_CUBIN, FAT_OF_PTX };

struct fatbin {
    enum fat_file of;
    const char *machine;   /* of the host's code, "x86-64"; NULL: there is none */
    struct fat_entry *entries; /* container by container */
    unsigned count, containers;
    size_t capacity;
    struct buf names;      /* of all kernels, each NUL-ended */
    char damage[160];      /* what is wrong with the file, from where on nothing was read; or "" */
    char unread[200];      /* the first entry that can't be unpacked, and why; or "" */
    uint64_t may_unpack;   /* bytes, while it is read */
    const struct go_on *go_on;
};

/* All entries of a file that is in memory and stays there. -1: it has none, or memory is out, or
 * it takes too long; e says which. Free it always. */
int fatbin_read(struct span file, struct fatbin *, const struct go_on *, struct err *e);
void fatbin_free(struct fatbin *);

/* Adds a fat binary that has this PTX, as it is, for its only entry. */
void fatbin_of_ptx(struct span ptx, unsigned arch, struct buf *out);

/* "sm_90a", "compute_75" */
const char *fat_target(const struct fat_entry *, char out[32]);
/* The names of an entry's kernels, one behind the other, each NUL-ended. */
const char *fat_names(const struct fatbin *, const struct fat_entry *);
/* Adds the names of the kernels in PTX or in a cubin, each NUL-ended, and tells how many. */
unsigned fat_kernels(enum fat_kind, struct span code, struct buf *names);
/*
 * The code of an entry, unpacked where it is packed, in place of what the buffer held. PTX is
 * without the NULs that a container has behind it. -1: e says why it can't be unpacked.
 */
int fat_unpack(const struct fat_entry *, struct buf *code, const struct go_on *, struct err *e);

/* Is there no kernel in a container, as in that which the linking adds? */
bool fat_is_empty(const struct fatbin *, unsigned container);

/*
 * What a device of compute capability `cc` (86 is 8.6) takes of a container: the cubin of its own
 * major number and the highest minor one that isn't above its own; else the newest PTX that isn't
 * above, to be compiled by the driver; else NULL.
 */
const struct fat_entry *fatbin_choose(const struct fatbin *, unsigned container, unsigned cc);

#endif
