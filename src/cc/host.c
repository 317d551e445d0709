/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Host code is found by outline: the file is cut into declarations at namespace scope, and each
 * is judged by the words in its head. A function without __global__ or __device__ goes, so does
 * a variable without a memory space that is no constant, and a class that speaks of std:: or of
 * the runtime API. Directives always stay, but for #include lines of host-only headers.
 *
 * What goes isn't checked by any compiler. Macros are not expanded; those defined in this file
 * with __global__ or __device__ in them count as these words, and a lone MACRO(...) stays.
 */
#include "cc/host.h"

#include "cc/token.h"

#include <stdlib.h>
#include <string.h>

enum { MARKERS_MOST = 64, BRANCHES_MOST = 100 };

struct outline {
    const char *text;
    struct token *tokens;
    size_t count;
    struct token markers[MARKERS_MOST]; /* macros that say __global__ or __device__ */
    unsigned marker_count;
    char *copy; /* of the text, where blanks are written */
    struct host_report *report;
};

/* A declaration is tokens [first, end), and what its head says. */
struct declaration {
    size_t first, end, body; /* body: the token of its {, or end */
    bool is_device, is_constant, is_constexpr, is_type, is_alias, has_parens, has_value, is_macro;
    bool speaks_std, speaks_runtime, points, is_operator, is_extern_c, is_namespace;
};

/* ---- tokens ---------------------------------------------------------------------------- */

static bool is_mark(const struct outline *o, size_t i, char mark)
{
    return i < o->count && o->tokens[i].kind == TOKEN_MARK && o->tokens[i].length == 1 &&
           *o->tokens[i].at == mark;
}

static bool is_word(const struct outline *o, size_t i, const char *word)
{
    return i < o->count && o->tokens[i].kind == TOKEN_WORD && token_is(&o->tokens[i], word);
}

static int read_tokens(struct outline *o, const char *text, size_t n)
{
    struct token_reader from = tokens_of(text, n);
    struct token t;
    size_t room = 0;
    while (token_next(&from, &t)) {
        if (o->count == room) {
            room = room ? room * 2 : 1024;
            struct token *more = realloc(o->tokens, room * sizeof *more);
            if (!more)
                return -1;
            o->tokens = more;
        }
        o->tokens[o->count++] = t;
    }
    return 0;
}

/* Gives the token behind the bracket that closes the one at i. */
static size_t past_group(const struct outline *o, size_t i, char open, char close)
{
    size_t deep = 0;
    for (; i < o->count; i++) {
        deep += is_mark(o, i, open);
        if (is_mark(o, i, close) && --deep == 0)
            return i + 1;
    }
    return o->count;
}

/* ---- directives ------------------------------------------------------------------------ */

/* Checks that each branch of an #if leaves as many braces open as it found. */
static bool branches_balance(const struct outline *o)
{
    long open = 0, at_if[BRANCHES_MOST];
    unsigned deep = 0;
    for (size_t i = 0; i < o->count; i++) {
        struct token_reader rest;
        open += is_mark(o, i, '{') - is_mark(o, i, '}');
        if (o->tokens[i].kind != TOKEN_DIRECTIVE)
            continue;
        struct token name = token_directive(&o->tokens[i], &rest);
        if (name.length > 1 && memcmp(name.at, "if", 2) == 0) {
            if (deep == BRANCHES_MOST)
                return false;
            at_if[deep++] = open;
        } else if (token_is(&name, "endif") || (name.length > 2 && memcmp(name.at, "el", 2) == 0)) {
            if (deep == 0 || at_if[deep - 1] != open)
                return false;
            deep -= token_is(&name, "endif");
        }
    }
    return open == 0 && deep == 0;
}

