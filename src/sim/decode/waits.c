/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops that only wait by a clock: each turn reads the clock, and compares how much time has passed
 * with a number that the loop doesn't change. Such a loop's branch becomes "*bra.wait", which
 * passes over turns that are sure to come (sim/wait.c).
 *
 * In such a loop every register that a turn reads is either left alone by the loop, or was written
 * earlier in the same turn. So a turn depends on the clock alone. `bits` of a value say how: it is
 * the clock plus a number, of which so many lower bits are left. 0: the clock has no part in it.
 */
#include "sim/decode/decode.h"
#include "sim/exec/special.h"

enum { MOST_BODY = 24 };

enum wait_part { COPY, ADD, SUBTRACT, MASK, TIME, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL };

/* The instructions that such a loop may have. */
static const struct part_of_wait {
    const char *name;
    enum wait_part part;
    unsigned bytes; /* of the result, or of what is compared */
    bool is_signed;
} parts[] = {
    {"*special", TIME, 4, false},      {"*special64", TIME, 8, false},
    {"mov.b32", COPY, 4, false},       {"mov.b64", COPY, 8, false},
    {"cvt.u32.u64", COPY, 4, false},   {"cvt.u64.u32", COPY, 8, false},
    {"add.s32", ADD, 4, false},        {"add.u32", ADD, 4, false},
    {"add.s64", ADD, 8, false},        {"add.u64", ADD, 8, false},
    {"sub.s32", SUBTRACT, 4, false},   {"sub.u32", SUBTRACT, 4, false},
    {"sub.s64", SUBTRACT, 8, false},   {"sub.u64", SUBTRACT, 8, false},
    {"and.b32", MASK, 4, false},       {"and.b64", MASK, 8, false},
#define COMPARISONS(name, part)                                                              \
    {"setp." name ".s32", part, 4, true}, {"setp." name ".u32", part, 4, false},             \
    {"setp." name ".s64", part, 8, true}, {"setp." name ".u64", part, 8, false},
    COMPARISONS("lt", LESS) COMPARISONS("le", LESS_EQUAL) COMPARISONS("gt", GREATER)
    COMPARISONS("ge", GREATER_EQUAL)
#undef COMPARISONS
};

struct wait_value { uint32_t row; unsigned bits; };

struct wait_loop {
    const struct decoder *d;
    const struct raw *first, *end;
    struct wait_value made[MOST_BODY]; /* so far in the turn */
    unsigned count;
    const struct raw *compares;
    const struct part_of_wait *how; /* it compares */
    bool waits_in_a;                /* its operand a is the one that the clock changes */
};

static const struct part_of_wait *part_of(const struct decoder *d, op_fn run)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const struct op *op = ops_find(d->m->sim, parts[i].name);
        if (op && op->run == run)
            return &parts[i];
    }
    return NULL;
}

static bool is_comparison(const struct part_of_wait *p) { return p && p->part >= LESS; }

/* False: it is from an earlier turn. */
static bool bits_of(const struct wait_loop *l, uint32_t row, unsigned *bits)
{
    *bits = 0;
    for (unsigned i = l->count; i-- > 0;)
        if (l->made[i].row == row) {
            *bits = l->made[i].bits;
            return true;
        }
    for (const struct raw *r = l->first; r < l->end; r++)
        if (r->in.d == row && !is_comparison(part_of(l->d, r->in.run)))
            return false;
    return true;
}

/* How many lower bits a constant leaves; 0: it is no such constant. */
static unsigned mask_bits(const struct wait_loop *l, uint32_t row, unsigned bytes)
{
    uint64_t mask = 0;
    unsigned bits = 0;
    if (!(row & 1))
        return 0;
    memcpy(&mask, l->d->fn->constants + (row & ~1u), bytes);
    while (bits < 64 && mask >> bits & 1)
        bits++;
    return bits == 64 || mask == (UINT64_C(1) << bits) - 1 ? bits : 0;
}

static unsigned lesser(unsigned a, unsigned b) { return a < b ? a : b; }

