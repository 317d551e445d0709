/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations: directives in any order (space, type, .align, .v2), then names with sizes
 * and initial values. Initial values are laid out flat; a row that is written shorter than
 * it is gets zeros, as in C.
 */
#include "ptx/parse.h"

#include "base/lines.h"

#include <string.h>

enum { MOST_DIMENSIONS = 8, MOST_VALUES = 1 << 22 };
#define MOST_ELEMENTS (UINT64_C(1) << 40)

static const struct {
    char name[11];
    unsigned char size;
} types[] = {
    [PTX_NONE] = {"", 0},        [PTX_PRED] = {"pred", 1},      [PTX_B8] = {"b8", 1},
    [PTX_B16] = {"b16", 2},      [PTX_B32] = {"b32", 4},        [PTX_B64] = {"b64", 8},
    [PTX_B128] = {"b128", 16},   [PTX_U8] = {"u8", 1},          [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},      [PTX_U64] = {"u64", 8},        [PTX_S8] = {"s8", 1},
    [PTX_S16] = {"s16", 2},      [PTX_S32] = {"s32", 4},        [PTX_S64] = {"s64", 8},
    [PTX_F16] = {"f16", 2},      [PTX_F16X2] = {"f16x2", 4},    [PTX_BF16] = {"bf16", 2},
    [PTX_BF16X2] = {"bf16x2", 4}, [PTX_F32] = {"f32", 4},       [PTX_F64] = {"f64", 8},
    [PTX_TEXREF] = {"texref", 8}, [PTX_SURFREF] = {"surfref", 8},
    [PTX_SAMPLERREF] = {"samplerref", 8},
};

enum ptx_type ptx_type_named(const char *word, size_t n)
{
    for (int t = PTX_PRED; t <= PTX_SAMPLERREF; t++)
        if (strlen(types[t].name) == n && memcmp(types[t].name, word, n) == 0)
            return (enum ptx_type)t;
    return PTX_NONE;
}

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

unsigned ptx_type_size(enum ptx_type type)
{
    return (unsigned)type <= PTX_SAMPLERREF ? types[type].size : 0;
}

/* ---- the directives before the names -------------------------------------------------- */

static int alignment(struct parser *p, unsigned *align)
{
    struct ptx_token first = p->lex.token;
    uint64_t n;
    if (size_constant(p, 1 << 20, "an alignment", &n) != 0)
        return -1;
    if (n == 0 || (n & (n - 1)) != 0)
        return lex_fail(&p->lex, &first, "an alignment is a power of two");
    *align = (unsigned)n;
    return 0;
}

/* .ptr .global .align 4: what a pointer parameter points to, which nobody here asks. */
static int pointee(struct parser *p)
{
    unsigned ignored;
    int d = directive_here(p);
    if (d >= DIRECTIVE_SPACE && d < DIRECTIVE_TYPE)
        lex_next(&p->lex);
    if (directive_here(p) != DIRECTIVE_ALIGN)
        return 0;
    lex_next(&p->lex);
    return alignment(p, &ignored);
}

/* .const[2]: only old PTX names a bank, and it changes nothing. */
static int constant_bank(struct parser *p)
{
    uint64_t bank;
    if (!take(p, '['))
        return 0;
    return size_constant(p, 10, "a constant bank", &bank) != 0 ? -1 : expect(p, ']', "']'");
}

/* .attribute(.managed), and what may come. */
static int attribute(struct parser *p, struct ptx_variable *v)
{
    static const char managed[] = ".managed";
    const char *from = p->lex.token.at;
    if (skip_parentheses(p) != 0)
        return -1;
    for (; from + sizeof managed < p->lex.token.at; from++)
        v->is_managed = v->is_managed || memcmp(from, managed, sizeof managed - 1) == 0;
    return 0;
}

static int one_attribute(struct parser *p, struct ptx_variable *v, int d)
{
    if (d >= DIRECTIVE_TYPE)
        v->type = (enum ptx_type)(d - DIRECTIVE_TYPE);
    else if (d >= DIRECTIVE_SPACE)
        v->space = (enum ptx_space)(d - DIRECTIVE_SPACE);
    else if (d == DIRECTIVE_ALIGN)
        return alignment(p, &v->align);
    else if (d == DIRECTIVE_V2 || d == DIRECTIVE_V4)
        v->vector = d == DIRECTIVE_V2 ? 2 : 4;
    else if (d == DIRECTIVE_PTR)
        return pointee(p);
    else
        return attribute(p, v);
    return v->space == PTX_CONST ? constant_bank(p) : 0;
}

