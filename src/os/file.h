/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole files: read at once, and replaced at once. A file that is replaced is written next to its
 * place first, under another name. So nobody ever sees half of it, and the old one stays where
 * something fails. And folders, removed with what is in them.
 */
#ifndef OS_FILE_H
#define OS_FILE_H

#include "base/buf.h"

/* Adds a regular file that has at most so many bytes. */
int file_read(const char *path, size_t most, struct buf *text, struct err *);

struct file_new {
    int fd;            /* what is written to it becomes the file */
    struct buf beside; /* its name until then; empty: a pipe or a device, which is never replaced */
};

/* An existing file keeps its mode. A link is replaced, and not followed: it may be one that
 * somebody else put there. */
int file_new_begin(struct file_new *, const char *path, struct err *);
/* wrong: 0, or the errno of what went wrong; then the file stays as it was. */
int file_new_end(struct file_new *, const char *path, int wrong, struct err *);
int file_replace(const char *path, const char *bytes, size_t n, struct err *);

/* Removes a folder with all that lies in it. Links are removed, and not followed. */
void file_remove_folder(const char *path);

#endif
