/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs statements: conditions, repetitions, testcases. Commands go to the host. What a command ended
 * with is pending until the next one begins, or until the testcase ends: an `expect` about it may
 * accept it. Then it counts as meant.
 */
#include "script/run.h"

#include "base/json-find.h"
#include "base/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- causes ------------------------------------------------------------------------------ */

static struct script_test *running_test(struct script *s)
{
    return s->testing ? &s->tests[s->test_count - 1] : NULL;
}

static void settle(enum failure_cause *first, enum failure_cause *pending)
{
    if (*first == CAUSE_NONE)
        *first = *pending;
    *pending = CAUSE_NONE;
}

static void add_feedback(struct script_test *t, const char *text)
{
    if (t && text[0])
        buf_printf(&t->feedback, "%s\n", text);
}

/* What is pending counts from now on. */
static void settle_all(struct script *s)
{
    struct script_test *t = running_test(s);
    if (!t) {
        settle(&s->cause, &s->pending);
        return;
    }
    if (t->pending != CAUSE_NONE)
        add_feedback(t, buf_text(&t->pending_says));
    settle(&t->cause, &t->pending);
}

static enum failure_cause *pending_of(struct script *s)
{
    struct script_test *t = running_test(s);
    return t ? &t->pending : &s->pending;
}

void script_note(struct script *s, enum failure_cause c, const char *text)
{
    struct script_test *t = running_test(s);
    if (c == CAUSE_NONE)
        return;
    settle_all(s);
    settle(t ? &t->cause : &s->cause, &c);
    add_feedback(t, text);
}

void script_begins(struct script *s)
{
    if (!s->testing)
        settle(&s->cause, &s->pending);
}

static enum failure_cause cause_of(struct span object)
{
    struct span status, cause;
    struct buf name = {0};
    if (!json_find(object, SPAN("status"), &status) || same_text(status, "\"ok\""))
        return CAUSE_NONE;
    enum failure_cause c = CAUSE_NONE;
    if (json_find(object, SPAN("cause"), &cause)) {
        json_string(cause, &name);
        c = cause_named(buf_text(&name));
    }
    buf_free(&name);
    return c != CAUSE_NONE ? c : same_text(status, "\"fault\"") ? CAUSE_FAULT : CAUSE_SCRIPT;
}

void script_ran(struct script *s, const char *object, size_t n)
{
    static const char *const of_launches[] = {"kernel", "launches", "variants", "counters",
                                              "faults"};
    const struct span o = {object, n};
    const enum failure_cause c = cause_of(o);
    struct script_test *t = running_test(s);
    bool launched = c != CAUSE_NONE;
    for (size_t i = 0; i < sizeof of_launches / sizeof *of_launches; i++)
        launched |= json_has(o, of_launches[i]);
    buf_clear(&s->object);
    buf_add(&s->object, object, n);
    if (launched) {
        buf_clear(&s->launched);
        buf_add(&s->launched, object, n);
    }
    if (launched)
        settle_all(s); /* what could be asked about an earlier end is replaced */
    if (c == CAUSE_NONE)
        return;
    *pending_of(s) = c;
    if (t) {
        struct buf why = {0};
        struct span command;
        object_failed(s, &why);
        buf_clear(&t->pending_says);
        if (json_find(o, SPAN("command"), &command))
            json_string(command, &t->pending_says);
        buf_printf(&t->pending_says, ": %s", buf_text(&why));
        buf_free(&why);
    }
}

enum failure_cause script_cause(const struct script *s)
{
    return s->cause != CAUSE_NONE ? s->cause : s->pending;
}

/* ---- expectations ------------------------------------------------------------------------ */

void script_judged(struct script *s, const struct expected *v)
{
    struct script_test *t = running_test(s);
    struct buf text = {0};
    if (t)
        t->checks++;
    if (v->ok) {
        if (v->about_end) /* it ended as was expected */
            *pending_of(s) = CAUSE_NONE;
        return;
    }
    /* A check that fails after a fault is judged by the fault. */
    expected_say(v, &text);
    script_note(s, CAUSE_CHECK, buf_text(&text));
    add_feedback(t, buf_text(&v->hint));
    buf_free(&text);
}

