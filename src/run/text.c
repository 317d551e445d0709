/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the student's text says about a call. The library sees that a call has failed, but not
 * whether the program looks at the value that it returned. It sees how many bytes a copy has, but
 * not whether they were meant as elements. The text tells both. Where it is not clear, nothing is
 * told.
 */
#include "run/run.h"

#include "cc/tokens.h"

#include "cudalab_runtime_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct text {
    struct arena arena;
    struct tokens tokens;
    const struct token *list;
    size_t count;
};

/* The text of the file that the place is in. Free the arena always. */
static bool read_text(const struct run *r, const struct run_place *at, struct text *t)
{
    const struct span text = at->line ? run_source_text(r, at->file) : (struct span){"", 0};
    *t = (struct text){.count = 0};
    if (!text.n || tokens_read(text.at, text.n, &t->arena, &t->tokens) != 0)
        return false;
    t->list = t->tokens.list;
    t->count = t->tokens.count;
    return true;
}

static bool is(const struct text *t, size_t i, const char *what)
{
    return i < t->count && token_is(&t->list[i], what);
}

static bool is_any(const struct text *t, size_t i, const char *const *of)
{
    return i < t->count && token_is_one_of(&t->list[i], of);
}

/* A call of the function, by its name or by one that the toolkit's headers make it of:
 * cudaLaunchKernelEx is cudaLaunchKernelExC. */
static bool calls(const struct text *t, size_t i, const char *name)
{
    const struct token *word = &t->list[i];
    return word->kind == TOKEN_WORD && word->length > 4 && word->length <= strlen(name) &&
           strncmp(word->at, name, word->length) == 0 && (is(t, i + 1, "(") || is(t, i + 1, "<"));
}

/* The call that the compiler has at this line. It may begin some lines above. */
static bool find_call(const struct text *t, int line, const char *name, size_t *at)
{
    enum { ABOVE = 6 };
    bool found = false;
    for (size_t i = 0; i < t->count && t->list[i].line <= line; i++)
        if (t->list[i].line > line - ABOVE && calls(t, i, name)) {
            *at = i;
            found = true;
        }
    return found;
}

/* ---- the value of a call --------------------------------------------------------------- */

/* The token before the bracket that the one at i closes. */
static size_t before_bracket(const struct text *t, size_t i)
{
    int depth = 0;
    for (; i > 0; i--) {
        depth += is(t, i, ")") - is(t, i, "(");
        if (depth == 0)
            return i - 1;
    }
    return 0;
}

static bool is_read(const struct text *t, size_t i)
{
    return !is(t, i + 1, "=") || is(t, i + 2, "=");
}

/* Is the variable that gets the value read again, before it gets another one? Where the function
 * ends is seen from its braces. */
static bool is_read_later(const struct text *t, size_t variable)
{
    static const char *const ends[] = {";", "}", NULL};
    const struct token *name = &t->list[variable];
    int depth = 0, here;
    size_t begin = 0;
    for (size_t i = 0; i < variable; i++) {
        if (is(t, i, "}") && depth == 1)
            begin = i;
        depth += is(t, i, "{") - is(t, i, "}");
    }
    here = depth;
    for (size_t i = variable + 1; i < t->count && depth > 0; i++) {
        depth += is(t, i, "{") - is(t, i, "}");
        if (!token_same(&t->list[i], name))
            continue;
        if (is_read(t, i))
            return true;
        if (depth == here && is_any(t, i - 1, ends))
            return false;
    }
    for (size_t i = begin; i < variable; i++) /* in a loop that comes here again */
        if (token_same(&t->list[i], name) && is_read(t, i) && !is(t, i + 1, ";"))
            return true;
    return false;
}

