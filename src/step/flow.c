/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a variable is before each instruction, on all ways that lead there.
 *
 * A range of the debug information says from which label on a register holds a variable, up to
 * where in the text. Ways do not go by the text: code that stands behind the label may be reached
 * by another way. So a range is taken as an event at its label, and the events are followed along
 * the branches. Where two ways meet with different places, or a register is written for something
 * else, the variable is nowhere. A variable of one place has no label: it is set where its register
 * or its bytes are written.
 */
#include "step/scopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is known of a variable before an instruction. Several registers may hold it, after a copy.
 * Where two ways meet, those hold it that do on both. `awaited`: the compiler says that a register
 * holds it, but on some way here that was not written; it holds it from the next write on.
 */
struct name_flow {
    uint64_t held;    /* by the location's number */
    uint16_t awaited; /* its number, plus 1 */
    bool met;         /* some way leads here */
    bool unset;       /* on some of them it is not set */
    bool lost;        /* on another one it is nowhere */
};
enum { FED_MOST = 16 };

static struct name_flow at_location(unsigned i)
{
    return (struct name_flow){.held = i < HELD_MOST ? UINT64_C(1) << i : 0, .met = true};
}

struct flow_event {
    uint32_t at; /* it happens before this instruction */
    int line;
    bool begins;
    bool falls;      /* only for what comes from the instruction before: a label that is branched to
                        stands behind the event's */
    bool is_written; /* its register, on all ways to there; or it is in none */
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
    static const char *const words[] = {
        "st.",       "bra",      "brx",          "bar.",       "barrier.",   "red.",
        "nanosleep", "prefetch", "stackrestore", "setmaxnreg", "wmma.store", "trap",
        "exit",      "ret",      "membar",       "fence",      NULL};
    for (const char *const *w = words; *w; w++)
        if (has_prefix(i->opcode, *w))
            return true;
    return false;
}

static bool is_register(const struct ptx_operand *o, const struct location *l)
{
    return o && o->kind == PTX_OP_REGISTER && o->var == l->variable && o->index == l->index;
}

bool instruction_writes(const struct ptx_instruction *i, const struct location *l)
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
    return instruction_writes(i, l) ? SETS : SETS_NOTHING;
}

/* ---- events --------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct flow_event *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->begins > y->begins) - (x->begins < y->begins);
}

static struct flow_event *events_of(const struct ptx_function *f, const struct flow *w,
                                    const struct scope_variable *v, unsigned *count)
{
    struct flow_event *all = mem_alloc(&allocator_libc, sizeof *all * 2 * (v->location_count + 1u));
    *count = 0;
    if (!all)
        return NULL;
    for (unsigned i = 0; i < v->location_count; i++)
        for (int begins = 0; begins < 2 && !v->location[i].is_found; begins++) {
            const struct location *l = &v->location[i];
            const int line = begins ? l->range.low : l->range.high;
            const uint32_t at = instruction_at(f, line);
            all[(*count)++] = (struct flow_event){.at = at,
                                                  .line = line,
                                                  .begins = begins,
                                                  .falls = at && line < w->label[at],
                                                  .is_written = true,
                                                  .location = l->first};
        }
    qsort(all, *count, sizeof *all, by_place);
    /* Where a range ends and another begins, the variable moves. */
    unsigned kept = 0;
    for (unsigned i = 0; i < *count; i++) {
        unsigned next = i;
        while (next < *count && all[next].line == all[i].line && !all[next].begins)
            next++;
        if (all[i].begins || next == *count || all[next].line != all[i].line)
            all[kept++] = all[i];
    }
    *count = kept;
    return all;
}

/* ---- the way ------------------------------------------------------------------------------- */

struct flow_walk {
    const struct ptx_function *f;
    const struct flow *w;
    struct scope_variable *v;
    struct name_flow *states;
    uint32_t *todo;
    bool *waits;
    uint32_t count;
    struct flow_event *events;
    unsigned event_count;
    bool resets; /* it is not set where its scope begins anew */
    struct location fed[FED_MOST];
    unsigned fed_count;
};

static bool same_state(struct name_flow a, struct name_flow b)
{
    return a.held == b.held && a.awaited == b.awaited && a.met == b.met && a.unset == b.unset &&
           a.lost == b.lost;
}

/* A way on which it is not set takes nothing from the places of the other way. */
static struct name_flow meet(struct name_flow a, struct name_flow b)
{
    if (!a.met)
        return b;
    const bool none_a = a.unset && !a.held && !a.lost, none_b = b.unset && !b.held && !b.lost;
    const uint64_t held = none_a ? b.held : none_b ? a.held : a.held & b.held;
    return (struct name_flow){.held = held,
                              .met = true,
                              .unset = a.unset || b.unset,
                              .awaited = a.awaited == b.awaited ? a.awaited : 0,
                              .lost = !held && !(none_a && none_b)};
}

