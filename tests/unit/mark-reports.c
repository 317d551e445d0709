/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of marks whose names and texts are hostile. XML, TAP and CSV are read back here by strict
 * readers. `mark-reports --write FOLDER` writes the forms in JSON too, which tests/marks.t holds
 * against the rules of each platform.
 */
#include "grade/reports/reports.h"
#include "grade/table.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "marks-made.h"
#include "screen/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static const struct mark_form *form(const char *name)
{
    const char *place;
    return mark_form_asked(name, &place, NULL);
}

static bool report(const struct marks *m, const char *name, struct buf *out)
{
    struct err e;
    buf_clear(out);
    const bool good = marks_report(m, form(name), NULL, out, &e) == 0;
    if (!good)
        printf("# %s: %s\n", name, e.text);
    return good;
}

/* No control characters but newlines (and \r\n where it is CSV), and all of it UTF-8. */
static bool is_clean(const struct buf *text, const char *allowed)
{
    uint32_t code;
    for (size_t i = 0; i < text->len;) {
        const size_t n = utf8_next(text->data + i, text->len - i, &code);
        if (!n || (visible_hides(code) && (code > 127 || !strchr(allowed, (int)code)))) {
            printf("# byte %zu: %02x\n", i, (unsigned char)text->data[i]);
            return false;
        }
        i += n;
    }
    return true;
}

/* ---- XML ---------------------------------------------------------------------------------- */

/* What may be inside of what, in this order, and the attributes it must have. */
struct xml_rule {
    const char *name, *parent;
    const char *attributes[5];
    int order; /* among its neighbours */
    bool has_text;
};
static const struct xml_rule rules[] = {
    {"testsuites", "", {"name", "tests", "failures", "errors"}, 0, false},
    {"testsuite", "testsuites", {"name", "tests", "failures", "errors", "skipped"}, 0, false},
    {"properties", "testsuite", {NULL}, 0, false},
    {"property", "properties", {"name", "value"}, 0, false},
    {"testcase", "testsuite", {"classname", "name"}, 1, false},
    {"system-out", "testsuite", {NULL}, 2, true},
    {"system-err", "testsuite", {NULL}, 3, true},
    {"skipped", "testcase", {"message"}, 0, false},
    {"error", "testcase", {"message", "type"}, 1, true},
    {"failure", "testcase", {"message", "type"}, 1, true},
    {"system-out", "testcase", {NULL}, 2, true},
    {"system-err", "testcase", {NULL}, 3, true},
};

struct xml {
    const char *at;
    unsigned cases, suites, failures, errors, skipped;
    const char *why;
};

static bool bad_xml(struct xml *x, const char *why)
{
    if (!x->why)
        x->why = why;
    return false;
}

static const struct xml_rule *rule_of(const char *name, size_t n, const char *parent)
{
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strlen(rules[i].name) == n && memcmp(rules[i].name, name, n) == 0 &&
            strcmp(rules[i].parent, parent) == 0)
            return &rules[i];
    return NULL;
}

/* Characters up to a mark; & only where it begins one of the five entities. */
static bool pass_characters(struct xml *x, char end)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (; *x->at && *x->at != end; x->at++) {
        bool known = *x->at != '&';
        for (unsigned i = 0; i < 5; i++)
            known = known || begins_with(x->at, entities[i]);
        if (!known || *x->at == '<' || begins_with(x->at, "]]>"))
            return bad_xml(x, "a character is not escaped");
        if (end == '"' && *x->at == '\n')
            return bad_xml(x, "an attribute has a newline");
    }
    return *x->at == end || bad_xml(x, "it ends too early");
}

static bool pass_attributes(struct xml *x, const struct xml_rule *rule)
{
    for (int i = 0; i < 5 && rule->attributes[i]; i++) {
        const size_t n = strlen(rule->attributes[i]);
        if (*x->at++ != ' ' || strncmp(x->at, rule->attributes[i], n) != 0 || x->at[n] != '=' ||
            x->at[n + 1] != '"')
            return bad_xml(x, "an attribute is missing, or is not known");
        x->at += n + 2;
        if (!pass_characters(x, '"'))
            return false;
        x->at++;
    }
    return true;
}

