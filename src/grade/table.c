/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each test is a column under its name. Where the names are too wide, the columns have numbers, and
 * a list says which test is which. Where even these don't fit, one column has a sign for each test.
 */
#include "grade/table.h"

#include "screen/columns.h"
#include "screen/paint.h"
#include "screen/picture.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

enum table_heads { HEADS_NAMES, HEADS_NUMBERS, HEADS_SIGNS, HEADS_NONE };
enum { NAME_LEAST = 16, GAP = 2, OTHER_COLUMNS = 3, NUMBER_TEXT = 12 };

/* Frees a text that was a part of what is said. A broken one breaks the screen. */
static void done(struct report *r, struct buf *part)
{
    r->screen.failed = r->screen.failed || part->failed;
    buf_free(part);
}

/* ---- columns ----------------------------------------------------------------------------- */

static int cell_width(const struct mark_test *test)
{
    char text[POINTS_TEXT];
    return (int)strlen(points_text(test->points, text)) + 1; /* a star may follow */
}

static int name_width(const struct marks *m)
{
    int widest = columns_of_text("student");
    for (unsigned i = 0; i < m->count && widest < NAME_LEAST; i++) {
        const int width = columns_of_text(m->of[i]->student);
        widest = width > widest ? width : widest;
    }
    return widest < NAME_LEAST ? widest : NAME_LEAST; /* a longer name goes on in the next line */
}

static int heads_width(const struct marks *m, enum table_heads heads)
{
    char points[POINTS_TEXT];
    const int sum = (int)strlen(points_text(marks_most(m), points)) * 2 + 4; /* "7 of 10" */
    int width = name_width(m) + GAP + (sum > 6 ? sum : 6) + GAP + (int)strlen("not graded");
    if (heads == HEADS_SIGNS)
        return width + GAP + (m->test_count > 5 ? (int)m->test_count : 5);
    for (unsigned i = 0; i < m->test_count; i++) {
        const int head = heads == HEADS_NAMES ? columns_of_text(m->test[i].name) : i < 9 ? 1 : 2;
        const int cell = cell_width(&m->test[i]);
        width += GAP + (head > cell ? head : cell);
    }
    return width;
}

static enum table_heads choose_heads(const struct report *r, const struct marks *m)
{
    enum table_heads heads =
        m->test_count + OTHER_COLUMNS <= TABLE_COLUMNS ? HEADS_NAMES : HEADS_SIGNS;
    while (heads < HEADS_NONE && heads_width(m, heads) > r->width)
        heads++;
    return heads;
}

/* ---- rows -------------------------------------------------------------------------------- */

static enum ink ink_of(enum mark_state state)
{
    return state == MARK_PASSED ? INK_GOOD : state == MARK_SKIPPED ? INK_DIM : INK_BAD;
}

static void put_mark(struct table *t, const struct mark_test *test, const struct test_mark *mark)
{
    const enum mark_state state = mark_outcome(test, mark);
    char points[POINTS_TEXT];
    if (!mark_known(mark))
        table_cell_in(t, INK_BAD, "?");
    else if (state == MARK_SKIPPED)
        table_cell_in(t, INK_DIM, "-");
    else
        table_cell_in(t, ink_of(state), "%s%s", points_text(mark_points(mark), points),
                      mark->why ? "*" : "");
}

static void put_signs(struct report *r, struct table *t, const struct marks *m,
                      const struct marked *h)
{
    static const char signs[MARK_STATES + 1] = "?+x-";
    struct buf text = {0};
    for (unsigned i = 0; i < m->test_count; i++)
        buf_putc(&text, h->mark[i].why ? '*' : signs[h->mark[i].state]);
    table_cell(t, "%s", buf_text(&text));
    done(r, &text);
}