static unsigned first_event(const struct flow_walk *k, uint32_t at)
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

/* Is this a copy of a register that holds it? */
static bool copies(const struct flow_walk *k, const struct ptx_instruction *i,
                   struct name_flow state)
{
    if (i->guard || i->operand_count != 2 || !has_prefix(i->opcode, "mov."))
        return false;
    for (unsigned j = 0; j < k->v->location_count && j < HELD_MOST; j++)
        if (state.held >> j & 1 && is_register(&i->operands[1], &k->v->location[j]))
            return true;
    return false;
}

static struct name_flow begin_at(const struct flow_walk *k, const struct flow_event *e,
                                 struct name_flow state)
{
    const struct ptx_instruction *last = e->at ? &k->f->code[e->at - 1] : NULL;
    const struct location *l = &k->v->location[e->location];
    if (!e->is_written)
        return (struct name_flow){.awaited = (uint16_t)(e->location + 1), .met = true};
    const struct name_flow begun = at_location(e->location);
    if (state.held & begun.held && last && instruction_writes(last, l) && copies(k, last, state))
        return state;
    return begun;
}

/* The end of a range, where none begins: its register has been written, or the variable is nowhere
 * from here on. */
static struct name_flow end_at(const struct flow_walk *k, const struct flow_event *e,
                               struct name_flow state)
{
    const struct ptx_instruction *last = e->at ? &k->f->code[e->at - 1] : NULL;
    const struct location *l = &k->v->location[e->location];
    if (!last || l->where != NAME_IN_REGISTER || !instruction_writes(last, l))
        return (struct name_flow){.met = true};
    state.held &= ~at_location(e->location).held;
    return state;
}

static void come_to(struct flow_walk *k, uint32_t from, uint32_t to, bool falls,
                    struct name_flow state)
{
    if (to >= k->f->code_count)
        return;
    if (k->resets && scope_holds(k->v->scope, k->f->code[to].ptx_line) &&
        !scope_holds(k->v->scope, k->f->code[from].ptx_line))
        state = (struct name_flow){.met = true, .unset = true};
    for (unsigned i = first_event(k, to); i < k->event_count && k->events[i].at == to; i++)
        if (falls || !k->events[i].falls)
            state = k->events[i].begins ? begin_at(k, &k->events[i], state)
                                        : end_at(k, &k->events[i], state);
    const struct name_flow met = meet(k->states[to], state);
    if (same_state(met, k->states[to]))
        return;
    k->states[to] = met;
    if (!k->waits[to]) {
        k->waits[to] = true;
        k->todo[k->count++] = to;
    }
}

static bool writes_once(const struct flow_walk *k, const struct location *l)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < k->f->code_count && count < 2; i++)
        count += instruction_writes(&k->f->code[i], l);
    return count == 1;
}

/* The predicate that a register is made of by "selp R, 1, 0, P", which alone writes it. */
static const struct ptx_operand *predicate_behind(const struct flow_walk *k,
                                                  const struct location *l)
{
    const struct ptx_instruction *only = NULL;
    for (uint32_t i = 0; i < k->f->code_count; i++)
        if (instruction_writes(&k->f->code[i], l)) {
            if (only)
                return NULL;
            only = &k->f->code[i];
        }
    if (!only || only->guard || only->operand_count != 4 || !has_prefix(only->opcode, "selp."))
        return NULL;
    const struct ptx_operand *o = only->operands;
    return o[1].kind == PTX_OP_INTEGER && o[1].bits == 1 && o[2].kind == PTX_OP_INTEGER &&
                   o[2].bits == 0 && o[3].kind == PTX_OP_REGISTER && !o[3].negated
               ? &o[3]
               : NULL;
}

/* Does the copy come from a register that the compiler never names for the variable? For a bool
 * that happens: compilers leave out assignments before the copy, which holds it again. */
static bool moves_in(const struct flow_walk *k, const struct ptx_instruction *i)
{
    bool to = false;
    if (!k->v->type || k->v->type->kind != NAME_BOOL || i->guard || i->operand_count != 2 ||
        !has_prefix(i->opcode, "mov.") || i->operands[1].kind != PTX_OP_REGISTER)
        return false;
    for (unsigned j = 0; j < k->v->location_count; j++) {
        if (is_register(&i->operands[1], &k->v->location[j]))
            return false;
        to |= k->v->location[j].where == NAME_IN_REGISTER &&
              is_register(&i->operands[0], &k->v->location[j]);
    }
    return to;
}

