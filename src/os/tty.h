/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is there a terminal at a descriptor, and how large is it? In a browser the page answers
 * (web/web.c).
 */
#ifndef OS_TTY_H
#define OS_TTY_H

#include <stdbool.h>

bool tty_is(int fd);
/* False: it has no size. Columns or rows that nobody knows are 0. */
bool tty_window(int fd, int *columns, int *rows);

#endif
