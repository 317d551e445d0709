/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading Itanium C++ ABI names: recursive descent over the mangled text, one function for each
 * rule of the ABI's grammar, named after it, giving a tree of nodes. Compilers abbreviate what
 * they already wrote: S_, S0_, ... point to earlier nodes, so the tree may share branches.
 * Damaged names end in NULL, at the latest at a depth that no real name has.
 */
#include "cxx/codes.h"
#include "cxx/tree.h"

#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 200, LONGEST_NAME = 32768 };

struct reader {
    const char *at; /* the text ends with a NUL, which no rule passes */
    struct arena *arena;
    struct node **seen; /* what S_, S0_, ... stand for */
    size_t seen_count, seen_room;
    int depth;
    bool conversion;     /* in operator T_, arguments that follow are the operator's */
    unsigned this_flags; /* const, volatile, & of a member function, out of its nested name */
};

static struct node *read_type(struct reader *);
static struct node *read_expression(struct reader *);
static struct node *read_encoding(struct reader *);
static struct node *read_name(struct reader *);
static struct node *read_unqualified(struct reader *, struct node *scope);

/* ---- small steps -------------------------------------------------------------------------- */

static bool enter(struct reader *r)
{
    return ++r->depth <= DEEPEST;
}

static struct node *leave(struct reader *r, struct node *result)
{
    r->depth--;
    return result;
}

static bool next_is(const struct reader *r, const char *text)
{
    return strncmp(r->at, text, strlen(text)) == 0;
}

