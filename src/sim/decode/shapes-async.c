/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of mbarriers and of asynchronous copies, except for plain cp.async. All addresses become
 * generic addresses, because they may lead to shared memory of another block of the cluster.
 */
#include "sim/bulk.h"
#include "sim/decode/decode.h"
#include "sim/mbarrier.h"

#include <stdio.h>
#include <string.h>

/* ---- addresses ----------------------------------------------------------------------- */

static bool names_shared(const char *space)
{
    static const char *const names[] = {"shared", "shared::cta", "shared::cluster", NULL};
    return space && one_of(space, names);
}

/* Makes a row with the generic address of [register+4], [symbol+4] or [4]. `space` is the space
 * that the instruction names; NULL: the address is generic already. */
static uint32_t address_row(struct decoder *d, const struct ptx_operand *o, const char *space)
{
    const struct ptx_operand *base = o->base;
    if (o->kind != PTX_OP_ADDRESS) {
        close_function(d, "an address was expected in %s", d->from->opcode);
        return 1;
    }
    const bool variable = base && base->kind != PTX_OP_REGISTER && base->var;
    const bool shared = names_shared(space) || (variable && base->var->space == PTX_SHARED);
    const uint64_t more = (uint64_t)o->offset + (shared ? SHARED_WINDOW : 0);
    if (!base)
        return constant_row(d, more, 8, false);
    uint32_t row = source(d, base, SIM_U64), by = more ? constant_row(d, more, 8, false) : 0;
    if (!more)
        return row;
    struct raw *r = emit_hidden(d, "add.u64");
    r->in.a = row, r->in.b = r->in.c = by;
    return r->in.d = new_row(d, 8);
}

/* The word that names a space, counting from 0. NULL: there are not so many such words. */
static const char *space_word(const struct op_tokens *t, unsigned n)
{
    static const char *const names[] = {"shared", "shared::cta", "shared::cluster", "global", NULL};
    for (unsigned i = 1; i < t->count; i++)
        if (one_of(t->word[i], names) && n-- == 0)
            return t->word[i];
    return NULL;
}

/* ---- mbarriers ----------------------------------------------------------------------- */

/* Is the word a space, a scope or an order? Those are not forms. A scope or an order needs compute
 * capability 9.0. */
static bool is_plain_word(struct decoder *d, const char *w)
{
    static const char *const plain[] = {"b64", "shared", "shared::cta", NULL};
    static const struct word_number orders[] = {
        {"release", SIM_RELEASE}, {"acquire", SIM_ACQUIRE}, {"relaxed", SIM_RELAXED}, {NULL, 0}};
    const int order = number_of_word(orders, w);
    const bool newer = order >= 0 || decode_scope(d, w) || same_word(w, "shared::cluster");
    if (order >= 0)
        d->now->order = (enum sim_order)order;
    need(d, newer ? 90 : 0);
    return newer || one_of(w, plain);
}

/* Collects the forms of an instruction, beginning at its word `from`. False: a word is unknown. */
static bool read_forms(struct decoder *d, const struct op_tokens *t, unsigned from,
                       const struct word_number *forms, uint8_t *out)
{
    for (unsigned i = from; i < t->count; i++) {
        const int form = number_of_word(forms, t->word[i]);
        if (form < 0 && !is_plain_word(d, t->word[i]))
            return unsupported(d);
        *out |= form < 0 ? 0 : (uint8_t)form;
    }
    return true;
}

/* mbarrier.arrive, .arrive_drop{.expect_tx, .noComplete} state, [address]{, count} */
static int decode_arrive(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number forms[] = {{"expect_tx", MBARRIER_EXPECTS},
                                               {"noComplete", MBARRIER_NO_COMPLETE},
                                               {NULL, 0}};
    uint8_t type = same_word(t->word[1], "arrive_drop") ? MBARRIER_DROPS : 0;
    const struct ptx_operand *state = arg(d, 0);
    const bool none = state->kind == PTX_OP_ADDRESS; /* without a result */
    const unsigned at = none ? 0 : 1;
    if (!read_forms(d, t, 2, forms, &type) || wants(d, at + 1) < 0)
        return 0;
    if (type & (MBARRIER_EXPECTS | MBARRIER_NO_COMPLETE) && wants(d, at + 2) < 0)
        return 0;
    if (d->now->order == SIM_WEAK)
        d->now->order = SIM_RELEASE;
    need(d, type & MBARRIER_EXPECTS ? 90 : 80);
    const bool counts = d->from->operand_count > at + 1;
    need(d, counts && !(type & MBARRIER_NO_COMPLETE) ? 90 : 0);
    uint32_t a = address_row(d, arg(d, at), space_word(t, 0));
    uint32_t b = counts ? source(d, arg(d, at + 1), SIM_U32) : 0;
    uint32_t to = none || state->kind == PTX_OP_SINK ? 0 : result(d, state, 8);
    struct raw *r = emit(d, "*mbarrier.arrive");
    r->in.a = a, r->in.b = b, r->in.d = to, r->in.type = type, r->in.access = SIM_ATOMIC;
    d->writes = !none;
    return 0;
}

