/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json of Gradescope's autograder. Gradescope hides a hidden test, and with it the sum,
 * from the student. Where a test was not graded there is no report: then Gradescope says that the
 * autograder failed, and gives no points.
 */
#include "grade/reports/form.h"

static void put_test(const struct form_ask *a, unsigned i, struct json *j)
{
    struct seen_test s = student_sees(a, i);
    json_object(j, NULL);
    json_bytes(j, "name", buf_text(&s.name), s.name.len);
    json_points(j, "score", true, s.points);
    json_points(j, "max_score", true, s.most);
    json_text(j, "status", s.state == MARK_PASSED ? "passed" : "failed");
    json_bytes(j, "output", buf_text(&s.text), s.text.len);
    json_text(j, "visibility", s.hidden ? "hidden" : "visible");
    json_end_object(j);
    j->out->failed = j->out->failed || s.name.failed || s.text.failed;
    seen_free(&s);
}

static void write_gradescope(const struct form_ask *a, struct buf *out)
{
    struct buf text = {0};
    struct json j;
    put_cut(&text, a->of->feedback, a->text_most);
    json_begin(&j, out);
    json_object(&j, NULL);
    json_points(&j, "score", true, marked_points(a->marks, a->of));
    json_bytes(&j, "output", buf_text(&text), text.len);
    json_text(&j, "output_format", "text");
    json_text(&j, "test_output_format", "text");
    json_text(&j, "test_name_format", "text");
    json_text(&j, "visibility", "visible");
    json_text(&j, "stdout_visibility", "hidden");
    json_array(&j, "tests");
    for (unsigned i = 0; i < a->marks->test_count; i++)
        put_test(a, i, &j);
    json_end_array(&j);
    json_end_object(&j);
    buf_putc(out, '\n');
    out->failed = out->failed || text.failed;
    buf_free(&text);
}

const struct mark_form form_gradescope = {.name = "gradescope",
                                          .ending = "json",
                                          .help = "results.json of Gradescope, for one student",
                                          .one = true,
                                          .complete = true,
                                          .most = 1000000,
                                          .write = write_gradescope};
