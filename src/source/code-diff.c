/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text/match.h finds the lines that both have. Lines between them were changed, removed or added.
 * This file shows that.
 */
#include "source/code-diff.h"

#include "text/explain.h"
#include "text/match.h"
#include "screen/paint.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 4000,
    AROUND = 3,       /* lines that both have, shown around those that differ */
    SIDE_BY_SIDE = 110, /* columns from which on two lines of code fit beside one another */
    MIDDLE = 3
};

/* ---- comparing ------------------------------------------------------------------------ */

static int lines_of(const struct code_lines *code, struct text_lines *out, struct err *e)
{
    *out = (struct text_lines){.line = calloc(code->count + 1, sizeof *out->line)};
    for (; out->line && out->count < code->count; out->count++)
        out->line[out->count] = code->at[out->count].text;
    return out->line ? 0 : fail_memory(e);
}

static void add_row(struct code_diff *d, const struct match_row *from, const struct code_lines *l,
                    const struct code_lines *r)
{
    struct diff_row *row = &d->rows[d->count++];
    row->mark = from->same           ? DIFF_SAME
                : from->b == NO_LINE ? DIFF_LEFT
                : from->a == NO_LINE ? DIFF_RIGHT
                                     : DIFF_CHANGED;
    if (from->a != NO_LINE)
        row->left = l->at[from->a];
    if (from->b != NO_LINE)
        row->right = r->at[from->b];
    d->marked[row->mark]++;
}

int code_diff(const struct code_lines *l, const struct code_lines *r, struct code_diff *d,
              struct err *e)
{
    struct text_lines a = {0}, b = {0};
    struct match m = {0};
    d->rows = NULL;
    d->count = 0;
    memset(d->marked, 0, sizeof d->marked);
    if (l->count > MOST_LINES || r->count > MOST_LINES)
        return fail(e, "at most %d lines can be compared", MOST_LINES);
    int rc = lines_of(l, &a, e) == 0 && lines_of(r, &b, e) == 0 ? match_lines(&m, &a, &b, true, e)
                                                                : -1;
    if (rc == 0 && !(d->rows = calloc(m.count + 1, sizeof *d->rows)))
        rc = fail_memory(e);
    for (unsigned i = 0; rc == 0 && i < m.count; i++)
        add_row(d, &m.row[i], l, r);
    match_free(&m);
    text_lines_free(&a);
    text_lines_free(&b);
    return rc;
}

void code_diff_free(struct code_diff *d)
{
    free(d->rows);
    d->rows = NULL;
    d->count = 0;
}

/* ---- showing -------------------------------------------------------------------------- */

/* Counts the rows from `at` on that both have. */
static unsigned same_run(const struct code_diff *d, unsigned at)
{
    unsigned n = 0;
    while (at + n < d->count && d->rows[at + n].mark == DIFF_SAME)
        n++;
    return n;
}

/* In a long run of such rows, those in the middle are only counted. */
static unsigned folded(const struct code_diff *d, unsigned at, unsigned run, unsigned *first)
{
    unsigned before = at == 0 ? 0 : AROUND, after = at + run == d->count ? 0 : AROUND;
    *first = at + before;
    return run > before + after + 1 ? run - before - after : 0;
}

/* Writes " 162 float x = ..." wrapped into `width` columns. */
static void put_numbered(struct buf *out, const struct code_line *line, int width)
{
    if (line->number)
        buf_printf(out, "%5d%s", line->number, line->text.n ? "  " : "");
    else if (is_note(line))
        buf_puts(out, "       ");
    code_wrap(out, line->text.at, line->text.n, width, "       ");
}

/* Writes one line with its mark in front. For a screen reader the name of its side replaces the
 * mark. */
