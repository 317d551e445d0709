/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A word goes to the next line where it doesn't fit; a line of source is broken where it ends.
 */
#include "screen/wrap.h"

#include "screen/columns.h"
#include "base/lines.h"
#include "screen/paint.h"

#include <string.h>

/* Where the pen stands while text is set; `column` is -1 before a line has its indent. A colour
 * that a line break interrupts goes on in the next line. */
struct setter {
    struct buf *out;
    int width, indent, column;
    struct span colour;
};

static void set_indent(struct setter *s)
{
    if (s->column < 0)
        buf_printf(s->out, "%*s", s->indent, "");
    s->column = s->indent;
}

static void end_line(struct setter *s)
{
    buf_putc(s->out, '\n');
    s->column = -1;
}

static void set_word(struct setter *s, struct span word)
{
    int wide = columns_of(word.at, word.n);
    if (s->column > s->indent && s->column + 1 + wide > s->width) {
        paint_close(s->out, s->colour);
        end_line(s);
        set_indent(s);
        buf_add(s->out, s->colour.at, s->colour.n);
    } else if (s->column > s->indent) {
        buf_putc(s->out, ' ');
        s->column++;
    } else {
        set_indent(s);
    }
    buf_add(s->out, word.at, word.n);
    s->colour = paint_follow(s->colour, word);
    s->column += wide;
}

/* The bytes before the last column of a line: up to its last gap of two blanks or more. */
static size_t before_last_column(struct span line, size_t inset)
{
    size_t at = inset;
    for (size_t i = inset; i + 2 < line.n; i++)
        if (is_blank(line.at[i]) && is_blank(line.at[i + 1]) && !is_blank(line.at[i + 2]))
            at = i + 2;
    return at;
}

/* A line that starts with a blank stays as it is, unless it is too long: then its last column
 * is broken between words and goes on under itself or, where that is too narrow, set in. */
static void set_apart(struct setter *s, struct span line)
{
    if (s->column > s->indent)
        end_line(s);
    set_indent(s);
    size_t inset = (size_t)(trim(line).at - line.at), kept = line.n;
    int hang = 0;
    if (s->indent + columns_of(line.at, line.n) > s->width) {
        kept = before_last_column(line, inset);
        hang = s->indent + columns_of(line.at, kept);
        if (s->width - hang < REMARK_LEAST) {
            kept = inset;
            hang = s->indent + (int)inset + 4;
        }
    }
    buf_add(s->out, line.at, kept);
    line.at += kept;
    line.n -= kept;
    struct setter rest = {s->out, s->width, hang, hang, {"", 0}};
    for (struct span word = next_blank_word(&line); word.n; word = next_blank_word(&line))
        set_word(&rest, word);
    end_line(s);
}

static void set_line(struct setter *s, struct span line)
{
    if (trim(line).n == 0) { /* the end of a paragraph */
        if (s->column > s->indent)
            end_line(s);
        end_line(s);
        return;
    }
    if (is_blank(line.at[0])) {
        set_apart(s, line);
        return;
    }
    for (struct span word = next_blank_word(&line); word.n; word = next_blank_word(&line))
        set_word(s, word);
}

void text_wrap(struct buf *out, const char *text, size_t n, int width, int indent)
{
    struct span rest = {text, n}, line;
    struct setter s = {out, width, indent, indent, {"", 0}};
    while (next_line(&rest, &line))
        set_line(&s, line);
    if (s.column >= 0)
        end_line(&s);
}

void say_wrapped(struct report *r, int indent, const char *fmt, ...)
{
    struct buf text = {0};
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    text_wrap(&r->screen, buf_text(&text), text.len, r->width, indent);
    report_said(r, &text);
}

/* The bytes of a text that `room` columns take, up to a blank where there is one to break at. */
static size_t fitting(const char *text, size_t n, int room)
{
    size_t k = columns_fit(text, n, room), blank = k;
    while (k < n && blank > 0 && !is_blank(text[blank]))
        blank--;
    return k < n && blank > k / 2 ? blank : k;
}

/* Wraps a text. Each line after the first begins with the lead and `hang` blanks. */
static void wrap_hanging(struct buf *out, const char *text, size_t n, int width, const char *lead,
                         int hang)
{
    int room = width - (int)strlen(lead), in = 0;
    for (bool first = true; n || first; first = false, in = hang) {
        size_t k = fitting(text, n, room - in > 20 ? room - in : 20);
        buf_printf(out, "%s%*s%.*s\n", first ? "" : lead, in, "", (int)k, text);
        for (text += k, n -= k; n && is_blank(*text); n--)
            text++;
    }
}

void code_wrap(struct buf *out, const char *text, size_t n, int width, const char *lead)
{
    enum { DEEPER = 4 };
    int own = 0, room = width - (int)strlen(lead);
    while ((size_t)own < n && text[own] == ' ')
        own++;
    int hang = own + DEEPER;
    wrap_hanging(out, text, n, width, lead, hang < room / 2 ? hang : DEEPER);
}

