/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the four parts of the parser share; nobody else includes this.
 *
 *     parse.c       the module: its directives, functions, what is decided at the end
 *     parse-body.c  a function's body: scopes, labels, instructions, .loc
 *     parse-op.c    operands, and which declaration a register's name means
 *     parse-decl.c  declarations of variables and their initial values
 *     parse-expr.c  constant expressions
 *
 * Functions return 0, or -1 with the error set.
 */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "ptx/lex.h"
#include "ptx/ptx.h"

enum {
    MOST_REGISTERS = 1 << 20, /* of one .reg declaration */
    MOST_NESTING = 100,       /* { in { in {, and the like in expressions */
    MOST_FILES = 1 << 16
};

/* What a directive word stands for; 0 is any other. Types are DIRECTIVE_TYPE + enum ptx_type,
   spaces DIRECTIVE_SPACE + enum ptx_space. */
enum directive {
    DIRECTIVE_OTHER,
    DIRECTIVE_VERSION, DIRECTIVE_TARGET, DIRECTIVE_ADDRESS_SIZE, DIRECTIVE_FILE,
    DIRECTIVE_SECTION, DIRECTIVE_LOC, DIRECTIVE_PRAGMA, DIRECTIVE_ALIAS, DIRECTIVE_CLUSTER,
    DIRECTIVE_EXPLICIT_CLUSTER, DIRECTIVE_BLOCKS_ARE_CLUSTERS,
    DIRECTIVE_ENTRY, DIRECTIVE_FUNC,
    DIRECTIVE_EXTERN, DIRECTIVE_VISIBLE, DIRECTIVE_WEAK, DIRECTIVE_COMMON,
    DIRECTIVE_ALIGN, DIRECTIVE_V2, DIRECTIVE_V4, DIRECTIVE_PTR, DIRECTIVE_ATTRIBUTE,
    DIRECTIVE_NORETURN, DIRECTIVE_MAXNTID, DIRECTIVE_REQNTID, DIRECTIVE_MINNCTAPERSM,
    DIRECTIVE_MAXNREG,
    DIRECTIVE_TARGETS,   /* .branchtargets and .calltargets */
    DIRECTIVE_PROTOTYPE, /* .callprototype */
    DIRECTIVE_SPACE = 100,
    DIRECTIVE_TYPE = 200
};

/* A growing array of the parser's own; its contents move to the arena when they are complete. */
struct pile {
    void *items;
    size_t count, capacity, size; /* size: of one item */
};

struct label_note {
    struct word *word;
    struct ptx_label label;
    unsigned scope;
};

/* An operand that may turn out to name a label. */
struct label_reference {
    struct word *word;
    struct ptx_operand *operand;
};

/* What a word meant before the current scope. */
struct shadowed {
    struct word *word;
    struct ptx_variable *variable, *range;
    unsigned variable_scope, range_scope;
};

struct scope {
    unsigned id;
    size_t shadowed, labels, references; /* heights of the piles at its { */
    struct ptx_variable *first;          /* declared in it */
};

struct position {
    int file, line, column;
};

/* Remembers that code at `inner` was inlined for a call. */
struct inlining {
    const struct ptx_function *in;
    struct position inner;
    const struct ptx_call *call;
};
enum { INLININGS = 256 };

struct visibility {
    bool is_extern, is_visible, is_weak, is_common;
};

struct variable_list {
    struct ptx_variable *first, *last;
};

struct parser {
    struct lex lex;
    const struct allocator *allocator;
    struct ptx_module *module;
    struct arena memory; /* for the parse alone */

    struct ptx_function *function; /* whose body is read, or NULL */
    struct ptx_function *last_function;
    unsigned function_count;
    struct variable_list globals, locals;
    struct scope scopes[MOST_NESTING];
    unsigned depth;       /* scopes open, 0 in the module */
    unsigned last_scope;  /* id given out last; 0 is the module's */
    struct err broken;    /* the first error in a body; without a text: there is none */
    bool any_whole;       /* is there a body without an error? */
    struct position here; /* .loc in force */
    const struct ptx_call *call;
    struct inlining inlinings[INLININGS];

    struct pile operands, values, code, labels, targets, references, shadowed, files, aliases,
        names;
};

/* The token at hand */
static inline int kind_here(const struct parser *p)
{
    return p->lex.token.kind;
}

bool take(struct parser *, int kind); /* go past this token if it stands here */
struct word *take_word(struct parser *, const char *wanted); /* NULL: another token stands here */
int expect(struct parser *, int kind, const char *what);
int unexpected(struct parser *, const char *wanted);
int directive_here(const struct parser *); /* -1: the token is no directive */
int skip_parentheses(struct parser *);     /* a balanced ( ... ), if one stands here */

void *push(struct parser *, struct pile *); /* a zeroed item, or NULL */
/* Move what lies above `mark` to the arena; NULL when memory is out or nothing lies there. */
void *settle(struct parser *, struct pile *, size_t mark);

/* parse-expr.c */
int constant(struct parser *, struct number *);
int whole_constant(struct parser *, uint64_t *); /* of either sign, as bits */
int size_constant(struct parser *, uint64_t most, const char *what, uint64_t *);
int offset_sum(struct parser *, int64_t *offset); /* any number of "+4", "-8", "+-4" */

/* parse-decl.c */
int declaration(struct parser *, struct visibility, struct variable_list *);
int parameter(struct parser *, struct variable_list *, unsigned *count);
unsigned current_scope(const struct parser *);

/* parse-op.c */
struct ptx_variable *variable_of(const struct parser *, struct word *, uint32_t *index);
int operand(struct parser *, struct ptx_operand *, unsigned depth);
int call_list(struct parser *, struct ptx_operand *); /* after '(', up to and with ')' */

/* parse-body.c */
int open_scope(struct parser *);
int close_scope(struct parser *);
int body(struct parser *, struct ptx_function *); /* at its '{' */
int pragma(struct parser *);

#endif
