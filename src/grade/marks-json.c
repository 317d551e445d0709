/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each kind of object has one list of names, in the order in which its members are written. Both
 * directions use it.
 */
#include "grade/marks-json.h"

#include "base/json-check.h"
#include "base/json-find.h"
#include "os/file.h"

#include <stdio.h>
#include <string.h>

/* ---- the members ------------------------------------------------------------------------- */

enum { ALL_VERSION, ALL_EXERCISE, ALL_MOST, ALL_TESTS, ALL_HAND_INS, ALL };
static const char *const all_names[] = {"cudalab_marks", "exercise", "most",
                                        "tests",         "hand_ins", NULL};

enum { TEST_NAME, TEST_POINTS, TEST_HIDDEN, TEST_NEEDS, TEST };
static const char *const test_names[] = {"name", "points", "hidden", "needs", NULL};

enum { OF_STUDENT, OF_ID, OF_POINTS, OF_UNGRADED, OF_CAUSE, OF_FEEDBACK, OF_NOTE, OF_TESTS, OF };
static const char *const of_names[] = {"student",  "id",   "points", "ungraded", "cause",
                                       "feedback", "note", "tests",  NULL};

enum {
    MARK_NAME,
    MARK_STATE,
    MARK_POINTS,
    MARK_CAUSE,
    MARK_FEEDBACK,
    MARK_NOTE,
    MARK_OVERRIDE,
    MARK
};
static const char *const mark_names[] = {"name",     "state", "points",   "cause",
                                         "feedback", "note",  "override", NULL};

enum { OVERRIDE_WHY, OVERRIDE_STATE, OVERRIDE_POINTS, OVERRIDE };
static const char *const override_names[] = {"why", "state", "points", NULL};

/* ---- writing ----------------------------------------------------------------------------- */

void json_points(struct json *j, const char *key, bool known, int64_t points)
{
    char text[POINTS_TEXT];
    if (!known)
        json_null(j, key);
    else
        json_raw(j, key, text, strlen(points_text(points, text)));
}

static void put_cause(struct json *j, const char *key, enum mark_cause cause)
{
    json_text(j, key, cause == MARK_NO_CAUSE ? NULL : mark_cause_names[cause]);
}

static void put_override(struct json *j, const struct test_mark *mark)
{
    json_object(j, mark_names[MARK_OVERRIDE]);
    json_text(j, override_names[OVERRIDE_WHY], mark->why);
    json_text(j, override_names[OVERRIDE_STATE], mark_state_names[mark->state]);
    json_points(j, override_names[OVERRIDE_POINTS], mark->state != MARK_UNGRADED, mark->points);
    json_end_object(j);
}

static void put_mark(struct json *j, const struct mark_test *test, const struct test_mark *mark)
{
    json_object(j, NULL);
    json_text(j, mark_names[MARK_NAME], test->name);
    json_text(j, mark_names[MARK_STATE], mark_state_names[mark_outcome(test, mark)]);
    json_points(j, mark_names[MARK_POINTS], mark_known(mark), mark_points(mark));
    put_cause(j, mark_names[MARK_CAUSE], mark->cause);
    json_text(j, mark_names[MARK_FEEDBACK], mark->feedback);
    json_text(j, mark_names[MARK_NOTE], mark->note);
    if (mark->why)
        put_override(j, mark);
    json_end_object(j);
}

void marked_json(const struct marks *m, const struct marked *h, struct json *j, const char *key)
{
    json_object(j, key);
    json_text(j, of_names[OF_STUDENT], h->student);
    json_text(j, of_names[OF_ID], h->id);
    json_points(j, of_names[OF_POINTS], true, marked_points(m, h));
    json_uint(j, of_names[OF_UNGRADED], marked_ungraded(m, h));
    put_cause(j, of_names[OF_CAUSE], h->cause);
    json_text(j, of_names[OF_FEEDBACK], h->feedback);
    json_text(j, of_names[OF_NOTE], h->note);
    json_array(j, of_names[OF_TESTS]);
    for (unsigned i = 0; i < m->test_count; i++)
        put_mark(j, &m->test[i], &h->mark[i]);
    json_end_array(j);
    json_end_object(j);
}

