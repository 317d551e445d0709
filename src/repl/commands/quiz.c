/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz: questions about labs, each checked by a run. At the prompt the next line is the answer. A
 * script gives it with --answer. Without an answer a script gets the question, and never waits.
 */
#include "base/near.h"
#include "repl/commands.h"
#include "repl/quiz/quiz.h"
#include "repl/screen.h"
#include "screen/paint.h"
#include "screen/pen.h"
#include "screen/picture.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct quiz_options {
    bool list, seed_given;
    const char *question, *answer, *lab;
    int64_t seed;
};

static bool is_of(const struct quiz_item *q, const char *lab)
{
    return q->kind != QUIZ_PREDICTION && same_text(q->lab, lab);
}

/* ---- lists -------------------------------------------------------------------------------- */

struct quiz_count { unsigned questions, right; };

static struct quiz_count count_of(const struct shell *sh, const char *lab)
{
    struct quiz_walk w = {.count = 0};
    struct quiz_count n = {0};
    struct quiz_item q;
    while (quiz_next(&w, &q))
        if (is_of(&q, lab)) {
            n.questions++;
            n.right += sh->quiz[q.index].right > 0;
        }
    return n;
}

/* All labs with questions, and how many were answered. */
static void list_labs(struct shell *sh, struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "quiz"}, {.head = "questions", .right = true}, {.head = "right", .right = true}};
    struct quiz_count all = {0};
    struct table t;
    table_begin(&t, columns, 3, 2);
    json_array(&r->result, "labs");
    for (const struct command *const *c = sh->session.commands; *c; c++) {
        const struct quiz_count n = count_of(sh, (*c)->name);
        if (!n.questions)
            continue;
        table_cell_in(&t, INK_COMMAND, "%s", (*c)->name);
        table_cell(&t, "%u", n.questions);
        table_cell(&t, "%u", n.right);
        json_object(&r->result, NULL);
        json_text(&r->result, "lab", (*c)->name);
        json_uint(&r->result, "questions", n.questions);
        json_uint(&r->result, "right", n.right);
        json_end_object(&r->result);
        all.questions += n.questions;
        all.right += n.right;
    }
    json_end_array(&r->result);
    json_uint(&r->result, "questions", all.questions);
    json_uint(&r->result, "right", all.right);
    say_table(r, &t);
    say(r, "\n");
    say_wrapped(r, 0, "You have answered %u of %u questions correctly. `quiz LAB` asks the next "
                      "question about a lab. `quiz LAB --list` shows all questions about it.",
                all.right, all.questions);
}

static void put_span(struct json *j, const char *key, struct span text)
{
    json_bytes(j, key, text.at, text.n);
}

/* What the question looks like with this seed, and all that is known of it. */
static void put_question(struct shell *sh, const struct quiz_trial *t, unsigned number,
                         struct json *j)
{
    const struct quiz_item *q = &t->item;
    struct span asked, text, body;
    struct buf words = {0};
    quiz_text(t, &words);
    put_span(j, "lab", q->lab);
    put_span(j, "question", q->name);
    json_uint(j, "number", number);
    json_text(j, "kind", quiz_kinds[q->kind]);
    json_text(j, "text", buf_text(&words));
    if (q->kind == QUIZ_CHOICE) {
        json_array(j, "choices");
        for (unsigned k = 0; k < quiz_choices(q); k++) {
            quiz_choice(q, t->order[k], &text, &body);
            buf_clear(&words);
            quiz_fill(&words, text, &t->values);
            json_text(j, NULL, buf_text(&words));
        }
        json_end_array(j);
    }
    if (quiz_line(q->body, "asked", 0, &asked))
        put_span(j, "asked_in", asked);
    if (quiz_closed(sh, q))
        json_bool(j, "needs_compiler", true);
    json_uint(j, "right", sh->quiz[q->index].right);
    json_uint(j, "wrong", sh->quiz[q->index].wrong);
    buf_free(&words);
}

