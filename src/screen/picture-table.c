/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables. A column is as wide as its widest cell; where all of them are too wide, blanks
 * between them go first, then one column may fold, then columns give way, in their order. What
 * still does not fit is told row by row, each cell after the head of its column, and that
 * is also how a screen reader gets it. No number is ever cut.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "base/lines.h"
#include "screen/wrap.h"
#include "screen/pen.h"

#include <string.h>

enum { FOLD_LEAST = 16, NOTE_INDENT = 4 };

/* An item is its kind, its ink and its text with a NUL. */
enum { CELL = 'c', NOTE = 'n', HEADING = 'h' };

struct table_item {
    char kind;
    enum ink ink;
    const char *text;
};

/* How the columns are laid out on this screen. */
struct layout {
    int width[TABLE_COLUMNS]; /* 0: left out */
    int gap;
};

/* ---- gathering -------------------------------------------------------------------------- */

void table_begin(struct table *t, const struct table_column *columns, int count, int indent)
{
    *t = (struct table){.columns = columns, .count = count, .indent = indent};
}

static void add_item(struct table *t, char kind, enum ink ink, const char *fmt, va_list ap)
{
    buf_putc(&t->text, kind);
    buf_putc(&t->text, (char)ink);
    buf_vprintf(&t->text, fmt, ap);
    buf_putc(&t->text, '\0');
    t->cells += kind == CELL;
}

void table_cell_in(struct table *t, enum ink ink, const char *fmt, ...)
{
    WITH_ARGS(fmt, add_item(t, CELL, ink, fmt, args));
}

void table_note(struct table *t, const char *fmt, ...)
{
    WITH_ARGS(fmt, add_item(t, NOTE, INK_PLAIN, fmt, args));
}

void table_heading(struct table *t, const char *text)
{
    buf_putc(&t->text, HEADING);
    buf_putc(&t->text, INK_HEADING);
    buf_add(&t->text, text, strlen(text) + 1);
}

/* Take the next item off the table's text; false at its end. */
static bool next_item(const struct table *t, size_t *at, struct table_item *item)
{
    if (*at >= t->text.len)
        return false;
    const char *text = buf_text(&t->text) + *at;
    *item = (struct table_item){text[0], (enum ink)text[1], text + 2};
    *at += strlen(text + 2) + 3;
    return true;
}

/* ---- laying out ------------------------------------------------------------------------- */

static void measure(const struct table *t, struct layout *l)
{
    struct table_item item;
    int cell = 0;
    for (int k = 0; k < t->count; k++)
        l->width[k] = columns_of_text(t->columns[k].head);
    for (size_t at = 0; next_item(t, &at, &item);) {
        if (item.kind != CELL)
            continue;
        int *width = &l->width[cell++ % t->count], wide = columns_of_text(item.text);
        *width = wide > *width ? wide : *width;
    }
}

static int whole_width(const struct table *t, const struct layout *l)
{
    int all = t->indent - l->gap;
    for (int k = 0; k < t->count; k++)
        all += l->width[k] ? l->width[k] + l->gap : 0;
    return all;
}

/* The column that gives way next; -1: none is left. */
static int next_to_go(const struct table *t, const struct layout *l)
{
    int best = -1;
    for (int k = 0; k < t->count; k++)
        if (l->width[k] && t->columns[k].gives_way &&
            (best < 0 || t->columns[k].gives_way < t->columns[best].gives_way))
            best = k;
    return best;
}

static int folding_column(const struct table *t)
{
    for (int k = 0; k < t->count; k++)
        if (t->columns[k].folds)
            return k;
    return -1;
}

/* Narrow the column that folds, if it stays wide enough; whether all fits then. */
static bool fold_to_fit(const struct table *t, int width, struct layout *l)
{
    int fold = folding_column(t), over = whole_width(t, l) - width;
    if (over <= 0)
        return true;
    if (fold < 0 || l->width[fold] - over < FOLD_LEAST)
        return false;
    l->width[fold] -= over;
    return true;
}

/* false: it can't be made to fit. */
static bool lay_out(const struct table *t, int width, struct layout *l)
{
    int out;
    measure(t, l);
    l->gap = 1;
    bool fits_close = whole_width(t, l) <= width;
    l->gap = 2;
    if (whole_width(t, l) <= width || (!fits_close && fold_to_fit(t, width, l)))
        return true;
    l->gap = 1;
    while (!fold_to_fit(t, width, l) && (out = next_to_go(t, l)) >= 0)
        l->width[out] = 0;
    return whole_width(t, l) <= width;
}

/* ---- as a table ------------------------------------------------------------------------- */

/* The part of a cell that this line shows. It ends at a blank, if there is one. */
static struct span fold(struct span *rest, int width)
{
    size_t n = columns_fit(rest->at, rest->n, width), blank = n;
    while (n < rest->n && blank > 0 && rest->at[blank] != ' ')
        blank--;
    if (n < rest->n && blank > 0)
        n = blank;
    if (!n)
        n = rest->n; /* no room for one character: better too wide than never done */
    struct span part = {rest->at, n};
    rest->at += n;
    rest->n -= n;
    *rest = trim(*rest);
    return part;
}

static void put_cell(struct pen *p, const struct table_column *c, enum ink ink, struct span part,
                     int width)
{
    if (c->right)
        pen_to(p, p->column + width - columns_of(part.at, part.n));
    pen_text(p, ink, part.at, part.n);
}

