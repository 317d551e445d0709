/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `--open` grades one hand-in up to the test that is asked for, as always, and keeps the commands
 * that its worker got. They become a script. A fresh worker at the terminal runs it, under the same
 * limits and as confined as ever, and then does what is typed.
 */
#include "grade/grade.h"
#include "grade/grading.h"

#include "base/near.h"
#include "os/file.h"

#include <stdlib.h>
#include <string.h>

static const char state_script[] = "given-state.lab";

/* ---- which hand-in and test --------------------------------------------------------------- */

/* How much of "anna:edges" names this student; 0: nothing. */
static size_t named(const struct hand_in *h, const char *what)
{
    const char *const names[] = {h->student, h->id};
    size_t most = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (n > most && strncmp(what, names[i], n) == 0 && (!what[n] || what[n] == ':'))
            most = n;
    }
    return most;
}

/* *test becomes what stands behind the colon; NULL: nothing. */
static const struct hand_in *find_student(const struct hand_ins *all, const char *what,
                                          const char **test, struct err *e)
{
    struct near near = {.word = what};
    const struct hand_in *found = NULL;
    size_t most = 0;
    bool several = false;
    for (unsigned i = 0; i < all->count; i++) {
        const size_t n = named(&all->at[i], what);
        near_try(&near, all->at[i].student);
        near_try(&near, all->at[i].id);
        several = n > most ? false : several || (n && n == most);
        found = n > most ? &all->at[i] : found;
        most = n > most ? n : most;
    }
    *test = found && what[most] ? what + most + 1 : NULL;
    if (several)
        fail(e, "several students are called %.100s: name one by its number", found->student);
    else if (!found && near.best)
        fail(e, "the student %.100s has no hand-in: did you mean %s?", what, near.best);
    else if (!found)
        fail(e, "the student %.100s has no hand-in", what);
    return several ? NULL : found;
}

/* -1: there is no such test. */
static int find_test(const struct exercise *x, const char *name, struct err *e)
{
    struct near near = {.word = name};
    for (unsigned i = 0; i < x->test_count; i++) {
        if (strcmp(x->test[i].name, name) == 0)
            return (int)i;
        near_try(&near, x->test[i].name);
    }
    return near.best ? fail(e, "the exercise has no testcase \"%.80s\": did you mean \"%s\"?", name,
                            near.best)
                     : fail(e, "the exercise has no testcase \"%.80s\"", name);
}

/* ---- its state ---------------------------------------------------------------------------- */

/* Up to the first test that is not passed, or the test `only` alone. A test that is passed says
 * nothing. */
static int run_tests(struct graded *of, int only, struct grade_opened *o, struct test_end *end,
                     struct err *e)
{
    const struct exercise *x = of->g->x;
    const struct grader_kind *kind = grader_kinds[x->kind];
    void *own = NULL;
    int rc = kind->begin(of, &own, e);
    end->state = rc > 0 ? MARK_FAILED : MARK_PASSED;
    for (unsigned i = 0; rc == 0 && i < x->test_count && end->state == MARK_PASSED; i++) {
        if (only >= 0 && i != (unsigned)only)
            continue;
        end->state = MARK_UNGRADED;
        o->test = x->test[i].name;
        rc = kind->test(of, own, i, end, e);
    }
    kind->end(own);
    o->state = end->state;
    o->right = rc == 0 && o->state == MARK_PASSED && only < 0;
    return rc < 0 ? -1 : 0;
}

static int find_state(struct graded *of, int only, struct grade_opened *o, struct err *e)
{
    struct test_end end = {.state = MARK_FAILED};
    const char *wrong = of->hand_in->wrong;
    int rc = wrong ? 0 : run_tests(of, only, o, &end, e);
    asked_stop(&of->asked);
    if (rc == 0 && of->g->x->kind == EXERCISE_QUESTION)
        rc = grade_questions(of->g->x, of->student, &o->says, e);
    buf_add(&o->says, buf_text(&of->says), of->says.len);
    buf_printf(&o->says, "%s%s%s%s", buf_text(&end.feedback), buf_text(&end.note), wrong ? wrong : "",
               wrong ? "\n" : "");
    buf_free(&end.feedback);
    buf_free(&end.note);
    return rc == 0 && o->says.failed ? fail_memory(e) : rc;
}

/* ---- the prompt --------------------------------------------------------------------------- */

static int open_prompt(struct graded *of, const struct grade_opening *how,
                       const struct grade_opened *o, struct err *e)
{
    const char *options[24];
    struct worker_want want = of->asked.want;
    struct buf path = {0};
    unsigned n = 0;
    for (const char *const *w = want.options; *w; w++)
        options[n++] = *w;
    for (const char *const *w = how->options; *w; w++)
        options[n++] = *w;
    options[n] = NULL;
    want.options = options;
    buf_printf(&path, "%s/%s", buf_text(&of->folder), state_script);
    int rc = file_replace(buf_text(&path), buf_text(&o->lines), o->lines.len, e);
    if (rc == 0)
        rc = worker_open(&want, state_script, how->our_input, how->ended, e);
    buf_free(&path);
    return rc;
}

static int open_one(const struct grading *g, const struct hand_in *h, int only,
                    const struct grade_opening *how, struct err *e)
{
    struct grade_opened o = {.student = h->student};
    struct worker_lines lines = {.loaded = 0};
    struct graded of;
    int rc = graded_begin(&of, g, h, e);
    of.asked.lines = &lines;
    if (rc == 0)
        rc = find_state(&of, only, &o, e);
    if (rc == 0) {
        o.lines = lines.text;
        how->tell(how->self, &o);
        rc = o.lines.len ? open_prompt(&of, how, &o, e) : fail(e, "there is nothing to open");
    }
    buf_free(&lines.text);
    buf_free(&o.says);
    graded_free(&of);
    return rc;
}

int grade_open(struct exercise *x, const struct grade_want *want, const struct grade_opening *how,
               struct grade_said *said, struct err *e)
{
    struct grading_ground ground;
    const struct hand_in *h = NULL;
    const char *test = NULL;
    int only = -1;
    int rc = ground_begin(&ground, x, want, said, e);
    if (rc == 0) {
        h = find_student(&ground.hand_ins, how->what, &test, e);
        said->asked_wrong = !h || (test && (only = find_test(x, test, e)) < 0);
        rc = said->asked_wrong ? -1 : ground_references(&ground, e);
    }
    if (rc == 0)
        rc = open_one(&ground.grading, h, only, how, e);
    ground_free(&ground);
    return rc;
}