int script_hint(struct script *s, const char *text, struct err *e)
{
    struct script_reading r = {.script = s, .text = text, .e = e};
    struct script_test *t = running_test(s);
    struct buf hint = {0};
    int rc = !t ? fail(e, "`hint` belongs into a testcase, and none is open here")
             : !reading_quoted(&r) ? fail(e, "hint needs a text in quotes, as in hint \"use a barrier\"")
             : reading_word(&r, &hint) != 0 || reading_ends(&r) != 0 ? -1 : 0;
    if (rc == 0)
        buf_printf(&t->hint, "%s%s", t->hint.len ? "\n" : "", buf_text(&hint));
    buf_free(&hint);
    return rc;
}

/* ---- testcases --------------------------------------------------------------------------- */

const char *statement_rest(const struct statement *st)
{
    return st->text + strcspn(st->text, " \t");
}

static int read_points(struct script_reading *r, double *points)
{
    struct value v;
    if (reading_value(r, &v) != 0)
        return -1;
    const bool fine = value_is_number(&v) && value_real(&v) >= 0 && value_real(&v) <= 1e9;
    *points = value_real(&v);
    value_free(&v);
    return fine ? 0 : fail(r->e, "points are a number of 0 or more");
}

static int read_option(struct script_reading *r, struct script_test *t)
{
    struct buf word = {0};
    int rc = reading_word(r, &word);
    if (rc == 0 && strcmp(buf_text(&word), "hidden") == 0) {
        t->hidden = true;
    } else if (rc == 0 && strcmp(buf_text(&word), "points") == 0) {
        rc = read_points(r, &t->points);
    } else if (rc == 0 && strcmp(buf_text(&word), "needs") == 0 && !t->needs) {
        struct buf other = {0};
        rc = reading_word(r, &other);
        if (rc == 0 && !other.len)
            rc = fail(r->e, "behind `needs`, write the name of another testcase in quotes");
        if (rc == 0 && !(t->needs = strdup(buf_text(&other))))
            rc = fail_memory(r->e);
        buf_free(&other);
    } else if (rc == 0)
        rc = fail(r->e, "a testcase has no `%.60s`: behind the name come points N, hidden, needs "
                  "\"OTHER\"", buf_text(&word));
    buf_free(&word);
    return rc;
}

/* testcase "name" points 2 hidden needs "other" */
int script_read_test(struct script *s, const struct statement *st, struct script_test *t,
                         struct err *e)
{
    struct script_reading r = {.script = s, .text = statement_rest(st), .e = e};
    struct buf name = {0};
    *t = (struct script_test){.points = 1, .line = st->line};
    if (!reading_quoted(&r))
        return fail(e, "a testcase needs a name in quotes, as in testcase \"sizes\" points 2");
    int rc = reading_word(&r, &name);
    if (rc == 0 && !name.len)
        rc = fail(e, "a testcase needs a name that is not empty");
    if (rc == 0 && !(t->name = strdup(buf_text(&name))))
        rc = fail_memory(e);
    buf_free(&name);
    for (reading_skip(&r); rc == 0 && r.text[r.at]; reading_skip(&r))
        rc = read_option(&r, t);
    return rc;
}

void script_test_free(struct script_test *t)
{
    free(t->name);
    free(t->needs);
    buf_free(&t->pending_says);
    buf_free(&t->feedback);
    buf_free(&t->hint);
}

int script_check_test(const struct script *s, const struct script_test *t, bool *skip, struct err *e)
{
    struct near near = {.word = t->needs ? t->needs : ""};
    *skip = false;
    for (unsigned i = 0; i < s->test_count; i++)
        if (strcmp(s->tests[i].name, t->name) == 0)
            return fail(e, "line %d has a testcase \"%.80s\" already; each needs a name of its own",
                        s->tests[i].line, t->name);
    if (!t->needs)
        return 0;
    for (unsigned i = 0; i < s->test_count; i++) {
        if (strcmp(s->tests[i].name, t->needs) == 0) {
            *skip = s->tests[i].state != TEST_PASSED;
            return 0;
        }
        near_try(&near, s->tests[i].name);
    }
    return near.best ? fail(e, "no testcase before this one is called \"%.80s\": did you mean "
                            "\"%s\"?", t->needs, near.best)
                     : fail(e, "no testcase before this one is called \"%.80s\"", t->needs);
}

