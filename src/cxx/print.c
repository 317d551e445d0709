/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing the tree of a mangled name as a C++ programmer would: const float*, int (*)[4],
 * void (*)(int). Everything is written in two halves, left and right of where a declaration has its
 * name; a template parameter becomes the argument that it stands for, a pack all of them.
 *
 * A short damaged name can stand for an endless text, so depth, steps and length are bounded;
 * `failed` is sticky, as in a buf.
 */
#include "cxx/tree.h"

#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 300, MOST_STEPS = 200000, LONGEST_TEXT = 65536 };

struct printer {
    struct buf *out;
    const struct node *arguments; /* a list: what T_, T0_, ... are; NULL outside templates */
    long pack_index;              /* which element of a pack is being written, -1: none */
    int depth;
    unsigned steps;
    bool bare;   /* neither template arguments nor a function's parameters */
    bool typed;  /* as a variable is typed: no blank after a comma, no function around it */
    bool lambda; /* T_ is a lambda's auto parameter */
    bool failed;
};

enum list_of { ARGUMENTS, PARAMETERS };

static void print(struct printer *, const struct node *);
static void print_left(struct printer *, const struct node *);
static void print_right(struct printer *, const struct node *);
static void print_list(struct printer *, const struct node *, enum list_of, const char *between);

/* ---- small steps -------------------------------------------------------------------------- */

static void add_text(struct printer *p, const char *text, size_t length)
{
    if (!p->failed && (p->out->len + length > LONGEST_TEXT || buf_add(p->out, text, length) != 0))
        p->failed = true;
}

static void add(struct printer *p, const char *text)
{
    add_text(p, text, strlen(text));
}

static void add_number(struct printer *p, const char *format, unsigned number)
{
    if (!p->failed && buf_printf(p->out, format, number) != 0)
        p->failed = true;
}

static char last_added(const struct printer *p)
{
    return p->out->len ? p->out->data[p->out->len - 1] : '\0';
}

/* Every function that may call itself again begins with this. */
static bool enter(struct printer *p, const struct node *n)
{
    p->depth++;
    if (!n || p->depth > DEEPEST || ++p->steps > MOST_STEPS)
        p->failed = true;
    return !p->failed;
}

const struct node *node_last(const struct node *name)
{
    for (;; name = name->kind == NODE_TEMPLATE ? name->a : name->b)
        if (name->kind != NODE_NESTED && name->kind != NODE_LOCAL && name->kind != NODE_TEMPLATE)
            return name;
}

const struct node *node_arguments(const struct node *name)
{
    while (name->kind == NODE_LOCAL)
        name = name->b;
    return name->kind == NODE_TEMPLATE ? name->b : NULL;
}

/* ---- template parameters and packs -------------------------------------------------------- */

static const struct node *list_item(const struct node *list, unsigned long index)
{
    for (; list && index; index--)
        list = list->b;
    return list ? list->a : NULL;
}

/* Gives the node that a parameter stands for. Any other node stands for itself. */
static const struct node *resolve(struct printer *p, const struct node *n)
{
    for (int i = 0; n && n->kind == NODE_PARAM && !p->lambda; i++) {
        n = i < DEEPEST ? list_item(p->arguments, n->number) : NULL;
        if (n && n->kind == NODE_PACK && p->pack_index >= 0)
            n = list_item(n->a, (unsigned long)p->pack_index);
    }
    if (!n)
        p->failed = true;
    return n;
}

/* Finds the first pack in a pattern. The pattern is written once for each item of the pack. */
static const struct node *find_pack(struct printer *p, const struct node *pattern)
{
    const struct node *found = NULL;
    if (!pattern || pattern->kind == NODE_EXPAND || pattern->kind == NODE_ENCODING)
        return NULL;
    if (pattern->kind == NODE_PARAM && !p->lambda) {
        found = list_item(p->arguments, pattern->number);
        return found && found->kind == NODE_PACK ? found : NULL;
    }
    if (enter(p, pattern) && !(found = find_pack(p, pattern->a)))
        found = find_pack(p, pattern->b);
    p->depth--;
    return found;
}

