/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our own pager: a long text, a screen at a time, and below it the keys to press. A key that it
 * does not know ends it, and begins the next line at the prompt.
 */
#ifndef REPL_PAGES_H
#define REPL_PAGES_H

#include "repl/shell.h"

/* Shows the text, on a terminal whose keys come one by one (terminal_held()). False: it was left
 * before its end. */
bool pages_show(struct shell *, const char *text, size_t n, bool painted);

#endif
