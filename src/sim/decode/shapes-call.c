/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of what steers control: branches, ends, traps and calls. Arguments of a call are
 * lists of copies between two frames, made once here; call.c carries them out.
 */
#include "sim/decode/decode.h"

#include <string.h>

int decode_bra(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    const struct ptx_operand *o = arg(d, 0);
    int64_t to = o->name ? ptx_label_at(d->fn->ptx, o->name) : -1;
    if (to < 0)
        return close_function(d, "%s: no such label", o->name ? o->name : d->from->opcode);
    struct raw *r = emit(d, "*bra");
    r->target = (uint32_t)to;
    r->ends = r->in.guard == 0;
    if (d->from > &d->fn->ptx->code[to] && !d->failed)
        waits_find(d, r, d->raw_at[to]);
    return 0;
}

/* brx.idx i, list: a comparison and a branch for each label of the list. */
int decode_brx(struct decoder *d, const struct op_tokens *t)
{
    const char *name = arg(d, 1)->name;
    const struct ptx_targets *list = name ? ptx_targets_named(d->fn->ptx, name) : NULL;
    (void)t;
    if (!list || !list->count)
        return close_function(d, "%s needs an index and a list of labels", d->from->opcode);
    uint32_t index = source(d, arg(d, 0), SIM_U32);
    for (unsigned k = 0; k < list->count && !d->fn->closed; k++) {
        int64_t to = ptx_label_at(d->fn->ptx, list->labels[k]);
        if (module_goes_on(d->m, 1) < 0)
            return -1;
        if (to < 0)
            return close_function(d, "%s: no such label", list->labels[k]);
        uint32_t number = constant_row(d, k, 4, false);
        struct raw *compare = emit_hidden(d, "setp.and.eq.u32");
        compare->in.a = index, compare->in.b = number, compare->in.d = HIDDEN_PREDICATE;
        compare->in.c = d->guard, compare->in.flags = d->guard_flip ? INSN_FLIP_C : 0;
        struct raw *r = emit(d, "*bra");
        r->kind = k + 1 < list->count ? SIM_CLASS_HIDDEN : SIM_CLASS_BRANCH;
        r->in.guard = HIDDEN_PREDICATE, r->in.guard_flip = 0;
        r->target = (uint32_t)to;
    }
    return 0;
}

int decode_exit(struct decoder *d, const struct op_tokens *t)
{
    bool leaves = strcmp(t->word[0], "exit") == 0 || d->fn->ptx->is_entry;
    struct raw *r = emit(d, leaves ? "*exit" : "*bra");
    r->kind = SIM_CLASS_EXIT;
    r->ends = r->in.guard == 0;
    if (!leaves)
        r->target = TO_END;
    return 0;
}

int decode_trap(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    emit(d, "*trap");
    return 0;
}

static const struct ptx_operand *list_item(const struct ptx_operand *o, unsigned i)
{
    if (o->kind == PTX_OP_VECTOR)
        return i < o->item_count ? &o->items[i] : NULL;
    return i == 0 ? o : NULL;
}

/* Where an argument or result of the call lies in the caller; `formal` is the callee's, if known.
 */
static void locate(struct decoder *d, const struct ptx_operand *o,
                   const struct ptx_variable *formal, struct argument *a)
{
    const struct ptx_variable *v = o->var;
    enum sim_type type = formal && !formal->is_array ? (enum sim_type)formal->type : SIM_B64;
    if (o->kind == PTX_OP_SYMBOL && v && v->space == PTX_PARAM &&
        (v->in || !d->fn->ptx->is_entry)) {
        *a = (struct argument){(uint32_t)v->place, (uint32_t)variable_size(v), false};
    } else if (is_predicate(o) && !o->negated) {
        *a = (struct argument){(uint32_t)v->place + o->index, 0, true};
    } else if (o->kind == PTX_OP_REGISTER && v && v->type != PTX_PRED) {
        type = (enum sim_type)v->type;
        *a = (struct argument){source(d, o, type), row_size(type), true};
    } else if (o->kind == PTX_OP_INTEGER || o->kind == PTX_OP_F32 || o->kind == PTX_OP_F64) {
        *a = (struct argument){source(d, o, type), row_size(type), true};
    } else {
        close_function(d, "unsupported argument in %s", d->from->opcode);
    }
}

static struct argument *locate_all(struct decoder *d, const struct ptx_operand *list,
                                   const struct ptx_variable *formal, unsigned count)
{
    struct argument *all = arena_alloc(&d->m->arena, (count + 1) * sizeof *all);
    unsigned part = 0;
    for (unsigned i = 0; all && i < count; i++, next_formal(&formal, &part))
        locate(d, list_item(list, i), formal, &all[i]);
    return all;
}

static int add_call(struct decoder *d, const struct call *c)
{
    struct sim_module *m = d->m;
    if (arena_grow(&m->arena, (void **)&m->calls, &m->call_capacity, m->call_count,
                    sizeof *m->calls) < 0)
        return sim_fail(m->sim, 0, "out of memory");
    m->calls[m->call_count++] = *c;
    return 0;
}

