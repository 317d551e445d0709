/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json of PrairieLearn's external grader. It reads at most 1 MB. It shows all that is in
 * the file to the student. Where a test was not graded, the file says that the hand-in is not
 * gradable: then no attempt is used up, and there is no score.
 */
#include "grade/reports/form.h"

static void put_test(const struct form_ask *a, unsigned i, struct json *j)
{
    struct seen_test s = student_sees(a, i);
    json_object(j, NULL);
    json_bytes(j, "name", buf_text(&s.name), s.name.len);
    json_points(j, "points", true, s.points);
    json_points(j, "max_points", true, s.most);
    json_bytes(j, "output", buf_text(&s.text), s.text.len);
    json_end_object(j);
    j->out->failed = j->out->failed || s.name.failed || s.text.failed;
    seen_free(&s);
}

static void put_ungradable(struct json *j)
{
    static const char why[] = "The grader could not grade this hand-in. This is not a mistake of "
                              "yours. Please tell your instructor.";
    json_bool(j, "gradable", false);
    json_text(j, "message", why);
    json_array(j, "format_errors");
    json_text(j, NULL, why);
    json_end_array(j);
}

static void put_graded(const struct form_ask *a, struct json *j)
{
    struct buf text = {0}, sum = {0};
    put_cut(&text, a->of->feedback, a->text_most);
    put_points_of(&sum, marked_points(a->marks, a->of), marks_most(a->marks));
    json_bool(j, "gradable", true);
    json_f64(j, "score", student_part(a));
    json_bytes(j, "message", buf_text(&sum), sum.len);
    json_bytes(j, "output", buf_text(&text), text.len);
    json_array(j, "tests");
    for (unsigned i = 0; i < a->marks->test_count; i++)
        put_test(a, i, j);
    json_end_array(j);
    j->out->failed = j->out->failed || text.failed || sum.failed;
    buf_free(&text);
    buf_free(&sum);
}

static void write_prairielearn(const struct form_ask *a, struct buf *out)
{
    struct json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    if (marked_ungraded(a->marks, a->of))
        put_ungradable(&j);
    else
        put_graded(a, &j);
    json_end_object(&j);
    buf_putc(out, '\n');
}

const struct mark_form form_prairielearn = {
    .name = "prairielearn",
    .ending = "json",
    .help = "results.json of PrairieLearn's external grader, for one student",
    .one = true,
    .by_part = true,
    .most = 1000000,
    .write = write_prairielearn};
