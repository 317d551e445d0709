/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An exercise as its file says it: what a hand-in is, how it is run, and what each testcase expects
 * and gives. Reading runs nothing. All that is wrong in a file is told at once, each with its line
 * and a caret, and with what would be right.
 *
 * The file is the secret of the grader: no worker that runs a hand-in gets a text from here, except
 * for the inputs and the launch.
 */
#ifndef GRADE_EXERCISE_H
#define GRADE_EXERCISE_H

#include "base/buf.h"
#include "base/mem.h"
#include "own/element.h"
#include "script/script.h"

enum exercise_kind {
    EXERCISE_KERNEL,
    EXERCISE_PROGRAM,
    EXERCISE_CONFIGURATION,
    EXERCISE_QUESTION,
    EXERCISE_SCRIPT,
    EXERCISE_KINDS
};
extern const char *const exercise_kinds[EXERCISE_KINDS + 1]; /* "kernel" ...; NULL at the end */

enum { EXERCISE_PARAMETERS = 64, EXERCISE_RUNS_MOST = 1000, EXERCISE_FILE_MOST = 4 << 20,
       INPUT_FILE_MOST = 64 << 20 };

struct exercise_number {
    bool whole;
    int64_t i;
    double real;
};

/* A parameter in the signature of a kernel. */
struct exercise_parameter {
    const char *name;
    enum element type;
    bool pointer, constant;
};

/* The values that a number takes, one after the other. */
struct exercise_scalar {
    const char *name;
    struct exercise_number *value;
    unsigned count;
    int line;
};

struct exercise_array {
    const char *name, *count, *fill; /* fill NULL: its elements are not written yet */
    const char *file; /* that the fill is read from, as it is opened; NULL: none */
    enum element type;
    int line, column; /* of the count */
};

enum exercise_source { SOURCE_FORMULA, SOURCE_KERNEL, SOURCE_FILE };

struct exercise_reference {
    const char *array, *text; /* the formula, or the path of the file as it is opened */
    enum exercise_source from;
    int line, column;
};

struct exercise_draw {
    const char *name;
    int64_t from, to, step;
};

struct exercise_ask {
    const char *text, *answer;
    bool word; /* the answer is a word, and not a number */
};

struct exercise_limits { /* 0: the default */
    uint64_t steps, memory, output;
    double seconds;
};

struct exercise_texts {
    const char **text;
    unsigned count;
};

struct exercise_test {
    const char *name;
    int64_t points;
    bool hidden;
    int needs; /* another test, or -1 */
    int line;
    struct exercise_scalar *scalar; /* in place of those of the exercise */
    unsigned scalar_count;
    struct exercise_texts schedules; /* none: that of the session */
    struct statements body;          /* the whole testcase, without what was read above */
};

struct exercise {
    enum exercise_kind kind;
    const char *name, *path; /* path: of its file, as errors name it */
    const char *kernel;      /* its name in the signature */
    struct exercise_parameter *parameter;
    unsigned parameter_count;
    struct exercise_texts say, devices;
    struct exercise_texts ignored; /* kinds of findings that don't count */
    uint64_t seed;
    struct exercise_scalar *scalar;
    unsigned scalar_count;
    struct exercise_array *array;
    unsigned array_count;
    struct exercise_reference *reference;
    unsigned reference_count;
    const char *launch;   /* NULL: none is given, or by_hand_in */
    int launch_line, launch_column;
    bool by_hand_in;
    const char *source;   /* EXERCISE_CONFIGURATION: the file with the kernel, as it is opened */
    struct exercise_draw *draw;
    unsigned draw_count;
    struct exercise_ask *ask;
    unsigned ask_count;
    struct exercise_limits limits;
    struct exercise_test *test;
    unsigned test_count;

    /* Is there such a kind of fault? NULL: any name will do. */
    int (*check_fault)(void *self, const char *kind, struct err *);