static bool pass_element(struct xml *x, const char *parent, int *order)
{
    const char *name = x->at + 1;
    const size_t n = strcspn(name, " />\n");
    const struct xml_rule *rule = rule_of(name, n, parent);
    int inside = -1;
    if (!rule || rule->order < *order)
        return bad_xml(x, "an element is not known, or stands at a wrong place");
    *order = rule->order;
    x->at = name + n;
    if (!pass_attributes(x, rule))
        return false;
    x->suites += strcmp(rule->name, "testsuite") == 0;
    x->cases += strcmp(rule->name, "testcase") == 0;
    x->failures += strcmp(rule->name, "failure") == 0;
    x->errors += strcmp(rule->name, "error") == 0;
    x->skipped += strcmp(rule->name, "skipped") == 0;
    if (begins_with(x->at, "/>")) {
        x->at += 2;
        return true;
    }
    if (*x->at++ != '>')
        return bad_xml(x, "a tag is not closed");
    while (true) {
        const char *begin = x->at;
        if (!pass_characters(x, '<'))
            return false;
        for (; begin < x->at; begin++)
            if (!rule->has_text && *begin != '\n')
                return bad_xml(x, "text stands between elements");
        if (x->at[1] == '/')
            break;
        if (!pass_element(x, rule->name, &inside))
            return false;
    }
    x->at += 2;
    if (strncmp(x->at, name, n) != 0 || x->at[n] != '>')
        return bad_xml(x, "another element is closed");
    x->at += n + 1;
    return true;
}

static void test_junit(const struct marks *m)
{
    struct buf out = {0};
    unsigned failed = 0, skipped = 0, ungraded = 0;
    for (unsigned k = 0; k < m->count; k++)
        for (unsigned i = 0; i < m->test_count; i++) {
            const enum mark_state state = mark_outcome(&m->test[i], &m->of[k]->mark[i]);
            failed += state == MARK_FAILED;
            skipped += state == MARK_SKIPPED;
            ungraded += state == MARK_UNGRADED;
        }
    ok(report(m, "junit", &out) && is_clean(&out, "\n\t"), "junit: all characters are XML's");
    struct xml x = {.at = buf_text(&out)};
    const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    int order = -1;
    bool good = begins_with(x.at, head);
    x.at += good ? strlen(head) : 0;
    good = good && pass_element(&x, "", &order) && strcmp(x.at, "\n") == 0;
    ok(good, "junit: well formed, with known elements in their order");
    if (!good)
        printf("# %s: %.60s\n", x.why ? x.why : "?", x.at);
    ok(x.suites == m->count && x.cases == m->count * m->test_count && x.failures == failed &&
           x.skipped == skipped && x.errors == ungraded,
       "junit: a suite for each hand-in, a case for each test, and its state");
    buf_free(&out);
}

/* ---- TAP ---------------------------------------------------------------------------------- */

/* The directive of a line, as readers find it: behind a # that no odd number of \ escapes. */
static const char *directive(struct span line)
{
    for (size_t i = 0; i < line.n; i++) {
        size_t slashes = 0;
        while (slashes < i && line.at[i - slashes - 1] == '\\')
            slashes++;
        if (line.at[i] == '#' && slashes % 2 == 0)
            return line.at + i + 1 + strspn(line.at + i + 1, " \t");
    }
    return NULL;
}

static bool read_tap_test(struct span line, unsigned number, enum mark_state state)
{
    char wanted[40];
    const bool good = state == MARK_PASSED || state == MARK_SKIPPED;
    const char *found = directive(line);
    snprintf(wanted, sizeof wanted, "%s %u - ", good ? "ok" : "not ok", number);
    return begins(line, wanted) &&
           (state == MARK_SKIPPED ? found && begins_with(found, "SKIP ") : !found);
}

static void test_tap(const struct marks *m)
{
    struct buf out = {0};
    unsigned number = 0;
    char plan[40];
    ok(report(m, "tap", &out) && is_clean(&out, "\n\t"), "tap: no control characters");
    snprintf(plan, sizeof plan, "1..%u", m->count * m->test_count);
    struct span rest = {buf_text(&out), out.len}, line;
    bool good = next_line(&rest, &line) && same_text(line, "TAP version 13") &&
                next_line(&rest, &line) && same_text(line, plan);
    while (good && next_line(&rest, &line)) {
        if (begins(line, "# "))
            continue;
        const struct marked *h = m->of[number / m->test_count];
        const unsigned i = number % m->test_count;
        good = read_tap_test(line, ++number, mark_outcome(&m->test[i], &h->mark[i]));
        if (!good)
            printf("# %.*s\n", (int)line.n, line.at);
    }
    ok(good && number == m->count * m->test_count,
       "tap: a line for each test of each hand-in, with its state and no other directive");
    buf_free(&out);
}

/* ---- CSV: RFC 4180 ------------------------------------------------------------------------ */