static struct name_flow moved_in(const struct flow_walk *k, const struct ptx_instruction *i)
{
    for (unsigned j = 0; j < k->v->location_count; j++)
        if (k->v->location[j].first == j && is_register(&i->operands[0], &k->v->location[j]))
            return at_location(j);
    return (struct name_flow){.met = true};
}

/* From the instruction on that makes what is copied so, the variable's value is not known. */
static bool feeds(const struct flow_walk *k, const struct ptx_instruction *i)
{
    for (unsigned j = 0; j < k->fed_count; j++)
        if (instruction_writes(i, &k->fed[j]))
            return true;
    return false;
}

static void find_fed(struct flow_walk *k)
{
    for (uint32_t i = 0; i < k->f->code_count; i++) {
        const struct ptx_operand *from = &k->f->code[i].operands[1];
        if (k->fed_count < FED_MOST && moves_in(k, &k->f->code[i]) && from->var &&
            writes_once(k, &(struct location){.variable = from->var, .index = from->index}))
            k->fed[k->fed_count++] = (struct location){.variable = from->var, .index = from->index};
    }
}

static struct name_flow after(const struct flow_walk *k, uint32_t at)
{
    const struct ptx_instruction *i = &k->f->code[at];
    const struct scope_variable *v = k->v;
    struct name_flow state = k->states[at];
    for (size_t j = 0; j < v->made_count; j++)
        if (v->made[j].at == at) {
            const struct name_flow made = at_location(v->made[j].location);
            state.held |= made.held;
            return v->made[j].again ? state : made;
        }
    if (!v->is_list) {
        const enum sets sets = sets_single(i, v);
        if (sets == SETS && !i->guard)
            return at_location(0);
        if (sets != SETS_NOTHING)
            state.held = 1;
        return state;
    }
    const bool copied = copies(k, i, state);
    if (!copied && moves_in(k, i))
        return moved_in(k, i);
    if (feeds(k, i))
        return (struct name_flow){.met = true};
    for (unsigned j = 0; j < v->location_count; j++) {
        const struct location *l = &v->location[j];
        if (copied && l->first == j && l->where == NAME_IN_REGISTER && instruction_writes(i, l)) {
            state.held |= at_location(j).held;
            continue;
        }
        const bool held = j < HELD_MOST && state.held >> j & 1, awaited = state.awaited == j + 1;
        if ((!held && !awaited) || l->where != NAME_IN_REGISTER || !instruction_writes(i, l))
            continue;
        if (awaited && !i->guard)
            return at_location(j);
        state.held &= ~at_location(j).held;
    }
    return state;
}

/* Is all that sets it within its scope? Else it stands for something that was set before. */
static bool is_set_within(const struct flow_walk *k)
{
    bool any = false;
    if (k->v->is_list) {
        for (unsigned i = 0; i < k->v->location_count; i++)
            if (!k->v->location[i].is_found &&
                !scope_holds(k->v->scope, k->v->location[i].range.low))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < k->f->code_count; i++)
        any |= sets_single(&k->f->code[i], k->v) != SETS_NOTHING &&
               scope_holds(k->v->scope, k->f->code[i].ptx_line);
    return any;
}

static void go_along(struct flow_walk *k)
{
    come_to(k, 0, 0, true, (struct name_flow){.met = true, .unset = true});
    while (k->count) {
        const uint32_t at = k->todo[--k->count];
        k->waits[at] = false;
        const struct name_flow state = after(k, at);
        if (falls_through(&k->f->code[at]))
            come_to(k, at, at + 1, true, state);
        for (uint32_t i = k->w->first[at]; i < k->w->first[at + 1]; i++)
            come_to(k, at, k->w->targets[i], false, state);
    }
}

/* Marks what can be come to by a way that does not write the register. */
static void go_without(struct flow_walk *k, const struct location *l, bool *without)
{
    const uint32_t count = k->f->code_count;
    memset(without, 0, count + 1);
    without[0] = true;
    k->todo[k->count++] = 0;
    while (k->count) {
        const uint32_t at = k->todo[--k->count];
        if (instruction_writes(&k->f->code[at], l) && !k->f->code[at].guard)
            continue;
        const uint32_t first = k->w->first[at], end = k->w->first[at + 1];
        for (uint32_t i = first; i <= end; i++) {
            const uint32_t to = i < end                          ? k->w->targets[i]
                                : falls_through(&k->f->code[at]) ? at + 1
                                                                 : count;
            if (to >= count || without[to])
                continue;
            without[to] = true;
            k->todo[k->count++] = to;
        }
    }
}