static int attributes(struct parser *p, struct ptx_variable *v)
{
    for (int d; (d = directive_here(p)) >= 0;) {
        lex_next(&p->lex);
        if (one_attribute(p, v, d) != 0)
            return -1;
    }
    if (v->type == PTX_NONE && v->space == PTX_TEX)
        v->type = PTX_TEXREF;
    return v->type == PTX_NONE ? unexpected(p, "a type such as .b32") : 0;
}

/* ---- names ---------------------------------------------------------------------------- */

unsigned current_scope(const struct parser *p)
{
    return p->depth ? p->scopes[p->depth - 1].id : 0;
}

static int bind_variable(struct parser *p, struct word *w, struct ptx_variable *v)
{
    if (p->depth) {
        struct shadowed *s = push(p, &p->shadowed);
        if (!s)
            return -1;
        *s = (struct shadowed){w, w->variable, w->range, w->variable_scope, w->range_scope};
    }
    if (v->range) {
        w->range = v;
        w->range_scope = current_scope(p);
    } else {
        w->variable = v;
        w->variable_scope = current_scope(p);
    }
    return 0;
}

static int dimensions(struct parser *p, struct ptx_variable *v, uint64_t dims[], unsigned *count)
{
    v->count = 1;
    for (*count = 0; take(p, '['); ++*count) {
        struct ptx_token first = p->lex.token;
        uint64_t size = 1;
        if (*count == MOST_DIMENSIONS)
            return lex_fail(&p->lex, &first, "an array has at most %d dimensions",
                            MOST_DIMENSIONS);
        if (kind_here(p) == ']' && *count == 0)
            v->open = true;
        else if (size_constant(p, MOST_ELEMENTS, "the size of an array", &size) != 0)
            return -1;
        if (size && v->count > MOST_ELEMENTS / size)
            return lex_fail(&p->lex, &first, "this array is too big");
        v->count *= size;
        dims[*count] = size;
        if (expect(p, ']', "']'") != 0)
            return -1;
    }
    v->is_array = *count > 0;
    return 0;
}

static int range_of(struct parser *p, struct ptx_variable *v)
{
    uint64_t n;
    if (!take(p, '<'))
        return 0;
    if (v->space != PTX_REG && v->space != PTX_PARAM)
        return unexpected(p, "a single name, as only registers are counted with < >");
    struct ptx_token first = p->lex.token;
    if (size_constant(p, MOST_REGISTERS, "a number of registers", &n) != 0)
        return -1;
    if (n == 0)
        return lex_fail(&p->lex, &first, "a number of registers is at least 1");
    v->range = (unsigned)n;
    return expect(p, '>', "'>'");
}

/* ---- initial values ------------------------------------------------------------------- */

/* An initial value as it stands: what may be a symbol with a mask, generic() and an offset. */
static int symbol_value(struct parser *p, struct ptx_init *v)
{
    struct word *w = take_word(p, "a number or a name");
    if (!w)
        return -1;
    v->generic = strcmp(w->text, "generic") == 0 && take(p, '(');
    if (v->generic && (!(w = take_word(p, "a name")) || offset_sum(p, &v->offset) != 0 ||
                       expect(p, ')', "')'") != 0))
        return -1;
    v->symbol = w->text;
    return offset_sum(p, &v->offset);
}

/* A float32's bits as those of the double that equals it, NaNs with what they carry. */
static uint64_t widen(uint32_t bits)
{
    uint64_t sign = (uint64_t)(bits >> 31) << 63;
    if ((bits & 0x7F800000) == 0x7F800000)
        return sign | UINT64_C(0x7FF) << 52 | (uint64_t)(bits & 0x7FFFFF) << 29;
    float f;
    memcpy(&f, &bits, sizeof f);
    double d = (double)f;
    uint64_t wide;
    memcpy(&wide, &d, sizeof wide);
    return wide;
}

