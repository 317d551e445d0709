/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operands. What a name means is settled here for registers and variables, by the
 * declaration that is in force; labels may come later in the text, so a name that is nothing
 * else stays a symbol. Operands are gathered on a pile and move to the arena by the list.
 */
#include "ptx/parse.h"

#include <string.h>

enum { MOST_ITEMS = 4096, MOST_VECTORS = 4 };

/* ---- names ---------------------------------------------------------------------------- */

/* %r12 is number 12 of %r<20>, or number 2 of %r1<5>: whichever stem is declared. */
static bool split(const struct parser *p, struct word *w)
{
    uint32_t number = 0, weight = 1;
    for (size_t n = w->length; n > 1 && w->length - n < 7; weight *= 10) {
        char c = w->text[--n];
        if (c < '0' || c > '9')
            return false;
        number += (uint32_t)(c - '0') * weight;
        if (c == '0' && n + 1 < w->length)
            continue; /* %r07 is not %r7 */
        struct word *stem = lex_find(&p->lex, w->text, n);
        if (stem && stem->range && number < stem->range->range) {
            w->stem = stem;
            w->number = number;
            return true;
        }
    }
    return false;
}

struct ptx_variable *variable_of(const struct parser *p, struct word *w, uint32_t *index)
{
    *index = 0;
    if (w->variable)
        return w->variable;
    const struct word *stem = w->stem;
    if (!stem || !stem->range || w->number >= stem->range->range)
        if (!split(p, w))
            return NULL;
    *index = w->number;
    return w->stem->range;
}

/* For the message: a register beyond the end of its range was meant as one. */
static const struct ptx_variable *range_missed(const struct parser *p, const struct word *w)
{
    size_t n = w->length;
    while (n > 1 && w->text[n - 1] >= '0' && w->text[n - 1] <= '9')
        n--;
    const struct word *stem = n < w->length ? lex_find(&p->lex, w->text, n) : NULL;
    return stem ? stem->range : NULL;
}

/* The number of a vector's part: x y z w, or r g b a; at least 4 where it is no part's name. */
static unsigned part_named(const char *name)
{
    static const char *const names[] = {"xr", "yg", "zb", "wa"};
    unsigned k = 0;
    while (k < 4 && (name[0] == '\0' || name[1] != '\0' || !strchr(names[k], name[0])))
        k++;
    return k;
}

/* v.x: a part of a vector register. %r1.b0: a part of a scalar one, as video instructions have. */
static bool component(struct parser *p, struct word *w, struct ptx_operand *o)
{
    const char *dot = strchr(w->text, '.');
    if (!dot)
        return false;
    struct word *whole = lex_word(&p->lex, w->text, (size_t)(dot - w->text));
    struct ptx_variable *v = whole ? variable_of(p, whole, &o->index) : NULL;
    if (!v)
        return false;
    unsigned part = part_named(dot + 1);
    bool of_vector = v->space == PTX_REG && v->vector > 1 && part < v->vector;
    o->kind = v->space == PTX_REG ? PTX_OP_REGISTER : PTX_OP_SYMBOL;
    o->var = v;
    o->name = whole->text;
    o->component = of_vector ? NULL : dot + 1;
    o->index = of_vector ? o->index * v->vector + part : o->index;
    return true;
}

/* A vector register by its name alone is the list of its parts. */
static int all_parts(struct parser *p, struct ptx_operand *o)
{
    unsigned n = o->var->vector;
    struct ptx_operand *items = arena_alloc(&p->module->arena, n * sizeof *items);
    if (!items)
        return lex_fail_memory(&p->lex);
    for (unsigned k = 0; k < n; k++) {
        items[k] = *o;
        items[k].index = o->index * n + k;
    }
    *o = (struct ptx_operand){.kind = PTX_OP_VECTOR, .name = o->name, .items = items};
    o->item_count = n;
    return 0;
}

static int name(struct parser *p, struct ptx_operand *o)
{
    if (kind_here(p) != TOKEN_WORD)
        return unexpected(p, "a name");
    struct ptx_token here = p->lex.token;
    struct word *w = here.word;
    o->name = w->text;
    o->var = variable_of(p, w, &o->index);
    if (o->var)
        o->kind = o->var->space == PTX_REG ? PTX_OP_REGISTER : PTX_OP_SYMBOL;
    else if (strcmp(w->text, "_") == 0)
        o->kind = PTX_OP_SINK;
    else if (strcmp(w->text, "WARP_SZ") == 0)
        o->kind = PTX_OP_SPECIAL;
    else if (!component(p, w, o)) {
        const struct ptx_variable *range = range_missed(p, w);
        if (range)
            return lex_fail(&p->lex, &here, "%s is not declared: %s<%u> ends at %s%u", w->text,
                            range->name, range->range, range->name, range->range - 1);
        o->kind = w->text[0] == '%' ? PTX_OP_SPECIAL : PTX_OP_SYMBOL;
        o->name = w->text + (w->text[0] == '%');
    }
    lex_next(&p->lex);
    bool whole = o->kind == PTX_OP_REGISTER && o->var->vector > 1 && o->name == w->text;
    return whole ? all_parts(p, o) : 0;
}

