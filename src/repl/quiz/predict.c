/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `set predict on`: a lab asks for a guess, runs, and says how the guess compares. The question is
 * the entry `predict` of the lab, or `predict-all` where all variants run. Its slots are the lab's
 * own options. Nothing is asked in a script, a pipe or a transcript, and with --json.
 */
#include "repl/quiz/quiz.h"

#include "base/json-find.h"
#include "base/near.h"
#include "labkit/ladder/ladder.h"
#include "repl/prompt.h"
#include "repl/screen.h"
#include "screen/paint.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *quiz_ask_line(struct shell *sh, const struct buf *text)
{
    struct sink to = prompt_talk(sh);
    shell_put(sh, &to, buf_text(text), text->len, true);
    char *answer = prompt_answer(sh, "answer> ");
    if (answer && !*answer) {
        free(answer);
        return NULL;
    }
    return answer;
}

/* ---- the question ------------------------------------------------------------------------- */

static void member_text(const struct command *c, const struct arg_spec *s, const void *options,
                        char out[QUIZ_VALUE])
{
    const void *at = (const char *)options + s->at;
    const unsigned *dim = at;
    char number[NUM_TEXT];
    out[0] = '\0';
    if (s->type == ARG_CHOICE && (s->member == MEMBER_INT || s->member == MEMBER_UNSIGNED)) {
        const char *name = command_choice(c, s, *dim); /* its number among the choices */
        snprintf(out, QUIZ_VALUE, "%s", name ? name : "");
        return;
    }
    switch (s->member) {
    case MEMBER_INT: snprintf(out, QUIZ_VALUE, "%d", *(const int *)at); break;
    case MEMBER_UNSIGNED: snprintf(out, QUIZ_VALUE, "%u", *(const unsigned *)at); break;
    case MEMBER_INT64: snprintf(out, QUIZ_VALUE, "%" PRId64, *(const int64_t *)at); break;
    case MEMBER_UINT64: snprintf(out, QUIZ_VALUE, "%" PRIu64, *(const uint64_t *)at); break;
    case MEMBER_REAL: snprintf(out, QUIZ_VALUE, "%s", num_f64(*(const double *)at, number)); break;
    case MEMBER_DIM:
        snprintf(out, QUIZ_VALUE, dim[2] > 1 ? "%ux%ux%u" : dim[1] > 1 ? "%ux%u" : "%u", dim[0],
                 dim[1], dim[2]);
        break;
    case MEMBER_TEXT:
        snprintf(out, QUIZ_VALUE, "%s", *(const char *const *)at ? *(const char *const *)at : "");
        break;
    default: break;
    }
}

/* {n}, {stride}: the options and operands of this line, by their names in small letters. */
static void option_values(const struct command *c, const void *options, struct quiz_values *v)
{
    const struct arg_spec *s;
    for (unsigned i = 0; (s = command_spec(c, i)); i++) {
        char name[32], text[QUIZ_VALUE];
        unsigned k = 0;
        member_text(c, s, options, text);
        for (; s->name[k] && k < sizeof name - 1; k++)
            name[k] = near_lower(s->name[k]);
        name[k] = '\0';
        if (text[0])
            quiz_put(v, name, text);
    }
    if (c->lab->variants)
        quiz_put(v, "variant", c->lab->variants->name); /* where none was typed */
}

static bool find_prediction(const struct command *c, const struct lab_options *o,
                            struct quiz_item *q)
{
    if (!o->variant || !lab_runs_all(o)) /* some labs have no variants */
        return quiz_named(c->name, "predict", q);
    return quiz_named(c->name, "predict-all", q) || quiz_named("any", "predict-all", q);
}

/* Is it a guess at all? A number, or the name of a variant. */
static bool is_guess(const struct command *c, const struct quiz_item *q, const char *answer)
{
    struct span ignored;
    struct err never;
    double v;
    return quiz_line(q->body, "fastest", 0, &ignored)
               ? c->lab->variants && lab_variant_named(c->lab, answer)
               : num_real(answer, &v, &never) == 0;
}

static void write_question(struct shell *sh, const struct command *c, const void *options,
                           const struct quiz_item *q, struct buf *out)
{
    struct quiz_values values = {.count = 0};
    struct report look = {0};
    struct buf text = {0};
    option_values(c, options, &values);
    buf_puts(&text, "Predict: ");
    quiz_fill(&text, q->text, &values);
    buf_puts(&text, " Type your guess, or Enter for none.");
    screen_describe(sh, &look);
    text_wrap(out, buf_text(&text), text.len, look.width, 0);
    buf_free(&text);
}