/* A bool may be in a predicate where the compiler says that it is in a register, which is made of
 * that only later. Then it becomes another location. -1: there is none, or memory is out. */
static int add_predicate(struct debug_names *n, struct flow_walk *k, unsigned j)
{
    struct scope_variable *v = k->v;
    const struct ptx_operand *o =
        v->type && v->type->kind == NAME_BOOL ? predicate_behind(k, &v->location[j]) : NULL;
    const int added = o && o->var && o->var->type == PTX_PRED ? location_add(n, v, o) : -1;
    if (added >= 0) {
        v->location[added].range = v->location[j].range;
        v->location[added].is_found = false;
    }
    return added;
}

/* The same for a variable of one place. */
static void use_predicate(struct debug_names *n, struct flow_walk *k)
{
    const int other = k->v->location[0].where == NAME_IN_REGISTER ? add_predicate(n, k, 0) : -1;
    if (other < 0)
        return;
    if (writes_once(k, &k->v->location[other]))
        k->v->location[0] = k->v->location[other];
    k->v->location[0].first = 0;
    k->v->location_count = 1;
}

/* A range may begin before its register is written, when the compiler has moved the instruction. */
static void find_written(struct debug_names *n, struct flow_walk *k, bool *without)
{
    for (unsigned j = 0; j < k->v->location_count; j++) {
        if (k->v->location[j].first != j || k->v->location[j].where != NAME_IN_REGISTER)
            continue;
        const struct location location = k->v->location[j], *l = &location;
        int other = -1;
        go_without(k, l, without);
        for (unsigned i = 0; i < k->event_count; i++) {
            struct flow_event *e = &k->events[i];
            if (e->location != j || e->at >= k->f->code_count)
                continue;
            e->is_written = e->falls
                                ? !without[e->at - 1] || instruction_writes(&k->f->code[e->at - 1], l)
                                : !without[e->at];
            if (!e->is_written && e->begins && other < 0)
                other = add_predicate(n, k, j);
            if (!e->is_written && e->begins && other >= 0)
                e->location = (unsigned)other;
        }
    }
}

static struct name_flow *states_of(struct debug_names *n, struct scoped_function *f,
                                   struct scope_variable *v)
{
    const size_t count = f->ptx->code_count, located = v->location_count;
    struct flow_walk k = {.f = f->ptx, .w = flow_of(n, f), .v = v};
    if (v->states || !k.w || !count)
        return v->states;
    k.states = arena_alloc(&n->memory, sizeof *k.states * count);
    k.todo = mem_alloc(&allocator_libc, sizeof *k.todo * (count + 1));
    k.waits = mem_alloc(&allocator_libc, count + 1);
    k.events = v->is_list ? events_of(f->ptx, k.w, v, &k.event_count) : NULL;
    if (k.states && k.todo && k.waits && (k.events || !v->is_list)) {
        find_written(n, &k, k.waits);
        memset(k.waits, 0, count + 1);
        if (v->is_list)
            find_fed(&k);
        else
            use_predicate(n, &k);
        k.resets = is_set_within(&k);
        go_along(&k);
        v->states = k.states;
    }
    if (k.todo)
        mem_free(&allocator_libc, k.todo, sizeof *k.todo * (count + 1));
    if (k.waits)
        mem_free(&allocator_libc, k.waits, count + 1);
    if (k.events)
        mem_free(&allocator_libc, k.events, sizeof *k.events * 2 * (located + 1u));
    return v->states;
}

enum name_state flow_state(struct debug_names *n, struct scoped_function *f,
                           struct scope_variable *v, uint32_t at, const struct location **where)
{
    bools_find(n, f, v);
    const struct location *only = v->is_list || !v->location_count ? NULL : &v->location[0];
    *where = NULL;
    if (v->is_lost)
        return NAME_SET;
    if (only && only->where != NAME_IN_REGISTER && only->where != NAME_IN_LOCAL) {
        *where = only;
        return NAME_SET;
    }
    const struct name_flow *states = v->location_count ? states_of(n, f, v) : NULL,
                           state = states ? states[at] : (struct name_flow){0};
    for (unsigned i = 0; i < v->location_count && i < HELD_MOST && !*where; i++)
        if (state.held >> i & 1)
            *where = &v->location[i];
    if (!*where && (state.unset || (state.awaited && v->is_parameter)))
        return NAME_NOT_SET;
    return state.unset ? NAME_MAYBE : NAME_SET;
}
