/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit's XML, for Jenkins, GitLab and others: a suite for each hand-in, a case for each test. The
 * elements and their order are those of Jenkins' schema. A test that was not graded is an error,
 * one that did not pass is a failure. There are no times.
 */
#include "grade/reports/form.h"

#include "screen/html.h"

#include <string.h>

static void put_xml(struct buf *out, const char *text, size_t n)
{
    html_text(out, text, n); /* the same four characters */
}

static void put_attribute(struct buf *out, const char *name, const char *text)
{
    buf_printf(out, " %s=\"", name);
    put_xml(out, text, strcspn(text, "\n")); /* a reader would turn a newline into a blank */
    buf_putc(out, '"');
}

static void put_element(struct buf *out, const char *name, const char *text)
{
    buf_printf(out, "<%s>", name);
    put_xml(out, text, strlen(text));
    buf_printf(out, "</%s>\n", name);
}

static unsigned count_of(const struct marks *m, const struct marked *h, enum mark_state state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < m->test_count; i++)
        count += mark_outcome(&m->test[i], &h->mark[i]) == state;
    return count;
}

static void put_verdict(struct buf *out, const char *name, const struct test_mark *mark,
                        const char *text)
{
    buf_printf(out, "<%s", name);
    put_attribute(out, "message", text);
    put_attribute(out, "type", mark->cause ? mark_cause_names[mark->cause] : "ungraded");
    buf_putc(out, '>');
    put_xml(out, text, strlen(text));
    buf_printf(out, "</%s>\n", name);
}

static void put_case(const struct marks *m, const struct marked *h, unsigned i, struct buf *out)
{
    const struct mark_test *test = &m->test[i];
    const struct test_mark *mark = &h->mark[i];
    const enum mark_state state = mark_outcome(test, mark);
    struct buf text = {0}, points = {0};
    instructor_text(m, h, i, &text);
    put_points_of(&points, mark_points(mark), test->points);
    buf_puts(out, "<testcase");
    put_attribute(out, "classname", m->exercise);
    put_attribute(out, "name", test->name);
    buf_puts(out, ">\n");
    if (state == MARK_SKIPPED) {
        buf_puts(out, "<skipped");
        put_attribute(out, "message", buf_text(&text));
        buf_puts(out, "/>\n");
    } else if (state != MARK_PASSED) {
        put_verdict(out, state == MARK_UNGRADED ? "error" : "failure", mark, buf_text(&text));
    }
    if (mark_known(mark))
        put_element(out, "system-out", buf_text(&points));
    if (state == MARK_PASSED && text.len)
        put_element(out, "system-err", buf_text(&text));
    buf_puts(out, "</testcase>\n");
    out->failed = out->failed || text.failed || points.failed;
    buf_free(&text);
    buf_free(&points);
}

static void put_property(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, "<property name=\"%s\"", name);
    put_attribute(out, "value", value);
    buf_puts(out, "/>\n");
}

static void put_suite(const struct marks *m, const struct marked *h, struct buf *out)
{
    struct buf name = {0}, points = {0};
    marked_name(m, h, &name);
    put_points_of(&points, marked_points(m, h), marks_most(m));
    buf_puts(out, "<testsuite");
    put_attribute(out, "name", buf_text(&name));
    buf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n<properties>\n",
               m->test_count, count_of(m, h, MARK_FAILED), count_of(m, h, MARK_UNGRADED),
               count_of(m, h, MARK_SKIPPED));
    put_property(out, "id", h->id);
    if (!marked_ungraded(m, h))
        put_property(out, "points", buf_text(&points));
    buf_puts(out, "</properties>\n");
    for (unsigned i = 0; i < m->test_count; i++)
        put_case(m, h, i, out);
    if (*h->feedback)
        put_element(out, "system-out", h->feedback);
    if (*h->note)
        put_element(out, "system-err", h->note);
    buf_puts(out, "</testsuite>\n");
    out->failed = out->failed || name.failed || points.failed;
    buf_free(&name);
    buf_free(&points);
}

static void write_junit(const struct form_ask *a, struct buf *out)
{
    const struct marks *m = a->marks;
    unsigned failures = 0, errors = 0;
    for (unsigned k = 0; k < m->count; k++) {
        failures += count_of(m, m->of[k], MARK_FAILED);
        errors += count_of(m, m->of[k], MARK_UNGRADED);
    }
    buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute(out, "name", m->exercise);
    buf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\">\n", m->count * m->test_count,
               failures, errors);
    for (unsigned k = 0; k < m->count; k++)
        put_suite(m, m->of[k], out);
    buf_puts(out, "</testsuites>\n");
}

const struct mark_form form_junit = {.name = "junit",
                                     .ending = "xml",
                                     .help = "JUnit's XML, for Jenkins and GitLab",
                                     .write = write_junit};