static bool take(struct reader *r, const char *text)
{
    if (!next_is(r, text))
        return false;
    r->at += strlen(text);
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct node *new_node(struct reader *r, enum node_kind kind, struct node *a, struct node *b)
{
    struct node *n = arena_get(r->arena, sizeof *n);
    if (n) {
        n->kind = kind;
        n->a = a;
        n->b = b;
        n->text = "";
    }
    return n;
}

/* A node around one that must have been read: NULL goes through. */
static struct node *wrap(struct reader *r, enum node_kind kind, struct node *a)
{
    return a ? new_node(r, kind, a, NULL) : NULL;
}

static struct node *join(struct reader *r, enum node_kind kind, struct node *a, struct node *b)
{
    return a && b ? new_node(r, kind, a, b) : NULL;
}

static struct node *with_text(struct node *n, const char *text, size_t length)
{
    if (n) {
        n->text = text;
        n->length = length;
    }
    return n;
}

static struct node *text_node(struct reader *r, enum node_kind kind, const char *text)
{
    return with_text(new_node(r, kind, NULL, NULL), text, strlen(text));
}

/* Remember a node for a later S_; gives it back. */
static struct node *remember(struct reader *r, struct node *n)
{
    if (!n)
        return NULL;
    if (r->seen_count == r->seen_room) {
        size_t room = r->seen_room ? 2 * r->seen_room : 32;
        struct node **more = arena_get(r->arena, room * sizeof *more);
        if (!more)
            return NULL;
        if (r->seen_count)
            memcpy(more, r->seen, r->seen_count * sizeof *more);
        r->seen = more;
        r->seen_room = room;
    }
    r->seen[r->seen_count++] = n;
    return n;
}

/* Decimal digits; false where there are none or they go beyond any name's length. */
static bool read_number(struct reader *r, unsigned *out)
{
    if (!is_digit(*r->at))
        return false;
    for (*out = 0; is_digit(*r->at); r->at++) {
        *out = *out * 10 + (unsigned)(*r->at - '0');
        if (*out > LONGEST_NAME)
            return false;
    }
    return true;
}

/* "_" is 0, "0_" is 1, "Z_" 36: how the ABI counts; base 36 for S, base 10 otherwise. */
static bool read_sequence(struct reader *r, unsigned base, unsigned *out)
{
    unsigned value = 0;
    bool any = false;
    for (; *r->at && *r->at != '_'; r->at++, any = true) {
        unsigned digit = is_digit(*r->at)                 ? (unsigned)(*r->at - '0')
                         : *r->at >= 'A' && *r->at <= 'Z' ? (unsigned)(*r->at - 'A' + 10)
                                                          : base;
        if (digit >= base || value > LONGEST_NAME)
            return false;
        value = value * base + digit;
    }
    *out = value + any;
    return take(r, "_");
}

/* Items up to what `ends` sees, each read by `item`. An empty list is a node without an item. */
static struct node *read_until(struct reader *r, bool (*ends)(struct reader *),
                               struct node *(*item)(struct reader *))
{
    struct node *first = new_node(r, NODE_LIST, NULL, NULL), *last = NULL;
    while (first && !ends(r)) {
        struct node *cell = last ? new_node(r, NODE_LIST, NULL, NULL) : first;
        if (!cell || !(cell->a = item(r)))
            return NULL;
        if (last)
            last->b = cell;
        last = cell;
    }
    return first;
}

static bool take_end(struct reader *r)
{
    return take(r, "E");
}

static struct node *read_list(struct reader *r, struct node *(*item)(struct reader *))
{
    return read_until(r, take_end, item);
}

/* ---- template parameters, arguments and substitutions ------------------------------------- */

static struct node *read_template_param(struct reader *r)
{
    unsigned number;
    if (!take(r, "T") || !read_sequence(r, 10, &number))
        return NULL;
    struct node *n = new_node(r, NODE_PARAM, NULL, NULL);
    if (n)
        n->number = number;
    return n;
}

static struct node *read_template_arg(struct reader *r)
{
    if (!enter(r))
        return leave(r, NULL);
    struct node *n;
    if (take(r, "X")) {
        n = read_expression(r);
        if (!take(r, "E"))
            n = NULL;
    } else if (take(r, "J")) {
        n = wrap(r, NODE_PACK, read_list(r, read_template_arg));
    } else if (*r->at == 'L') {
        n = read_expression(r);
    } else {
        n = read_type(r);
    }
    return leave(r, n);
}

/* I <arguments> E, put on a name. */
static struct node *read_template_args(struct reader *r, struct node *name)
{
    if (!name || !take(r, "I"))
        return NULL;
    return join(r, NODE_TEMPLATE, name, read_list(r, read_template_arg));
}

static struct node *read_substitution(struct reader *r)
{
    if (!take(r, "S"))
        return NULL;
    const struct cxx_code *standard = cxx_standard(r->at);
    if (standard && take(r, standard->code))
        return text_node(r, NODE_TEXT, standard->text);
    unsigned index;
    if (!read_sequence(r, 36, &index) || index >= r->seen_count)
        return NULL;
    return r->seen[index];
}

/* ---- names -------------------------------------------------------------------------------- */

/* Compilers name an anonymous namespace _GLOBAL__N_..., with '.', '_' or '$' in the middle. */
static bool is_anonymous(const char *text, size_t length)
{
    return length >= 10 && memcmp(text, "_GLOBAL_", 8) == 0 && strchr("._$", text[8]) &&
           text[9] == 'N';
}

static struct node *read_source_name(struct reader *r)
{
    unsigned length;
    if (!read_number(r, &length) || length == 0 || memchr(r->at, '\0', length))
        return NULL;
    const char *text = r->at;
    r->at += length;
    if (is_anonymous(text, length))
        return new_node(r, NODE_ANONYMOUS, NULL, NULL);
    return with_text(new_node(r, NODE_TEXT, NULL, NULL), text, length);
}

static struct node *read_conversion(struct reader *r)
{
    bool outside = r->conversion;
    r->conversion = true;
    struct node *n = wrap(r, NODE_CONVERSION, read_type(r));
    r->conversion = outside;
    return n;
}

static struct node *read_operator_name(struct reader *r)
{
    if (take(r, "cv"))
        return read_conversion(r);
    if (take(r, "li")) {
        struct node *suffix = read_source_name(r);
        return suffix ? with_text(wrap(r, NODE_OPERATOR, suffix), "\"\" ", 3) : NULL;
    }
    const struct cxx_code *row = cxx_operator(r->at);
    if (!row)
        return NULL;
    r->at += 2;
    /* The sign without the space that "delete " has for its operand. */
    struct node *n = text_node(r, NODE_OPERATOR, row->text);
    if (n && n->text[n->length - 1] == ' ')
        n->length--;
    return n;
}

/* A constructor or destructor is called after its class: the last name of the scope. */
static struct node *read_structor(struct reader *r, struct node *scope)
{
    enum node_kind kind = *r->at == 'C' ? NODE_CONSTRUCTOR : NODE_DESTRUCTOR;
    r->at++;
    if (kind == NODE_CONSTRUCTOR)
        take(r, "I"); /* an inherited one */
    if (!is_digit(*r->at))
        return NULL;
    r->at++;
    return wrap(r, kind, scope);
}

/* Ul <parameters> E [number] _, or Ut [number] _ */
static struct node *read_unnamed(struct reader *r)
{
    struct node *n = NULL;
    if (take(r, "Ul"))
        n = wrap(r, NODE_LAMBDA, read_list(r, read_type));
    else if (take(r, "Ut"))
        n = new_node(r, NODE_UNNAMED, NULL, NULL);
    unsigned number;
    if (!n || !read_sequence(r, 10, &number))
        return NULL;
    n->number = number + 1;
    return n;
}

static struct node *read_tags(struct reader *r, struct node *name)
{
    while (name && take(r, "B")) {
        struct node *tag = read_source_name(r);
        name = tag ? with_text(wrap(r, NODE_TAGGED, name), tag->text, tag->length) : NULL;
    }
    return name;
}

/* _2 or __12_ after a name: tells namesakes apart, and isn't shown. */
static void skip_discriminator(struct reader *r)
{
    if (next_is(r, "__") && is_digit(r->at[2])) {
        r->at += 2;
        while (is_digit(*r->at))
            r->at++;
        take(r, "_");
    } else if (*r->at == '_' && is_digit(r->at[1])) {
        r->at += 2;
    }
}

static struct node *read_unqualified(struct reader *r, struct node *scope)
{
    if (!enter(r))
        return leave(r, NULL);
    struct node *n = NULL;
    if (take(r, "L")) { /* internal linkage: a static function */
        n = read_source_name(r);
        skip_discriminator(r);
    } else if (is_digit(*r->at)) {
        n = read_source_name(r);
    } else if (*r->at == 'U') {
        n = read_unnamed(r);
    } else if (*r->at == 'C' || *r->at == 'D') {
        n = read_structor(r, scope);
    } else if (*r->at >= 'a' && *r->at <= 'z') {
        n = read_operator_name(r);
    }
    return leave(r, read_tags(r, n));
}

static unsigned read_cv(struct reader *r)
{
    unsigned flags = 0;
    if (take(r, "r"))
        flags |= CV_RESTRICT;
    if (take(r, "V"))
        flags |= CV_VOLATILE;
    if (take(r, "K"))
        flags |= CV_CONST;
    return flags;
}

static unsigned read_ref(struct reader *r)
{
    return take(r, "R") ? REF_LVALUE : take(r, "O") ? REF_RVALUE : 0;
}

static struct node *read_decltype(struct reader *r)
{
    r->at += 2; /* Dt or DT */
    struct node *n = wrap(r, NODE_WORD, read_expression(r));
    return take(r, "E") ? with_text(n, "decltype", 8) : NULL;
}

/* One more piece of N ... E after `before`, which is NULL at the first. */
static struct node *read_prefix_piece(struct reader *r, struct node *before)
{
    if (*r->at == 'I')
        return read_template_args(r, before);
    if (!before && *r->at == 'S')
        return read_substitution(r);
    if (!before && *r->at == 'T')
        return read_template_param(r);
    if (!before && (next_is(r, "Dt") || next_is(r, "DT")))
        return read_decltype(r);
    struct node *name = read_unqualified(r, before);
    return before ? join(r, NODE_NESTED, before, name) : name;
}

static struct node *read_nested(struct reader *r)
{
    unsigned flags = read_cv(r);
    flags |= read_ref(r);
    struct node *name = NULL;
    while (!take(r, "E")) {
        bool substituted = *r->at == 'S';
        name = read_prefix_piece(r, name);
        take(r, "M"); /* a lambda in a member's initialiser */
        /* The whole is remembered by read_type, if it is a type. */
        if (!name || (!substituted && !next_is(r, "E") && !remember(r, name)))
            return NULL;
    }
    r->this_flags = flags;
    return name;
}

/* Z <function> E <entity> [discriminator], or s for a string literal, d for a default argument */
static struct node *read_local(struct reader *r)
{
    struct node *function = read_encoding(r);
    if (!function || !take(r, "E"))
        return NULL;
    struct node *entity;
    if (take(r, "s")) {
        entity = text_node(r, NODE_TEXT, "string literal");
    } else {
        unsigned ignored;
        if (take(r, "d") && !read_sequence(r, 10, &ignored))
            return NULL;
        r->this_flags = 0;
        entity = read_name(r);
    }
    skip_discriminator(r);
    return join(r, NODE_LOCAL, function, entity);
}

static struct node *read_name(struct reader *r)
{
    if (!enter(r))
        return leave(r, NULL);
    struct node *n;
    bool known = false;
    if (take(r, "N"))
        return leave(r, read_nested(r));
    if (take(r, "Z"))
        return leave(r, read_local(r));
    if (take(r, "St")) {
        n = join(r, NODE_NESTED, text_node(r, NODE_TEXT, "std"), read_unqualified(r, NULL));
    } else if (*r->at == 'S') {
        n = read_substitution(r);
        known = true;
    } else {
        n = read_unqualified(r, NULL);
    }
    if (*r->at == 'I') {
        if (!known && !remember(r, n))
            n = NULL;
        n = read_template_args(r, n);
    }
    return leave(r, n);
}

/* ---- types -------------------------------------------------------------------------------- */

static struct node *read_builtin(struct reader *r)
{
    const struct cxx_code *type = cxx_builtin(r->at);
    return type && take(r, type->code) ? text_node(r, NODE_TEXT, type->text) : NULL;
}

static struct node *read_pointer(struct reader *r, const char *sign)
{
    r->at++;
    return remember(r, with_text(wrap(r, NODE_POINTER, read_type(r)), sign, strlen(sign)));
}

static bool at_function_end(struct reader *r)
{
    return next_is(r, "E") || next_is(r, "RE") || next_is(r, "OE");
}

/* F [Y] <return> <parameters> [R|O] E */
static struct node *read_function(struct reader *r, unsigned flags)
{
    if (!take(r, "F"))
        return NULL;
    take(r, "Y");
    struct node *result = read_type(r);
    struct node *params = result ? read_until(r, at_function_end, read_type) : NULL;
    if (!params)
        return NULL;
    flags |= read_ref(r);
    struct node *n = take(r, "E") ? new_node(r, NODE_FUNCTION, result, params) : NULL;
    if (n)
        n->flags = flags;
    return n;
}

/* A function type may say that it throws nothing (Do), or computed so (DO ... E): not shown. */
static struct node *read_function_type(struct reader *r, unsigned flags)
{
    take(r, "Do");
    return remember(r, read_function(r, flags));
}

/* A <number> _ <type>, A <expression> _ <type>, A _ <type> */
static struct node *read_array(struct reader *r)
{
    r->at++;
    struct node *size = NULL;
    const char *digits = r->at;
    if (is_digit(*r->at)) {
        while (is_digit(*r->at))
            r->at++;
        size = with_text(new_node(r, NODE_TEXT, NULL, NULL), digits, (size_t)(r->at - digits));
    } else if (*r->at != '_') {
        size = read_expression(r);
        if (!size)
            return NULL;
    }
    struct node *element = take(r, "_") ? read_type(r) : NULL;
    return element ? remember(r, new_node(r, NODE_ARRAY, element, size)) : NULL;
}

static struct node *read_vector(struct reader *r)
{
    r->at += 2; /* Dv */
    const char *digits = r->at;
    while (is_digit(*r->at))
        r->at++;
    struct node *size =
        with_text(new_node(r, NODE_TEXT, NULL, NULL), digits, (size_t)(r->at - digits));
    if (!size || size->length == 0 || !take(r, "_"))
        return NULL;
    struct node *call =
        join(r, NODE_CALL, text_node(r, NODE_TEXT, "__vector"), wrap(r, NODE_LIST, size));
    return remember(r, join(r, NODE_SUFFIX, read_type(r), call));
}

static struct node *read_cv_type(struct reader *r)
{
    unsigned flags = read_cv(r);
    /* const on a function type is its object's, and the pair counts as one. */
    if (*r->at == 'F' || next_is(r, "DoF"))
        return read_function_type(r, flags);
    struct node *n = wrap(r, NODE_CV, read_type(r));
    if (n)
        n->flags = flags;
    return remember(r, n);
}

/* U <name> [arguments] <type>: address spaces and the like */
static struct node *read_vendor_qualified(struct reader *r)
{
    r->at++;
    struct node *name = read_source_name(r);
    if (*r->at == 'I')
        name = read_template_args(r, name);
    struct node *type = name ? read_type(r) : NULL;
    return remember(r, join(r, NODE_SUFFIX, type, name));
}

static struct node *read_vendor_type(struct reader *r)
{
    r->at++; /* u */
    struct node *name = read_source_name(r);
    if (*r->at == 'I')
        name = read_template_args(r, name);
    return remember(r, name);
}

static struct node *read_member_pointer(struct reader *r)
{
    r->at++;
    struct node *class = read_type(r);
    return remember(r, class ? join(r, NODE_MEMBER, class, read_type(r)) : NULL);
}

/* A parameter of the template, which may be a template itself: T_, T_IiE. */
static struct node *read_param_type(struct reader *r)
{
    if (strchr("sue", r->at[1]) && r->at[1]) { /* struct, union, enum said explicitly */
        r->at += 2;
        return remember(r, read_name(r));
    }
    struct node *n = remember(r, read_template_param(r));
    return *r->at == 'I' && !r->conversion ? remember(r, read_template_args(r, n)) : n;
}

static struct node *read_substituted_type(struct reader *r)
{
    if (next_is(r, "St"))
        return remember(r, read_name(r));
    struct node *n = read_substitution(r);
    return *r->at == 'I' ? remember(r, read_template_args(r, n)) : n;
}

static struct node *read_suffixed(struct reader *r, const char *suffix)
{
    r->at++;
    struct node *type = read_type(r);
    return remember(r, join(r, NODE_SUFFIX, type, text_node(r, NODE_TEXT, suffix)));
}

/* Types that begin with D and are no builtin. */
static struct node *read_d_type(struct reader *r)
{
    if (take(r, "Dp"))
        return remember(r, wrap(r, NODE_EXPAND, read_type(r)));
    if (next_is(r, "Dt") || next_is(r, "DT"))
        return remember(r, read_decltype(r));
    if (next_is(r, "Dv"))
        return read_vector(r);
    if (next_is(r, "DoF"))
        return read_function_type(r, 0);
    return NULL;
}

static struct node *read_class_type(struct reader *r)
{
    struct node *n = remember(r, read_name(r));
    r->this_flags = 0; /* they belong to functions */
    return n;
}

static struct node *read_type_inside(struct reader *r)
{
    struct node *builtin = read_builtin(r);
    if (builtin)
        return builtin;
    switch (*r->at) {
    case 'P': return read_pointer(r, "*");
    case 'R': return read_pointer(r, "&");
    case 'O': return read_pointer(r, "&&");
    case 'r':
    case 'V':
    case 'K': return read_cv_type(r);
    case 'F': return read_function_type(r, 0);
    case 'A': return read_array(r);
    case 'M': return read_member_pointer(r);
    case 'T': return read_param_type(r);
    case 'S': return read_substituted_type(r);
    case 'D': return read_d_type(r);
    case 'U':
        return next_is(r, "Ul") || next_is(r, "Ut") ? read_unnamed(r) : read_vendor_qualified(r);
    case 'u': return read_vendor_type(r);
    case 'C': return read_suffixed(r, "_Complex");
    case 'G': return read_suffixed(r, "_Imaginary");
    default: return *r->at == 'N' || *r->at == 'Z' || is_digit(*r->at) ? read_class_type(r) : NULL;
    }
}

static struct node *read_type(struct reader *r)
{
    return leave(r, enter(r) ? read_type_inside(r) : NULL);
}

/* ---- expressions: in template arguments, array sizes, decltype ---------------------------- */

/* L <type> <digits> E, or L _Z <function> E */
static struct node *read_literal(struct reader *r)
{
    r->at++;
    if (take(r, "_Z")) {
        struct node *entity = read_encoding(r);
        return take(r, "E") ? entity : NULL;
    }
    struct node *n = wrap(r, NODE_LITERAL, read_type(r));
    const char *digits = r->at;
    while (*r->at && *r->at != 'E')
        r->at++;
    with_text(n, digits, (size_t)(r->at - digits));
    return take(r, "E") ? n : NULL;
}

/* fp [cv] [number] _, or with a level: fL <number> p [cv] [number] _ */
static struct node *read_function_param(struct reader *r)
{
    unsigned number;
    if (take(r, "fpT"))
        return text_node(r, NODE_TEXT, "this");
    if (take(r, "fL")) {
        if (!read_number(r, &number) || !take(r, "p"))
            return NULL;
    } else if (!take(r, "fp")) {
        return NULL;
    }
    read_cv(r);
    if (!read_sequence(r, 10, &number))
        return NULL;
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "{parm#%u}", number + 1);
    const char *kept = text.failed ? NULL : arena_text(r->arena, text.data, text.len);
    buf_free(&text);
    return kept ? text_node(r, NODE_TEXT, kept) : NULL;
}