static int run_part(struct script *, const struct statements *, unsigned from, unsigned to);

static int wrong(struct script *s, const struct statement *st, struct err *e)
{
    script_note(s, e->limit ? CAUSE_LIMIT : CAUSE_SCRIPT, e->text);
    if (s->host.failed)
        s->host.failed(s->host.self, st, e);
    return 0;
}

static void end_test(struct script *s, struct script_test *t)
{
    settle_all(s);
    t->state = t->cause == CAUSE_NONE ? TEST_PASSED : TEST_FAILED;
    if (t->state == TEST_FAILED)
        add_feedback(t, buf_text(&t->hint));
    s->testing = false;
    script_note(s, t->cause, "");
}

static int run_testcase(struct script *s, const struct statements *all, unsigned at)
{
    const struct statement *st = &all->all[at];
    struct script_test fresh;
    struct err e = {0};
    bool skip;
    script_begins(s);
    if (script_read_test(s, st, &fresh, &e) != 0 || script_check_test(s, &fresh, &skip, &e) != 0) {
        script_test_free(&fresh);
        return wrong(s, st, &e);
    }
    struct script_test *tests = realloc(s->tests, (s->test_count + 1) * sizeof *tests);
    if (!tests) {
        script_test_free(&fresh);
        fail_memory(&e);
        return wrong(s, st, &e);
    }
    s->tests = tests;
    struct script_test *t = &tests[s->test_count++];
    *t = fresh;
    int rc = 0;
    if (skip)
        t->state = TEST_SKIPPED;
    else {
        s->testing = true;
        rc = run_part(s, all, at + 1, st->next);
        t = &s->tests[s->test_count - 1];
        end_test(s, t);
    }
    if (s->host.tested)
        s->host.tested(s->host.self, st, t);
    return rc;
}

/* ---- conditions and repetitions ------------------------------------------------------------ */

/* `else if COND` has its condition behind the second word. */
const char *statement_condition(const struct statement *st)
{
    const char *text = statement_rest(st);
    if (st->kind == STATEMENT_IF)
        return text;
    text += strspn(text, " \t");
    return *text ? text + 2 : text;
}

static unsigned end_of_if(const struct statements *all, unsigned at)
{
    while (all->all[at].kind != STATEMENT_END)
        at = all->all[at].next;
    return at;
}

static int run_if(struct script *s, const struct statements *all, unsigned at)
{
    struct err e = {0};
    while (all->all[at].kind != STATEMENT_END) {
        const struct statement *st = &all->all[at];
        const char *condition = statement_condition(st);
        bool holds = !*condition && st->kind == STATEMENT_ELSE;
        if (!holds && script_condition(s, condition, &holds, &e) != 0)
            return wrong(s, st, &e);
        if (holds)
            return run_part(s, all, at + 1, st->next);
        at = st->next;
    }
    return 0;
}

static int read_bound(struct script_reading *r, int64_t *out)
{
    struct value v;
    if (reading_value(r, &v) != 0)
        return -1;
    const bool whole = v.type == VALUE_WHOLE || v.type == VALUE_ANY;
    *out = v.whole;
    value_free(&v);
    return whole ? 0 : fail(r->e, "repeat counts in whole numbers");
}

