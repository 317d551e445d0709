/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of a grader: points, names, overrides, two runs compared, the journal, and JSON that is
 * read back. JSON and journals are cut at each byte and changed at each byte: what is read then is
 * refused, or is whole.
 */
#include "base/json-check.h"
#include "base/json-find.h"
#include "grade/compare.h"
#include "grade/journal.h"
#include "grade/marks-json.h"
#include "grade/overrides.h"
#include "grade/table.h"
#include "marks-made.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int tests_run, tests_failed;
static struct err e;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static void says(int rc, const char *part, const char *what)
{
    const bool good = rc != 0 && strstr(e.text, part);
    ok(good, what);
    if (!good)
        printf("# got: %s\n# wanted: %s\n", rc ? e.text : "no error", part);
}

static struct span text_of(const struct buf *b)
{
    return (struct span){buf_text(b), b->len};
}

/* ---- points ------------------------------------------------------------------------------- */

static void test_points(void)
{
    static const struct {
        const char *text;
        int64_t points;
    } good[] = {{"0", 0},      {"2", 2000},     {"0.5", 500},           {"10.125", 10125},
                {"007", 7000}, {"1.100", 1100}, {"1000000", 1000000000}};
    static const char *const bad[] = {
        "",    "-1",  "+1", ".5",          "1.",      "1e3", "1.2345",
        "0x1", "nan", " 1", "1000000.001", "1000001", "1,5", "99999999999999999999999999",
        "2/3"};
    char text[POINTS_TEXT];
    int64_t points;
    bool right = true;
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
        right = right && points_read(good[i].text, &points, &e) == 0 && points == good[i].points;
    ok(right, "points are read");
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        right = right && points_read(bad[i], &points, &e) != 0;
    ok(right, "what is not a number of points is refused");
    for (int64_t p = 0; p <= 20000; p++) {
        int64_t again = -1, of_number = -1;
        right = right && points_read(points_text(p, text), &again, &e) == 0 && again == p &&
                points_of((double)p / POINT, &of_number, &e) == 0 && of_number == p;
    }
    ok(right, "each number of points is written and read back");
    ok(points_of(0.0001, &points, &e) != 0 && points_of(-1, &points, &e) != 0 &&
           points_of(1e300, &points, &e) != 0,
       "numbers between two thousandths are refused");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void test_json_check(void)
{
    static const char *const good[] = {"{}",
                                       " [ ] ",
                                       "0",
                                       "-0.5e+10",
                                       "\"\"",
                                       "[1,2,{\"a\":null}]\n",
                                       "true",
                                       "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
                                       "{\"\":{\"\":[]}}",
                                       "1E5"};
    static const char *const bad[] = {"",
                                      " ",
                                      "{",
                                      "[",
                                      "]",
                                      "{]",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "[1 2]",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "- 1",
                                      "nan",
                                      "NaN",
                                      "Infinity",
                                      "tru",
                                      "truee",
                                      "'a'",
                                      "\"",
                                      "\"\\\"",
                                      "\"\\x41\"",
                                      "\"\\u12\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"",
                                      "\"a\nb\"",
                                      "\"\t\"",
                                      "\"\xFF\"",
                                      "\"\xC0\x80\"",
                                      "\"\xED\xA0\x80\"",
                                      "{} {}",
                                      "[] x",
                                      "[}",
                                      "{\"a\":1 \"b\":2}",
                                      "/**/1",
                                      "\xEF\xBB\xBF{}",
                                      "[\"a\",\"b\"",
                                      "\"\\",
                                      "\"\\u",
                                      "1\f"};
    static const char escaped[] = "\"\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20ac\"";
    struct buf text = {0};
    bool right = true;
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
        right = right && json_check((struct span){good[i], strlen(good[i])}, &e) == 0;
    ok(right, "JSON is JSON");
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        if (json_check((struct span){bad[i], strlen(bad[i])}, &e) == 0) {
            printf("# %s\n", bad[i]);
            right = false;
        }
    ok(right, "what is not JSON is refused");
    says(json_check((struct span){"{\"a\":1,\n \"b\" 2}", 15}, &e), "line 2, column 6",
         "the error has the place");
    ok(json_check((struct span){"1\0", 2}, &e) != 0, "a byte of 0 is not JSON");
    for (unsigned depth = 0; depth < 100000; depth++)
        buf_putc(&text, '[');
    says(json_check(text_of(&text), &e), "nested too deeply", "depth is bounded");
    buf_clear(&text);
    ok(json_string((struct span){escaped, strlen(escaped)}, &text) == 0 &&
           strcmp(buf_text(&text), "\xC3\xA9\xF0\x9F\x98\x80\"\\/\b\f\n\r\t\xE2\x82\xAC") == 0,
       "the characters of a text");
    buf_free(&text);
}

static bool same_marks(const struct marks *a, const struct marks *b)
{
    struct buf one = {0}, other = {0};
    marks_json(a, &one);
    marks_json(b, &other);
    const bool same = strcmp(buf_text(&one), buf_text(&other)) == 0;
    buf_free(&one);
    buf_free(&other);
    return same;
}

/* Marks of one student, whose JSON is short. */
static int make_few(struct marks *m)
{
    int made = marks_begin(m, "x", &e) + marks_test(m, "a", 1500, true, -1, &e) +
               marks_test(m, "b", POINT, false, 0, &e) + marks_test(m, "c", 0, false, -1, &e);
    struct marked *h = marks_add(m, "Ann \"\\ \xC3\xA9", "7", &e);
    if (made != 0 || !h || mark_set(m, h, 0, MARK_FAILED, MARK_FAULT, "f", "n", &e) != 0 ||
        mark_set(m, h, 1, MARK_SKIPPED, MARK_NO_CAUSE, NULL, NULL, &e) != 0)
        return -1;
    h->mark[1].why = "w";
    h->mark[1].override = 250;
    return marked_say(m, h, MARK_LIMIT, "s", "t\nu", &e);
}

static void test_damaged(const struct buf *json)
{
    struct buf text = {0};
    struct marks m;
    bool right = true;
    for (size_t n = 0; n + 1 < json->len; n++) /* the last byte is a newline */
        right = right && marks_read(&m, (struct span){json->data, n}, &e) != 0;
    ok(right, "marks that are cut anywhere are refused");
    unsigned taken = 0;
    for (size_t i = 0; i < json->len; i++)
        for (const char *c = "\"{}[],:0an\\ \x01\xFF"; *c; c++) {
            struct buf again = {0};
            buf_clear(&text);
            buf_add(&text, json->data, json->len);
            text.data[i] = *c;
            if (marks_read(&m, text_of(&text), &e) != 0)
                continue;
            taken++; /* as within a name; then it is whole */
            marks_json(&m, &again);
            struct marks twice;
            right = right && marks_read(&twice, text_of(&again), &e) == 0 && same_marks(&m, &twice);
            marks_free(&twice);
            marks_free(&m);
            buf_free(&again);
        }
    ok(right && taken > 50, "marks with a wrong byte are refused, or are whole marks");
    buf_free(&text);
}

/* Replaces the first `from` by `to`, and must fail. */
static void refuses(const struct buf *json, const char *from, const char *to, const char *part)
{
    struct buf text = {0};
    struct marks m;
    const char *at = strstr(json->data, from);
    if (at) {
        buf_add(&text, json->data, (size_t)(at - json->data));
        buf_printf(&text, "%s%s", to, at + strlen(from));
        const int rc = marks_read(&m, text_of(&text), &e);
        says(rc, part, part);
        if (rc == 0)
            marks_free(&m);
    } else {
        ok(false, from);
    }
    buf_free(&text);
}

static void test_json(void)
{
    struct marks m, again;
    struct buf json = {0};
    ok(make_marks(&m, &e) == 0 && m.count == MADE, "marks with hostile names");
    m.of[3]->mark[2].why = "because";
    m.of[3]->mark[2].override = 1;
    m.of[4]->mark[1].state = MARK_UNGRADED;
    m.of[4]->mark[1].points = 0;
    m.of[4]->mark[1].cause = MARK_NO_CAUSE;
    marks_json(&m, &json);
    ok(marks_read(&again, text_of(&json), &e) == 0 && same_marks(&m, &again),
       "what was written is read back, byte for byte");
    marks_free(&again);
    marks_free(&m);
    buf_clear(&json);
    ok(make_few(&m) == 0, "marks of one student");
    marks_json(&m, &json);
    test_damaged(&json);
    refuses(&json, "\"cudalab_marks\":1", "\"cudalab_marks\":2", "another version");
    refuses(&json, "\"state\":\"skipped\",\"points\":0}", "\"state\":\"skipped\",\"points\":1.25}",
            "more points than its test");
    refuses(&json, "\"most\":2.5", "\"most\":3", "`most` is 3, but the tests give 2.5");
    refuses(&json, "\"points\":0.25,\"ungraded\"", "\"points\":2,\"ungraded\"",
            "`points` is 2, but the tests give 0.25");
    refuses(&json, "\"ungraded\":1", "\"ungraded\":0", "`ungraded` is 0");
    refuses(&json, "\"state\":\"failed\"", "\"state\":\"best\"", "unknown value");
    refuses(&json, "\"cause\":\"fault\"", "\"cause\":\"luck\"", "unknown value");
    refuses(&json, "\"note\":\"n\"", "\"note\":\"n\",\"note\":\"n\"", "twice");
    refuses(&json, "\"note\":\"n\"", "\"nice\":\"n\"", "`nice` that is not known");
    refuses(&json, ",\"note\":\"n\"", "", "lacks the member `note`");
    refuses(&json, "\"id\":\"7\"", "\"id\":7", "`id` is not a text");
    refuses(&json, "\"id\":\"7\"", "\"id\":\"\\u0000\"", "a byte of 0");
    refuses(&json, "\"student\":\"Ann", "\"student\":\"\",\"x\":\"", "not known");
    refuses(&json, "\"needs\":\"a\"", "\"needs\":\"b\"", "the test `b` has a wrong value");
    refuses(&json, "\"name\":\"b\",\"state\"", "\"name\":\"B\",\"state\"",
            "test 2 of the hand-in is `B`");
    refuses(&json, "\"tests\":[{\"name\":\"a\",\"points\":1.5",
            "\"tests\":[{\"name\":\"b\",\"points\":1.5", "");
    refuses(&json, "null,\"cause\":null,\"feedback\"", "1,\"cause\":null,\"feedback\"",
            "not graded has points");
    marks_free(&m);
    buf_free(&json);
}

/* ---- names -------------------------------------------------------------------------------- */

static void test_names(void)
{
    struct marks m;
    struct buf name = {0};
    char long_name[MARK_NAME_MOST + 2];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    int made = make_marks(&m, &e);
    ok(made == 0 && marks_find(&m, "Ann Lee", &e) == marks_find(&m, "1001", &e) &&
           marks_find(&m, "8", &e),
       "a student is found by name and by id");
    ok(!marks_find(&m, "Kim", &e) && strstr(e.text, "two hand-ins"), "a name of two is ambiguous");
    ok(!marks_find(&m, "Anne Lee", &e) && strstr(e.text, "did you mean `Ann Lee`"),
       "a near name is offered");
    marked_name(&m, marks_find(&m, "7", &e), &name);
    ok(strcmp(buf_text(&name), "Kim (7)") == 0, "who shares a name is shown with the id");
    bool sorted = true;
    for (unsigned i = 1; i < m.count; i++)
        sorted = sorted && strcmp(m.of[i - 1]->student, m.of[i]->student) <= 0;
    ok(sorted, "hand-ins are in the order of their students");
    ok(!marks_add(&m, long_name, "", &e) && strstr(e.text, "longer than") &&
           !marks_add(&m, "", "", &e),
       "a name has bounds");
    ok(marks_add(&m, "Kim", "7", &e) && marks_sort(&m, &e) != 0 &&
           strstr(e.text, "two hand-ins of `Kim`"),
       "no two hand-ins are the same");
    marks_free(&m);
    made = marks_begin(&m, "x", &e) + marks_test(&m, "a", 0, false, -1, &e);
    ok(made == 0 && marks_test(&m, "a", 0, false, -1, &e) != 0 &&
           marks_test(&m, "", 0, false, -1, &e) != 0 &&
           marks_test(&m, "b", -1, false, -1, &e) != 0 && marks_test(&m, "b", 0, false, 1, &e) != 0,
       "a test has its own name, points, and needs an earlier one");
    marks_free(&m);
    buf_free(&name);
}

/* ---- overrides ---------------------------------------------------------------------------- */

static char folder[] = "/tmp/cudalab-marks.XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[sizeof folder + 40];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int apply(struct marks *m, const char *text, enum overrides_scope scope)
{
    return overrides_apply(m, (struct span){text, strlen(text)}, scope, &e);
}

static void test_overrides(void)
{
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"overide 7 runs 1 why", "did you mean `override`"},
        {"grade 7 runs 1 why", "a line here is: override STUDENT TEST"},
        {"override 7 runs 1", "a word is missing"},
        {"override 7 runs 1 two words", "too many words"},
        {"override 7 runs 1 \"open", "is not closed"},
        {"override 7 run 1 why", "did you mean `runs`"},
        {"override Ann runs 1 why", "no hand-in is from `Ann`"},
        {"override \"Ann Leee\" runs 1 why", "did you mean `Ann Lee`"},
        {"override Kim runs 1 why", "name one by its id: `7` or `8`"},
        {"override 7 runs 2.5 why", "at most 2 points"},
        {"override 7 runs -1 why", "not a number of points"},
        {"override 7 runs all why", "not a number of points"},
        {"override 7 runs 1 ' '", "needs a reason"},
        {"override 7 runs 1 a; override 8 runs 1 a", "a line has one override"},
        {"# one\noverride 7 runs 1 a\n\noverride 7 runs 2 b", "line 2 is about the same test"},
    };
    struct marks m;
    bool lines = true;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (make_marks(&m, &e) != 0)
            break;
        says(apply(&m, bad[i].line, OVERRIDES_OF_ALL), bad[i].says, bad[i].says);
        lines = lines && e.line == (strchr(bad[i].line, '\n') ? 4 : 1);
        marks_free(&m);
    }
    ok(lines, "each error has its line");
    if (make_marks(&m, &e) != 0)
        return;
    ok(apply(&m, "", OVERRIDES_OF_ALL) == 0 &&
           apply(&m, "# nothing\n\n  \r\n", OVERRIDES_OF_ALL) == 0,
       "comments and blank lines");
    const struct marked *h = marks_find(&m, "7", &e);
    const int64_t before = marked_points(&m, h);
    ok(apply(&m, "override 7 runs 1.5 \"a \\\"b\\\"\" # said\r\noverride 'Ann Lee' =1+1 0 late",
             OVERRIDES_OF_ALL) == 0 &&
           h->mark[0].why && strcmp(h->mark[0].why, "a \"b\"") == 0 &&
           mark_points(&h->mark[0]) == 1500 &&
           marked_points(&m, h) - before == 1500 - h->mark[0].points,
       "points are set, and sums follow");
    ok(mark_outcome(&m.test[3], &marks_find(&m, "Ann Lee", &e)->mark[3]) == MARK_FAILED,
       "a test without all of its points did not pass");
    ok(apply(&m, "override Nobody runs 1 why", OVERRIDES_OF_PART) == 0 &&
           apply(&m, "override Nobody run 1 why", OVERRIDES_OF_PART) != 0,
       "in a part of the class, a student may be absent, but a test may not");
    marks_free(&m);
}