    struct buf text;      /* of the file */
    struct buf errors;    /* what is wrong: "FILE:LINE: message", the line, and a caret */
    unsigned error_count;
    struct arena memory;
};

/* -1: the file can't be read, or it has errors; then e says how many. Free it always. */
int exercise_read(struct exercise *, const char *path, struct err *);
void exercise_free(struct exercise *);
/* Something more is wrong, in this line. */
void exercise_complain(struct exercise *, const struct err *);
/* Says how many mistakes it has. Always -1. */
int exercise_fail(const struct exercise *, struct err *);

/* ---- for the parts of the reader ---------------------------------------------------------- */

/* A statement that is read. Errors get its place. */
struct exercise_reading {
    struct exercise *x;
    const struct statement *at;
    struct script empty; /* for numbers: no variables, and no object */
    struct script_reading r;
    struct err *e;
};
struct exercise_reading exercise_reading(struct exercise *, const struct statement *, struct err *);
char *exercise_copy(struct exercise_reading *, const char *text, size_t n);
char *exercise_word(struct exercise_reading *);   /* NULL: the line ends here */
char *exercise_rest(struct exercise_reading *);   /* what is left of the line; NULL: nothing */
char *exercise_quoted(struct exercise_reading *, const char *what); /* NULL: an error */
int exercise_number(struct exercise_reading *, struct exercise_number *);
int exercise_whole(struct exercise_reading *, int64_t lo, int64_t hi, const char *what, int64_t *);
/* Adds one to an array of the exercise. NULL: memory is out. */
void *exercise_add(struct exercise *, void *array, unsigned *count, size_t size);
bool exercise_is_name(const char *text);
/* Lines of exercise-inputs.c; and the path of a file, which is there. */
int exercise_read_input(struct exercise_reading *);
int exercise_read_sizes(struct exercise_reading *);
int exercise_read_reference(struct exercise_reading *);
char *exercise_read_path(struct exercise_reading *); /* NULL: an error */
/* `n 1 31 255` */
int exercise_read_scalar(struct exercise_reading *, struct exercise_scalar *);
/* `saxpy(int n, float a, ...)`; NULL in *name: it has none. */
int exercise_read_signature(struct exercise_reading *, const char *text);
/* The statements from `from` on, up to the end of the testcase. */
int exercise_read_test(struct exercise *, const struct statements *, unsigned from, struct err *);

/* ---- one run of a test -------------------------------------------------------------------- */

/* The values of all numbers, as a script that knows them: as $n and as n. */
struct exercise_run {
    const struct exercise *x;
    const struct exercise_test *test;
    struct exercise_number *value; /* one for each scalar of the exercise */
    const char *schedule, *device; /* NULL: the default */
    struct script script;
};
/* How many runs a test has; 0: more than EXERCISE_RUNS_MOST. */
unsigned exercise_run_count(const struct exercise *, const struct exercise_test *);
/* The k-th run. Free it always. */
int exercise_run_begin(struct exercise_run *, const struct exercise *, const struct exercise_test *,
                       unsigned k, struct err *);
void exercise_run_free(struct exercise_run *);
/* "n = 31 and schedule random:3", of what is not the same in all runs of the test; or nothing. */
void exercise_run_say(const struct exercise_run *, struct buf *out);
/* A JSON object with the numbers as its members, into a result that is open. */
void exercise_run_json(const struct exercise_run *, struct json *);
/* The elements of an array. */
int exercise_count(struct exercise_run *, const struct exercise_array *, uint64_t *, struct err *);

/* Two inputs never have the same random numbers. */
uint64_t exercise_seed(const struct exercise *, unsigned array);

/* The shape of a launch: <<<GRID, BLOCK[, SHARED]>>>, with whatever is before and behind it. */
struct exercise_launch {
    int64_t grid[3], block[3], shared;
};
int exercise_launch(struct script *, const char *text, struct exercise_launch *, struct err *);

#endif
