/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX no longer shows whether a barrier stands inside an `if` or behind one that returns: both are
 * the same branch. So the statement at the condition's line is looked up in the source. In the same
 * way the index of an access is read from its line. Nothing is evaluated, and where a line is not
 * understood, nothing is said.
 */
#include "own/cause.h"

#include "base/lines.h"
#include "base/num.h"
#include "cc/declare.h"
#include "os/asset.h"
#include "own/arrays.h"
#include "own/element-shape.h"
#include "own/type-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST_STATEMENT = 50 };

struct span kernel_source(const struct session *s, const char *file)
{
    char path[160];
    const struct unit *u = unit_of_path(s, file);
    if (u && u->source.len)
        return (struct span){buf_text(&u->source), u->source.len};
    for (size_t i = 0; s->units && i < s->units->text_count; i++)
        if (strcmp(s->units->texts[i].path, file) == 0)
            return s->units->texts[i].text;
    snprintf(path, sizeof path, "kernels/%.120s", base_name(file));
    const struct asset *asset = asset_find(path);
    return (struct span){asset ? (const char *)asset->data : "", asset ? asset->size : 0};
}

/* ---- the statement of a condition ------------------------------------------------------ */

static const char *const conditions[] = {"if", "while", "for", "switch", NULL};

static bool at_mark(const struct tokens *t, size_t i, const char *mark)
{
    return i < t->count && token_is(&t->list[i], mark);
}

static bool at_end(const struct tokens *t, size_t i)
{
    return i >= t->count || t->list[i].kind == TOKEN_END;
}

/* Behind the ( ... ) that belongs to the condition at i; i itself: it has none. */
static size_t skip_condition(const struct tokens *t, size_t i)
{
    size_t open = i + 1;
    if (at_mark(t, open, "constexpr"))
        open++;
    return at_mark(t, open, "(") ? tokens_skip_bracket(t, open) : i;
}

/* Behind the statement at i. */
static size_t skip_statement(const struct tokens *t, size_t i, int depth)
{
    if (at_end(t, i) || depth > DEEPEST_STATEMENT)
        return i;
    if (at_mark(t, i, "{"))
        return tokens_skip_bracket(t, i);
    if (token_is_one_of(&t->list[i], conditions) && skip_condition(t, i) > i) {
        bool has_else = at_mark(t, i, "if");
        i = skip_statement(t, skip_condition(t, i), depth + 1);
        return has_else && at_mark(t, i, "else") ? skip_statement(t, i + 1, depth + 1) : i;
    }
    while (!at_end(t, i) && !at_mark(t, i, ";") && !at_mark(t, i, "}")) {
        bool opens = at_mark(t, i, "(") || at_mark(t, i, "[") || at_mark(t, i, "{");
        i = opens ? tokens_skip_bracket(t, i) : i + 1;
    }
    return at_mark(t, i, ";") ? i + 1 : i;
}

/* The condition that stands on this line, or the first that reaches it. */
static size_t condition_at(const struct tokens *t, int line)
{
    for (size_t i = 0; !at_end(t, i) && t->list[i].line <= line; i++)
        if (token_is_one_of(&t->list[i], conditions)) {
            size_t behind = skip_condition(t, i);
            if (behind > i && t->list[behind - 1].line >= line)
                return i;
        }
    return t->count;
}

/* The word among these between two tokens, as one of them; NULL: there is none. */
static const char *word_between(const struct tokens *t, size_t from, size_t to,
                                const char *const *words)
{
    for (size_t i = from; i < to; i++)
        for (const char *const *w = words; t->list[i].kind == TOKEN_WORD && *w; w++)
            if (token_is(&t->list[i], *w))
                return *w;
    return NULL;
}

/* In which way does the condition keep threads from the barrier: "return" or "continue" before it,
 * or "loop", since they run the barrier's loop less often. NULL: the barrier is inside the
 * condition, or it is not known. */
static const char *way_past(const struct tokens *t, int condition, int barrier)
{
    static const char *const leaving[] = {"return", "continue", "break", NULL};
    const size_t at = condition_at(t, condition);
    if (at >= t->count)
        return NULL;
    const size_t body = skip_condition(t, at), end = skip_statement(t, at, 0);
    const int first = t->list[at].line, last = t->list[end - 1].line;
    const bool inside = barrier >= first && barrier <= last && first < last;
    const bool loop = at_mark(t, at, "while") || at_mark(t, at, "for");
    if (loop) /* do ... while (condition); stands behind its barrier */
        return inside || (at_mark(t, body, ";") && barrier < first) ? "loop" : NULL;
    const char *word = inside ? NULL : word_between(t, body, end, leaving);
    return word && strcmp(word, "break") == 0 ? "loop" : word;
}