static bool is_column_mark(struct span line)
{
    size_t i = 0;
    while (i < line.n && strchr(" ^~", line.at[i]))
        i++;
    return i == line.n;
}

void log_wrap(struct buf *out, struct span line, int width)
{
    enum { TAB = 8 };
    struct buf wide = {0};
    for (size_t i = 0; i < line.n; i++)
        if (line.at[i] == '\t')
            buf_printf(&wide, "%*s", TAB - columns_of(buf_text(&wide), wide.len) % TAB, "");
        else
            buf_putc(&wide, line.at[i]);
    if (!is_column_mark(line) || columns_of(buf_text(&wide), wide.len) <= width)
        wrap_hanging(out, buf_text(&wide), wide.len, width, "  ", 0);
    out->failed |= wide.failed;
    buf_free(&wide);
}

void say_columns(struct report *r, const struct buf *left, const struct buf *right, int column,
                char mark)
{
    struct span a = {buf_text(left), left->len}, b = {buf_text(right), right->len};
    while (a.n || b.n) {
        struct span here = {"", 0}, there = {"", 0};
        next_line(&a, &here);
        next_line(&b, &there);
        int pad = column - 2 - columns_of(here.at, here.n);
        say(r, "%.*s", (int)here.n, here.at);
        if (there.n || mark != ' ')
            say(r, "%*s%c%s%.*s", pad > 0 ? pad : 0, "", mark, there.n ? " " : "", (int)there.n,
                there.at);
        say(r, "\n");
    }
}

/* ---- lines with a label ----------------------------------------------------------------- */

int screen_column(const struct report *r)
{
    const char *text = buf_text(&r->screen);
    size_t start = r->screen.len;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    return columns_of(text + start, r->screen.len - start);
}

enum { LABEL_AT = 2, TEXT_AT = 13 };

void drop_newlines(struct buf *b)
{
    while (b->len && b->data[b->len - 1] == '\n')
        b->data[--b->len] = '\0';
}

/* How many columns the last line has, behind its indent; *lines: how many lines there are. */
static int last_line(const struct buf *text, int indent, unsigned *lines)
{
    struct span rest = {buf_text(text), text->len}, line = {"", 0};
    for (*lines = 0; next_line(&rest, &line); ++*lines)
        continue;
    return columns_of(line.at, line.n) - indent;
}

/* Wraps the text so that the last line has more than a number or a short word, if that takes no
 * further line. */
static void wrap_piece(struct buf *out, const char *text, size_t n, int width, int indent)
{
    enum { SHORT = 3 };
    struct buf all = {0}, fewer = {0};
    unsigned lines, now;
    text_wrap(&all, text, n, width, indent);
    int last = last_line(&all, indent, &lines);
    while (lines > 1 && last <= SHORT && width > indent + 2 * SHORT) {
        buf_clear(&fewer);
        text_wrap(&fewer, text, n, --width, indent);
        last = last_line(&fewer, indent, &now);
        if (now != lines)
            break;
        if (last > SHORT) {
            struct buf swap = all;
            all = fewer;
            fewer = swap;
        }
    }
    buf_add(out, buf_text(&all), all.len);
    if (all.failed)
        out->failed = true;
    buf_free(&all);
    buf_free(&fewer);
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
    wrap_piece(&r->screen, text, n, r->width, indent);
    drop_newlines(&r->screen);
}

/* Says an item in a sentence: "area: 23.99; exact 24." On a screen, wide gaps separate the parts of
 * the text. In the sentence these parts are a list. */
static void tell_item(struct report *r, const char *label, struct span text)
{
    struct buf out = {0};
    text = trim(text);
    buf_printf(&out, "%s%s", label, *label && text.n ? ": " : "");
    for (size_t i = 0; i < text.n; i++)
        if (i + 1 < text.n && is_blank(text.at[i]) && is_blank(text.at[i + 1])) {
            buf_putc(&out, ';');
            while (is_blank(text.at[i + 1]))
                i++;
            buf_putc(&out, ' ');
        } else {
            buf_putc(&out, text.at[i]);
        }
    if (out.len && !strchr(".:?!", out.data[out.len - 1]))
        buf_putc(&out, '.');
    say(r, "%*s", LABEL_AT, "");
    text_wrap(&r->screen, buf_text(&out), out.len, r->width, LABEL_AT);
    report_said(r, &out);
}

void say_item_text(struct report *r, const char *label, struct buf *text)
{
    const char *rest = buf_text(text);
    if (r->plain) {
        tell_item(r, label, (struct span){rest, text->len});
        report_said(r, text);
        return;
    }
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
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    say_item_text(r, label, &text);
}
