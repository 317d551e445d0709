/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The longest run of lines that both have in this order, found by a table of all pairs; what lies
 * between them was changed, taken out or put in.
 */
#include "source/code-diff.h"

#include "base/mem.h"
#include "text/explain.h"
#include "screen/paint.h"

#include <stdint.h>
#include <string.h>

enum {
    MOST_LINES = 4000,
    AROUND = 3,       /* lines that both have, shown around those that differ */
    SIDE_BY_SIDE = 110, /* columns from which on two lines of code fit beside one another */
    MIDDLE = 3
};

/* ---- comparing ------------------------------------------------------------------------ */

static bool same_line(const struct code_line *a, const struct code_line *b)
{
    return a->text.n == b->text.n && memcmp(a->text.at, b->text.at, a->text.n) == 0;
}

static void add_row(struct code_diff *d, enum diff_mark mark, const struct code_line *left,
                    const struct code_line *right)
{
    struct diff_row *row = &d->rows[d->count++];
    *row = (struct diff_row){.mark = mark};
    if (left)
        row->left = *left;
    if (right)
        row->right = *right;
    d->marked[mark]++;
}

/* Between two lines that both have: the first of the one is taken for a change of the first of
 * the other, and so on; what is left over only one has. */
static void add_between(struct code_diff *d, const struct code_lines *l, unsigned from, unsigned to,
                        const struct code_lines *r, unsigned r_from, unsigned r_to)
{
    while (from < to && r_from < r_to)
        add_row(d, DIFF_CHANGED, &l->at[from++], &r->at[r_from++]);
    while (from < to)
        add_row(d, DIFF_LEFT, &l->at[from++], NULL);
    while (r_from < r_to)
        add_row(d, DIFF_RIGHT, NULL, &r->at[r_from++]);
}

/* What it is worth to pair line i with j, 0: they differ. A pair before another one is worth more
 * than one that stands alone, as a brace may. */
static uint16_t worth(const struct code_lines *l, const struct code_lines *r, unsigned i,
                      unsigned j)
{
    if (!same_line(&l->at[i], &r->at[j]))
        return 0;
    bool next = i + 1 < l->count && j + 1 < r->count && same_line(&l->at[i + 1], &r->at[j + 1]);
    return next ? 3 : 2;
}

/* best[i][j]: what the pairs from i and from j on are worth together. */
static void fill_table(const struct code_lines *l, const struct code_lines *r, uint16_t *best)
{
    size_t width = (size_t)r->count + 1;
    for (unsigned i = l->count; i-- > 0;)
        for (unsigned j = r->count; j-- > 0;) {
            uint16_t *here = &best[i * width + j], pair = worth(l, r, i, j);
            uint16_t paired = pair ? (uint16_t)(pair + here[width + 1]) : 0;
            *here = here[width] > here[1] ? here[width] : here[1];
            *here = paired > *here ? paired : *here;
        }
}

static void walk_table(struct code_diff *d, const struct code_lines *l, const struct code_lines *r,
                       const uint16_t *best)
{
    size_t width = (size_t)r->count + 1;
    unsigned i = 0, j = 0, l_done = 0, r_done = 0;
    while (i < l->count && j < r->count) {
        const uint16_t *here = &best[i * width + j];
        uint16_t pair = worth(l, r, i, j);
        if (pair && *here == pair + here[width + 1]) {
            add_between(d, l, l_done, i, r, r_done, j);
            add_row(d, DIFF_SAME, &l->at[i++], &r->at[j++]);
            l_done = i;
            r_done = j;
        } else if (here[width] >= here[1]) {
            i++;
        } else {
            j++;
        }
    }
    add_between(d, l, l_done, l->count, r, r_done, r->count);
}

int code_diff(const struct code_lines *l, const struct code_lines *r, struct code_diff *d,
              struct err *e)
{
    d->rows = NULL;
    d->count = d->room = 0;
    memset(d->marked, 0, sizeof d->marked);
    if (l->count > MOST_LINES || r->count > MOST_LINES)
        return fail(e, "at most %d lines can be compared", MOST_LINES);
    size_t cells = ((size_t)l->count + 1) * ((size_t)r->count + 1);
    uint16_t *best = mem_get(&allocator_libc, cells * sizeof *best);
    d->room = l->count + r->count + 1;
    d->rows = mem_get(&allocator_libc, d->room * sizeof *d->rows);
    bool got = best && d->rows;
    if (got) {
        fill_table(l, r, best);
        walk_table(d, l, r, best);
    }
    mem_put(&allocator_libc, best, cells * sizeof *best);
    return got ? 0 : fail_memory(e);
}

void code_diff_free(struct code_diff *d)
{
    mem_put(&allocator_libc, d->rows, d->room * sizeof *d->rows);
    d->rows = NULL;
    d->count = d->room = 0;
}

/* ---- showing -------------------------------------------------------------------------- */

/* How many rows from `at` on both have. */
static unsigned same_run(const struct code_diff *d, unsigned at)
{
    unsigned n = 0;
    while (at + n < d->count && d->rows[at + n].mark == DIFF_SAME)
        n++;
    return n;
}

/* Of such a run, the rows in the middle are only counted: the first of them, and how many. */
static unsigned folded(const struct code_diff *d, unsigned at, unsigned run, unsigned *first)
{
    unsigned before = at == 0 ? 0 : AROUND, after = at + run == d->count ? 0 : AROUND;
    *first = at + before;
    return run > before + after + 1 ? run - before - after : 0;
}

/* "  162  float x = ..." wrapped into `width` columns. */
static void put_numbered(struct buf *out, const struct code_line *line, int width)
{
    if (line->number)
        buf_printf(out, "%5d%s", line->number, line->text.n ? "  " : "");
    else if (is_note(line))
        buf_puts(out, "       ");
    code_wrap(out, line->text.at, line->text.n, width, "       ");
}

/* One line with its mark in front; for who listens, the name of what has it. */
static void say_marked(struct report *r, const struct code_diff *d, const struct code_line *line,
                       char mark, enum ink ink)
{
    struct buf text;
    struct span rest, piece;
    buf_init(&text);
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

/* A run of rows that differ: first what the left one has, then the right one. */
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

/* One row in two columns, each wrapped in its own. */
static void say_row_beside(struct report *r, const struct diff_row *row)
{
    static const char marks[] = {[DIFF_SAME] = ' ', [DIFF_CHANGED] = '|', [DIFF_LEFT] = '<',
                                 [DIFF_RIGHT] = '>'};
    int half = (r->width - MIDDLE) / 2;
    struct buf left, right;
    buf_init(&left);
    buf_init(&right);
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
