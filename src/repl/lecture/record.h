/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands showed, after they ended: the last screen, for `snap`; the transcript, where one is
 * written; and commands that another command runs (`side`, `replay`), whose output is kept instead
 * of shown.
 */
#ifndef REPL_LECTURE_RECORD_H
#define REPL_LECTURE_RECORD_H

#include "screen/report.h"

#include <stdbool.h>

struct shell;

/* Commands that another command runs; it decides what of their output is shown. */
struct caught {
    struct buf shown;     /* their screens, with codes, and their errors */
    struct buf objects;   /* their JSON objects, with commas between */
    struct report *outer; /* `side` gets their faults here; else NULL */
    bool shares_time;     /* they have the time of the command that runs them, and none of their own */
    struct report *sum;   /* gets their launches, counters and times; NULL: nothing does */
    unsigned commands, errors, faults;
    unsigned meant;       /* failures that a lab shows on purpose */
    struct err first;     /* of the errors, */
    enum failure_cause cause; /* why it is one, */
    struct buf details;   /* and its lines: a compiler's log */
};

struct transcript {
    int fd;       /* -1: none is written */
    char *path;
    unsigned commands;
    int width;    /* the layout that the file has so far */
    bool utf8;
};

struct record {
    struct buf command, shown; /* the last screen that showed something, with codes */
    bool skip;                 /* the running command handles the record and is not recorded */
    struct caught *caught;     /* NULL: commands show on the screen */
    struct transcript transcript;
};

void record_init(struct record *);
void record_free(struct record *);

/* Saves a screen as a picture, without a question about a file that exists. `command` is shown
 * above it. */
int record_picture(struct shell *, const char *path, const char *command, const struct buf *shown,
                   bool dark, struct err *);
/* The command as it was typed, without its option --svg. */
void record_typed(struct buf *out, const char *command);

/* Keep the report of a command that has ended. */
void record_take(struct shell *, const char *command, struct report *);
void record_catch(struct shell *, struct report *, const struct buf *object);
/* As much may be caught as a command may show. */
void caught_begin(struct caught *, const struct shell *);
/* Run the commands of a line, caught. */
void record_run(struct shell *, const char *line, struct caught *);
void caught_free(struct caught *);

/* How a transcript is laid out. A line of output that could be one of these, or that begins
 * with a backslash, has a backslash before it. */
#define TRANSCRIPT_FIRST "# cudalab transcript"
#define TRANSCRIPT_COMMAND "cudalab> "
#define TRANSCRIPT_SETTING "cudalab: " /* NAME VALUE, from here on */

/* Is there a transcript in this file? */
bool transcript_is_there(const char *path);
int transcript_begin(struct shell *, const char *path, struct report *);
/* -1: what was written last did not reach the file. */
int transcript_end(struct shell *, struct report *);

#endif