static enum run_look look_at(const struct text *t, size_t call)
{
    static const char *const begins[] = {";", "{", "}", "else", "do", NULL};
    static const char *const conditions[] = {"if", "for", "while", "switch", NULL};
    static const char *const operators[] = {"=", "!", "<", ">", "|", "+", "-", "&", "*", "^", NULL};
    static const char *const befores[] = {";", "{", "}", ")", "else", "cudaError_t", "auto",
                                          "cudaError", "int", NULL};
    size_t i = call;
    while (i && is(t, i - 1, "::"))
        i--;
    if (i == 0 || t->list[i - 1].kind == TOKEN_DIRECTIVE || is_any(t, i - 1, begins))
        return RUN_NOT_LOOKED;
    if (is(t, i - 1, ")"))
        return is_any(t, before_bracket(t, i - 1), conditions) ? RUN_NOT_LOOKED : RUN_LOOKED;
    if (!is(t, i - 1, "=") || i < 3 || is_any(t, i - 2, operators) ||
        t->list[i - 2].kind != TOKEN_WORD || !is_any(t, i - 3, befores))
        return RUN_LOOKED;
    return is_read_later(t, i - 2) ? RUN_LOOKED : RUN_NOT_LOOKED;
}

/* A launch by <<<>>> has no value. */
static bool is_launch(const struct text *t, int line, const char *name)
{
    enum { BELOW = 3 };
    if (strncmp(name, "cudaLaunch", 10) != 0)
        return false;
    for (size_t i = 0; i < t->count && t->list[i].line <= line + BELOW; i++)
        if (t->list[i].line >= line && is(t, i, "<<") && is(t, i + 1, "<"))
            return true;
    return false;
}

enum run_look run_look_of(const struct run *r, const struct run_place *at, const char *name)
{
    struct text t;
    size_t call;
    enum run_look look = RUN_LOOK_UNKNOWN;
    if (read_text(r, at, &t)) {
        if (is_launch(&t, at->line, name))
            look = RUN_NOT_LOOKED;
        else if (find_call(&t, at->line, name, &call))
            look = look_at(&t, call);
    }
    arena_free(&t.arena);
    return look;
}

/* ---- elements for bytes ---------------------------------------------------------------- */

/* The tokens of the third argument of a call. */
static bool third_argument(const struct text *t, size_t call, size_t *from, size_t *to)
{
    int depth = 0, commas = 0;
    *from = 0;
    for (size_t i = call + 1; i < t->count; i++) {
        depth += (is(t, i, "(") || is(t, i, "[")) - (is(t, i, ")") || is(t, i, "]"));
        if (depth == 0)
            return false;
        if (depth != 1 || !is(t, i, ","))
            continue;
        if (++commas == 2)
            *from = i + 1;
        if (commas == 3) {
            *to = i;
            return true;
        }
    }
    return false;
}

static bool same_tokens(const struct text *t, size_t a, size_t b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (b + k >= t->count || !token_same(&t->list[a + k], &t->list[b + k]))
            return false;
    return true;
}

/* Does the text multiply the same expression by a sizeof somewhere? Then it counts elements. */
static bool counts_elements(const struct text *t, size_t from, size_t n)
{
    static const char *const others[] = {"/", "sizeof", ">>", "?", NULL};
    enum { LONGEST = 8 };
    if (n == 0 || n > LONGEST)
        return false;
    for (size_t k = 0; k < n; k++)
        if (is_any(t, from + k, others))
            return false;
    for (size_t i = 1; i + n + 1 < t->count; i++) {
        if (!same_tokens(t, from, i, n))
            continue;
        if (is(t, i + n, "*") && is(t, i + n + 1, "sizeof"))
            return true;
        if (i > 2 && is(t, i - 1, "*") && is(t, i - 2, ")") &&
            is(t, before_bracket(t, i - 2), "sizeof"))
            return true;
    }
    return false;
}

bool run_counts_elements(const struct run *r, const struct run_place *at)
{
    struct text t;
    size_t call, from, to;
    const bool counts = read_text(r, at, &t) && find_call(&t, at->line, "cudaMemcpyAsync", &call) &&
                        third_argument(&t, call, &from, &to) &&
                        counts_elements(&t, from, to - from);
    arena_free(&t.arena);
    return counts;
}
