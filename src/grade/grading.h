/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What grading an exercise needs, and how its parts work together. A worker runs the commands of one
 * hand-in; all judging is done here, in the grader, on what the worker answers. What is expected is
 * computed by another worker, once, before the first hand-in.
 *
 * A hand-in gets no points for what it did wrong. What the grader, the exercise or the computer did
 * wrong leaves a test ungraded, with a note for the instructor.
 */
#ifndef GRADE_GRADING_H
#define GRADE_GRADING_H

#include "base/go-on.h"
#include "grade/exercise.h"
#include "grade/hand-ins.h"
#include "grade/marks.h"
#include "grade/worker.h"
#include "programs/scratch.h"

/* ---- asking a worker (asking.c) ----------------------------------------------------------- */

/* The commands that make the state of a worker again, one in a line: for --open. */
struct worker_lines {
    struct buf text;
    size_t loaded; /* those that load the hand-in: any run begins after them */
};

/* A worker, what it is started with, and whether that was done. */
struct grader_worker {
    struct grade_worker worker;
    struct worker_want want;
    struct worker_lines *lines; /* NULL: nobody wants them */
    bool started;
};

struct grading;
struct graded;

/* What it is started with. `options` must stay. */
struct grader_options {
    char device[64], steps[40], output[40];
    const char *word[12];
};
void grader_options(const struct grading *, const char *device, struct grader_options *);

int asked_start(struct grader_worker *, struct err *);
void asked_stop(struct grader_worker *);
/* Does it answer? false: it has ended. */
bool asked_lives(const struct grader_worker *);
/* Why a hand-in has no points where its worker has ended. */
enum mark_cause asked_cause(const struct grader_worker *, struct buf *why);
/* Sends a line of commands. *last is the object of its last command; n 0: there is none. true: all
 * commands went well. */
bool asked_do(struct grader_worker *, const char *commands, struct buf *answer, struct span *last);
/* What of its commands is kept in ->lines: what loads the hand-in, that another run begins, and the
 * commands of that run. */
void asked_loads(struct grader_worker *, const char *command);
void asked_begins_run(struct grader_worker *);
void asked_runs(struct grader_worker *, const char *commands);
/* What an object says went wrong, as one line or more. */
void asked_say(struct span object, struct buf *out);
/* Reads an array of the worker. -1: it has ended, or it answered with something else. */
int asked_array(struct grader_worker *, const char *name, enum element, uint64_t count, unsigned char *to,
                struct err *);
/* A word in quotes, for a command. */
void put_quoted(struct buf *out, const char *text);
bool json_is(struct span object, const char *path, const char *value); /* a text */
void json_text_at(struct span object, const char *path, struct buf *out); /* else nothing */
bool json_whole_at(struct span object, const char *path, uint64_t *out);

/* ---- a kernel and its launch (launching.c) ------------------------------------------------ */

enum { LAUNCH_NAME = 300 };

struct launching {
    const struct exercise *x;
    struct grader_worker *asked;
    char kernel[LAUNCH_NAME];
    unsigned argument[EXERCISE_PARAMETERS]; /* of the kernel: the parameter of the exercise */
    char suffix[20];                        /* of arrays' names, where the file has such a variable */
    bool has_variables, has_headers;
    bool as_asked;                          /* the parameters' types are those of the exercise */
    bool in_place; /* files of inputs are read where the exercise has them; else place_inputs() */
    uint64_t registers, static_shared;
    bool registers_known;
    struct buf load; /* the command */
};

enum load_end {
    LOADED,
    LOAD_REFUSED,   /* it does not compile */
    LOAD_LIMIT,     /* compiling takes too much time or memory */
    LOAD_LOST,      /* the worker has ended */
    LOAD_IMPOSSIBLE /* there is no compiler, for one: that is not the hand-in's fault */
};
/* Loads sources. What went wrong is added to `says`. */
enum load_end launching_load(struct launching *, const char *const *files, unsigned count,
                             struct buf *says);
/* Finds the kernel, and what to pass for each of its parameters. What the student should know is
 * added to `says`. -1: there is none that fits, and `says` has why. */
int launching_find(struct launching *, struct buf *says);
/* The parameters of a kernel that is loaded become those of the exercise. */
int launching_adopt(struct launching *, struct exercise *, struct err *);
/* Makes the inputs and launches. *object is the launch's own. 1: the inputs could not be made, and e
 * says why. -1: the worker has ended. */
int launching_run(struct launching *, struct exercise_run *, const struct exercise_launch *,
                  struct buf *object, struct err *);
void launching_free(struct launching *);
/* Copies the files of inputs to where the hand-in is. */
int place_inputs(struct graded *, struct err *);
/* The text behind `//: launch` in a source, or the first line with <<<. NULL: there is none. */
char *launch_in_text(struct span text, bool marked);

/* ---- what is right (references.c) --------------------------------------------------------- */

struct reference_values {
    unsigned array; /* of the exercise */
    uint64_t count;
    unsigned char *bytes;
    struct exercise_number *value; /* of the numbers in the runs that it is for */
};

struct reference_set {
    struct reference_values *all;
    unsigned count;
};

/* The bytes of an input, as a worker makes them. One that is not written has zeros. The caller frees
 * them. */
