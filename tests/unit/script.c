/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The language of scripts over a host that is no shell, as a grader has one: its commands answer with
 * objects that are written here, and let, expect and testcase never reach it. Answers of others are not
 * to be trusted, so objects that are no JSON, or much of it, do no harm.
 */
#include "script/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static void is(const char *got, const char *wanted, const char *what)
{
    ok(strcmp(got, wanted) == 0, what);
    if (strcmp(got, wanted) != 0)
        printf("# got    %s\n# wanted %s\n", got, wanted);
}

/* ---- a host ------------------------------------------------------------------------------ */

struct fake_host {
    struct script *script;
    const char *object; /* what each command answers */
    struct buf ran, said;
    unsigned judged, right, tested, turns_left;
};

static int run(void *self, const struct statement *st, struct err *e)
{
    struct fake_host *h = self;
    struct buf line = {0};
    if (script_expand(h->script, st->text, strlen(st->text), &line, e) == 0) {
        buf_printf(&h->ran, "%s|", buf_text(&line));
        script_ran(h->script, h->object, strlen(h->object));
    } else
        script_note(h->script, CAUSE_SCRIPT, e->text);
    buf_free(&line);
    return 0;
}

/* The array x has 100 elements of i32, and each is three times its index. */
static int find_array(void *self, const char *name, struct host_array *a, struct err *e)
{
    (void)self;
    if (strcmp(name, "x") != 0)
        return fail(e, "there is no array `%s`", name);
    *a = (struct host_array){.type = ELEMENT_I32, .count = 100, .whole = 100, .dims = {100}};
    return 0;
}

static int elements(void *self, const struct host_array *a, uint64_t first, uint64_t n, void *to,
                    struct err *e)
{
    (void)self;
    (void)a;
    (void)e;
    for (uint64_t i = 0; i < n; i++) {
        const int32_t v = (int32_t)(3 * (first + i));
        memcpy((char *)to + 4 * i, &v, 4);
    }
    return 0;
}

static int goes_on(void *self, struct err *e)
{
    struct fake_host *h = self;
    return h->turns_left-- ? 0 : fail(e, "enough");
}

static void failed(void *self, const struct statement *st, const struct err *e)
{
    struct fake_host *h = self;
    buf_printf(&h->said, "%d: %s|", st->line, e->text);
}

static void judged(void *self, const struct statement *st, const struct expected *v)
{
    struct fake_host *h = self;
    (void)st;
    h->judged++;
    h->right += v->ok;
}

static void tested(void *self, const struct statement *st, const struct script_test *t)
{
    struct fake_host *h = self;
    (void)st;
    (void)t;
    h->tested++;
}

/* Runs a text; what came of it is in the host and in the script. */
static int play(struct fake_host *h, struct script *s, const char *object, const char *text)
{
    struct statements all = {0};
    struct err e = {0};
    *h = (struct fake_host){.script = s, .object = object, .turns_left = 1000};
    *s = (struct script){.host = {.self = h, .run = run, .array = find_array, .elements = elements,
                                  .goes_on = goes_on, .failed = failed, .judged = judged,
                                  .tested = tested}};
    int rc = statements_read(&all, text, strlen(text), 1, &e);
    if (rc == 0)
        rc = statements_ended(&all, &e);
    if (rc == 0)
        rc = script_run(s, &all);
    else
        buf_printf(&h->said, "%d: %s|", e.line, e.text);
    statements_free(&all);
    return rc;
}

static void leave(struct fake_host *h, struct script *s)
{
    script_free(s);
    buf_free(&h->ran);
    buf_free(&h->said);
}

/* ---- tests ------------------------------------------------------------------------------- */

static const char fine[] = "{\"command\":\"c\",\"status\":\"ok\",\"result\":{\"area\":24.5,"
                           "\"text\":\"a \\\"b\\\" \\u00e4\\ud83d\\ude00\"},\"faults\":[]}";

