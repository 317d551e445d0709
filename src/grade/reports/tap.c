/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TAP, for `prove` and Automake. Each test of each hand-in is a line. What else is known follows in
 * comments. Readers take "# SKIP" and "# TODO" for directives, and \# for a #. But Automake's
 * reader misses a directive behind an escaped one, so the # of such a word is shown by its number.
 */
#include "base/near.h"
#include "grade/reports/form.h"

#include <string.h>

/* Does it look like a directive? */
static bool looks_directive(const char *text)
{
    text += 1 + strspn(text + 1, " \t");
    const char *word = near_lower(*text) == 's' ? "skip" : "todo";
    for (; *word && near_lower(*text) == *word; text++)
        word++;
    return !*word;
}

/* A name is one line: it has no newlines. */
static void put_name(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '#' && looks_directive(text))
            buf_puts(out, "\\\\x23");
        else
            buf_printf(out, *text == '#' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void put_comment(struct buf *out, const char *text)
{
    struct span rest = {text, strlen(text)}, line;
    while (next_line(&rest, &line))
        buf_printf(out, "# %.*s\n", (int)line.n, line.at);
}

static void put_test(const struct marks *m, const struct marked *h, unsigned i, unsigned number,
                     struct buf *out)
{
    const struct mark_test *test = &m->test[i];
    const struct test_mark *mark = &h->mark[i];
    const enum mark_state state = mark_outcome(test, mark);
    struct buf name = {0}, more = {0};
    marked_name(m, h, &name);
    buf_printf(out, "%s %u - ", state == MARK_PASSED || state == MARK_SKIPPED ? "ok" : "not ok",
               number);
    put_name(out, buf_text(&name));
    buf_puts(out, ": ");
    put_name(out, test->name);
    buf_puts(out, " (");
    if (mark_known(mark))
        put_points_of(out, mark_points(mark), test->points);
    else
        buf_puts(out, "not graded");
    buf_puts(out, state == MARK_SKIPPED ? ") # SKIP another test did not pass\n" : ")\n");
    instructor_text(m, h, i, &more);
    put_comment(out, buf_text(&more));
    out->failed = out->failed || name.failed || more.failed;
    buf_free(&name);
    buf_free(&more);
}

static void write_tap(const struct form_ask *a, struct buf *out)
{
    const struct marks *m = a->marks;
    buf_printf(out, "TAP version 13\n1..%u\n", m->count * m->test_count);
    for (unsigned k = 0; k < m->count; k++) {
        put_comment(out, m->of[k]->feedback);
        put_comment(out, m->of[k]->note);
        for (unsigned i = 0; i < m->test_count; i++)
            put_test(m, m->of[k], i, k * m->test_count + i + 1, out);
    }
}

const struct mark_form form_tap = {.name = "tap",
                                   .ending = "tap",
                                   .help = "the Test Anything Protocol, for prove and Automake",
                                   .write = write_tap};