static void say_marked(struct report *r, const struct code_diff *d, const struct code_line *line,
                       char mark, enum ink ink)
{
    struct buf text = {0};
    struct span rest, piece;
    put_numbered(&text, line, r->width - 2);
    rest = (struct span){buf_text(&text), text.len};
    if (r->plain)
        say(r, "%s%s", mark == '-' ? d->left : mark == '+' ? d->right : "both",
            is_note(line) ? ": " : ", line ");
    while (next_line(&rest, &piece)) {
        struct span shown = r->plain ? trim(piece) : piece;
        const char lead[] = {mark, ' ', '\0'};
        say_in(r, ink, "%s%.*s", r->plain || !shown.n ? "" : lead, (int)shown.n, shown.at);
        say(r, "\n");
    }
    buf_free(&text);
}

/* Writes a run of rows that differ: first those of the left side, then those of the right side. */
static unsigned say_run_stacked(struct report *r, const struct code_diff *d, unsigned at)
{
    unsigned end = at;
    while (end < d->count && d->rows[end].mark != DIFF_SAME)
        end++;
    for (unsigned i = at; i < end; i++)
        if (d->rows[i].mark != DIFF_RIGHT)
            say_marked(r, d, &d->rows[i].left, '-', INK_DIM);
    for (unsigned i = at; i < end; i++)
        if (d->rows[i].mark != DIFF_LEFT)
            say_marked(r, d, &d->rows[i].right, '+', INK_HEADING);
    return end;
}

/* Writes one row in two columns. Each side is wrapped in its own column. */
static void say_row_beside(struct report *r, const struct diff_row *row)
{
    static const char marks[] = {[DIFF_SAME] = ' ', [DIFF_CHANGED] = '|', [DIFF_LEFT] = '<',
                                 [DIFF_RIGHT] = '>'};
    int half = (r->width - MIDDLE) / 2;
    struct buf left = {0}, right = {0};
    if (row->mark != DIFF_RIGHT)
        put_numbered(&left, &row->left, half);
    if (row->mark != DIFF_LEFT)
        put_numbered(&right, &row->right, half);
    say_columns(r, &left, &right, half + MIDDLE, marks[row->mark]);
    buf_free(&left);
    buf_free(&right);
}

void say_code_diff(struct report *r, const struct code_diff *d)
{
    bool beside = r->width >= SIDE_BY_SIDE && !r->plain;
    for (unsigned at = 0; at < d->count;) {
        unsigned run = same_run(d, at), first = 0;
        unsigned hidden = folded(d, at, run, &first);
        for (unsigned end = at + run; at < end; at++) {
            if (hidden && at == first) {
                say(r, "%*s... %u lines that both have\n", beside ? 0 : 2, "", hidden);
                at += hidden - 1;
            } else if (beside) {
                say_row_beside(r, &d->rows[at]);
            } else {
                say_marked(r, d, &d->rows[at].right, ' ', INK_PLAIN);
            }
        }
        if (at < d->count && beside)
            say_row_beside(r, &d->rows[at++]);
        else if (at < d->count)
            at = say_run_stacked(r, d, at);
    }
}

void json_code_diff(struct json *j, const struct code_diff *d)
{
    static const char *const marks[] = {"same", "changed", "left", "right"};
    json_text(j, "left", d->left);
    json_text(j, "right", d->right);
    json_uint(j, "same", d->marked[DIFF_SAME]);
    json_uint(j, "changed", d->marked[DIFF_CHANGED]);
    json_uint(j, "only_left", d->marked[DIFF_LEFT]);
    json_uint(j, "only_right", d->marked[DIFF_RIGHT]);
    json_array(j, "rows");
    for (unsigned i = 0; i < d->count; i++) {
        const struct diff_row *row = &d->rows[i];
        json_object(j, NULL);
        json_text(j, "mark", marks[row->mark]);
        if (row->mark != DIFF_RIGHT) {
            json_int(j, "left_line", row->left.number);
            json_bytes(j, "left", row->left.text.at, row->left.text.n);
        }
        if (row->mark != DIFF_LEFT) {
            json_int(j, "right_line", row->right.number);
            json_bytes(j, "right", row->right.text.at, row->right.text.n);
        }
        json_end_object(j);
    }
    json_end_array(j);
}
