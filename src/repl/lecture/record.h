/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands showed, after they ended: the last screen, for `snap`; the transcript, where
 * one is written; and commands that another command runs (`side`, `replay`), which are caught
 * instead of shown.
 */
#ifndef REPL_LECTURE_RECORD_H
#define REPL_LECTURE_RECORD_H

#include "screen/report.h"

#include <stdbool.h>

struct shell;

/* Commands run for another command, which shows as much of them as it likes. */
struct caught {
    struct buf shown;     /* their screens, with codes, and their errors */
    struct buf objects;   /* their JSON objects, with commas between */
    struct report *outer; /* side's, gets their faults; else NULL */
    unsigned commands, errors, faults;
    struct err first;     /* of the errors */
};

struct transcript {
    int fd;       /* -1: none is written */
    char *path;
    unsigned commands;
    int width;    /* the layout that stands in the file */
    bool utf8;
};

struct record {
    struct buf command, shown; /* the last that showed something; codes and all */
    bool skip;                 /* the running command is about the record, not for it */
    struct caught *caught;     /* NULL: commands show on the screen */
    struct transcript transcript;
};

void record_init(struct record *);
void record_free(struct record *);

/* A command has ended and been shown, or is to be caught: keep it. */
void record_take(struct shell *, const char *command, struct report *);
void record_catch(struct shell *, struct report *, const struct buf *object);
/* Run the commands of a line, caught. */
void record_run(struct shell *, const char *line, struct caught *);
void caught_init(struct caught *);
void caught_free(struct caught *);

/* How a transcript is laid out. A line of output that could be one of these, or that begins
 * with a backslash, has a backslash before it. */
#define TRANSCRIPT_FIRST "# cudalab transcript"
#define TRANSCRIPT_COMMAND "cudalab> "
#define TRANSCRIPT_SETTING "cudalab: " /* NAME VALUE, from here on */

int transcript_begin(struct shell *, const char *path, struct report *);
/* -1: what was written last did not reach the file. */
int transcript_end(struct shell *, struct report *);

#endif