static void list_questions(struct shell *sh, const char *lab, uint64_t seed, struct report *r)
{
    struct quiz_walk w = {.count = 0};
    struct quiz_item q;
    unsigned number = 0;
    say_heading(r, "Questions about %s", lab);
    json_array(&r->result, "questions");
    while (quiz_next(&w, &q)) {
        struct quiz_trial t;
        struct buf text = {0};
        if (!is_of(&q, lab))
            continue;
        quiz_begin(&t, &q, seed);
        quiz_text(&t, &text);
        json_object(&r->result, NULL);
        put_question(sh, &t, ++number, &r->result);
        json_end_object(&r->result);
        const struct quiz_marks *m = &sh->quiz[q.index];
        say(r, "%3u  ", number);
        say_wrapped(r, 5, "%s  (%s%s%s)", buf_text(&text), quiz_kinds[q.kind],
                    quiz_closed(sh, &q) ? "; needs a compiler" : "",
                    m->right ? "; right" : m->wrong ? "; not right yet" : "");
        buf_free(&text);
        quiz_end(&t);
    }
    json_end_array(&r->result);
    say(r, "\n");
    say_wrapped(r, 0, "`quiz %s --question 1` asks the first one.", lab);
}

/* ---- one question ------------------------------------------------------------------------- */

static void write_question(struct shell *sh, const struct quiz_trial *t, const struct report *r,
                           struct buf *out)
{
    static const char *const says[] = {
        [QUIZ_NUMBER] = "The answer is a number.", [QUIZ_CHOICE] = "The answer is a letter.",
        [QUIZ_EXPRESSION] = "The answer is an expression in C.",
        [QUIZ_CODE] = "Write the CUDA C for the place of ANSWER.",
        [QUIZ_PREDICTION] = ""};
    const struct quiz_item *q = &t->item;
    struct span line, body, asked;
    struct buf text = {0};
    quiz_text(t, &text);
    text_wrap(out, buf_text(&text), text.len, r->width, 0);
    buf_clear(&text);
    for (unsigned k = 0; quiz_line(q->body, "|", k, &line); k++) {
        buf_clear(&text);
        quiz_fill(&text, line, &t->values);
        buf_puts(out, "    ");
        code_wrap(out, buf_text(&text), text.len, r->width, "    ");
    }
    for (unsigned k = 0; k < quiz_choices(q); k++) {
        quiz_choice(q, t->order[k], &line, &body);
        buf_clear(&text);
        quiz_fill(&text, line, &t->values);
        buf_printf(out, "  %c) ", 'a' + (int)k);
        text_wrap(out, buf_text(&text), text.len, r->width, 5);
    }
    if (quiz_line(q->body, "asked", 0, &asked))
        buf_printf(out, "(This question is in %.*s.)\n", (int)asked.n, asked.at);
    buf_clear(&text);
    buf_puts(&text, quiz_closed(sh, q)
                        ? "The answer is a line of CUDA C, and there is no compiler here."
                        : says[q->kind]);
    text_wrap(out, buf_text(&text), text.len, r->width, 0);
    buf_free(&text);
}

/* What came of an answer. */
static void tell_outcome(const struct quiz_trial *t, const char *answer, struct report *r)
{
    struct json *j = &r->result;
    say_in(r, t->right ? INK_GOOD : INK_BAD, "%s", t->right ? "right" : "not so");
    say(r, ": %s\n", answer);
    if (t->ran.len)
        say_item(r, "checked by", "%s", buf_text(&t->ran));
    if (t->came.len)
        say_item(r, "result", "%s", buf_text(&t->came));
    if (t->why.len) {
        say(r, "\n");
        say_in(r, INK_HEADING, "Why  ");
        text_wrap(&r->screen, buf_text(&t->why), t->why.len, r->width, 5);
    }
    json_text(j, "answer", answer);
    json_bool(j, "ok", t->right);
    if (t->ran.len)
        json_text(j, "run", buf_text(&t->ran));
    if (t->found.len)
        json_text(j, "found", buf_text(&t->found));
    if (t->came.len)
        json_text(j, "outcome", buf_text(&t->came));
    if (t->why.len)
        json_text(j, "why", buf_text(&t->why));
}

