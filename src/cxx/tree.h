/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree between reading a mangled name (mangle.c) and writing it (mangle-print.c).
 * It has to be a tree: T_ stands for a template argument that is often read later, and C's
 * declarators are written on both sides of a name.
 */
#ifndef CXX_TREE_H
#define CXX_TREE_H

#include "base/buf.h"
#include "base/mem.h"

enum node_kind {
    /* names */
    NODE_TEXT,        /* text: an identifier or a builtin type */
    NODE_ANONYMOUS,   /* an anonymous namespace */
    NODE_NESTED,      /* a::b */
    NODE_TEMPLATE,    /* a<list b> */
    NODE_OPERATOR,    /* text: the operator's sign */
    NODE_CONVERSION,  /* operator a */
    NODE_CONSTRUCTOR, /* a: its class */
    NODE_DESTRUCTOR,  /* a: its class */
    NODE_LAMBDA,      /* list a: parameters; number */
    NODE_UNNAMED,     /* number */
    NODE_TAGGED,      /* a[abi:text] */
    NODE_LOCAL,       /* a: the function around it; b */
    NODE_ENCODING,    /* a: name, b: the list of parameters, c: return type or NULL; flags;
                         of a variable a alone */
    /* types */
    NODE_POINTER,  /* text: * & or &&; a */
    NODE_MEMBER,   /* b a::* */
    NODE_CV,       /* flags, a */
    NODE_SUFFIX,   /* a text: _Complex and what vendors add */
    NODE_ARRAY,    /* a[b], b may be NULL */
    NODE_FUNCTION, /* a: return type, list b: parameters, flags */
    NODE_PARAM,    /* template parameter `number` */
    NODE_EXPAND,   /* a... */
    NODE_PACK,     /* list a: a parameter pack's arguments */
    NODE_LIST,     /* a: this item, b: the rest */
    /* expressions */
    NODE_LITERAL, /* a: type, text: digits */
    NODE_UNARY,   /* text a */
    NODE_BINARY,  /* a text b */
    NODE_CHOICE,  /* a ? b : c */
    NODE_CALL,    /* a(list b) */
    NODE_CAST,    /* (a)(list b) */
    NODE_BRACES,  /* a{list b}, a may be NULL */
    NODE_WORD     /* text (a): sizeof and its like */
};

enum node_flags { CV_CONST = 1, CV_VOLATILE = 2, CV_RESTRICT = 4, REF_LVALUE = 8, REF_RVALUE = 16 };

struct node {
    enum node_kind kind;
    unsigned flags, number;
    const char *text; /* not NUL-terminated */
    size_t length;
    struct node *a, *b, *c;
};

/* What of a function's name to write. */
enum name_part { PART_QUALIFIED, PART_PLAIN, PART_ARGUMENTS, PART_NAME, PART_QUALIFIERS };

/* An encoding; of a variable it is a name alone. NULL: damaged, no such name, or memory is out. */
const struct node *node_read(const char *mangled, struct arena *, bool *variable);

/* The last component of a::b::c, and the template arguments that stand on it, or NULL. */
const struct node *node_last(const struct node *name);
const struct node *node_arguments(const struct node *name);

/* Write a part of an encoding's name; -1 where it is damaged, too long or memory is out. */
int node_print_part(const struct node *encoding, enum name_part, struct buf *out);
/* Write parameter `index`: 1 written, 0 there are no more, -1 as above. */
int node_print_parameter(const struct node *encoding, unsigned index, struct buf *out);

#endif
