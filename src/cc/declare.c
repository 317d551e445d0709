/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the declarations of a source. One pass over its tokens enters types, constants
 * and kernels into the index. Two more passes enter the variables, whose types are known by then.
 * declarator.c reads a single declaration.
 */
#include "cc/declare.h"
#include "cc/declarator.h"

#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------ */

static bool ends_statement(const struct token *at)
{
    return at->kind == TOKEN_END || token_is(at, ";") || token_is(at, "{") || token_is(at, "}");
}

/* Tells whether this word, such as __launch_bounds__, has brackets and stands before a function's
 * name. */
static bool takes_bracket(const struct token *at)
{
    return at->length > 4 && memcmp(at->at, "__", 2) == 0 &&
           memcmp(at->at + at->length - 2, "__", 2) == 0;
}

/* Finds the function that __global__ at token i declares. false: there is none. */
static bool kernel_at(const struct tokens *t, size_t i, struct named *out)
{
    while (!ends_statement(&t->list[++i])) {
        const struct token *at = &t->list[i];
        size_t after = i + 1;
        if (token_is(at, "__global__"))
            return false; /* its own turn comes */
        if (at->kind != TOKEN_WORD)
            continue;
        if (token_is(&t->list[after], "<"))
            after = tokens_skip_bracket(t, after);
        if (token_is(&t->list[after], "(")) {
            *out = (struct named){.kind = NAMED_KERNEL, .name = *at, .at = i, .open = after};
            after = tokens_skip_bracket(t, after);
            out->defined = token_is(&t->list[after], "{") || token_is(&t->list[after], "->");
            if (!takes_bracket(at))
                return true;
        }
        i = after - 1;
    }
    return false;
}

/* Finds the definition of a kernel, or else its first declaration. */
static const struct named *find_kernel(const struct tokens *t, const char *name)
{
    size_t count;
    name = name_without_scopes(name);
    const struct named *all = tokens_named(t, NAMED_KERNEL, name, strlen(name), &count);
    for (size_t i = 0; i < count; i++)
        if (all[i].defined)
            return &all[i];
    return count ? all : NULL;
}

/* A parameter ends at its default value, if it has one. */
static size_t before_default(const struct tokens *t, size_t i, size_t end)
{
    while (i < end && !token_is(&t->list[i], "="))
        i++;
    return i;
}

static int params_at(const struct tokens *t, size_t open, struct declared *out, unsigned most)
{
    size_t i = open + 1;
    unsigned count = 0;
    if (token_is(&t->list[i], ")") ||
        (token_is(&t->list[i], "void") && token_is(&t->list[i + 1], ")")))
        return 0;
    for (;; i++) {
        size_t end = tokens_item_end(t, i), stop = before_default(t, i, end);
        struct base_type base;
        if (count == most)
            return -1;
        base_type_read(t, &i, stop, &base);
        if (declarator_read(t, &i, stop, &base, IN_PARAMETER, &out[count]) < 0)
            return -1;
        count++;
        i = end;
        if (!token_is(&t->list[i], ","))
            return token_is(&t->list[i], ")") ? (int)count : -1;
    }
}

int declared_kernel(const struct tokens *t, const char *kernel, struct declared *out,
                    unsigned most, int *line)
{
    const struct named *found = find_kernel(t, kernel);
    *line = found && found->defined ? found->name.line : 0;
    return found ? params_at(t, found->open, out, most) : -1;
}

/* ---- variables ---------------------------------------------------------------------------- */

static bool marks_device(const struct token *at)
{
    return token_is(at, "__device__") || token_is(at, "__constant__") ||
           token_is(at, "__managed__");
}

/* Enters all that the statement at token i declares; a function is no variable. */
static int index_statement(struct tokens *t, size_t i, enum named_kind kind)
{
    struct base_type base;
    const size_t start = i;
    base_type_read(t, &i, t->count - 1, &base);
    for (;; i++) {
        struct declared *d = arena_alloc(t->arena, sizeof *d);
        int result = d ? declarator_read(t, &i, t->count - 1, &base, IN_VARIABLE, d) : -1;
        struct named is = {.kind = kind, .variable = d, .at = start};
        if (result != 0)
            return result < 0 ? -1 : 0;
        is.name = (struct token){TOKEN_WORD, d->name, strlen(d->name), 0};
        if (tokens_add_name(t, is) != 0)
            return -1;
        i = tokens_item_end(t, i);
        if (!token_is(&t->list[i], ","))
            return 0;
    }
}

static int index_variables(struct tokens *t, bool (*marks)(const struct token *),
                           enum named_kind kind)
{
    size_t start = 0; /* of the statement */
    for (size_t i = 0; i < t->count; i++) {
        if (ends_statement(&t->list[i]))
            start = i + 1;
        if (start > i || !marks(&t->list[i]))
            continue;
        if (index_statement(t, start, kind) != 0)
            return -1;
        start = t->count; /* seen, whatever other marks it has */
    }
    return 0;
}