static int note_callee(struct decoder *d, uint32_t number)
{
    struct function *f = d->fn;
    if (arena_grow(&d->m->arena, (void **)&f->calls, &f->call_capacity, f->call_count,
                    sizeof *f->calls) < 0)
        return sim_fail(d->m->sim, 0, "out of memory");
    f->calls[f->call_count++] = number;
    return 0;
}

/* Functions without code that the simulator has itself. */
static int32_t known_function(const char *name)
{
    static const struct word_number known[] = {
        {"vprintf", CALL_VPRINTF}, {"__assertfail", CALL_ASSERT}, {"malloc", CALL_MALLOC},
        {"free", CALL_FREE},       {"_Znwm", CALL_MALLOC},        {"_Znam", CALL_MALLOC},
        {"_ZdlPv", CALL_FREE},     {"_ZdaPv", CALL_FREE},         {"_ZdlPvm", CALL_FREE},
        {NULL, 0}};
    const int32_t number = number_of_word(known, name);
    return number == -1 ? runtime_function(name) : number;
}

/* What is called: its number, one of the known ones, or a pointer; -1: the function is closed. */
static int32_t callee_of(struct decoder *d, const struct ptx_operand *to)
{
    if (to->kind == PTX_OP_REGISTER)
        return CALL_POINTER;
    int64_t number = to->kind == PTX_OP_SYMBOL ? module_function(d->m, to->name) : -1;
    if (number >= 0 && d->m->functions[number].ptx->is_entry) {
        close_function(d, "unsupported: a call of the kernel %s", to->name);
        return -1;
    }
    if (number >= 0 && d->m->functions[number].ptx->has_body)
        return (int32_t)number;
    int32_t known = to->kind == PTX_OP_SYMBOL ? known_function(to->name) : -1;
    if (known == -1 && to->name && strncmp(to->name, "__cudaCDP2", 10) == 0)
        lacks(d, "unsupported: cuda%s in device code", to->name + 10);
    else if (known == -1) {
        d->fn->undefined = to->name;
        close_function(d, "the function %s has no code in what was loaded",
                       to->name ? to->name : "");
    }
    return known;
}

static enum sim_callee callee_shown(int32_t function)
{
    return function == CALL_POINTER   ? SIM_CALL_POINTER
           : function == CALL_VPRINTF ? SIM_CALL_PRINT
           : function == CALL_ASSERT  ? SIM_CALL_ASSERT
           : function == CALL_MALLOC  ? SIM_CALL_MALLOC
           : function == CALL_FREE    ? SIM_CALL_FREE
           : function <= CALL_RUNTIME ? SIM_CALL_RUNTIME
                                      : SIM_CALL_FUNCTION;
}

/* Only some lanes call: a branch around it for the others. */
static void guard_call(struct decoder *d)
{
    if (!d->guard)
        return;
    struct raw *around = emit(d, "*bra");
    around->kind = SIM_CLASS_HIDDEN;
    around->in.guard_flip ^= ALL_LANES;
    around->target = TO_NEXT;
    d->guard = 0;
    d->guard_flip = 0;
}

/* call (results), f, (arguments); with f in a register, a prototype or a list may follow. */
int decode_call(struct decoder *d, const struct op_tokens *t)
{
    static const struct ptx_operand none = {.kind = PTX_OP_VECTOR};
    (void)t;
    unsigned first = arg(d, 0)->kind == PTX_OP_VECTOR ? 1 : 0;
    const struct ptx_operand *back = first ? arg(d, 0) : &none, *to = arg(d, first);
    const struct ptx_operand *args =
        arg(d, first + 1)->kind == PTX_OP_VECTOR ? arg(d, first + 1) : &none;
    struct call c = {.in_count = args->item_count, .out_count = back->item_count};
    d->writes = first;
    c.function = callee_of(d, to);
    if (c.function == -1)
        return 0;
    d->now->callee = callee_shown(c.function);
    const struct ptx_function *f = c.function >= 0 ? d->m->functions[c.function].ptx : NULL;
    if (f && !call_fits(&d->m->functions[c.function], c.in_count, c.out_count))
        return close_function(d, "the call of %s has the wrong number of arguments", to->name);
    uint32_t target = c.function == CALL_POINTER ? source(d, to, SIM_U64) : 0;
    c.in = locate_all(d, args, f ? f->params : NULL, c.in_count);
    c.out = locate_all(d, back, f ? f->returns : NULL, c.out_count);
    if (!c.in || !c.out)
        return sim_fail(d->m->sim, 0, "out of memory");
    if (add_call(d, &c) < 0 || (f && note_callee(d, (uint32_t)c.function) < 0))
        return -1;
    guard_call(d);
    d->fn->through_pointer |= c.function == CALL_POINTER;
    struct raw *r = emit(d, c.function == CALL_POINTER ? "*callpointer" : "*call");
    r->in.target = d->m->call_count - 1;
    r->in.a = target;
    if (c.function == CALL_POINTER) /* lanes that called different functions meet after it */
        r->in.meet = (uint32_t)d->raw_count;
    return 0;
}
