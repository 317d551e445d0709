/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and writing until all is done: a pipe or a signal may cut any call short.
 */
#ifndef OS_FD_H
#define OS_FD_H

#include <stddef.h>
#include <sys/types.h>

/* The bytes read, fewer than n where the file ends; -1: errno says why. */
ssize_t fd_read(int fd, void *to, size_t n);
int fd_write(int fd, const void *bytes, size_t n); /* 0, or the errno of what went wrong */
/* The same; EINTR where a signal comes while nothing can be written, and ended() says so. */
int fd_write_until(int fd, const void *bytes, size_t n, int (*ended)(void));

#endif
