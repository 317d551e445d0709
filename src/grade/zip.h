/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a zip archive that somebody else made. Its bytes lie in memory. First the directory is
 * checked as a whole: it has bounds, and no two entries share bytes of the archive. An entry that
 * can't be used has a reason, and all others can still be read.
 */
#ifndef GRADE_ZIP_H
#define GRADE_ZIP_H

#include "base/go-on.h"
#include "base/lines.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct zip_entry {
    char *name; /* as UTF-8 where it says so or is ASCII, with / between folders. It may have any
                 * character but NUL */
    bool folder;
    const char *refused; /* "is encrypted"; NULL: it can be read */
    uint32_t crc;
    uint16_t method;
    uint64_t size; /* unpacked */
    struct span packed;
};

struct zip_bounds {
    unsigned entries;
    uint64_t bytes; /* of all entries, unpacked */
};

struct zip {
    struct zip_entry *entry; /* in the order of the directory */
    unsigned count;
    struct arena memory;
};

/* -1: it is no zip archive, it is damaged, or it exceeds the bounds. Close it always. */
int zip_open(struct zip *, struct span archive, const struct zip_bounds *, struct err *);
/* Writes the entry's `size` bytes. -1: it is refused or damaged, or the work should not go on. */
int zip_unpack(const struct zip_entry *, unsigned char *to, const struct go_on *, struct err *);
void zip_close(struct zip *);

bool zip_begins(struct span bytes); /* do they look like an archive? */

#endif