static void read_condition(const struct session *s, struct fault *f)
{
    struct span text = kernel_source(s, f->at.file);
    struct arena memory = {0};
    struct tokens t = {0};
    if (tokens_read(text.at, text.n, &memory, &t) == 0)
        f->cause.way = way_past(&t, f->condition, f->at.line);
    arena_free(&memory);
}

/* ---- the index of an access ------------------------------------------------------------ */

/* Can the index be written once more, in an `if`? */
static bool is_plain_index(struct span index)
{
    if (!index.n || index.n >= sizeof(((struct fault *)0)->cause.index))
        return false;
    for (size_t i = 0; i < index.n; i++)
        if (!in_word(index.at[i]) && !strchr(" .+-*/%()", index.at[i]))
            return false;
        else if (i && strchr("+-", index.at[i]) && index.at[i - 1] == index.at[i])
            return false;
    return true;
}

/* The next NAME[INDEX] of a line; false: there is none. One with several indices has INDEX "". */
static bool next_access(struct span *line, struct span *name, struct span *index)
{
    const char *end = line->at + line->n, *open = memchr(line->at, '[', line->n), *from = open;
    int depth = 0;
    if (!open)
        return false;
    while (from > line->at && in_word(from[-1]))
        from--;
    *name = (struct span){from, (size_t)(open - from)};
    const char *close = open;
    for (; close < end; close++) {
        depth += (*close == '[') - (*close == ']');
        if (depth == 0)
            break;
    }
    *index = trim((struct span){open + 1, close > open ? (size_t)(close - open - 1) : 0});
    if (!name->n || (close + 1 < end && close[1] == '['))
        index->n = 0;
    const char *next = close < end ? open + 1 : end;
    *line = (struct span){next, (size_t)(end - next)};
    return true;
}

