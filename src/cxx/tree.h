/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree between reading a mangled name (read.c) and writing it (print.c). It has to be a tree:
 * T_ stands for a template argument that is often read later, and C writes a type on both sides of
 * a name.
 */
#ifndef CXX_TREE_H
#define CXX_TREE_H

#include "base/buf.h"
#include "base/mem.h"

enum node_kind {
    NODE_TEXT,       /* text: an identifier, a builtin type, true */
    NODE_ANONYMOUS,  /* an anonymous namespace */
    NODE_NESTED,     /* a::b */
    NODE_LOCAL,      /* b, which is declared inside function a */
    NODE_TEMPLATE,   /* a<list b> */
    NODE_OPERATOR,   /* text: the operator's sign; a: the suffix of a literal operator, or NULL */
    NODE_CONVERSION, /* operator a */
    NODE_STRUCTOR,   /* text a: a constructor, or with "~" a destructor, of class a */
    NODE_LAMBDA,     /* list a: parameters; number */
    NODE_UNNAMED,    /* number */
    NODE_ENCODING,   /* a function: name a, list b of parameters, flags */
    NODE_POINTER,    /* text: * & or &&; a */
    NODE_MEMBER,     /* b a::* */
    NODE_CV,         /* flags, a */
    NODE_ARRAY,      /* a[b], b may be NULL */
    NODE_FUNCTION,   /* a: return type, list b: parameters, flags */
    NODE_PARAM,      /* template parameter `number` */
    NODE_EXPAND,     /* a... */
    NODE_PACK,       /* list a: a parameter pack's arguments */
    NODE_LIST,       /* a: this item, b: the rest; an empty list has no item */
    NODE_LITERAL,    /* text: digits, n before them is a minus; suffix; or a: a type to cast to */
    NODE_ADDRESS     /* &a */
};

enum node_flags { CV_CONST = 1, CV_VOLATILE = 2, CV_RESTRICT = 4, REF_LVALUE = 8, REF_RVALUE = 16 };

struct node {
    enum node_kind kind;
    unsigned flags, number;
    const char *text; /* not NUL-terminated */
    size_t length;
    const char *suffix;
    struct node *a, *b;
};

/* A function is a NODE_ENCODING, anything else a variable. NULL: damaged, no such name, one with an
 * expression in it, or memory is out. */
const struct node *node_read(const char *mangled, struct arena *);
/* The name behind what nvcc puts before the names of static things; the same if there is none. */
const char *skip_static_prefix(const char *mangled);

/* The last component of a::b::c, and the template arguments that stand on it, or NULL. */
const struct node *node_last(const struct node *name);
const struct node *node_arguments(const struct node *name);

enum name_part {
    PART_FULL,       /* ns::tk<float>(float*, int) */
    PART_QUALIFIED,  /* ns::tk */
    PART_PLAIN,      /* tk */
    PART_ARGUMENTS,  /* <float> */
    PART_PARAMETERS, /* float* and int, a line each */
    PART_VARIABLE    /* ns::v<int,4>, to be typed; of a function's own variable its name alone */
};

/* -1: the name is damaged or too long, or memory is out. */
int node_print(const struct node *, enum name_part, struct buf *out);

#endif
