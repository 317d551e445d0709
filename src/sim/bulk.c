/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asynchronous copies other than cp.async. cp.async.bulk and cp.reduce.async.bulk copy many bytes.
 * st.async and red.async send a value to another block.
 *
 * The simulator completes a copy when it starts, which is the earliest time that is allowed. It
 * uses the ordinary loads, stores and atomics, 16 bytes at a time. So bounds and alignment are
 * checked as usual, and observers see each access. On a GPU the bytes may come later. Therefore
 * observers are also told when a copy starts, and whether it completes an mbarrier or a group.
 *
 * A copy is decoded into two instructions. The first one is the instruction of the program; the
 * reads count as its accesses. The second one is hidden; the writes count as its accesses.
 */
#include "sim/bulk.h"
#include "sim/exec/op.h"
#include "sim/handle.h"
#include "sim/mbarrier.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 16, ROW_OF_4 = 4 * LANES, ROW_OF_8 = 8 * LANES };

/* The scratch rows of a copy lie one after the other. The first one is at insn.e. */
enum {
    FROM_ROW = 0,
    TO_ROW = ROW_OF_8,
    DATA_ROW = 2 * ROW_OF_8,
    VALUE_ROW = DATA_ROW + 4 * ROW_OF_4
};

/* ---- one copy ------------------------------------------------------------------------ */

struct bulk_job {
    struct warp *w;
    const struct insn *in;
    unsigned lane;
    uint64_t from, to;
    struct insn load, store, reduce;
};

static op_fn op_named(const struct warp *w, const char *name)
{
    return ops_find(w->launch->sim, name)->run;
}

static struct insn access_of(const struct insn *in, uint32_t at, enum sim_access_kind kind)
{
    const uint32_t data = in->e + DATA_ROW;
    return (struct insn){.d = data, .b = data + ROW_OF_4, .c = data + 2 * ROW_OF_4,
                         .e = data + 3 * ROW_OF_4, .a = in->e + at, .bytes = 4, .count = 4,
                         .space = SIM_GENERIC, .access = (uint8_t)kind};
}

static void prepare(struct bulk_job *c, struct warp *w, const struct insn *in)
{
    c->w = w;
    c->in = in;
    c->load = access_of(in, FROM_ROW, SIM_LOAD);
    c->load.run = op_named(w, "*load.u32_32");
    c->store = access_of(in, TO_ROW, SIM_STORE);
    c->store.run = op_named(w, "*store.u32_32");
    c->reduce = (struct insn){.a = in->e + TO_ROW, .b = in->e + VALUE_ROW, .bytes = in->bytes,
                            .count = 1, .space = SIM_GENERIC, .access = SIM_REDUCE};
}

static uint64_t *address_row(const struct bulk_job *c, uint32_t at)
{
    return (uint64_t *)row_of(c->w, c->in->e + at) + c->lane;
}

/* Reads 16 bytes. For the observers, the instruction before this one reads them. */
static enum after read_piece(const struct bulk_job *c, uint64_t at)
{
    enum after after;
    *address_row(c, FROM_ROW) = c->from + at;
    c->w->pc--;
    after = c->load.run(c->w, &c->load, 1u << c->lane);
    c->w->pc++;
    return after;
}

static enum after write_piece(const struct bulk_job *c, uint64_t at)
{
    *address_row(c, TO_ROW) = c->to + at;
    return c->store.run(c->w, &c->store, 1u << c->lane);
}

/* Combines the elements of 16 bytes with those in memory, for cp.reduce. */
static enum after reduce_piece(const struct bulk_job *c, uint64_t at)
{
    const unsigned each = c->in->bytes;
    unsigned char bytes[PIECE], *value = row_of(c->w, c->in->e + VALUE_ROW);
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t *data = row_of(c->w, c->in->e + DATA_ROW + k * ROW_OF_4);
        memcpy(bytes + 4 * k, data + c->lane, 4);
    }
    for (unsigned k = 0; k < PIECE; k += each) {
        *address_row(c, TO_ROW) = c->to + at + k;
        memcpy(value + (size_t)c->lane * each, bytes + k, each);
        if (c->reduce.run(c->w, &c->reduce, 1u << c->lane) == FAULTED)
            return FAULTED;
    }
    return GO;
}

static enum after copy_all(const struct bulk_job *c, uint32_t size)
{
    for (uint32_t at = 0; at < size; at += PIECE)
        if (read_piece(c, at) == FAULTED ||
            (c->reduce.run ? reduce_piece(c, at) : write_piece(c, at)) == FAULTED)
            return FAULTED;
    return GO;
}

static void tell_copy(struct warp *w, unsigned lane, const struct mbarrier *b)
{
    const struct sim_copy told = {.mbarrier = b != NULL, .owner = b ? b->owner : 0,
                                  .address = b ? b->place : 0};
    TELL(w->launch, copy, at_now(w, 1u << lane), &told);
}

/* Copies to one place. `mbarrier` is the address of the mbarrier that the copy completes, or 0. */
static enum after copy_to(struct bulk_job *c, uint64_t mbarrier, uint32_t size)
{
    struct mbarrier b;
    if (mbarrier && !mbarrier_find(c->w, c->lane, mbarrier, &b))
        return FAULTED;
    tell_copy(c->w, c->lane, mbarrier ? &b : NULL);
    if (copy_all(c, size) == FAULTED)
        return FAULTED;
    return mbarrier ? mbarrier_bytes(c->w, c->lane, &b, size) : GO;
}

