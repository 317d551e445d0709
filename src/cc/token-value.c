/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file computes constant expressions. They may have numbers, + - * / % << >>, brackets, macros
 * without parameters, and constants of the same file. Callers can do without an answer, so any
 * other expression has no value here.
 */
#include "cc/tokens.h"

#include <string.h>

enum { DEEPEST = 40, DEEPEST_MACRO = 8, MOST_EXPANSIONS = 64, MOST_CONSTANTS = 64 };

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
        unsigned digit = c >= '0' && c <= '9'                         ? (unsigned)(c - '0')
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

/* The macro that was defined last counts. */
static bool macro_value(struct evaluator *e, const struct token *name, int64_t *out)
{
    size_t count;
    struct tokens value;
    const struct named *m = tokens_named(e->names, NAMED_MACRO, name->at, name->length, &count);
    if (!count)
        return false;
    m += count - 1;
    if (tokens_read(m->value, m->value_length, e->names->arena, &value) != 0)
        return false;
    struct evaluator inner = *e;
    inner.at = value.list;
    inner.end = value.list + value.count - 1;
    inner.macro_depth++;
    return evaluate(&inner, 0, out) && inner.at == inner.end;
}

/* Finds const int N = 256; or constexpr, or enum { N = 256 }. The first whose value is known
 * counts. */
static bool constant_value(struct evaluator *e, const struct token *name, int64_t *out)
{
    size_t count;
    const struct named *c = tokens_named(e->names, NAMED_CONSTANT, name->at, name->length, &count);
    for (size_t i = 0; i < count && i < MOST_CONSTANTS; i++) {
        struct evaluator inner = *e;
        inner.at = &e->names->list[c[i].at];
        inner.end = &e->names->list[e->names->count - 1];
        inner.macro_depth++;
        if (evaluate(&inner, 0, out) &&
            (token_is(inner.at, ";") || token_is(inner.at, ",") || token_is(inner.at, "}")))
            return true;
    }
    return false;
}

static bool operand(struct evaluator *e, int64_t *out)
{
    if (e->at == e->end || e->depth > DEEPEST)
        return false;
    const struct token *t = e->at++;
    if (token_is(t, "-") || token_is(t, "+")) {
        e->depth++;
        bool good = operand(e, out);
        e->depth--;
        if (good && *t->at == '-')
            *out = (int64_t)(0 - (uint64_t)*out);
        return good;
    }
    if (token_is(t, "(")) {
        if (!evaluate(e, 0, out) || e->at == e->end || !token_is(e->at, ")"))
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

/* Gives a binary operator's rank. 0: there is no operator. >> is two tokens here. */
static int rank(const struct evaluator *e)
{
    if (e->at == e->end)
        return 0;
    if (token_is(e->at, "<<"))
        return 1;
    if (token_is(e->at, ">") && e->at + 1 < e->end && token_is(e->at + 1, ">"))
        return 1;
    if (token_is(e->at, "+") || token_is(e->at, "-"))
        return 2;
    return token_is(e->at, "*") || token_is(e->at, "/") || token_is(e->at, "%") ? 3 : 0;
}

/* Computes with wrapping, as unsigned numbers do. false: the result has no value. */
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