int input_make(const struct exercise *, struct exercise_run *, unsigned array, uint64_t *count,
               unsigned char **bytes, struct err *);
/* Computes all of them. -1: one can't be computed, so nothing can be graded. */
int references_make(struct grading *, struct err *);
void references_free(struct reference_set *);
/* The bytes of an input, as a worker makes them. One that is not written has zeros. *bytes is from
 * malloc, also after an error. */
int input_make(const struct exercise *, struct exercise_run *, unsigned array, uint64_t *count,
               unsigned char **bytes, struct err *);
const struct reference_values *references_find(const struct grading *, const struct exercise_run *,
                                               unsigned array);

/* ---- judging (judging.c, of-*.c) ---------------------------------------------------------- */

struct grading {
    struct exercise *x;
    const struct programs *programs;
    const char *temporary; /* where workers keep what they make */
    bool cached;           /* and what compilers make is kept longer (worker-cache.h) */
    const volatile sig_atomic_t *stop;
    const struct progress *progress;
    struct reference_set references;
    uint64_t array_text; /* bytes that a worker prints where all arrays of all runs are read */
};

/* How one test ended. */
struct test_end {
    enum mark_state state;
    enum mark_cause cause;
    struct buf feedback, note;
};

/* The hand-in that is graded. */
struct graded {
    const struct grading *g;
    struct buf folder;    /* of its files */
    const struct hand_in *hand_in;
    const char *student;  /* what questions are drawn from */
    struct grader_worker asked;
    char device[64];
    struct grader_options options;
    const char **files;   /* those that the worker may read: graded_allows() */
    struct arena memory;
    bool has_headers;
    struct buf says;      /* feedback on the whole hand-in */
    struct buf note;
    enum mark_cause cause; /* of the hand-in as a whole: then none of its tests ran */
};

/* Gets ready for its tests. Free it always. */
int graded_begin(struct graded *, const struct grading *, const struct hand_in *, struct err *);
void graded_free(struct graded *);
/* One more file that the worker may read, when it starts. */
int graded_allows(struct graded *, const char *name, struct err *);
/* All tests of a hand-in. -1: the work was stopped. */
int grade_hand_in(const struct grading *, const struct hand_in *, struct marks *, struct err *);

/* One kind of exercise. */
struct grader_kind {
    /* Gets ready, as by compiling. 1: no test can pass, and graded->cause says why. -1: an error that
     * is not the hand-in's. */
    int (*begin)(struct graded *, void **own, struct err *);
    /* -1: likewise. */
    int (*test)(struct graded *, void *own, unsigned test, struct test_end *, struct err *);
    void (*end)(void *own);
};
extern const struct grader_kind grader_of_kernels, grader_of_programs, grader_of_questions,
    grader_of_scripts;
extern const struct grader_kind *const grader_kinds[EXERCISE_KINDS];

/* An exercise without mistakes, the copies of all hand-ins, and where they lie. */
struct grading_ground {
    struct grading grading;
    struct hand_ins hand_ins;
    struct scratch scratch;
};
struct grade_want;
struct grade_said;
/* Free it always. */
int ground_begin(struct grading_ground *, struct exercise *, const struct grade_want *,
                 struct grade_said *, struct err *);
void ground_free(struct grading_ground *);
/* Computes what is right. A mistake that shows then is the exercise's. */
int ground_references(struct grading_ground *, struct err *);

/* A testcase's script with a host of its own: judges it and takes its end. */
struct judging {
    struct script script;
    bool of_hand_in;        /* what can't be judged is its mistake, and not one of the exercise */
    bool lost;              /* the worker has ended while it was judged */
    bool mistaken;          /* the exercise is wrong: see the note */
    struct test_end *end;
};
/* Takes over what the script found. A failed test has the run's numbers before its feedback. */
void judging_ends(struct judging *, const struct exercise_run *, struct test_end *);
/* The worker has ended, or its answer was wrong: no points for this test. `run` may be NULL. */
void judging_lost(struct grader_worker *, const struct exercise_run *, struct test_end *);
/* To be the host's `failed`, with a struct judging as its first member. */
void judging_failed(void *self, const struct statement *, const struct err *);
/* Takes "[3]" or "[0..9]" of an array with so many elements; an empty text is all of it. */
int judged_part(const char *text, uint64_t count, struct host_array *, struct err *);
/* The object of a command as expectations see it: with these members in its result, and with empty
 * lists where it has no output and no faults. Without findings that are ignored it is ok. */
struct judged_object {
    const struct exercise_run *run;       /* may be NULL */
    const struct launching *launching;    /* may be NULL */
    const char *command;                  /* in place of its own; may be NULL */
    const struct exercise *x;             /* its ignored findings are not there; may be NULL */
    void (*more)(const void *self, struct json *); /* may be NULL */
    const void *self;
};
void judged_object(struct span object, const struct judged_object *, struct buf *out);

/* Does the device lack what the hand-in needs, as an instruction? Then it can't be judged there, and
 * the error says why. */
bool judged_lacks(struct span object, struct err *);

/* The mistakes in expectations that show without any hand-in. */
void exercise_lint(struct exercise *);
/* Draws the numbers of a student, as variables of the script. */
int question_draw(const struct exercise *, const char *student, struct script *, struct err *);

#endif
