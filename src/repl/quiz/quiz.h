/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions about labs: one of them with its parameters drawn (asked.c), an answer put to a run
 * (trial.c), what is kept of earlier answers (marks.c), and the question before a lab (predict.c).
 */
#ifndef REPL_QUIZ_QUIZ_H
#define REPL_QUIZ_QUIZ_H

#include "repl/shell.h"
#include "text/questions.h"

/* ---- trial.c ------------------------------------------------------------------------------ */

/* A question with the parameters that a seed draws, and an answer to it. */
struct quiz_trial {
    struct quiz_item item;
    uint64_t seed;
    struct quiz_values values;
    unsigned order[QUIZ_CHOICES];
    /* After quiz_try(): */
    bool right;
    struct buf ran;   /* the commands */
    struct buf came;  /* what came of it, in a sentence */
    struct buf found; /* the value that the answer is compared with; empty: there is no such */
    struct buf why;   /* of a right answer; may be empty */
    struct buf objects;
};

void quiz_begin(struct quiz_trial *, const struct quiz_item *, uint64_t seed);
void quiz_end(struct quiz_trial *);
/* The question with its parameters. */
void quiz_text(const struct quiz_trial *, struct buf *out);
/* Can such an answer be tried at all? -1: the error says what an answer looks like. */
int quiz_answer_fits(const struct quiz_trial *, const char *answer, struct err *);
/* Runs what the question says for this answer, on a simulator of its own, and judges it. Nothing of
 * the session changes. -1: it could not run, and the report says why. */
int quiz_try(struct shell *, struct quiz_trial *, const char *answer, struct report *);
/* Does it need a compiler that is not there? */
bool quiz_closed(const struct shell *, const struct quiz_item *);

/* ---- marks.c ------------------------------------------------------------------------------ */

/* How often an entry was answered, as `next` keeps its place: only what is typed at a prompt is
 * read from a file and written to it. */
void quiz_recall(struct shell *);
void quiz_mark(struct shell *, const struct quiz_item *, bool right);

/* ---- predict.c ---------------------------------------------------------------------------- */

struct quiz_guess {
    bool asked;
    struct quiz_item item;
    char answer[QUIZ_VALUE];
};
/* Asks before a lab runs, where `predict` is on and somebody types. -1: Ctrl-C came, so the lab is
 * not to run. */
int predict_ask(struct shell *, const struct command *, const void *options, bool as_json,
                struct quiz_guess *);
/* Says how the guess compares with what the report has now. */
void predict_compare(struct shell *, const struct command *, const struct quiz_guess *,
                     struct report *);

/* Shows a text where the prompt's own lines go, then reads a line. NULL: no answer. From malloc. */
char *quiz_ask_line(struct shell *, const struct buf *text);

#endif