/* Cells of one row, and below them what is left of the one that folds. */
static void say_row(struct report *r, const struct table *t, const struct layout *l,
                    const struct table_item *cells)
{
    struct span rest[TABLE_COLUMNS];
    struct pen p = pen_of(r);
    bool more = true;
    for (int k = 0; k < t->count; k++)
        rest[k] = (struct span){cells[k].text, strlen(cells[k].text)};
    while (more) {
        int column = t->indent;
        more = false;
        for (int k = 0; k < t->count; k++) {
            if (!l->width[k])
                continue;
            pen_to(&p, column);
            put_cell(&p, &t->columns[k], cells[k].ink, fold(&rest[k], l->width[k]), l->width[k]);
            more = more || rest[k].n;
            column += l->width[k] + l->gap;
        }
        pen_end(&p);
    }
}

static void say_note(struct report *r, const struct table *t, const char *text)
{
    int indent = t->indent + NOTE_INDENT;
    say(r, "%*s", indent, "");
    say_wrapped(r, indent, r->plain && text[strlen(text) - 1] != '.' ? "%s." : "%s", text);
}

static void say_heads(struct report *r, const struct table *t, const struct layout *l)
{
    struct table_item heads[TABLE_COLUMNS];
    bool any = false;
    for (int k = 0; k < t->count; k++) {
        heads[k] = (struct table_item){CELL, INK_HEADING, t->columns[k].head};
        any = any || *t->columns[k].head;
    }
    if (any)
        say_row(r, t, l, heads);
}

/* ---- row by row ------------------------------------------------------------------------- */

/* Is it a dash or dots? They mean that there is no value. Sentences leave such a cell out. */
static bool is_no_value(const char *text)
{
    return text[strspn(text, "-. ")] == '\0';
}

/* Is the head a plural, such as "atomics"? "GK20A ms" is none, since it ends in a unit. */
static bool is_plural(const char *head)
{
    size_t n = strlen(head);
    return n > 2 && head[n - 1] == 's' && !strchr("sui/", head[n - 2]) &&
           !(head[n - 2] == 'm' && (n == 2 || head[n - 3] == ' '));
}

/* A row becomes one sentence. Writes a cell as a part of it. */
static void tell_cell(struct buf *out, const struct table_column *c, const char *text)
{
    const char *at = c->tells ? strchr(c->tells, '%') : NULL;
    if (c->tells && !at)
        buf_puts(out, c->tells);
    else if (at)
        buf_printf(out, "%.*s%s%s", (int)(at - c->tells), c->tells, text, at + 1);
    else if (*c->head)
        buf_printf(out, "%s %s %s", c->head, is_plural(c->head) ? "are" : "is", text);
    else
        buf_puts(out, text);
}

/* Says a row: "atomic: area is 23.99, error is 1e-02, ok." A cell without a head is the text
 * alone. */
static void tell_row(struct report *r, const struct table *t, const struct table_item *cells)
{
    struct buf out = {0};
    static const struct table_column first = {.head = "", .tells = "%:"};
    const char *gap = " "; /* no comma between a subject (its `tells` is "%") and its verb */
    if (*cells[0].text && is_no_value(cells[0].text))
        buf_puts(&out, "Other rows are left out here");
    else if (*cells[0].text)
        tell_cell(&out, t->columns[0].tells ? &t->columns[0] : &first, cells[0].text);
    for (int k = 1; k < t->count; k++)
        if (!is_no_value(cells[k].text)) {
            const char *tells = t->columns[k].tells;
            buf_puts(&out, out.len ? gap : "");
            tell_cell(&out, &t->columns[k], cells[k].text);
            gap = tells && strcmp(tells, "%") == 0 ? " " : ", ";
        }
    buf_puts(&out, ".");
    pen_tell(r, &out, t->indent);
}

/* ---- all of it -------------------------------------------------------------------------- */

static void say_items(struct report *r, const struct table *t, const struct layout *l)
{
    struct table_item cells[TABLE_COLUMNS], item;
    int filled = 0;
    for (size_t at = 0; next_item(t, &at, &item);) {
        if (item.kind == HEADING) {
            say(r, "\n");
            say_in(r, INK_HEADING, "%s", item.text);
            say(r, "\n");
        } else if (item.kind == NOTE)
            say_note(r, t, item.text);
        else
            cells[filled++] = item;
        if (filled < t->count)
            continue;
        filled = 0;
        if (l)
            say_row(r, t, l, cells);
        else
            tell_row(r, t, cells);
    }
}

/* Keeps the heads of columns that are not shown. The texts below the table must not mention these
 * columns (screen/facts.h). */
static void remember_left_out(struct report *r, const struct table *t, const struct layout *l)
{
    for (int k = 0; k < t->count; k++)
        if (!l->width[k])
            buf_printf(&r->left_out, "%s\n", t->columns[k].head);
}

void say_table(struct report *r, struct table *t)
{
    struct layout layout;
    bool drawn = !r->plain && lay_out(t, r->width, &layout);
    if (drawn)
        remember_left_out(r, t, &layout);
    if (drawn)
        say_heads(r, t, &layout);
    say_items(r, t, drawn ? &layout : NULL);
    report_said(r, &t->text);
}