/* mbarrier.expect_tx and .complete_tx [address], bytes */
static int decode_expect(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number forms[] = {{NULL, 0}};
    uint8_t type = same_word(t->word[1], "complete_tx") ? MBARRIER_COMPLETES : 0;
    if (!read_forms(d, t, 2, forms, &type) || wants(d, 2) < 0)
        return 0;
    d->now->order = SIM_RELAXED;
    uint32_t a = address_row(d, arg(d, 0), space_word(t, 0)), b = source(d, arg(d, 1), SIM_U32);
    struct raw *r = emit(d, "*mbarrier.expect");
    r->in.a = a, r->in.b = b, r->in.type = type, r->in.access = SIM_ATOMIC;
    d->writes = false;
    return 0;
}

/* mbarrier.test_wait, .try_wait{.parity} p, [address], state or parity{, time}. If the phase is not
 * over, other warps have their turn. */
static int decode_wait(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number forms[] = {{"parity", MBARRIER_PARITY}, {NULL, 0}};
    uint8_t type = 0;
    if (!read_forms(d, t, 2, forms, &type) || wants(d, 3) < 0)
        return 0;
    if (d->now->order == SIM_WEAK)
        d->now->order = SIM_ACQUIRE;
    need(d, same_word(t->word[1], "try_wait") ? 90 : 80);
    uint32_t a = address_row(d, arg(d, 1), space_word(t, 0));
    uint32_t b = source(d, arg(d, 2), type & MBARRIER_PARITY ? SIM_U32 : SIM_U64);
    uint32_t p = predicate(d, arg(d, 0), NULL, 0);
    struct raw *r = emit(d, "*mbarrier.wait");
    r->in.a = a, r->in.b = b, r->in.d = p, r->in.type = type;
    struct raw *yield = emit_hidden(d, "*yield");
    yield->in.guard = p, yield->in.guard_flip = ALL_LANES;
    d->m->waits = true;
    return 0;
}

/* mbarrier.init [address], count; mbarrier.inval [address] */
static int decode_make(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number forms[] = {{NULL, 0}};
    const bool init = same_word(t->word[1], "init");
    uint8_t type = 0;
    if (!read_forms(d, t, 2, forms, &type) || wants(d, init ? 2 : 1) < 0)
        return 0;
    uint32_t a = address_row(d, arg(d, 0), space_word(t, 0));
    uint32_t b = init ? source(d, arg(d, 1), SIM_U32) : 0;
    struct raw *r = emit(d, init ? "*mbarrier.init" : "*mbarrier.inval");
    r->in.a = a, r->in.b = b, r->in.access = SIM_STORE;
    d->writes = false;
    return 0;
}

/* mbarrier.pending_count count, state */
static int decode_pending(struct decoder *d, const struct op_tokens *t)
{
    (void)t;
    if (wants(d, 2) < 0)
        return 0;
    uint32_t a = source(d, arg(d, 1), SIM_U64), to = result(d, arg(d, 0), 4);
    struct raw *r = emit(d, "*mbarrier.pending");
    r->in.a = a, r->in.d = to;
    finish_result(d, to, 4, false);
    return 0;
}

int decode_mbarrier(struct decoder *d, const struct op_tokens *t)
{
    static const struct {
        const char *name;
        decode_fn *decode;
    } all[] = {{"init", decode_make},         {"inval", decode_make},
               {"arrive", decode_arrive},     {"arrive_drop", decode_arrive},
               {"expect_tx", decode_expect},  {"complete_tx", decode_expect},
               {"test_wait", decode_wait},    {"try_wait", decode_wait},
               {"pending_count", decode_pending}};
    for (size_t i = 0; t->count > 1 && i < sizeof all / sizeof *all; i++)
        if (same_word(all[i].name, t->word[1]))
            return all[i].decode(d, t);
    return unsupported(d);
}

