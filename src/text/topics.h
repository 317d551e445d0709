/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The help texts by the words that lead to them: the name of the file, help/NAME.txt, and the
 * words of the lines `also: WORD WORD...` under its first one. Help, completion, suggestions and
 * apropos all walk these. What stands in a text is explain.c's.
 */
#ifndef TEXT_TOPICS_H
#define TEXT_TOPICS_H

#include "base/lines.h"

enum { TOPIC_NAME = 64 };

/* A walk over all words; begin with {0}. After topic_next() gave true: */
struct topic_walk {
    char name[TOPIC_NAME]; /* the text: help/NAME.txt */
    char word[TOPIC_NAME]; /* its name, then each word that means the same */
    size_t next;           /* asset */
    struct span also;      /* what is left of its lines */
};
bool topic_next(struct topic_walk *);

/* The text that a word leads to, in capitals or not; false: none does. */
bool topic_find(const char *word, char name[TOPIC_NAME]);
/* The `also:` lines at the head of a text, taken off it; empty where there are none. */
struct span topic_also(struct span *text);

#endif