static void test_grader(void)
{
    struct fake_host h;
    struct script s;
    play(&h, &s, fine, "let n = 3\nrun $n \\\n  more; expect area == 24.5\n"
                       "testcase \"t\" points 2\n  go\n  expect x == expr:3*i\n  expect faults == none\n"
                       "end\ntestcase \"u\" points 3 needs \"t\"\n  hint \"h\"\n  expect x == iota\nend\n");
    is(buf_text(&h.ran), "run 3   more|go|", "a host without takes_all gets commands alone");
    ok(h.judged == 4 && h.right == 3 && h.tested == 2, "and is told of each expectation and testcase");
    ok(s.test_count == 2 && s.tests[0].state == TEST_PASSED && s.tests[1].state == TEST_FAILED &&
           s.tests[1].cause == CAUSE_CHECK, "tests passed and failed");
    is(s.test_count == 2 ? buf_text(&s.tests[1].feedback) : "",
       "x: 99 of 100 elements differ, first at [1]: wanted 1, found 3\nh\n", "with feedback");
    ok(script_cause(&s) == CAUSE_CHECK, "the script's cause is the first one");
    leave(&h, &s);
    play(&h, &s, "{\"status\":\"fault\",\"cause\":\"fault\",\"faults\":[{\"kind\":\"race-shared\","
                 "\"message\":\"m\"}]}",
         "testcase \"a\"\ngo\nexpect faults has race-shared\nend\ntestcase \"b\"\ngo\nend\n");
    ok(s.test_count == 2 && s.tests[0].state == TEST_PASSED && s.tests[1].cause == CAUSE_FAULT,
       "a fault that is expected is none");
    is(s.test_count == 2 ? buf_text(&s.tests[1].feedback) : "", ": race-shared: m\n",
       "one that is not is in the feedback");
    leave(&h, &s);
    play(&h, &s, fine, "go\nexpect text == 'a \"b\" \xc3\xa4\xf0\x9f\x98\x80'\n");
    ok(h.right == 1, "texts of JSON are read with their escapes");
    leave(&h, &s);
    ok(play(&h, &s, fine, "repeat 1000000\nlet a = 1\nend\n") != 0 && h.turns_left > 1000,
       "the host ends an endless repeat");
    leave(&h, &s);
    play(&h, &s, fine, "echo a\n\nif 1\necho b\n");
    is(buf_text(&h.said), "3: the `if` of line 3 has no `end`|", "errors have their line");
    leave(&h, &s);
    play(&h, &s, fine, "go\nif areaa > 3\nend\nlet x = \nexpect area = 3\n");
    is(buf_text(&h.said), "2: the last command has no `areaa`: did you mean area?|4: a value is missing "
                          "at the end|5: `=` is not an operator: did you mean ==?|",
       "mistakes are told, and the rest runs");
    ok(script_cause(&s) == CAUSE_SCRIPT, "their cause is the script");
    leave(&h, &s);
}

static void note_mistake(void *self, const struct statement *st, const struct err *e)
{
    (void)st;
    buf_printf(self, "%d:%d: %s|", e->line, e->column, e->text);
}

static void check(const char *text, const char *wanted, const char *what)
{
    struct statements all = {0};
    struct script s = {.variables = NULL};
    struct buf said = {0};
    struct err e = {0};
    ok(statements_read(&all, text, strlen(text), 1, &e) == 0, what);
    script_lint(&s, &all, note_mistake, &said);
    is(buf_text(&said), wanted, what);
    statements_free(&all);
    script_free(&s);
    buf_free(&said);
}

