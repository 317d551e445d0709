/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --talk: another program stands between the student and cudalab, a notebook say. It writes
 * requests on stdin and reads answers on stdout, both as JSON, one object in each line. `help talk`
 * says which. What commands show comes as it is shown at a terminal, while they run.
 */
#ifndef REPL_TALK_H
#define REPL_TALK_H

#include "repl/reader.h"
#include "repl/shell.h"

struct talk {
    struct reader in;
    bool asks;          /* a question of this request can reach the student */
    bool failed;        /* a command of this request did not end well: the rest does not run */
    struct buf written; /* files that it wrote, as elements of an array */
};

int talk_begin(struct shell *, struct talk *); /* -1: no memory */
void talk_end(struct shell *);
/* Answers requests until there are no more. */
void talk_serve(struct shell *);

/* A text for the student. is_err: in a script it would go to stderr. */
int talk_tell(struct shell *, bool is_err, const char *text, size_t n);
/* The object of a command that has ended, with its newline. */
int talk_object(struct shell *, const struct buf *object);
/* Asks the student. From malloc; NULL: there is no answer. After Ctrl-C `stop` is set. */
char *talk_ask(struct shell *, const char *question);
void talk_wrote(struct shell *, const char *path);

#endif