static void test_writing_overrides(void)
{
    static const char wanted[] =
        "# by hand\noverride \"Ann Lee\" \"runs\" 0.5 \"new \\\"why\\\"\\\\\"\n"
        "override Gone runs 1 'left the course'\n"
        "override \"7\" \"=1+1\" 0.5 \"line 1\\\\nline 2\"\n";
    struct marks m;
    struct buf text = {0};
    const char *path = in_folder("overrides");
    if (make_marks(&m, &e) != 0)
        return;
    ok(overrides_write(&m, path, "1001", "runs", "2", "first", &e) == 0, "a file is made");
    static const char by_hand[] =
        "# by hand\noverride 1001 runs 1 old\noverride Gone runs 1 'left the course'\n";
    ok(file_replace(path, by_hand, strlen(by_hand), &e) == 0 &&
           overrides_write(&m, path, "Ann Lee", "runs", "0.5", "new \"why\"\\", &e) == 0 &&
           overrides_write(&m, path, "7", "=1+1", "0.5", "line 1\nline 2", &e) == 0 &&
           file_read(path, 10000, &text, &e) == 0,
       "a line is replaced or added");
    ok(strcmp(buf_text(&text), wanted) == 0, "all other lines stay");
    if (strcmp(buf_text(&text), wanted) != 0)
        printf("# %s\n", buf_text(&text));
    ok(overrides_apply_file(&m, path, OVERRIDES_OF_PART, &e) == 0 &&
           strcmp(marks_find(&m, "Ann Lee", &e)->mark[0].why, "new \"why\"\\") == 0,
       "and what was written is read");
    says(overrides_write(&m, path, "Ann Lee", "runs", "3", "x", &e), "at most 2",
         "a wrong one is not written");
    says(overrides_write(&m, path, "Ann Lee", "runs", "1", "", &e), "needs a reason",
         "nor one without a reason");
    says(overrides_write(&m, in_folder("no/file"), "Ann Lee", "runs", "1", "x", &e), "cannot write",
         "a file that can't be written");
    ok(overrides_apply_file(&m, in_folder("none"), OVERRIDES_OF_ALL, &e) == 0,
       "no file has no overrides");
    says(overrides_apply_file(&m, folder, OVERRIDES_OF_ALL, &e), "not a regular file",
         "a folder is not a file");
    /* Whoever is in the class: each name is written so that it is found again. */
    bool right = true;
    for (unsigned k = 0; k < m.count; k++) {
        const char *name =
            marks_count_of(&m, m.of[k]->student) == 1 ? m.of[k]->student : m.of[k]->id;
        right = right && overrides_write(&m, in_folder("each"), name, "edges, n = 1 # TODO", "0",
                                         "x", &e) == 0;
        m.of[k]->mark[1].why = NULL;
    }
    right = right && overrides_apply_file(&m, in_folder("each"), OVERRIDES_OF_ALL, &e) == 0;
    for (unsigned k = 0; k < m.count; k++)
        right = right && m.of[k]->mark[1].why;
    ok(right, "hostile names are written and read");
    marks_free(&m);
    buf_free(&text);
}

