/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads one declaration. It reads the words that all its declarators share, then each
 * declarator with its stars and brackets, and writes the type in one spelling. Names made by
 * typedef and using are replaced by the types that they stand for.
 */
#include "cc/declarator.h"

#include "base/buf.h"

#include <string.h>

enum { DEEPEST_TYPEDEF = 8, MOST_STARS = 16, LONGEST_TYPE = 1000 };

static const char *find_typedef(const struct tokens *, const struct token *name, int depth);

const char *name_without_scopes(const char *name)
{
    for (const char *scope; (scope = strstr(name, "::"));)
        name = scope + 2;
    return name;
}

static bool is_storage(const struct token *t)
{
    static const char *const words[] = {
        "static",       "extern",        "inline",       "constexpr",           "register",
        "mutable",      "__device__",    "__constant__", "__managed__",         "__shared__",
        "__global__",   "__host__",      "thread_local", "__forceinline__",     "__noinline__",
        "__extension__", "__grid_constant__", NULL};
    return token_is_one_of(t, words);
}

static bool is_restrict(const struct token *t)
{
    return token_is(t, "__restrict__") || token_is(t, "__restrict") || token_is(t, "restrict");
}

size_t tokens_item_end(const struct tokens *t, size_t i)
{
    size_t start = i;
    while (t->list[i].kind != TOKEN_END) {
        const struct token *at = &t->list[i];
        bool sign = at->kind == TOKEN_MARK && at->length == 1;
        if (sign && strchr(",;)]}", *at->at))
            return i;
        bool template = token_is(at, "<") && i > start && t->list[i - 1].kind == TOKEN_WORD;
        i = sign && (strchr("([{", *at->at) || template) ? tokens_skip_bracket(t, i) : i + 1;
    }
    return i;
}

/* ---- what declarators share --------------------------------------------------------------- */

/* ns::Vec<float>::It */
static size_t skip_type_name(const struct tokens *t, size_t i, size_t end)
{
    if (token_is(&t->list[i], "::"))
        i++;
    while (i < end && t->list[i].kind == TOKEN_WORD) {
        i++;
        if (i < end && token_is(&t->list[i], "<"))
            i = tokens_skip_bracket(t, i);
        if (i + 1 >= end || !token_is(&t->list[i], "::"))
            break;
        i++;
    }
    return i < end ? i : end;
}

void base_type_read(const struct tokens *t, size_t *i, size_t end, struct base_type *out)
{
    bool keyword = false; /* struct or the like, which may have a body */
    *out = (struct base_type){0};
    for (; *i < end; ++*i) {
        const struct token *at = &t->list[*i];
        bool opens = *i + 1 < end && token_is(at + 1, "(");
        if (at->kind == TOKEN_LITERAL || is_storage(at)) {
            continue;
        } else if ((opens && token_is_attribute(at)) ||
                   (token_is(at, "[") && *i + 1 < end && token_is(at + 1, "["))) {
            *i = tokens_skip_bracket(t, *i + opens) - 1;
        } else if (keyword && token_is(at, "{")) {
            out->has_body = true;
            *i = tokens_skip_bracket(t, *i) - 1;
        } else if (at->kind == TOKEN_WORD && specifiers_take(&out->words, at->at, at->length)) {
            keyword |= specifiers_silent(at->at, at->length);
        } else if ((at->kind == TOKEN_WORD || token_is(at, "::")) &&
                   out->name_from == out->name_to && !out->has_body &&
                   !specifiers_type(&out->words)) {
            out->name_from = *i;
            out->name_to = skip_type_name(t, *i, end);
            *i = out->name_to - (out->name_to > *i);
        } else {
            break;
        }
    }
    if (*i > end)
        *i = end;
}

/* ---- spelling ----------------------------------------------------------------------------- */

/* Writes tokens as they are, with a space between two words and after commas. */
static void put_tokens(struct buf *out, const struct tokens *t, size_t from, size_t to)
{
    bool word_before = false;
    for (size_t i = from; i < to && out->len < LONGEST_TYPE; i++) {
        bool word = t->list[i].kind == TOKEN_WORD || t->list[i].kind == TOKEN_NUMBER;
        if (word && word_before)
            buf_putc(out, ' ');
        buf_add(out, t->list[i].at, t->list[i].length);
        if (token_is(&t->list[i], ","))
            buf_putc(out, ' ');
        word_before = word;
    }
}

