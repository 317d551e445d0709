/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading names of the Itanium C++ ABI: recursive descent over the mangled text, one function for
 * each rule of the ABI's grammar, giving a tree of nodes. Compilers abbreviate what they already
 * wrote: S_, S0_, ... point to earlier nodes, so branches of the tree may be shared.
 *
 * Names of kernels and device functions are read, and what stands in them as an argument: types,
 * numbers, functions. Expressions such as sizeof(T) + 1 are not: a name with one stays mangled.
 *
 * A failure ends the text, so that every rule ends at once; only node_read() looks whether there
 * was one.
 */
#include "cxx/tree.h"

#include "base/lines.h"

#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 200, LONGEST_NAME = 32768 };

struct cxx_reader {
    const char *at; /* the text ends with a NUL, which no rule passes */
    struct arena *arena;
    struct node **seen; /* what S_, S0_, ... stand for */
    size_t seen_count, seen_room;
    int depth;
    bool failed;
    bool conversion;     /* in operator T_, arguments that follow are the operator's */
    unsigned this_flags; /* const, volatile, & of a member function, from its nested name */
};

static struct node *read_type(struct cxx_reader *);
static struct node *read_encoding(struct cxx_reader *);
static struct node *read_name(struct cxx_reader *);

/* ---- the ABI's codes ---------------------------------------------------------------------- */

struct code {
    const char *code, *text;
};

static const struct code operators[] = {
    {"aN", "&="}, {"aS", "="},      {"aa", "&&"},  {"ad", "&"},     {"an", "&"},
    {"cl", "()"}, {"cm", ","},      {"co", "~"},   {"dV", "/="},    {"da", "delete[]"},
    {"de", "*"},  {"dl", "delete"}, {"dv", "/"},   {"eO", "^="},    {"eo", "^"},
    {"eq", "=="}, {"ge", ">="},     {"gt", ">"},   {"ix", "[]"},    {"lS", "<<="},
    {"le", "<="}, {"ls", "<<"},     {"lt", "<"},   {"mI", "-="},    {"mL", "*="},
    {"mi", "-"},  {"ml", "*"},      {"mm", "--"},  {"na", "new[]"}, {"ne", "!="},
    {"ng", "-"},  {"nt", "!"},      {"nw", "new"}, {"oR", "|="},    {"oo", "||"},
    {"or", "|"},  {"pL", "+="},     {"pl", "+"},   {"pm", "->*"},   {"pp", "++"},
    {"ps", "+"},  {"pt", "->"},     {"rM", "%="},  {"rS", ">>="},   {"rm", "%"},
    {"rs", ">>"}, {"ss", "<=>"},    {NULL, NULL},
};

static const struct code builtin_types[] = {
    {"v", "void"},        {"w", "wchar_t"},
    {"b", "bool"},        {"c", "char"},
    {"a", "signed char"}, {"h", "unsigned char"},
    {"s", "short"},       {"t", "unsigned short"},
    {"i", "int"},         {"j", "unsigned int"},
    {"l", "long"},        {"m", "unsigned long"},
    {"x", "long long"},   {"y", "unsigned long long"},
    {"n", "__int128"},    {"o", "unsigned __int128"},
    {"f", "float"},       {"d", "double"},
    {"e", "long double"}, {"g", "__float128"},
    {"z", "..."},         {"DF16_", "_Float16"},
    {"Dh", "half"},       {"DF16b", "std::bfloat16_t"},
    {"Di", "char32_t"},   {"Ds", "char16_t"},
    {"Du", "char8_t"},    {"Dn", "decltype(nullptr)"},
    {"Da", "auto"},       {"Dc", "decltype(auto)"},
    {NULL, NULL},
};

/* These letters follow an S. */
static const struct code standard_names[] = {
    {"t", "std"},
    {"a", "std::allocator"},
    {"b", "std::basic_string"},
    {"s", "std::string"},
    {"i", "std::istream"},
    {"o", "std::ostream"},
    {"d", "std::iostream"},
    {NULL, NULL},
};

/* These letters follow an L: integer types, and the endings of their literals. */
static const struct code literal_suffixes[] = {
    {"i", ""}, {"j", "u"}, {"l", "l"}, {"m", "ul"}, {"x", "ll"}, {"y", "ull"}, {NULL, NULL},
};

/* ---- small steps -------------------------------------------------------------------------- */

static void *fail_reading(struct cxx_reader *r)
{
    r->failed = true;
    r->at = "";
    return NULL;
}

static bool next_is(const struct cxx_reader *r, const char *text)
{
    return strncmp(r->at, text, strlen(text)) == 0;
}