static void put_test(const struct marks *m, const struct mark_test *test, struct json *j)
{
    json_object(j, NULL);
    json_text(j, test_names[TEST_NAME], test->name);
    json_points(j, test_names[TEST_POINTS], true, test->points);
    json_bool(j, test_names[TEST_HIDDEN], test->hidden);
    json_text(j, test_names[TEST_NEEDS], test->needs < 0 ? NULL : m->test[test->needs].name);
    json_end_object(j);
}

void marks_json(const struct marks *m, struct buf *out)
{
    struct json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    json_uint(&j, all_names[ALL_VERSION], 1);
    json_text(&j, all_names[ALL_EXERCISE], m->exercise);
    json_points(&j, all_names[ALL_MOST], true, marks_most(m));
    json_array(&j, all_names[ALL_TESTS]);
    for (unsigned i = 0; i < m->test_count; i++)
        put_test(m, &m->test[i], &j);
    json_end_array(&j);
    json_array(&j, all_names[ALL_HAND_INS]);
    for (unsigned i = 0; i < m->count; i++) {
        buf_putc(out, '\n'); /* a line for each, so that two files can be compared */
        marked_json(m, m->of[i], &j, NULL);
    }
    json_end_array(&j);
    json_end_object(&j);
    buf_putc(out, '\n');
}

/* ---- reading ----------------------------------------------------------------------------- */

int json_fields(struct span object, const char *const *names, unsigned required, const char *what,
                struct span *values, struct err *e)
{
    struct json_walk walk = json_walk(object);
    struct span name, value;
    if (!begins(object, "{"))
        return fail(e, "%s is not an object", what);
    for (unsigned i = 0; names[i]; i++)
        values[i] = (struct span){NULL, 0};
    while (json_next_member(&walk, &name, &value)) {
        const int i = mark_named(names, name);
        if (i < 0)
            return fail(e, "%s has a member `%.*s` that is not known", what,
                        name.n < 60 ? (int)name.n : 60, name.at);
        if (values[i].at)
            return fail(e, "%s has the member `%s` twice", what, names[i]);
        values[i] = value;
    }
    for (unsigned i = 0; i < required; i++)
        if (!values[i].at)
            return fail(e, "%s lacks the member `%s`", what, names[i]);
    return 0;
}

static int read_text(struct span value, const char *name, struct buf *out, struct err *e)
{
    buf_clear(out);
    if (json_string(value, out) != 0 || memchr(buf_text(out), '\0', out->len))
        return fail(e, "`%s` is not a text without a byte of 0", name);
    return out->failed ? fail_memory(e) : 0;
}

/* null: *known is false. */
static int read_points(struct span value, const char *name, bool *known, int64_t *points,
                       struct err *e)
{
    char text[POINTS_TEXT] = "";
    *known = !same_text(value, "null");
    *points = 0;
    if (!*known)
        return 0;
    if (value.n < sizeof text)
        memcpy(text, value.at, value.n);
    return value.n >= sizeof text || points_read(text, points, NULL) != 0
               ? fail(e, "`%s` is not a number of points: %.*s", name,
                      value.n < 40 ? (int)value.n : 40, value.at)
               : 0;
}

static int read_sum(struct span value, const char *name, int64_t wanted, struct err *e)
{
    char text[POINTS_TEXT];
    return same_text(value, points_text(wanted, text))
               ? 0
               : fail(e, "`%s` is %.*s, but the tests give %s", name,
                      value.n < 40 ? (int)value.n : 40, value.at, text);
}

/* A text that must be in the list; null is its first one where `may_lack`. */
static int read_choice(struct span value, const char *name, const char *const *list, bool may_lack,
                       int *choice, struct err *e)
{
    const bool quoted = value.n > 2 && *value.at == '"';
    if (may_lack && same_text(value, "null")) {
        *choice = 0;
        return 0;
    }
    *choice = quoted ? mark_named(list, (struct span){value.at + 1, value.n - 2}) : -1;
    return *choice < 0 ? fail(e, "`%s` has an unknown value: %.*s", name,
                              value.n < 40 ? (int)value.n : 40, value.at)
                       : 0;
}

