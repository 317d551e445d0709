/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing the tree of a mangled name as a C++ programmer would: const float*, int (*)[4],
 * void (*)(int). A type is written in two halves, left and right of where a name would stand;
 * a template parameter becomes the argument it stands for, a pack all of them.
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
    bool bare;   /* no template arguments, no anonymous namespaces */
    bool lambda; /* T_ is a lambda's auto parameter */
    bool failed;
};

static void print_name(struct printer *, const struct node *);
static void print_type(struct printer *, const struct node *);
static void print_left(struct printer *, const struct node *);
static void print_right(struct printer *, const struct node *);
static void print_expression(struct printer *, const struct node *);
static void print_list(struct printer *, const struct node *list);
static void print_encoding(struct printer *, const struct node *);

/* ---- small steps -------------------------------------------------------------------------- */

static void put_text(struct printer *p, const char *text, size_t length)
{
    if (!p->failed && (p->out->len + length > LONGEST_TEXT || buf_add(p->out, text, length) != 0))
        p->failed = true;
}

static void put(struct printer *p, const char *text)
{
    put_text(p, text, strlen(text));
}

static void put_number(struct printer *p, const char *format, unsigned number)
{
    if (!p->failed && buf_printf(p->out, format, number) != 0)
        p->failed = true;
}

static char last_put(const struct printer *p)
{
    return p->out->len ? p->out->data[p->out->len - 1] : '\0';
}

/* Every function that can meet itself again begins with this. */
static bool enter(struct printer *p, const struct node *n)
{
    p->depth++;
    if (!n || p->depth > DEEPEST || ++p->steps > MOST_STEPS)
        p->failed = true;
    return !p->failed;
}

const struct node *node_last(const struct node *name)
{
    for (;;) {
        switch (name->kind) {
        case NODE_NESTED:
        case NODE_LOCAL: name = name->b; break;
        case NODE_TEMPLATE:
        case NODE_TAGGED: name = name->a; break;
        default: return name;
        }
    }
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

/* What a parameter stands for; the node itself where it is none. */
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

/* The first pack that a pattern mentions: it says how often the pattern is written. */
static const struct node *find_pack(struct printer *p, const struct node *pattern)
{
    const struct node *found = NULL;
    if (!pattern || pattern->kind == NODE_EXPAND || pattern->kind == NODE_ENCODING)
        return NULL;
    if (pattern->kind == NODE_PARAM && !p->lambda) {
        found = list_item(p->arguments, pattern->number);
        return found && found->kind == NODE_PACK ? found : NULL;
    }
    if (enter(p, pattern) && !(found = find_pack(p, pattern->a)) &&
        !(found = find_pack(p, pattern->b)))
        found = find_pack(p, pattern->c);
    p->depth--;
    return found;
}

static unsigned long pack_length(const struct node *pack)
{
    unsigned long n = 0;
    for (const struct node *item = pack->a; item && item->a; item = item->b)
        n++;
    return n;
}

/* ---- names -------------------------------------------------------------------------------- */

static void print_arguments(struct printer *p, const struct node *list)
{
    if (last_put(p) == '<')
        put(p, " ");
    put(p, "<");
    print_list(p, list);
    put(p, ">");
}

static void print_operator(struct printer *p, const struct node *n)
{
    put(p, "operator");
    if (n->text[0] >= 'a' && n->text[0] <= 'z')
        put(p, " ");
    put_text(p, n->text, n->length);
    if (n->a)
        print_name(p, n->a);
}

static void print_lambda(struct printer *p, const struct node *n)
{
    bool outside = p->lambda;
    p->lambda = true;
    put(p, "{lambda(");
    print_list(p, n->a);
    put_number(p, ")#%u}", n->number);
    p->lambda = outside;
}

static void print_scoped(struct printer *p, const struct node *n)
{
    size_t before = p->out->len;
    print_name(p, n->a);
    bool hidden = p->bare && node_last(n->b)->kind == NODE_ANONYMOUS;
    if (p->out->len > before && !hidden)
        put(p, "::");
    print_name(p, n->b);
}

static void print_tagged(struct printer *p, const struct node *n)
{
    print_name(p, n->a);
    put(p, "[abi:");
    put_text(p, n->text, n->length);
    put(p, "]");
}

/* A destructor of ns::A<int> is A::~A: without what stands around and on the class. */
static void print_structor(struct printer *p, const struct node *n)
{
    if (n->kind == NODE_DESTRUCTOR)
        put(p, "~");
    print_name(p, node_last(n->a));
}

static void print_name_inside(struct printer *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_TEXT: put_text(p, n->text, n->length); break;
    case NODE_ANONYMOUS: put(p, p->bare ? "" : "(anonymous namespace)"); break;
    case NODE_NESTED:
    case NODE_LOCAL: print_scoped(p, n); break;
    case NODE_TEMPLATE:
        print_name(p, n->a);
        if (!p->bare)
            print_arguments(p, n->b);
        break;
    case NODE_OPERATOR: print_operator(p, n); break;
    case NODE_CONVERSION:
        put(p, "operator ");
        print_type(p, n->a);
        break;
    case NODE_CONSTRUCTOR:
    case NODE_DESTRUCTOR: print_structor(p, n); break;
    case NODE_LAMBDA: print_lambda(p, n); break;
    case NODE_UNNAMED: put_number(p, "{unnamed type#%u}", n->number); break;
    case NODE_TAGGED: print_tagged(p, n); break;
    case NODE_ENCODING: print_encoding(p, n); break;
    default: print_type(p, n);
    }
}

