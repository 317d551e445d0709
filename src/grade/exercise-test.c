/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A testcase of an exercise. Its sizes and schedules say which runs it has. All else stays a script,
 * which is judged once for each run: a word before its first line stands for the launch.
 */
#include "grade/exercise.h"

#include "base/near.h"
#include "grade/marks.h"

#include <stdio.h>
#include <string.h>

static int keep(struct exercise_test *t, const struct statement *st, const char *text, struct err *e)
{
    return statements_add(&t->body, text, strlen(text), st->line, st->column, e);
}

/* ---- its first line ----------------------------------------------------------------------- */

static int find_needed(const struct exercise *x, struct exercise_test *t, const char *needs,
                       struct err *e)
{
    struct near near = {.word = needs};
    for (unsigned i = 0; i < x->test_count; i++) {
        near_try(&near, x->test[i].name);
        if (strcmp(x->test[i].name, needs) == 0) {
            t->needs = (int)i;
            return 0;
        }
    }
    return near.best ? fail(e, "no testcase before this one is called \"%.80s\": did you mean "
                            "\"%s\"?", needs, near.best)
                     : fail(e, "no testcase before this one is called \"%.80s\"", needs);
}

static int read_header(struct exercise *x, const struct statement *st, struct exercise_test *t,
                       struct err *e)
{
    struct script none = {.test_count = 0};
    struct script_test read;
    int rc = script_read_test(&none, st, &read, e);
    if (rc == 0)
        rc = points_of(read.points, &t->points, e);
    for (unsigned i = 0; rc == 0 && i < x->test_count; i++)
        if (strcmp(x->test[i].name, read.name) == 0)
            rc = fail(e, "line %d has a testcase \"%.80s\" already; each needs a name of its own",
                      x->test[i].line, read.name);
    if (rc == 0 && read.needs)
        rc = find_needed(x, t, read.needs, e);
    if (rc == 0 && !(t->name = arena_text(&x->memory, read.name, strlen(read.name))))
        rc = fail_memory(e);
    t->hidden = read.hidden;
    script_test_free(&read);
    return rc == 0 ? keep(t, st, "testcase \"it\"", e) : -1;
}

/* ---- its lines ---------------------------------------------------------------------------- */

static int read_sizes(struct exercise_reading *in, struct exercise_test *t)
{
    struct exercise *x = in->x;
    struct exercise_scalar s;
    struct near near = {.word = ""};
    bool known = false;
    if (exercise_read_scalar(in, &s) != 0)
        return -1;
    near.word = s.name;
    for (unsigned i = 0; i < x->scalar_count; i++) {
        known |= strcmp(x->scalar[i].name, s.name) == 0;
        near_try(&near, x->scalar[i].name);
    }
    for (unsigned i = 0; i < t->scalar_count; i++)
        if (strcmp(t->scalar[i].name, s.name) == 0)
            return fail(in->e, "%s has its values in this testcase already, in line %d", s.name,
                        t->scalar[i].line);
    if (!known)
        return near.best ? fail(in->e, "the exercise has no number %.60s: did you mean %s?", s.name,
                                near.best)
                         : fail(in->e, "the exercise has no number %.60s; it needs `sizes %.60s "
                                "VALUE` before the testcases", s.name, s.name);
    struct exercise_scalar *to = exercise_add(x, &t->scalar, &t->scalar_count, sizeof s);
    if (!to)
        return fail_memory(in->e);
    *to = s;
    return 0;
}

static int add_schedule(struct exercise_reading *in, struct exercise_test *t, const char *text)
{
    char *copy = arena_text(&in->x->memory, text, strlen(text));
    const char **to = copy ? exercise_add(in->x, &t->schedules.text, &t->schedules.count, sizeof *to)
                           : NULL;
    if (!to)
        return fail_memory(in->e);
    *to = copy;
    return 0;
}

/* schedules lockstep independent random:1..20 */
static int read_schedules(struct exercise_reading *in, struct exercise_test *t)
{
    const char *word;
    while ((word = exercise_word(in)) != NULL) {
        long long from, to;
        int end = 0;
        char text[40];
        if (strcmp(word, "lockstep") == 0 || strcmp(word, "independent") == 0) {
            if (add_schedule(in, t, word) != 0)
                return -1;
            continue;
        }
        const int parts = sscanf(word, "random:%lld%n..%lld%n", &from, &end, &to, &end);
        if (parts < 1 || word[end] || from < 0 || (parts == 2 && (to < from || to - from >= 1000)))
            return fail(in->e, "there is no schedule `%.40s`: write lockstep, independent, random:3 or "
                        "random:1..20", word);
        for (long long k = from; k <= (parts == 2 ? to : from); k++) {
            snprintf(text, sizeof text, "random:%lld", k);
            if (add_schedule(in, t, text) != 0)
                return -1;
        }
    }
    return t->schedules.count ? 0 : fail(in->e, "schedules needs orders of the threads, as in "
                                         "schedules random:1..20");
}

