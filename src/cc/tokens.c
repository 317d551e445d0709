/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small lexer for C and C++, and the value of constant expressions. It is lenient: it looks
 * for declarations in a text that a compiler judges, so what it doesn't know it passes over.
 */
#include "cc/tokens.h"

#include <string.h>

enum { DEEPEST = 40, DEEPEST_MACRO = 8, MOST_EXPANSIONS = 64 };

struct lexer {
    const char *at, *end;
    int line;
    bool line_start; /* nothing but blanks on this line so far: a # begins a directive */
    int skipping;    /* depth of #if inside code that #if 0 removes, 0: not in such */
    struct tokens *out;
};

/* ---- letters ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static char peek(const struct lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

static void step(struct lexer *l)
{
    if (*l->at == '\n')
        l->line++;
    l->at++;
}

/* How many bytes a backslash that joins two lines takes, 0 where there is none. */
static size_t splice(const struct lexer *l)
{
    if (peek(l, 0) != '\\')
        return 0;
    return peek(l, 1) == '\n' ? 2 : peek(l, 1) == '\r' && peek(l, 2) == '\n' ? 3 : 0;
}

/* ---- comments, literals ------------------------------------------------------------------- */

static void skip_line(struct lexer *l)
{
    while (l->at < l->end && *l->at != '\n') {
        for (size_t n = splice(l); n > 1; n--)
            step(l);
        step(l);
    }
}

static bool skip_comment(struct lexer *l)
{
    if (peek(l, 0) != '/' || (peek(l, 1) != '/' && peek(l, 1) != '*'))
        return false;
    if (peek(l, 1) == '/') {
        skip_line(l);
        return true;
    }
    l->at += 2;
    while (l->at < l->end && !(*l->at == '*' && peek(l, 1) == '/'))
        step(l);
    l->at = l->end - l->at >= 2 ? l->at + 2 : l->end;
    return true;
}

/* A string or character ends at its line's end, if nowhere before. */
static void skip_quoted(struct lexer *l)
{
    char quote = *l->at++;
    while (l->at < l->end && *l->at != quote && *l->at != '\n') {
        if (*l->at == '\\' && l->end - l->at > 1)
            step(l);
        step(l);
    }
    if (l->at < l->end && *l->at == quote)
        l->at++;
}

/* R"tag( ... )tag" */
static void skip_raw(struct lexer *l)
{
    const char *tag = ++l->at;
    while (l->at < l->end && *l->at != '(' && *l->at != '\n')
        l->at++;
    size_t length = (size_t)(l->at - tag);
    while (l->at < l->end) {
        bool close = *l->at == ')' && (size_t)(l->end - l->at) > length + 1 &&
                     memcmp(l->at + 1, tag, length) == 0 && l->at[length + 1] == '"';
        if (close) {
            l->at += length + 2;
            return;
        }
        step(l);
    }
}

/* ---- directives --------------------------------------------------------------------------- */

static void skip_blanks(struct lexer *l)
{
    for (;;) {
        size_t n = splice(l);
        if (n == 0 && !(l->at < l->end && is_blank(*l->at)))
            return;
        for (n = n ? n : 1; n; n--)
            step(l);
    }
}

static struct token take_word(struct lexer *l)
{
    struct token word = {TOKEN_WORD, l->at, 0, l->line};
    while (l->at < l->end && is_word(*l->at))
        l->at++;
    word.length = (size_t)(l->at - word.at);
    return word;
}

void *tokens_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    size_t more = *room ? 2 * *room : 64;
    void *p = arena_get(arena, more * size);
    if (p && count)
        memcpy(p, items, count * size);
    if (p)
        *room = more;
    return p;
}