static void put_base(struct buf *out, const struct tokens *t, const struct base_type *base,
                     int depth)
{
    const char *type = specifiers_type(&base->words);
    const struct token *name = &t->list[base->name_from];
    if (!type && base->name_to == base->name_from + 1) {
        type = specifiers_alias(name->at, name->length);
        if (!type)
            type = find_typedef(t, name, depth + 1);
    }
    bool pointer = type && *type && strchr("*&)", type[strlen(type) - 1]);
    if (base->words.is_const && !pointer && !(type && strncmp(type, "const ", 6) == 0))
        buf_puts(out, "const ");
    if (base->words.is_volatile && !pointer)
        buf_puts(out, "volatile ");
    if (type)
        buf_puts(out, type);
    else
        put_tokens(out, t, base->name_from, base->name_to);
}

/* ---- a declarator ------------------------------------------------------------------------- */

/* Reads stars, __restrict__, and const between stars. A const at the end belongs to the
 * variable. */
static void read_stars(const struct tokens *t, size_t *i, size_t end, struct buf *type,
                       struct declared *out)
{
    bool pending_const = false;
    int stars = 0;
    for (; *i < end && stars <= MOST_STARS; ++*i) {
        const struct token *at = &t->list[*i];
        if (token_is(at, "*") || token_is(at, "&")) {
            buf_puts(type, pending_const ? " const" : "");
            buf_putc(type, *at->at);
            pending_const = false;
            stars++;
        } else if (token_is(at, "const") || token_is(at, "volatile")) {
            pending_const |= token_is(at, "const") && stars > 0;
        } else if (is_restrict(at)) {
            out->restricted = true;
        } else if (!token_is(at, "...")) {
            return;
        }
    }
}

/* (*name) before [4] or (int): the name is the last word in the brackets. */
static void read_inner(const struct tokens *t, size_t *i, size_t end, const struct token **name)
{
    size_t close = tokens_skip_bracket(t, *i);
    for (; *i < close && *i < end; ++*i) {
        const struct token *at = &t->list[*i];
        if (at->kind == TOKEN_WORD && !token_is(at, "const") && !is_restrict(at))
            *name = at;
    }
}

/* [4][N]; -1 where there are more than is allowed. */
static int read_dims(const struct tokens *t, size_t *i, size_t end, struct declared *out)
{
    while (*i < end && token_is(&t->list[*i], "[")) {
        size_t past = tokens_skip_bracket(t, *i);
        int64_t value;
        if (past > end || !token_is(&t->list[past - 1], "]") || out->dim_count == DECLARED_DIMS)
            return -1;
        bool known = tokens_value(t, *i + 1, past - 1, &value) && value > 0;
        out->dims[out->dim_count++] = known ? (uint64_t)value : 0;
        *i = past;
    }
    return 0;
}

static const char *keep(const struct tokens *t, const struct buf *text)
{
    return text->failed ? NULL : arena_text(t->arena, buf_text(text), text->len);
}

static int keep_text(const struct tokens *t, const char *text, size_t length, const char **out)
{
    *out = arena_text(t->arena, text, length);
    return *out ? 0 : -1;
}

/* Gives the type that a type's last star points to, without the star and without const. */
static int keep_pointee(const struct tokens *t, struct declared *out)
{
    const char *from = out->type;
    size_t length = strlen(from);
    out->is_pointer = length && strchr("*&", from[length - 1]);
    if (!out->is_pointer)
        return 0;
    while (length && strchr("*&", from[length - 1])) {
        bool star = from[--length] == '*';
        if (star || !length || from[length - 1] != '&')
            break;
    }
    if (length > 6 && memcmp(from + length - 6, " const", 6) == 0)
        length -= 6;
    for (int pass = 0; pass < 2; pass++) {
        size_t skip = strncmp(from, "const ", 6) == 0      ? 6
                      : strncmp(from, "volatile ", 9) == 0 ? 9
                                                           : 0;
        from += skip;
        length -= skip;
    }
    return keep_text(t, from, length, &out->pointee);
}

static void put_dims(struct buf *type, const struct declared *of, unsigned first)
{
    for (unsigned d = first; d < of->dim_count; d++) {
        if (of->dims[d])
            buf_printf(type, "[%llu]", (unsigned long long)of->dims[d]);
        else
            buf_puts(type, "[]");
    }
}

