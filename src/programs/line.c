/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a command line, one by one.
 */
#include "programs/line.h"

#include <stdio.h>
#include <string.h>

void line_word(struct command_line *l, const char *word)
{
    if (l->count < LINE_WORDS - 1)
        l->words[l->count++] = word;
    else
        l->overflows = true;
}

void line_words(struct command_line *l, const char *const *words)
{
    for (; *words; words++)
        line_word(l, *words);
}

void line_text(struct command_line *l, const char *before, const char *after)
{
    int n = -1;
    if (l->used < LINE_TEXTS)
        n = snprintf(l->text[l->used], LINE_WORD, "%s%s", before, after);
    if (n < 0 || n >= LINE_WORD)
        l->overflows = true;
    else
        line_word(l, l->text[l->used++]);
}

void line_path(struct command_line *l, const char *path)
{
    line_text(l, strchr("-@", path[0]) ? "./" : "", path);
}

int line_check(const struct command_line *l, const char *who, struct err *e)
{
    if (!l->overflows)
        return 0;
    return fail(e, "too much for %s's command line: there may be %d of -I and -D, each of %d bytes",
                who, LINE_OPTIONS, LINE_WORD - 3);
}
