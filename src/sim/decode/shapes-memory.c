/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of the instructions that move data: loads, stores, atomics, conversions between
 * address spaces, and mov where it packs or unpacks registers. Where an address leads is
 * found when it is used (access.c); here it only becomes a row, an offset and a space.
 */
#include "sim/decode/decode.h"

#include <stdio.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------- */

/* Order and scope ask for no capability, and neither do fences and nanosleep: what these words are
 * compiled from, nvcc writes with ld.volatile and membar for cards before 7.0. */
static bool decode_order(struct decoder *d, const char *word)
{
    static const struct word_number orders[] = {
        {"weak", SIM_WEAK},       {"volatile", SIM_VOLATILE}, {"relaxed", SIM_RELAXED},
        {"mmio", SIM_RELAXED},    {"acquire", SIM_ACQUIRE},   {"release", SIM_RELEASE},
        {"acq_rel", SIM_ACQ_REL}, {NULL, 0}};
    const int order = number_of_word(orders, word);
    if (order >= 0)
        d->now->order = (enum sim_order)order;
    return order >= 0;
}

bool decode_scope(struct decoder *d, const char *word)
{
    static const struct word_number scopes[] = {
        {"cta", SIM_BLOCK_SCOPE}, {"cluster", SIM_CLUSTER_SCOPE}, {"gpu", SIM_GPU_SCOPE},
        {"gl", SIM_GPU_SCOPE},    {"sys", SIM_ALL_SCOPE},         {NULL, 0}};
    const int scope = number_of_word(scopes, word);
    if (scope >= 0)
        d->now->scope = (enum sim_scope)scope;
    return scope >= 0;
}