/* The first dimension of a parameter makes a pointer: float a[] is float*, float a[][4] is float
 * (*)[4]. */
static int keep_array_parameter(const struct tokens *t, struct buf *type, struct declared *out)
{
    size_t element = type->len;
    if (out->dim_count == 1) {
        buf_putc(type, '*');
        out->dim_count = 0;
        return (out->type = keep(t, type)) ? keep_pointee(t, out) : -1;
    }
    put_dims(type, out, 1);
    if (!(out->pointee = keep(t, type)))
        return -1;
    struct buf whole = {0};
    buf_add(&whole, type->data, element);
    buf_puts(&whole, " (*)");
    put_dims(&whole, out, 1);
    out->type = keep(t, &whole);
    buf_free(&whole);
    out->is_pointer = true;
    out->dim_count = 0;
    return out->type ? 0 : -1;
}

/* Reads int (*f)(int) and float (*p)[4], from the second bracket on. */
static int keep_pointer_to(const struct tokens *t, size_t *i, size_t end, struct buf *type,
                           struct declared *out)
{
    struct buf pointee = {0};
    buf_puts(&pointee, buf_text(type));
    buf_puts(type, " (*)");
    size_t from = *i;
    while (*i < end && (token_is(&t->list[*i], "(") || token_is(&t->list[*i], "[")))
        *i = tokens_skip_bracket(t, *i);
    if (*i > end)
        *i = end;
    put_tokens(type, t, from, *i);
    put_tokens(&pointee, t, from, *i);
    out->is_pointer = true;
    out->pointee = keep(t, &pointee);
    out->type = keep(t, type);
    buf_free(&pointee);
    return out->pointee && out->type ? 0 : -1;
}

static int read_after_stars(const struct tokens *t, size_t *i, size_t end, struct buf *type,
                            enum declarator_place place, struct declared *out)
{
    const struct token *name = NULL;
    bool inner = *i + 1 < end && token_is(&t->list[*i], "(") &&
                 (token_is(&t->list[*i + 1], "*") || token_is(&t->list[*i + 1], "&"));
    if (inner)
        read_inner(t, i, end, &name);
    else if (*i < end && t->list[*i].kind == TOKEN_WORD)
        name = &t->list[(*i)++];
    if (keep_text(t, name ? name->at : "", name ? name->length : 0, &out->name) != 0)
        return -1;
    if (inner)
        return keep_pointer_to(t, i, end, type, out);
    if (read_dims(t, i, end, out) != 0 || (*i < end && token_is(&t->list[*i], "(")))
        return 1;
    if (place == IN_PARAMETER && out->dim_count)
        return keep_array_parameter(t, type, out);
    return (out->type = keep(t, type)) ? keep_pointee(t, out) : -1;
}

static int read_declarator(const struct tokens *t, size_t *i, size_t end,
                           const struct base_type *base, enum declarator_place place, int depth,
                           struct declared *out)
{
    struct buf type = {0};
    *out = (struct declared){.name = "", .type = ""};
    put_base(&type, t, base, depth);
    read_stars(t, i, end, &type, out);
    int result = read_after_stars(t, i, end, &type, place, out);
    buf_free(&type);
    return result;
}

int declarator_read(const struct tokens *t, size_t *i, size_t end, const struct base_type *base,
                    enum declarator_place place, struct declared *out)
{
    return read_declarator(t, i, end, base, place, 0, out);
}

/* ---- typedef and using -------------------------------------------------------------------- */

/* Reads the type at token i, behind `typedef` or `using name =`. NULL: it is no simple type. */
static const char *aliased_type(const struct tokens *t, size_t i, int depth)
{
    struct base_type base;
    struct declared made;
    size_t end = tokens_item_end(t, i);
    base_type_read(t, &i, end, &base);
    if (base.has_body || read_declarator(t, &i, end, &base, IN_VARIABLE, depth, &made) != 0)
        return NULL;
    return *made.type && !made.dim_count ? made.type : NULL;
}

/* The first definition of the name counts, so no typedef can lead back to itself. */
static const char *find_typedef(const struct tokens *t, const struct token *name, int depth)
{
    size_t count;
    const struct named *found = tokens_named(t, NAMED_TYPE, name->at, name->length, &count);
    return count && depth <= DEEPEST_TYPEDEF ? aliased_type(t, found->at, depth) : NULL;
}
