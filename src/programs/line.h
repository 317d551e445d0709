/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of a compiler, and the texts that are put together for it.
 */
#ifndef PROGRAMS_LINE_H
#define PROGRAMS_LINE_H

#include "base/err.h"

#include <stdbool.h>

enum { LINE_OPTIONS = 100, LINE_TEXTS = LINE_OPTIONS + 10, LINE_WORDS = LINE_TEXTS + 40,
       LINE_WORD = 700 };

struct command_line {
    char text[LINE_TEXTS][LINE_WORD];
    unsigned used, count;
    bool overflows; /* a word was too many or too long: it must not be run without it */
    const char *words[LINE_WORDS];
};

void line_word(struct command_line *, const char *word); /* which stays there */
void line_words(struct command_line *, const char *const *words); /* NULL-ended */
void line_text(struct command_line *, const char *before, const char *after); /* as one word */
/* A file called -x.cu is no option, and @x.cu does not hold options. */
void line_path(struct command_line *, const char *path);
/* -1: the line is too long, and the error says so. */
int line_check(const struct command_line *, const char *who, struct err *);

#endif