static void put_row(struct report *r, struct table *t, const struct marks *m,
                    const struct marked *h, enum table_heads heads)
{
    const enum mark_cause cause = marked_cause(m, h);
    const unsigned missing = marked_ungraded(m, h);
    struct buf name = {0};
    char points[POINTS_TEXT], most[POINTS_TEXT];
    marked_name(m, h, &name);
    table_cell(t, "%s", buf_text(&name));
    for (unsigned i = 0; i < m->test_count && heads <= HEADS_NUMBERS; i++)
        put_mark(t, &m->test[i], &h->mark[i]);
    if (heads == HEADS_SIGNS)
        put_signs(r, t, m, h);
    if (missing)
        table_cell_in(t, INK_BAD, "?");
    else
        table_cell(t, "%s of %s", points_text(marked_points(m, h), points),
                   points_text(marks_most(m), most));
    table_cell(t, "%s", missing ? "not graded" : mark_cause_names[cause]);
    done(r, &name);
}

static void say_rows(struct report *r, const struct marks *m, enum table_heads heads)
{
    struct table_column column[TABLE_COLUMNS] = {{.head = "student", .folds = true}};
    char number[TABLE_COLUMNS][NUMBER_TEXT];
    struct table t;
    int count = 1;
    for (unsigned i = 0; i < m->test_count && heads <= HEADS_NUMBERS; i++, count++) {
        snprintf(number[i], sizeof number[i], "%u", i + 1);
        column[count] = (struct table_column){
            .head = heads == HEADS_NAMES ? m->test[i].name : number[i], .right = true};
    }
    if (heads == HEADS_SIGNS)
        column[count++] = (struct table_column){.head = "tests"};
    column[count++] = (struct table_column){.head = "points", .right = true};
    column[count++] = (struct table_column){.head = "cause"};
    table_begin(&t, column, count, 0);
    for (unsigned k = 0; k < m->count; k++)
        put_row(r, &t, m, m->of[k], heads);
    say_table(r, &t);
}

/* ---- what the columns mean --------------------------------------------------------------- */

static void say_tests(struct report *r, const struct marks *m)
{
    for (unsigned i = 0; i < m->test_count; i++) {
        const struct mark_test *test = &m->test[i];
        char points[POINTS_TEXT];
        say(r, "%4u  ", i + 1);
        say_wrapped(r, 6, "%s, %s point%s%s", test->name, points_text(test->points, points),
                    test->points == POINT ? "" : "s", test->hidden ? ", hidden" : "");
    }
}

/* Is there such a mark? */
static bool any(const struct marks *m, bool overridden, enum mark_state state)
{
    for (unsigned k = 0; k < m->count; k++)
        for (unsigned i = 0; i < m->test_count; i++) {
            const struct test_mark *mark = &m->of[k]->mark[i];
            if (overridden ? mark->why != NULL : !mark->why && mark->state == state)
                return true;
        }
    return false;
}

static void say_paragraph(struct report *r, const char *text)
{
    say(r, "\n");
    say_wrapped(r, 0, "%s", text);
}

static void say_key(struct report *r, const struct marks *m, enum table_heads heads)
{
    if (heads == HEADS_NUMBERS || heads == HEADS_SIGNS) {
        say(r, "\n");
        say_tests(r, m);
    }
    if (heads == HEADS_SIGNS)
        say_paragraph(r, "The signs: + passed, x failed, - not run, ? not graded, * set by an "
                         "override.");
    if (heads <= HEADS_NUMBERS && any(m, false, MARK_SKIPPED))
        say_paragraph(r, "A test with a dash was not run, because another test did not pass.");
    if (any(m, false, MARK_UNGRADED))
        say_paragraph(r, "A question mark stands for a test that was not graded. It does not count "
                         "as 0 points.");
}

/* ---- what failed, by its cause ----------------------------------------------------------- */

enum { NOT_GRADED = MARK_CAUSES }; /* after the causes: a group of its own */

/* Is the test of a hand-in one that failed for this cause? test: -1 asks for the hand-in as a
 * whole, which explains all of its tests. */