/* After `#define KERNEL __global__ void` the word KERNEL marks device code. */
static void note_marker(struct outline *o, const struct token *directive)
{
    static const char *const spaces[] = {"__global__", "__device__", NULL};
    struct token_reader rest;
    struct token name = token_directive(directive, &rest), macro, each;
    if (!token_is(&name, "define") || !token_next(&rest, &macro))
        return;
    while (token_next(&rest, &each))
        if (token_is_one_of(&each, spaces) && o->marker_count < MARKERS_MOST) {
            o->markers[o->marker_count++] = macro;
            return;
        }
}

static void blank(struct outline *o, const char *at, size_t n)
{
    char *to = o->copy + (at - o->text);
    for (size_t i = 0; i < n; i++)
        if (to[i] != '\n' && to[i] != '\r')
            to[i] = ' ';
    o->report->blanked = true;
}

/* Blanks a line that includes a header for host code alone, as #include <vector> does. */
static void blank_host_include(struct outline *o, const struct token *directive)
{
    static const char *const host_only[] = {
        "algorithm", "array", "atomic", "bitset", "chrono", "complex", "condition_variable",
        "deque", "exception", "filesystem", "fstream", "functional", "future", "initializer_list",
        "iomanip", "ios", "iosfwd", "iostream", "istream", "iterator", "limits", "list", "locale",
        "map", "memory", "mutex", "new", "numeric", "optional", "ostream", "queue", "random",
        "ratio", "regex", "set", "sstream", "stack", "stdexcept", "streambuf", "string",
        "string_view", "system_error", "thread", "tuple", "type_traits", "typeinfo",
        "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector", "cctype",
        "cerrno", "csignal", "cstdarg", "errno.h", "ctype.h", "signal.h", "stdarg.h", "unistd.h",
        "getopt.h", "omp.h", "mpi.h", "pthread.h", "sys/time.h", "sys/types.h", "sys/stat.h",
        "sys/resource.h", "windows.h", "inttypes.h", "cinttypes", NULL};
    struct token_reader rest;
    struct token name = token_directive(directive, &rest);
    const char *open = memchr(directive->at, '<', directive->length);
    size_t left = open ? directive->length - (size_t)(open - directive->at) : 0;
    const char *close = open ? memchr(open, '>', left) : NULL;
    if (!token_is(&name, "include") || !close)
        return;
    struct token header = {TOKEN_LITERAL, open + 1, (size_t)(close - open - 1), 0};
    if (token_is_one_of(&header, host_only))
        blank(o, directive->at, (size_t)(close - directive->at) + 1);
}

/* ---- reading a declaration ------------------------------------------------------------- */

static bool is_marker(const struct outline *o, const struct token *t)
{
    for (unsigned i = 0; i < o->marker_count; i++)
        if (token_same(&o->markers[i], t))
            return true;
    return false;
}

static void note_word(const struct outline *o, struct declaration *d, size_t i)
{
    static const char *const device[] = {"__global__", "__device__", "__constant__", "__shared__",
                                         "__managed__", NULL};
    static const char *const type[] = {"struct", "class", "union", "enum", NULL};
    static const char *const alias[] = {"using", "typedef", "static_assert", "asm", NULL};
    const struct token *t = &o->tokens[i];
    d->is_device = d->is_device || token_is_one_of(t, device) || is_marker(o, t);
    d->is_constexpr = d->is_constexpr || token_is(t, "constexpr") || token_is(t, "consteval");
    d->is_constant = d->is_constant || token_is(t, "const");
    d->is_type = d->is_type || (!d->has_parens && !d->has_value && token_is_one_of(t, type));
    d->is_alias = d->is_alias || token_is_one_of(t, alias);
    d->is_namespace = d->is_namespace || token_is(t, "namespace");
    d->speaks_std = d->speaks_std || (token_is(t, "std") && i + 1 < o->count &&
                                      token_is(&o->tokens[i + 1], "::"));
    d->speaks_runtime = d->speaks_runtime || (t->length > 4 && memcmp(t->at, "cuda", 4) == 0 &&
                                              t->at[4] >= 'A' && t->at[4] <= 'Z');
}

