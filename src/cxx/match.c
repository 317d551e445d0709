/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file decides whether a typed name means a function. Both names are brought to one spelling
 * first: `unsigned` becomes `unsigned int`, `float const *` becomes `const float*`, 'A' and 65u
 * become 65. Then they are compared from the last :: back, so that scopes may be left out. Only
 * texts are compared. The only typedefs that are known are those of <stdint.h>.
 */
#include "cxx/name.h"
#include "cxx/specifiers.h"

#include "base/buf.h"
#include "base/lines.h"

#include <string.h>

enum { DEEPEST = 64 };

/* ---- spelling ----------------------------------------------------------------------------- */

struct speller {
    const char *at, *end;
    struct buf *out;
    bool loose;
    int depth;
};

static void spell_item(struct speller *, bool parameter);

static bool is_word(char c)
{
    return in_word(c) || c == '$' || (unsigned char)c >= 0x80;
}

static struct span take_word(struct speller *s)
{
    struct span word = {s->at, 0};
    while (s->at < s->end && is_word(*s->at))
        s->at++;
    word.n = (size_t)(s->at - word.at);
    return word;
}

/* Writes a word. The ending of a number is left out: 4u, 4ul and 4 are the same. */
static void add_other_word(struct buf *out, struct span word)
{
    if (is_digit(word.at[0]))
        while (word.n > 1 && strchr("uUlL", word.at[word.n - 1]))
            word.n--;
    const char *means = specifiers_alias(word.at, word.n);
    if (same_text(word, "true") || same_text(word, "false"))
        means = same_text(word, "true") ? "1" : "0";
    if (means)
        buf_puts(out, means);
    else
        buf_add(out, word.at, word.n);
}

/* Writes what was read in one spelling. `name` is a type that isn't arithmetic. */
static void put_specifiers(struct speller *s, const struct specifiers *in, const struct buf *name,
                           bool with_cv)
{
    const char *type = specifiers_type(in);
    if (with_cv && in->is_const)
        buf_puts(s->out, "const ");
    if (with_cv && in->is_volatile)
        buf_puts(s->out, "volatile ");
    buf_puts(s->out, type ? type : buf_text(name));
    s->out->failed |= name->failed;
}

/* Copies a list in brackets, with the closing bracket. */
static void spell_list(struct speller *s, struct buf *out, char close)
{
    struct speller inner = {s->at + 1, s->end, out, s->loose, s->depth + 1};
    buf_putc(out, *s->at);
    while (inner.depth < DEEPEST && inner.at < s->end && *inner.at != close) {
        const char *before = inner.at;
        spell_item(&inner, close == ')');
        if (inner.at < s->end && *inner.at == ',')
            buf_putc(out, *inner.at++);
        else if (inner.at == before)
            break; /* a bracket that closes nothing */
    }
    buf_putc(out, close);
    s->at = inner.at < s->end ? inner.at + 1 : s->end;
}

/* 'A' is 65. */
static bool spell_character(struct speller *s, struct buf *out)
{
    if (s->end - s->at < 3 || s->at[0] != '\'' || s->at[2] != '\'')
        return false;
    buf_printf(out, "%d", s->at[1]);
    s->at += 3;
    return true;
}

/* Copies what comes after the specifiers: * const, (*)(int), [4]. */
static void spell_declarator(struct speller *s, bool parameter)
{
    bool pending_const = false;
    while (s->at < s->end && !strchr(",>)", *s->at)) {
        if (is_word(*s->at)) {
            struct span word = take_word(s);
            if (same_text(word, "const") && !s->loose)
                pending_const = true;
            else if (!specifiers_silent(word.at, word.n) && !same_text(word, "const") &&
                     !same_text(word, "volatile"))
                buf_add(s->out, word.at, word.n);
        } else if (*s->at == ' ' || *s->at == '\t') {
            s->at++;
        } else {
            if (pending_const)
                buf_puts(s->out, "const ");
            pending_const = false;
            if (*s->at == '(')
                spell_list(s, s->out, ')');
            else
                buf_putc(s->out, *s->at++);
        }
    }
    if (pending_const && !parameter) /* a parameter's own const is not part of its type */
        buf_puts(s->out, "const ");
}

