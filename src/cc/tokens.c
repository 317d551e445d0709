/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes a list of tokens. A compiler judges the text, so this file skips what it doesn't
 * know. It knows the condition #if 0. Of any other #if it reads both branches.
 */
#include "cc/tokens.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item; the items may move to other memory. NULL: there is no memory. */
static void *grow(struct arena *arena, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    size_t more = *room ? 2 * *room : 64;
    void *p = arena_alloc(arena, more * size);
    if (p && count)
        memcpy(p, items, count * size);
    if (p)
        *room = more;
    return p;
}

/* ---- names -------------------------------------------------------------------------------- */

int tokens_add_name(struct tokens *t, struct named name)
{
    t->names = grow(t->arena, t->names, t->name_count, &t->name_room, sizeof *t->names);
    if (!t->names)
        return -1;
    name.order = t->name_count;
    t->names[t->name_count++] = name;
    return 0;
}

static int compare_names(const struct named *a, const struct named *b)
{
    size_t x = a->name.length, y = b->name.length;
    int bytes = memcmp(a->name.at, b->name.at, x < y ? x : y);
    return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
           : bytes            ? bytes
                              : (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int c = compare_names(x, y);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

void tokens_sort_names(struct tokens *t)
{
    if (t->name_count)
        qsort(t->names, t->name_count, sizeof *t->names, by_name);
    t->sorted = t->name_count;
}

/* Counts the names that are sorted before this one. With `also` it counts equal names, too. */
static size_t names_before(const struct tokens *t, const struct named *wanted, bool also)
{
    size_t low = 0, high = t->sorted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int c = compare_names(&t->names[middle], wanted);
        if (c < 0 || (also && c == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct named *tokens_named(const struct tokens *t, enum named_kind kind, const char *name,
                                 size_t length, size_t *count)
{
    const struct named wanted = {.kind = kind, .name = {TOKEN_WORD, name, length, 0}};
    size_t first = names_before(t, &wanted, false);
    *count = names_before(t, &wanted, true) - first;
    return *count ? t->names + first : NULL;
}

/* ---- directives --------------------------------------------------------------------------- */

/* Enters macros without parameters only. `NAME(` without a blank begins one with parameters. */
static int read_define(struct tokens *t, struct token_reader *rest)
{
    struct token name;
    if (!token_next(rest, &name) || name.kind != TOKEN_WORD ||
        (rest->at < rest->end && *rest->at == '('))
        return 0;
    return tokens_add_name(t, (struct named){.kind = NAMED_MACRO, .name = name, .value = rest->at,
                                             .value_length = (size_t)(rest->end - rest->at)});
}

/* Tells whether a condition is just 0. */
static bool is_zero(struct token_reader *condition)
{
    struct token t;
    return token_next(condition, &t) && token_is(&t, "0") && !token_next(condition, &t);
}

/* Reads #if and the like. *skipping is the depth of #if in code that #if 0 removes. 0: it is not
 * removed. */
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
    t->list = grow(t->arena, t->list, t->count, &t->room, sizeof *t->list);
    if (!t->list)
        return -1;
    t->list[t->count++] = token;
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