static bool accept(struct cxx_reader *r, const char *text)
{
    bool found = next_is(r, text);
    r->at += found ? strlen(text) : 0;
    return found;
}

static void expect(struct cxx_reader *r, const char *text)
{
    if (!accept(r, text))
        fail_reading(r);
}

/* Passes the code that comes next and gives its text. NULL: the table has no such code. */
static const char *accept_code(struct cxx_reader *r, const struct code *table)
{
    for (; table->code; table++)
        if (accept(r, table->code))
            return table->text;
    return NULL;
}

static struct node *new_node(struct cxx_reader *r, enum node_kind kind, struct node *a,
                             struct node *b)
{
    struct node *n = r->failed ? NULL : arena_alloc(r->arena, sizeof *n);
    if (!n)
        return fail_reading(r);
    *n = (struct node){.kind = kind, .a = a, .b = b, .text = ""};
    return n;
}

static struct node *with_text(struct node *n, const char *text, size_t length)
{
    if (n) {
        n->text = text;
        n->length = length;
    }
    return n;
}

static struct node *text_node(struct cxx_reader *r, const char *text)
{
    return with_text(new_node(r, NODE_TEXT, NULL, NULL), text, strlen(text));
}

static struct node *with_flags(struct node *n, unsigned flags)
{
    if (n)
        n->flags = flags;
    return n;
}

/* Remembers a node for a later S_, and gives it back. */
static struct node *remember(struct cxx_reader *r, struct node *n)
{
    if (r->seen_count == r->seen_room) {
        size_t room = r->seen_room ? 2 * r->seen_room : 32;
        struct node **more = arena_alloc(r->arena, room * sizeof *more);
        if (!more)
            return fail_reading(r);
        if (r->seen_count)
            memcpy(more, r->seen, r->seen_count * sizeof *more);
        r->seen = more;
        r->seen_room = room;
    }
    r->seen[r->seen_count++] = n;
    return n;
}

static unsigned read_number(struct cxx_reader *r)
{
    unsigned value = 0;
    if (!is_digit(*r->at))
        fail_reading(r);
    for (; is_digit(*r->at) && value <= LONGEST_NAME; r->at++)
        value = value * 10 + (unsigned)(*r->at - '0');
    return value;
}

/* The ABI counts so: "_" is 0, "0_" is 1, "Z_" is 36. The base is 36 after S, and 10 elsewhere. */
static unsigned read_sequence(struct cxx_reader *r, unsigned base)
{
    unsigned value = 0, next = 0;
    for (; *r->at && *r->at != '_'; r->at++, next = value + 1) {
        unsigned digit = is_digit(*r->at)                 ? (unsigned)(*r->at - '0')
                         : *r->at >= 'A' && *r->at <= 'Z' ? (unsigned)(*r->at - 'A' + 10)
                                                          : base;
        if (digit >= base || value > LONGEST_NAME)
            break;
        value = value * base + digit;
    }
    expect(r, "_");
    return next;
}

/* A list ends with E, perhaps behind the R or O of a function type, or where the name ends. */
static bool at_list_end(const struct cxx_reader *r)
{
    return strchr("E.$", *r->at) || next_is(r, "RE") || next_is(r, "OE");
}

static struct node *read_list(struct cxx_reader *r, struct node *(*item)(struct cxx_reader *))
{
    struct node *first = new_node(r, NODE_LIST, NULL, NULL), *last = NULL;
    while (!at_list_end(r)) {
        struct node *cell = last ? new_node(r, NODE_LIST, NULL, NULL) : first;
        struct node *read = item(r);
        if (r->failed)
            return NULL;
        cell->a = read;
        if (last)
            last->b = cell;
        last = cell;
    }
    return first;
}

/* ---- template parameters, arguments and substitutions ------------------------------------- */

static struct node *read_template_param(struct cxx_reader *r)
{
    expect(r, "T");
    unsigned number = read_sequence(r, 10);
    struct node *n = new_node(r, NODE_PARAM, NULL, NULL);
    if (n)
        n->number = number;
    return n;
}