/* Copies one type or value, up to a comma or closing bracket that isn't part of it. */
static void spell_item(struct speller *s, bool parameter)
{
    struct specifiers in = {0};
    struct buf name = {0}; /* of a type that isn't arithmetic, or a value */
    while (s->at < s->end && !strchr(",>)*&[(", *s->at)) {
        if (is_word(*s->at)) {
            struct span word = take_word(s);
            if (!specifiers_take(&in, word.at, word.n))
                add_other_word(&name, word);
        } else if (*s->at == '<') {
            spell_list(s, &name, '>');
        } else if (*s->at == '{' || !strchr(" \t", *s->at)) {
            if (!spell_character(s, &name))
                buf_putc(&name, *s->at++);
        } else {
            s->at++;
        }
    }
    bool plain = s->at == s->end || strchr(",>)", *s->at);
    put_specifiers(s, &in, &name, !s->loose && !(plain && parameter));
    buf_free(&name);
    spell_declarator(s, parameter);
}

/* (char)65 as a template argument is 65: nobody types the cast. */
static void drop_cast(struct buf *item)
{
    char *close = item->len && item->data[0] == '(' ? strrchr(item->data, ')') : NULL;
    if (!close || !(is_digit(close[1]) || (close[1] == '-' && is_digit(close[2]))))
        return;
    item->len -= (size_t)(close + 1 - item->data);
    memmove(item->data, close + 1, item->len + 1);
}

static int spell(struct span text, bool parameter, bool loose, struct buf *out)
{
    struct speller s = {text.at, text.at + text.n, out, loose, 0};
    buf_clear(out);
    spell_item(&s, parameter);
    while (s.at < s.end && (*s.at == ' ' || *s.at == '\t'))
        s.at++;
    if (!parameter)
        drop_cast(out);
    return s.at == s.end && !out->failed ? 0 : -1;
}

static bool same_spelling(struct span a, struct span b, bool parameter, bool loose)
{
    struct buf x = {0}, y = {0};
    bool same = spell(a, parameter, loose, &x) == 0 && spell(b, parameter, loose, &y) == 0 &&
                strcmp(buf_text(&x), buf_text(&y)) == 0;
    buf_free(&x);
    buf_free(&y);
    return same;
}

/* ---- taking names apart ------------------------------------------------------------------- */

/* Gives the length from a bracket to its closing bracket, or to the end if it is never closed. */
static size_t bracket_length(struct span s, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < s.n; i++) {
        bool arrow = s.at[i] == '>' && i && s.at[i - 1] == '-';
        if (strchr("(<[{", s.at[i]) && s.at[i])
            depth++;
        else if (strchr(")>]}", s.at[i]) && s.at[i] && !arrow && --depth <= 0)
            return i + 1 - at;
    }
    return s.n - at;
}

/* Takes the next item of a list. Commas inside brackets separate nothing. false: none is left. */
static bool next_item(struct span *rest, struct span *item)
{
    if (trim(*rest).n == 0)
        return false;
    size_t i = 0;
    while (i < rest->n && rest->at[i] != ',')
        i += strchr("(<[{", rest->at[i]) ? bracket_length(*rest, i) : 1;
    *item = trim((struct span){rest->at, i});
    size_t past = i < rest->n ? i + 1 : i;
    *rest = (struct span){rest->at + past, rest->n - past};
    return true;
}

/* A name is split: what stands before the parameters, the parameters, and whether it has any. */
struct split_name {
    struct span name, params;
    bool has_params;
};

static bool starts_with(struct span s, size_t at, const char *text)
{
    return s.n - at >= strlen(text) && memcmp(s.at + at, text, strlen(text)) == 0;
}

/* Splits a name. The ( of (anonymous namespace), operator() and f(int)::inner opens no
 * parameters. */