/* Only macros without parameters; `NAME(` without a blank between would be one with. */
static int read_define(struct lexer *l)
{
    struct tokens *out = l->out;
    struct token name = take_word(l);
    if (name.length == 0 || peek(l, 0) == '(')
        return 0;
    const char *value = l->at;
    skip_line(l);
    out->macros = tokens_grow(out->arena, out->macros, out->macro_count, &out->macro_room,
                              sizeof *out->macros);
    if (!out->macros)
        return -1;
    out->macros[out->macro_count++] =
        (struct macro){name.at, value, name.length, (size_t)(l->at - value)};
    return 0;
}

/* Does a condition say plainly 0 (or 1)? Others may be either, and both branches are read. */
static bool condition_is(struct lexer *l, char digit)
{
    skip_blanks(l);
    return peek(l, 0) == digit && !is_word(peek(l, 1)) && !strchr("=<>!&|+-*/", peek(l, 1));
}

/* #if and its kin. While skipping, only the nesting counts. */
static bool read_condition(struct lexer *l, const struct token *word)
{
    bool is_if = token_spells(word, "if") || token_spells(word, "ifdef") || token_spells(word, "ifndef");
    bool other = token_spells(word, "else") || token_spells(word, "elif");
    if (is_if && (l->skipping || (token_spells(word, "if") && condition_is(l, '0'))))
        l->skipping++;
    else if (token_spells(word, "endif") && l->skipping)
        l->skipping--;
    else if (other && l->skipping == 1)
        l->skipping = 0;
    return is_if || other || token_spells(word, "endif");
}

static int read_directive(struct lexer *l)
{
    int result = 0;
    l->at++; /* # */
    skip_blanks(l);
    struct token word = take_word(l);
    skip_blanks(l);
    if (!read_condition(l, &word) && !l->skipping) {
        if (token_spells(&word, "define"))
            result = read_define(l);
        else if (token_spells(&word, "pragma") && l->end - l->at >= 4 && !memcmp(l->at, "pack", 4))
            l->out->packed = true;
    }
    skip_line(l);
    return result;
}

/* ---- tokens ------------------------------------------------------------------------------- */

bool token_spells(const struct token *t, const char *text)
{
    /* Most tokens are others: the first letter tells. */
    return t->length && *t->at == *text && strncmp(t->at, text, t->length) == 0 &&
           text[t->length] == '\0';
}

