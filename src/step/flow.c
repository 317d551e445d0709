/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a variable is before each instruction, on all ways that lead there.
 *
 * A range of the debug information says from which label on a register holds a variable, up to
 * where in the text. Ways do not go by the text: code that stands behind the label may be reached by
 * another way. So a range is taken as an event at its label, and the events are followed along the
 * branches. Where two ways meet with different places, or a register is written for something else,
 * the variable is nowhere. A variable of one place has no label: it is set where its register or its
 * bytes are written.
 */
#include "step/scopes.h"

#include <stdlib.h>
#include <string.h>

/* A state is NONE_YET, NOT_SET, NOWHERE, or twice the number of a location, plus 2; plus 1 where
 * it may not be set. */
enum { NOT_SET = 0, NOWHERE = 0xfffe, NONE_YET = 0xffff };

static uint16_t at_location(unsigned i)
{
    return (uint16_t)(2 * i + 2);
}

struct flow_event {
    uint32_t at; /* it happens before this instruction */
    int line;
    bool begins;
    bool falls; /* only for what comes from the instruction before: a label that is branched to
                   stands behind the event's */
    unsigned location;
};

struct flow {
    uint32_t *targets; /* of all branches, one after the other */
    uint32_t *first;   /* of each instruction; those of the last one end at first[count] */
    int *label;        /* line of the last label at an instruction that is branched to; 0: none */
    size_t count, capacity;
};

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_branch(const struct ptx_instruction *i)
{
    return has_prefix(i->opcode, "bra") || has_prefix(i->opcode, "brx");
}

static bool falls_through(const struct ptx_instruction *i)
{
    return i->guard || !(is_branch(i) || strcmp(i->opcode, "ret") == 0 ||
                         has_prefix(i->opcode, "ret.") || strcmp(i->opcode, "exit") == 0);
}

/* ---- branches ------------------------------------------------------------------------------- */

static int add_target(const struct debug_names *n, const struct ptx_function *f, struct flow *w,
                      const char *label)
{
    const int64_t at = label ? ptx_label_at(f, label) : -1;
    if (at < 0 || at >= f->code_count)
        return 0;
    if (mem_grow(&allocator_libc, (void **)&w->targets, &w->capacity, w->count,
                 sizeof *w->targets) != 0)
        return -1;
    w->targets[w->count++] = (uint32_t)at;
    const int line = debug_label_line(&n->debug, label);
    if (line > w->label[at])
        w->label[at] = line;
    return 0;
}

static int add_targets(const struct debug_names *n, const struct ptx_function *f, struct flow *w,
                       const struct ptx_instruction *i)
{
    for (unsigned k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *o = &i->operands[k];
        const struct ptx_targets *t =
            o->kind == PTX_OP_SYMBOL && o->name ? ptx_targets_named(f, o->name) : NULL;
        if (o->kind != PTX_OP_SYMBOL)
            continue;
        if (!t && add_target(n, f, w, o->name) != 0)
            return -1;
        for (unsigned j = 0; t && j < t->count; j++)
            if (add_target(n, f, w, t->labels[j]) != 0)
                return -1;
    }
    return 0;
}

/* NULL: memory is out. */
static struct flow *flow_of(struct debug_names *n, struct scoped_function *of)
{
    const struct ptx_function *f = of->ptx;
    if (of->flow)
        return of->flow;
    struct flow *w = arena_alloc(&n->memory, sizeof *w), read = {0};
    read.first = arena_alloc(&n->memory, sizeof *read.first * ((size_t)f->code_count + 1));
    read.label = arena_alloc(&n->memory, sizeof *read.label * ((size_t)f->code_count + 1));
    bool ok = w && read.first && read.label;
    for (uint32_t i = 0; ok && i < f->code_count; i++) {
        read.first[i] = (uint32_t)read.count;
        ok = !is_branch(&f->code[i]) || add_targets(n, f, &read, &f->code[i]) == 0;
    }
    uint32_t *kept = ok ? arena_alloc(&n->memory, sizeof *kept * (read.count + 1)) : NULL;
    if (kept) {
        read.first[f->code_count] = (uint32_t)read.count;
        if (read.count)
            memcpy(kept, read.targets, sizeof *kept * read.count);
        *w = read;
        w->targets = kept;
        of->flow = w;
    }
    mem_free(&allocator_libc, read.targets, read.capacity * sizeof *read.targets);
    return kept ? w : NULL;
}

/* ---- what an instruction writes ------------------------------------------------------------- */

