/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a student sees of a test, and what an instructor sees. Feedback is set in by four blanks
 * where it is a part of a text, so none of its lines passes for a line of the report.
 */
#include "grade/reports/form.h"

#include <string.h>

void put_points_of(struct buf *out, int64_t points, int64_t most)
{
    char got[POINTS_TEXT], all[POINTS_TEXT];
    buf_printf(out, "%s of %s point%s", points_text(points, got), points_text(most, all),
               most == POINT ? "" : "s");
}

void put_cut(struct buf *out, const char *text, size_t most)
{
    const size_t length = strlen(text);
    size_t n = length < most ? length : most;
    while (n < length && n && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--; /* not within a character */
    buf_add(out, text, n);
    if (n < length)
        buf_puts(out, n ? "\n(The rest is left out.)" : "(This is left out.)");
}

/* ---- the student ------------------------------------------------------------------------- */

/* Its number among the hidden ones. */
static unsigned hidden_number(const struct marks *m, unsigned test)
{
    unsigned number = 0;
    for (unsigned i = 0; i <= test; i++)
        number += m->test[i].hidden;
    return number;
}

static void put_needed(const struct marks *m, int needs, struct buf *out)
{
    if (needs < 0 || m->test[needs].hidden)
        buf_puts(out, "This test was not run, because another test did not pass.");
    else
        buf_printf(out, "This test was not run, because the test `%s` did not pass.",
                   m->test[needs].name);
}

static void put_seen(const struct form_ask *a, unsigned test, struct buf *out)
{
    const struct test_mark *mark = &a->of->mark[test];
    if (mark->why)
        buf_puts(out, "Your instructor has set these points.");
    else if (mark->state == MARK_UNGRADED)
        buf_puts(out, "This test could not be graded.");
    else if (mark->state == MARK_SKIPPED)
        put_needed(a->marks, a->marks->test[test].needs, out);
    else
        put_cut(out, mark->feedback, a->text_most);
}

struct seen_test student_sees(const struct form_ask *a, unsigned test)
{
    const struct mark_test *t = &a->marks->test[test];
    const struct test_mark *mark = &a->of->mark[test];
    struct seen_test s = {.hidden = t->hidden,
                          .known = mark_known(mark),
                          .state = mark_outcome(t, mark),
                          .points = mark_points(mark),
                          .most = t->points};
    if (t->hidden) {
        buf_printf(&s.name, "hidden test %u", hidden_number(a->marks, test));
    } else {
        buf_puts(&s.name, t->name);
        put_seen(a, test, &s.text);
    }
    return s;
}

void seen_free(struct seen_test *s)
{
    buf_free(&s->name);
    buf_free(&s->text);
}

double student_part(const struct form_ask *a)
{
    return (double)marked_points(a->marks, a->of) / (double)marks_most(a->marks);
}

static void put_lines(struct buf *out, const char *text)
{
    struct span rest = {text, strlen(text)}, line;
    while (next_line(&rest, &line))
        buf_printf(out, "    %.*s\n", (int)line.n, line.at);
}

static void put_total(const struct form_ask *a, struct buf *out)
{
    const unsigned missing = marked_ungraded(a->marks, a->of);
    put_points_of(out, marked_points(a->marks, a->of), marks_most(a->marks));
    if (missing)
        buf_printf(out, ". %u test%s not graded, so this is not your mark", missing,
                   missing == 1 ? " is" : "s are");
    buf_puts(out, "\n");
}

void student_text(const struct form_ask *a, struct buf *out)
{
    static const char *const words[MARK_STATES] = {"", "passed", "failed", "not run"};
    struct buf whole = {0};
    buf_printf(out, "Exercise: %s\nStudent: ", a->marks->exercise);
    marked_name(a->marks, a->of, out);
    buf_puts(out, "\nPoints: ");
    put_total(a, out);
    put_cut(&whole, a->of->feedback, a->text_most);
    put_lines(out, buf_text(&whole));
    out->failed = out->failed || whole.failed;
    buf_free(&whole);
    for (unsigned i = 0; i < a->marks->test_count; i++) {
        struct seen_test s = student_sees(a, i);
        buf_printf(out, "\n%s: ", buf_text(&s.name));
        if (s.known)
            put_points_of(out, s.points, s.most);
        else
            buf_puts(out, "not graded");
        buf_printf(out, s.hidden || !s.known ? "\n" : ", %s\n", words[s.state]);
        put_lines(out, buf_text(&s.text));
        out->failed = out->failed || s.text.failed || s.name.failed;
        seen_free(&s);
    }
}

/* ---- the instructor ---------------------------------------------------------------------- */

static void put_paragraph(struct buf *out, const char *text)
{
    const size_t n = strlen(text);
    buf_add(out, text, n);
    if (n && text[n - 1] != '\n')
        buf_putc(out, '\n');
}

void instructor_text(const struct marks *m, const struct marked *h, unsigned test, struct buf *out)
{
    const struct test_mark *mark = &h->mark[test];
    const int needs = m->test[test].needs;
    char graded[POINTS_TEXT];
    if (mark->state == MARK_UNGRADED && !mark->why)
        buf_puts(out, "This test was not graded.\n");
    if (mark->state == MARK_SKIPPED && needs >= 0)
        buf_printf(out, "This test was not run, because the test `%s` did not pass.\n",
                   m->test[needs].name);
    put_paragraph(out, mark->feedback);
    put_paragraph(out, mark->note);
    if (mark->why)
        buf_printf(out, "Override: %s. Before that: %s.\n", mark->why,
                   mark->state == MARK_UNGRADED ? "not graded" : points_text(mark->points, graded));
}
