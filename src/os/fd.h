/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and writing until all is done: a pipe or a signal may cut any call short.
 */
#ifndef OS_FD_H
#define OS_FD_H

#include "base/buf.h"

#include <stddef.h>
#include <sys/types.h>

/* The bytes read, fewer than n where the file ends; -1: errno says why. */
ssize_t fd_read(int fd, void *to, size_t n);
/* Reads a whole file into a text that may have so many bytes. A file that is known to be larger is
 * not read. FD_UNREADABLE: errno says why. Ask text->failed, too. */
enum fd_all { FD_WHOLE, FD_TOO_LARGE, FD_UNREADABLE };
enum fd_all fd_read_all(int fd, size_t most, struct buf *text);
int fd_write(int fd, const void *bytes, size_t n); /* 0, or the errno of what went wrong */
/* The same; EINTR where a signal comes while nothing can be written, and ended() says so. */
int fd_write_until(int fd, const void *bytes, size_t n, int (*ended)(void));
/* Makes a new file in a folder. The name may lie in folders, which are made: "include/c/stdio.h".
 * -1: errno says why; EEXIST: there is a file of this name. */
int fd_make_file(const char *folder, const char *name, const void *bytes, size_t n);

#endif
