/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a function use more of a clock than how much time has passed? Most kernels only subtract
 * two values of a clock. Such a kernel does the same whenever it begins, and a launch of it can be
 * recognised when it comes again.
 *
 * The proof looks at registers, not at values. A register holds a time if only these write to it:
 * a read of a clock, a copy of a time without a wider type, and a time plus or minus another
 * number. The difference of two times is a usual number. Any other use of a time ends the proof.
 * A register has no value before its first write, so no way through the code may come to a use
 * before such a write.
 */
#include "sim/decode/decode.h"

#include "base/lines.h"

#include <limits.h>

/* What an instruction does with times, given the registers that hold them. */
enum way { NO_TIME, GIVES_TIME, GIVES_NUMBER, ANY_USE };
enum { MOST_TIMES = 64 };

struct clock_times {
    const struct ptx_function *ptx;
    uint32_t row[MOST_TIMES]; /* of the registers that hold times */
    unsigned count;
    bool too_many;
};

/* Each register has its own row. */
static uint32_t row_of(const struct ptx_operand *o)
{
    unsigned size;
    return register_row(o, &size);
}

static bool is_register(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_REGISTER && o->var && o->var->type != PTX_PRED;
}

/* A register by itself, of the size of the type. */
static bool is_plain(const struct ptx_operand *o, enum ptx_type type)
{
    return is_register(o) && !o->negated && !o->component &&
           ptx_type_size(o->var->type) == ptx_type_size(type);
}

static bool is_time(const struct clock_times *t, const struct ptx_operand *o)
{
    bool is = false;
    for (unsigned i = 0; is_register(o) && i < t->count && !is; i++)
        is = t->row[i] == row_of(o);
    return is;
}

/* Is one of the registers a time, in a list or an address as well? */
static bool has_time(const struct clock_times *t, const struct ptx_operand *o)
{
    bool has = is_time(t, o) || (o->base && has_time(t, o->base)) ||
               (o->pair && has_time(t, o->pair));
    for (unsigned i = 0; i < o->item_count && !has; i++)
        has = has_time(t, &o->items[i]);
    return has;
}

static bool is_integer(enum ptx_type type) { return type >= PTX_B8 && type <= PTX_S64; }

/* The type that the opcode names last, and in *from that before it, if it names two. NONE: it has
 * other words than types. */
static enum ptx_type type_of(const char *opcode, enum ptx_type *from)
{
    const char *first = strchr(opcode, '.');
    const char *second = first ? strchr(first + 1, '.') : NULL;
    const size_t n = !first ? 0 : second ? (size_t)(second - first) - 1 : strlen(first + 1);
    const enum ptx_type to = first ? ptx_type_named(first + 1, n) : PTX_NONE;
    *from = second ? ptx_type_named(second + 1, strlen(second + 1)) : to;
    return is_integer(to) && is_integer(*from) ? to : PTX_NONE;
}

static bool reads_clock(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_SPECIAL &&
           (begins_with(o->name, "clock") || begins_with(o->name, "globaltimer"));
}

/* Does a register of this type get all bits of the time, or its lower ones? */
static bool is_whole(const char *clock, enum ptx_type type)
{
    if (ptx_type_size(type) == 8)
        return strcmp(clock, "clock64") == 0 || strcmp(clock, "globaltimer") == 0;
    return strstr(clock, "_hi") == NULL;
}

static enum way way_of(const struct clock_times *t, const struct ptx_instruction *p)
{
    const struct ptx_operand *o = p->operands;
    const bool copies = begins_with(p->opcode, "mov.") || begins_with(p->opcode, "cvt.");
    const bool subtracts = begins_with(p->opcode, "sub.");
    enum ptx_type from;
    const enum ptx_type to = type_of(p->opcode, &from);
    const bool fits = to != PTX_NONE && p->operand_count && is_plain(&o[0], to);
    bool reads = false, has = false;
    for (unsigned i = 0; i < p->operand_count; i++) {
        reads |= reads_clock(&o[i]);
        has |= has_time(t, &o[i]);
    }
    if (reads)
        return fits && copies && to == from && p->operand_count == 2 && is_whole(o[1].name, to)
                   ? GIVES_TIME : ANY_USE;
    if (!has)
        return NO_TIME;
    if (fits && copies && p->operand_count == 2 && is_plain(&o[1], from) && is_time(t, &o[1]) &&
        ptx_type_size(to) <= ptx_type_size(from))
        return GIVES_TIME;
    if (!fits || to != from || p->operand_count != 3 || !(subtracts || begins_with(p->opcode, "add.")))
        return ANY_USE;
    const bool a = is_time(t, &o[1]), b = is_time(t, &o[2]);
    if ((a && !is_plain(&o[1], to)) || (b && !is_plain(&o[2], to)) || !(a || b))
        return ANY_USE;
    return a && b ? (subtracts ? GIVES_NUMBER : ANY_USE) : a || !subtracts ? GIVES_TIME : ANY_USE;
}

