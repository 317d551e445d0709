/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grades hand-ins: reads the exercise, computes what is right, runs all hand-ins side by side, and
 * gathers their marks. What was graded before, and has not changed, is taken from a journal.
 */
#ifndef GRADE_GRADE_H
#define GRADE_GRADE_H

#include "base/go-on.h"
#include "base/progress.h"
#include "grade/exercise.h"
#include "grade/marks.h"
#include "programs/programs.h"

#include <signal.h>

struct grade_want {
    const struct programs *programs;
    const char *const *hand_ins;
    unsigned count;
    const char *student; /* only this one; NULL: all */
    const char *journal; /* NULL: none */
    bool again;          /* nothing is taken from it */
    bool cached;         /* what compilers make is kept for hand-ins of the same bytes */
    unsigned jobs;       /* at once; 0: one for each core */
    const struct go_on *go_on;
    const struct progress *progress;
    const volatile sig_atomic_t *stop;
};

struct grade_said {
    unsigned kept;   /* hand-ins whose marks were in the journal */
    bool asked_wrong; /* what failed is what was asked: a hand-in or student that is not there */
    struct buf text; /* lines about hand-ins that were left out, or lines of the journal */
};

/* All marks of an exercise that was read. The marks are begun here; free them always. -1: nothing
 * can be graded, or it was stopped; what was done until then is in the journal. */
int grade_all(struct exercise *, const struct grade_want *, struct marks *, struct grade_said *,
              struct err *);
/* A prompt in the state of one test of one student, for a person. */
struct grade_opened {
    const char *student;
    const char *test;      /* NULL: none has run, and `says` has the reason */
    enum mark_state state; /* of that test */
    bool right;            /* the whole hand-in is */
    struct buf says;       /* what was found */
    struct buf lines;      /* the commands that make the state, one in a line */
};
struct grade_opening {
    const char *what;           /* STUDENT or STUDENT:TEST; else the first test that fails, or the last */
    const char *const *options; /* more options of the prompt's cudalab, NULL-ended */
    bool our_input;             /* it reads our stdin */
    int (*ended)(void);         /* this process must end */
    void (*tell)(void *self, const struct grade_opened *); /* before the prompt */
    void *self;
};
/* Returns when the prompt has ended. */
int grade_open(struct exercise *, const struct grade_want *, const struct grade_opening *,
               struct grade_said *, struct err *);
/* Marks with the tests of an exercise, and no hand-in. */
int grade_begin(const struct exercise *, struct marks *, struct err *);
/* All hand-ins that a journal has, each as it was graded last. */
int grade_from_journal(const char *path, struct marks *, struct err *);
/* The questions of an exercise, with the numbers of a student. */
int grade_questions(const struct exercise *, const char *student, struct buf *out, struct err *);
/* A line for each mistake that shows without a hand-in, in x->errors. -1: there are some. */
int grade_lint(struct exercise *, const struct programs *, const volatile sig_atomic_t *stop,
               struct err *);

#endif
