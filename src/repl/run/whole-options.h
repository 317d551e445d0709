/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `run` is told: the program's files, options for its compiler, and its arguments.
 *
 * After the first file come the other sources of the program. They end before the first word that
 * is no name of a source that exists, or at a word `--`. What follows are the program's arguments.
 */
#ifndef REPL_RUN_WHOLE_OPTIONS_H
#define REPL_RUN_WHOLE_OPTIONS_H

#include "base/mem.h"
#include "repl/shell.h"

struct run_options; /* running.h */

enum { WHOLE_SOURCES = 64, WHOLE_WORDS = 512, WHOLE_ARGUMENTS = 256 };
extern const char *const whole_yes_no[]; /* the values of -rdc */

struct whole {
    struct words rest;      /* of the line */
    unsigned first;         /* of them is an argument */
    const char *path[WHOLE_SOURCES];
    struct buf text[WHOLE_SOURCES];
    unsigned count;
    bool is_program;        /* the one file is a program, not a source */
};

/* Reads the files. Free it always. */
int whole_read(struct shell *, const struct run_options *, struct whole *, struct err *);
void whole_free(struct whole *);
/* The words for nvcc, NULL-ended; memory for them is the arena's. */
int whole_words(const struct whole *, const struct run_options *, struct arena *,
                const char *words[WHOLE_WORDS], struct err *);
/* The words that start the program, NULL-ended. */
int whole_arguments(const struct whole *, const char *program, const char *argv[WHOLE_ARGUMENTS],
                    struct err *);

#endif