/* Reads what follows an L: <type> <digits> E, or _Z <function> E. */
static struct node *read_literal(struct cxx_reader *r)
{
    struct node *n;
    if (accept(r, "_Z")) {
        n = read_encoding(r);
    } else if (accept(r, "Dn")) {
        accept(r, "0");
        n = text_node(r, "nullptr");
    } else if (next_is(r, "b0E") || next_is(r, "b1E")) {
        n = text_node(r, r->at[1] == '1' ? "true" : "false");
        r->at += 2;
    } else {
        const char *suffix = accept_code(r, literal_suffixes);
        struct node *type = suffix ? NULL : read_type(r);
        const char *digits = r->at;
        accept(r, "n");
        while (is_digit(*r->at))
            r->at++;
        n = with_text(new_node(r, NODE_LITERAL, type, NULL), digits, (size_t)(r->at - digits));
        if (n)
            n->suffix = suffix ? suffix : "";
    }
    expect(r, "E");
    return n;
}

/* An argument or an array's size may be a number. It may also be a parameter, a pack, or the
 * address of a function or variable, which are read here. */
static struct node *read_value(struct cxx_reader *r)
{
    if (accept(r, "sp"))
        return new_node(r, NODE_EXPAND, read_template_param(r), NULL);
    if (accept(r, "L"))
        return read_literal(r);
    if (!accept(r, "adL_Z"))
        return remember(r, read_template_param(r));
    struct node *of = read_encoding(r);
    expect(r, "E");
    return new_node(r, NODE_ADDRESS, of && of->kind == NODE_ENCODING ? of->a : of, NULL);
}

static struct node *read_template_arg(struct cxx_reader *r)
{
    struct node *n;
    if (++r->depth > DEEPEST)
        fail_reading(r);
    if (accept(r, "X")) {
        n = read_value(r);
        expect(r, "E");
    } else if (accept(r, "J")) {
        n = new_node(r, NODE_PACK, read_list(r, read_template_arg), NULL);
        expect(r, "E");
    } else {
        n = accept(r, "L") ? read_literal(r) : read_type(r);
    }
    r->depth--;
    return n;
}

/* Reads I <arguments> E behind a name. */
static struct node *read_template_args(struct cxx_reader *r, struct node *name)
{
    expect(r, "I");
    struct node *n = new_node(r, NODE_TEMPLATE, name, read_list(r, read_template_arg));
    expect(r, "E");
    return name ? n : fail_reading(r);
}

static struct node *read_substitution(struct cxx_reader *r)
{
    expect(r, "S");
    const char *standard = accept_code(r, standard_names);
    if (standard)
        return text_node(r, standard);
    unsigned index = read_sequence(r, 36);
    return index < r->seen_count ? r->seen[index] : fail_reading(r);
}

/* ---- names -------------------------------------------------------------------------------- */

/* Compilers call an anonymous namespace _GLOBAL__N_..., with '.', '_' or '$' in the middle. nvcc
 * calls what belongs to one file alone _INTERNAL_... */
static bool is_anonymous(const char *text, size_t length)
{
    return length >= 10 &&
           (memcmp(text, "_INTERNAL_", 10) == 0 ||
            (memcmp(text, "_GLOBAL_", 8) == 0 && strchr("._$", text[8]) && text[9] == 'N'));
}

static struct node *read_source_name(struct cxx_reader *r)
{
    unsigned length = read_number(r);
    const char *text = r->at;
    if (length == 0 || memchr(text, '\0', length))
        return fail_reading(r);
    r->at += length;
    return with_text(
        new_node(r, is_anonymous(text, length) ? NODE_ANONYMOUS : NODE_TEXT, NULL, NULL), text,
        length);
}

static struct node *read_conversion(struct cxx_reader *r)
{
    bool outside = r->conversion;
    r->conversion = true;
    struct node *n = new_node(r, NODE_CONVERSION, read_type(r), NULL);
    r->conversion = outside;
    return n;
}

static struct node *read_operator_name(struct cxx_reader *r)
{
    if (accept(r, "cv"))
        return read_conversion(r);
    if (accept(r, "li"))
        return with_text(new_node(r, NODE_OPERATOR, read_source_name(r), NULL), "\"\" ", 3);
    const char *sign = accept_code(r, operators);
    return sign ? with_text(new_node(r, NODE_OPERATOR, NULL, NULL), sign, strlen(sign))
                : fail_reading(r);
}

/* A constructor or destructor is called after its class: the last name of the scope. */
static struct node *read_structor(struct cxx_reader *r, struct node *scope)
{
    bool destroys = *r->at++ == 'D';
    if (!destroys)
        accept(r, "I"); /* an inherited one */
    if (!is_digit(*r->at) || !scope)
        return fail_reading(r);
    r->at++;
    return with_text(new_node(r, NODE_STRUCTOR, scope, NULL), "~", destroys);
}