/* Words about caches: memory is always coherent here. */
static bool decode_hint(struct decoder *d, const char *w)
{
    static const char *const hints[] = {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz", NULL};
    const bool l1 = strncmp(w, "L1::", 4) == 0, l2 = strncmp(w, "L2::", 4) == 0;
    const bool unified = same_word(w, "unified"), constant = same_word(w, "nc");
    const bool early = same_word(w, "L2::64B") || same_word(w, "L2::128B");
    need(d, unified ? 90 : early ? 75 : l2 ? 80 : l1 ? 70 : constant ? 32 : 0);
    return unified || constant || l1 || l2 || one_of(w, hints);
}

bool read_space(struct decoder *d, const char *word, struct access *a)
{
    static const struct word_number spaces[] = {
        {"global", PTX_GLOBAL},         {"shared", PTX_SHARED},
        {"shared::cta", PTX_SHARED},    {"shared::cluster", PTX_SHARED},
        {"local", PTX_LOCAL},           {"const", PTX_CONST},
        {"param", PTX_PARAM},           {"param::entry", PTX_PARAM},
        {"param::func", PTX_PARAM},     {NULL, 0}};
    const int space = number_of_word(spaces, word);
    if (space < 0)
        return false;
    a->space = (enum ptx_space)space;
    a->generic = false;
    a->cluster = same_word(word, "shared::cluster");
    need(d, a->cluster ? 90 : 0);
    return true;
}

static bool read_access(struct decoder *d, const struct op_tokens *t, struct access *a, char *op,
                        size_t op_size)
{
    *a = (struct access){.generic = true, .count = 1};
    if (op_size)
        op[0] = 0;
    for (unsigned i = 1; i < t->count; i++) {
        const char *w = t->word[i];
        bool known = decode_order(d, w) || decode_scope(d, w) || decode_hint(d, w) ||
                     read_space(d, w, a);
        if (w[0] == 'v' && (w[1] == '2' || w[1] == '4' || (w[1] == '8' && op_size)) && !w[2])
            a->count = (unsigned)(w[1] - '0'), known = true;
        enum sim_type type = (enum sim_type)ptx_type_named(w, strlen(w));
        if (type)
            a->type = type, known = true;
        if (!known && op_size && !op[0])
            snprintf(op, op_size, "%s", w), known = true;
        if (!known)
            return unsupported(d); /* false */
    }
    unsigned bytes = sim_type_size(a->type);
    if (bytes == 16 && a->count == 1)
        *a = (struct access){a->space, a->generic, a->cluster, true, 2, SIM_B64};
    need(d, a->wide ? 70 : 0);
    return a->wide || (bytes > 0 && bytes <= 8) || unsupported(d);
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

/* A row of addresses of shared memory as generic ones. */
static uint32_t from_shared(struct decoder *d, uint32_t row)
{
    uint32_t window = constant_row(d, SHARED_WINDOW, 8, false);
    struct raw *r = emit_hidden(d, "add.u64");
    r->in.a = row, r->in.b = r->in.c = window;
    return r->in.d = new_row(d, 8);
}

/* Of shared::cluster: only access.c can tell whose memory it is, from the generic address. */
static void cluster_address(struct decoder *d, struct access *a, struct insn *in)
{
    if (in->flags & INSN_UNIFORM_ADDRESS)
        in->offset += (int64_t)SHARED_WINDOW;
    else
        in->a = from_shared(d, in->a);
    a->generic = true;
}

void read_address(struct decoder *d, struct access *a, const struct ptx_operand *o,
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
        size = a->cluster ? 8 : size;
        in->a = source(d, o->base, size == 4 ? SIM_U32 : SIM_U64);
        in->flags |= size == 4 ? INSN_ADDRESS_32 : 0;
        if (a->space == PTX_PARAM && !d->fn->ptx->is_entry)
            a->space = PTX_LOCAL; /* of a device function: they lie in its frame */
    } else if (a->space == PTX_PARAM && !a->generic && o->base->var) {
        const struct ptx_variable *v = o->base->var;
        in->offset += (int64_t)v->place;
        in->flags |= INSN_UNIFORM_ADDRESS;
        if (v->in || !d->fn->ptx->is_entry)
            in->flags |= INSN_IN_FRAME;
    } else {
        if (a->generic && o->base->var && o->base->var->space < PTX_PARAM) {
            a->space = o->base->var->space; /* as ptxas: a variable's name says its space */
            a->generic = false;
        }
        in->a = source(d, o->base, SIM_U64);
    }
    if (a->cluster)
        cluster_address(d, a, in);
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

unsigned rows_of_vector(struct decoder *d, const struct ptx_operand *o, unsigned count,
                        const struct ptx_operand *item[])
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

void set_vector_row(struct insn *in, unsigned k, uint32_t row)
{
    *(k == 0 ? &in->d : k == 1 ? &in->b : k == 2 ? &in->c : &in->e) = row;
}

static enum sim_type by_size(unsigned bytes)
{
    return bytes <= 2 ? SIM_B16 : bytes == 4 ? SIM_B32 : SIM_B64;
}

unsigned register_size(const struct ptx_operand *o, enum sim_type type)
{
    unsigned size =
        o->kind == PTX_OP_REGISTER && o->var ? row_size((enum sim_type)o->var->type) : 0;
    return size ? size : row_size(type);
}

struct raw *emit_access(struct decoder *d, const char *op_name, const struct insn *in,
                        const struct access *a, enum sim_access_kind access)
{
    struct raw *r = emit(d, op_name);
    r->in.d = in->d, r->in.a = in->a, r->in.b = in->b, r->in.c = in->c, r->in.e = in->e;
    r->in.flags = in->flags, r->in.offset = in->offset;
    r->in.bytes = (uint8_t)sim_type_size(a->type), r->in.count = (uint8_t)a->count;
    r->in.space = (uint8_t)space_of(a), r->in.access = (uint8_t)access;
    r->names_all = true;
    r->at_row = !(in->flags & INSN_UNIFORM_ADDRESS);
    return r;
}

/* The first of the two rows of a 128-bit value. It has the lower 64 bits; the next row has the
 * upper 64 bits. */
static uint32_t wide_row(struct decoder *d, const struct ptx_operand *o, bool written)
{
    const bool is_register = o->kind == PTX_OP_REGISTER && o->var && o->var->type == PTX_B128;
    unsigned size;
    if (o->kind == PTX_OP_SINK && written)
        return new_row(d, 16);
    if (is_register && !o->component && !o->offset)
        return register_row(o, &size);
    close_function(d, "a register of 128 bits was expected in %s", d->from->opcode);
    return 0;
}

static int decode_wide_access(struct decoder *d, const struct access *a, struct insn *in, bool load)
{
    in->d = wide_row(d, arg(d, !load), load);
    in->b = in->d + WIDE_HALF;
    emit_access(d, load ? "*load.u64_64" : "*store.u64_64", in, a, load ? SIM_LOAD : SIM_STORE);
    return 0;
}

int decode_load(struct decoder *d, const struct op_tokens *t)
{
    struct access a;
    struct insn in = {0};
    const struct ptx_operand *item[4];
    char name[48];
    if (wants(d, 2) < 0 || !read_access(d, t, &a, NULL, 0))
        return 0;
    read_address(d, &a, arg(d, 1), &in);
    if (a.wide)
        return decode_wide_access(d, &a, &in, true);
    unsigned n = rows_of_vector(d, arg(d, 0), a.count, item), row = 0;
    for (unsigned k = 0; k < n; k++)
        if (item[k]->kind != PTX_OP_SINK)
            row = register_size(item[k], a.type);
    row = row ? row : row_size(a.type);
    if (row < sim_type_size(a.type))
        return close_function(d, "the register of %s is too narrow", d->from->opcode);
    if (is_kernel_param(d, &a, &in) && row == sim_type_size(a.type))
        snprintf(name, sizeof name, "*param%u", row * 8);
    else
        load_name(name, sizeof name, "load", a.type, row, true);
    for (unsigned k = 0; k < n; k++)
        if (item[k]->kind != PTX_OP_SINK)
            set_vector_row(&in, k, result(d, item[k], row));
    emit_access(d, name, &in, &a, SIM_LOAD);
    if (has_token(t, "acquire"))
        emit_hidden(d, "*yield");
    return 0;
}

int decode_store(struct decoder *d, const struct op_tokens *t)
{
    if (has_token(t, "async"))
        return decode_async_access(d, t);
    struct access a;
    struct insn in = {0};
    const struct ptx_operand *item[4];
    char name[48];
    if (wants(d, 2) < 0 || !read_access(d, t, &a, NULL, 0))
        return 0;
    read_address(d, &a, arg(d, 0), &in);
    if (a.wide)
        return decode_wide_access(d, &a, &in, false);
    unsigned n = rows_of_vector(d, arg(d, 1), a.count, item), row = row_size(a.type);
    for (unsigned k = 0; k < n; k++)
        if (register_size(item[k], a.type) > row)
            row = register_size(item[k], a.type);
    for (unsigned k = 0; k < n; k++) {
        bool f32 = item[k]->kind == PTX_OP_F64 && a.type == SIM_F32;
        set_vector_row(&in, k, source(d, item[k], f32 ? SIM_F32 : by_size(row)));
    }
    load_name(name, sizeof name, "store", a.type, row, false);
    emit_access(d, name, &in, &a, SIM_STORE);
    return 0;
}

/* The bytes that cp.async reads of those it writes: a row; 0 where it is all of them. */
static uint32_t async_bytes(struct decoder *d, const struct op_tokens *t, unsigned all)
{
    unsigned more = d->from->operand_count - has_token(t, "L2::cache_hint");
    if (more < 4)
        return 0;
    if (!is_predicate(arg(d, 3)))
        return source(d, arg(d, 3), SIM_U32);
    uint32_t none = constant_row(d, 0, 4, false), full = constant_row(d, all, 4, false);
    uint32_t ignore = predicate(d, arg(d, 3), NULL, 0);
    struct raw *r = emit_hidden(d, "selp.b32");
    r->in.a = none, r->in.b = full, r->in.c = ignore;
    return r->in.d = new_row(d, 4);
}

/* cp.async.commit_group, .wait_group N, and .wait_all, which does both. */
static int decode_groups(struct decoder *d, const struct op_tokens *t)
{
    struct raw *r = emit(d, "*copy.group");
    r->in.type = has_token(t, "wait_all")     ? COPY_COMMITS | COPY_WAITS
                 : has_token(t, "wait_group") ? COPY_WAITS
                                              : COPY_COMMITS;
    r->in.offset = has_token(t, "wait_group") ? (int64_t)arg(d, 0)->bits : 0;
    return 0;
}

/*
 * cp.async [shared], [global], bytes{, bytes to read}: a load and a store at once, so what was
 * copied is there as early as may be; waiting for it is nothing then.
 */
int decode_async(struct decoder *d, const struct op_tokens *t)
{
    struct access a = {.space = PTX_GLOBAL, .type = SIM_U32};
    struct insn load = {0}, store = {0};
    bool copies = has_token(t, "shared") || has_token(t, "shared::cta");
    d->now->async = SIM_ASYNC_GROUP;
    if (!has_token(t, "async") || has_token(t, "bulk") || has_token(t, "mbarrier"))
        return unsupported(d);
    if (!copies)
        return decode_groups(d, t);
    uint64_t all = d->from->operand_count > 2 ? arg(d, 2)->bits : 0;
    if (all != 4 && all != 8 && all != 16)
        return close_function(d, "%s copies 4, 8 or 16 bytes", d->from->opcode);
    a.count = (unsigned)all / 4;
    load.target = async_bytes(d, t, (unsigned)all);
    read_address(d, &a, arg(d, 1), &load);
    for (unsigned k = 0; k < a.count; k++)
        set_vector_row(&load, k, new_row(d, 4));
    const char *how = load.target ? "*load.some" : "*load.u32_32";
    struct raw *r = emit_access(d, how, &load, &a, SIM_LOAD);
    r->in.target = load.target;
    a.space = PTX_SHARED;
    read_address(d, &a, arg(d, 0), &store);
    store.d = load.d, store.b = load.b, store.c = load.c, store.e = load.e;
    emit_access(d, "*store.u32_32", &store, &a, SIM_STORE)->kind = SIM_CLASS_HIDDEN;
    return 0;
}

/* atom.exch.b128 d, [a], b; atom.cas.b128 d, [a], b, c */
static int decode_wide_atomic(struct decoder *d, const struct access *a, struct insn *in,
                              const char *op)
{
    const bool cas = strcmp(op, "cas") == 0;
    if ((!cas && strcmp(op, "exch") != 0) || !d->writes || wants(d, 3 + cas) < 0)
        return unsupported(d);
    in->b = wide_row(d, arg(d, 2), false);
    in->c = cas ? wide_row(d, arg(d, 3), false) : in->b;
    in->d = wide_row(d, arg(d, 0), true);
    emit_access(d, cas ? "*atomic.cas.b128" : "*atomic.exch.b128", in, a, SIM_ATOMIC);
    return 0;
}

/* Vectors are one atomic for each element, of which the first one is counted. */
int decode_atomic(struct decoder *d, const struct op_tokens *t)
{
    bool red = strcmp(t->word[0], "red") == 0;
    if (red && has_token(t, "async"))
        return decode_async_access(d, t);
    struct access a;
    struct insn in = {0};
    char op[16], name[48];
    unsigned first = red ? 0 : 1;
    const struct ptx_operand *value[8], *to[8];
    if (wants(d, first + 2) < 0 || !read_access(d, t, &a, op, sizeof op))
        return 0;
    read_address(d, &a, arg(d, first), &in);
    if (a.wide)
        return decode_wide_atomic(d, &a, &in, op);
    snprintf(name, sizeof name, "*atomic.%s.%s", op, sim_type_name(a.type));
    const bool halves = a.type >= SIM_F16 && a.type <= SIM_BF16X2; /* min, max need a vector */
    if (!ops_find(d->m->sim, name) || (a.count == 1 && halves && op[0] == 'm') ||
        sim_type_size(a.type) * a.count > 16)
        return unsupported(d);
    if (a.count > 1)
        need(d, 90);
    unsigned n = rows_of_vector(d, arg(d, first + 1), a.count, value);
    if (!red && rows_of_vector(d, arg(d, 0), a.count, to) != n)
        return 0;
    a.count = 1;
    for (unsigned k = 0; k < n; k++) {
        struct insn one = in;
        one.offset += k * sim_type_size(a.type);
        one.b = source(d, value[k], a.type);
        if (strcmp(op, "cas") == 0)
            one.c = source(d, arg(d, first + 2), a.type);
        if (!red && to[k]->kind != PTX_OP_SINK)
            one.d = result(d, to[k], row_size(a.type));
        emit_access(d, name, &one, &a, red ? SIM_REDUCE : SIM_ATOMIC)->kind =
            k ? SIM_CLASS_HIDDEN : SIM_CLASS_ATOMIC;
    }
    return 0;
}

/* cvta: to and from the generic address space is adding or taking away the window. */
int decode_cvta(struct decoder *d, const struct op_tokens *t)
{
    bool to = has_token(t, "to");
    bool shared = has_token(t, "shared") || has_token(t, "shared::cta");
    uint64_t window = shared || has_token(t, "shared::cluster") ? SHARED_WINDOW
                      : has_token(t, "local") ? LOCAL_WINDOW
                      : has_token(t, "param") ? PARAM_WINDOW
                                              : 0;
    if (wants(d, 2) < 0)
        return 0;
    if (has_token(t, "u32"))
        return lacks(d, "unsupported: 32-bit generic addresses");
    uint32_t a = source(d, arg(d, 1), SIM_U64), b = constant_row(d, window, 8, false);
    uint32_t to_row = result(d, arg(d, 0), 8);
    struct raw *r = emit(d, to ? "sub.u64" : "add.u64");
    r->in.a = a, r->in.b = r->in.c = b, r->in.d = to_row;
    return 0;
}

int decode_isspacep(struct decoder *d, const struct op_tokens *t)
{
    struct access a;
    if (wants(d, 2) < 0 || !read_space(d, t->word[t->count - 1], &a))
        return unsupported(d);
    uint32_t from = source(d, arg(d, 1), SIM_U64), to = predicate(d, arg(d, 0), NULL, 0);
    struct raw *r = emit(d, "*isspacep");
    r->in.a = from, r->in.d = to, r->in.type = (uint8_t)(a.cluster ? SIM_CLUSTER : space_of(&a));
    return 0;
}

/* mapa{.shared::cluster}.type d, a, rank; getctarank{.shared::cluster}.type d, a */
int decode_mapa(struct decoder *d, const struct op_tokens *t)
{
    bool map = strcmp(t->word[0], "mapa") == 0, within = has_token(t, "shared::cluster");
    unsigned bytes = has_token(t, "u64") ? 8 : 4;
    if (wants(d, map ? 3 : 2) < 0)
        return 0;
    if (!within && bytes == 4)
        return lacks(d, "unsupported: 32-bit generic addresses");
    uint32_t a = source(d, arg(d, 1), SIM_U64), b = map ? source(d, arg(d, 2), SIM_U32) : 0;
    if (within && !map)
        a = from_shared(d, a);
    uint32_t to = result(d, arg(d, 0), map ? 8 : 4);
    struct raw *r = emit(d, map ? "*mapa" : "*getctarank");
    r->in.a = a, r->in.b = b, r->in.d = to;
    finish_result(d, to, map ? 8 : 4, false);
    return 0;
}

/* A policy for caches is a number that says nothing here. */
int decode_policy(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    uint32_t a = constant_row(d, 0, 8, false), to = result(d, arg(d, 0), 8);
    struct raw *r = emit(d, "mov.b64");
    r->in.a = r->in.b = r->in.c = a, r->in.d = to;
    return 0;
}

/* ---- stack --------------------------------------------------------------------------- */

/* alloca.u64 d, size{, align}; stacksave.u64 d; stackrestore.u64 a */
int decode_stack(struct decoder *d, const struct op_tokens *t)
{
    bool alloca = strcmp(t->word[0], "alloca") == 0,
         restore = strcmp(t->word[0], "stackrestore") == 0;
    char name[20];
    if (wants(d, alloca ? 2 : 1) < 0)
        return 0;
    if (has_token(t, "u32") || (alloca && d->from->operand_count > 2 && !arg(d, 2)->bits))
        return unsupported(d);
    uint32_t a = alloca || restore ? source(d, arg(d, alloca), SIM_U64) : 0;
    uint32_t to = restore ? 0 : result(d, arg(d, 0), 8);
    snprintf(name, sizeof name, "*%s", t->word[0]);
    struct raw *r = emit(d, name);
    r->in.a = a, r->in.d = to;
    r->in.offset = d->from->operand_count > 2 ? (int64_t)arg(d, 2)->bits : 8;
    return 0;
}

/* ---- packing ------------------------------------------------------------------------- */

/* Two pieces of half the size, low one first, become one row; the same with four, by halves. */
static uint32_t pack(struct decoder *d, const struct ptx_operand *items, unsigned count,
                     unsigned bytes, bool hidden, uint32_t to)
{
    char name[16];
    uint32_t half[2];
    for (unsigned k = 0; k < 2; k++)
        half[k] = count > 2 ? pack(d, items + k * count / 2, count / 2, bytes / 2, true, 0)
                            : source(d, &items[k], by_size(bytes / 2));
    snprintf(name, sizeof name, "*pack%u", bytes * 8);
    struct raw *r = hidden ? emit_hidden(d, name) : emit(d, name);
    r->in.a = half[0], r->in.b = r->in.c = half[1];
    return r->in.d = hidden ? new_row(d, bytes) : to;
}

/* The parts of {a, b} or {a, b, c, d}, which hold `bytes` together. NULL: the function is
 * closed. */
static const struct ptx_operand *parts_of(struct decoder *d, const struct ptx_operand *v,
                                          unsigned bytes)
{
    if ((v->item_count == 2 || v->item_count == 4) && bytes >= v->item_count)
        return v->items;
    close_function(d, "unsupported %s in %s", v == arg(d, 0) ? "unpacking" : "packing",
                   d->from->opcode);
    return NULL;
}

static int decode_pack(struct decoder *d, unsigned bytes)
{
    const struct ptx_operand *parts = parts_of(d, arg(d, 1), bytes);
    if (parts)
        pack(d, parts, arg(d, 1)->item_count, bytes, false, result(d, arg(d, 0), bytes));
    return 0;
}

static void unpack(struct decoder *d, const struct ptx_operand *items, unsigned count,
                   unsigned bytes, uint32_t from, bool hidden)
{
    char name[16];
    uint32_t half[2] = {0, 0};
    for (unsigned k = 0; k < 2; k++)
        if (count > 2)
            half[k] = new_row(d, bytes / 2);
        else if (items[k].kind != PTX_OP_SINK)
            half[k] = result(d, &items[k], bytes > 4 ? bytes / 2 : 2);
    snprintf(name, sizeof name, "*unpack%u", bytes * 8);
    struct raw *r = emit(d, name);
    r->in.a = from, r->in.d = half[0], r->in.e = half[1];
    if (hidden)
        r->kind = SIM_CLASS_HIDDEN;
    for (unsigned k = 0; k < 2 && count > 2; k++)
        unpack(d, items + k * count / 2, count / 2, bytes / 2, half[k], true);
}

static int decode_unpack(struct decoder *d, unsigned bytes)
{
    const struct ptx_operand *parts = parts_of(d, arg(d, 0), bytes);
    if (parts)
        unpack(d, parts, arg(d, 0)->item_count, bytes, source(d, arg(d, 1), by_size(bytes)), false);
    return 0;
}

/* A special register that is a predicate: %is_explicit_cluster. */
static int decode_yes_no(struct decoder *d)
{
    uint32_t a = source(d, arg(d, 1), SIM_U32), none = constant_row(d, 0, 4, false);
    uint32_t to = predicate(d, arg(d, 0), NULL, 0);
    struct raw *r = emit(d, "setp.ne.u32");
    r->in.a = a, r->in.b = none, r->in.d = to;
    return 0;
}

/* The source of one part of mov.v2 or mov.v4: an item of a list, or %tid.y of %tid. */
static uint32_t part_source(struct decoder *d, const struct ptx_operand *from, unsigned k,
                            enum sim_type kind)
{
    static const char *const specials[] = {
        "tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid",
        "cluster_nctaid", NULL};
    struct ptx_operand part = *from;
    char name[24];
    unsigned i = 0;
    if (from->kind == PTX_OP_VECTOR)
        return source(d, &from->items[k], kind);
    while (specials[i] && (from->kind != PTX_OP_SPECIAL || strcmp(from->name, specials[i]) != 0))
        i++;
    if (!specials[i])
        return source(d, from, SIM_NONE); /* unsupported */
    if (k == 3)
        return constant_row(d, 0, row_size(kind), false);
    snprintf(name, sizeof name, "%s.%c", specials[i], 'x' + (int)k);
    part.name = name;
    return source(d, &part, kind);
}

/* mov.v2 and mov.v4: all parts are read before one is written. */
static int decode_mov_parts(struct decoder *d, unsigned count, enum sim_type kind)
{
    const struct ptx_operand *to = arg(d, 0), *from = arg(d, 1), *item[4];
    uint32_t row[4];
    char name[16];
    if ((from->kind == PTX_OP_VECTOR && rows_of_vector(d, from, count, item) != count) ||
        rows_of_vector(d, to, count, item) != count)
        return 0;
    unsigned bytes = row_size(kind);
    snprintf(name, sizeof name, "mov.b%u", bytes * 8);
    for (unsigned k = 0; k < count; k++) {
        uint32_t value = part_source(d, from, k, kind);
        struct raw *r = emit_hidden(d, name);
        r->in.a = r->in.b = r->in.c = value;
        row[k] = r->in.d = new_row(d, bytes);
    }
    for (unsigned k = 0; k < count; k++) {
        uint32_t into = result(d, item[k], bytes);
        struct raw *r = emit(d, name);
        r->in.a = r->in.b = r->in.c = row[k], r->in.d = into;
        r->kind = k ? SIM_CLASS_HIDDEN : r->kind;
        finish_result(d, into, bytes, false);
    }
    return 0;
}

/* The row of one half of a 128-bit operand: a register, {a, b} or {a, b, c, d}. */
static uint32_t wide_source(struct decoder *d, const struct ptx_operand *o, unsigned half)
{
    if (o->kind == PTX_OP_INTEGER)
        return constant_row(d, half ? 0 : o->bits, 8, false);
    if (o->kind != PTX_OP_VECTOR)
        return wide_row(d, o, false) + half * WIDE_HALF;
    const struct ptx_operand *parts = parts_of(d, o, 16);
    return !parts ? 0
           : o->item_count == 2 ? source(d, &parts[half], SIM_B64)
                                : pack(d, &parts[2 * half], 2, 8, true, 0);
}

static void mov_half(struct decoder *d, uint32_t from, uint32_t to, bool hidden)
{
    struct raw *r = emit(d, "mov.b64");
    r->in.a = r->in.b = r->in.c = from, r->in.d = to;
    r->kind = hidden ? SIM_CLASS_HIDDEN : r->kind;
}

/* mov.b128: {a, b} = q, q = {a, b}, or q = q. A side in braces may also have four parts. */
static int decode_mov_wide(struct decoder *d)
{
    const struct ptx_operand *to = arg(d, 0);
    uint32_t half[2];
    need(d, 70);
    for (unsigned k = 0; k < 2; k++)
        half[k] = wide_source(d, arg(d, 1), k);
    const struct ptx_operand *parts = to->kind == PTX_OP_VECTOR ? parts_of(d, to, 16) : NULL;
    const uint32_t into = to->kind == PTX_OP_VECTOR ? 0 : wide_row(d, to, true);
    for (unsigned k = 0; k < 2 && !d->fn->closed; k++)
        if (!parts)
            mov_half(d, half[k], into + k * WIDE_HALF, k);
        else if (to->item_count == 4)
            unpack(d, &parts[2 * k], 2, 8, half[k], k);
        else if (parts[k].kind != PTX_OP_SINK)
            mov_half(d, half[k], result(d, &parts[k], 8), k);
    return 0;
}

/* mov packs, unpacks, reads special registers and takes addresses, besides moving. */
int decode_mov(struct decoder *d, const struct op_tokens *t)
{
    const char *type = t->word[t->count - 1];
    if (d->from->operand_count > 1 && is_predicate(arg(d, 0)) && arg(d, 1)->kind == PTX_OP_SPECIAL)
        return decode_yes_no(d);
    if (strcmp(type, "pred") == 0 || (d->from->operand_count && is_predicate(arg(d, 0))))
        return decode_table(d, t);
    enum sim_type kind = (enum sim_type)ptx_type_named(type, strlen(type));
    unsigned bytes = sim_type_size(kind);
    if (wants(d, 2) < 0)
        return 0;
    if (bytes == 16 && t->count == 2)
        return decode_mov_wide(d);
    if (bytes < 2 || bytes > 8)
        return unsupported(d);
    if (has_token(t, "v2") || has_token(t, "v4"))
        return decode_mov_parts(d, has_token(t, "v2") ? 2 : 4, kind);
    if (arg(d, 0)->kind == PTX_OP_VECTOR)
        return decode_unpack(d, bytes);
    if (arg(d, 1)->kind == PTX_OP_VECTOR)
        return decode_pack(d, bytes);
    return decode_table(d, t);
}