/* The first operand is what is written, except for these. */
static bool only_reads(const struct ptx_instruction *i)
{
    static const char *const words[] = {"st.", "bra", "brx", "bar.", "barrier.", "red.", "nanosleep",
                                        "prefetch", "stackrestore", "setmaxnreg", "wmma.store",
                                        "trap", "exit", "ret", "membar", "fence", NULL};
    for (const char *const *w = words; *w; w++)
        if (has_prefix(i->opcode, *w))
            return true;
    return false;
}

static bool is_register(const struct ptx_operand *o, const struct location *l)
{
    return o && o->kind == PTX_OP_REGISTER && o->var == l->variable && o->index == l->index;
}

static bool writes_register(const struct ptx_instruction *i, const struct location *l)
{
    if (!i->operand_count || only_reads(i))
        return false;
    const struct ptx_operand *o = &i->operands[0];
    for (unsigned k = 0; o->kind == PTX_OP_VECTOR && k < o->item_count; k++)
        if (is_register(&o->items[k], l) || is_register(o->items[k].pair, l))
            return true;
    return is_register(o, l) || is_register(o->pair, l);
}

static bool is_stack(const struct ptx_operand *o)
{
    return o && o->kind == PTX_OP_REGISTER && o->var &&
           (strcmp(o->var->name, "%SP") == 0 || strcmp(o->var->name, "%SPL") == 0);
}

static bool within(const struct scope_variable *v, int64_t offset)
{
    const uint64_t at = v->location[0].offset, bytes = v->type ? v->type->bytes : 1;
    return offset >= 0 && (uint64_t)offset >= at && (uint64_t)offset - at < (bytes ? bytes : 1);
}

enum sets { SETS_NOTHING, SETS_MAYBE, SETS };

/* A store to its bytes sets it. Who has its address may set it: to the end that can't be known. */
static enum sets sets_local(const struct ptx_instruction *i, const struct scope_variable *v)
{
    const bool scalar = v->type && v->type->kind != NAME_ARRAY && v->type->kind != NAME_STRUCT;
    for (unsigned k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *o = &i->operands[k];
        if (o->kind == PTX_OP_ADDRESS && is_stack(o->base) && within(v, o->offset))
            return k == 0 ? SETS : SETS_NOTHING;
    }
    if (i->operand_count == 3 && has_prefix(i->opcode, "add.") && is_stack(&i->operands[1]) &&
        i->operands[2].kind == PTX_OP_INTEGER && within(v, (int64_t)i->operands[2].bits))
        return scalar ? SETS_MAYBE : SETS;
    return SETS_NOTHING;
}

static enum sets sets_single(const struct ptx_instruction *i, const struct scope_variable *v)
{
    const struct location *l = &v->location[0];
    if (l->where == NAME_IN_LOCAL)
        return sets_local(i, v);
    return writes_register(i, l) ? SETS : SETS_NOTHING;
}

/* ---- events --------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct flow_event *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->begins > y->begins) - (x->begins < y->begins);
}

static uint32_t behind(const struct ptx_function *f, int line)
{
    uint32_t low = 0, high = f->code_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->code[middle].ptx_line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct flow_event *events_of(const struct ptx_function *f, const struct flow *w,
                                    const struct scope_variable *v, unsigned *count)
{
    struct flow_event *all = mem_alloc(&allocator_libc, sizeof *all * 2 * (v->location_count + 1u));
    *count = 0;
    if (!all)
        return NULL;
    for (unsigned i = 0; i < v->location_count; i++)
        for (int begins = 0; begins < 2; begins++) {
            const struct location *l = &v->location[i];
            const int line = begins ? l->range.low : l->range.high;
            const uint32_t at = behind(f, line);
            all[(*count)++] = (struct flow_event){.at = at, .line = line, .begins = begins,
                                                  .falls = line < w->label[at],
                                                  .location = l->first};
        }
    qsort(all, *count, sizeof *all, by_place);
    return all;
}

/* ---- the way ------------------------------------------------------------------------------- */

struct walk {
    const struct ptx_function *f;
    const struct flow *w;
    struct scope_variable *v;
    uint16_t *states;
    uint32_t *todo;
    bool *waits;
    uint32_t count;
    struct flow_event *events;
    unsigned event_count;
    bool resets; /* it is not set where its scope begins anew */
};

static uint16_t meet(uint16_t a, uint16_t b)
{
    if (a == NONE_YET || a == b)
        return b;
    if (b == NONE_YET)
        return a;
    if (a == NOWHERE || b == NOWHERE)
        return NOWHERE;
    if (a == NOT_SET || b == NOT_SET)
        return (uint16_t)((a | b) | 1);
    return (a & ~1) == (b & ~1) ? (uint16_t)(a | b) : NOWHERE;
}