/* 0xFF00(symbol): one byte of an address. */
static int masked_value(struct parser *p, uint64_t mask, struct ptx_init *v)
{
    unsigned shift = 0;
    while (shift < 56 && mask >> shift != 0xFF)
        shift += 8;
    if (mask != UINT64_C(0xFF) << shift)
        return unexpected(p, "a mask of one byte such as 0xFF00 before '('");
    v->mask_shift = shift + 1;
    if (expect(p, '(', "'('") != 0 || symbol_value(p, v) != 0)
        return -1;
    return expect(p, ')', "')'");
}

static int one_value(struct parser *p, struct ptx_init *v)
{
    if (kind_here(p) == TOKEN_WORD)
        return symbol_value(p, v);
    struct number n;
    if (constant(p, &n) != 0)
        return -1;
    if (kind_here(p) == '(')
        return masked_value(p, n.bits, v);
    v->is_float = n.kind == NUMBER_F32 || n.kind == NUMBER_F64;
    v->offset = (int64_t)(n.kind == NUMBER_F32 ? widen((uint32_t)n.bits) : n.bits);
    return 0;
}

static int pad_values(struct parser *p, size_t to)
{
    if (to > MOST_VALUES)
        return lex_fail(&p->lex, &p->lex.token, "more than %d initial values", MOST_VALUES);
    while (p->values.count < to)
        if (!push(p, &p->values))
            return -1;
    return 0;
}

/* Tables of a library are a hundred thousand numbers as in "12, 34, 56": where the current token
 * begins such a run, it is read without the lexer, up to what is no plain number or the last. */
static int plain_numbers(struct parser *p)
{
    enum { DIGITS = 18 }; /* what surely fits */
    const char *at = p->lex.token.at;
    while (is_digit(*at) && p->values.count < MOST_VALUES) {
        const char *s = at;
        int64_t n = 0;
        while (is_digit(*s) && s - at < DIGITS)
            n = n * 10 + (*s++ - '0');
        if (*s != ',' || (*at == '0' && s - at > 1)) /* 010 is octal */
            break;
        struct ptx_init *v = push(p, &p->values);
        if (!v)
            return -1;
        v->offset = n;
        at = s + 1 + (s[1] == ' ');
    }
    if (at != p->lex.token.at) {
        p->lex.at = at;
        lex_next(&p->lex);
    }
    return 0;
}

/* { ... } for an array of these dimensions; an inner brace is one row. */
static int value_list(struct parser *p, const uint64_t dims[], unsigned count, unsigned depth)
{
    if (depth > MOST_DIMENSIONS)
        return unexpected(p, "fewer braces");
    uint64_t row = 1;
    for (unsigned i = 1; i < count; i++)
        row *= dims[i];
    size_t start = p->values.count;
    for (;;) {
        if (kind_here(p) == TOKEN_NUMBER && plain_numbers(p) != 0)
            return -1;
        if (take(p, '}'))
            break;
        if (take(p, '{')) {
            size_t row_start = p->values.count;
            unsigned inner = count > 1 ? count - 1 : 1;
            if (row > MOST_VALUES || value_list(p, dims + (count > 1), inner, depth + 1) != 0 ||
                pad_values(p, row_start + (count > 1 ? (size_t)row : 0)) != 0)
                return p->lex.failed ? -1 : unexpected(p, "a smaller array");
        } else {
            struct ptx_init *v = p->values.count < MOST_VALUES ? push(p, &p->values) : NULL;
            if (!v)
                return unexpected(p, "a shorter list");
            if (one_value(p, v) != 0)
                return -1;
        }
        if (kind_here(p) != '}' && expect(p, ',', "',' or '}'") != 0)
            return -1;
    }
    if (depth && count && dims[0] && p->values.count - start > dims[0] * row)
        return unexpected(p, "fewer initial values");
    return 0;
}

