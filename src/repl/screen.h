/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the screen can show: its width, colours and characters, asked anew for each command.
 */
#ifndef REPL_SCREEN_H
#define REPL_SCREEN_H

#include "repl/shell.h"

void screen_describe(const struct shell *, struct report *); /* width, colours, characters */
int screen_columns(const struct shell *); /* all of them, however wide */
int screen_columns_of(int fd);            /* of the terminal there; 0: not known */
bool screen_obeys(void); /* TERM says that the terminal obeys codes that steer it */
/* Shows a command's text, page by page where it is longer than the screen. True: it was left before
 * its end. */
bool screen_show(struct shell *, const char *text, size_t n);

#endif