/* Adds the registers that hold times, until there are no more. */
static void find_times(struct clock_times *t)
{
    for (unsigned before = UINT_MAX; before != t->count && !t->too_many;) {
        before = t->count;
        for (uint32_t i = 0; i < t->ptx->code_count && !t->too_many; i++) {
            const struct ptx_instruction *p = &t->ptx->code[i];
            if (way_of(t, p) != GIVES_TIME || is_time(t, &p->operands[0]))
                continue;
            t->too_many = t->count == MOST_TIMES;
            if (!t->too_many)
                t->row[t->count++] = row_of(&p->operands[0]);
        }
    }
}

/* Is the register of this row among the operands from number `from` on? */
static bool has_row(const struct ptx_instruction *p, unsigned from, uint32_t row)
{
    bool has = false;
    for (unsigned i = from; i < p->operand_count && !has; i++)
        has = is_register(&p->operands[i]) && row_of(&p->operands[i]) == row;
    return has;
}

/* The instructions that a walk through the code has met, and those that it has yet to look at. */
struct clock_walk {
    bool *met;
    uint32_t *left, count;
};

static void go_to(struct clock_walk *w, uint32_t at)
{
    if (!w->met[at])
        w->left[w->count++] = at;
    w->met[at] = true;
}

/* Where the code can go on after an instruction. False: it can't be told. */
static bool way_on(struct clock_walk *w, const struct ptx_function *f, uint32_t at)
{
    const struct ptx_instruction *p = &f->code[at];
    const bool branches = begins_with(p->opcode, "bra");
    const bool leaves = branches || begins_with(p->opcode, "ret") || begins_with(p->opcode, "exit");
    const int64_t to = branches && p->operand_count ? ptx_label_at(f, p->operands[0].name) : -1;
    if (begins_with(p->opcode, "brx") || (branches && to < 0))
        return false;
    if (branches)
        go_to(w, (uint32_t)to);
    if (!leaves || p->guard_var)
        go_to(w, at + 1);
    return true;
}

/* Does each way through the code write to the register before it uses it? */
static bool is_written(const struct clock_times *t, uint32_t row, struct clock_walk *w)
{
    memset(w->met, 0, (t->ptx->code_count + 1) * sizeof *w->met);
    w->count = 0;
    go_to(w, 0);
    while (w->count) {
        const uint32_t at = w->left[--w->count];
        const struct ptx_instruction *p = &t->ptx->code[at];
        if (at == t->ptx->code_count)
            continue;
        if (has_row(p, 1, row))
            return false;
        if ((p->guard_var || !has_row(p, 0, row)) && !way_on(w, t->ptx, at))
            return false;
    }
    return true;
}

bool clock_is_relative(struct arena *memory, const struct function *f)
{
    const size_t n = (size_t)f->ptx->code_count + 1; /* its end, too */
    struct clock_times t = {.ptx = f->ptx};
    struct clock_walk w = {arena_alloc(memory, n * sizeof *w.met),
                     arena_alloc(memory, n * sizeof *w.left), 0};
    if (!w.met || !w.left)
        return false;
    find_times(&t);
    bool is = !t.too_many;
    for (uint32_t i = 0; i < f->ptx->code_count && is; i++) {
        const enum way way = way_of(&t, &f->ptx->code[i]);
        is = way != ANY_USE &&
             !(way == GIVES_NUMBER && is_time(&t, &f->ptx->code[i].operands[0]));
    }
    for (unsigned i = 0; i < t.count && is; i++)
        is = is_written(&t, t.row[i], &w);
    return is;
}
