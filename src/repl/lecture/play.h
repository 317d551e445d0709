/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lecture: the slides and commands of a script, one step after the other. play.c decides what a
 * step is and how it looks. The command in commands/play.c goes through the steps.
 */
#ifndef REPL_LECTURE_PLAY_H
#define REPL_LECTURE_PLAY_H

#include "repl/shell.h"

struct lecture_step {
    char *slide;   /* shown before the command; NULL: none */
    char *command; /* NULL: slides at the end, with no command after them */
    int line;      /* of the command in the script */
};

struct play {
    char *path;
    struct lecture_step *step;
    size_t capacity;
    unsigned count, at;
};

/* path is set already. What is CUDA C or PTX, by its first line, is refused. */
int play_read(struct play *, struct shell *, int fd, struct err *);
void play_free(struct play *);
/* The step as it stands on the screen before it runs. */
void play_show(const struct lecture_step *, const struct report *look, struct buf *out);
void play_list(const struct play *, const struct report *look, struct buf *out);

/* What can be typed in a play besides commands, in the order of `help play`. */
enum play_word { PLAY_NEXT, PLAY_BACK, PLAY_SKIP, PLAY_LIST, PLAY_GOTO, PLAY_QUIT, PLAY_NONE };
extern const char *const play_words[]; /* ends with NULL */
/* Which of them a typed line is; of PLAY_GOTO *n is the number, 0 where there is none. */
enum play_word play_word(const char *line, unsigned *n);

#endif