/* Mistakes are seen before anything runs, and what is right is none. */
static void test_check(void)
{
    check("let n = $1 * 2\nif $n > 3\nrepeat i = 1..$n\nrun $i $n\nexpect area ~ $n rtol 1e-4 \"h\"\nend\n"
          "else if not faults == none\nexpect faults has race-shared\nend\n"
          "testcase \"a\" points 2\nhint \"h\"\nexpect x == expr:$n*i+1\nexpect x[$n] == 3\n"
          "expect x == y\nexpect status == ok\nexpect output contains \"a b\"\nend\n"
          "testcase \"b $n\" needs \"a\"\nexpect variant a faster-than b by 5\nend\n",
          "", "a right script has no mistakes");
    check("run $m\nlet n = 1 +\n  expect area = 3\nexpect area == 3 4\nif $k\nend\n"
          "expect x == expr:2*\nhint \"a\"\nrepeat i = 1\nend\ntestcase a\nend\n",
          "1:5: there is no variable $m; `let m = VALUE` makes it|2:12: a value is missing at the end|"
          "3:15: `=` is not an operator: did you mean ==?|4:18: nothing more is expected at `4`|"
          "5:4: there is no variable $k; `let k = VALUE` makes it|"
          "7:1: expr:2*: column 3: something must follow *: a number, i, or (|"
          "8:1: `hint` belongs into a testcase, and none is open here|"
          "9:1: a range needs .. between its ends, as in repeat i = 1..10|"
          "11:1: a testcase needs a name in quotes, as in testcase \"sizes\" points 2|", "mistakes have their places");
}

/* No object makes an expectation hold by accident, none does harm. */
static void test_objects(void)
{
    static const char *const objects[] = {
        "", "{", "}", "[", "]", "{}", "[]", "null", "\"", "\"status", "{\"status\"", "{\"status\":",
        "{\"status\":\"", "{\"status\":\"ok\\", "{\"status\":\"\\u", "{\"status\":\"\\ud83d\\u\"}",
        "{\"status\":\"error\"}", "{\"status\":\"fault\",\"cause\":\"nosuch\"}", "{\"status\":7}",
        "{\"area\":}", "{\"area\":1e999}", "{\"area\":--1}", "{\"area\":{\"b\":[[[[{", "]]]]}}}}",
        "{\"faults\":7}", "{\"faults\":[", "{\"faults\":[{", "{\"faults\":[{\"kind\":7}]}",
        "{\"faults\":[{\"kind\":\"race-shared\"}]}", "{\"faults\":{}}", "{\"faults\":null}",
        "{\"variants\":[{\"variant\":\"a\"},{\"variant\":\"b\",\"time\":7}]}",
        "{\"variants\":[{\"variant\":\"a\",\"time\":{\"modelled_s\":\"x\"}}]}"};
    struct fake_host h;
    struct script s;
    unsigned right = 0;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        play(&h, &s, objects[i],
             "go\nexpect area == 24.5\nexpect area.b[0] == 1\nexpect area[a] > 1\nexpect area has 1\n"
             "expect faults == race-global\nexpect faults[0].kind == race-global\n"
             "expect output contains \"x\"\nexpect variant a faster-than b\n"
             "expect variant a fewer-than b time by 2\nexpect status == nosuch\n");
        right += h.right;
        leave(&h, &s);
    }
    ok(right == 0, "objects of others make no expectation hold");
}

static const char *const pieces[] = {
    "if", "else", "end", "repeat", "testcase", "expect", "let", "hint", " ", " ", "\n", ";", "\"", "'",
    "$n", "${", "$1", "x", "x[", "]", "area", "==", "~", "<", "<<", "1", "2^20", "-", "(", ")", "..",
    "i = 1..3", "\"t\"", "points 2", "rtol", "has", "contains", "variant a", "faster-than", "by 5",
    "not", "#", "\\\n", "expr:", "iota", "list:1,2", "faults", "none", "go", "9999999999999999999"};

/* Any words in any order: it ends, and no memory is lost (the sanitizers see to it). */
static void test_words(void)
{
    uint64_t seed = 88172645463325252u;
    struct fake_host h;
    struct script s;
    for (int k = 0; k < 20000; k++) {
        struct buf text = {0};
        for (int i = 0; i < 30; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            buf_puts(&text, pieces[seed % (sizeof pieces / sizeof *pieces)]);
            buf_puts(&text, seed >> 40 & 1 ? " " : "");
        }
        play(&h, &s, fine, buf_text(&text));
        leave(&h, &s);
        buf_free(&text);
    }
    ok(true, "scripts of any words end");
}

int main(void)
{
    test_grader();
    test_check();
    test_objects();
    test_words();
    printf("1..%u\n", tests_run);
    return tests_failed > 0;
}