/* `repeat 5`, or `repeat i = 0..9`: both ends are included. */
int script_read_turns(struct script *s, const struct statement *st, struct turns *t, struct err *e)
{
    struct script_reading r = {.script = s, .text = statement_rest(st), .e = e};
    reading_skip(&r);
    const char *text = r.text + r.at;
    size_t n = 0;
    while (in_word(text[n]))
        n++;
    const size_t blanks = strspn(text + n, " \t");
    *t = (struct turns){.from = 1};
    if (!text[0])
        return fail(e, "repeat needs a number, or a variable and a range, as in repeat i = 1..10");
    if (n && !is_digit(text[0]) && text[n + blanks] == '=') {
        snprintf(t->name, sizeof t->name, "%.*s", n < 63 ? (int)n : 63, text);
        r.at += n + blanks + 1;
        if (read_bound(&r, &t->from) != 0)
            return -1;
        reading_skip(&r);
        if (strncmp(r.text + r.at, "..", 2) != 0)
            return fail(e, "a range needs .. between its ends, as in repeat %s = 1..10", t->name);
        r.at += 2;
    }
    if (read_bound(&r, &t->to) != 0 || reading_ends(&r) != 0)
        return -1;
    return t->name[0] || t->to >= 0 ? 0 : fail(e, "repeat can't run less than 0 times");
}

static int begin_turn(struct script *s, const struct turns *t, int64_t i, struct err *e)
{
    struct value v = {.type = VALUE_WHOLE, .whole = i};
    return t->name[0] ? script_set(s, t->name, &v, e) : 0;
}

static int run_repeat(struct script *s, const struct statements *all, unsigned at)
{
    const struct statement *st = &all->all[at];
    struct turns t;
    struct err e = {0};
    if (script_read_turns(s, st, &t, &e) != 0)
        return wrong(s, st, &e);
    for (int64_t i = t.from; i <= t.to; i++) {
        if (s->host.goes_on && s->host.goes_on(s->host.self, &e) != 0)
            return -1;
        if (begin_turn(s, &t, i, &e) != 0)
            return wrong(s, st, &e);
        if (run_part(s, all, at + 1, st->next) != 0)
            return -1;
        if (i == INT64_MAX)
            break;
    }
    return 0;
}

/* ---- statements ---------------------------------------------------------------------------- */

/* What the library does itself, for a host that runs nothing but commands. */
static int run_own(struct script *s, const struct statement *st)
{
    struct expected v;
    struct err e = {0};
    const char *text = statement_rest(st);
    if (st->kind == STATEMENT_LET)
        return script_let(s, text, NULL, &e) == 0 ? 0 : wrong(s, st, &e);
    if (st->kind == STATEMENT_HINT)
        return script_hint(s, text, &e) == 0 ? 0 : wrong(s, st, &e);
    if (script_expect(s, text, &v, &e) != 0)
        return wrong(s, st, &e);
    script_judged(s, &v);
    if (s->host.judged)
        s->host.judged(s->host.self, st, &v);
    expected_free(&v);
    return 0;
}

static int run_command(struct script *s, const struct statement *st)
{
    struct err e = {0};
    if (st->kind == STATEMENT_COMMAND)
        script_begins(s);
    if (st->kind != STATEMENT_COMMAND && !s->host.takes_all)
        return run_own(s, st);
    return s->host.run(s->host.self, st, &e);
}

static int run_part(struct script *s, const struct statements *all, unsigned from, unsigned to)
{
    int rc = 0;
    for (unsigned at = from; rc == 0 && at < to;) {
        const struct statement *st = &all->all[at];
        switch (st->kind) {
        case STATEMENT_IF:
            rc = run_if(s, all, at);
            at = end_of_if(all, at) + 1;
            break;
        case STATEMENT_REPEAT:
            rc = run_repeat(s, all, at);
            at = st->next + 1;
            break;
        case STATEMENT_TESTCASE:
            rc = run_testcase(s, all, at);
            at = st->next + 1;
            break;
        case STATEMENT_ELSE:
        case STATEMENT_END: at++; break;
        default:
            if (s->ran)
                s->ran[at] = true;
            rc = run_command(s, st);
            at++;
        }
    }
    return rc;
}

int script_run(struct script *s, const struct statements *all)
{
    return run_part(s, all, 0, all->count);
}

void script_free(struct script *s)
{
    for (unsigned i = 0; i < s->variable_count; i++) {
        free(s->variables[i].name);
        value_free(&s->variables[i].value);
    }
    free(s->variables);
    for (unsigned i = 0; i < s->test_count; i++)
        script_test_free(&s->tests[i]);
    free(s->tests);
    buf_free(&s->object);
    buf_free(&s->launched);
    *s = (struct script){.variables = NULL};
}