bool token_same(const struct token *a, const struct token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static int add_token(struct lexer *l, enum token_kind kind, const char *from, int line)
{
    struct tokens *out = l->out;
    if (l->skipping && kind != TOKEN_END)
        return 0;
    out->list = tokens_grow(out->arena, out->list, out->count, &out->room, sizeof *out->list);
    if (!out->list)
        return -1;
    struct token *last = &out->list[out->count++];
    *last = (struct token){kind, from, (size_t)(l->at - from), line};
    out->renames = out->renames || token_spells(last, "typedef") || token_spells(last, "using");
    return 0;
}

static void take_number(struct lexer *l)
{
    while (l->at < l->end &&
           (is_word(*l->at) || *l->at == '.' || (*l->at == '\'' && is_word(peek(l, 1)))))
        l->at++;
}

static bool is_raw_prefix(const struct token *t)
{
    return token_spells(t, "R") || token_spells(t, "LR") || token_spells(t, "u8R") || token_spells(t, "uR") ||
           token_spells(t, "UR");
}

static int read_word(struct lexer *l)
{
    struct token word = take_word(l);
    if (peek(l, 0) == '"' && is_raw_prefix(&word)) {
        skip_raw(l);
        return add_token(l, TOKEN_LITERAL, word.at, word.line);
    }
    return add_token(l, TOKEN_WORD, word.at, word.line);
}

/* Signs are single, but for :: << and ... ; >> stays two, since it may close two templates. */
static void take_sign(struct lexer *l)
{
    bool pair = (*l->at == ':' && peek(l, 1) == ':') || (*l->at == '<' && peek(l, 1) == '<') ||
                (*l->at == '-' && peek(l, 1) == '>');
    bool dots = *l->at == '.' && peek(l, 1) == '.' && peek(l, 2) == '.';
    l->at += dots ? 3 : pair ? 2 : 1;
}

static int read_token(struct lexer *l)
{
    const char *from = l->at;
    int line = l->line;
    if (is_digit(*from)) {
        take_number(l);
        return add_token(l, TOKEN_NUMBER, from, line);
    }
    if (is_word(*from))
        return read_word(l);
    if (*from == '"' || *from == '\'') {
        skip_quoted(l);
        return add_token(l, TOKEN_LITERAL, from, line);
    }
    take_sign(l);
    return add_token(l, TOKEN_SIGN, from, line);
}

int tokens_read(const char *text, size_t n, struct arena *arena, struct tokens *out)
{
    struct lexer l = {.at = text, .end = text + n, .line = 1, .line_start = true, .out = out};
    *out = (struct tokens){.arena = arena};
    while (skip_blanks(&l), l.at < l.end) {
        if (*l.at == '\n') {
            step(&l);
            l.line_start = true;
        } else if (skip_comment(&l)) {
            continue;
        } else if (*l.at == '#' && l.line_start) {
            if (read_directive(&l) != 0)
                return -1;
        } else {
            l.line_start = false;
            if (read_token(&l) != 0)
                return -1;
        }
    }
    return add_token(&l, TOKEN_END, l.at, l.line);
}

size_t tokens_skip_bracket(const struct tokens *t, size_t i)
{
    bool template = token_spells(&t->list[i], "<");
    long depth = 0;
    for (; t->list[i].kind != TOKEN_END; i++) {
        const struct token *at = &t->list[i];
        if (at->kind != TOKEN_SIGN || at->length != 1)
            continue;
        if (template && depth && strchr("([{", *at->at)) {
            i = tokens_skip_bracket(t, i);
            if (t->list[i].kind == TOKEN_END)
                return i;
            i--;
        } else if (template && *at->at == ';') {
            return i; /* it was less-than */
        } else if (strchr(template ? "<" : "([{", *at->at)) {
            depth++;
        } else if (strchr(template ? ">" : ")]}", *at->at) && --depth <= 0) {
            return i + 1;
        }
    }
    return i;
}

/* ---- values ------------------------------------------------------------------------------- */

struct evaluator {
    const struct tokens *names; /* whose macros and constants count */
    const struct token *at, *end;
    int depth, macro_depth;
    int *expansions; /* how many may still come: macros that double would never end */
};

static bool evaluate(struct evaluator *, int least, int64_t *out);

static bool number_value(const struct token *t, int64_t *out)
{
    unsigned base = 10;
    uint64_t value = 0;
    size_t i = 0;
    if (t->length > 1 && t->at[0] == '0') {
        char kind = (char)(t->at[1] | 0x20);
        base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
        i = base == 8 ? 1 : 2;
    }
    for (; i < t->length; i++) {
        char c = t->at[i], small = (char)(c | 0x20);
        unsigned digit = is_digit(c)                                  ? (unsigned)(c - '0')
                         : base == 16 && small >= 'a' && small <= 'f' ? (unsigned)(small - 'a' + 10)
                                                                      : 99;
        if (c == '\'')
            continue;
        if (digit >= base)
            break;
        if (value > (uint64_t)INT64_MAX / 16 - 16)
            return false;
        value = value * base + digit;
    }
    for (; i < t->length; i++)
        if (!strchr("uUlL", t->at[i]))
            return false;
    *out = (int64_t)value;
    return true;
}

static bool macro_value(struct evaluator *e, const struct token *name, int64_t *out)
{
    const struct tokens *names = e->names;
    for (size_t i = names->macro_count; i-- > 0;) {
        const struct macro *m = &names->macros[i];
        if (m->name_length != name->length || memcmp(m->name, name->at, name->length) != 0)
            continue;
        struct tokens value;
        if (tokens_read(m->value, m->value_length, names->arena, &value) != 0)
            return false;
        struct evaluator inner = *e;
        inner.at = value.list;
        inner.end = value.list + value.count - 1;
        inner.macro_depth++;
        return evaluate(&inner, 0, out) && inner.at == inner.end;
    }
    return false;
}

/* const int N = 256; or constexpr, or enum { N = 256 } */
static bool constant_value(struct evaluator *e, const struct token *name, int64_t *out)
{
    const struct tokens *t = e->names;
    for (size_t i = 1; i + 2 < t->count; i++) {
        if (!token_same(&t->list[i], name) || !token_spells(&t->list[i + 1], "="))
            continue;
        bool constant = false;
        for (size_t back = 1; back <= 5 && back <= i && !constant; back++) {
            const struct token *before = &t->list[i - back];
            if (token_spells(before, ";") || token_spells(before, "}") || token_spells(before, ")"))
                break;
            constant = token_spells(before, "const") || token_spells(before, "constexpr") ||
                       token_spells(before, "enum");
        }
        struct evaluator inner = *e;
        inner.at = &t->list[i + 2];
        inner.end = &t->list[t->count - 1];
        inner.macro_depth++;
        if (constant && evaluate(&inner, 0, out) &&
            (token_spells(inner.at, ";") || token_spells(inner.at, ",") || token_spells(inner.at, "}")))
            return true;
    }
    return false;
}

static bool operand(struct evaluator *e, int64_t *out)
{
    if (e->at == e->end || e->depth > DEEPEST)
        return false;
    const struct token *t = e->at++;
    if (token_spells(t, "-") || token_spells(t, "+")) {
        e->depth++;
        bool good = operand(e, out);
        e->depth--;
        if (good && *t->at == '-')
            *out = (int64_t)(0 - (uint64_t)*out);
        return good;
    }
    if (token_spells(t, "(")) {
        if (!evaluate(e, 0, out) || e->at == e->end || !token_spells(e->at, ")"))
            return false;
        e->at++;
        return true;
    }
    if (t->kind == TOKEN_NUMBER)
        return number_value(t, out);
    if (t->kind != TOKEN_WORD || e->macro_depth >= DEEPEST_MACRO || --*e->expansions < 0)
        return false;
    return macro_value(e, t, out) || constant_value(e, t, out);
}

/* A binary operator's rank, 0: none. Of >> only the first half is seen here. */
static int rank(const struct evaluator *e)
{
    if (e->at == e->end)
        return 0;
    if (token_spells(e->at, "<<"))
        return 1;
    if (token_spells(e->at, ">") && e->at + 1 < e->end && token_spells(e->at + 1, ">"))
        return 1;
    if (token_spells(e->at, "+") || token_spells(e->at, "-"))
        return 2;
    return token_spells(e->at, "*") || token_spells(e->at, "/") || token_spells(e->at, "%") ? 3 : 0;
}

/* Wrapping as unsigned does; false for what has no value. */
static bool combine(char sign, int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (sign) {
    case '+': *out = (int64_t)(x + y); return true;
    case '-': *out = (int64_t)(x - y); return true;
    case '*': *out = (int64_t)(x * y); return true;
    case '/':
    case '%':
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *out = sign == '/' ? a / b : a % b;
        return true;
    default:
        if (b < 0 || b > 62 || a < 0)
            return false;
        *out = sign == '<' ? (int64_t)(x << y) : (int64_t)(x >> y);
        return true;
    }
}

static bool evaluate(struct evaluator *e, int least, int64_t *out)
{
    e->depth++;
    bool good = operand(e, out);
    int r;
    while (good && (r = rank(e)) > least) {
        char sign = *e->at->at;
        int64_t right;
        e->at += sign == '>' ? 2 : 1;
        good = evaluate(e, r, &right) && combine(sign, *out, right, out);
    }
    e->depth--;
    return good;
}

bool tokens_value(const struct tokens *t, size_t from, size_t to, int64_t *out)
{
    int expansions = MOST_EXPANSIONS;
    struct evaluator e = {t, &t->list[from], &t->list[to], 0, 0, &expansions};
    return evaluate(&e, 0, out) && e.at == e.end;
}
