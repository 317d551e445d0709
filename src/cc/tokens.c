/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of tokens, made from the tokenizer's. It is lenient: it looks for declarations in a
 * text that a compiler judges, so what it doesn't know it passes over. Of conditions it knows
 * #if 0; of others both branches are read.
 */
#include "cc/tokens.h"

#include <string.h>

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

/* ---- directives --------------------------------------------------------------------------- */

/* Only macros without parameters; `NAME(` without a blank between would be one with. */
static int read_define(struct tokens *t, struct token_reader *rest)
{
    struct token name;
    if (!token_next(rest, &name) || name.kind != TOKEN_WORD ||
        (rest->at < rest->end && *rest->at == '('))
        return 0;
    t->macros =
        tokens_grow(t->arena, t->macros, t->macro_count, &t->macro_room, sizeof *t->macros);
    if (!t->macros)
        return -1;
    t->macros[t->macro_count++] =
        (struct macro){name.at, rest->at, name.length, (size_t)(rest->end - rest->at)};
    return 0;
}

/* Does a condition say plainly 0? */
static bool is_zero(struct token_reader *condition)
{
    struct token t;
    return token_next(condition, &t) && token_is(&t, "0") && !token_next(condition, &t);
}

/* #if and its kin. *skipping: the depth of #if inside code that #if 0 removes, 0: not in such. */
static bool read_condition(const struct token *name, struct token_reader *rest, int *skipping)
{
    bool plain_if = token_is(name, "if");
    bool is_if = plain_if || token_is(name, "ifdef") || token_is(name, "ifndef");
    bool other = token_is(name, "else") || token_is(name, "elif");
    bool is_end = token_is(name, "endif");
    if (is_if && (*skipping || (plain_if && is_zero(rest))))
        ++*skipping;
    else if (is_end && *skipping)
        --*skipping;
    else if (other && *skipping == 1)
        *skipping = 0;
    return is_if || other || is_end;
}

static int read_directive(struct tokens *t, const struct token *directive, int *skipping)
{
    struct token_reader rest;
    struct token name = token_directive(directive, &rest), what;
    if (read_condition(&name, &rest, skipping) || *skipping)
        return 0;
    if (token_is(&name, "define"))
        return read_define(t, &rest);
    if (token_is(&name, "pragma") && token_next(&rest, &what))
        t->packed = t->packed || token_is(&what, "pack");
    return 0;
}

/* ---- the list ----------------------------------------------------------------------------- */

static int add_token(struct tokens *t, struct token token)
{
    t->list = tokens_grow(t->arena, t->list, t->count, &t->room, sizeof *t->list);
    if (!t->list)
        return -1;
    t->list[t->count++] = token;
    t->renames = t->renames || token_is(&token, "typedef") || token_is(&token, "using");
    return 0;
}

int tokens_read(const char *text, size_t n, struct arena *arena, struct tokens *out)
{
    struct token_reader reader = tokens_of(text, n);
    struct token each;
    int skipping = 0;
    *out = (struct tokens){.arena = arena};
    while (token_next(&reader, &each)) {
        int rc = each.kind == TOKEN_DIRECTIVE ? read_directive(out, &each, &skipping)
                 : skipping                   ? 0
                                              : add_token(out, each);
        if (rc != 0)
            return -1;
    }
    return add_token(out, (struct token){TOKEN_END, reader.end, 0, reader.line});
}

size_t tokens_skip_bracket(const struct tokens *t, size_t i)
{
    bool template = token_is(&t->list[i], "<");
    long depth = 0;
    for (; t->list[i].kind != TOKEN_END; i++) {
        const struct token *at = &t->list[i];
        if (at->kind != TOKEN_MARK || at->length != 1)
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