/* ---- two runs ----------------------------------------------------------------------------- */

static void test_compare(void)
{
    struct marks before, now;
    struct mark_changes c;
    struct report r;
    int made = make_marks(&before, &e) + make_marks(&now, &e);
    ok(made == 0 && marks_compare(&before, &now, &c, &e) == 0 && c.count == 0, "the same marks");
    mark_changes_free(&c);
    made +=
        mark_set(&now, marks_find(&now, "7", &e), 0, MARK_PASSED, MARK_NO_CAUSE, NULL, NULL, &e);
    made +=
        mark_set(&now, marks_find(&now, "7", &e), 1, MARK_UNGRADED, MARK_NO_CAUSE, NULL, NULL, &e);
    made +=
        mark_set(&now, marks_find(&now, "Ann Lee", &e), 3, MARK_FAILED, MARK_FAULT, NULL, NULL, &e);
    marks_find(&now, "8", &e)->student = "Kim Lee"; /* of the same id */
    made += marks_add(&now, "New", "99", &e) ? 0 : -1;
    now.of[0] = now.of[--now.count]; /* the first one is gone */
    made += marks_sort(&now, &e);
    ok(made == 0 && marks_compare(&before, &now, &c, &e) == 0 && c.count == 4,
       "those that changed");
    ok(c.count == 4 && !c.change[0].now && strcmp(c.change[1].now->student, "Ann Lee") == 0 &&
           c.change[1].tests == 1 && strcmp(c.change[2].now->id, "7") == 0 &&
           c.change[2].tests == 2 && !c.change[3].before,
       "in the order of students, with the tests");
    report_init(&r);
    r.width = 72;
    marks_say_changes(&r, &c);
    static const char wanted[] =
        "The marks of 4 hand-ins have changed.\n"
        "student           before now tests\n"
        "# SKIP ok 1 - all      0   - no hand-in any more\n"
        "Ann Lee                5 4.5 =1+1: 0.5 to 0\n"
        "Kim                    0   ? runs: 0 to 2, edges, n = 1 # TODO: 0 to ?\n"
        "New                    -   ? a new hand-in\n";
    ok(strcmp(buf_text(&r.screen), wanted) == 0, "as a table");
    if (strcmp(buf_text(&r.screen), wanted) != 0)
        printf("# %s\n", buf_text(&r.screen));
    report_free(&r);
    mark_changes_free(&c);
    marks_free(&before);
    marks_free(&now);
}