static struct node *read_simple_id(struct reader *r)
{
    struct node *name = read_unqualified(r, NULL);
    return *r->at == 'I' ? read_template_args(r, name) : name;
}

/* sr <type> <name>, srN <type> <levels> E <name> */
static struct node *read_scoped(struct reader *r)
{
    r->at += 2;
    bool levels = take(r, "N");
    struct node *n = read_type(r);
    while (n && levels && !take(r, "E"))
        n = join(r, NODE_NESTED, n, read_simple_id(r));
    take(r, "on");
    return n ? join(r, NODE_NESTED, n, read_simple_id(r)) : NULL;
}

static struct node *read_operation(struct reader *r)
{
    const struct cxx_code *row = cxx_operator(r->at);
    if (!row || row->operands == 0)
        return NULL;
    r->at += 2;
    if (row->operands == 1) {
        take(r, "_"); /* pp_ is the prefix form */
        return with_text(wrap(r, NODE_UNARY, read_expression(r)), row->text, strlen(row->text));
    }
    struct node *a = read_expression(r), *b = a ? read_expression(r) : NULL;
    if (row->operands == 2)
        return with_text(join(r, NODE_BINARY, a, b), row->text, strlen(row->text));
    struct node *n = join(r, NODE_CHOICE, a, b);
    return n && (n->c = read_expression(r)) ? n : NULL;
}