static int initial_value(struct parser *p, struct ptx_variable *v, const uint64_t dims[],
                         unsigned count)
{
    struct ptx_token first = p->lex.token;
    p->values.count = 0;
    if (take(p, '{')) {
        if (value_list(p, dims, count, 0) != 0)
            return -1;
    } else {
        struct ptx_init one = {0};
        if (one_value(p, &one) != 0 || pad_values(p, 1) != 0)
            return -1;
        *(struct ptx_init *)p->values.items = one;
    }
    uint64_t row = v->open && v->count ? v->count : 1;
    if (v->open && p->values.count) {
        v->count = (p->values.count + row - 1) / row * row;
        v->open = false;
    }
    if (p->values.count > v->count * v->vector)
        return lex_fail(&p->lex, &first, "%s has %llu elements and %zu initial values", v->name,
                        (unsigned long long)v->count, p->values.count);
    v->init_count = p->values.count;
    v->init = settle(p, &p->values, 0);
    return v->init || !v->init_count ? 0 : -1;
}

/* ---- one declaration ------------------------------------------------------------------ */

static void add_to_list(struct variable_list *list, struct ptx_variable *v)
{
    if (list->last)
        list->last->next = v;
    else
        list->first = v;
    list->last = v;
}

/* A module may declare what it defines: the .extern gives way, whichever comes first. */
static bool redeclared(struct word *w, struct ptx_variable *v)
{
    struct ptx_variable *old = w->variable;
    if (old->is_extern && !v->is_extern) {
        struct ptx_variable *next = old->next;
        *old = *v;
        old->next = next;
        return true;
    }
    return v->is_extern;
}

static int declare(struct parser *p, const struct ptx_token *name, struct ptx_variable *v,
                   struct variable_list *list)
{
    struct word *w = name->word;
    unsigned scope = current_scope(p);
    bool taken = v->range ? w->range && w->range_scope == scope
                          : w->variable && w->variable_scope == scope;
    if (taken && scope == 0 && !v->range && redeclared(w, v))
        return 0;
    if (taken)
        return lex_fail(&p->lex, name, "%s is declared twice here, first in line %d", v->name,
                        v->range ? w->range->line : w->variable->line);
    if (bind_variable(p, w, v) != 0)
        return -1;
    add_to_list(list, v);
    if (p->depth && !p->scopes[p->depth - 1].first)
        p->scopes[p->depth - 1].first = v;
    return 0;
}

static int declarator(struct parser *p, const struct ptx_variable *like,
                      struct variable_list *list)
{
    if (kind_here(p) != TOKEN_WORD)
        return unexpected(p, "a name");
    struct ptx_token name = p->lex.token;
    struct ptx_variable *v = arena_alloc(&p->module->arena, sizeof *v);
    if (!v)
        return lex_fail_memory(&p->lex);
    *v = *like;
    v->name = name.word->text;
    v->line = name.line;
    uint64_t dims[MOST_DIMENSIONS] = {0};
    unsigned count;
    lex_next(&p->lex);
    if (range_of(p, v) != 0 || dimensions(p, v, dims, &count) != 0)
        return -1;
    if (take(p, '=') && initial_value(p, v, dims, count) != 0)
        return -1;
    return declare(p, &name, v, list);
}

int declaration(struct parser *p, struct visibility seen, struct variable_list *list)
{
    struct ptx_variable like = {.vector = 1, .count = 1, .in = p->function};
    like.is_extern = seen.is_extern;
    like.is_visible = seen.is_visible;
    like.is_weak = seen.is_weak;
    like.is_common = seen.is_common;
    if (attributes(p, &like) != 0)
        return -1;
    if (!p->function && (like.space == PTX_REG || like.space == PTX_LOCAL ||
                         like.space == PTX_PARAM))
        return lex_fail(&p->lex, &p->lex.token,
                        "variables in .reg, .local and .param belong inside a function");
    do {
        if (declarator(p, &like, list) != 0)
            return -1;
    } while (take(p, ','));
    return expect(p, ';', "';'");
}

/* One parameter in the ( ) of a function; its scope is already open. */
int parameter(struct parser *p, struct variable_list *list, unsigned *count)
{
    struct ptx_variable like = {.vector = 1, .count = 1, .space = PTX_PARAM};
    if (attributes(p, &like) != 0 || declarator(p, &like, list) != 0)
        return -1;
    *count += list->last->space == PTX_REG ? list->last->vector : 1;
    return 0;
}