static void print_name(struct printer *p, const struct node *n)
{
    if (enter(p, n))
        print_name_inside(p, n);
    p->depth--;
}

/* ---- types -------------------------------------------------------------------------------- */

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

/* A reference to a reference is one: && only where both are. Gives what is referred to. */
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

static bool written_around(struct printer *p, const struct node *n)
{
    unsigned ignored;
    n = strip_cv(p, n, &ignored);
    return n && (n->kind == NODE_ARRAY || n->kind == NODE_FUNCTION);
}

static void put_cv(struct printer *p, unsigned flags, const char *before, const char *after)
{
    static const struct {
        unsigned flag;
        const char *word;
    } words[] = {{CV_CONST, "const"}, {CV_VOLATILE, "volatile"}, {CV_RESTRICT, "__restrict"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (flags & words[i].flag) {
            put(p, before);
            put(p, words[i].word);
            put(p, after);
        }
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
        put_cv(p, flags, "", " ");
    print_left(p, of);
    if (pointer && of->text[0] != '&')
        put_cv(p, flags, " ", "");
}

/* int (* for pointers to arrays and functions, int* for all others. */
static void open_declarator(struct printer *p, const struct node *to)
{
    if (!written_around(p, to))
        return;
    if (last_put(p) != '(' && last_put(p) != '*')
        put(p, " ");
    put(p, "(");
}

static void print_pointer_left(struct printer *p, const struct node *n)
{
    const char *sign;
    const struct node *to = pointee(p, n, &sign);
    if (!to)
        return;
    print_left(p, to);
    open_declarator(p, to);
    put(p, sign);
}

static void print_pointer_right(struct printer *p, const struct node *to)
{
    if (to && written_around(p, to))
        put(p, ")");
    print_right(p, to);
}

static void print_member_left(struct printer *p, const struct node *n)
{
    print_left(p, n->b);
    if (written_around(p, n->b))
        open_declarator(p, n->b);
    else
        put(p, " ");
    print_type(p, n->a);
    put(p, "::*");
}

static void put_function_flags(struct printer *p, unsigned flags)
{
    put_cv(p, flags, " ", "");
    put(p, flags & REF_LVALUE ? " &" : flags & REF_RVALUE ? " &&" : "");
}

static void print_param(struct printer *p, const struct node *n)
{
    if (p->lambda) { /* the parameter's type is a template parameter of the lambda */
        put_number(p, "auto:%u", n->number + 1);
        return;
    }
    const struct node *to = resolve(p, n);
    if (to && to->kind == NODE_PACK)
        print_list(p, to->a);
    else if (to)
        print_left(p, to);
}

static void print_suffixed(struct printer *p, const struct node *n)
{
    print_left(p, n->a);
    print_right(p, n->a);
    put(p, " ");
    print_expression(p, n->b);
}

static void print_left_inside(struct printer *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_POINTER: print_pointer_left(p, n); break;
    case NODE_MEMBER: print_member_left(p, n); break;
    case NODE_CV: print_cv_left(p, n); break;
    case NODE_SUFFIX: print_suffixed(p, n); break;
    case NODE_ARRAY:
    case NODE_FUNCTION: print_left(p, n->a); break;
    case NODE_PARAM: print_param(p, n); break;
    case NODE_PACK: print_list(p, n->a); break;
    case NODE_EXPAND:
    case NODE_LIST:
    case NODE_LITERAL:
    case NODE_UNARY:
    case NODE_BINARY:
    case NODE_CHOICE:
    case NODE_CALL:
    case NODE_CAST:
    case NODE_BRACES:
    case NODE_WORD: print_expression(p, n); break;
    default: print_name(p, n);
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
        put(p, "[");
        if (n->b)
            print_expression(p, n->b);
        put(p, "]");
        print_right(p, n->a);
        break;
    case NODE_FUNCTION:
        put(p, "(");
        print_list(p, n->b);
        put(p, ")");
        put_function_flags(p, n->flags);
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

static void print_type(struct printer *p, const struct node *n)
{
    unsigned ignored;
    print_left(p, n);
    const struct node *of = p->failed ? NULL : strip_cv(p, n, &ignored);
    if (of && of->kind == NODE_FUNCTION)
        put(p, " ");
    print_right(p, n);
}

/* ---- lists -------------------------------------------------------------------------------- */

static bool is_void(const struct node *n)
{
    return n->kind == NODE_TEXT && n->length == 4 && memcmp(n->text, "void", 4) == 0;
}

/* One item; what it began with a comma goes if the item turns out to be an empty pack. */
static void print_item(struct printer *p, const struct node *item, bool first)
{
    size_t before = p->out->len;
    if (!first)
        put(p, ", ");
    size_t start = p->out->len;
    print_expression(p, item);
    if (p->out->len == start && !p->failed)
        p->out->data[p->out->len = before] = '\0';
}

static void print_list(struct printer *p, const struct node *list)
{
    size_t start = p->out->len;
    if (list && list->a && !list->b && is_void(list->a))
        return; /* (void) is () */
    for (; list && list->a && !p->failed; list = list->b)
        print_item(p, list->a, p->out->len == start);
}

static void print_expanded(struct printer *p, const struct node *n)
{
    const struct node *pack = find_pack(p, n->a);
    if (!pack) {
        print_expression(p, n->a);
        put(p, p->failed ? "" : "...");
        return;
    }
    long outside = p->pack_index;
    unsigned long length = pack_length(pack);
    size_t start = p->out->len;
    for (unsigned long i = 0; i < length && !p->failed; i++) {
        p->pack_index = (long)i;
        print_item(p, n->a, p->out->len == start);
    }
    p->pack_index = outside;
}

/* ---- expressions -------------------------------------------------------------------------- */

/* 4 and true stand alone, 4u and 4ul have their suffix, all else says its type: (char)65. */
static void print_literal(struct printer *p, const struct node *n)
{
    static const struct {
        const char *type, *suffix;
    } plain[] = {{"int", ""},         {"unsigned int", "u"},
                 {"long", "l"},       {"unsigned long", "ul"},
                 {"long long", "ll"}, {"unsigned long long", "ull"}};
    const struct node *type = resolve(p, n->a);
    const char *suffix = NULL;
    bool text = type && type->kind == NODE_TEXT;
    for (size_t i = 0; text && i < sizeof plain / sizeof plain[0]; i++)
        if (strlen(plain[i].type) == type->length &&
            memcmp(plain[i].type, type->text, type->length) == 0)
            suffix = plain[i].suffix;
    if (text && type->length == 4 && memcmp(type->text, "bool", 4) == 0 && n->length == 1) {
        put(p, n->text[0] == '0' ? "false" : "true");
        return;
    }
    if (text && type->length == 17 && memcmp(type->text, "decltype(nullptr)", 17) == 0) {
        put(p, "nullptr");
        return;
    }
    if (!suffix) {
        put(p, "(");
        print_type(p, n->a);
        put(p, ")");
    }
    bool negative = n->length && n->text[0] == 'n';
    put(p, negative ? "-" : "");
    put_text(p, n->text + negative, n->length - negative);
    put(p, suffix ? suffix : "");
}

/* An operand: in parentheses unless it is one word. */
static void print_operand(struct printer *p, const struct node *n)
{
    bool simple = n && (n->kind == NODE_TEXT || n->kind == NODE_NESTED || n->kind == NODE_BRACES);
    if (!simple)
        put(p, "(");
    print_expression(p, n);
    if (!simple)
        put(p, ")");
}

/* The address of a function is written without its parameters, as a programmer would. */
static void print_unary(struct printer *p, const struct node *n)
{
    bool address = n->length == 1 && n->text[0] == '&' && n->a->kind == NODE_ENCODING;
    put_text(p, n->text, n->length);
    if (address || n->a->kind == NODE_TEMPLATE)
        print_name(p, address ? n->a->a : n->a);
    else
        print_operand(p, n->a);
}

static void print_binary(struct printer *p, const struct node *n)
{
    if (n->text[0] == '[') {
        print_operand(p, n->a);
        put(p, "[");
        print_expression(p, n->b);
        put(p, "]");
        return;
    }
    bool greater = n->length == 1 && n->text[0] == '>'; /* or it would close the arguments */
    put(p, greater ? "(" : "");
    print_operand(p, n->a);
    put_text(p, n->text, n->length);
    print_operand(p, n->b);
    put(p, greater ? ")" : "");
}

static void print_around_list(struct printer *p, const char *open, const struct node *list,
                              const char *close)
{
    put(p, open);
    print_list(p, list);
    put(p, close);
}

static void print_expression_inside(struct printer *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_EXPAND: print_expanded(p, n); break;
    case NODE_LIST: print_list(p, n); break;
    case NODE_LITERAL: print_literal(p, n); break;
    case NODE_UNARY: print_unary(p, n); break;
    case NODE_BINARY: print_binary(p, n); break;
    case NODE_CHOICE:
        print_operand(p, n->a);
        put(p, "?");
        print_operand(p, n->b);
        put(p, " : ");
        print_operand(p, n->c);
        break;
    case NODE_CALL:
        print_operand(p, n->a);
        print_around_list(p, "(", n->b, ")");
        break;
    case NODE_CAST:
        print_around_list(p, "(", &(struct node){.kind = NODE_LIST, .a = n->a}, ")");
        print_around_list(p, "(", n->b, ")");
        break;
    case NODE_BRACES:
        if (n->a)
            print_type(p, n->a);
        print_around_list(p, "{", n->b, "}");
        break;
    case NODE_WORD:
        put_text(p, n->text, n->length);
        print_around_list(p, "(", &(struct node){.kind = NODE_LIST, .a = n->a}, ")");
        break;
    default: print_type(p, n);
    }
}

static void print_expression(struct printer *p, const struct node *n)
{
    if (enter(p, n))
        print_expression_inside(p, n);
    p->depth--;
}

/* ---- functions ---------------------------------------------------------------------------- */

/* A function inside a name: around a lambda, or as a template's argument. */
static void print_encoding(struct printer *p, const struct node *n)
{
    const struct node *outside = p->arguments, *own = node_arguments(n->a);
    p->arguments = own ? own : outside;
    print_name(p, n->a);
    if (!p->bare) {
        print_around_list(p, "(", n->b, ")");
        put_function_flags(p, n->flags);
    }
    p->arguments = outside;
}

static struct printer start(const struct node *encoding, struct buf *out)
{
    return (struct printer){.out = out, .arguments = node_arguments(encoding->a), .pack_index = -1};
}

int node_print_part(const struct node *encoding, enum name_part part, struct buf *out)
{
    struct printer p = start(encoding, out);
    const struct node *name = encoding->a;
    p.bare = part == PART_QUALIFIED || part == PART_PLAIN;
    if (part == PART_PLAIN)
        print_name(&p, node_last(name));
    else if (part == PART_QUALIFIERS)
        put_function_flags(&p, encoding->flags);
    else if (part != PART_ARGUMENTS)
        print_name(&p, name);
    else if (p.arguments)
        print_arguments(&p, p.arguments);
    return p.failed || out->failed ? -1 : 0;
}

/* Top-level const is the function's own business. */
static int print_top_type(struct printer *p, const struct node *n)
{
    unsigned ignored;
    const struct node *type = strip_cv(p, n, &ignored);
    if (type)
        print_type(p, type);
    return p->failed || p->out->failed ? -1 : 1;
}

int node_print_parameter(const struct node *encoding, unsigned index, struct buf *out)
{
    struct printer p = start(encoding, out);
    const struct node *list = encoding->b;
    if (!list->b && is_void(list->a))
        return 0;
    for (; list && list->a; list = list->b) {
        const struct node *item = list->a;
        if (item->kind != NODE_EXPAND) {
            if (index-- == 0)
                return print_top_type(&p, item);
            continue;
        }
        const struct node *pack = find_pack(&p, item->a);
        unsigned long length = pack ? pack_length(pack) : 1;
        if (index < length) {
            p.pack_index = pack ? (long)index : -1;
            return print_top_type(&p, item->a);
        }
        index -= (unsigned)length;
    }
    return 0;
}