/* The address of the same place in the shared memory of another block of the cluster. */
static uint64_t in_block(uint64_t address, unsigned rank)
{
    return SHARED_WINDOW + (rank + UINT64_C(1)) * SHARED_SPAN +
           (address - SHARED_WINDOW) % SHARED_SPAN;
}

/* .multicast::cluster: copies to each block in the mask, and completes the mbarrier of that
 * block. */
static enum after copy_to_blocks(struct bulk_job *c, uint64_t mbarrier, uint32_t size,
                                 uint32_t blocks)
{
    const uint64_t to = c->to;
    EACH_BIT(rank, blocks) {
        c->to = in_block(to, rank);
        if (copy_to(c, in_block(mbarrier, rank), size) == FAULTED)
            return FAULTED;
    }
    return GO;
}

/* Each operand is a row. a: the source; b: the destination; c: how many bytes; d: the address of
 * the mbarrier; target: the mask of blocks. */
OP op_bulk ARGS
{
    const uint64_t *from = row_of(w, in->a), *to = row_of(w, in->b);
    const uint64_t *mbarrier = in->d ? row_of(w, in->d) : NULL;
    const uint32_t *bytes = row_of(w, in->c);
    const uint16_t *blocks = in->target ? row_of(w, in->target) : NULL;
    struct bulk_job c;
    prepare(&c, w, in);
    if (in->type != BULK_COPY)
        c.reduce.run = bulk_reduction_op(w->launch->sim, in->type);
    EACH_LANE(i, m) {
        c.lane = i, c.from = from[i], c.to = to[i];
        if (bytes[i] % PIECE)
            return fault_stop(w, SIM_MISALIGNED, i, "the thread copies %u bytes in bulk: their "
                              "number must be a multiple of 16", bytes[i]);
        if ((blocks ? copy_to_blocks(&c, mbarrier[i], bytes[i], blocks[i])
                    : copy_to(&c, mbarrier ? mbarrier[i] : 0, bytes[i])) == FAULTED)
            return FAULTED;
    }
    return GO;
}

/* st.async and red.async: each lane does an ordinary store or atomic. target: the row with the
 * address of the mbarrier. */
OP op_async_access ARGS
{
    const uint64_t *mbarrier = row_of(w, in->target);
    struct insn one = *in;
    one.run = in->type == BULK_COPY
                  ? op_named(w, in->bytes == 8 ? "*store.u64_64" : "*store.u32_32")
                  : bulk_reduction_op(w->launch->sim, in->type);
    EACH_LANE(i, m) {
        struct mbarrier b;
        if (!mbarrier_find(w, i, mbarrier[i], &b))
            return FAULTED;
        tell_copy(w, i, &b);
        if (one.run(w, &one, 1u << i) == FAULTED ||
            mbarrier_bytes(w, i, &b, (uint32_t)in->bytes * in->count) == FAULTED)
            return FAULTED;
    }
    return GO;
}

/* ---- reductions ----------------------------------------------------------------------- */

static const struct bulk_reduction {
    const char *name;
    enum sim_type type;
} reductions[] = {
    [BULK_COPY] = {"", SIM_B32},
    {"add.u32", SIM_U32}, {"add.s32", SIM_S32}, {"add.u64", SIM_U64}, {"add.f16", SIM_F16},
    {"add.bf16", SIM_BF16}, {"add.f32", SIM_F32}, {"add.f64", SIM_F64}, {"min.u32", SIM_U32},
    {"min.s32", SIM_S32}, {"min.u64", SIM_U64}, {"min.s64", SIM_S64}, {"max.u32", SIM_U32},
    {"max.s32", SIM_S32}, {"max.u64", SIM_U64}, {"max.s64", SIM_S64}, {"min.f16", SIM_F16},
    {"max.f16", SIM_F16}, {"min.bf16", SIM_BF16}, {"max.bf16", SIM_BF16}, {"inc.u32", SIM_U32},
    {"dec.u32", SIM_U32}, {"and.b32", SIM_B32}, {"or.b32", SIM_B32}, {"xor.b32", SIM_B32},
    {"and.b64", SIM_B64}, {"or.b64", SIM_B64}, {"xor.b64", SIM_B64},
};

uint8_t bulk_reduction(const char *op, const char *type)
{
    char name[24];
    snprintf(name, sizeof name, "%s.%s", op, type);
    for (uint8_t i = 1; i < sizeof reductions / sizeof *reductions; i++)
        if (strcmp(reductions[i].name, name) == 0)
            return i;
    return BULK_COPY;
}

op_fn bulk_reduction_op(const struct sim *s, uint8_t reduction)
{
    char name[32];
    snprintf(name, sizeof name, "*atomic.%s", reductions[reduction].name);
    const struct op *op = ops_find(s, name);
    return op ? op->run : NULL;
}

OP op_begin ARGS
{
    (void)w, (void)in, (void)m;
    return GO;
}

static const struct op rows[] = {
    OP_ROW("*bulk.begin", op_begin, SIM_CLASS_BULK, 90)
    OP_ROW("*bulk", op_bulk, SIM_CLASS_HIDDEN, 90)
    OP_ROW("*async.access", op_async_access, SIM_CLASS_HIDDEN, 90)
};

OP_TABLE(bulk_ops)
