/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The language of scripts: `let`, `if`, `repeat`, `expect`, `testcase`. A script is lines; `;` cuts a
 * line into statements, and all statements but these are commands of cudalab.
 *
 * This room runs no command itself. A host does: it gets a command and gives back the command's JSON
 * object, as other programs read it. `expect` judges that object, and the arrays that the host can
 * read. So a shell can be the host, and a grader that has a hand-in run elsewhere can be one too:
 * what it expects, it never has to tell.
 */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/lines.h"
#include "own/element.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- statements (statements.c) ----------------------------------------------------------- */

enum statement_kind {
    STATEMENT_COMMAND,
    STATEMENT_LET,
    STATEMENT_EXPECT,
    STATEMENT_HINT,
    STATEMENT_IF,
    STATEMENT_ELSE, /* also `else if` */
    STATEMENT_REPEAT,
    STATEMENT_TESTCASE,
    STATEMENT_END
};

struct statement {
    enum statement_kind kind;
    char *text;       /* all of it, without blanks around it */
    int line, column; /* of its first byte */
    unsigned next;    /* of what begins a part of a block: the statement that ends the part */
};

enum { SCRIPT_DEEP = 64 }; /* blocks in one another */

struct statements {
    struct statement *all;
    unsigned count, room;
    unsigned open[SCRIPT_DEEP]; /* the parts that are not ended yet, outermost first */
    unsigned deep;
};

enum statement_kind statement_kind(const char *text, size_t n);
/* Adds one statement. -1: it can't stand here, as an `else` without `if`. The error has its line. */
int statements_add(struct statements *, const char *text, size_t n, int line, int column,
                   struct err *);
/* A whole text; `line` is the number of its first line. -1: the error has the line, and in it the
 * column. */
int statements_read(struct statements *, const char *text, size_t n, int line, struct err *);
/* -1: a block has no end. */
int statements_ended(const struct statements *, struct err *);
void statements_free(struct statements *);

/* ---- the host ---------------------------------------------------------------------------- */

/* A part of an array, or all of it. */
struct host_array {
    enum element type;
    uint64_t count;   /* elements of this part */
    uint64_t lo;      /* the first of them in the array */
    uint64_t dims[3]; /* of the array: slowest first, 0 after the last */
    uint64_t whole;   /* elements of the array */
    bool one;         /* a single element was named, as in x[3] */
    void *of;         /* the host's own */
};

struct script_test;
struct expected;

struct script_host {
    void *self;
    /* Runs a command, or with `takes_all` any statement that is no part of a block. The host calls
     * script_ran() with its object. -1: nothing more can run. */
    int (*run)(void *self, const struct statement *, struct err *);
    /* Finds an array or a part of it: "x", "x[3]", "x[0..9]". -1: there is none. The elements are
     * read from number `first` of the part on. */
    int (*array)(void *self, const char *name, struct host_array *, struct err *);
    int (*elements)(void *self, const struct host_array *, uint64_t first, uint64_t n, void *to,
                    struct err *);
    /* An array of one element is no number, but x[0] is: whoever names the arrays may not know of
     * an expectation that means a value of the last command. */
    bool index_needed;
    /* Is there such a kind of fault? NULL: any name will do. */
    int (*check_fault)(void *self, const char *kind, struct err *);
    /* May a script go on? It is asked in every turn of `repeat`. NULL: always. */
    int (*goes_on)(void *self, struct err *);
    /* Opens the file of a fill `file:PATH`. -1: it may not be read. NULL: no file may. */
    int (*open)(void *self, const char *path, struct err *);
    /* Is told of each statement that was wrong, or false, and of each testcase at its end. Without
     * `takes_all` also of what an `expect` found. May be NULL. */
    void (*failed)(void *self, const struct statement *, const struct err *);
    void (*judged)(void *self, const struct statement *, const struct expected *);
    void (*tested)(void *self, const struct statement *, const struct script_test *);
    /* run() gets `let`, `expect` and `hint` as well, and has them done by script_let() and so on. */
    bool takes_all;
    uint64_t seed; /* of the fill `random` */
};

