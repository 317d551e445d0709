/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that are more than a line of the table: memory, shuffles and votes, barriers,
 * branches and calls, packing and unpacking. Each decoder turns one PTX instruction into the
 * raw instructions that do it.
 */
#include "sim/decode.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_operand *at(const struct decoder *d, unsigned i)
{
    static const struct ptx_operand none = {.kind = PTX_OP_SINK};
    return i < d->from->operand_count ? &d->from->operands[i] : &none;
}

static int wants(struct decoder *d, unsigned least)
{
    if (d->from->operand_count >= least)
        return 0;
    close_function(d, "%s has too few operands", d->from->opcode);
    return -1;
}

/* ---- memory -------------------------------------------------------------------------- */

struct access {
    enum ptx_space space;
    bool generic;
    unsigned count;
    enum sim_type type;
};

/* Words that change when or where a value is cached or seen, not what it is: in lock step
 * of whole warp instructions memory is always coherent. */
static bool is_hint(const char *w)
{
    static const char *const hints[] = {
        "weak",    "relaxed", "acquire", "release", "acq_rel", "volatile", "mmio", "cta",
        "cluster", "gpu",     "sys",     "ca",      "cg",      "cs",       "lu",   "cv",
        "wb",      "wt",      "nc",      "noftz",   "unified", NULL};
    for (const char *const *h = hints; *h; h++)
        if (strcmp(w, *h) == 0)
            return true;
    return strncmp(w, "L1::", 4) == 0 || strncmp(w, "L2::", 4) == 0;
}

static bool read_access(struct decoder *d, const struct tokens *t, struct access *a, char *op,
                        size_t op_size)
{
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"global", PTX_GLOBAL},      {"shared", PTX_SHARED},
                  {"shared::cta", PTX_SHARED}, {"local", PTX_LOCAL},
                  {"const", PTX_CONST},        {"param", PTX_PARAM},
                  {"param::entry", PTX_PARAM}, {"param::func", PTX_PARAM}};
    *a = (struct access){.generic = true, .count = 1};
    op[0] = 0;
    for (unsigned i = 1; i < t->count; i++) {
        const char *w = t->word[i];
        bool known = is_hint(w);
        for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
            if (strcmp(w, spaces[k].name) == 0)
                a->space = spaces[k].space, a->generic = false, known = true;
        if (w[0] == 'v' && (w[1] == '2' || w[1] == '4') && !w[2])
            a->count = (unsigned)(w[1] - '0'), known = true;
        enum sim_type type = (enum sim_type)ptx_type_named(w, strlen(w));
        if (type)
            a->type = type, known = true;
        if (!known && op_size && !op[0])
            snprintf(op, op_size, "%s", w), known = true;
        if (!known) {
            close_function(d, "unsupported instruction %s", d->from->opcode);
            return false;
        }
    }
    unsigned bytes = sim_type_size(a->type);
    if (bytes == 0 || bytes > 8) {
        close_function(d, "unsupported instruction %s", d->from->opcode);
        return false;
    }
    return true;
}

static enum sim_space space_of(const struct access *a)
{
    static const enum sim_space spaces[] = {[PTX_GLOBAL] = SIM_GLOBAL,
                                            [PTX_SHARED] = SIM_SHARED,
                                            [PTX_LOCAL] = SIM_LOCAL,
                                            [PTX_CONST] = SIM_CONST,
                                            [PTX_PARAM] = SIM_PARAM};
    return a->generic ? SIM_GENERIC : spaces[a->space];
}

/* [register+4], [symbol+4] or [4]: fills flags, row and offset. */
static void address(struct decoder *d, const struct access *a, const struct ptx_operand *o,
                    struct insn *in)
{
    if (o->kind != PTX_OP_ADDRESS) {
        close_function(d, "an address was expected in %s", d->from->opcode);
        return;
    }
    in->offset = o->offset;
    if (!o->base) {
        in->flags |= INSN_UNIFORM_ADDRESS;
    } else if (o->base->kind == PTX_OP_REGISTER) {
        unsigned size = o->base->var ? row_size((enum sim_type)o->base->var->type) : 0;
        in->a = source(d, o->base, size == 4 ? SIM_U32 : SIM_U64);
        in->flags |= size == 4 ? INSN_ADDRESS_32 : 0;
    } else if (a->space == PTX_PARAM && !a->generic && o->base->var) {
        const struct ptx_variable *v = o->base->var;
        in->offset += (int64_t)v->place;
        in->flags |= INSN_UNIFORM_ADDRESS;
        if (v->in || !d->fn->ptx->is_entry)
            in->flags |= INSN_IN_FRAME;
    } else {
        in->a = source(d, o->base, SIM_U64);
    }
}

