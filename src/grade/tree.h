/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a folder or of a zip archive, as one list of names. Links are not followed. Files
 * that only an editor or a system made are left out: names that begin with a dot, __MACOSX.
 */
#ifndef GRADE_TREE_H
#define GRADE_TREE_H

#include "base/buf.h"
#include "grade/zip.h"

struct tree_file {
    char *name;                    /* below the folder, or in the archive: "src/saxpy.cu" */
    char *path;                    /* of a file in a folder; NULL: it is in an archive */
    const struct zip_entry *entry; /* there */
    const char *wrong;             /* "is a link"; NULL: it can be read */
    uint64_t size;
};

enum { TREE_FILES_MOST = 20000 };

struct tree {               /* {0} is an empty one */
    struct tree_file *file; /* sorted by name */
    size_t count, capacity;
    struct arena memory;
    struct buf archive;
    struct zip zip;
};

/* All files below a folder. -1: it can't be read, or has too many. Close a tree always. */
int tree_of_folder(struct tree *, const char *path, struct err *);
/* All files of an archive, which is kept. The tree takes the bytes and leaves an empty text. */
int tree_of_archive(struct tree *, struct buf *bytes, struct err *);
/* One file. */
int tree_of_file(struct tree *, const char *path, struct err *);
/* Adds the bytes of a file, at most so many. -1: it can't be read or has more. */
int tree_read(const struct tree_file *, uint64_t most, struct buf *to, const struct go_on *,
              struct err *);
int tree_has_more(uint64_t size, uint64_t most, struct err *); /* always -1 */
void tree_close(struct tree *);

#endif