static bool marks_shared(const struct token *at)
{
    return token_is(at, "__shared__");
}

/* Finds the nth variable of that name. If one statement has two of a name, they count as one. */
static int find_variable(const struct tokens *t, enum named_kind kind, const char *name,
                         unsigned nth, struct declared *out)
{
    size_t count;
    name = name_without_scopes(name);
    const struct named *all = tokens_named(t, kind, name, strlen(name), &count);
    if (!*name || nth >= count)
        return -1;
    *out = *all[nth].variable;
    return 0;
}

int declared_variable(const struct tokens *t, const char *name, struct declared *out)
{
    return find_variable(t, NAMED_VARIABLE, name, 0, out);
}

int declared_shared(const struct tokens *t, const char *name, unsigned nth, struct declared *out)
{
    return find_variable(t, NAMED_SHARED, name, nth, out);
}

int declared_shared_in(const struct tokens *t, const char *kernel, const char *name, unsigned nth,
                       struct declared *out)
{
    size_t count;
    const struct named *k = find_kernel(t, kernel);
    const struct named *all = tokens_named(t, NAMED_SHARED, name, strlen(name), &count);
    if (!k || !k->defined)
        return -1;
    const size_t body = tokens_skip_bracket(t, k->open), end = tokens_skip_bracket(t, body);
    for (size_t i = 0; i < count; i++)
        if (all[i].at > body && all[i].at < end && nth-- == 0) {
            *out = *all[i].variable;
            return 0;
        }
    return -1;
}

/* ---- the index of names ------------------------------------------------------------------- */

/* Enters `typedef ... name;`, but not the `typedef struct name name;` of C. */
static int index_typedef(struct tokens *t, size_t i)
{
    size_t end = tokens_item_end(t, i + 1);
    const struct token *name = &t->list[end - 1];
    if (end <= i + 2 || name->kind != TOKEN_WORD || token_same(name - 1, name))
        return 0;
    return tokens_add_name(t, (struct named){.kind = NAMED_TYPE, .name = *name, .at = i + 1});
}

/* Enters `struct name {` and `typedef struct ... {...} name`. */
static int index_struct(struct tokens *t, size_t i)
{
    bool tagged = t->list[i + 1].kind == TOKEN_WORD;
    size_t body = i + 1 + tagged;
    struct named is = {.kind = NAMED_STRUCT, .name = t->list[i + 1], .at = body};
    if (!token_is(&t->list[body], "{"))
        return 0;
    if (tagged && tokens_add_name(t, is) != 0)
        return -1;
    if (i == 0 || !token_is(&t->list[i - 1], "typedef"))
        return 0;
    size_t past = tokens_skip_bracket(t, body);
    is.name = t->list[past];
    return is.name.kind == TOKEN_WORD && token_is(&t->list[past + 1], ";") ? tokens_add_name(t, is)
                                                                           : 0;
}

/* `name =` is a constant where const, constexpr or enum stands up to five tokens before. */
static int index_constant(struct tokens *t, size_t i)
{
    for (size_t back = 1; back <= 5 && back <= i; back++) {
        const struct token *before = &t->list[i - back];
        if (token_is(before, ";") || token_is(before, "}") || token_is(before, ")"))
            return 0;
        if (token_is(before, "const") || token_is(before, "constexpr") || token_is(before, "enum"))
            return tokens_add_name(t, (struct named){.kind = NAMED_CONSTANT, .name = t->list[i],
                                                     .at = i + 2});
    }
    return 0;
}

static int index_token(struct tokens *t, size_t i)
{
    const struct token *at = &t->list[i];
    struct named found;
    if (at->kind != TOKEN_WORD)
        return 0;
    if (i > 0 && token_is(at + 1, "=") && index_constant(t, i) != 0)
        return -1;
    if (token_is(at, "__global__"))
        return kernel_at(t, i, &found) ? tokens_add_name(t, found) : 0;
    if (token_is(at, "typedef"))
        return index_typedef(t, i);
    if (token_is(at, "struct"))
        return index_struct(t, i);
    if (token_is(at, "using") && token_is(at + 2, "="))
        return tokens_add_name(t, (struct named){.kind = NAMED_TYPE, .name = at[1], .at = i + 3});
    return 0;
}

int declare_read(const char *text, size_t n, struct arena *arena, struct tokens *out)
{
    if (tokens_read(text, n, arena, out) != 0)
        return -1;
    for (size_t i = 0; i + 3 < out->count; i++)
        if (index_token(out, i) != 0)
            return -1;
    tokens_sort_names(out); /* variables' types and sizes need the names up to here */
    if (index_variables(out, marks_device, NAMED_VARIABLE) != 0 ||
        index_variables(out, marks_shared, NAMED_SHARED) != 0)
        return -1;
    tokens_sort_names(out);
    return 0;
}