/* Casts and what is written like a call; NULL without moving where it is none of these. */
static struct node *read_call_like(struct reader *r)
{
    if (take(r, "cl")) {
        struct node *callee = read_expression(r);
        return callee ? join(r, NODE_CALL, callee, read_list(r, read_expression)) : NULL;
    }
    if (take(r, "cv")) {
        struct node *type = read_type(r);
        if (!type)
            return NULL;
        if (take(r, "_"))
            return join(r, NODE_CAST, type, read_list(r, read_expression));
        return join(r, NODE_CAST, type, wrap(r, NODE_LIST, read_expression(r)));
    }
    if (take(r, "tl")) {
        struct node *type = read_type(r);
        return type ? join(r, NODE_BRACES, type, read_list(r, read_expression)) : NULL;
    }
    if (take(r, "il")) {
        struct node *items = read_list(r, read_expression);
        return items ? new_node(r, NODE_BRACES, NULL, items) : NULL;
    }
    return NULL;
}

static const struct {
    const char *code, *word;
    bool of_type;
} words[] = {
    {"st", "sizeof ", true},   {"sz", "sizeof ", false},   {"at", "alignof ", true},
    {"az", "alignof ", false}, {"nx", "noexcept", false},  {"ti", "typeid ", true},
    {"te", "typeid ", false},  {"sZ", "sizeof...", false}, {"tw", "throw ", false},
};

