/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variadic functions, such as sum(int n, ...). Their last parameter is an array without a size,
 * %VAParam[]. Each call passes an array that holds its arguments. This file gives the parameter the
 * size of the largest array that any call in the module may pass. It runs before frames get their
 * layout. The part of the parameter that a call does not pass counts as never written.
 */
#include "sim/decode/decode.h"

/* The last parameter, if it is an array without a size. NULL: the function is not variadic. */
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

/* The size in bytes of a call's last argument, if it is in memory, else 0. `to` gets the operand
 * that names the function. */
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

/* Looks at the calls in the function `p`. A direct call sets the size of its function's parameter.
 * For calls by a pointer, `by_pointer` gets the largest size. */
static int look_at_calls(struct sim_module *m, const struct ptx_function *p, uint64_t *by_pointer)
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
        else if (bytes > *by_pointer && to->kind == PTX_OP_REGISTER)
            *by_pointer = bytes;
    }
    return 0;
}

int decode_variadic(struct sim_module *m)
{
    uint64_t by_pointer = 0;
    bool any = false;
    for (uint32_t i = 0; i < m->function_count; i++)
        any |= m->functions[i].any_number = open_parameter(m->functions[i].ptx) != NULL;
    for (uint32_t i = 0; any && i < m->function_count; i++)
        if (look_at_calls(m, m->functions[i].ptx, &by_pointer) < 0)
            return -1;
    for (uint32_t i = 0; any && i < m->function_count; i++) {
        if (m->functions[i].any_number)
            widen(open_parameter(m->functions[i].ptx), by_pointer);
    }
    return 0;
}
