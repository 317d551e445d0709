/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks for tests: students whose names are made to break each form, and feedback that tries to
 * pass for a line of a report. What is secret has the word SECRET in it.
 */
#ifndef TESTS_UNIT_MARKS_MADE_H
#define TESTS_UNIT_MARKS_MADE_H

#include "grade/marks.h"

#include <string.h>

static const char *const made_students[][2] = {
    {"Ann Lee", "1001"},
    {"ann lee", "1002"},
    {"Kim", "7"},
    {"Kim", "8"},
    {"=cmd|' /C calc'!A0", "+1"},
    {"@SUM(A1)", "-2"},
    {"\xEF\xBC\x9D"
     "1+1",
     ""},
    {"Bob \"the <b>\" & 'Co', Ltd.; # TODO", "a,b"},
    {"# SKIP ok 1 - all", "\t9"},
    {"-rf\n1..0 # SKIP\nnot ok 1", "x\ny"},
    {"\x1b[31mred\x1b[0m\a", ""},
    {"Zo\xC3\xAB \xE2\x80\xAE gnp", "\xE2\x80\xA8"},
    {"\xFF\xFE raw \xC3", ""},
    {"\xEF\xBF\xBE\xEF\xBF\xBF nothing", ""},
    {"../../../etc/passwd", "/"},
    {".hidden", ""},
    {"{}", "{}"},
    {"]]></failure><system-out>", "&lt;"},
    {"\\# back \\\\# TODO slash\\", "\\"},
    {"\xE6\x9D\x8E\xE5\xB0\x8F\xE9\xBE\x8D\xE6\x9D\x8E\xE5\xB0\x8F\xE9\xBE\x8D\xE6\x9D\x8E\xE5\xB0"
     "\x8F\xE9\xBE\x8D \xE6\x9D\x8E\xE5\xB0\x8F\xE9\xBE\x8D\xE6\x9D\x8E\xE5\xB0\x8F\xE9\xBE\x8D "
     "Maximiliane Alexandra Wolkenstein-Trostburg zu Hohenfels",
     "1"},
};
enum { MADE = sizeof made_students / sizeof *made_students, MADE_TESTS = 4 };

static const char made_feedback[] =
    "area is 23.5, wanted 24 \xE2\x80\x9Cquoted\xE2\x80\x9D\n"
    "ok 99 - forged\r\nnot ok 98\nBail out!\n1..0\n# TODO\n"
    "\"},{\"name\":\"forged\",\"score\":100},{\"\n]]></failure></testcase><testcase name=\"x\">\n"
    "\nPoints: 100 of 100 points\nruns: 2 of 2 points, "
    "passed\n\x01\x02\x1b]0;title\a\xFF\xEF\xBF\xBF";

/* In each hand-in another mixture of states, by its number. */
static int make_marked(struct marks *m, unsigned k, struct err *e)
{
    struct marked *h = marks_add(m, made_students[k][0], made_students[k][1], e);
    int rc = h ? 0 : -1;
    for (unsigned i = 0; rc == 0 && i < MADE_TESTS; i++) {
        const unsigned mix = k * 5 + i * 3;
        const enum mark_state state = k == 0 ? MARK_PASSED : (enum mark_state)(1 + mix % 3);
        const enum mark_cause cause = (enum mark_cause)(1 + mix % 5);
        rc = mark_set(m, h, i, state, cause,
                      state == MARK_PASSED ? NULL
                      : i == 2             ? "SECRET of the hidden test"
                                           : made_feedback,
                      state == MARK_PASSED ? NULL : "SECRET: for the instructor\n\x1b[2J", e);
    }
    if (rc == 0 && k % 4 == 3)
        rc = marked_say(m, h, k % 8 == 3 ? MARK_COMPILE : MARK_NO_CAUSE,
                        "k.cu(3): error: \"x\" is undefined\n<b>", "SECRET note", e);
    return rc;
}

static int make_marks(struct marks *m, struct err *e)
{
    if (marks_begin(m, "saxpy <&> \"#1\"", e) != 0 ||
        marks_test(m, "runs", 2 * POINT, false, -1, e) != 0 ||
        marks_test(m, "edges, n = 1 # TODO", 1 * POINT, false, 0, e) != 0 ||
        marks_test(m, "SECRET # SKIP name", 1500, true, -1, e) != 0 ||
        marks_test(m, "=1+1", 500, false, 2, e) != 0)
        return -1;
    for (unsigned k = 0; k < MADE; k++)
        if (make_marked(m, MADE - 1 - k, e) != 0)
            return -1;
    return marks_sort(m, e);
}

#endif
