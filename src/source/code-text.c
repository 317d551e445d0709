/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file is split into its definitions, with those inside namespaces and extern "C" { }. Then
 * words are searched: a definition that a shown part names is shown as well.
 */
#include "source/code-lines.h"

#include "cc/tokens.h"

#include <string.h>

enum definition_kind { KIND_OTHER, KIND_KERNEL, KIND_DEVICE, KIND_VARIABLE };

struct definition {
    enum definition_kind kind;
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

static bool is_open(const struct token *t)
{
    return token_is(t, "(") || token_is(t, "[") || token_is(t, "{");
}

/* Finds the end of the declaration at `i`: its ; or the } of its body. */
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
        bool own = i > 0 && token_is_attribute(&t->list[i - 1]);
        function = function || (token_is(here, "(") && !own);
        i = tokens_skip_bracket(t, i) - 1;
        if (body)
            return i;
    }
    return i - 1;
}

/* Goes from token `i` to the token that ends a name: ( of a function, or [ = { , ; of a variable.
 * *name is the word before it. NULL: there is none. */
static size_t name_end(const struct tokens *t, size_t i, size_t to, const struct token **name)
{
    static const char *const stops[] = {"(", "[", "=", "{", ",", ";", NULL};
    *name = NULL;
    while (i <= to && !token_is_one_of(&t->list[i], stops)) {
        const struct token *here = &t->list[i];
        bool brackets = token_is_attribute(here) && i < to && token_is(&t->list[i + 1], "(");
        if (here->kind == TOKEN_WORD && !brackets)
            *name = here;
        if (brackets || token_is(here, "<"))
            i = tokens_skip_bracket(t, i + brackets);
        else
            i++;
    }
    return i;
}

/* Goes behind the , before the next variable of a declaration. Beyond `to`: there is no more. */
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

/* Says what is declared from `from` to `to`. Its first name ends at `head`. */
static enum definition_kind kind_of(const struct file *f, size_t from, size_t head, size_t to)
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

/* `namespace a {` and `extern "C" {` only enclose. Gives how many tokens they are; 0: neither is
 * here. */
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
    f->list = arena_alloc(arena, (f->tokens.count + 1) * sizeof *f->list);
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

static int index_definitions(struct file *f)
{
    for (unsigned i = 0; i < f->count; i++) {
        struct named is = {.kind = NAMED_DEFINITION, .name = *f->list[i].name, .at = i};
        if (tokens_add_name(&f->tokens, is) != 0)
            return -1;
    }
    tokens_sort_names(&f->tokens);
    return 0;
}

/* Marks the kernel and all that marked definitions name. `queue` has room for all definitions. */
static void show_used(struct file *f, const char *kernel, unsigned *queue)
{
    unsigned head = 0, tail = 0;
    for (unsigned i = 0; i < f->count; i++)
        if (f->list[i].kind == KIND_KERNEL && token_is(f->list[i].name, kernel))
            f->list[queue[tail++] = i].shown = true;
    for (; head < tail; head++)
        for (size_t i = f->list[queue[head]].from; i <= f->list[queue[head]].to; i++) {
            const struct token *t = &f->tokens.list[i];
            size_t count;
            const struct named *of =
                tokens_named(&f->tokens, NAMED_DEFINITION, t->at, t->length, &count);
            for (size_t k = 0; k < count; k++) {
                struct definition *d = &f->list[of[k].at];
                if (!d->shown && d->kind != KIND_KERNEL)
                    f->list[queue[tail++] = (unsigned)of[k].at].shown = true;
            }
        }
}

/* ---- lines ---------------------------------------------------------------------------- */

/* Gives the line that ends right before *start, without its blanks, and moves *start to its
 * start. */
static bool line_before(const char *text, const char **start, struct span *line)
{
    const char *end = *start - 1;
    if (*start == text)
        return false;
    for (*start = end; *start > text && (*start)[-1] != '\n';)
        --*start;
    *line = trim((struct span){*start, (size_t)(end - *start)});
    return true;
}

/* Counts the lines of the comment that ends right before *start, and moves *start to where it
 * starts. 0: there is no comment. */
static int comment_before(const char *text, const char **start)
{
    const char *at = *start;
    struct span line;
    int count = 1;
    if (!line_before(text, &at, &line))
        return 0;
    if (!begins(line, "//") || begins(line, "//: ")) {
        if (line.n < 2 || memcmp(line.at + line.n - 2, "*/", 2) != 0)
            return 0;
        for (; !begins(line, "/*"); count++)
            if (!line_before(text, &at, &line))
                return 0;
    }
    *start = at;
    return count;
}

static struct code_part part_of(const struct file *f, struct span text, const struct definition *d)
{
    const struct token *from = &f->tokens.list[d->from];
    struct code_part p = {from->line, f->tokens.list[d->to].line};
    const char *start = from->at;
    while (start > text.at && start[-1] != '\n')
        start--;
    for (int above; (above = comment_before(text.at, &start)) > 0;)
        p.first -= above;
    return p;
}

/* Adds the definitions of the wanted sort. Definitions that share lines become one part. */
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
    struct code_part *parts = arena_alloc(arena, (f.count + 1) * sizeof *parts);
    unsigned *queue = arena_alloc(arena, (f.count + 1) * sizeof *queue);
    if (!parts || !queue || index_definitions(&f) != 0)
        return NULL;
    show_used(&f, kernel, queue);
    add_parts(&f, text, true, parts, count);
    if (*count)
        add_parts(&f, text, false, parts, count);
    return parts;
}