static bool failed_by(const struct marks *m, const struct marked *h, int test, unsigned cause)
{
    if (test < 0)
        return h->cause == cause && cause != MARK_NO_CAUSE;
    const struct test_mark *mark = &h->mark[test];
    if (cause == NOT_GRADED)
        return !mark_known(mark);
    return h->cause == MARK_NO_CAUSE && mark->cause == cause &&
           mark_outcome(&m->test[test], mark) == MARK_FAILED;
}

static unsigned count_failed(const struct marks *m, unsigned cause)
{
    unsigned count = 0;
    for (unsigned k = 0; k < m->count; k++) {
        int test = -1;
        while (test < (int)m->test_count && !failed_by(m, m->of[k], test, cause))
            test++;
        count += test < (int)m->test_count;
    }
    return count;
}

/* The names of all hand-ins that failed in a test, in one item. */
static void say_group(struct report *r, const struct marks *m, int test, unsigned cause)
{
    struct buf text = {0};
    const char *reason = "";
    bool found = false;
    if (test >= 0)
        buf_printf(&text, "%s: ", m->test[test].name);
    for (unsigned k = 0; k < m->count; k++)
        if (failed_by(m, m->of[k], test, cause)) {
            buf_puts(&text, found ? ", " : "");
            marked_name(m, m->of[k], &text);
            if (cause == NOT_GRADED && !*reason)
                reason = m->of[k]->mark[test].note;
            found = true;
        }
    if (*reason)
        buf_printf(&text, ". The reason for the first one: %.*s", (int)strcspn(reason, "\n"),
                   reason);
    if (found) {
        say(r, "  ");
        say_wrapped(r, 4, "%s", buf_text(&text));
    }
    done(r, &text);
}

static void say_causes(struct report *r, const struct marks *m)
{
    for (unsigned cause = MARK_NO_CAUSE; cause <= NOT_GRADED; cause++) {
        const unsigned count = count_failed(m, cause);
        if (!count)
            continue;
        say(r, "\n");
        say_in(r, INK_HEADING, "%s: %u hand-in%s",
               cause == NOT_GRADED      ? "not graded"
               : cause == MARK_NO_CAUSE ? "without a cause"
                                        : mark_cause_names[cause],
               count, count == 1 ? "" : "s");
        say(r, "\n");
        for (int i = -1; i < (int)m->test_count; i++)
            say_group(r, m, i, cause);
    }
}

static void say_override(struct report *r, const struct marks *m, const struct marked *h,
                         unsigned test)
{
    const struct test_mark *mark = &h->mark[test];
    struct buf name = {0};
    char now[POINTS_TEXT], most[POINTS_TEXT], before[POINTS_TEXT];
    marked_name(m, h, &name);
    say(r, "  ");
    say_wrapped(r, 4, "%s, %s: %s of %s, before that %s: %s", buf_text(&name), m->test[test].name,
                points_text(mark->override, now), points_text(m->test[test].points, most),
                mark->state == MARK_UNGRADED ? "not graded" : points_text(mark->points, before),
                mark->why);
    done(r, &name);
}

static void say_overrides(struct report *r, const struct marks *m)
{
    if (!any(m, true, MARK_UNGRADED))
        return;
    say(r, "\n");
    say_in(r, INK_HEADING, "Overrides");
    say(r, "\n");
    for (unsigned k = 0; k < m->count; k++)
        for (unsigned i = 0; i < m->test_count; i++)
            if (m->of[k]->mark[i].why)
                say_override(r, m, m->of[k], i);
}