/* What the override says was graded; the mark itself has what counts. */
static int read_override(struct marks *m, struct test_mark *mark, struct span object, struct err *e)
{
    struct span value[OVERRIDE];
    struct buf why = {0};
    int state, rc = -1;
    bool known;
    mark->override = mark->points;
    if (json_fields(object, override_names, OVERRIDE, "an override", value, e) == 0 &&
        read_text(value[OVERRIDE_WHY], "why", &why, e) == 0 &&
        read_choice(value[OVERRIDE_STATE], "state", mark_state_names, false, &state, e) == 0 &&
        read_points(value[OVERRIDE_POINTS], "points", &known, &mark->points, e) == 0) {
        mark->state = (enum mark_state)state;
        mark->why = marks_text(m, buf_text(&why));
        rc = !mark->why ? fail_memory(e)
             : known != (mark->state != MARK_UNGRADED)
                 ? fail(e, "a test that is not graded has points, or another one has none")
                 : 0;
    }
    buf_free(&why);
    return rc;
}

static int check_mark(const struct mark_test *test, const struct test_mark *mark, struct err *e)
{
    const int64_t points = mark->points;
    const bool fits = points <= test->points && (!mark->why || mark->override <= test->points) &&
                      (mark->state != MARK_UNGRADED || points == 0);
    return fits ? 0 : fail(e, "a mark has more points than its test");
}

static int read_mark_values(struct marks *m, struct marked *h, unsigned at, struct span *value,
                            struct buf *feedback, struct buf *note, struct err *e)
{
    struct test_mark *mark = &h->mark[at];
    int state, cause;
    int64_t points;
    bool known;
    if (read_text(value[MARK_FEEDBACK], "feedback", feedback, e) != 0 ||
        read_text(value[MARK_NOTE], "note", note, e) != 0 ||
        read_choice(value[MARK_STATE], "state", mark_state_names, false, &state, e) != 0 ||
        read_choice(value[MARK_CAUSE], "cause", mark_cause_names, true, &cause, e) != 0 ||
        read_points(value[MARK_POINTS], "points", &known, &points, e) != 0 ||
        mark_set(m, h, at, (enum mark_state)state, (enum mark_cause)cause, buf_text(feedback),
                 buf_text(note), e) != 0)
        return -1;
    mark->points = points;
    mark->cause = (enum mark_cause)cause;
    if (known != (state != MARK_UNGRADED))
        return fail(e, "a test that is not graded has points, or another one has none");
    if (value[MARK_OVERRIDE].at && read_override(m, mark, value[MARK_OVERRIDE], e) != 0)
        return -1;
    return check_mark(&m->test[at], mark, e);
}

static int read_mark(struct marks *m, struct marked *h, unsigned at, struct span object,
                     struct err *e)
{
    struct span value[MARK];
    struct buf text = {0}, note = {0};
    int rc = json_fields(object, mark_names, MARK_OVERRIDE, "a mark", value, e);
    if (rc == 0)
        rc = read_text(value[MARK_NAME], "name", &text, e);
    if (rc == 0 && (at >= m->test_count || strcmp(buf_text(&text), m->test[at].name) != 0))
        rc = fail(e, "test %u of the hand-in is `%.200s`, but test %u of the exercise is `%.200s`",
                  at + 1, buf_text(&text), at + 1,
                  at < m->test_count ? m->test[at].name : "missing");
    if (rc == 0)
        rc = read_mark_values(m, h, at, value, &text, &note, e);
    buf_free(&text);
    buf_free(&note);
    return rc;
}

static int read_all_marks(struct marks *m, struct marked *h, struct span array, struct err *e)
{
    struct json_walk walk = json_walk(array);
    struct span value;
    unsigned count = 0;
    while (json_next_element(&walk, &value))
        if (read_mark(m, h, count++, value, e) != 0)
            return -1;
    return count == m->test_count
               ? 0
               : fail(e, "a hand-in has %u tests, but the exercise has %u", count, m->test_count);
}

static int read_values(struct marks *m, struct marked *h, struct span *value, struct buf *text,
                       struct buf *note, struct err *e)
{
    char ungraded[24];
    int cause;
    if (read_choice(value[OF_CAUSE], "cause", mark_cause_names, true, &cause, e) != 0 ||
        read_text(value[OF_FEEDBACK], "feedback", text, e) != 0 ||
        read_text(value[OF_NOTE], "note", note, e) != 0 ||
        marked_say(m, h, (enum mark_cause)cause, buf_text(text), buf_text(note), e) != 0 ||
        read_all_marks(m, h, value[OF_TESTS], e) != 0 ||
        read_sum(value[OF_POINTS], "points", marked_points(m, h), e) != 0)
        return -1;
    snprintf(ungraded, sizeof ungraded, "%u", marked_ungraded(m, h));
    return same_text(value[OF_UNGRADED], ungraded)
               ? 0
               : fail(e, "`ungraded` is %.*s, but %s tests have no mark",
                      value[OF_UNGRADED].n < 40 ? (int)value[OF_UNGRADED].n : 40,
                      value[OF_UNGRADED].at, ungraded);
}