static bool is_attribute(const struct outline *o, size_t i)
{
    static const char *const others[] = {"noexcept", "explicit", NULL};
    const struct token *t = &o->tokens[i];
    return t->kind == TOKEN_WORD && (token_is_attribute(t) || token_is_one_of(t, others));
}

/* Tells whether this is MACRO(...) before a semicolon or the next declaration, and so no
 * function. */
static bool is_lone_macro(const struct outline *o, size_t first, size_t after)
{
    return o->tokens[first].kind == TOKEN_WORD && is_mark(o, first + 1, '(') &&
           past_group(o, first + 1, '(', ')') == after &&
           (after == o->count || is_mark(o, after, ';') || o->tokens[after].kind == TOKEN_WORD ||
            o->tokens[after].kind == TOKEN_DIRECTIVE);
}

/* Reads a head from a ( on. false: the declaration ends there. */
static bool read_parens(const struct outline *o, struct declaration *d, size_t *i)
{
    size_t after = past_group(o, *i, '(', ')');
    d->has_parens = d->has_parens || !d->has_value;
    for (; *i < after; ++*i)
        note_word(o, d, *i);
    d->is_macro = is_lone_macro(o, d->first, after);
    *i += d->is_macro && is_mark(o, after, ';');
    return !d->is_macro;
}

/* Reads from a { on. The braces of a constructor's initialiser, a{1}, don't end a function. Nor do
 * the braces of a class or a value, since names and a semicolon may follow. */
static bool read_braces(const struct outline *o, struct declaration *d, size_t *i)
{
    bool is_class = d->is_type && !d->has_parens;
    size_t from = *i;
    d->body = d->body == o->count ? from : d->body;
    d->is_extern_c = from == d->first + 2 && is_word(o, d->first, "extern");
    if (d->is_extern_c || (d->is_namespace && !d->has_parens && !d->is_alias))
        return false;
    *i = past_group(o, from, '{', '}');
    for (; is_class && from < *i; from++)
        note_word(o, d, from);
    return !d->has_parens || d->has_value || is_mark(o, *i, ',') || is_mark(o, *i, '{');
}

static bool read_token(const struct outline *o, struct declaration *d, size_t *i)
{
    if (is_mark(o, *i, ';') || is_mark(o, *i, '}')) {
        *i += is_mark(o, *i, ';') || *i == d->first;
        return false;
    }
    d->is_operator = d->is_operator || is_word(o, *i, "operator");
    d->has_value = d->has_value || (is_mark(o, *i, '=') && !d->has_parens && !d->is_operator);
    d->points = d->points || is_mark(o, *i, '*') || is_mark(o, *i, '&');
    note_word(o, d, *i);
    ++*i;
    return true;
}

static struct declaration read_declaration(const struct outline *o, size_t first)
{
    struct declaration d = {.first = first, .body = o->count};
    size_t i = first;
    bool goes_on = true;
    while (goes_on && i < o->count) {
        if (is_word(o, i, "template") && is_mark(o, i + 1, '<'))
            i = past_group(o, i + 1, '<', '>');
        else if (is_attribute(o, i) && is_mark(o, i + 1, '('))
            i = past_group(o, i + 1, '(', ')');
        else if (is_mark(o, i, '('))
            goes_on = read_parens(o, &d, &i);
        else if (is_mark(o, i, '{'))
            goes_on = read_braces(o, &d, &i);
        else
            goes_on = read_token(o, &d, &i);
    }
    d.end = i;
    return d;
}

/* ---- judging --------------------------------------------------------------------------- */

