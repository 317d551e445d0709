/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `quiz` and `predict` ask: the entries of quiz/questions.txt.
 *
 * An entry begins with a heading, `== LAB NAME`. The lines below it are the question. Lines set in
 * by two blanks say how it is checked: a word, then its value. quiz/questions.txt begins with the
 * list of these words. A text can have slots in braces: a drawn number {S}, the {answer}, or a
 * value of the JSON that the run gave, as {result.sum}, or with four digits as {result.sum:4}.
 */
#ifndef TEXT_QUESTIONS_H
#define TEXT_QUESTIONS_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdint.h>

enum quiz_kind {
    QUIZ_NUMBER,
    QUIZ_CHOICE,     /* a letter */
    QUIZ_EXPRESSION, /* in C, put into the line that runs */
    QUIZ_CODE,       /* a line of CUDA C, put into a kernel */
    QUIZ_PREDICTION  /* asked before a lab runs, never by `quiz` */
};
extern const char *const quiz_kinds[]; /* their names, by enum */

enum { QUIZ_MOST = 256, QUIZ_CHOICES = 6 };
struct quiz_item {
    unsigned index; /* of all entries: less than QUIZ_MOST */
    struct span lab, name, text, body;
    enum quiz_kind kind;
};

/* The next entry; begin with a struct quiz_walk of {0}. false: there are no more. */
struct quiz_walk {
    struct span rest;
    unsigned count;
};
bool quiz_next(struct quiz_walk *, struct quiz_item *);
/* A lab's entry by its name, "predict" too. */
bool quiz_named(const char *lab, const char *name, struct quiz_item *);

/* The k-th line of a body that begins with this word. false: there are fewer. */
bool quiz_line(struct span body, const char *word, unsigned k, struct span *value);
/* The k-th choice: its text, and the lines that belong to it. */
bool quiz_choice(const struct quiz_item *, unsigned k, struct span *text, struct span *body);
unsigned quiz_choices(const struct quiz_item *);
/* In which order this seed shows the choices: order[0] is (a). */
void quiz_order(const struct quiz_item *, uint64_t seed, unsigned order[QUIZ_CHOICES]);

/* The values of slots. */
enum { QUIZ_VALUES = 12, QUIZ_VALUE = 200 };
struct quiz_values {
    unsigned count;
    struct quiz_value {
        char name[32], text[QUIZ_VALUE];
    } value[QUIZ_VALUES];
    struct span objects; /* an array: the JSON of each command that ran; n 0: none did */
};
void quiz_put(struct quiz_values *, const char *name, const char *text);
void quiz_draw(const struct quiz_item *, uint64_t seed, struct quiz_values *);
/* The value of a path in the last object, or in another one: "first.result.sum", "1.result.sum". */
bool quiz_find(const struct quiz_values *, struct span path, struct span *value);
/* Appends a text, its slots filled in. false: a slot has no value; it stands as it is. */
bool quiz_fill(struct buf *out, struct span text, const struct quiz_values *);
/* `A = B`, also < <= > >= !=, and ~ for two numbers that differ by at most 1 %. A slot without a
 * value makes it false. */
bool quiz_holds(struct span condition, const struct quiz_values *);

#endif