/* Reads Ul <parameters> E [number] _, or Ut [number] _ */
static struct node *read_unnamed(struct cxx_reader *r)
{
    struct node *n;
    if (accept(r, "Ul")) {
        n = new_node(r, NODE_LAMBDA, read_list(r, read_type), NULL);
        expect(r, "E");
    } else {
        expect(r, "Ut");
        n = new_node(r, NODE_UNNAMED, NULL, NULL);
    }
    unsigned number = read_sequence(r, 10);
    if (n)
        n->number = number + 1;
    return n;
}

/* _2 or __12_ after a name tells namesakes apart, and isn't shown. */
static void skip_discriminator(struct cxx_reader *r)
{
    if (next_is(r, "__") && is_digit(r->at[2])) {
        r->at += 2;
        while (is_digit(*r->at))
            r->at++;
        accept(r, "_");
    } else if (*r->at == '_' && is_digit(r->at[1])) {
        r->at += 2;
    }
}

static struct node *read_unqualified(struct cxx_reader *r, struct node *scope)
{
    if (accept(r, "L")) { /* internal linkage: a static function */
        struct node *n = read_source_name(r);
        skip_discriminator(r);
        return n;
    }
    if (is_digit(*r->at))
        return read_source_name(r);
    if (*r->at == 'U')
        return read_unnamed(r);
    return *r->at == 'C' || *r->at == 'D' ? read_structor(r, scope) : read_operator_name(r);
}

static unsigned read_cv(struct cxx_reader *r)
{
    unsigned flags = accept(r, "r") ? CV_RESTRICT : 0;
    flags |= accept(r, "V") ? CV_VOLATILE : 0;
    return flags | (accept(r, "K") ? CV_CONST : 0);
}

static unsigned read_ref(struct cxx_reader *r)
{
    return accept(r, "R") ? REF_LVALUE : accept(r, "O") ? REF_RVALUE : 0;
}

/* Reads one more piece of N ... E. `before` is what came before it, NULL at the first piece. */
static struct node *read_prefix_piece(struct cxx_reader *r, struct node *before)
{
    if (*r->at == 'I')
        return read_template_args(r, before);
    if (!before && *r->at == 'S')
        return read_substitution(r);
    if (!before && *r->at == 'T')
        return read_template_param(r);
    struct node *name = read_unqualified(r, before);
    return before ? new_node(r, NODE_NESTED, before, name) : name;
}

/* Reads what follows an N. */
static struct node *read_nested(struct cxx_reader *r)
{
    unsigned flags = read_cv(r);
    flags |= read_ref(r);
    struct node *name = NULL;
    while (!r->failed && (!name || *r->at != 'E')) {
        bool substituted = *r->at == 'S';
        name = read_prefix_piece(r, name);
        accept(r, "M");                    /* a lambda in a member's initialiser */
        if (!substituted && *r->at != 'E') /* read_type() remembers the whole, if it is a type */
            remember(r, name);
    }
    expect(r, "E");
    r->this_flags = flags;
    return name;
}

/* Reads what follows a Z: <function> E <entity> [discriminator] */
static struct node *read_local(struct cxx_reader *r)
{
    struct node *function = read_encoding(r);
    expect(r, "E");
    r->this_flags = 0;
    struct node *entity = read_name(r);
    skip_discriminator(r);
    return new_node(r, NODE_LOCAL, function, entity);
}

static struct node *read_name(struct cxx_reader *r)
{
    struct node *n;
    if (accept(r, "N"))
        return read_nested(r);
    if (accept(r, "Z"))
        return read_local(r);
    bool known = *r->at == 'S' && r->at[1] != 't';
    if (known)
        n = read_substitution(r);
    else if (accept(r, "St"))
        n = new_node(r, NODE_NESTED, text_node(r, "std"), read_unqualified(r, NULL));
    else
        n = read_unqualified(r, NULL);
    return *r->at == 'I' ? read_template_args(r, known ? n : remember(r, n)) : n;
}

/* ---- types -------------------------------------------------------------------------------- */

static struct node *read_pointer(struct cxx_reader *r, const char *sign)
{
    r->at++;
    return remember(r,
                    with_text(new_node(r, NODE_POINTER, read_type(r), NULL), sign, strlen(sign)));
}

/* Reads [Do] F <return> <parameters> [R|O] E. Do means that it throws nothing; that isn't shown. */
static struct node *read_function(struct cxx_reader *r, unsigned flags)
{
    accept(r, "Do");
    expect(r, "F");
    struct node *result = read_type(r), *params = read_list(r, read_type);
    flags |= read_ref(r);
    expect(r, "E");
    return remember(r, with_flags(new_node(r, NODE_FUNCTION, result, params), flags));
}