static void say_notes(struct report *r, const struct marks *m)
{
    bool first = true;
    for (unsigned k = 0; k < m->count; k++) {
        struct buf name = {0};
        if (!*m->of[k]->note)
            continue;
        say(r, first ? "\n" : "");
        if (first)
            say_in(r, INK_HEADING, "Notes");
        say(r, first ? "\n" : "");
        first = false;
        marked_name(m, m->of[k], &name);
        say(r, "  ");
        say_wrapped(r, 4, "%s: %.*s", buf_text(&name), (int)strcspn(m->of[k]->note, "\n"),
                    m->of[k]->note);
        done(r, &name);
    }
}

static void say_sum(struct report *r, const struct marks *m)
{
    const int64_t most = marks_most(m);
    const unsigned missing = marks_ungraded(m);
    unsigned full = 0;
    for (unsigned k = 0; k < m->count; k++)
        full += !marked_ungraded(m, m->of[k]) && marked_points(m, m->of[k]) == most;
    say(r, "\n");
    say_wrapped(r, 0, "%u of %u hand-in%s all points.", full, m->count,
                m->count == 1 ? " has" : "s have");
    if (missing)
        say_wrapped(r, 0, "%u hand-in%s not graded as a whole.", missing,
                    missing == 1 ? " is" : "s are");
}

void marks_say(struct report *r, const struct marks *m)
{
    const enum table_heads heads = choose_heads(r, m);
    say_in(r, INK_HEADING, "%s", m->exercise);
    say(r, "\n");
    say_rows(r, m, heads);
    say_key(r, m, heads);
    say_causes(r, m);
    say_overrides(r, m);
    say_notes(r, m);
    say_sum(r, m);
}

/* ---- two runs ---------------------------------------------------------------------------- */

static void put_points(struct buf *out, const struct test_mark *mark)
{
    char text[POINTS_TEXT];
    buf_puts(out, !mark ? "-" : !mark_known(mark) ? "?" : points_text(mark_points(mark), text));
}

static void put_changed_tests(struct buf *out, const struct mark_changes *c,
                              const struct mark_change *change)
{
    const struct test_mark *before, *now;
    for (unsigned i = 0; i < c->now->test_count && change->before && change->now; i++)
        if (mark_change_at(c, change, i, &before, &now)) {
            buf_printf(out, "%s%s: ", out->len ? ", " : "", c->now->test[i].name);
            put_points(out, before);
            buf_puts(out, " to ");
            put_points(out, now);
        }
}

static void put_sum(struct table *t, const struct marks *m, const struct marked *h)
{
    char text[POINTS_TEXT];
    table_cell(t, "%s",
               !h                      ? "-"
               : marked_ungraded(m, h) ? "?"
                                       : points_text(marked_points(m, h), text));
}

static void say_change(struct report *r, struct table *t, const struct mark_changes *c,
                       const struct mark_change *change)
{
    struct buf name = {0}, tests = {0};
    marked_name(change->now ? c->now : c->before, change->now ? change->now : change->before,
                &name);
    put_changed_tests(&tests, c, change);
    table_cell(t, "%s", buf_text(&name));
    put_sum(t, c->before, change->before);
    put_sum(t, c->now, change->now);
    table_cell(t, "%s",
               !change->before ? "a new hand-in"
               : !change->now  ? "no hand-in any more"
                               : buf_text(&tests));
    done(r, &name);
    done(r, &tests);
}

void marks_say_changes(struct report *r, const struct mark_changes *c)
{
    static const struct table_column columns[] = {{.head = "student"},
                                                  {.head = "before", .right = true},
                                                  {.head = "now", .right = true},
                                                  {.head = "tests", .folds = true}};
    struct table t;
    if (!c->count) {
        say_wrapped(r, 0, "No marks have changed.");
        return;
    }
    say_wrapped(r, 0, "The marks of %u hand-in%s changed.", c->count,
                c->count == 1 ? " have" : "s have");
    table_begin(&t, columns, sizeof columns / sizeof *columns, 0);
    for (unsigned k = 0; k < c->count; k++)
        say_change(r, &t, c, &c->change[k]);
    say_table(r, &t);
}
