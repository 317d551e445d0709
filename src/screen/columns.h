/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many columns of a terminal a text takes. A table of its own instead of wcwidth(), so
 * that what is aligned here is aligned in every locale.
 */
#ifndef SCREEN_COLUMNS_H
#define SCREEN_COLUMNS_H

#include <stddef.h>

/* 0 for what joins the character before it, 2 for East Asian wide ones and emoji, 1 for each
 * other character and for each byte that is no UTF-8. ESC [ ... m, a colour, takes none. */
int columns_of(const char *text, size_t n);
int columns_of_text(const char *text);
/* The bytes of as many whole characters as `room` columns take; what joins the last is taken. */
size_t columns_fit(const char *text, size_t n, int room);

#endif