/* ---- the journal -------------------------------------------------------------------------- */

static void new_marks(struct marks *m)
{
    if (marks_begin(m, "saxpy", &e) != 0 || marks_test(m, "runs", 2 * POINT, false, -1, &e) != 0 ||
        marks_test(m, "edges", POINT, true, -1, &e) != 0)
        printf("# %s\n", e.text);
}

static int fill_journal(const char *path, struct marks *m)
{
    struct journal j;
    char key[40], name[40];
    if (journal_open(&j, path, &e) != 0)
        return -1;
    int rc = 0;
    for (unsigned k = 0; k < 3; k++) {
        snprintf(key, sizeof key, "key \"%u\"", k);
        snprintf(name, sizeof name, "Student\n%u", k);
        struct marked *h = marks_add(m, name, "", &e);
        rc += h ? mark_set(m, h, 0, MARK_PASSED, MARK_NO_CAUSE, NULL, NULL, &e) : -1;
        rc += h ? mark_set(m, h, 1, k == 1 ? MARK_UNGRADED : MARK_FAILED, MARK_LIMIT, "slow",
                           "\x1b", &e)
                : -1;
        if (h && k == 0) {
            h->mark[0].why = "an override";
            h->mark[0].override = 0;
        }
        rc += h ? journal_add(&j, key, m, h, &e) : -1;
    }
    journal_close(&j);
    return rc;
}

