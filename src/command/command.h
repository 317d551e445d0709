/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is one struct. Parsing, completion, suggestions, usage, help and the manual's
 * tests all walk it, and nothing about a command is written down anywhere else.
 *
 * Options may stand anywhere outside parentheses, as `--name VALUE`, `--name=VALUE` or, for
 * one-letter names, `-n VALUE`; -3 and -.5 are numbers. Operands are by position.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum arg_type {
    ARG_FLAG,   /* no value; a row without a type is one */
    ARG_INT,    /* lo..hi */
    ARG_REAL,
    ARG_HEX,    /* 0x... or any integer, as u32 mask */
    ARG_CHOICE, /* one of choices */
    ARG_DIM,    /* 8, 2x3, 4x4x4 or (2,3) */
    ARG_TEXT,   /* one word or quoted text */
    ARG_PAIR,   /* two such words; an option only, and one of its kind a command */
    ARG_MANY,   /* a text; an option that may be repeated, also as -Iinc: arg_many */
    ARG_LIST,   /* 5,2,3 */
    ARG_FILE,
    ARG_FILES,  /* one file or more: arg_many; last operand only */
    ARG_COMMAND, /* the name of a command, completed so */
    ARG_TOPIC,  /* a command or a help topic */
    ARG_SETTING,
    ARG_ARRAY,  /* an array, or a part of it */
    ARG_ARRAYS, /* names of arrays to the end of the line; last operand only */
    ARG_KERNEL, /* a kernel of the student's own, or a lab or its kernel */
    ARG_BINARY, /* such a name, or a file */
    ARG_CALL,   /* k<<<4, 256>>>(x, 1): all words that are no options, as they stand in the line */
    ARG_LINE,   /* another command, as ARG_CALL: options that this command lacks belong to it too */
    ARG_REST    /* the rest of the line as it stands; last operand only. Where another operand is
                   before it, none of its words is an option */
};

/* The C type of the member that a value is stored in; BIND fills it in. */
enum arg_member {
    MEMBER_NONE,
    MEMBER_BOOL,
    MEMBER_INT,
    MEMBER_UNSIGNED,
    MEMBER_INT64,
    MEMBER_UINT64,
    MEMBER_REAL,
    MEMBER_TEXT,
    MEMBER_DIM,
    MEMBER_PAIR,
    MEMBER_MANY,
    MEMBER_CALL
};

/* The members of types that are no plain C types. */
enum { MANY_MOST = 1000 };
struct arg_pair {
    const char *first, *second;
}; /* ARG_PAIR */
struct arg_many {
    const char *text[MANY_MOST];
    unsigned count;
}; /* ARG_MANY, ARG_FILES */
struct arg_call {
    const char *text;
    int column;
}; /* ARG_CALL, ARG_LINE */

/*
 * The value of an option goes to a member of the command's own struct of options:
 * {OPTION(struct banks_options, pad), .type = ARG_INT, ...} is the option `pad` and the member of
 * that name, and BIND alone is for another name. GIVEN(struct banks_options, pad) has the bool
 * pad_given tell whether the option was typed. A misspelt member does not compile, and
 * command_check() finds a member whose type does not suit the option.
 */
#define BIND(S, m) \
    .member = _Generic(((S *)0)->m, bool: MEMBER_BOOL, int: MEMBER_INT,                       \
                       unsigned: MEMBER_UNSIGNED, int64_t: MEMBER_INT64,                      \
                       uint64_t: MEMBER_UINT64, double: MEMBER_REAL,                          \
                       const char *: MEMBER_TEXT, unsigned *: MEMBER_DIM,                     \
                       struct arg_pair: MEMBER_PAIR, struct arg_many: MEMBER_MANY,            \
                       struct arg_call: MEMBER_CALL),                                         \
    .at = offsetof(S, m)
#define OPTION(S, m) .name = #m, BIND(S, m)
#define GIVEN(S, m)  .given_at = offsetof(S, m##_given) + _Generic(((S *)0)->m##_given, bool : 1)

struct arg_spec {
    const char *name;  /* option: "variant" or "n"; operand: "STRIDE" */
    enum arg_member member;
    size_t at, given_at; /* where in the struct of options; given_at: one more, 0 for nowhere */
    const char *value; /* what stands for the value in usage: "N", "NAME"; NULL: from type */
    enum arg_type type;
    int64_t lo, hi; /* ARG_INT and each part of ARG_DIM; both 0: any INT, a DIM of 1..2^31-1 */
    const char *initial; /* as typed; NULL: none */
    const char *initial_but; /* when it is another: "1000 for a wrong variant"; NULL: never */
    const char *const *choices; /* NULL-terminated; of a FILE: endings that it mostly has */
    const char *(*choice)(unsigned i); /* the same of a list elsewhere; NULL: no more */
    bool required;     /* operand: must be there */
    const char *example; /* of an operand: a value for the line that an error proposes */
    const char *help;  /* one sentence, no full stop */
    void (*help_more)(struct buf *); /* goes on with what a list elsewhere has */
};

