/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling in a struct err. A sentence that is too long is cut between two characters,
 * never inside one, so that whoever prints it can rely on UTF-8 staying UTF-8.
 * A caller that does not care why something failed may pass NULL.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes that the UTF-8 sequence starting with this byte wants. */
static size_t sequence_length(unsigned char lead)
{
    if (lead >= 0xF0)
        return 4;
    if (lead >= 0xE0)
        return 3;
    return lead >= 0xC0 ? 2 : 1;
}

/* Drop a character whose last bytes did not fit. */
static void trim_partial_character(char *text)
{
    size_t end = strlen(text), start = end;
    while (start > 0 && end - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    start--;
    if (start + sequence_length((unsigned char)text[start]) > end)
        text[start] = '\0';
}

static int fail_with(struct err *e, int line, int column, const char *fmt, va_list ap)
{
    if (!e)
        return -1;
    e->line = line;
    e->column = column;
    e->limit = false;
    e->source[0] = '\0';
    e->text[0] = '\0';
    int wanted = vsnprintf(e->text, sizeof e->text, fmt, ap);
    if (wanted >= (int)sizeof e->text)
        trim_partial_character(e->text);
    return -1;
}

int fail(struct err *e, const char *fmt, ...)
{
    WITH_ARGS(fmt, fail_with(e, 0, 0, fmt, args));
    return -1;
}

int fail_at(struct err *e, int line, int column, const char *fmt, ...)
{
    WITH_ARGS(fmt, fail_with(e, line, column, fmt, args));
    return -1;
}

int fail_limit(struct err *e, const char *fmt, ...)
{
    WITH_ARGS(fmt, fail_with(e, 0, 0, fmt, args));
    if (e)
        e->limit = true;
    return -1;
}

int fail_memory(struct err *e)
{
    return fail_limit(e, "out of memory; a smaller problem may fit");
}
