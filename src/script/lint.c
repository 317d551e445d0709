/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mistakes that can be seen before anything runs. Statements are read one after the other, as if each
 * block ran once. What a command would find is any value, and so is an argument; a variable has to be
 * made by a line before. Commands are not looked at: what they are, the host knows.
 */
#include "script/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_let(struct script *s, const char *text, struct err *e)
{
    const struct script_variable *made = NULL;
    return script_let(s, text, &made, e);
}

static int check_expect(struct script *s, const char *text, struct err *e)
{
    struct expected v;
    if (script_expect(s, text, &v, e) != 0)
        return -1;
    expected_free(&v);
    return 0;
}

static int check_repeat(struct script *s, const struct statement *st, struct err *e)
{
    struct turns t;
    struct value any = {.type = VALUE_ANY};
    if (script_read_turns(s, st, &t, e) != 0)
        return -1;
    return t.name[0] ? script_set(s, t.name, &any, e) : 0;
}

/* The tests so far are kept, for their names. */
static int check_testcase(struct script *s, const struct statement *st, struct err *e)
{
    struct script_test t;
    bool skip;
    struct script_test *tests = NULL;
    int rc = script_read_test(s, st, &t, e);
    if (rc == 0)
        rc = script_check_test(s, &t, &skip, e);
    if (rc == 0 && !(tests = realloc(s->tests, (s->test_count + 1) * sizeof *tests)))
        rc = fail_memory(e);
    if (rc != 0) {
        script_test_free(&t);
        return -1;
    }
    s->tests = tests;
    s->tests[s->test_count++] = t;
    return 0;
}

/* `hint` belongs into a testcase: is one open at this statement? */
static bool in_test(const struct statements *all, unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (all->all[i].kind == STATEMENT_TESTCASE && all->all[i].next > at)
            return true;
    return false;
}

static int check_one(struct script *s, const struct statements *all, unsigned at, struct err *e)
{
    const struct statement *st = &all->all[at];
    const char *rest = statement_rest(st);
    struct buf expanded = {0};
    bool holds;
    int rc = 0;
    switch (st->kind) {
    case STATEMENT_LET: return check_let(s, rest, e);
    case STATEMENT_EXPECT: return check_expect(s, rest, e);
    case STATEMENT_REPEAT: return check_repeat(s, st, e);
    case STATEMENT_TESTCASE: return check_testcase(s, st, e);
    case STATEMENT_HINT:
        s->testing = s->test_count && in_test(all, at);
        rc = script_hint(s, rest, e);
        s->testing = false;
        return rc;
    case STATEMENT_IF:
    case STATEMENT_ELSE:
        if (st->kind == STATEMENT_ELSE && !*statement_condition(st))
            return 0;
        return script_condition(s, statement_condition(st), &holds, e);
    case STATEMENT_COMMAND:
        rc = script_expand(s, st->text, strlen(st->text), &expanded, e);
        buf_free(&expanded);
        return rc;
    case STATEMENT_END: break;
    }
    return 0;
}

/* An error counts its column in a part of the statement; the reader of a file counts in its line. */
static int column_in_line(const struct statement *st, const struct err *e)
{
    const char *part = st->kind == STATEMENT_COMMAND ? st->text
                       : st->kind == STATEMENT_IF || st->kind == STATEMENT_ELSE
                           ? statement_condition(st) : statement_rest(st);
    return st->column + (e->column ? (int)(part - st->text) + e->column - 1 : 0);
}

unsigned script_lint(struct script *s, const struct statements *all, script_mistake *told, void *self)
{
    unsigned mistakes = 0;
    s->dry = true;
    for (unsigned at = 0; at < all->count; at++) {
        struct err e = {0};
        if (check_one(s, all, at, &e) == 0)
            continue;
        e.line = all->all[at].line;
        e.column = column_in_line(&all->all[at], &e);
        told(self, &all->all[at], &e);
        mistakes++;
    }
    return mistakes;
}
