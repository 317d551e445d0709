/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file is taken apart into its definitions, those inside namespaces and extern "C" { }
 * included. Then a simple word search: what a shown part names is shown as well.
 */
#include "source/code-text.h"

#include "cc/tokens.h"

#include <string.h>

enum kind { KIND_OTHER, KIND_KERNEL, KIND_DEVICE, KIND_VARIABLE };

struct definition {
    enum kind kind;
    const struct token *name;
    size_t from, to; /* tokens, `to` is its last */
    bool shown;
};

struct file {
    struct tokens tokens;
    struct definition *list;
    unsigned count;
};

/* ---- taking the file apart ------------------------------------------------------------ */

static bool among(const struct token *t, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, *words))
            return true;
    return false;
}

static bool is_open(const struct token *t)
{
    return token_is(t, "(") || token_is(t, "[") || token_is(t, "{");
}

/* Words whose brackets belong to them: `__launch_bounds__(256)` names no function. */
static bool is_attribute(const struct token *t)
{
    static const char *const words[] = {"__launch_bounds__", "__attribute__", "__align__",
                                        "__cluster_dims__", "__maxnreg__", "alignas", "decltype",
                                        "__block_size__", "__declspec", NULL};
    return among(t, words);
}

/* Where the declaration at `i` ends: at its ; or at the } of its body. */
static size_t declaration_end(const struct tokens *t, size_t i)
{
    bool function = false, value = false;
    for (; t->list[i].kind != TOKEN_END; i++) {
        const struct token *here = &t->list[i];
        if (token_is(here, ";"))
            return i;
        value = value || token_is(here, "=");
        if (!is_open(here))
            continue;
        bool body = token_is(here, "{") && function && !value;
        bool own = i > 0 && is_attribute(&t->list[i - 1]);
        function = function || (token_is(here, "(") && !own);
        i = tokens_skip_bracket(t, i) - 1;
        if (body)
            return i;
    }
    return i - 1;
}

/* From token `i` to what ends a name: the ( of a function, or of a variable its [ = { , or ;.
 * *name is the word before it, NULL where there is none. */
static size_t name_end(const struct tokens *t, size_t i, size_t to, const struct token **name)
{
    static const char *const stops[] = {"(", "[", "=", "{", ",", ";", NULL};
    *name = NULL;
    while (i <= to && !among(&t->list[i], stops)) {
        const struct token *here = &t->list[i];
        bool brackets = is_attribute(here) && i < to && token_is(&t->list[i + 1], "(");
        if (here->kind == TOKEN_WORD && !brackets)
            *name = here;
        if (brackets || token_is(here, "<"))
            i = tokens_skip_bracket(t, i + brackets);
        else
            i++;
    }
    return i;
}

/* After the , that begins the next variable of a declaration; past `to`: there is no more. */
static size_t next_variable(const struct tokens *t, size_t i, size_t to)
{
    while (i <= to && !token_is(&t->list[i], ","))
        i = is_open(&t->list[i]) ? tokens_skip_bracket(t, i) : i + 1;
    return i + 1;
}

static bool has(const struct file *f, size_t from, size_t to, const char *word)
{
    for (size_t i = from; i <= to; i++)
        if (token_is(&f->tokens.list[i], word))
            return true;
    return false;
}

/* What is declared from `from` to `to`, given that its first name ends at `head`. */
static enum kind kind_of(const struct file *f, size_t from, size_t head, size_t to)
{
    bool function = token_is(&f->tokens.list[head], "(");
    bool body = token_is(&f->tokens.list[to], "}");
    bool device = has(f, from, head, "__device__");
    if (function && !body)
        return KIND_OTHER;
    if (function)
        return has(f, from, head, "__global__") ? KIND_KERNEL : device ? KIND_DEVICE : KIND_OTHER;
    return device || has(f, from, head, "__constant__") || has(f, from, head, "__managed__")
               ? KIND_VARIABLE : KIND_OTHER;
}

static void add_definitions(struct file *f, size_t from, size_t to)
{
    struct definition d = {KIND_OTHER, NULL, from, to, false};
    size_t head = name_end(&f->tokens, from, to, &d.name);
    if (!d.name || head > to)
        return;
    d.kind = kind_of(f, from, head, to);
    if (d.kind == KIND_OTHER)
        return;
    f->list[f->count++] = d;
    while (d.kind == KIND_VARIABLE && (head = next_variable(&f->tokens, head, to)) <= to) {
        head = name_end(&f->tokens, head, to, &d.name);
        if (d.name)
            f->list[f->count++] = d;
    }
}

