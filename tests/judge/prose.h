/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the judge of prose share: prose.c has the rules and the verdict,
 * prose-files.c reads files, prose-words.c counts words.
 */
#ifndef PROSE_H
#define PROSE_H

#include "judge.h"

enum kind { HELP, README, MANUAL, LITERALS, COMMENTS, KINDS };
enum part { REMARK /* no sentence need be in it */, PROSE, WHY /* its first paragraph */, TASK };

/* prose.c: one paragraph that begins in this line. */
void judge_paragraph(const char *text, int line, enum part part);

/* prose-files.c: give each paragraph of this file to judge_paragraph. */
void read_paragraphs(const char *name, enum kind kind, const char *text);

/* prose-words.c. `masked` gives the same text, letter by letter, without what is not prose; the
 * other functions of words want it. `next_word` moves `*at` on; false: no word is left. */
char *masked(const char *text);
bool next_word(const char **at, char word[64]);
int count_words(const char *masked_text);
int count_lines(const char *text);
int syllables(const char *word, const struct map *short_words);
bool has_verb(const char *masked_text, const struct map *verbs);

#endif