static int no_compiler(const struct quiz_item *q, struct report *r)
{
    return report_fail(r, "this question needs a compiler of CUDA C (nvcc, NVRTC or clang), and there "
                          "is none; `quiz %.*s --list` shows the others", (int)q->lab.n, q->lab.at);
}

/* An answer from the line: a wrong one fails, so that a script can tell. */
static int answer_given(struct shell *sh, struct quiz_trial *t, const char *answer,
                        struct report *r)
{
    struct err e = {0};
    if (quiz_closed(sh, &t->item))
        return no_compiler(&t->item, r);
    if (quiz_answer_fits(t, answer, &e) != 0)
        return report_fail_err(r, &e);
    if (quiz_try(sh, t, answer, r) != 0)
        return -1;
    tell_outcome(t, answer, r);
    quiz_mark(sh, &t->item, t->right);
    if (t->right)
        return 0;
    r->as_meant = true;
    return report_fail(r, "the answer `%.100s` is not right%s%.300s", answer,
                       t->came.len ? ": " : "", buf_text(&t->came));
}

/* Asks until an answer can be tried, or none is given. */
static int ask(struct shell *sh, struct quiz_trial *t, unsigned number, struct report *r)
{
    struct buf text = {0}, again = {0};
    struct err e = {0};
    char *answer;
    int rc = 0;
    write_question(sh, t, r, &text);
    while ((answer = quiz_ask_line(sh, &text)) && quiz_answer_fits(t, answer, &e) != 0) {
        buf_clear(&again);
        buf_printf(&again, "%s. Enter alone leaves the question.", e.text);
        buf_clear(&text);
        text_wrap(&text, buf_text(&again), again.len, r->width, 0);
        free(answer);
    }
    buf_free(&again);
    buf_free(&text);
    budget_begin_command(&sh->session.budget, 0); /* thinking takes none of its time */
    waiting_begin(sh, "quiz");
    if (answer) {
        rc = quiz_try(sh, t, answer, r);
        if (rc == 0) {
            tell_outcome(t, answer, r);
            quiz_mark(sh, &t->item, t->right);
            say(r, "\n");
            say_wrapped(r, 0, t->right ? "`quiz %.*s` asks the next question."
                                       : "`quiz %.*s --question %u` asks it again, with other "
                                         "numbers if it has some.",
                        (int)t->item.lab.n, t->item.lab.at, number);
        }
    } else {
        say_wrapped(r, 0, "No answer. `quiz %.*s --question %u` asks it again.",
                    (int)t->item.lab.n, t->item.lab.at, number);
    }
    free(answer);
    return rc;
}

static void show(struct shell *sh, const struct quiz_trial *t, unsigned number, bool seed_given,
                 struct report *r)
{
    char seed[40] = "";
    if (seed_given)
        snprintf(seed, sizeof seed, " --seed %llu", (unsigned long long)t->seed);
    write_question(sh, t, r, &r->screen);
    say(r, "\n");
    say_wrapped(r, 0, "`quiz %.*s --question %u%s --answer X` answers it.", (int)t->item.lab.n,
                t->item.lab.at, number, seed);
}

/* ---- which question ----------------------------------------------------------------------- */

/* By number or name. Without either: the first that was not answered correctly yet, else the one
 * that was answered least often. number 0: there is no such question. */
static unsigned choose(const struct shell *sh, const char *lab, const char *wanted,
                       struct quiz_item *found)
{
    struct quiz_walk w = {.count = 0};
    struct quiz_item q;
    unsigned number = 0, chosen = 0, least = 0;
    while (quiz_next(&w, &q)) {
        char digits[12];
        if (!is_of(&q, lab))
            continue;
        snprintf(digits, sizeof digits, "%u", ++number);
        const unsigned right = sh->quiz[q.index].right;
        if (wanted ? strcmp(wanted, digits) == 0 || same_text(q.name, wanted)
                   : (!chosen || right < least) && !quiz_closed(sh, &q)) {
            *found = q;
            chosen = number;
            least = right;
        }
    }
    return chosen;
}