static struct node *read_word(struct reader *r)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (take(r, words[i].code)) {
            struct node *of = words[i].of_type ? read_type(r) : read_expression(r);
            return with_text(wrap(r, NODE_WORD, of), words[i].word, strlen(words[i].word));
        }
    return NULL;
}

static struct node *read_member_access(struct reader *r)
{
    const char *sign = *r->at == 'd' ? "." : "->";
    r->at += 2;
    struct node *object = read_expression(r);
    struct node *member = object ? read_simple_id(r) : NULL;
    return with_text(join(r, NODE_BINARY, object, member), sign, strlen(sign));
}

static struct node *read_expression_inside(struct reader *r)
{
    if (*r->at == 'L')
        return read_literal(r);
    if (*r->at == 'T')
        return remember(r, read_template_param(r));
    if (next_is(r, "fp") || (next_is(r, "fL") && is_digit(r->at[2])))
        return read_function_param(r);
    if (next_is(r, "sr"))
        return read_scoped(r);
    if (take(r, "sp"))
        return wrap(r, NODE_EXPAND, read_expression(r));
    if (next_is(r, "dt") || next_is(r, "pt"))
        return read_member_access(r);
    if (take(r, "on") || is_digit(*r->at))
        return read_simple_id(r);
    const char *start = r->at;
    struct node *n = read_call_like(r);
    if (!n && r->at == start)
        n = read_word(r);
    if (!n && r->at == start)
        n = read_operation(r);
    return n;
}

