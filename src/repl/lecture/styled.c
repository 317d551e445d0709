/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Screens as text with SGR codes, read one character at a time. Codes that aren't SGR are
 * skipped, control bytes become `?` and what is no UTF-8 becomes U+FFFD, so that no caller meets
 * anything but characters.
 */
#include "repl/lecture/styled.h"

#include "screen/columns.h"
#include "base/utf8.h"

#include <string.h>

enum { TAB = 8, CODES_MOST = 16, BRIGHT = 8 };

/* ---- codes ---------------------------------------------------------------------------- */

static const struct text_look plain = {.fore = LOOK_DEFAULT, .back = LOOK_DEFAULT};

/* 38 and 48 go on with 5;N or 2;R;G;B. How many codes that took. */
static int long_colour(const int *codes, int n, int *colour)
{
    if (n >= 3 && codes[1] == 5) {
        *colour = codes[2] & 255;
        return 3;
    }
    if (n >= 5 && codes[1] == 2) {
        *colour = LOOK_DIRECT + ((codes[2] & 255) << 16 | (codes[3] & 255) << 8 | (codes[4] & 255));
        return 5;
    }
    return n;
}

static void take_short(struct text_look *l, int code)
{
    switch (code) {
    case 0: *l = plain; break;
    case 1: l->bold = true; break;
    case 2: l->faint = true; break;
    case 3: l->italic = true; break;
    case 4: l->underline = true; break;
    case 7: l->reverse = true; break;
    case 22: l->bold = l->faint = false; break;
    case 23: l->italic = false; break;
    case 24: l->underline = false; break;
    case 27: l->reverse = false; break;
    case 39: l->fore = LOOK_DEFAULT; break;
    case 49: l->back = LOOK_DEFAULT; break;
    default:
        if (code >= 30 && code <= 37)
            l->fore = code - 30;
        else if (code >= 40 && code <= 47)
            l->back = code - 40;
        else if (code >= 90 && code <= 97)
            l->fore = code - 90 + BRIGHT;
        else if (code >= 100 && code <= 107)
            l->back = code - 100 + BRIGHT;
    }
}

static void take_codes(struct text_look *l, struct span parameters)
{
    int codes[CODES_MOST] = {0}, count = 1;
    for (size_t i = 0; i < parameters.n; i++) {
        char c = parameters.at[i];
        if ((c == ';' || c == ':') && count < CODES_MOST)
            count++;
        else if (c >= '0' && c <= '9' && codes[count - 1] < 1000)
            codes[count - 1] = codes[count - 1] * 10 + (c - '0');
    }
    for (int i = 0; i < count;) {
        if (codes[i] == 38 || codes[i] == 48) {
            i += long_colour(codes + i, count - i, codes[i] == 38 ? &l->fore : &l->back);
        } else {
            take_short(l, codes[i++]);
        }
    }
}

/* The escape sequence at the head of rest: ESC [ parameters final, or ESC and one byte. */
static void take_escape(struct styled *s)
{
    size_t n = 1;
    if (s->rest.n > 1 && s->rest.at[1] == '[') {
        for (n = 2; n < s->rest.n && s->rest.at[n] >= 0x20 && s->rest.at[n] < 0x40; n++)
            ;
        if (n < s->rest.n && s->rest.at[n] == 'm')
            take_codes(&s->look, (struct span){s->rest.at + 2, n - 2});
    }
    n = n < s->rest.n ? n + 1 : s->rest.n;
    s->rest.at += n;
    s->rest.n -= n;
}

bool look_same(const struct text_look *a, const struct text_look *b)
{
    return a->fore == b->fore && a->back == b->back && a->bold == b->bold &&
           a->faint == b->faint && a->italic == b->italic && a->underline == b->underline &&
           a->reverse == b->reverse;
}

bool look_is_plain(const struct text_look *l)
{
    return look_same(l, &plain);
}

static void put_colour(struct buf *out, int colour, int base)
{
    if (colour == LOOK_DEFAULT)
        return;
    if (colour >= LOOK_DIRECT)
        buf_printf(out, ";%d;2;%d;%d;%d", base + 8, colour >> 16 & 255, colour >> 8 & 255,
                   colour & 255);
    else if (colour < BRIGHT)
        buf_printf(out, ";%d", base + colour);
    else if (colour < 2 * BRIGHT)
        buf_printf(out, ";%d", base + 60 + colour - BRIGHT);
    else
        buf_printf(out, ";%d;5;%d", base + 8, colour);
}

void look_put(struct buf *out, const struct text_look *l)
{
    buf_puts(out, "\033[0");
    buf_puts(out, l->bold ? ";1" : "");
    buf_puts(out, l->faint ? ";2" : "");
    buf_puts(out, l->italic ? ";3" : "");
    buf_puts(out, l->underline ? ";4" : "");
    buf_puts(out, l->reverse ? ";7" : "");
    put_colour(out, l->fore, 30);
    put_colour(out, l->back, 40);
    buf_putc(out, 'm');
}

/* ---- reading -------------------------------------------------------------------------- */

void styled_begin(struct styled *s)
{
    *s = (struct styled){.look = plain};
}

void styled_line(struct styled *s, struct span line)
{
    s->rest = line;
    s->column = 0;
}

bool styled_next(struct styled *s, struct glyph *g)
{
    uint32_t c = 0;
    while (s->rest.n && s->rest.at[0] == '\033')
        take_escape(s);
    if (s->rest.n == 0)
        return false;
    size_t n = utf8_next(s->rest.at, s->rest.n, &c);
    *g = (struct glyph){s->rest.at, n, 1};
    if (n == 0)
        *g = (struct glyph){"\xEF\xBF\xBD", 3, 1};
    else if (c == '\t')
        *g = (struct glyph){"        ", (size_t)(TAB - s->column % TAB), TAB - s->column % TAB};
    else if (c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)
        *g = (struct glyph){"?", 1, 1};
    else
        g->columns = columns_of(g->at, g->n);
    s->rest.at += n ? n : 1;
    s->rest.n -= n ? n : 1;
    s->column += g->columns;
    return true;
}

int styled_columns(struct span line)
{
    struct styled s;
    struct glyph g;
    styled_begin(&s);
    styled_line(&s, line);
    while (styled_next(&s, &g))
        ;
    return s.column;
}

void plain_text(struct buf *out, const char *text, size_t n)
{
    struct span rest = {text, n}, line;
    struct styled s;
    struct glyph g;
    styled_begin(&s);
    while (next_line(&rest, &line)) {
        styled_line(&s, line);
        while (styled_next(&s, &g))
            buf_add(out, g.at, g.n);
        buf_putc(out, '\n');
    }
}