static void load_name(char *out, size_t size, const char *what, enum sim_type type, unsigned row,
                      bool keep_sign)
{
    unsigned bits = sim_type_size(type) * 8;
    bool sign = keep_sign && type >= SIM_S8 && type <= SIM_S64 && bits < row * 8;
    snprintf(out, size, "*%s.%c%u_%u", what, sign ? 's' : 'u', bits, row * 8);
}

/* ld.param of a kernel at a fixed place: no memory access at all. */
static bool is_kernel_param(const struct decoder *d, const struct access *a, const struct insn *in)
{
    return !a->generic && a->space == PTX_PARAM && d->fn->ptx->is_entry && a->count == 1 &&
           (in->flags & INSN_UNIFORM_ADDRESS) && !(in->flags & INSN_IN_FRAME) && in->offset >= 0 &&
           (uint64_t)in->offset + sim_type_size(a->type) <= d->fn->params_bytes;
}

static unsigned rows_of_vector(struct decoder *d, const struct ptx_operand *o, unsigned count,
                               const struct ptx_operand *item[4])
{
    if (count == 1 && o->kind != PTX_OP_VECTOR) {
        item[0] = o;
        return 1;
    }
    if (o->kind != PTX_OP_VECTOR || o->item_count != count) {
        close_function(d, "%s needs %u registers in braces", d->from->opcode, count);
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        item[i] = &o->items[i];
    return count;
}

static void set_vector_row(struct insn *in, unsigned k, uint32_t row)
{
    *(k == 0 ? &in->d : k == 1 ? &in->b : k == 2 ? &in->c : &in->e) = row;
}

static unsigned register_size(const struct ptx_operand *o, enum sim_type type)
{
    unsigned size =
        o->kind == PTX_OP_REGISTER && o->var ? row_size((enum sim_type)o->var->type) : 0;
    return size ? size : row_size(type);
}

/* The instruction itself: rows, flags and offset are in `in`, the rest comes from the access. */
static void emit_access(struct decoder *d, const char *op_name, const struct insn *in,
                        const struct access *a, enum sim_access access)
{
    struct raw *r = emit(d, op_name);
    r->in.d = in->d, r->in.a = in->a, r->in.b = in->b, r->in.c = in->c, r->in.e = in->e;
    r->in.flags = in->flags, r->in.offset = in->offset;
    r->in.bytes = (uint8_t)sim_type_size(a->type), r->in.count = (uint8_t)a->count;
    r->in.space = (uint8_t)space_of(a), r->in.access = (uint8_t)access;
}

static int decode_load(struct decoder *d, const struct tokens *t)
{
    struct access a;
    struct insn in = {0};
    const struct ptx_operand *item[4];
    char name[48], unused[2];
    if (wants(d, 2) < 0 || !read_access(d, t, &a, unused, 0))
        return 0;
    address(d, &a, at(d, 1), &in);
    unsigned n = rows_of_vector(d, at(d, 0), a.count, item), row = 0;
    for (unsigned k = 0; k < n; k++)
        if (item[k]->kind != PTX_OP_SINK)
            row = register_size(item[k], a.type);
    row = row ? row : row_size(a.type);
    if (row < sim_type_size(a.type)) {
        close_function(d, "the register of %s is too narrow", d->from->opcode);
        return 0;
    }
    if (is_kernel_param(d, &a, &in) && row == sim_type_size(a.type))
        snprintf(name, sizeof name, "*param%u", row * 8);
    else
        load_name(name, sizeof name, "load", a.type, row, true);
    for (unsigned k = 0; k < n; k++)
        if (item[k]->kind != PTX_OP_SINK)
            set_vector_row(&in, k, result(d, item[k], row));
    emit_access(d, name, &in, &a, SIM_LOAD);
    return 0;
}

static int decode_store(struct decoder *d, const struct tokens *t)
{
    struct access a;
    struct insn in = {0};
    const struct ptx_operand *item[4];
    char name[48], unused[2];
    if (wants(d, 2) < 0 || !read_access(d, t, &a, unused, 0))
        return 0;
    address(d, &a, at(d, 0), &in);
    unsigned n = rows_of_vector(d, at(d, 1), a.count, item), row = row_size(a.type);
    for (unsigned k = 0; k < n; k++)
        if (register_size(item[k], a.type) > row)
            row = register_size(item[k], a.type);
    static const enum sim_type by_size[] = {[2] = SIM_B16, [4] = SIM_B32, [8] = SIM_B64};
    for (unsigned k = 0; k < n; k++) {
        bool f32 = item[k]->kind == PTX_OP_F64 && a.type == SIM_F32;
        set_vector_row(&in, k, source(d, item[k], f32 ? SIM_F32 : by_size[row]));
    }
    load_name(name, sizeof name, "store", a.type, row, false);
    emit_access(d, name, &in, &a, SIM_STORE);
    return 0;
}

static int decode_atomic(struct decoder *d, const struct tokens *t)
{
    bool red = strcmp(t->word[0], "red") == 0;
    struct access a;
    struct insn in = {0};
    char op[16], name[48];
    unsigned first = red ? 0 : 1;
    if (wants(d, first + 2) < 0 || !read_access(d, t, &a, op, sizeof op))
        return 0;
    address(d, &a, at(d, first), &in);
    snprintf(name, sizeof name, "*atomic.%s.%s", op, sim_type_name(a.type));
    const struct op *row = ops_find(d->m->sim, name);
    if (!row || a.count != 1)
        return close_function(d, "unsupported instruction %s", d->from->opcode);
    in.b = source(d, at(d, first + 1), a.type);
    if (strcmp(op, "cas") == 0)
        in.c = source(d, at(d, first + 2), a.type);
    if (!red && at(d, 0)->kind != PTX_OP_SINK)
        in.d = result(d, at(d, 0), row_size(a.type));
    need(d, a.type == SIM_F64 ? 60 : a.type == SIM_F32 && op[0] == 'a' ? 20 : 12);
    emit_access(d, name, &in, &a, red ? SIM_REDUCE : SIM_ATOMIC);
    return 0;
}

/* cvta: to and from the generic address space is adding or taking away the window. */
static int decode_cvta(struct decoder *d, const struct tokens *t)
{
    bool to = has_token(t, "to");
    uint64_t window = has_token(t, "shared")  ? SHARED_WINDOW
                      : has_token(t, "local") ? LOCAL_WINDOW
                      : has_token(t, "param") ? PARAM_WINDOW
                                              : 0;
    if (wants(d, 2) < 0)
        return 0;
    if (has_token(t, "u32"))
        return close_function(d, "unsupported: 32-bit generic addresses");
    uint32_t a = source(d, at(d, 1), SIM_U64), b = constant_row(d, window, 8, false);
    uint32_t to_row = result(d, at(d, 0), 8);
    struct raw *r = emit(d, to ? "sub.u64" : "add.u64");
    r->in.a = a, r->in.b = r->in.c = b, r->in.d = to_row;
    return 0;
}

static int decode_isspacep(struct decoder *d, const struct tokens *t)
{
    bool global = has_token(t, "global") || has_token(t, "const");
    uint64_t window = has_token(t, "local")   ? LOCAL_WINDOW
                      : has_token(t, "param") ? PARAM_WINDOW
                                              : SHARED_WINDOW;
    if (wants(d, 2) < 0)
        return 0;
    if (has_token(t, "const") || has_token(t, "shared::cluster") || has_token(t, "param::entry"))
        return close_function(d, "unsupported instruction %s", d->from->opcode);
    uint32_t a = source(d, at(d, 1), SIM_U64), to = predicate(d, at(d, 0), NULL, 0);
    struct raw *r = emit(d, "*isspacep");
    r->in.a = a, r->in.d = to, r->in.offset = global ? 0 : (int64_t)window;
    r->in.flags = global ? INSN_FLIP_A : 0;
    return 0;
}

/* ---- packing ------------------------------------------------------------------------- */

static int decode_pack(struct decoder *d, unsigned bytes)
{
    const struct ptx_operand *v = at(d, 1);
    enum sim_type half = bytes == 8 ? SIM_B32 : SIM_B16;
    if (v->item_count != 2 || bytes < 4)
        return close_function(d, "unsupported packing in %s", d->from->opcode);
    uint32_t lo = source(d, &v->items[0], half), hi = source(d, &v->items[1], half);
    uint32_t to = result(d, at(d, 0), bytes);
    struct raw *r = emit(d, bytes == 8 ? "*pack64" : "*pack32");
    r->in.a = lo, r->in.b = r->in.c = hi, r->in.d = to;
    return 0;
}

static int decode_unpack(struct decoder *d, unsigned bytes)
{
    const struct ptx_operand *v = at(d, 0);
    if (v->item_count != 2 || bytes < 4)
        return close_function(d, "unsupported unpacking in %s", d->from->opcode);
    uint32_t a = source(d, at(d, 1), bytes == 8 ? SIM_B64 : SIM_B32);
    uint32_t lo = v->items[0].kind == PTX_OP_SINK ? 0 : result(d, &v->items[0], bytes / 2);
    uint32_t hi = v->items[1].kind == PTX_OP_SINK ? 0 : result(d, &v->items[1], bytes / 2);
    struct raw *r = emit(d, bytes == 8 ? "*unpack64" : "*unpack32");
    r->in.a = a, r->in.d = lo, r->in.e = hi;
    return 0;
}

/* mov packs, unpacks, reads special registers and takes addresses, besides moving. */
static int decode_mov(struct decoder *d, const struct tokens *t)
{
    const char *type = t->word[t->count - 1];
    if (strcmp(type, "pred") == 0 || (d->from->operand_count && is_predicate(at(d, 0))))
        return decode_table(d, t);
    enum sim_type kind = (enum sim_type)ptx_type_named(type, strlen(type));
    unsigned bytes = sim_type_size(kind);
    if (wants(d, 2) < 0)
        return 0;
    if (bytes < 2 || bytes > 8)
        return close_function(d, "unsupported instruction %s", d->from->opcode);
    if (at(d, 0)->kind == PTX_OP_VECTOR)
        return decode_unpack(d, bytes);
    if (at(d, 1)->kind == PTX_OP_VECTOR)
        return decode_pack(d, bytes);
    return decode_table(d, t);
}

/* ---- lanes --------------------------------------------------------------------------- */

static int decode_shfl(struct decoder *d, const struct tokens *t)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    bool sync = has_token(t, "sync");
    if (wants(d, sync ? 5 : 4) < 0)
        return 0;
    uint32_t a = source(d, at(d, 1), SIM_B32), b = source(d, at(d, 2), SIM_B32);
    uint32_t c = source(d, at(d, 3), SIM_B32);
    uint32_t mask = sync ? source(d, at(d, 4), SIM_B32) : constant_row(d, ALL_LANES, 4, false);
    uint32_t pair = at(d, 0)->pair ? predicate(d, at(d, 0)->pair, NULL, 0) : 0;
    uint32_t to = result(d, at(d, 0), 4);
    struct raw *r = emit(d, "*shfl");
    r->in.a = a, r->in.b = b, r->in.c = c, r->in.offset = mask, r->in.d = to, r->in.e = pair;
    for (unsigned i = 0; i < 4; i++)
        if (has_token(t, modes[i]))
            r->in.type = (uint8_t)i;
    return 0;
}