static unsigned first_event(const struct walk *k, uint32_t at)
{
    unsigned low = 0, high = k->event_count;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (k->events[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void come_to(struct walk *k, uint32_t from, uint32_t to, bool falls, uint16_t state)
{
    if (to >= k->f->code_count)
        return;
    if (k->resets && scope_holds(k->v->scope, k->f->code[to].ptx_line) &&
        !scope_holds(k->v->scope, k->f->code[from].ptx_line))
        state = NOT_SET;
    for (unsigned i = first_event(k, to); i < k->event_count && k->events[i].at == to; i++)
        if (falls || !k->events[i].falls)
            state = k->events[i].begins ? at_location(k->events[i].location) : NOWHERE;
    const uint16_t met = meet(k->states[to], state);
    if (met == k->states[to])
        return;
    k->states[to] = met;
    if (!k->waits[to]) {
        k->waits[to] = true;
        k->todo[k->count++] = to;
    }
}

static uint16_t after(const struct walk *k, uint32_t at)
{
    const struct ptx_instruction *i = &k->f->code[at];
    const uint16_t state = k->states[at];
    const struct scope_variable *v = k->v;
    if (!v->is_list) {
        const enum sets sets = sets_single(i, v);
        if (sets == SETS && !i->guard)
            return at_location(0);
        return sets != SETS_NOTHING && state == NOT_SET ? at_location(0) | 1 : state;
    }
    if (state == NOT_SET || state == NOWHERE)
        return state;
    const struct location *l = &v->location[(state - 2) / 2];
    return l->where == NAME_IN_REGISTER && writes_register(i, l) ? NOWHERE : state;
}

/* Is all that sets it within its scope? Else it stands for something that was set before. */
static bool is_set_within(const struct walk *k)
{
    bool any = false;
    if (k->v->is_list) {
        for (unsigned i = 0; i < k->v->location_count; i++)
            if (!scope_holds(k->v->scope, k->v->location[i].range.low))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < k->f->code_count; i++)
        any |= sets_single(&k->f->code[i], k->v) != SETS_NOTHING &&
               scope_holds(k->v->scope, k->f->code[i].ptx_line);
    return any;
}

static void go_along(struct walk *k)
{
    come_to(k, 0, 0, true, NOT_SET);
    while (k->count) {
        const uint32_t at = k->todo[--k->count];
        k->waits[at] = false;
        const uint16_t state = after(k, at);
        if (falls_through(&k->f->code[at]))
            come_to(k, at, at + 1, true, state);
        for (uint32_t i = k->w->first[at]; i < k->w->first[at + 1]; i++)
            come_to(k, at, k->w->targets[i], false, state);
    }
}

static uint16_t *states_of(struct debug_names *n, struct scoped_function *f,
                           struct scope_variable *v)
{
    const size_t count = f->ptx->code_count;
    struct walk k = {.f = f->ptx, .w = flow_of(n, f), .v = v};
    if (v->states || !k.w)
        return v->states;
    k.states = arena_alloc(&n->memory, sizeof *k.states * (count + 1));
    k.todo = mem_alloc(&allocator_libc, sizeof *k.todo * (count + 1));
    k.waits = mem_alloc(&allocator_libc, count + 1);
    k.events = v->is_list ? events_of(f->ptx, k.w, v, &k.event_count) : NULL;
    if (k.states && k.todo && k.waits && (k.events || !v->is_list)) {
        for (size_t i = 0; i < count; i++)
            k.states[i] = NONE_YET;
        k.resets = is_set_within(&k);
        go_along(&k);
        v->states = k.states;
    }
    if (k.todo)
        mem_free(&allocator_libc, k.todo, sizeof *k.todo * (count + 1));
    if (k.waits)
        mem_free(&allocator_libc, k.waits, count + 1);
    if (k.events)
        mem_free(&allocator_libc, k.events, sizeof *k.events * 2 * (v->location_count + 1u));
    return v->states;
}

enum name_state flow_state(struct debug_names *n, struct scoped_function *f,
                           struct scope_variable *v, uint32_t at, const struct location **where)
{
    const struct location *only = v->is_list || !v->location_count ? NULL : &v->location[0];
    *where = NULL;
    if (only && only->where != NAME_IN_REGISTER && only->where != NAME_IN_LOCAL) {
        *where = only;
        return NAME_SET;
    }
    const uint16_t *states = v->location_count ? states_of(n, f, v) : NULL;
    const uint16_t state = states ? states[at] : NOWHERE;
    if (state == NOWHERE || state == NONE_YET)
        return NAME_SET;
    if (state == NOT_SET)
        return NAME_NOT_SET;
    *where = &v->location[(state - 2) / 2];
    return state & 1 ? NAME_MAYBE : NAME_SET;
}