/* Does a class have a function that isn't said to be for the device? */
static bool has_bare_member(const struct outline *o, const struct declaration *d)
{
    size_t i = d->body + 1;
    while (i < d->end && !is_mark(o, i, '}')) {
        if (is_mark(o, i + 1, ':')) {
            i += 2; /* public: */
            continue;
        }
        struct declaration member = read_declaration(o, i);
        if (member.has_parens && !member.is_device && !member.is_alias && !member.is_macro)
            return true;
        i = member.end > i ? member.end : i + 1;
    }
    return false;
}

static bool class_stays(struct outline *o, const struct declaration *d)
{
    if (d->speaks_std || d->speaks_runtime)
        return false;
    o->report->bare_members = o->report->bare_members || has_bare_member(o, d);
    return true;
}

static bool stays(struct outline *o, const struct declaration *d)
{
    bool is_short = d->end - d->first <= 3 || is_word(o, d->first, "template");
    bool speaks_host = d->speaks_std || d->speaks_runtime;
    if (d->is_macro || d->end - d->first == 1 || d->is_namespace) /* an alias: others are entered */
        return true;
    if (d->is_type && !d->has_parens && d->body < o->count && !d->has_value)
        return class_stays(o, d);
    if (d->is_device)
        return true;
    if (d->is_alias)
        return !speaks_host;
    if (d->is_type && !d->has_parens && !d->has_value && is_short)
        return true; /* struct S; */
    if (d->has_parens) {
        o->report->bare_members = o->report->bare_members || (d->is_constexpr && !speaks_host);
        return d->is_constexpr && !speaks_host;
    }
    return d->is_constexpr || (d->is_constant && !d->points && !speaks_host);
}

static void note_old_word(struct outline *o, size_t i)
{
    const struct token *t = &o->tokens[i];
    o->report->has_old_words =
        o->report->has_old_words ||
        (t->kind == TOKEN_WORD && i > 0 && old_name_is_gone(t - 1, t));
}

/* Blanks all of a declaration and the comments in it, but not its directives. */
static void blank_declaration(struct outline *o, const struct declaration *d)
{
    for (size_t i = d->first; i < d->end; i++) {
        const struct token *t = &o->tokens[i];
        bool joins = i + 1 < d->end && o->tokens[i + 1].kind != TOKEN_DIRECTIVE;
        if (t->kind == TOKEN_DIRECTIVE)
            continue;
        note_old_word(o, i);
        blank(o, t->at, joins ? (size_t)(o->tokens[i + 1].at - t->at) : t->length);
    }
}

static void read_scope(struct outline *o)
{
    size_t i = 0;
    while (i < o->count) {
        if (o->tokens[i].kind == TOKEN_DIRECTIVE || is_mark(o, i, '}')) {
            i++; /* the } of a namespace, which was entered */
            continue;
        }
        struct declaration d = read_declaration(o, i);
        if (d.is_extern_c || (d.body == d.end && d.body < o->count)) {
            i = d.body + 1;
            continue;
        }
        if (!stays(o, &d))
            blank_declaration(o, &d);
        i = d.end > i ? d.end : i + 1;
    }
}

/* ---- the whole ------------------------------------------------------------------------- */

static int read_outline(struct outline *o, size_t n)
{
    if (read_tokens(o, o->text, n) != 0)
        return -1;
    if (!branches_balance(o))
        return 1;
    for (size_t i = 0; i < o->count; i++)
        if (o->tokens[i].kind == TOKEN_DIRECTIVE) {
            note_marker(o, &o->tokens[i]);
            blank_host_include(o, &o->tokens[i]);
        }
    read_scope(o);
    return 0;
}

int host_blank(const char *text, size_t n, struct buf *out, struct host_report *report)
{
    struct outline *o = calloc(1, sizeof *o);
    size_t start = out->len;
    *report = (struct host_report){0};
    if (!o || buf_add(out, text, n) != 0) {
        free(o);
        return -1;
    }
    o->text = text;
    o->copy = out->data + start;
    o->report = report;
    int rc = read_outline(o, n);
    free(o->tokens);
    free(o);
    return rc;
}