static void test_journal(void)
{
    struct marks m, again;
    struct journal j, other;
    struct buf text = {0};
    char path[sizeof folder + 40];
    snprintf(path, sizeof path, "%s", in_folder("journal"));
    new_marks(&m);
    ok(fill_journal(path, &m) == 0, "hand-ins are kept");
    new_marks(&again);
    ok(journal_open(&j, path, &e) == 0 && j.count == 2 && !j.dropped,
       "all that were graded as a whole");
    says(journal_open(&other, path, &e), "another grader", "two graders never share a journal");
    struct marked *h = journal_take(&j, "key \"0\"", &again);
    ok(h && strcmp(h->student, "Student\\n0") == 0 && marked_points(&again, h) == 2000 &&
           !h->mark[0].why && h->mark[1].cause == MARK_LIMIT &&
           strcmp(h->mark[1].note, "\\x1b") == 0,
       "one is taken with its marks, without its override");
    ok(!journal_take(&j, "key \"1\"", &again) && !journal_take(&j, "", &again) && again.count == 1,
       "one that is not there is not made up");
    journal_close(&j);
    marks_free(&again);
    if (marks_begin(&again, "saxpy", &e) == 0 &&
        marks_test(&again, "runs", POINT, false, -1, &e) == 0 && journal_open(&j, path, &e) == 0) {
        ok(!journal_take(&j, "key \"0\"", &again) && again.count == 0, "nor one of other tests");
        journal_close(&j);
    }
    marks_free(&again);
    if (file_read(path, 1 << 20, &text, &e) != 0)
        ok(false, "the journal is read");
    bool right = text.len > 100, dropped = true;
    const size_t first = strcspn(buf_text(&text), "\n") + 1;
    for (size_t n = 0; right && n < text.len; n++) { /* killed at each byte */
        struct marks kept;
        new_marks(&kept);
        right = file_replace(path, text.data, n, &e) == 0 && journal_open(&j, path, &e) == 0 &&
                j.count == (n >= first);
        dropped = dropped && j.dropped == (n != 0 && n != first);
        right = right && journal_add(&j, "new", &m, m.of[2], &e) == 0;
        journal_close(&j);
        right = right && journal_open(&j, path, &e) == 0 && j.count == 1u + (n >= first) &&
                !j.dropped && journal_take(&j, "new", &kept) &&
                !journal_take(&j, "key \"2\"", &kept);
        journal_close(&j);
        marks_free(&kept);
    }
    ok(right, "a grader that was killed goes on, whichever byte was the last");
    ok(dropped, "and a cut line is counted");
    static const char damaged[] =
        "\n{}\n\x01\xFF\n{\"key\":\"a\",\"hand_in\":{}}\n{\"key\":1,\"hand_in\":{}}\n[[[\n";
    new_marks(&again);
    ok(file_replace(path, damaged, sizeof damaged - 1, &e) == 0 &&
           journal_open(&j, path, &e) == 0 && j.dropped == 5 && j.count == 1 &&
           !journal_take(&j, "a", &again) && again.count == 0,
       "damaged lines are dropped");
    journal_close(&j);
    says(journal_open(&j, folder, &e), "cannot open the journal", "a folder is not a journal");
    says(journal_open(&j, "/dev/null", &e), "not a regular file", "nor is a device");
    marks_free(&again);
    marks_free(&m);
    buf_free(&text);
}