/* One field. Returns what follows it; NULL: it is not one. */
static const char *read_field(const char *at, struct buf *out)
{
    buf_clear(out);
    if (*at != '"') {
        for (; *at && !strchr(",\r\n\"", *at); at++)
            buf_putc(out, *at);
        return *at == '"' ? NULL : at;
    }
    for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
        buf_putc(out, *at);
        at += *at == '"';
    }
    return *at ? at + 1 : NULL;
}

static bool number_is(const struct buf *field, bool known, int64_t points)
{
    char text[POINTS_TEXT];
    return strcmp(buf_text(field), known ? points_text(points, text) : "") == 0;
}

static bool field_is_right(const struct marks *m, unsigned row, unsigned column,
                           const struct buf *field)
{
    const unsigned tests = m->test_count;
    if (field->len && strchr("=+-@\t\r\n", *field->data))
        return false;
    if (row == 0)
        return column < 2 || column >= tests + 2 ||
               strstr(buf_text(field), m->test[column - 2].name);
    const struct marked *h = m->of[row - 1];
    const char *text = buf_text(field);
    if (column < 2) {
        const char *wanted = column ? h->id : h->student;
        return strcmp(text + (*text == '\'' && *wanted != '\''), wanted) == 0;
    }
    if (column < tests + 2)
        return number_is(field, mark_known(&h->mark[column - 2]),
                         mark_points(&h->mark[column - 2]));
    if (column == tests + 2)
        return number_is(field, !marked_ungraded(m, h), marked_points(m, h));
    return column != tests + 3 || number_is(field, true, marks_most(m));
}

static void test_csv(const struct marks *m)
{
    struct buf out = {0}, field = {0};
    unsigned row = 0, column = 0;
    bool good = report(m, "csv", &out);
    ok(good && is_clean(&out, "\r\n\t"), "csv: no control characters");
    const char *at = buf_text(&out);
    while (good && *at) {
        at = read_field(at, &field);
        good = at && row <= m->count && field_is_right(m, row, column++, &field);
        if (!good)
            printf("# row %u, column %u: %s\n", row, column, buf_text(&field));
        else if (*at == ',')
            at++;
        else if (begins_with(at, "\r\n") && column == m->test_count + 8) {
            at += 2;
            row++;
            column = 0;
        } else {
            good = false;
        }
    }
    ok(good && row == m->count + 1 && !column,
       "csv: each row has all fields, right ones, and no formula");
    buf_free(&out);
    buf_free(&field);
}

/* ---- what students see -------------------------------------------------------------------- */

static void test_secrets(const struct marks *m)
{
    static const char *const names[] = {"gradescope", "prairielearn", "coderunner", "feedback"};
    struct buf out = {0};
    struct err e;
    for (unsigned f = 0; f < 4; f++) {
        unsigned shown = 0, seen = 0, written = 0;
        for (unsigned k = 0; k < m->count; k++) {
            buf_clear(&out);
            if (marked_report(m, m->of[k], form(names[f]), &out, &e) != 0)
                continue;
            written++;
            shown += strstr(buf_text(&out), "SECRET") != NULL || !is_clean(&out, "\n\t");
            seen += f == 2 || strstr(buf_text(&out), "hidden test 1") != NULL;
        }
        printf("# %s: %u of %u\n", names[f], written, m->count);
        ok(written > 10 && !shown && seen == written,
           "a student sees nothing of a hidden test but its points, and no note");
    }
    ok(report(m, "feedback", &out), "feedback of all students");
    struct span rest = {buf_text(&out), out.len}, line;
    unsigned totals = 0;
    while (next_line(&rest, &line))
        totals += begins(line, "Points: ");
    ok(totals == m->count, "no line of a hand-in passes for a line of the feedback");
    for (unsigned k = 0; mark_form_name(k); k++) {
        const bool all = strstr("tap junit json csv", mark_form_name(k)) != NULL;
        if (all)
            ok(report(m, mark_form_name(k), &out) && strstr(buf_text(&out), "SECRET") &&
                   strstr(buf_text(&out), "agreed"),
               "an instructor sees hidden tests and overrides");
    }
    buf_free(&out);
}

