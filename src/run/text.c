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
    struct span source;
    struct arena arena;
    struct tokens tokens;
    const struct token *list;
    size_t count;
};

/* Free the arena always. */
static bool split(struct span source, struct text *t)
{
    *t = (struct text){.source = source};
    if (!source.n || tokens_read(source.at, source.n, &t->arena, &t->tokens) != 0)
        return false;
    t->list = t->tokens.list;
    t->count = t->tokens.count;
    return true;
}

/* The text of the file that the place is in. */
static bool read_text(const struct run *r, const struct run_place *at, struct text *t)
{
    return split(at->line ? run_source_text(r, at->file) : SPAN(""), t);
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
 * cudaLaunchKernelEx is cudaLaunchKernelExC. NULL: of any function of CUDA. */
static bool calls(const struct text *t, size_t i, const char *name)
{
    const struct token *word = &t->list[i];
    if (word->kind != TOKEN_WORD || (!is(t, i + 1, "(") && !is(t, i + 1, "<")))
        return false;
    if (!name)
        return word->length > 2 && strncmp(word->at, "cu", 2) == 0;
    return word->length > 4 && word->length <= strlen(name) &&
           strncmp(word->at, name, word->length) == 0;
}

/* Behind the call's closing bracket. */
static size_t behind_call(const struct text *t, size_t call)
{
    size_t i = call + 1;
    if (is(t, i, "<"))
        i = tokens_skip_bracket(&t->tokens, i);
    return tokens_skip_bracket(&t->tokens, i);
}

static const char *const statement_ends[] = {";", "{", "}", NULL};

static size_t statement_of(const struct text *t, size_t i)
{
    while (i > 0 && !is_any(t, i - 1, statement_ends))
        i--;
    return i;
}

/* Does the line lie in the statement around these tokens? A compiler gives a call any line of its
 * statement. */
static bool at_line(const struct text *t, size_t from, size_t to, int line)
{
    from = statement_of(t, from);
    while (to + 1 < t->count && !is_any(t, to, statement_ends))
        to++;
    return t->list[from].line <= line && line <= t->list[to].line;
}

/* The next call at this line, from *i on. */
static bool next_call(const struct text *t, int line, const char *name, size_t *i)
{
    for (; *i < t->count; ++*i)
        if (calls(t, *i, name) && at_line(t, *i, behind_call(t, *i), line))
            return true;
    return false;
}

/* The only call at this line. */
static bool find_call(const struct text *t, int line, const char *name, size_t *at)
{
    size_t other;
    *at = 0;
    return next_call(t, line, name, at) && (other = *at + 1, !next_call(t, line, name, &other));
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

/* What is declared in the function has a type before it, or a variable of the same type. */
static bool is_declared(const struct text *t, size_t begin, size_t variable)
{
    static const char *const befores[] = {"cudaError_t", "cudaError", "CUresult", "nvrtcResult",
                                          "auto", "int", ",", NULL};
    for (size_t i = begin; i <= variable; i++)
        if (i > 0 && token_same(&t->list[i], &t->list[variable]) && is_any(t, i - 1, befores))
            return true;
    return false;
}

/* Is the variable that gets the value read again, before it gets another one? Where the function
 * ends is seen from its braces. What another function may read counts as read. */
static bool is_read_later(const struct text *t, size_t variable)
{
    static const char *const ends[] = {";", "}", NULL};
    static const char *const jumps[] = {"break", "continue", "goto", "case", "default", NULL};
    const struct token *name = &t->list[variable];
    int depth = 0, here;
    size_t begin = 0;
    bool straight = true; /* all before this is done as well */
    for (size_t i = 0; i < variable; i++) {
        if (is(t, i, "}") && depth == 1)
            begin = i;
        depth += is(t, i, "{") - is(t, i, "}");
    }
    here = depth;
    if (depth == 0 || !is_declared(t, begin, variable))
        return true;
    for (size_t i = variable + 1; i < t->count && depth > 0; i++) {
        depth += is(t, i, "{") - is(t, i, "}");
        straight = straight && depth >= here && !is_any(t, i, jumps);
        if (!token_same(&t->list[i], name))
            continue;
        if (is_read(t, i))
            return true;
        if (straight && depth == here && is_any(t, i - 1, ends))
            return false;
    }
    for (size_t i = begin; i < variable; i++) /* in a loop that comes here again */
        if (token_same(&t->list[i], name) && is_read(t, i) && !is(t, i + 1, ";"))
            return true;
    return false;
}

/* Is this colon that of a label, as in `case 1:`? */
static bool is_label(const struct text *t, size_t colon)
{
    static const char *const labels[] = {"case", "default", NULL};
    size_t i = statement_of(t, colon);
    if (!is_any(t, i, labels))
        return i + 1 == colon;
    while (i < colon && !is(t, i, "?"))
        i++;
    return i == colon;
}

/* Does the program look at the value of a call? The call's tokens end before `end`. */
static enum run_look look_at(const struct text *t, size_t call, size_t end)
{
    static const char *const begins[] = {";", "{", "}", "else", "do", NULL};
    static const char *const conditions[] = {"if", "for", "while", "switch", NULL};
    static const char *const operators[] = {"=", "!", "<", ">", "|", "+", "-", "&", "*", "^", NULL};
    static const char *const befores[] = {";", "{", "}", ")", "else", "cudaError_t", "auto",
                                          "cudaError", "CUresult", "int", NULL};
    size_t i = call;
    while (i && is(t, i - 1, "::"))
        i--;
    if (!is(t, end, ";") && t->list[end].kind != TOKEN_END)
        return RUN_LOOKED;
    if (i == 0 || is_any(t, i - 1, begins) || (is(t, i - 1, ":") && is_label(t, i - 1)))
        return RUN_NOT_LOOKED;
    if (is(t, i - 1, ")"))
        return is_any(t, before_bracket(t, i - 1), conditions) ? RUN_NOT_LOOKED : RUN_LOOKED;
    if (!is(t, i - 1, "=") || i < 3 || is_any(t, i - 2, operators) ||
        t->list[i - 2].kind != TOKEN_WORD || !is_any(t, i - 3, befores))
        return RUN_LOOKED;
    return is_read_later(t, i - 2) ? RUN_LOOKED : RUN_NOT_LOOKED;
}

/* A launch by <<<>>> has no value. */
static bool is_launch(const struct text *t, size_t i, const char *name)
{
    return strncmp(name, "cudaLaunch", 10) == 0 && is(t, i, "<<") && is(t, i + 1, "<");
}

/* What all calls at this line have in common. RUN_LOOK_UNKNOWN: there are none. */
static enum run_look look_at_line(const struct text *t, int line, const char *name, bool any)
{
    enum run_look look = RUN_LOOK_UNKNOWN;
    for (size_t i = 0; i < t->count; i++) {
        const bool launch = is_launch(t, i, name);
        if (!launch && !calls(t, i, any ? NULL : name))
            continue;
        const size_t end = launch ? i : behind_call(t, i);
        if (!at_line(t, i, end, line))
            continue;
        const enum run_look one = launch ? RUN_NOT_LOOKED : look_at(t, i, end);
        if (look != RUN_LOOK_UNKNOWN && look != one)
            return RUN_LOOKED;
        look = one;
    }
    return look;
}

/* ---- calls in macros ------------------------------------------------------------------- */

/* What the macro of this name stands for. It is a text of its own. *parameter: the first one, if it
 * has any. */
static bool read_macro(const struct text *t, const struct token *name, struct text *body,
                       struct token *parameter)
{
    struct token_reader all = tokens_of(t->source.at, t->source.n), rest;
    struct token each, word;
    *body = (struct text){.count = 0};
    *parameter = (struct token){.kind = TOKEN_END};
    while (token_next(&all, &each)) {
        word = each.kind == TOKEN_DIRECTIVE ? token_directive(&each, &rest) : each;
        if (each.kind != TOKEN_DIRECTIVE || !token_is(&word, "define") ||
            !token_next(&rest, &word) || !token_same(&word, name))
            continue;
        if (rest.at < rest.end && *rest.at == '(')
            while (token_next(&rest, &word) && !token_is(&word, ")"))
                if (parameter->kind == TOKEN_END && word.kind == TOKEN_WORD)
                    *parameter = word;
        return split((struct span){rest.at, (size_t)(rest.end - rest.at)}, body);
    }
    return false;
}

/* The macro is used at token `use`. */
static enum run_look look_in_macro(const struct text *t, size_t use, const struct text *body,
                                   const char *name)
{
    enum run_look look = RUN_LOOK_UNKNOWN;
    for (size_t i = 0; i < body->count; i++) {
        const bool launch = is_launch(body, i, name);
        if (!launch && !calls(body, i, name))
            continue;
        const size_t end = launch ? i : behind_call(body, i);
        const bool whole = i == 0 && body->list[end].kind == TOKEN_END;
        const enum run_look one =
            launch  ? RUN_NOT_LOOKED
            : whole ? look_at(t, use, is(t, use + 1, "(") ? behind_call(t, use) : use + 1)
                    : look_at(body, i, end);
        if (look != RUN_LOOK_UNKNOWN && look != one)
            return RUN_LOOKED;
        look = one;
    }
    return look;
}

static enum run_look look_in_macros(const struct text *t, int line, const char *name)
{
    enum run_look look = RUN_LOOK_UNKNOWN;
    for (size_t i = 0; i < t->count && look == RUN_LOOK_UNKNOWN; i++) {
        struct text body;
        struct token parameter;
        if (t->list[i].kind != TOKEN_WORD || !at_line(t, i, i + 1, line))
            continue;
        if (read_macro(t, &t->list[i], &body, &parameter))
            look = look_in_macro(t, i, &body, name);
        arena_free(&body.arena);
    }
    return look;
}

enum run_look run_look_of(const struct run *r, const struct run_place *at, const char *name)
{
    struct text t;
    enum run_look look = RUN_LOOK_UNKNOWN;
    if (read_text(r, at, &t)) {
        look = look_at_line(&t, at->line, name, false);
        if (look == RUN_LOOK_UNKNOWN)
            look = look_in_macros(&t, at->line, name);
        if (look == RUN_LOOK_UNKNOWN) /* the headers may make one function of another */
            look = look_at_line(&t, at->line, name, true);
        if (look == RUN_LOOK_UNKNOWN)
            look = RUN_LOOKED;
    }
    arena_free(&t.arena);
    return look;
}

/* ---- names of arrays ------------------------------------------------------------------- */

static bool has_word(const struct token *t, const char *part)
{
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= t->length; i++)
        if (memcmp(t->at + i, part, n) == 0)
            return true;
    return false;
}

/* A call that gives an array to the variable whose address is its first argument. */
static bool gives_array(const struct text *t, size_t i)
{
    const struct token *word = &t->list[i];
    return calls(t, i, NULL) && (has_word(word, "Malloc") || has_word(word, "Alloc")) &&
           !has_word(word, "Array") && !has_word(word, "Graph");
}

/* Behind a conversion to a pointer type, as in (void **)&a or reinterpret_cast<void **>(&a). */
static size_t behind_cast(const struct text *t, size_t i)
{
    if (is(t, i, "reinterpret_cast"))
        return tokens_skip_bracket(&t->tokens, i + 1) + 1;
    if (!is(t, i, "("))
        return i;
    const size_t end = tokens_skip_bracket(&t->tokens, i);
    return is(t, end - 2, "*") ? end : i;
}

/* Where the first argument of a call begins. */
static size_t first_argument(const struct text *t, size_t call)
{
    const size_t open = is(t, call + 1, "<") ? tokens_skip_bracket(&t->tokens, call + 1) : call + 1;
    return behind_cast(t, open + 1);
}

/* Does a call there give an array, or a macro that makes such a call? To the variable that is its
 * first argument, or whose address that is; or one does not see to which. */
enum gives { GIVES_NOTHING, GIVES_TO_ADDRESS, GIVES_TO_VARIABLE, GIVES_SOMEWHERE };

static enum gives what_gives(const struct text *t, size_t i)
{
    struct text body;
    struct token parameter;
    enum gives gives = gives_array(t, i) ? GIVES_TO_ADDRESS : GIVES_NOTHING;
    if (gives != GIVES_NOTHING || t->list[i].kind != TOKEN_WORD)
        return gives;
    if (read_macro(t, &t->list[i], &body, &parameter))
        for (size_t k = 0; k < body.count; k++) {
            if (!gives_array(&body, k))
                continue;
            const size_t at = first_argument(&body, k);
            const bool adds = is(&body, at, "&");
            const bool known = gives == GIVES_NOTHING && is(t, i + 1, "(") &&
                               token_same(&body.list[at + adds], &parameter);
            gives = !known ? GIVES_SOMEWHERE : adds ? GIVES_TO_VARIABLE : GIVES_TO_ADDRESS;
        }
    arena_free(&body.arena);
    return gives;
}

/* The text of `a`, `b.c` or `d[i]`, to which a call gives an array. Empty: it is something else. */
static void put_variable(const struct text *t, size_t call, enum gives gives, char *name,
                         size_t room)
{
    static const char *const parts[] = {"[", "]", ".", "->", "::", "+", "-", "*", NULL};
    static const char *const ends[] = {",", ")", NULL};
    size_t i = first_argument(t, call), n = 0;
    name[0] = 0;
    if (gives == GIVES_TO_ADDRESS && !is(t, i++, "&"))
        return;
    if (t->list[i].kind != TOKEN_WORD)
        return;
    for (; i < t->count && !is_any(t, i, ends); i++) {
        const struct token *each = &t->list[i];
        if ((each->kind != TOKEN_WORD && each->kind != TOKEN_NUMBER && !is_any(t, i, parts)) ||
            n + each->length >= room) {
            name[0] = 0;
            return;
        }
        memcpy(name + n, each->at, each->length);
        name[n += each->length] = 0;
    }
}

/* Is it not sure that all of this is done, one call after the other? */
static bool has_choice(const struct text *t, size_t from, size_t to)
{
    static const char *const choices[] = {"if", "else", "switch", "case", "goto", "?", NULL};
    for (size_t i = from; i < to; i++)
        if (is_any(t, i, choices) || (is(t, i, "&") && is(t, i + 1, "&")) ||
            (is(t, i, "|") && is(t, i + 1, "|")))
            return true;
    return false;
}

void run_name_of(const struct run *r, const struct run_place *at, unsigned number, bool in_order,
                 char *name, size_t room)
{
    struct text t;
    size_t first = 0, last = 0, wanted = 0;
    unsigned count = 0;
    bool clear = true;
    enum gives how = GIVES_NOTHING;
    name[0] = 0;
    if (!read_text(r, at, &t))
        t.count = 0;
    for (size_t i = 0; i < t.count; i++) {
        if (t.list[i].kind != TOKEN_WORD ||
            !at_line(&t, i, calls(&t, i, NULL) ? behind_call(&t, i) : i + 1, at->line))
            continue;
        const enum gives one = what_gives(&t, i);
        if (one == GIVES_NOTHING)
            continue;
        clear = clear && one != GIVES_SOMEWHERE;
        if (count == 0)
            first = i;
        if (count == number || count == 0) {
            wanted = i;
            how = one;
        }
        last = i;
        count++;
    }
    if (clear && (count == 1 || (in_order && number < count &&
                                 !has_choice(&t, statement_of(&t, first), last))))
        put_variable(&t, wanted, how, name, room);
    arena_free(&t.arena);
}

/* ---- elements for bytes ---------------------------------------------------------------- */

/* The tokens of an argument of a call, from *from on and before *to. The first one is 0. */
static bool argument(const struct text *t, size_t call, int which, size_t *from, size_t *to)
{
    int depth = 0, commas = 0;
    *from = is(t, call + 1, "<") ? tokens_skip_bracket(&t->tokens, call + 1) : call + 1;
    for (size_t i = *from; i < t->count; i++) {
        depth += (is(t, i, "(") || is(t, i, "[")) - (is(t, i, ")") || is(t, i, "]"));
        const bool ends = depth == 0 || (depth == 1 && is(t, i, ","));
        if (ends && commas == which) {
            *from += which == 0;
            *to = i;
            return true;
        }
        if (depth == 0)
            return false;
        if (ends && ++commas == which)
            *from = i + 1;
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

/* Are the tokens the bounds of the array of this name, as its declaration has them? For several
 * bounds they are a product. */
static bool are_bounds(const struct text *t, const struct token *name, size_t from, size_t to)
{
    for (size_t i = 0; i + 1 < t->count; i++) {
        size_t at = from, k = i + 1;
        if (!token_same(&t->list[i], name) || !is(t, k, "["))
            continue;
        for (bool same = true; same && is(t, k, "["); k = tokens_skip_bracket(&t->tokens, k)) {
            const size_t n = tokens_skip_bracket(&t->tokens, k) - k - 2;
            at += at > from && is(t, at, "*");
            same = n && at + n <= to && same_tokens(t, k + 1, at, n);
            at = same ? at + n : from;
        }
        if (at == to && at > from && !is(t, k, "["))
            return true;
    }
    return false;
}

/* The calls whose size is a number of bytes, and which argument that is. */
static const struct sized { const char *name; int size, symbol; } sized[] = {
    {"cudaMalloc", 1, -1},
    {"cudaMemcpyAsync", 2, -1},
    {"cudaMemcpy2DAsync", 4, -1},
    {"cudaMemcpyToSymbolAsync", 2, 0},
    {"cudaMemcpyFromSymbolAsync", 2, 1},
    {"cudaMemsetAsync", 2, -1}};

static bool has_count(const struct text *t, size_t call, const struct sized *s)
{
    size_t from, to, symbol, end;
    if (!argument(t, call, s->size, &from, &to))
        return false;
    if (counts_elements(t, from, to - from))
        return true;
    return s->symbol >= 0 && argument(t, call, s->symbol, &symbol, &end) && end == symbol + 1 &&
           are_bounds(t, &t->list[symbol], from, to);
}

bool run_counts_elements(const struct run *r, const struct run_place *at, const char *name)
{
    struct text t;
    size_t call;
    bool counts = false;
    if (read_text(r, at, &t))
        for (size_t i = 0; i < sizeof sized / sizeof sized[0] && !counts; i++)
            counts = strcmp(sized[i].name, name) == 0 && find_call(&t, at->line, name, &call) &&
                     has_count(&t, call, &sized[i]);
    arena_free(&t.arena);
    return counts;
}