static bool same_span(struct span a, struct span b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* The index that all accesses of the line have, or all of the array with that name. `name` gets the
 * name before the last such index. */
static struct span common_index(struct span line, const char *array, struct span *name)
{
    struct span index, one, all = {"", 0}, own = {"", 0};
    bool all_same = true, own_same = true;
    while (next_access(&line, &one, &index)) {
        const bool is_own = same_text(one, array);
        all_same = all_same && (!all.n || same_span(all, index));
        own_same = own_same && (!is_own || !own.n || same_span(own, index));
        all = index;
        own = is_own ? index : own;
        *name = is_own || !own.n ? one : *name;
    }
    return own.n && own_same ? own : all_same ? all : SPAN("");
}

/* The kernel's whole number that was given as `value`; NULL: there is none. */
static const char *param_of_value(const struct unit_kernel *k, const struct own_call *c,
                                  uint64_t value)
{
    for (unsigned i = 0; k && c && i < c->arg_count; i++) {
        int64_t v;
        struct err ignored;
        if (num_int(c->args[i].text, 0, INT64_MAX, &v, &ignored) == 0 && (uint64_t)v == value)
            return unit_param_name(k, i);
    }
    return NULL;
}

/* The type that a pointer of this name points to, by the kernel's parameters or else by the first
 * `TYPE *name` of the source; false: there is none. */
static bool pointee_of(const struct unit_kernel *k, const struct tokens *t, struct span name,
                       char out[TYPE_ROOM])
{
    char bare[TYPE_ROOM];
    for (unsigned i = 0; k && i < k->info.param_count; i++) {
        const char *param = unit_param_name(k, i);
        if (param && same_text(name, param)) {
            type_bare(unit_param_type(k, i), bare);
            return type_pointee(bare, out);
        }
    }
    for (size_t i = 0; i + 2 < t->count; i++)
        if (t->list[i].kind == TOKEN_WORD && token_is(&t->list[i + 1], "*") &&
            same_span((struct span){t->list[i + 2].at, t->list[i + 2].length}, name)) {
            snprintf(out, TYPE_ROOM, "%.*s", (int)t->list[i].length, t->list[i].at);
            return true;
        }
    return false;
}

/* How many elements the array has, as the source counts them by `name`. 0: that is not known, or the
 * access is not past the array's end. */
static uint64_t elements_of(const struct session *s, const struct unit_kernel *k,
                            const struct tokens *t, struct span name, const struct fault *f)
{
    char type[TYPE_ROOM];
    const struct array *a = f->array[0] ? array_named(s, f->array) : NULL;
    if (!a || !f->has_address || f->address < a->address + array_bytes(a))
        return 0;
    if (!pointee_of(k, t, name, type))
        return a->count;
    const unsigned each = element_type_bytes(t, type, type[strlen(type) - 1] == '*');
    return each ? array_bytes(a) / each : 0;
}

static uint64_t threads_of(const struct own_call *c)
{
    uint64_t n = c != NULL;
    for (int i = 0; c && i < 3; i++)
        if (__builtin_mul_overflow(n, c->grid[i], &n) || __builtin_mul_overflow(n, c->block[i], &n))
            return 0;
    return n;
}

/* Does the file have `index < name` somewhere? */
static bool compares(const struct tokens *t, const char *index, const char *name)
{
    for (size_t i = 0; i + 2 < t->count; i++)
        if (token_is(&t->list[i], index) && token_is(&t->list[i + 1], "<") &&
            token_is(&t->list[i + 2], name))
            return true;
    return false;
}

/* A test of the index is there, but the number that was given for the size is too big. */
static void find_compared(const struct unit_kernel *k, const struct own_call *c,
                          const struct tokens *t, struct fault *f)
{
    for (unsigned i = 0; k && c && f->cause.elements && i < c->arg_count; i++) {
        int64_t v;
        struct err ignored;
        const char *name = unit_param_name(k, i);
        if (!name || num_int(c->args[i].text, 0, INT64_MAX, &v, &ignored) != 0 ||
            (uint64_t)v <= f->cause.elements || !compares(t, f->cause.index, name))
            continue;
        snprintf(f->cause.compared, sizeof f->cause.compared, "%s", name);
        f->cause.given = (uint64_t)v;
    }
}

/* Finds the parameter w of an index such as `row * w + column`. A test of the whole index does not
 * keep the column in its row. */
static void find_width(const struct unit_kernel *k, struct fault *f)
{
    const char *star = strchr(f->cause.index, '*'), *plus = strrchr(f->cause.index, '+');
    if (!k || !star || !plus)
        return;
    const char *from = star, *end = star + 1 + strspn(star + 1, " ");
    while (from > f->cause.index && from[-1] == ' ')
        from--;
    struct span before = {from, 0}, after = {end, 0};
    while (before.at > f->cause.index && in_word(before.at[-1])) {
        before.at--;
        before.n++;
    }
    while (in_word(end[after.n]))
        after.n++;
    for (unsigned i = 0; i < k->info.param_count; i++) {
        const char *name = unit_param_name(k, i);
        if (name && (same_text(before, name) || same_text(after, name)))
            snprintf(f->cause.width, sizeof f->cause.width, "%s", name);
    }
}

static void read_index(const struct session *s, const struct unit_kernel *k,
                       const struct own_call *c, struct fault *f)
{
    static const char *const barriers[] = {"__syncthreads", NULL};
    struct span text = kernel_source(s, f->at.file);
    struct span name = {"", 0}, index = common_index(line_at(text, f->at.line), f->array, &name);
    const char *size = NULL;
    struct arena memory = {0};
    struct tokens t = {0};
    const bool read = declare_read(text.at, text.n, &memory, &t) == 0;
    if (is_plain_index(index))
        snprintf(f->cause.index, sizeof f->cause.index, "%.*s", (int)index.n, index.at);
    f->cause.elements = elements_of(s, k, &t, name, f);
    f->cause.threads = threads_of(c);
    find_width(k, f);
    if (f->cause.elements)
        size = param_of_value(k, c, f->cause.elements);
    if (size)
        snprintf(f->cause.size, sizeof f->cause.size, "%s", size);
    else if (f->cause.elements)
        snprintf(f->cause.size, sizeof f->cause.size, "%" PRIu64, f->cause.elements);
    if (read) {
        f->cause.has_barrier = word_between(&t, 0, t.count, barriers);
        find_compared(k, c, &t, f);
    }
    arena_free(&memory);
}

void cause_find(const struct session *s, const struct unit_kernel *k, const struct own_call *c,
                struct fault *f)
{
    if (f->condition && !f->cause.way)
        read_condition(s, f);
    const struct array *a = f->array[0] ? array_named(s, f->array) : NULL;
    f->cause.own_array = a && !a->module && f->has_address && f->address >= a->address &&
                         f->address - a->address < array_bytes(a);
    if (f->cure && strcmp(f->cure, "bounds") == 0 && c && f->at.line && !f->in_child)
        read_index(s, k, c, f);
}