static int decode_vote(struct decoder *d, const struct tokens *t)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    unsigned mode = 4;
    uint8_t flags = 0;
    for (unsigned i = 0; i < 4; i++)
        if (has_token(t, modes[i]))
            mode = i;
    if (mode == 4 || wants(d, has_token(t, "sync") ? 3 : 2) < 0)
        return close_function(d, "unsupported instruction %s", d->from->opcode);
    uint32_t p = predicate(d, at(d, 1), &flags, INSN_FLIP_A);
    uint32_t mask =
        has_token(t, "sync") ? source(d, at(d, 2), SIM_B32) : constant_row(d, ALL_LANES, 4, false);
    uint32_t to = mode == 3 ? result(d, at(d, 0), 4) : predicate(d, at(d, 0), NULL, 0);
    struct raw *r = emit(d, "*vote");
    r->in.type = (uint8_t)mode, r->in.a = p, r->in.b = mask, r->in.d = to, r->in.flags = flags;
    return 0;
}

static int decode_activemask(struct decoder *d, const struct tokens *t)
{
    (void)t;
    uint32_t to = result(d, at(d, 0), 4);
    emit(d, "*activemask")->in.d = to;
    return 0;
}

static int decode_bar(struct decoder *d, const struct tokens *t)
{
    if (has_token(t, "warp")) {
        uint32_t mask = source(d, at(d, 0), SIM_B32);
        emit(d, "*warpsync")->in.a = mask;
        return 0;
    }
    if (!has_token(t, "sync") || wants(d, 1) < 0)
        return close_function(d, "unsupported instruction %s", d->from->opcode);
    uint32_t number = source(d, at(d, 0), SIM_B32);
    uint32_t threads = d->from->operand_count > 1 ? source(d, at(d, 1), SIM_B32) : 0;
    struct raw *r = emit(d, "*barrier");
    r->in.a = number, r->in.b = threads;
    return 0;
}