/* Collects const and volatile on the way to what they qualify. */
static const struct node *strip_cv(struct printer *p, const struct node *n, unsigned *flags)
{
    *flags = 0;
    n = resolve(p, n);
    for (int i = 0; n && n->kind == NODE_CV; i++) {
        *flags |= n->flags;
        n = i < DEEPEST ? resolve(p, n->a) : NULL;
    }
    if (!n)
        p->failed = true;
    return n;
}

/* A reference to a reference is one reference; it is && if both are. Gives the type behind them. */
static const struct node *pointee(struct printer *p, const struct node *n, const char **sign)
{
    *sign = n->length == 2 ? "&&" : n->text[0] == '&' ? "&" : "*";
    const struct node *to = resolve(p, n->a);
    for (int i = 0; **sign == '&' && to && to->kind == NODE_POINTER && to->text[0] == '&'; i++) {
        if (to->length == 1)
            *sign = "&";
        to = i < DEEPEST ? resolve(p, to->a) : NULL;
    }
    if (!to)
        p->failed = true;
    return to;
}

/* ---- lists -------------------------------------------------------------------------------- */

/* Writes one item. The comma in front is removed again if the item is an empty pack. */
static void print_item(struct printer *p, const struct node *item, size_t list_start,
                       enum list_of what, const char *between)
{
    size_t before = p->out->len;
    if (before > list_start)
        add(p, between);
    size_t start = p->out->len;
    unsigned ignored; /* a parameter's own const is not part of the function's type */
    print(p, what == PARAMETERS ? strip_cv(p, item, &ignored) : item);
    if (p->out->len == start && !p->failed)
        p->out->data[p->out->len = before] = '\0';
}

/* Writes the pattern once for each item of the pack in it. */
static void print_expanded(struct printer *p, const struct node *pattern, size_t list_start,
                           enum list_of what, const char *between)
{
    const struct node *pack = find_pack(p, pattern);
    long outside = p->pack_index;
    if (!pack) {
        print_item(p, pattern, list_start, what, between);
        add(p, "...");
        return;
    }
    p->pack_index = 0;
    for (const struct node *of = pack->a; of && of->a && !p->failed; of = of->b, p->pack_index++)
        print_item(p, pattern, list_start, what, between);
    p->pack_index = outside;
}

static bool is_void(const struct node *n)
{
    return n->kind == NODE_TEXT && n->length == 4 && memcmp(n->text, "void", 4) == 0;
}

static void print_list(struct printer *p, const struct node *list, enum list_of what,
                       const char *between)
{
    size_t start = p->out->len;
    if (what == PARAMETERS && list->a && !list->b && is_void(list->a))
        return; /* (void) is () */
    for (; list && list->a && !p->failed; list = list->b)
        if (list->a->kind == NODE_EXPAND)
            print_expanded(p, list->a->a, start, what, between);
        else
            print_item(p, list->a, start, what, between);
}

static void print_arguments(struct printer *p, const struct node *list)
{
    if (last_added(p) == '<')
        add(p, " ");
    add(p, "<");
    print_list(p, list, ARGUMENTS, p->typed ? "," : ", ");
    add(p, ">");
}

static void print_params(struct printer *p, const struct node *list)
{
    add(p, "(");
    print_list(p, list, PARAMETERS, ", ");
    add(p, ")");
}

/* ---- names -------------------------------------------------------------------------------- */

static void print_operator(struct printer *p, const struct node *n)
{
    add(p, "operator");
    if (n->text[0] >= 'a' && n->text[0] <= 'z')
        add(p, " ");
    add_text(p, n->text, n->length);
    if (n->a)
        print(p, n->a);
}

static void print_lambda(struct printer *p, const struct node *n)
{
    bool outside = p->lambda;
    p->lambda = true;
    add(p, "{lambda");
    print_params(p, n->a);
    add_number(p, "#%u}", n->number);
    p->lambda = outside;
}