/* `namespace a {` and `extern "C" {` only enclose: the tokens to pass, 0 where neither is. */
static size_t encloses(const struct tokens *t, size_t i)
{
    size_t k = i;
    if (token_is(&t->list[k], "extern") && t->list[k + 1].kind == TOKEN_LITERAL)
        k += 2;
    else if (token_is(&t->list[k], "namespace"))
        for (k++; t->list[k].kind == TOKEN_WORD || token_is(&t->list[k], "::") ||
                  token_is(&t->list[k], ":"); k++)
            ;
    return k > i && token_is(&t->list[k], "{") ? k + 1 - i : 0;
}

static int take_apart(struct file *f, struct span text, struct arena *arena)
{
    if (tokens_read(text.at, text.n, arena, &f->tokens) != 0)
        return -1;
    f->list = arena_get(arena, (f->tokens.count + 1) * sizeof *f->list);
    if (!f->list)
        return -1;
    for (size_t i = 0; f->tokens.list[i].kind != TOKEN_END;) {
        const struct token *here = &f->tokens.list[i];
        size_t pass = encloses(&f->tokens, i);
        if (pass == 0 && (token_is(here, "}") || token_is(here, ";")))
            pass = 1; /* the end of what encloses */
        if (pass == 0) {
            size_t to = declaration_end(&f->tokens, i);
            add_definitions(f, i, to);
            pass = to + 1 - i;
        }
        i += pass;
    }
    return 0;
}

/* ---- what is used --------------------------------------------------------------------- */

static bool names(const struct file *f, const struct definition *user, const struct token *name)
{
    for (size_t i = user->from; i <= user->to; i++)
        if (token_same(&f->tokens.list[i], name))
            return true;
    return false;
}

/* What the shown ones name; true: there was something new. */
static bool show_used(struct file *f)
{
    bool any = false;
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned k = 0; !f->list[i].shown && k < f->count; k++)
            if (f->list[i].kind != KIND_KERNEL && f->list[k].shown &&
                names(f, &f->list[k], f->list[i].name))
                any = f->list[i].shown = true;
    return any;
}

/* ---- lines ---------------------------------------------------------------------------- */

/* The first line of the comment that ends in this line; 0: none does. */
static int comment_start(struct span text, int line)
{
    struct span here = trim(line_at(text, line));
    if (begins(here, "//") && !begins(here, "//: "))
        return line;
    if (here.n < 2 || memcmp(here.at + here.n - 2, "*/", 2) != 0)
        return 0;
    for (; line > 0; line--) {
        here = trim(line_at(text, line));
        if (begins(here, "/*"))
            return line;
    }
    return 0;
}

static struct code_part part_of(const struct file *f, struct span text, const struct definition *d)
{
    struct code_part p = {f->tokens.list[d->from].line, f->tokens.list[d->to].line};
    for (int above; p.first > 1 && (above = comment_start(text, p.first - 1)) > 0;)
        p.first = above;
    return p;
}

/* Definitions of the wanted sort, one part where they share lines. */
static void add_parts(const struct file *f, struct span text, bool kernels, struct code_part *out,
                      unsigned *count)
{
    for (unsigned i = 0; i < f->count; i++) {
        if (!f->list[i].shown || (f->list[i].kind == KIND_KERNEL) != kernels)
            continue;
        struct code_part p = part_of(f, text, &f->list[i]);
        struct code_part *last = *count ? &out[*count - 1] : NULL;
        if (last && p.first >= last->first && p.first <= last->last + 1)
            last->last = p.last > last->last ? p.last : last->last;
        else
            out[(*count)++] = p;
    }
}

const struct code_part *code_parts(struct span text, const char *kernel, struct arena *arena,
                                   unsigned *count)
{
    struct file f = {0};
    *count = 0;
    if (take_apart(&f, text, arena) != 0)
        return NULL;
    struct code_part *parts = arena_get(arena, (f.count + 1) * sizeof *parts);
    for (unsigned i = 0; i < f.count; i++)
        f.list[i].shown = f.list[i].kind == KIND_KERNEL && token_is(f.list[i].name, kernel);
    while (show_used(&f))
        ;
    if (parts)
        add_parts(&f, text, true, parts, count);
    if (*count)
        add_parts(&f, text, false, parts, count);
    return parts;
}