static struct split_name split_call(struct span text)
{
    text = trim(text);
    for (size_t i = 0; i < text.n; i++) {
        if (!strchr("(<[{", text.at[i]))
            continue;
        size_t length = bracket_length(text, i);
        bool operator_name = i >= 8 && memcmp(text.at + i - 8, "operator", 8) == 0;
        if (text.at[i] == '(' && !starts_with(text, i, "(anonymous namespace)") && !operator_name &&
            !starts_with(text, i + length, "::"))
            return (struct split_name){trim((struct span){text.at, i}),
                                       {text.at + i + 1, length > 1 ? length - 2 : 0},
                                       true};
        i += length - 1;
    }
    return (struct split_name){.name = text};
}

struct component {
    struct span base, arguments; /* arguments without < and > */
    bool has_arguments;
};

/* Takes the last component off a::b<int>::c. false: nothing is left. */
static bool last_component(struct span *name, struct component *out)
{
    size_t start = 0;
    if (trim(*name).n == 0)
        return false;
    for (size_t i = 0; i + 1 < name->n;) {
        if (strchr("(<[{", name->at[i])) {
            i += bracket_length(*name, i);
        } else if (starts_with(*name, i, "::")) {
            start = i += 2;
        } else {
            i++;
        }
    }
    struct span part = trim((struct span){name->at + start, name->n - start});
    *out = (struct component){.base = part};
    const char *open = part.n ? memchr(part.at, '<', part.n) : NULL;
    if (open && part.at[part.n - 1] == '>') {
        size_t before = (size_t)(open - part.at);
        out->base = trim((struct span){part.at, before});
        out->arguments = (struct span){open + 1, part.n - before - 2};
        out->has_arguments = true;
    }
    name->n = start ? start - 2 : 0;
    return true;
}

static bool same_list(struct span a, struct span b, bool loose)
{
    struct span x, y;
    for (;;) {
        bool more = next_item(&a, &x);
        if (next_item(&b, &y) != more)
            return false;
        if (!more)
            return true;
        if (!same_spelling(x, y, false, loose))
            return false;
    }
}

static bool is_anonymous(const struct component *c)
{
    return same_text(c->base, "(anonymous namespace)");
}

static bool same_component(const struct component *have, const struct component *typed)
{
    if (have->base.n != typed->base.n ||
        memcmp(have->base.at, typed->base.at, have->base.n) != 0)
        return false;
    return !typed->has_arguments ||
           (have->has_arguments && same_list(have->arguments, typed->arguments, false));
}

/* Compares from the last component back. The typed name may have fewer, unless it begins with :: */
static bool same_scopes(struct span have, struct span typed)
{
    bool from_the_top = starts_with(typed, 0, "::");
    if (from_the_top)
        typed = (struct span){typed.at + 2, typed.n - 2};
    struct component h, t;
    if (trim(typed).n == 0)
        return false;
    while (last_component(&typed, &t)) {
        bool found = last_component(&have, &h);
        while (found && is_anonymous(&h) && !is_anonymous(&t))
            found = last_component(&have, &h);
        if (!found || !same_component(&h, &t))
            return false;
    }
    while (from_the_top && last_component(&have, &h))
        if (!is_anonymous(&h))
            return false;
    return true;
}

static bool same_params(const struct cxx_name *have, struct span typed, bool loose)
{
    struct span item;
    unsigned i = 0;
    if (same_text(trim(typed), "void"))
        return have->param_count == 0;
    for (; next_item(&typed, &item); i++) {
        if (i == have->param_count)
            return false;
        struct span own = {have->params[i], strlen(have->params[i])};
        if (!same_spelling(own, item, true, loose))
            return false;
    }
    return i == have->param_count;
}

bool cxx_means(const struct cxx_name *have, const char *typed, bool loose)
{
    /* A name that is typed as it is listed is always right, whatever signs an operator has. */
    if (strcmp(typed, have->full) == 0 || strcmp(typed, have->qualified) == 0)
        return true;
    struct split_name own = split_call((struct span){have->full, strlen(have->full)});
    struct split_name other = split_call((struct span){typed, strlen(typed)});
    if (!same_scopes(own.name, other.name))
        return false;
    return !other.has_params || same_params(have, other.params, loose);
}
