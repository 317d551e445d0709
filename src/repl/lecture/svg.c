/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each run of characters with one look is a <text> of its own, at the x of its first column
 * and stretched to the columns it takes, so that columns stay aligned whatever font a viewer
 * has; a wide character is a run by itself. Backgrounds are rectangles beneath. Colours are the
 * 256 of xterm, the first 16 chosen to read well on the theme's background.
 */
#include "repl/lecture/styled.h"

#include <string.h>

enum { CELL_X10 = 84, LINE = 18, BASELINE = 13, MARGIN = 12, SIZE = 14, COLUMNS_LEAST = 40 };

struct theme {
    unsigned fore, back;   /* RGB */
    unsigned palette[16];
};

static const struct theme light = {
    0x1F2328, 0xFFFFFF,
    {0x1F2328, 0xB3261E, 0x1A7F37, 0x8A5A00, 0x0B57D0, 0x8E3B9E, 0x00707A, 0x6E7781,
     0x57606A, 0xD5331F, 0x2DA44E, 0xB07800, 0x2F7DEB, 0xA65BB5, 0x0A8F9C, 0x8C959F}};
static const struct theme dark = {
    0xE6EDF3, 0x0D1117,
    {0x484F58, 0xFF7B72, 0x56D364, 0xE3B341, 0x79C0FF, 0xD2A8FF, 0x56D4DD, 0xC9D1D9,
     0x8B949E, 0xFFA198, 0x7EE787, 0xF2CC60, 0xA5D6FF, 0xE2C5FF, 0x8FEAF0, 0xFFFFFF}};

/* xterm's 256: 16 named, a cube of 6 x 6 x 6, 24 greys. */
static unsigned rgb(const struct theme *t, int colour)
{
    static const unsigned step[] = {0, 95, 135, 175, 215, 255};
    if (colour >= LOOK_DIRECT)
        return (unsigned)colour & 0xFFFFFF;
    if (colour < 16)
        return t->palette[colour];
    if (colour < 232) {
        unsigned c = (unsigned)colour - 16;
        return step[c / 36] << 16 | step[c / 6 % 6] << 8 | step[c % 6];
    }
    unsigned grey = 8 + 10 * ((unsigned)colour - 232);
    return grey << 16 | grey << 8 | grey;
}

struct picture {
    struct buf *out;
    const struct theme *theme;
    int line;
};

/* A run: characters that stand side by side in one look. */
struct glyph_run {
    struct buf text;
    struct text_look look;
    int at, columns;
    bool wide;
};

/* Columns and lines are tenths and whole units: no floating point, the same bytes anywhere. */
static void put_x(struct buf *out, const char *name, int column)
{
    int tenths = column * CELL_X10;
    buf_printf(out, " %s=\"%d.%d\"", name, tenths / 10, tenths % 10);
}

static void put_escaped(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        switch (text[i]) {
        case '&': buf_puts(out, "&amp;"); break;
        case '<': buf_puts(out, "&lt;"); break;
        case '>': buf_puts(out, "&gt;"); break;
        case '"': buf_puts(out, "&quot;"); break;
        default: buf_putc(out, text[i]);
        }
}

static void put_background(struct picture *p, const struct glyph_run *r, unsigned colour)
{
    buf_puts(p->out, "<rect");
    put_x(p->out, "x", r->at);
    buf_printf(p->out, " y=\"%d\"", p->line * LINE);
    put_x(p->out, "width", r->columns);
    buf_printf(p->out, " height=\"%d\" fill=\"#%06x\"/>\n", LINE, colour);
}

static void put_run(struct picture *p, struct glyph_run *r)
{
    const struct theme *t = p->theme;
    const struct text_look *l = &r->look;
    unsigned fore = l->fore == LOOK_DEFAULT ? t->fore : rgb(t, l->fore);
    unsigned back = l->back == LOOK_DEFAULT ? t->back : rgb(t, l->back);
    unsigned ink = l->reverse ? back : fore, paper = l->reverse ? fore : back;
    if (!r->columns)
        return;
    if (paper != t->back)
        put_background(p, r, paper);
    if (strspn(buf_text(&r->text), " ") != r->text.len || l->underline) {
        buf_puts(p->out, "<text");
        put_x(p->out, "x", r->at);
        buf_printf(p->out, " y=\"%d\"", p->line * LINE + BASELINE);
        put_x(p->out, "textLength", r->columns);
        buf_printf(p->out, " lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s%s%s>", ink,
                   l->bold ? " font-weight=\"bold\"" : "",
                   l->italic ? " font-style=\"italic\"" : "",
                   l->underline ? " text-decoration=\"underline\"" : "",
                   l->faint ? " opacity=\"0.6\"" : "");
        put_escaped(p->out, buf_text(&r->text), r->text.len);
        buf_puts(p->out, "</text>\n");
    }
    r->at += r->columns;
    r->columns = 0;
    buf_clear(&r->text);
}

static void put_line(struct picture *p, struct styled *s, struct span line)
{
    struct glyph_run r = {.columns = 0};
    struct glyph g;
    styled_line(s, line);
    while (styled_next(s, &g)) {
        bool wide = g.columns == 2;
        if (g.columns && (wide || r.wide || !look_same(&r.look, &s->look)))
            put_run(p, &r);
        if (r.columns == 0) {
            r.look = s->look;
            r.wide = wide;
        }
        buf_add(&r.text, g.at, g.n);
        r.columns += g.columns;
    }
    put_run(p, &r);
    p->out->failed = p->out->failed || r.text.failed;
    buf_free(&r.text);
    p->line++;
}

static void put_text(struct picture *p, const char *text, size_t n)
{
    struct span rest = {text, n}, line;
    struct styled s;
    styled_begin(&s);
    while (next_line(&rest, &line))
        put_line(p, &s, line);
}

static void measure(const char *text, size_t n, int *columns, int *lines)
{
    struct span line;
    for (struct span rest = {text, n}; next_line(&rest, &line); ++*lines) {
        int wide = styled_columns(line);
        *columns = wide > *columns ? wide : *columns;
    }
}

static void put_head(struct buf *out, const struct theme *t, int columns, int lines)
{
    int width = (columns * CELL_X10 + 9) / 10 + 2 * MARGIN, height = lines * LINE + 2 * MARGIN;
    buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\">\n", width, height, width, height);
    /* Blanks are columns. Old programs know only xml:space, new browsers only white-space. */
    buf_puts(out, "<style>text { white-space: pre }</style>\n");
    buf_printf(out, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#%06x\"/>\n", width, height,
               t->back);
    buf_printf(out, "<g transform=\"translate(%d %d)\" font-size=\"%d\" xml:space=\"preserve\" "
               "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n",
               MARGIN, MARGIN, SIZE);
}

void svg_screen(struct buf *out, const char *command, const char *text, size_t n, bool on_dark)
{
    struct picture p = {.out = out, .theme = on_dark ? &dark : &light};
    int columns = COLUMNS_LEAST, lines = 0;
    struct buf first = {0};
    buf_printf(&first, "cudalab> \033[1m%s\n", command);
    measure(buf_text(&first), first.len, &columns, &lines);
    measure(text, n, &columns, &lines);
    put_head(out, p.theme, columns, lines);
    put_text(&p, buf_text(&first), first.len);
    put_text(&p, text, n);
    buf_puts(out, "</g>\n</svg>\n");
    out->failed = out->failed || first.failed;
    buf_free(&first);
}