static void test_ungraded(void)
{
    struct marks m;
    struct err e;
    struct buf out = {0};
    int made = marks_begin(&m, "x", &e);
    made += marks_test(&m, "a", POINT, false, -1, &e) + marks_test(&m, "b", POINT, false, -1, &e);
    struct marked *h = marks_add(&m, "Ann", "", &e);
    made += h ? mark_set(&m, h, 0, MARK_PASSED, MARK_NO_CAUSE, NULL, NULL, &e) : -1;
    ok(made == 0 && marked_ungraded(&m, h) == 1 && marks_ungraded(&m) == 1,
       "a test has no mark yet");
    ok(marked_report(&m, h, form("gradescope"), &out, &e) != 0 &&
           strstr(e.text, "1 test was not") &&
           marked_report(&m, h, form("coderunner"), &out, &e) != 0 && !out.len,
       "so there is no report that would give 0 points for it");
    ok(report(&m, "prairielearn", &out) && strstr(buf_text(&out), "\"gradable\":false") &&
           !strstr(buf_text(&out), "score"),
       "or one that says it is not gradable");
    ok(report(&m, "csv", &out) && strstr(buf_text(&out), "\"Ann\",\"\",1,,,2,1,"),
       "a table has an empty field for it, and for the sum");
    ok(report(&m, "tap", &out) && strstr(buf_text(&out), "\nnot ok 2 - Ann: b (not graded)\n"),
       "tap: it is not ok");
    struct report r;
    report_init(&r);
    r.width = 72;
    made +=
        mark_set(&m, h, 1, MARK_UNGRADED, MARK_NO_CAUSE, NULL, "The reference failed.\nsee", &e);
    marks_say(&r, &m);
    ok(made == 0 && strstr(buf_text(&r.screen),
                           "not graded: 1 hand-in\n  b: Ann. The reason for the first one: "
                           "The reference failed.\n"),
       "and the screen says why");
    report_free(&r);
    ok(report(&m, "feedback", &out) && strstr(buf_text(&out), "b: not graded") &&
           strstr(buf_text(&out), "this is not your mark"),
       "the feedback says so");
    marks_free(&m);
    made = marks_begin(&m, "x", &e) + marks_test(&m, "a", 0, false, -1, &e);
    h = marks_add(&m, "Ann", "", &e);
    made += h ? mark_set(&m, h, 0, MARK_PASSED, MARK_NO_CAUSE, NULL, NULL, &e) : -1;
    ok(made == 0 && marked_report(&m, h, form("prairielearn"), &out, &e) != 0 &&
           strstr(e.text, "no test"),
       "no part of 0 points is made up");
    marks_free(&m);
    buf_free(&out);
}

/* Feedback gives way until the platform can read the report. */
static void test_bounds(void)
{
    struct marks m;
    struct err e;
    struct buf out = {0}, long_text = {0};
    char name[20];
    int made = marks_begin(&m, "x", &e);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "test %u", i);
        made += marks_test(&m, name, POINT, false, -1, &e);
    }
    for (unsigned i = 0; i < 30000; i++)
        buf_puts(&long_text, "\xE2\x82\xAC\"\\\n");
    struct marked *h = marks_add(&m, "Ann", "", &e);
    for (unsigned i = 0; i < 40 && h; i++)
        made += mark_set(&m, h, i, MARK_FAILED, MARK_CHECK, buf_text(&long_text), NULL, &e);
    static const char *const names[] = {"gradescope", "prairielearn", "coderunner", "feedback"};
    for (unsigned f = 0; f < 4 && made == 0; f++) {
        ok(report(&m, names[f], &out) && out.len <= 1000000 && out.len > 100000 &&
               is_clean(&out, "\n\t") && strstr(buf_text(&out), "(The rest is left out.)"),
           "a report has at most a megabyte, and it is said what is left out");
    }
    ok(made == 0, "long feedback is taken");
    marks_free(&m);
    buf_free(&out);
    buf_free(&long_text);
}

/* ---- the screen --------------------------------------------------------------------------- */