static int no_such_lab(const struct shell *sh, const char *lab, struct report *r)
{
    struct near n = {.word = lab};
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (count_of(sh, (*c)->name).questions)
            near_try(&n, (*c)->name);
    if (n.best)
        return report_fail(r, "there are no questions about `%.60s`: did you mean %s?", lab, n.best);
    return report_fail(r, "there are no questions about `%.60s`; `quiz` lists the labs that have "
                          "some", lab);
}

static int run_question(struct shell *sh, const struct quiz_options *o, uint64_t seed,
                        struct report *r)
{
    struct quiz_item q;
    struct quiz_trial t;
    const unsigned count = count_of(sh, o->lab).questions;
    const unsigned number = choose(sh, o->lab, o->question, &q);
    const bool asks = !o->answer && !sh->json && !sh->record.caught && shell_can_ask(sh);
    int rc = 0;
    if (!number)
        return report_fail(r, "%.60s has no question `%.60s`: write a number from 1 to %u; `quiz "
                              "%.60s --list` shows them", o->lab, o->question ? o->question : "",
                           count, o->lab);
    if (asks && !o->seed_given) /* other numbers each time */
        seed += sh->quiz[q.index].right + sh->quiz[q.index].wrong;
    quiz_begin(&t, &q, seed);
    put_question(sh, &t, number, &r->result);
    json_uint(&r->result, "seed", seed);
    if (o->answer)
        rc = answer_given(sh, &t, o->answer, r);
    else if (asks && !quiz_closed(sh, &q)) {
        sh->record.skip = sh->record.transcript.fd >= 0; /* replayed, nobody would answer */
        rc = ask(sh, &t, number, r);
    } else
        show(sh, &t, number, o->seed_given, r);
    quiz_end(&t);
    return rc;
}

static int run_quiz(struct session *session, const void *given, struct report *r)
{
    const struct quiz_options *o = given;
    struct shell *sh = shell_of(session);
    const uint64_t seed = o->seed_given ? (uint64_t)o->seed : session->settings.seed;
    if (!o->lab && (o->question || o->answer))
        return report_fail(r, "quiz needs a lab here, as in `quiz banks --question 1`");
    if (o->answer && !o->question)
        return report_fail(r, "--answer needs --question K, the question that it answers");
    if (o->list && o->question)
        return report_fail(r, "quiz takes only one of --list and --question");
    quiz_recall(sh);
    if (!o->lab) {
        list_labs(sh, r);
        return 0;
    }
    if (!count_of(sh, o->lab).questions)
        return no_such_lab(sh, o->lab, r);
    if (!o->list)
        return run_question(sh, o, seed, r);
    list_questions(sh, o->lab, seed, r);
    return 0;
}

const struct command command_quiz = {
    .name = "quiz", .kind = CLASS_HELP,
    .summary = "ask a question about a lab, and check it by a run",
    .options = (const struct arg_spec[]){
        {OPTION(struct quiz_options, list), .help = "show the questions about the lab"},
        {OPTION(struct quiz_options, question), .value = "K", .type = ARG_TEXT,
         .help = "this question: its number in the list, or its name"},
        {OPTION(struct quiz_options, answer), .value = "X", .type = ARG_TEXT,
         .help = "answer it: a number, a letter, an expression or a line of CUDA C in quotes; "
                 "a wrong answer fails"},
        {OPTION(struct quiz_options, seed), GIVEN(struct quiz_options, seed), .type = ARG_INT,
         .lo = 0, .hi = INT64_MAX, .help = "draw the numbers in the question with this seed; the "
                                           "setting `seed` if not given"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "LAB", BIND(struct quiz_options, lab), .type = ARG_COMMAND,
         .help = "the lab; without it, all labs that have questions, and how many you have "
                 "answered"}, {0}},
    .size = sizeof(struct quiz_options), .never_inside = true, .run = run_quiz};