/* ---- values (value.c) -------------------------------------------------------------------- */

enum value_type {
    VALUE_NONE,
    VALUE_WHOLE,
    VALUE_REAL,
    VALUE_TEXT,
    VALUE_TRUTH,
    VALUE_JSON,
    VALUE_ANY /* not known, since nothing runs: script_lint() */
};

struct value {
    enum value_type type;
    int64_t whole; /* VALUE_WHOLE, VALUE_TRUTH */
    double real;   /* VALUE_REAL */
    bool found;    /* from a command's object: `/` keeps its fraction */
    struct buf text; /* VALUE_TEXT; VALUE_JSON: a list or an object */
};

void value_free(struct value *);
/* Is the text a word for a value, as true, none or inf? */
bool value_word(const char *text, struct value *);
double value_real(const struct value *);
bool value_is_number(const struct value *);
bool value_true(const struct value *);
void value_put(const struct value *, struct buf *out); /* as it is typed */
/* A number, truth, text, list or object of JSON. -1: it is not valid, or memory is out. */
int value_of_json(struct span json, struct value *, struct err *);

/* ---- a script that runs ------------------------------------------------------------------ */

struct script_variable {
    char *name;
    struct value value;
};

enum test_state { TEST_PASSED, TEST_FAILED, TEST_SKIPPED };

/* A testcase that has ended, or the one that runs. */
struct script_test {
    char *name;
    char *needs;   /* another testcase; NULL: none */
    double points;
    bool hidden;
    int line;
    enum test_state state;
    enum failure_cause cause;    /* why it failed: the first cause that counts */
    enum failure_cause pending;  /* of the last command that failed, if nothing was launched since;
                                  * an `expect` may still accept it */
    unsigned checks;     /* how many `expect` were judged in it */
    struct buf pending_says; /* what that command said */
    struct buf feedback; /* a sentence or more for the student: one line each */
    struct buf hint;     /* what `hint` says, if it fails */
};

struct script {
    struct script_host host;
    struct script_variable *variables;
    unsigned variable_count;
    const char *const *arguments; /* $1 is the first */
    unsigned argument_count;
    struct buf object;   /* of the last command; len 0: there is none */
    struct buf launched; /* of the last one that launched something, or did not end well */
    struct script_test *tests;
    unsigned test_count;
    bool testing;         /* the last of them runs now */
    bool *ran;            /* which statements of script_run() have run, for the host; may be NULL */
    bool dry;             /* nothing runs: values of objects and arguments are not known */
    enum failure_cause cause;     /* the first cause that counts: of commands, checks, mistakes */
    enum failure_cause pending;   /* of the last command, outside of a testcase */
};

void script_free(struct script *);
/* The causes so far; what is still pending counts. */
enum failure_cause script_cause(const struct script *);

/* A command begins: what an earlier one ended with counts from now on, outside of a testcase. */
void script_begins(struct script *);
/* A command has ended, and this is its object. */
void script_ran(struct script *, const char *object, size_t n);
/* Something did not go well that is no command's end. The text is for the student; it may be "". */
void script_note(struct script *, enum failure_cause, const char *text);

/* run.c. Runs statements. -1: the host ended it, or a statement was so wrong that the rest was left
 * out; the host knows. */
int script_run(struct script *, const struct statements *);
/* The line that begins a testcase: "name" points 2 hidden needs "other". Free it always. */
int script_read_test(struct script *, const struct statement *, struct script_test *, struct err *);
void script_test_free(struct script_test *);
/* An expectation was judged, for a host with `takes_all`: counts it, and takes its side where it is
 * about a command's end. */
void script_judged(struct script *, const struct expected *);

