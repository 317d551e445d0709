/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From an ink to the codes of a terminal. Categories are the colours of Okabe and Ito, heats
 * those of cividis: both can be told apart by colour-blind people. None of them reads well on
 * both black and white, so they are backgrounds, each with black or white text on it. The
 * other inks colour the text itself, and so know whether the screen is light or dark. Where
 * nobody knows, they are of the 16 colours, which a front end fits to its own ground.
 */
#include "screen/paint.h"

#include <stdio.h>
#include <string.h>

/* The parameters of ESC [ ... m. */
static const struct codes {
    const char *many[GROUNDS], *few[GROUNDS]; /* with 256 colours, with 16 */
} codes[INKS] = {
#define GROUND(many, fit, few) {{many, many, fit}, {few, few, few}}
#define BLACK_ON(n, few) GROUND("30;48;5;" n, "38;5;16;48;5;" n, few)
#define WHITE_ON(n, few) GROUND("97;48;5;" n, "38;5;231;48;5;" n, few)
    [INK_PLAIN] = {{"", "", ""}, {"", "", ""}},
    [INK_HEADING] = {{"1", "1", "1"}, {"1", "1", "1"}},
    [INK_GOOD] = {{"38;5;43", "38;5;23", "32"}, {"32", "32", "32"}},
    [INK_BAD] = {{"1;38;5;208", "1;38;5;160", "1;31"}, {"1;31", "1;31", "1;31"}},
    [INK_COMMAND] = {{"38;5;117", "38;5;25", "34"}, {"36", "34", "34"}},
    [INK_DIM] = {{"38;5;247", "38;5;240", ""}, {"", "", ""}},
    [INK_CATEGORY] = BLACK_ON("178", "30;43"),
    BLACK_ON("74", "30;46"),
    BLACK_ON("35", "30;42"),
    BLACK_ON("221", "30;103"),
    WHITE_ON("25", "97;44"),
    BLACK_ON("166", "97;41"),
    BLACK_ON("175", "97;45"),
    [INK_HEAT] = WHITE_ON("17", "97;44"),
    WHITE_ON("23", "97;44"),
    WHITE_ON("239", "97;44"),
    WHITE_ON("59", "30;46"),
    WHITE_ON("243", "30;46"),
    BLACK_ON("244", "30;47"),
    BLACK_ON("144", "30;47"),
    BLACK_ON("143", "30;43"),
    BLACK_ON("185", "30;43"),
    BLACK_ON("221", "30;103"),
#undef WHITE_ON
#undef BLACK_ON
#undef GROUND
};

static const char *code_of(const struct report *r, enum ink ink)
{
    const struct codes *c = &codes[ink];
    return (r->colours < 256 ? c->few : c->many)[r->ground];
}

enum ink ink_category(unsigned k)
{
    return (enum ink)(INK_CATEGORY + k % INK_CATEGORIES);
}

enum ink ink_heat(double value, double lo, double hi)
{
    double part = hi > lo ? (value - lo) / (hi - lo) : 1;
    int step = part >= 1 ? INK_HEATS - 1 : part > 0 ? (int)(part * INK_HEATS) : 0;
    return (enum ink)(INK_HEAT + step);
}

/* A piece of a line as it is, without what would steer the terminal. */
static void put_clean(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        buf_putc(out, c < 0x20 || c == 0x7F ? '?' : (char)c);
    }
}

static void paint_line(const struct report *r, struct buf *out, enum ink ink, const char *text,
                       size_t n)
{
    const char *code = r->colours ? code_of(r, ink) : "";
    bool bold = r->colours && r->bold && ink != INK_DIM && code[0] != '1' && ink != INK_PLAIN;
    bool coloured = n && (*code || bold);
    if (coloured)
        buf_printf(out, "\033[%s%s%sm", bold ? "1" : "", bold && *code ? ";" : "", code);
    put_clean(out, text, n);
    if (coloured)
        buf_puts(out, "\033[0m");
}

void paint(const struct report *r, struct buf *out, enum ink ink, const char *text, size_t n)
{
    while (n) {
        const char *end = memchr(text, '\n', n);
        size_t line = end ? (size_t)(end - text) : n;
        paint_line(r, out, ink, text, line);
        if (!end)
            return;
        buf_putc(out, '\n');
        text += line + 1;
        n -= line + 1;
    }
}

struct span paint_follow(struct span open, struct span text)
{
    const char *end = text.at + text.n, *m;
    for (const char *p = text.at; (p = memchr(p, '\033', (size_t)(end - p))) != NULL; p = m) {
        m = memchr(p, 'm', (size_t)(end - p));
        if (!m)
            break;
        bool closes = m - p == 3 && p[2] == '0';
        open = closes ? SPAN("") : (struct span){p, (size_t)(m + 1 - p)};
    }
    return open;
}

void paint_close(struct buf *out, struct span open)
{
    if (open.n)
        buf_puts(out, "\033[0m");
}

void say_in(struct report *r, enum ink ink, const char *fmt, ...)
{
    struct buf text = {0};
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    paint(r, &r->screen, ink, buf_text(&text), text.len);
    report_said(r, &text);
}