struct command;

enum command_class { CLASS_LAB, CLASS_KERNELS, CLASS_READING, CLASS_SESSION, CLASS_HELP,
                     CLASS_BLOCK, /* a word that belongs to another command, as else to if */
                     CLASS_STEP /* a word that moves a launch, or looks at it */ };

struct lab;
struct session;
struct report;
struct words;

struct command {
    const char *name, *alias; /* alias NULL or a second full name */
    enum command_class kind;
    const char *summary;      /* one line for `help` */
    const struct arg_spec *options;  /* end with a NULL name; may be NULL */
    const struct arg_spec *operands; /* likewise */
    size_t size; /* of the struct that its tables bind; a lab's begins with a struct lab_options */
    const struct lab *lab;    /* CLASS_LAB: options common to labs are added to its own */
    bool never_inside;        /* no other command runs it, as `side` runs two */
    bool one_dash;            /* -std is --std: its options are those of compilers */
    int (*run)(struct session *, const void *options, struct report *); /* -1: report says why */
    const char *hint; /* what to do about a word or an option that it does not have; or NULL */
    /* Says of a word that can't stand where it does what would be right. 0: it has nothing to say.
     * NULL: it never has. */
    int (*unexpected)(const struct words *, unsigned at, struct err *);
};

/* A sentence about a row of its tables whose member can not hold the value. 0: all can. */
int command_check(const struct command *, struct err *);

/* Options and operands in one numbering: the command's own options, those that it shares with other
 * labs, then its operands. command_spec() returns NULL after the last one. */
const struct arg_spec *command_spec(const struct command *, unsigned index);
unsigned command_option_count(const struct command *);
unsigned command_spec_count(const struct command *);
/* An option as it is typed: "-n" or "--variant". */
const char *command_option_name(const struct arg_spec *, char out[64]);
/* The option that the first n bytes of a word name, dashes included. NULL: there is none. */
const struct arg_spec *command_option_named(const struct command *, const char *word, size_t n,
                                            unsigned *index);
/* The k-th value of a choice, NULL after the last; a lab's variants come from the lab. */
const char *command_choice(const struct command *, const struct arg_spec *, unsigned k);
/* The value that is taken where none is given, as typed; NULL: none. */
const char *command_initial(const struct command *, const struct arg_spec *);
/* What the help says of an option or operand. */
void command_meaning(const struct arg_spec *, struct buf *out);
/* What stands for the value of an option or operand in usage: "N", "4|8|16", "NAME". */
void command_value_name(const struct command *, const struct arg_spec *, struct buf *);

/* Split a line into words, honouring quotes; then match words to a command's specs.
 * Every error names what would be right and carries the column. */
struct words {
    char **word;
    int *column;  /* 1 is the first byte of the line */
    bool *quoted; /* it began with a quote: never an option */
    unsigned count;
    void *memory;
};
int words_split(const char *line, struct words *, struct err *);
void words_free(struct words *);
/* Where the command that starts at `from` ends: *end is the place of the `;` or of the `#` of a
 * comment, which is returned, or n, with 0. -1: something opened in it is never closed. */
int words_end(const char *text, size_t n, size_t from, size_t *end, struct err *);
/* What would close what stands open at the end of a command: a quote, ) or >; 0: nothing does. */
char words_open(const char *text, size_t n);
/* The values of a command's options: its own struct, and what that points to. */
struct args {
    void *options;
    char *call; /* the line of an ARG_CALL or ARG_LINE, its options blanked */
};
int args_parse(const struct command *, const struct words *, const char *line, struct args *,
               struct err *);
void args_free(struct args *);
void command_synopsis(const struct command *, struct buf *, int width); /* `trap [-a A] ...` */
void command_usage(const struct command *, struct buf *, int width);
/* The lines of one option in it, with or without the limits and the default of its value. */
void command_option_usage(const struct command *, const struct arg_spec *, bool limits,
                          struct buf *, int width);
/* `help --calls`: for a command about words that has no options, an option is a word too. */
bool command_explains_options(const struct command *);

#endif