/* lint.c. Looks for mistakes in let, expect, if, repeat, testcase and hint without running anything.
 * The script is a fresh one, whose host needs no function but check_fault, and it is used up: free it.
 * told() gets each mistake, its column counted in the line. Returns how many there are. */
typedef void script_mistake(void *self, const struct statement *, const struct err *);
unsigned script_lint(struct script *, const struct statements *, script_mistake *told, void *self);

/* ---- variables (variables.c) ------------------------------------------------------------- */

/* `let NAME = VALUE`, without the `let`; *name (may be NULL) becomes the variable. */
int script_let(struct script *, const char *text, const struct script_variable **, struct err *);
int script_set(struct script *, const char *name, struct value *, struct err *); /* takes it over */
/* $NAME is the value. NULL: the error names what is near. */
const struct value *script_get(const struct script *, const char *name, size_t n, struct value *room,
                               struct err *);
/* How long the name behind a $ is; 0: this $ stands for itself. braces: ${NAME}. */
size_t script_name(const char *text, size_t n, bool *braces);
/* The value of the variable that the text begins with, as $NAME. Returns how many bytes of the text
 * this was; 0: no variable is there; -1: the error says why it has no value. */
int script_put(const struct script *, const char *text, size_t n, struct buf *out, struct err *);
/* Puts values in place of $NAME, ${NAME}, $1 and $#, except between single quotes. \$ is a $. */
int script_expand(const struct script *, const char *text, size_t n, struct buf *out, struct err *);
/* Is there anything to put in? */
bool script_expands(const char *text);

/* ---- operands (operand.c, object.c) ------------------------------------------------------ */

/* What is left of a text that is read. */
struct script_reading {
    struct script *script;
    const char *text;
    size_t at;
    unsigned deep;
    struct err *e;
};
void reading_skip(struct script_reading *);
/* An expression: numbers, "text", $variables, paths of the last object, + - * / % ^ << ( ). */
int reading_value(struct script_reading *, struct value *);
/* The next word, its quotes removed and its variables put in; len 0: there is none. */
int reading_word(struct script_reading *, struct buf *out);
/* A text in quotes is next. */
bool reading_quoted(struct script_reading *);
/* -1: the error says that this can't stand here. */
int reading_ends(struct script_reading *);

/* The members that objects in lists are named by, the first that is there. NULL at the end. */
extern const char *const object_keys[];
/* The value at a path of the last object. 1: there is none, and e says why; -1: an error. */
int object_find(struct script *, const char *path, size_t n, struct value *, struct err *);
/* The status of the object that a path would be looked up in is not `ok`. */
bool object_failed(const struct script *, struct buf *why);

/* ---- judging (expect.c, expect-array.c, expect-variant.c) -------------------------------- */

enum { EXPECTED_OP = 24, EXPECTED_LEFT = 120 };

struct expected {
    bool ok;
    char left[EXPECTED_LEFT], op[EXPECTED_OP];
    struct buf wanted, found; /* as people read them */
    struct buf within;        /* the tolerance; else empty */
    bool has_index;           /* the first element that differs */
    uint64_t index, differ, count;
    const char *by;           /* "modelled", "measured", "counted": what was compared; or NULL */
    double factor;            /* of variants: how many times as fast, or as few; 0: not known */
    char topic[64];           /* the help text that says why it matters; else empty */
    struct buf hint;          /* the instructor's */
    bool about_end;           /* it asks how the command ended: that is no failure by itself */
};
/* What follows the word `expect`. -1: it can't be judged, since the script is wrong. */
int script_expect(struct script *, const char *text, struct expected *, struct err *);
void expected_free(struct expected *);
/* One sentence: what was wanted, what was found, the first element that differs. */
void expected_say(const struct expected *, struct buf *out);
/* The same for conditions: no tolerances and hints. -1: the error says what is wrong. */
int script_condition(struct script *, const char *text, bool *holds, struct err *);
/* `hint "text"`, without the word `hint`. */
int script_hint(struct script *, const char *text, struct err *);

#endif