/* ---- files -------------------------------------------------------------------------------- */

static void test_files(void)
{
    struct buf text = {0};
    struct stat info;
    char path[sizeof folder + 40], link_path[sizeof folder + 40];
    snprintf(path, sizeof path, "%s", in_folder("secret"));
    snprintf(link_path, sizeof link_path, "%s", in_folder("link"));
    ok(file_replace(path, "old", 3, &e) == 0 && chmod(path, 0640) == 0 &&
           file_replace(path, "new", 3, &e) == 0 && stat(path, &info) == 0 &&
           (info.st_mode & 0777) == 0640,
       "a file that is replaced keeps its mode");
    ok(symlink("secret", link_path) == 0 && file_replace(link_path, "other", 5, &e) == 0 &&
           lstat(link_path, &info) == 0 && S_ISREG(info.st_mode) &&
           file_read(path, 10, &text, &e) == 0 && strcmp(buf_text(&text), "new") == 0,
       "a link is replaced, and what it leads to stays");
    says(file_read(path, 2, &text, &e), "too much", "a file that is too long");
    ok(file_replace("/dev/null", "x", 1, &e) == 0 && stat("/dev/null", &info) == 0 &&
           S_ISCHR(info.st_mode),
       "a device is written to, and stays");
    if (access("/dev/full", W_OK) == 0)
        says(file_replace("/dev/full", "x", 1, &e), "No space", "a full device");
    says(file_replace(folder, "x", 1, &e), "directory", "a folder is not replaced");
    if (mkfifo(in_folder("pipe"), 0600) == 0) {
        says(file_read(in_folder("pipe"), 10, &text, &e), "not a regular file",
             "no wait for a pipe");
        ok(file_replace(in_folder("pipe"), "x", 1, &e) != 0, "in either direction");
    }
    buf_free(&text);
}

static void clean_up(void)
{
    static const char *const names[] = {"overrides", "each", "journal", "secret", "link", "pipe"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    ok(rmdir(folder) == 0, "nothing else is left");
}

int main(void)
{
    test_points();
    test_json_check();
    test_names();
    test_json();
    test_overrides();
    ok(mkdtemp(folder) != NULL, "a folder for files");
    test_writing_overrides();
    test_compare();
    test_journal();
    test_files();
    clean_up();
    printf("1..%d\n", tests_run);
    return 0;
}