/* ---- operands ------------------------------------------------------------------------- */

static int push_operand(struct parser *p, const struct ptx_operand *o)
{
    struct ptx_operand *place = push(p, &p->operands);
    if (!place)
        return -1;
    *place = *o;
    return 0;
}

static struct ptx_operand *keep(struct parser *p, const struct ptx_operand *o)
{
    struct ptx_operand *copy = arena_alloc(&p->module->arena, sizeof *copy);
    if (copy)
        *copy = *o;
    else
        lex_fail_memory(&p->lex);
    return copy;
}

/* Items up to the closing bracket, which may follow at once. */
static int argument_list(struct parser *p, struct ptx_operand *o, int closing, unsigned depth)
{
    size_t mark = p->operands.count;
    if (depth > MOST_VECTORS)
        return unexpected(p, "fewer brackets inside each other");
    while (kind_here(p) != closing) {
        struct ptx_operand item = {0};
        if (p->operands.count - mark >= MOST_ITEMS)
            return unexpected(p, "a shorter list");
        if (operand(p, &item, depth + 1) != 0 || push_operand(p, &item) != 0)
            return -1;
        if (kind_here(p) != closing && expect(p, ',', "',' or the closing bracket") != 0)
            return -1;
    }
    o->item_count = (unsigned)(p->operands.count - mark);
    o->items = settle(p, &p->operands, mark);
    lex_next(&p->lex);
    return o->items || !o->item_count ? 0 : -1;
}

/* A list without inner braces: the x and y of [texture, {x, y}], the parts of a vector register
 * that a call is given. */
static int flat_list(struct parser *p, struct ptx_operand *o, int closing, unsigned depth)
{
    struct ptx_operand list = {0};
    if (argument_list(p, &list, closing, depth) != 0)
        return -1;
    size_t mark = p->operands.count;
    for (unsigned i = 0; i < list.item_count; i++) {
        const struct ptx_operand *item = &list.items[i];
        unsigned n = item->kind == PTX_OP_VECTOR ? item->item_count : 1;
        for (unsigned k = 0; k < n; k++)
            if (push_operand(p, item->kind == PTX_OP_VECTOR ? &item->items[k] : item) != 0)
                return -1;
    }
    o->item_count = (unsigned)(p->operands.count - mark);
    o->items = settle(p, &p->operands, mark);
    return o->items || !o->item_count ? 0 : -1;
}

int call_list(struct parser *p, struct ptx_operand *o)
{
    o->kind = PTX_OP_VECTOR;
    return flat_list(p, o, ')', 0);
}

/* After '[': base+offset, either of them, and the coordinates of a texture. */
static int address(struct parser *p, struct ptx_operand *o, unsigned depth)
{
    o->kind = PTX_OP_ADDRESS;
    if (kind_here(p) == TOKEN_WORD) {
        struct ptx_operand base = {0};
        if (name(p, &base) != 0 || offset_sum(p, &o->offset) != 0)
            return -1;
        o->var = base.kind == PTX_OP_SYMBOL ? base.var : NULL;
        if (!(o->base = keep(p, &base)))
            return -1;
    } else {
        uint64_t bits;
        if (whole_constant(p, &bits) != 0)
            return -1;
        o->offset = (int64_t)bits;
    }
    if (take(p, ','))
        return flat_list(p, o, ']', depth);
    return expect(p, ']', "']'");
}

static int number(struct parser *p, struct ptx_operand *o)
{
    struct number n;
    if (constant(p, &n) != 0)
        return -1;
    o->bits = n.bits;
    o->kind = n.kind == NUMBER_F32   ? PTX_OP_F32
              : n.kind == NUMBER_F64 ? PTX_OP_F64
                                     : PTX_OP_INTEGER;
    return 0;
}

/* A name, with what may follow it: +4 after a symbol or register, |q after a predicate. */
static int named(struct parser *p, struct ptx_operand *o)
{
    if (name(p, o) != 0)
        return -1;
    bool sum = o->kind == PTX_OP_SYMBOL || (o->kind == PTX_OP_REGISTER && kind_here(p) == '+');
    if (sum && offset_sum(p, &o->offset) != 0)
        return -1;
    if (!take(p, '|'))
        return 0;
    struct ptx_operand second = {0};
    if (name(p, &second) != 0 || !(o->pair = keep(p, &second)))
        return -1;
    return 0;
}

int operand(struct parser *p, struct ptx_operand *o, unsigned depth)
{
    switch (kind_here(p)) {
    case TOKEN_WORD: return named(p, o);
    case '{':
        lex_next(&p->lex);
        o->kind = PTX_OP_VECTOR;
        return argument_list(p, o, '}', depth);
    case '[':
        lex_next(&p->lex);
        return address(p, o, depth);
    case '!': case '-':
        if (!lex_word_follows(&p->lex))
            return number(p, o);
        lex_next(&p->lex);
        o->negated = true;
        return named(p, o);
    case TOKEN_NUMBER: case '(': case '+': case '~': return number(p, o);
    default: return unexpected(p, "an operand");
    }
}
