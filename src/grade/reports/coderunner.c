/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a template grader of CodeRunner prints for a test of a question in Moodle: the whole
 * exercise is this one test. Where something was not graded there is no report; then CodeRunner
 * says that grading failed, and gives no points.
 */
#include "grade/reports/form.h"

static void write_coderunner(const struct form_ask *a, struct buf *out)
{
    struct buf text = {0};
    struct json j;
    student_text(a, &text);
    json_begin(&j, out);
    json_object(&j, NULL);
    json_f64(&j, "fraction", student_part(a));
    json_bytes(&j, "got", buf_text(&text), text.len);
    json_end_object(&j);
    buf_putc(out, '\n');
    out->failed = out->failed || text.failed;
    buf_free(&text);
}

const struct mark_form form_coderunner = {
    .name = "coderunner",
    .ending = "json",
    .help = "what a template grader of CodeRunner prints, for one student",
    .one = true,
    .complete = true,
    .by_part = true,
    .most = 1000000,
    .write = write_coderunner};