static void print_scoped(struct printer *p, const struct node *n)
{
    size_t before = p->out->len;
    if (n->kind == NODE_NESTED || !p->typed)
        print(p, n->a);
    bool hidden = (p->bare || p->typed) && node_last(n->b)->kind == NODE_ANONYMOUS;
    if (p->out->len > before && !hidden)
        add(p, "::");
    print(p, n->b);
}

static void add_cv(struct printer *p, unsigned flags, const char *before, const char *after)
{
    static const struct {
        unsigned flag;
        const char *word;
    } words[] = {{CV_CONST, "const"}, {CV_VOLATILE, "volatile"}, {CV_RESTRICT, "__restrict"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (flags & words[i].flag) {
            add(p, before);
            add(p, words[i].word);
            add(p, after);
        }
}

static void add_function_flags(struct printer *p, unsigned flags)
{
    add_cv(p, flags, " ", "");
    add(p, flags & REF_LVALUE ? " &" : flags & REF_RVALUE ? " &&" : "");
}

/* Writes a function: the whole name, or one around a lambda or a variable, or a template's
 * argument. */
static void print_encoding(struct printer *p, const struct node *n)
{
    const struct node *outside = p->arguments, *own = node_arguments(n->a);
    p->arguments = own ? own : outside;
    print(p, n->a);
    if (!p->bare) {
        print_params(p, n->b);
        add_function_flags(p, n->flags);
    }
    p->arguments = outside;
}

/* 4 and 4ul are written alone. A literal without such an ending is written with its type:
 * (char)65. */
static void print_literal(struct printer *p, const struct node *n)
{
    bool negative = n->length && n->text[0] == 'n';
    if (n->a) {
        add(p, "(");
        print(p, n->a);
        add(p, ")");
    }
    add(p, negative ? "-" : "");
    add_text(p, n->text + negative, n->length - negative);
    add(p, n->suffix);
}

/* ---- types -------------------------------------------------------------------------------- */

static bool written_around(struct printer *p, const struct node *n)
{
    unsigned ignored;
    n = strip_cv(p, n, &ignored);
    return n && (n->kind == NODE_ARRAY || n->kind == NODE_FUNCTION);
}

/* const stands before a plain type and after a pointer. */
static void print_cv_left(struct printer *p, const struct node *n)
{
    unsigned flags;
    const struct node *of = strip_cv(p, n, &flags);
    if (!of)
        return;
    bool pointer = of->kind == NODE_POINTER || of->kind == NODE_MEMBER;
    if (!pointer)
        add_cv(p, flags, "", " ");
    print_left(p, of);
    if (pointer && of->text[0] != '&')
        add_cv(p, flags, " ", "");
}

/* Pointers to arrays and functions begin with int (*, all others with int*. */
static void open_declarator(struct printer *p, const struct node *to)
{
    if (!written_around(p, to))
        return;
    if (last_added(p) != '(' && last_added(p) != '*')
        add(p, " ");
    add(p, "(");
}

static void print_pointer_left(struct printer *p, const struct node *n)
{
    const char *sign;
    const struct node *to = pointee(p, n, &sign);
    if (!to)
        return;
    print_left(p, to);
    open_declarator(p, to);
    add(p, sign);
}

static void print_pointer_right(struct printer *p, const struct node *to)
{
    if (to && written_around(p, to))
        add(p, ")");
    print_right(p, to);
}

static void print_member_left(struct printer *p, const struct node *n)
{
    print_left(p, n->b);
    if (written_around(p, n->b))
        open_declarator(p, n->b);
    else
        add(p, " ");
    print(p, n->a);
    add(p, "::*");
}

static void print_param(struct printer *p, const struct node *n)
{
    if (p->lambda) { /* the parameter's type is a template parameter of the lambda */
        add_number(p, "auto:%u", n->number + 1);
        return;
    }
    print_left(p, resolve(p, n));
}

/* ---- both halves -------------------------------------------------------------------------- */

static void print_left_inside(struct printer *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_TEXT: add_text(p, n->text, n->length); break;
    case NODE_ANONYMOUS: add(p, p->bare || p->typed ? "" : "(anonymous namespace)"); break;
    case NODE_NESTED:
    case NODE_LOCAL: print_scoped(p, n); break;
    case NODE_TEMPLATE:
        print(p, n->a);
        if (!p->bare)
            print_arguments(p, n->b);
        break;
    case NODE_OPERATOR: print_operator(p, n); break;
    case NODE_CONVERSION:
        add(p, "operator ");
        print(p, n->a);
        break;
    case NODE_STRUCTOR: /* of ns::A<int> it is A::~A: without what stands around and on the class */
        add_text(p, n->text, n->length);
        print(p, node_last(n->a));
        break;
    case NODE_LAMBDA: print_lambda(p, n); break;
    case NODE_UNNAMED: add_number(p, "{unnamed type#%u}", n->number); break;
    case NODE_ENCODING: print_encoding(p, n); break;
    case NODE_POINTER: print_pointer_left(p, n); break;
    case NODE_MEMBER: print_member_left(p, n); break;
    case NODE_CV: print_cv_left(p, n); break;
    case NODE_ARRAY:
    case NODE_FUNCTION: print_left(p, n->a); break;
    case NODE_PARAM: print_param(p, n); break;
    case NODE_PACK: print_list(p, n->a, ARGUMENTS, p->typed ? "," : ", "); break;
    case NODE_LITERAL: print_literal(p, n); break;
    case NODE_ADDRESS:
        add(p, "&");
        print(p, n->a);
        break;
    case NODE_EXPAND:
    case NODE_LIST: p->failed = true; break; /* lists alone have these */
    }
}

static void print_left(struct printer *p, const struct node *n)
{
    if (enter(p, n))
        print_left_inside(p, n);
    p->depth--;
}

static void print_right_inside(struct printer *p, const struct node *n)
{
    const char *sign;
    unsigned ignored;
    switch (n->kind) {
    case NODE_POINTER: print_pointer_right(p, pointee(p, n, &sign)); break;
    case NODE_MEMBER: print_pointer_right(p, n->b); break;
    case NODE_CV: print_right(p, strip_cv(p, n, &ignored)); break;
    case NODE_ARRAY:
        add(p, "[");
        if (n->b)
            print(p, n->b);
        add(p, "]");
        print_right(p, n->a);
        break;
    case NODE_FUNCTION:
        print_params(p, n->b);
        add_function_flags(p, n->flags);
        print_right(p, n->a);
        break;
    case NODE_PARAM:
        if (!p->lambda)
            print_right(p, resolve(p, n));
        break;
    default: break;
    }
}

static void print_right(struct printer *p, const struct node *n)
{
    if (enter(p, n))
        print_right_inside(p, n);
    p->depth--;
}

static void print(struct printer *p, const struct node *n)
{
    unsigned ignored;
    print_left(p, n);
    const struct node *of = p->failed || p->lambda ? n : strip_cv(p, n, &ignored);
    if (of && of->kind == NODE_FUNCTION)
        add(p, " ");
    print_right(p, n);
}

int node_print(const struct node *name, enum name_part part, struct buf *out)
{
    bool function = name->kind == NODE_ENCODING;
    const struct node *own = function ? name->a : name;
    struct printer p = {.out = out, .arguments = node_arguments(own), .pack_index = -1};
    p.bare = part == PART_QUALIFIED || part == PART_PLAIN;
    p.typed = part == PART_VARIABLE;
    if (part == PART_PARAMETERS)
        print_list(&p, name->b, PARAMETERS, "\n");
    else if (part != PART_ARGUMENTS)
        print(&p, part == PART_PLAIN ? node_last(own) : part == PART_QUALIFIED ? own : name);
    else if (p.arguments)
        print_arguments(&p, p.arguments);
    return p.failed || out->failed ? -1 : 0;
}