/* ---- copies of multicast bytes ------------------------------------------------------------- */

/* Makes the scratch rows of bulk.c. Returns the first one, or 0 if they don't lie one after the
 * other. */
static uint32_t scratch_rows(struct decoder *d)
{
    static const uint8_t bytes[BULK_ROWS] = BULK_ROW_BYTES;
    uint32_t first = 0, next = 0;
    for (unsigned i = 0; i < BULK_ROWS; i++) {
        uint32_t row = new_row(d, bytes[i]);
        if (i && row != next) {
            close_function(d, "%s finds no rows to work with", d->from->opcode);
            return 0;
        }
        first = i ? first : row;
        next = row + LANES * bytes[i];
    }
    return first;
}

/* The words after cp{.reduce}.async.bulk. `hint`: a cache policy follows as an operand. */
struct bulk_words {
    const char *to, *from, *op, *type;
    bool has_mbarrier, multicast, hint;
};

static bool read_bulk(struct decoder *d, const struct op_tokens *t, struct bulk_words *b)
{
    static const char *const ops[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", NULL};
    *b = (struct bulk_words){.to = space_word(t, 0), .from = space_word(t, 1)};
    for (unsigned i = same_word(t->word[1], "reduce") ? 4 : 3; i < t->count; i++) {
        const char *w = t->word[i];
        if (same_word(w, "mbarrier::complete_tx::bytes"))
            b->has_mbarrier = true;
        else if (same_word(w, "multicast::cluster"))
            b->multicast = true;
        else if (same_word(w, "L2::cache_hint"))
            b->hint = true;
        else if (one_of(w, ops))
            b->op = w;
        else if (ptx_type_named(w, strlen(w)))
            b->type = w;
        else if (!same_word(w, b->to ? b->to : "") && !same_word(w, b->from ? b->from : "") &&
                 !same_word(w, "bulk_group") && !same_word(w, "noftz"))
            return unsupported(d);
    }
    const bool fits = b->to && b->from && b->has_mbarrier == names_shared(b->to);
    return (fits && (b->has_mbarrier || !b->multicast)) || unsupported(d);
}

/* cp{.reduce}.async.bulk [to], [from], bytes{, [mbarrier]}{, mask of blocks}{, policy} */
static int decode_bulk_copy(struct decoder *d, const struct op_tokens *t)
{
    struct bulk_words b;
    const bool reduces = same_word(t->word[1], "reduce");
    if (!read_bulk(d, t, &b) || wants(d, 3u + b.has_mbarrier + b.multicast) < 0)
        return 0;
    const uint8_t reduction = reduces && b.op && b.type ? bulk_reduction(b.op, b.type) : BULK_COPY;
    if (reduces != (reduction != BULK_COPY) ||
        (reduces && !bulk_reduction_op(d->m->sim, reduction)))
        return unsupported(d);
    d->now->async = b.has_mbarrier ? SIM_ASYNC_MBARRIER : SIM_ASYNC_BULK;
    uint32_t to = address_row(d, arg(d, 0), b.to), from = address_row(d, arg(d, 1), b.from);
    uint32_t bytes = source(d, arg(d, 2), SIM_U32);
    uint32_t mbarrier = b.has_mbarrier ? address_row(d, arg(d, 3), b.to) : 0;
    uint32_t blocks = b.multicast ? source(d, arg(d, 4), SIM_U16) : 0, rows = scratch_rows(d);
    emit(d, "*bulk.begin");
    struct raw *r = emit(d, "*bulk");
    r->in.a = from, r->in.b = to, r->in.c = bytes, r->in.d = mbarrier, r->in.e = rows;
    r->in.target = blocks, r->in.type = reduction, r->in.access = SIM_STORE;
    if (reduces)
        r->in.bytes = (uint8_t)sim_type_size((enum sim_type)ptx_type_named(b.type, strlen(b.type)));
    return 0;
}

/* cp.async.bulk.commit_group, .wait_group{.read} N */
static int decode_bulk_groups(struct decoder *d, const struct op_tokens *t)
{
    const bool waits = has_token(t, "wait_group");
    d->now->async = has_token(t, "read") ? SIM_ASYNC_BULK_READ : SIM_ASYNC_BULK;
    if (waits && wants(d, 1) < 0)
        return 0;
    struct raw *r = emit(d, "*copy.group");
    r->in.type = waits ? COPY_WAITS : COPY_COMMITS;
    r->in.offset = waits ? (int64_t)arg(d, 0)->bits : 0;
    need(d, 90);
    return 0;
}

static int decode_bulk(struct decoder *d, const struct op_tokens *t)
{
    if (has_token(t, "tensor"))
        return lacks(d, "unsupported instruction %s: the simulator has no tensor maps",
                     d->from->opcode);
    if (has_token(t, "commit_group") || has_token(t, "wait_group"))
        return decode_bulk_groups(d, t);
    need(d, 90);
    if (has_token(t, "prefetch")) {
        emit(d, "*nop");
        return 0;
    }
    return decode_bulk_copy(d, t);
}

/* cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [address] */
static int decode_copies_arrive(struct decoder *d, const struct op_tokens *t)
{
    static const struct word_number forms[] = {{"noinc", MBARRIER_NO_INC}, {NULL, 0}};
    uint8_t type = 0;
    if (!read_forms(d, t, 4, forms, &type) || wants(d, 1) < 0)
        return 0;
    d->now->order = SIM_RELAXED;
    uint32_t a = address_row(d, arg(d, 0), space_word(t, 0));
    struct raw *r = emit(d, "*mbarrier.copies");
    r->in.a = a, r->in.type = type, r->in.access = SIM_ATOMIC;
    return 0;
}

int decode_copy(struct decoder *d, const struct op_tokens *t)
{
    const bool reduces = has_token(t, "reduce");
    if (t->count > 3u + reduces && same_word(t->word[1u + reduces], "async")) {
        if (same_word(t->word[2u + reduces], "bulk"))
            return decode_bulk(d, t);
        if (!reduces && same_word(t->word[2], "mbarrier") && same_word(t->word[3], "arrive"))
            return decode_copies_arrive(d, t);
    }
    return reduces ? unsupported(d) : decode_async(d, t);
}

/* ---- a value for another block --------------------------------------------------------- */

/* st.async [to], value, [mbarrier]; red.async [to], value, [mbarrier] */
int decode_async_access(struct decoder *d, const struct op_tokens *t)
{
    static const char *const ops[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", NULL};
    static const char *const plain[] = {"async", "weak", "relaxed", "cluster", "shared::cluster",
                                        "mbarrier::complete_tx::bytes", NULL};
    const bool reduces = same_word(t->word[0], "red");
    const char *op = NULL, *type = NULL;
    const struct ptx_operand *item[4];
    unsigned count = 1;
    for (unsigned i = 1; i < t->count; i++) {
        const char *w = t->word[i];
        if (same_word(w, "v2") || same_word(w, "v4"))
            count = (unsigned)(w[1] - '0');
        else if (one_of(w, ops))
            op = w;
        else if (ptx_type_named(w, strlen(w)))
            type = w;
        else if (!one_of(w, plain))
            return unsupported(d);
    }
    const enum sim_type kind = type ? (enum sim_type)ptx_type_named(type, strlen(type)) : SIM_NONE;
    const unsigned bytes = sim_type_size(kind);
    const uint8_t reduction = reduces && op && type ? bulk_reduction(op, type) : BULK_COPY;
    if ((bytes != 4 && bytes != 8) || reduces != (reduction != BULK_COPY) ||
        !has_token(t, "mbarrier::complete_tx::bytes"))
        return unsupported(d);
    if (wants(d, 3) < 0)
        return 0;
    d->now->async = SIM_ASYNC_MBARRIER;
    d->now->order = SIM_WEAK;
    uint32_t to = address_row(d, arg(d, 0), "shared::cluster");
    uint32_t mbarrier = address_row(d, arg(d, 2), "shared::cluster"), row[4] = {0};
    const unsigned n = rows_of_vector(d, arg(d, 1), count, item);
    for (unsigned k = 0; k < n; k++)
        row[k] = source(d, item[k], kind);
    emit(d, "*bulk.begin");
    struct raw *r = emit(d, "*async.access");
    r->in.a = to, r->in.target = mbarrier, r->in.type = reduction;
    r->in.bytes = (uint8_t)bytes, r->in.count = (uint8_t)count, r->in.space = SIM_GENERIC;
    r->in.access = reduces ? SIM_REDUCE : SIM_STORE;
    if (reduces) {
        r->in.b = row[0];
        return 0;
    }
    r->in.d = row[0], r->in.b = row[1], r->in.c = row[2], r->in.e = row[3];
    return 0;
}
