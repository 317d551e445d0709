/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions with arguments of any number: sum(int n, ...). Their last parameter is an array without
 * a size, %VAParam[]; each call passes an array that is as large as its arguments are. Here the
 * parameter gets the size of the largest array that any call in the module can pass to it, before
 * frames are laid out. Nothing is known of what is not passed: it was never written.
 */
#include "sim/decode/decode.h"

/* The parameter without a size that ends the list; NULL: there is none. */
static struct ptx_variable *open_parameter(const struct ptx_function *f)
{
    struct ptx_variable *v = f->is_entry ? NULL : f->params;
    while (v && v->next)
        v = v->next;
    return v && v->open ? v : NULL;
}

static void widen(struct ptx_variable *v, uint64_t bytes)
{
    const uint64_t each = ptx_type_size(v->type) ? ptx_type_size(v->type) : 1;
    const uint64_t count = (bytes + each - 1) / each;
    v->count = count > v->count ? count : v->count;
}

/* The bytes of the last argument of a call, where it lies in memory, and what is called. */
static uint64_t last_argument(const struct ptx_instruction *p, const struct ptx_operand **to)
{
    const unsigned first = p->operand_count && p->operands[0].kind == PTX_OP_VECTOR;
    const struct ptx_operand *list = &p->operands[first + 1];
    if (p->operand_count < first + 2 || list->kind != PTX_OP_VECTOR || !list->item_count)
        return 0;
    const struct ptx_operand *last = &list->items[list->item_count - 1];
    *to = &p->operands[first];
    return last->kind == PTX_OP_SYMBOL && last->var ? variable_size(last->var) : 0;
}

/* Sizes from direct calls; what is passed through pointers goes to `through`. */
static int look_at_calls(struct sim_module *m, const struct ptx_function *p, uint64_t *through)
{
    if (module_goes_on(m, p->code_count) < 0)
        return -1;
    for (uint32_t i = 0; i < p->code_count; i++) {
        const struct ptx_operand *to = NULL;
        if (strncmp(p->code[i].opcode, "call", 4) != 0)
            continue;
        const uint64_t bytes = last_argument(&p->code[i], &to);
        const int64_t number = bytes && to->name ? module_function(m, to->name) : -1;
        struct ptx_variable *v = number >= 0 ? open_parameter(m->functions[number].ptx) : NULL;
        if (v)
            widen(v, bytes);
        else if (bytes > *through && to->kind == PTX_OP_REGISTER)
            *through = bytes;
    }
    return 0;
}

int decode_variadic(struct sim_module *m)
{
    uint64_t through = 0;
    bool any = false;
    for (uint32_t i = 0; i < m->function_count; i++)
        any |= m->functions[i].any_number = open_parameter(m->functions[i].ptx) != NULL;
    for (uint32_t i = 0; any && i < m->function_count; i++)
        if (look_at_calls(m, m->functions[i].ptx, &through) < 0)
            return -1;
    for (uint32_t i = 0; any && i < m->function_count; i++) {
        if (m->functions[i].any_number)
            widen(open_parameter(m->functions[i].ptx), through);
    }
    return 0;
}