static struct node *read_expression(struct reader *r)
{
    return leave(r, enter(r) ? read_expression_inside(r) : NULL);
}

/* ---- functions ---------------------------------------------------------------------------- */

/* Only a template's name is followed by its return type; constructors and conversions have none. */
static bool says_return_type(const struct node *name)
{
    if (!node_arguments(name))
        return false;
    const struct node *last = node_last(name);
    return last->kind != NODE_CONVERSION && last->kind != NODE_CONSTRUCTOR;
}

static bool at_end_of_encoding(const struct reader *r)
{
    return *r->at == '\0' || *r->at == 'E' || *r->at == '.';
}

static struct node *read_encoding_inside(struct reader *r)
{
    r->this_flags = 0;
    struct node *name = read_name(r);
    if (!name || at_end_of_encoding(r))
        return name;
    unsigned flags = r->this_flags;
    struct node *result = NULL;
    if (says_return_type(name) && !(result = read_type(r)))
        return NULL;
    struct node *params = new_node(r, NODE_LIST, NULL, NULL), *last = NULL;
    while (params && !at_end_of_encoding(r)) {
        struct node *cell = last ? new_node(r, NODE_LIST, NULL, NULL) : params;
        if (!cell || !(cell->a = read_type(r)))
            return NULL;
        if (last)
            last->b = cell;
        last = cell;
    }
    struct node *n = last ? join(r, NODE_ENCODING, name, params) : NULL;
    if (n) {
        n->c = result;
        n->flags = flags;
    }
    return n;
}