int predict_ask(struct shell *sh, const struct command *c, const void *options, bool as_json,
                struct quiz_guess *g)
{
    struct buf text = {0};
    char *answer;
    *g = (struct quiz_guess){.asked = false};
    if (!sh->predict || !c->lab || as_json || sh->record.caught ||
        sh->record.transcript.fd >= 0 || !shell_can_ask(sh) ||
        !find_prediction(c, options, &g->item))
        return 0;
    write_question(sh, c, options, &g->item, &text);
    while ((answer = quiz_ask_line(sh, &text)) && !is_guess(c, &g->item, answer)) {
        struct span ignored;
        buf_clear(&text);
        buf_puts(&text, quiz_line(g->item.body, "fastest", 0, &ignored)
                            ? "Type the name of a variant, as in the table, or Enter for none.\n"
                            : "Type a number, or Enter for none.\n");
        free(answer);
    }
    if (answer && strlen(answer) < sizeof g->answer) {
        g->asked = true;
        snprintf(g->answer, sizeof g->answer, "%s", answer);
    }
    free(answer);
    buf_free(&text);
    budget_begin_command(&sh->session.budget, 0); /* thinking takes none of its time */
    waiting_begin(sh, c->name);
    return sh->session.stop ? -1 : 0;
}

/* ---- the comparison ----------------------------------------------------------------------- */

/* The last variant of the table that is right: rows go from the slowest to the fastest. */
static bool find_fastest(struct span object, struct span *name)
{
    static const char yes[] = "true";
    struct span rows, row, wrong;
    bool found = false;
    if (!json_find(object, SPAN("variants"), &rows))
        return false;
    for (unsigned k = 0; json_element(rows, k, &row); k++)
        if (!json_find(row, SPAN("wrong_on_purpose"), &wrong) ||
            !same_text(wrong, yes))
            found = json_find(row, SPAN("variant"), name) || found;
    return found;
}

static bool find_fact(const struct quiz_item *q, const struct buf *object, struct buf *out,
                      bool *about)
{
    const struct span whole = {buf_text(object), object->len};
    struct span is, value;
    *about = false;
    if (quiz_line(q->body, "fastest", 0, &is)) {
        if (!find_fastest(whole, &value))
            return false;
    } else {
        if (!quiz_line(q->body, "is", 0, &is))
            return false;
        const struct span path = next_blank_word(&is);
        *about = same_text(trim(is), "about");
        if (!json_find(whole, path, &value))
            return false;
    }
    json_plain(value, out);
    return true;
}

/* "2 times too low" */
static void say_distance(const char *guess, const char *fact, struct buf *out)
{
    struct err ignored;
    char number[NUM_TEXT];
    double g, f;
    if (num_real(guess, &g, &ignored) != 0 || num_real(fact, &f, &ignored) != 0)
        return;
    const bool low = g < f;
    const double times = low ? f / g : g / f;
    if (g > 0 && f > 0 && times >= 1.05)
        buf_printf(out, ": your guess is %s times too %s", num_rough(times, number),
                   low ? "low" : "high");
    else
        buf_printf(out, ": your guess is too %s", low ? "low" : "high");
}

void predict_compare(struct shell *sh, const struct command *c, const struct quiz_guess *g,
                     struct report *r)
{
    struct buf object = {0}, fact = {0}, text = {0};
    bool about;
    if (!g->asked)
        return;
    report_json(r, c->name, sh->session.device, &object);
    say(r, "\n");
    say_in(r, INK_HEADING, "Guess  ");
    if (!find_fact(&g->item, &object, &fact, &about)) {
        say_wrapped(r, 7, "You said %s. This run does not tell it.", g->answer);
    } else {
        char rule[2 * QUIZ_VALUE + 8];
        const struct quiz_values none = {.count = 0};
        snprintf(rule, sizeof rule, "%s %s %s", g->answer, about ? "~" : "=", buf_text(&fact));
        const bool right = quiz_holds((struct span){rule, strlen(rule)}, &none);
        if (!right)
            say_distance(g->answer, buf_text(&fact), &text);
        say_in(r, right ? INK_GOOD : INK_BAD, "%s", right ? "right" : "not so");
        say(r, ": ");
        say_wrapped(r, 7, "you said %s, the run says %s%s.", g->answer, buf_text(&fact),
                    buf_text(&text));
    }
    buf_free(&object);
    buf_free(&fact);
    buf_free(&text);
}
