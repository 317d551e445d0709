/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding declarations in a source: kernels by __global__, variables by __device__ and its like.
 * How a declaration is read is declarator.c's business.
 */
#include "cc/declare.h"
#include "cc/declarator.h"

#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------ */

static bool ends_statement(const struct token *at)
{
    return at->kind == TOKEN_END || token_is(at, ";") || token_is(at, "{") || token_is(at, "}");
}

/* What stands before a function's name and takes a bracket, like __launch_bounds__(256). */
static bool takes_bracket(const struct token *at)
{
    return at->length > 4 && memcmp(at->at, "__", 2) == 0 &&
           memcmp(at->at + at->length - 2, "__", 2) == 0;
}

/* The function that __global__ at token i declares; false: there is none. */
static bool kernel_at(const struct tokens *t, size_t i, struct kernel_place *out)
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
            *out = (struct kernel_place){.name = i, .open = after};
            after = tokens_skip_bracket(t, after);
            out->defined = token_is(&t->list[after], "{") || token_is(&t->list[after], "->");
            if (!takes_bracket(at))
                return true;
        }
        i = after - 1;
    }
    return false;
}

/* All of them, found once: a file may have thousands, and each is asked for by its name. */
static int find_kernels(struct tokens *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct kernel_place here;
        if (!token_is(&t->list[i], "__global__") || !kernel_at(t, i, &here))
            continue;
        t->kernels = tokens_grow(t->arena, t->kernels, t->kernel_count, &t->kernel_room,
                                 sizeof *t->kernels);
        if (!t->kernels)
            return -1;
        t->kernels[t->kernel_count++] = here;
    }
    t->knows_kernels = true;
    return 0;
}

/* The definition of a kernel, or else its first declaration. */
static const struct kernel_place *find_kernel(struct tokens *t, const char *name)
{
    const struct kernel_place *found = NULL;
    name = name_without_scopes(name);
    if (!t->knows_kernels && find_kernels(t) != 0)
        return NULL;
    for (size_t i = 0; i < t->kernel_count; i++) {
        const struct kernel_place *here = &t->kernels[i];
        if (!token_is(&t->list[here->name], name))
            continue;
        if (here->defined)
            return here;
        found = found ? found : here;
    }
    return found;
}

/* Up to the default value, if there is one. */
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

int declared_kernel(struct tokens *t, const char *kernel, struct declared *out, unsigned most,
                    int *line)
{
    const struct kernel_place *place = find_kernel(t, kernel);
    *line = place && place->defined ? t->list[place->name].line : 0;
    return place ? params_at(t, place->open, out, most) : -1;
}

int declared_params(const char *text, size_t n, const char *kernel, struct arena *arena,
                    struct declared *out, unsigned most)
{
    struct tokens t;
    int line;
    return tokens_read(text, n, arena, &t) == 0 ? declared_kernel(&t, kernel, out, most, &line)
                                                : -1;
}

int source_line(const char *text, size_t n, const char *kernel)
{
    struct tokens t;
    struct arena arena;
    int line = 0;
    arena_init(&arena, NULL);
    if (tokens_read(text, n, &arena, &t) == 0)
        declared_kernel(&t, kernel, NULL, 0, &line);
    arena_free(&arena);
    return line;
}

/* ---- variables ---------------------------------------------------------------------------- */

static bool marks_variable(const struct token *at)
{
    return token_is(at, "__device__") || token_is(at, "__constant__") ||
           token_is(at, "__managed__");
}

/* All declarators of the statement at token i; 1: the one that is looked for is not among them. */
static int variable_in(const struct tokens *t, size_t i, const char *name, struct declared *out)
{
    struct base_type base;
    base_type_read(t, &i, t->count - 1, &base);
    for (;; i++) {
        int result = declarator_read(t, &i, t->count - 1, &base, IN_VARIABLE, out);
        if (result != 0)
            return result;
        if (strcmp(out->name, name) == 0)
            return 0;
        i = tokens_item_end(t, i);
        if (!token_is(&t->list[i], ","))
            return 1;
    }
}

/* The variable of that name in the statement of the nth mark, 0 for the first, that has one. */
static int find_variable(const struct tokens *t, const char *name,
                         bool (*marks)(const struct token *), unsigned nth, struct declared *out)
{
    size_t start = 0; /* of the statement */
    name = name_without_scopes(name);
    for (size_t i = 0; *name && i < t->count; i++) {
        if (ends_statement(&t->list[i]))
            start = i + 1;
        if (start > i || !marks(&t->list[i]))
            continue;
        int result = variable_in(t, start, name, out);
        start = t->count; /* seen, whatever other marks it has */
        if (result < 0 || (result == 0 && nth-- == 0))
            return result;
    }
    return -1;
}

int declared_variable_in(const struct tokens *t, const char *name, struct declared *out)
{
    return find_variable(t, name, marks_variable, 0, out);
}

static bool marks_shared(const struct token *at)
{
    return token_is(at, "__shared__");
}

int declared_shared_in(const struct tokens *t, const char *name, unsigned nth, struct declared *out)
{
    return find_variable(t, name, marks_shared, nth, out);
}

int declared_variable(const char *text, size_t n, const char *name, struct arena *arena,
                      struct declared *out)
{
    struct tokens t;
    return tokens_read(text, n, arena, &t) == 0 ? declared_variable_in(&t, name, out) : -1;
}