static struct node *read_encoding(struct reader *r)
{
    return leave(r, enter(r) ? read_encoding_inside(r) : NULL);
}

/* nvcc puts __nv_static_25__<25 letters> before the name of a static kernel in -rdc code. */
static const char *skip_static_prefix(const char *mangled)
{
    static const char prefix[] = "__nv_static_";
    if (strncmp(mangled, prefix, sizeof prefix - 1) != 0)
        return mangled;
    const char *at = mangled + sizeof prefix - 1;
    size_t length = 0;
    for (; is_digit(*at) && length < LONGEST_NAME; at++)
        length = length * 10 + (size_t)(*at - '0');
    if (strncmp(at, "__", 2) != 0 || strlen(at + 2) < length)
        return mangled;
    return at + 2 + length;
}

const struct node *node_read(const char *mangled, struct arena *arena, bool *variable)
{
    mangled = skip_static_prefix(mangled);
    if (strncmp(mangled, "_Z", 2) != 0 || strlen(mangled) > LONGEST_NAME)
        return NULL;
    struct reader r = {.at = mangled + 2, .arena = arena};
    struct node *n = read_encoding(&r);
    bool whole = *r.at == '\0' || *r.at == '.';
    *variable = n && n->kind != NODE_ENCODING;
    return n && whole ? *variable ? wrap(&r, NODE_ENCODING, n) : n : NULL;
}