/* Reads A <number> _ <type>, A <parameter> _ <type>, A _ <type> */
static struct node *read_array(struct cxx_reader *r)
{
    struct node *size = NULL;
    const char *digits = ++r->at;
    if (is_digit(*r->at)) {
        read_number(r);
        size = with_text(text_node(r, ""), digits, (size_t)(r->at - digits));
    } else if (*r->at != '_') {
        size = read_value(r);
    }
    expect(r, "_");
    return remember(r, new_node(r, NODE_ARRAY, read_type(r), size));
}

static struct node *read_cv_type(struct cxx_reader *r)
{
    unsigned flags = read_cv(r);
    /* const on a function type belongs to its object, and both count as one node. */
    if (*r->at == 'F' || next_is(r, "DoF"))
        return read_function(r, flags);
    return remember(r, with_flags(new_node(r, NODE_CV, read_type(r), NULL), flags));
}

static struct node *read_member_pointer(struct cxx_reader *r)
{
    r->at++;
    struct node *class = read_type(r);
    return remember(r, new_node(r, NODE_MEMBER, class, read_type(r)));
}

/* Reads a parameter of the template, which may be a template itself: T_, T_IiE. */
static struct node *read_param_type(struct cxx_reader *r)
{
    struct node *n = remember(r, read_template_param(r));
    return *r->at == 'I' && !r->conversion ? remember(r, read_template_args(r, n)) : n;
}

static struct node *read_substituted_type(struct cxx_reader *r)
{
    if (next_is(r, "St"))
        return remember(r, read_name(r));
    struct node *n = read_substitution(r);
    return *r->at == 'I' ? remember(r, read_template_args(r, n)) : n;
}

static struct node *read_class_type(struct cxx_reader *r)
{
    struct node *n = remember(r, read_name(r));
    r->this_flags = 0; /* they belong to functions */
    return n;
}

static struct node *read_type_inside(struct cxx_reader *r)
{
    const char *builtin = accept_code(r, builtin_types);
    if (builtin)
        return text_node(r, builtin);
    switch (*r->at) {
    case 'P': return read_pointer(r, "*");
    case 'R': return read_pointer(r, "&");
    case 'O': return read_pointer(r, "&&");
    case 'r':
    case 'V':
    case 'K': return read_cv_type(r);
    case 'A': return read_array(r);
    case 'M': return read_member_pointer(r);
    case 'T': return read_param_type(r);
    case 'S': return read_substituted_type(r);
    case 'F': return read_function(r, 0);
    case 'D':
        return accept(r, "Dp") ? remember(r, new_node(r, NODE_EXPAND, read_type(r), NULL))
                               : read_function(r, 0);
    default: return *r->at && strchr("NZU123456789", *r->at) ? read_class_type(r) : fail_reading(r);
    }
}

static struct node *read_type(struct cxx_reader *r)
{
    if (++r->depth > DEEPEST)
        fail_reading(r);
    struct node *n = read_type_inside(r);
    r->depth--;
    return n;
}

/* ---- functions ---------------------------------------------------------------------------- */

/* Only a template's name is followed by its return type; constructors and conversions have none. */
static bool says_return_type(const struct node *name)
{
    enum node_kind last = node_last(name)->kind;
    return node_arguments(name) && last != NODE_CONVERSION && last != NODE_STRUCTOR;
}

/* Reads a name, and the parameters if it is a function's. */
static struct node *read_encoding(struct cxx_reader *r)
{
    if (++r->depth > DEEPEST)
        fail_reading(r);
    r->this_flags = 0;
    struct node *n = read_name(r);
    unsigned flags = r->this_flags;
    if (!r->failed && !at_list_end(r)) {
        if (says_return_type(n))
            read_type(r);
        struct node *params = read_list(r, read_type);
        if (params && !params->a)
            fail_reading(r);
        n = with_flags(new_node(r, NODE_ENCODING, n, params), flags);
    }
    r->depth--;
    return n;
}

/* nvcc puts __nv_static_25__<25 letters> before the names of static kernels and variables in -rdc
 * code. */
const char *skip_static_prefix(const char *mangled)
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

const struct node *node_read(const char *mangled, struct arena *arena)
{
    mangled = skip_static_prefix(mangled);
    if (strncmp(mangled, "_Z", 2) != 0 || strlen(mangled) > LONGEST_NAME)
        return NULL;
    struct cxx_reader r = {.at = mangled + 2, .arena = arena};
    struct node *n = read_encoding(&r);
    bool whole = !r.failed && strchr(".$", *r.at); /* a compiler's suffix, or the end */
    return whole ? n : NULL;
}
