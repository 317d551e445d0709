/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of what steers control: branches, ends, traps and calls. Arguments of a call are
 * lists of copies between two frames, made once here; call.c carries them out.
 */
#include "sim/decode.h"

#include <string.h>

int decode_bra(struct decoder *d, const struct tokens *t)
{
    (void)t;
    const struct ptx_operand *o = arg(d, 0);
    int64_t to = o->name ? ptx_label_at(d->fn->ptx, o->name) : -1;
    if (to < 0)
        return close_function(d, "%s: no such label", o->name ? o->name : d->from->opcode);
    struct raw *r = emit(d, "*bra");
    r->target = (uint32_t)to;
    r->ends = r->in.guard == 0;
    return 0;
}

int decode_exit(struct decoder *d, const struct tokens *t)
{
    bool leaves = strcmp(t->word[0], "exit") == 0 || d->fn->ptx->is_entry;
    struct raw *r = emit(d, leaves ? "*exit" : "*bra");
    r->kind = SIM_CLASS_EXIT;
    r->ends = r->in.guard == 0;
    if (!leaves)
        r->target = TO_END;
    return 0;
}

int decode_trap(struct decoder *d, const struct tokens *t)
{
    (void)t;
    emit(d, "*trap");
    return 0;
}

static const struct ptx_variable *list_item(const struct ptx_operand *o, unsigned i)
{
    if (o && o->kind == PTX_OP_VECTOR)
        return i < o->item_count ? o->items[i].var : NULL;
    return o && i == 0 ? o->var : NULL;
}

static uint32_t variable_bytes(const struct ptx_variable *v)
{
    return (uint32_t)(ptx_type_size(v->type) * (v->vector ? v->vector : 1) * v->count);
}

/* Copies between the caller's .param variables and the callee's frame, place by place. */
static int copies(struct decoder *d, const struct ptx_operand *args,
                  const struct ptx_variable *formal, unsigned count, bool inward,
                  struct call_copy **out)
{
    *out = arena_get(&d->m->arena, (count ? count : 1) * sizeof **out);
    if (!*out)
        return sim_fail(d->m->sim, 0, "out of memory");
    for (unsigned i = 0; i < count; i++, formal = formal ? formal->next : NULL) {
        const struct ptx_variable *v = list_item(args, i);
        if (!v || v->space != PTX_PARAM)
            return close_function(d, "unsupported: a call whose arguments are no .param variables");
        uint32_t bytes = variable_bytes(v);
        uint32_t there = formal ? (uint32_t)formal->place : UINT32_MAX;
        if (formal && variable_bytes(formal) < bytes)
            bytes = variable_bytes(formal);
        (*out)[i] = inward ? (struct call_copy){(uint32_t)v->place, there, bytes}
                           : (struct call_copy){there, (uint32_t)v->place, bytes};
    }
    return 0;
}

static int add_call(struct decoder *d, const struct call *c)
{
    struct sim_module *m = d->m;
    if (mem_grow_in(&m->arena, (void **)&m->calls, &m->call_capacity, m->call_count,
                    sizeof *m->calls) < 0)
        return sim_fail(m->sim, 0, "out of memory");
    m->calls[m->call_count++] = *c;
    return 0;
}

static int note_callee(struct decoder *d, uint32_t number)
{
    struct function *f = d->fn;
    if (mem_grow_in(&d->m->arena, (void **)&f->calls, &f->call_capacity, f->call_count,
                    sizeof *f->calls) < 0)
        return sim_fail(d->m->sim, 0, "out of memory");
    f->calls[f->call_count++] = number;
    return 0;
}

int decode_call(struct decoder *d, const struct tokens *t)
{
    static const struct {
        const char *name;
        int32_t call;
    } known[] = {{"vprintf", CALL_VPRINTF}, {"__assertfail", CALL_ASSERT}};
    (void)t;
    bool has_result = arg(d, 0)->kind == PTX_OP_VECTOR;
    const struct ptx_operand *to = arg(d, has_result ? 1 : 0);
    const struct ptx_operand *args =
        d->from->operand_count > (has_result ? 2u : 1u) ? arg(d, has_result ? 2 : 1) : NULL;
    const struct ptx_operand *back = has_result ? arg(d, 0) : NULL;
    unsigned in_count = args && args->kind == PTX_OP_VECTOR ? args->item_count : 0;
    unsigned out_count = back ? back->item_count : 0;
    struct call c = {.in_count = in_count, .out_count = out_count};
    if (to->kind != PTX_OP_SYMBOL)
        return close_function(d, "unsupported: a call through a register");
    int64_t number = module_function(d->m, to->name);
    const struct ptx_function *callee = number >= 0 ? d->m->functions[number].ptx : NULL;
    c.function = callee && callee->has_body ? (int32_t)number : -1;
    for (size_t i = 0; i < sizeof known / sizeof *known && c.function == -1; i++)
        if (strcmp(to->name, known[i].name) == 0)
            c.function = known[i].call;
    if (c.function == -1)
        return close_function(d, "unsupported: the function %s has no code in this file", to->name);
    if (c.function >= 0 && (in_count != callee->param_count || out_count != callee->return_count))
        return close_function(d, "the call of %s has the wrong number of arguments", to->name);
    if (copies(d, args, c.function >= 0 ? callee->params : NULL, in_count, true, &c.in) < 0 ||
        copies(d, back, c.function >= 0 ? callee->returns : NULL, out_count, false, &c.out) < 0 ||
        add_call(d, &c) < 0 || (c.function >= 0 && note_callee(d, (uint32_t)c.function) < 0))
        return -1;
    if (d->guard) { /* only some lanes call: a branch around it for the others */
        struct raw *around = emit(d, "*bra");
        around->kind = SIM_CLASS_HIDDEN;
        around->in.guard_flip ^= ALL_LANES;
        around->target = TO_NEXT;
        d->guard = 0;
        d->guard_flip = 0;
    }
    emit(d, "*call")->in.target = d->m->call_count - 1;
    return 0;
}