/* False: the clock takes part in another way than by being there plus a number. */
static bool combine(const struct wait_loop *l, const struct raw *r, const struct part_of_wait *p,
                    unsigned *bits)
{
    unsigned a, b;
    const unsigned width = 8 * p->bytes;
    if (!bits_of(l, r->in.a, &a) || !bits_of(l, r->in.b, &b))
        return false;
    *bits = a ? a : b;
    switch (p->part) {
    case COPY:
        *bits = lesser(a, width);
        return true;
    case ADD: return !(a && b) && (!*bits || *bits == width);
    case SUBTRACT: return !b && (!a || a == width);
    case MASK:
        if (*bits)
            *bits = lesser(*bits, mask_bits(l, a ? r->in.b : r->in.a, p->bytes));
        return !(a && b) && (*bits || !(a || b));
    default: return false;
    }
}

static bool is_high(uint32_t special)
{
    return special == SPECIAL_CLOCK_HI || special == SPECIAL_GLOBALTIMER_HI;
}

static bool is_clock(uint32_t special)
{
    return special >= SPECIAL_CLOCK && special <= SPECIAL_GLOBALTIMER_HI;
}

static bool take_comparison(struct wait_loop *l, const struct raw *r, const struct part_of_wait *p)
{
    unsigned a, b;
    if (l->compares || r->in.e || !bits_of(l, r->in.a, &a) || !bits_of(l, r->in.b, &b) || !a == !b)
        return false;
    l->compares = r;
    l->how = p;
    l->waits_in_a = a != 0;
    return true;
}

/* Takes one more instruction of the turn. False: the loop does more than wait. */
static bool take(struct wait_loop *l, const struct raw *r)
{
    const struct part_of_wait *p = part_of(l->d, r->in.run);
    struct wait_value v = {r->in.d, 0};
    if (!p || r->in.guard || r->target != NO_PC)
        return false;
    if (is_comparison(p))
        return take_comparison(l, r, p);
    if (p->part != TIME && !combine(l, r, p, &v.bits))
        return false;
    if (p->part == TIME && is_clock(r->in.e))
        v.bits = p->bytes == 8 && (r->in.e == SPECIAL_CLOCK64 || r->in.e == SPECIAL_GLOBALTIMER)
                     ? 64 : 32;
    if (p->part == TIME && is_high(r->in.e))
        return false;
    l->made[l->count++] = v;
    return true;
}

/* Does the loop go on while the time is less, or not more, than the other number? */
static bool goes_on_while_less(const struct wait_loop *l, bool negated, bool *or_equal)
{
    const enum wait_part part = l->how->part;
    const bool less = part == LESS || part == LESS_EQUAL;
    *or_equal = (part == LESS_EQUAL || part == GREATER_EQUAL) != negated;
    return (less == l->waits_in_a) != negated;
}

void waits_find(struct decoder *d, struct raw *branch, uint32_t first)
{
    const struct raw *body = &d->raw[first];
    struct wait_loop l = {.d = d, .first = body, .end = branch};
    unsigned bits;
    bool or_equal;
    if (!branch->in.guard || body >= branch || branch - body > MOST_BODY)
        return;
    for (const struct raw *r = body; r < branch; r++)
        if (!take(&l, r))
            return;
    if (!l.compares || l.compares->in.d != branch->in.guard ||
        !goes_on_while_less(&l, branch->in.guard_flip != 0, &or_equal))
        return;
    const uint32_t time = l.waits_in_a ? l.compares->in.a : l.compares->in.b;
    bits_of(&l, time, &bits);
    branch->in.run = ops_find(d->m->sim, "*bra.wait")->run;
    branch->in.a = time;
    branch->in.b = l.waits_in_a ? l.compares->in.b : l.compares->in.a;
    branch->in.e = lesser(bits, 8 * l.how->bytes);
    branch->in.bytes = (uint8_t)l.how->bytes;
    branch->in.type = l.how->is_signed;
    branch->in.count = or_equal;
}
