/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing to a file descriptor until all is written: a pipe or a signal may cut any write short.
 */
#ifndef OS_FD_H
#define OS_FD_H

#include <stddef.h>

int fd_write(int fd, const void *bytes, size_t n); /* 0, or the errno of what went wrong */
/* The same; EINTR where a signal comes while nothing can be written, and ended() says so. */
int fd_write_until(int fd, const void *bytes, size_t n, int (*ended)(void));

#endif