struct marked *marked_read(struct marks *m, struct span object, struct err *e)
{
    struct span value[OF];
    struct buf text = {0}, note = {0};
    struct marked *h = NULL;
    const unsigned before = m->count;
    if (json_fields(object, of_names, OF, "a hand-in", value, e) == 0 &&
        read_text(value[OF_STUDENT], "student", &text, e) == 0 &&
        read_text(value[OF_ID], "id", &note, e) == 0)
        h = marks_add(m, buf_text(&text), buf_text(&note), e);
    if (h && read_values(m, h, value, &text, &note, e) != 0) {
        m->count = before;
        h = NULL;
    }
    buf_free(&text);
    buf_free(&note);
    return h;
}

static int read_test(struct marks *m, struct span object, struct err *e)
{
    struct span value[TEST];
    struct buf name = {0}, needs = {0};
    int64_t points;
    bool known, hidden;
    int before = -1, rc = -1;
    if (json_fields(object, test_names, TEST, "a test", value, e) == 0 &&
        read_text(value[TEST_NAME], "name", &name, e) == 0 &&
        read_points(value[TEST_POINTS], "points", &known, &points, e) == 0 &&
        (same_text(value[TEST_NEEDS], "null") ||
         read_text(value[TEST_NEEDS], "needs", &needs, e) == 0)) {
        hidden = same_text(value[TEST_HIDDEN], "true");
        before = needs.len ? marks_test_named(m, buf_text(&needs)) : -1;
        rc = !known || (!hidden && !same_text(value[TEST_HIDDEN], "false")) ||
                     (needs.len && before < 0)
                 ? fail(e, "the test `%.200s` has a wrong value", buf_text(&name))
                 : marks_test(m, buf_text(&name), points, hidden, before, e);
    }
    buf_free(&name);
    buf_free(&needs);
    return rc;
}

/* The line of a place, for an error. */
static int at_line(struct span text, const char *at, struct err *e)
{
    int line = 1;
    for (const char *c = text.at; c < at; c++)
        line += *c == '\n';
    if (e)
        e->line = line;
    return -1;
}

static int read_tests(struct marks *m, struct span text, struct span array, struct err *e)
{
    struct json_walk walk = json_walk(array);
    struct span value;
    while (json_next_element(&walk, &value))
        if (read_test(m, value, e) != 0)
            return at_line(text, value.at, e);
    return 0;
}

static int read_hand_ins(struct marks *m, struct span text, struct span array, struct err *e)
{
    struct json_walk walk = json_walk(array);
    struct span value;
    while (json_next_element(&walk, &value))
        if (!marked_read(m, value, e))
            return at_line(text, value.at, e);
    return 0;
}

static int read_all(struct marks *m, struct span text, struct err *e)
{
    struct span value[ALL];
    struct buf name = {0};
    int rc = json_check(text, e);
    if (rc == 0)
        rc = json_fields(trim(text), all_names, ALL, "this file of marks", value, e);
    if (rc == 0 && !same_text(value[ALL_VERSION], "1"))
        rc = fail(e, "another version of cudalab wrote these marks");
    if (rc == 0)
        rc = read_text(value[ALL_EXERCISE], "exercise", &name, e);
    if (rc == 0)
        rc = marks_begin(m, buf_text(&name), e);
    buf_free(&name);
    if (rc != 0 || read_tests(m, text, value[ALL_TESTS], e) != 0 ||
        read_hand_ins(m, text, value[ALL_HAND_INS], e) != 0 ||
        read_sum(value[ALL_MOST], "most", marks_most(m), e) != 0)
        return -1;
    return marks_sort(m, e);
}

int marks_read(struct marks *m, struct span text, struct err *e)
{
    *m = (struct marks){0};
    if (read_all(m, text, e) == 0)
        return 0;
    marks_free(m);
    return -1;
}

int marks_read_file(struct marks *m, const char *path, struct err *e)
{
    struct buf text = {0};
    int rc = file_read(path, MARKS_FILE_MOST, &text, e);
    if (rc == 0)
        rc = marks_read(m, (struct span){buf_text(&text), text.len}, e);
    buf_free(&text);
    return rc;
}