static int check_demand(struct exercise_reading *in)
{
    const char *word = exercise_word(in);
    return word && strcmp(word, "shared") == 0
               ? reading_ends(&in->r)
               : fail(in->e, "a testcase can demand `shared`: that the kernel uses shared memory");
}

static int check_text(struct exercise_reading *in)
{
    return exercise_quoted(in, "what the program reads") ? reading_ends(&in->r) : -1;
}

static int check_command(struct exercise_reading *in)
{
    return exercise_rest(in) ? 0 : fail(in->e, "compute needs a command, as in compute banks 4");
}

static int check_nothing(struct exercise_reading *in)
{
    (void)in;
    return 0;
}

enum { LAUNCHES = 1 << EXERCISE_KERNEL | 1 << EXERCISE_CONFIGURATION };

static const struct test_line {
    const char *word;
    int kinds;
    int (*read)(struct exercise_reading *, struct exercise_test *); /* it says which runs there are */
    int (*check)(struct exercise_reading *);                        /* it is a part of the script */
} lines[] = {{"sizes", LAUNCHES, read_sizes, NULL},
             {"schedules", LAUNCHES, read_schedules, NULL},
             {"demand", LAUNCHES, NULL, check_demand},
             {"run", 1 << EXERCISE_PROGRAM, NULL, check_nothing},
             {"input-text", 1 << EXERCISE_PROGRAM, NULL, check_text},
             {"compute", 1 << EXERCISE_QUESTION, NULL, check_command}};

static int read_line(struct exercise *x, struct exercise_test *t, const struct statement *st,
                     struct err *e)
{
    const struct span word = {st->text, strcspn(st->text, " \t")};
    struct exercise_reading in = exercise_reading(x, st, e);
    char typed[40];
    struct near near = {.word = typed};
    snprintf(typed, sizeof typed, "%.*s", (int)(word.n < 39 ? word.n : 39), word.at);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct test_line *l = &lines[i];
        near_try(&near, l->word);
        if (!same_text(word, l->word))
            continue;
        if (!(l->kinds & 1 << x->kind))
            return fail(e, "`%s` has no meaning in a testcase of the kind %s", typed,
                        exercise_kinds[x->kind]);
        if (l->read)
            return l->read(&in, t);
        return l->check(&in) != 0 ? -1 : keep(t, st, st->text, e);
    }
    static const char *const of_scripts[] = {"expect", "hint", "if", "else", "repeat", "let", "end"};
    for (size_t i = 0; i < sizeof of_scripts / sizeof *of_scripts; i++)
        near_try(&near, of_scripts[i]);
    return near.best ? fail(e, "a testcase has no line `%s`: did you mean %s?", typed, near.best)
                     : fail(e, "a testcase has no line `%s`; `help exercise` lists them", typed);
}

int exercise_read_test(struct exercise *x, const struct statements *all, unsigned from,
                       struct err *e)
{
    const struct statement *st = &all->all[from];
    struct exercise_test t = {.needs = -1, .line = st->line};
    const unsigned before = x->error_count;
    bool expects = false;
    int rc = read_header(x, st, &t, e);
    if (rc == 0 && (LAUNCHES | 1 << EXERCISE_SCRIPT) & 1 << x->kind)
        rc = keep(&t, st, "launch", e);
    for (unsigned k = from + 1; rc == 0 && k < st->next; k++) {
        const struct statement *one = &all->all[k];
        struct err why = {0};
        expects |= one->kind == STATEMENT_EXPECT || strncmp(one->text, "demand", 6) == 0;
        if ((one->kind == STATEMENT_COMMAND ? read_line(x, &t, one, &why)
                                            : keep(&t, one, one->text, &why)) != 0) {
            why.line = one->line;
            why.column = one->column + (why.column ? why.column - 1 : 0);
            exercise_complain(x, &why);
        }
    }
    if (rc == 0)
        rc = keep(&t, &all->all[st->next], "end", e);
    if (rc == 0 && !expects && x->error_count == before)
        rc = fail(e, "this testcase expects nothing: write `expect`, as in expect faults == none");
    if (rc == 0 && x->test_count == MARK_TESTS_MOST)
        rc = fail(e, "an exercise has at most %d testcases", MARK_TESTS_MOST);
    struct exercise_test *to = rc == 0 ? exercise_add(x, &x->test, &x->test_count, sizeof t) : NULL;
    if (to) {
        *to = t;
        return 0;
    }
    statements_free(&t.body);
    return rc == 0 ? fail_memory(e) : -1;
}