/* Fences, prefetches and waits change no value here. */
static int decode_nothing(struct decoder *d, const struct tokens *t)
{
    (void)t;
    emit(d, "*nop");
    return 0;
}

/* ---- control ------------------------------------------------------------------------- */

static int decode_bra(struct decoder *d, const struct tokens *t)
{
    (void)t;
    const struct ptx_operand *o = at(d, 0);
    int64_t to = o->name ? ptx_label_at(d->fn->ptx, o->name) : -1;
    if (to < 0)
        return close_function(d, "%s: no such label", o->name ? o->name : d->from->opcode);
    struct raw *r = emit(d, "*bra");
    r->target = (uint32_t)to;
    r->ends = r->in.guard == 0;
    return 0;
}

static int decode_exit(struct decoder *d, const struct tokens *t)
{
    bool leaves = strcmp(t->word[0], "exit") == 0 || d->fn->ptx->is_entry;
    struct raw *r = emit(d, leaves ? "*exit" : "*bra");
    r->kind = SIM_CLASS_EXIT;
    r->ends = r->in.guard == 0;
    if (!leaves)
        r->target = TO_END;
    return 0;
}

static int decode_trap(struct decoder *d, const struct tokens *t)
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

static int decode_call(struct decoder *d, const struct tokens *t)
{
    static const struct {
        const char *name;
        int32_t call;
    } known[] = {{"vprintf", CALL_VPRINTF}, {"__assertfail", CALL_ASSERT}};
    (void)t;
    bool has_result = at(d, 0)->kind == PTX_OP_VECTOR;
    const struct ptx_operand *to = at(d, has_result ? 1 : 0);
    const struct ptx_operand *args =
        d->from->operand_count > (has_result ? 2u : 1u) ? at(d, has_result ? 2 : 1) : NULL;
    const struct ptx_operand *back = has_result ? at(d, 0) : NULL;
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

/* ---- which decoder ------------------------------------------------------------------- */

static const struct {
    const char *name;
    decode_fn decode;
} shapes[] = {
    {"ld", decode_load},           {"ldu", decode_load},
    {"st", decode_store},          {"atom", decode_atomic},
    {"red", decode_atomic},        {"isspacep", decode_isspacep},
    {"cvta", decode_cvta},         {"shfl", decode_shfl},
    {"vote", decode_vote},         {"activemask", decode_activemask},
    {"bar", decode_bar},           {"barrier", decode_bar},
    {"membar", decode_nothing},    {"fence", decode_nothing},
    {"prefetch", decode_nothing},  {"prefetchu", decode_nothing},
    {"nanosleep", decode_nothing}, {"pmevent", decode_nothing},
    {"bra", decode_bra},           {"ret", decode_exit},
    {"exit", decode_exit},         {"trap", decode_trap},
    {"brkpt", decode_trap},        {"call", decode_call},
    {"mov", decode_mov},
};

decode_fn shape_named(const char *opcode)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, opcode) == 0)
            return shapes[i].decode;
    return NULL;
}