static int widest_line(const struct buf *text)
{
    struct span rest = {buf_text(text), text->len}, line;
    int widest = 0;
    while (next_line(&rest, &line)) {
        const int width = columns_of(line.at, line.n);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void test_screen(const struct marks *m, const char *what)
{
    static const int widths[] = {72, 80, 100, 200};
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct report r;
        report_init(&r);
        r.width = widths[i];
        marks_say(&r, m);
        const bool good = widest_line(&r.screen) <= r.width && is_clean(&r.screen, "\n");
        ok(good, what);
        if (!good || getenv("SHOW_SCREENS"))
            printf("# %d columns of %d\n%s\n", widest_line(&r.screen), r.width,
                   buf_text(&r.screen));
        report_free(&r);
    }
}

static void test_many(unsigned tests)
{
    struct marks m;
    struct err e;
    char name[40];
    int made = marks_begin(&m, "many tests", &e);
    for (unsigned i = 0; i < tests; i++) {
        snprintf(name, sizeof name, "a test with a long name, %u", i);
        made += marks_test(&m, name, POINT / 2, false, -1, &e);
    }
    for (unsigned k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "Student %u", k);
        struct marked *h = marks_add(&m, name, "", &e);
        for (unsigned i = 0; i < tests && h; i++)
            made +=
                mark_set(&m, h, i, (i + k) % 2 ? MARK_PASSED : MARK_FAILED, MARK_FAULT, "", "", &e);
    }
    ok(made == 0, "an exercise with many tests");
    test_screen(&m, "a table fits the screen, however many tests there are");
    marks_free(&m);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool write_to(const struct marks *m, const char *folder, const char *form_and_place)
{
    struct buf request = {0}, out = {0};
    const char *place;
    struct err e;
    const size_t n = strcspn(form_and_place, ":");
    buf_printf(&request, "%.*s:%s/%s", (int)n, form_and_place, folder, form_and_place + n + 1);
    const struct mark_form *f = mark_form_asked(buf_text(&request), &place, &e);
    const bool good = f && marks_report(m, f, place, &out, &e) == 0 && !out.len;
    if (!good)
        printf("# %s: %s\n", buf_text(&request), e.text);
    buf_free(&request);
    buf_free(&out);
    return good;
}

static int write_all(const struct marks *m, const char *folder)
{
    static const char *const places[] = {"tap:all.tap",
                                         "junit:all.xml",
                                         "csv:all.csv",
                                         "json:all.json",
                                         "gradescope:gradescope/",
                                         "prairielearn:prairielearn/{}.json",
                                         "coderunner:coderunner/{}/{}.json",
                                         "feedback:feedback/"};
    bool good = true;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        good = write_to(m, folder, places[i]) && good;
    return good ? 0 : 1;
}

static void test_requests(const struct marks *m)
{
    const char *place;
    struct err e;
    struct buf out = {0};
    ok(!mark_form_asked("junit2:x", &place, &e) && strstr(e.text, "did you mean `junit`"),
       "a near form is offered");
    ok(!mark_form_asked("excel", &place, &e) && strstr(e.text, "tap, junit, gradescope"),
       "or all of them");
    ok(!mark_form_asked("tap:", &place, &e), "a file needs a name");
    ok(mark_form_asked("tap:a:b", &place, &e) && strcmp(place, "a:b") == 0,
       "with a colon in it, too");
    ok(mark_form_asked("tap:-", &place, &e) && !place, "- is no file");
    const struct marks none = {.exercise = "x"};
    ok(marks_report(&none, form("feedback"), NULL, &out, &e) != 0 && !out.len,
       "a report of nothing is not made");
    ok(marks_report(m, form("gradescope"), NULL, &out, &e) != 0 &&
           strstr(e.text, "gradescope:reports/{}.json"),
       "one file can't have several students, and what would be right is said");
    ok(marks_report(m, form("csv"), "/nonexistent/x.csv", &out, &e) != 0 &&
           strstr(e.text, "cannot write `/nonexistent/x.csv`"),
       "a report that can't be written");
    ok(marks_report(m, form("feedback"), "/dev/null/{}.txt", &out, &e) != 0 &&
           strstr(e.text, "20 of 20 reports could not be written"),
       "or many of them");
    buf_free(&out);
}

int main(int argc, char **argv)
{
    struct marks m;
    struct err e;
    int made = make_marks(&m, &e);
    struct marked *h = made == 0 ? marks_find(&m, "1002", &e) : NULL;
    for (unsigned i = 0; h && i < MADE_TESTS; i += 3) {
        h->mark[i].why = "SECRET reason, agreed \"by mail\" # TODO";
        h->mark[i].override = i ? 500 : POINT;
    }
    if (argc == 3 && h && strcmp(argv[1], "--write") == 0) {
        const int rc = write_all(&m, argv[2]);
        marks_free(&m);
        return rc;
    }
    ok(h != NULL, "marks are made");
    if (h) {
        test_junit(&m);
        test_tap(&m);
        test_csv(&m);
        test_secrets(&m);
        test_ungraded();
        test_bounds();
        test_screen(&m, "a table keeps to its width, whatever the names are");
        test_many(9);
        test_many(25);
        test_many(200);
        test_requests(&m);
    } else {
        printf("# %s\n", e.text);
    }
    marks_free(&m);
    printf("1..%d\n", tests_run);
    return 0;
}
