/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which macros come first, and the header that has the others.
 */
#include "programs/macros.h"

#include "cc/source.h"
#include "os/fd.h"
#include "programs/line.h"
#include "programs/scratch.h"

#include <string.h>

bool macro_comes_first(struct span text)
{
    static const char *const begins_with[] = {"_", "CUDA", NULL};
    static const char no_assert[] = "NDEBUG";
    const char *equals = memchr(text.at, '=', text.n);
    const size_t n = equals ? (size_t)(equals - text.at) : text.n;
    for (const char *const *b = begins_with; *b; b++)
        if (n >= strlen(*b) && memcmp(text.at, *b, strlen(*b)) == 0)
            return true;
    return n == sizeof no_assert - 1 && memcmp(text.at, no_assert, n) == 0;
}

/* Compilers name the place of a macro in their messages. */
static void begin(struct buf *header)
{
    if (!header->len)
        buf_puts(header, "#line 1 \"<command line>\"\n");
}

void macro_undefine(struct buf *header, struct span name)
{
    begin(header);
    buf_printf(header, "#undef %.*s\n", (int)name.n, name.at);
}

/* NAME, NAME=VALUE or NAME(PARAMETER)=VALUE. The last one of a name counts. */
void macro_define(struct buf *header, struct span text)
{
    const char *equals = memchr(text.at, '=', text.n);
    const size_t n = equals ? (size_t)(equals - text.at) : text.n;
    const char *open = memchr(text.at, '(', n);
    macro_undefine(header, (struct span){text.at, open ? (size_t)(open - text.at) : n});
    buf_printf(header, "#define %.*s %.*s\n", (int)n, text.at,
               equals ? (int)(text.n - n - 1) : 1, equals ? equals + 1 : "1");
}

void macros_of(const char *options, struct buf *header)
{
    struct span text;
    for (char kind; (kind = option_next(&options, &text));)
        if (kind == 'D' && !macro_comes_first(text))
            macro_define(header, text);
}

int macros_write(const struct buf *header, const char *folder)
{
    if (header->failed)
        return -1;
    return header->len ? fd_make_file(folder, MACROS_HEADER, header->data, header->len) : 0;
}

void macros_line(struct command_line *l, const struct buf *header, const char *folder)
{
    if (!header->len)
        return;
    line_word(l, "-include");
    line_text(l, folder, "/" MACROS_HEADER);
}
