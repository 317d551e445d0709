/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a screen with a label, broken where the screen ends.
 */
#include "screen/item.h"

#include "screen/columns.h"
#include "screen/wrap.h"
#include <stdarg.h>
#include <string.h>

int screen_column(const struct report *r)
{
    const char *text = buf_text(&r->screen);
    size_t start = r->screen.len;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    return columns_of(text + start, r->screen.len - start);
}

enum { LABEL_AT = 2, TEXT_AT = 13 };

static void drop_last_newline(struct buf *b)
{
    if (b->len && b->data[b->len - 1] == '\n')
        b->data[--b->len] = '\0';
}

/* What stands between two wide gaps: behind its gap, or in a line of its own. */
static void say_piece(struct report *r, int gap, const char *text, size_t n)
{
    int column = screen_column(r);
    if (column + gap + columns_of(text, n) <= r->width) {
        say(r, "%*s%.*s", gap, "", (int)n, text);
        return;
    }
    int indent = column > LABEL_AT ? TEXT_AT : LABEL_AT;
    if (column > indent)
        say(r, "\n%*s", indent, "");
    text_wrap(&r->screen, text, n, r->width, indent);
    drop_last_newline(&r->screen);
}

void say_item_text(struct report *r, const char *label, struct buf *text)
{
    const char *rest = buf_text(text);
    say(r, *label ? "%*s%-10s " : "%*s%s", LABEL_AT, "", label);
    while (*rest) {
        size_t gap = strspn(rest, " ");
        const char *wide = strstr(rest + gap, "  ");
        size_t n = wide ? (size_t)(wide - (rest + gap)) : strlen(rest + gap);
        say_piece(r, (int)gap, rest + gap, n);
        rest += gap + n;
    }
    say(r, "\n");
    report_said(r, text);
}

void say_item(struct report *r, const char *label, const char *fmt, ...)
{
    struct buf text = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    say_item_text(r, label, &text);
}
