/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that are too rare to be worth a second copy for machines with vectors: votes on
 * values, reductions over a warp, questions about addresses. One table of them serves both
 * instruction sets; exec.c has the rest.
 */
#include "sim/exec/op.h"
#include "sim/reach.h"

#include <string.h>

static void set_predicate(struct warp *w, uint32_t index, uint32_t m, uint32_t value)
{
    uint32_t *p = predicate_of(w, index);
    if (index)
        *p = (*p & ~m) | (value & m);
}

/* ---- lanes talking to lanes ---------------------------------------------------------- */

/* For each group of lanes that name one mask, which stands in b. */
#define EACH_GROUP(g, m)                                                                     \
    for (uint32_t rest_ = (m), g; rest_ && (g = lanes_alike(row_of(w, in->b), rest_), true); \
         rest_ &= ~g)

static uint64_t value_at(const struct warp *w, const struct insn *in, unsigned lane)
{
    uint64_t v = 0;
    memcpy(&v, (unsigned char *)row_of(w, in->a) + lane * in->bytes, in->bytes);
    return v;
}

/* Those of the lanes whose value is that of `lane`. */
static uint32_t with_value_of(const struct warp *w, const struct insn *in, unsigned lane,
                              uint32_t m)
{
    uint32_t same = 0;
    EACH_LANE(i, m)
        same |= (uint32_t)(value_at(w, in, i) == value_at(w, in, lane)) << i;
    return same;
}

#define MATCH_READS (SYNC_READS_A | (in->bytes == sizeof(uint64_t) ? SYNC_A_64 : 0))

/* match.any d, a, mask: which lanes have my value. */
OP op_match_any ARGS
{
    uint32_t *d = row_of(w, in->d), same[LANES];
    WAIT_FOR_LANES(MATCH_READS | SYNC_WRITES_D, row_of(w, in->b));
    EACH_GROUP(g, m)
        EACH_LANE(i, g)
            same[i] = with_value_of(w, in, i, g);
    EACH_LANE(i, m)
        d[i] = same[i];
    return GO;
}

/* match.all d|p, a, mask: all lanes, and true, if they all have one value; else 0. */
OP op_match_all ARGS
{
    uint32_t *d = row_of(w, in->d), agree = 0;
    WAIT_FOR_LANES(MATCH_READS | SYNC_WRITES_D | SYNC_SETS_E, row_of(w, in->b));
    EACH_GROUP(g, m) {
        uint32_t all = with_value_of(w, in, lane_first(g), g) == g ? g : 0;
        EACH_LANE(i, g)
            d[i] = all;
        agree |= all;
    }
    set_predicate(w, in->e, m, agree);
    return GO;
}

/* redux.sync.OP d, a, mask: EXPR puts the value b to the sum a. */
#define REDUX(id, T, EXPR)                                                                   \
    OP op_redux_##id ARGS                                                                    \
    {                                                                                        \
        T *from = row_of(w, in->a), *d = row_of(w, in->d);                                   \
        WAIT_FOR_LANES(SYNC_READS_A | SYNC_WRITES_D, row_of(w, in->b));                      \
        EACH_GROUP(g, m) {                                                                   \
            T a = from[lane_first(g)];                                                       \
            EACH_LANE(i, g & (g - 1)) {                                                      \
                T b = from[i];                                                               \
                a = (EXPR);                                                                  \
            }                                                                                \
            EACH_LANE(i, g)                                                                  \
                d[i] = a;                                                                    \
        }                                                                                    \
        return GO;                                                                           \
    }
REDUX(add, uint32_t, a + b)
REDUX(and, uint32_t, a & b)
REDUX(or, uint32_t, a | b)
REDUX(xor, uint32_t, a ^ b)
REDUX(min_u32, uint32_t, b < a ? b : a)
REDUX(max_u32, uint32_t, b > a ? b : a)
REDUX(min_s32, int32_t, b < a ? b : a)
REDUX(max_s32, int32_t, b > a ? b : a)

/* elect.sync d|p, mask: one of the lanes, here always the first, is told that it is the one. */
OP op_elect ARGS
{
    uint32_t *d = in->d ? row_of(w, in->d) : NULL, one = 0;
    WAIT_FOR_LANES(SYNC_WRITES_D | SYNC_SETS_E, row_of(w, in->b));
    EACH_GROUP(g, m) {
        one |= g & (0u - g);
        EACH_LANE(i, d ? g : 0)
            d[i] = lane_first(g);
    }
    set_predicate(w, in->e, m, one);
    return GO;
}

/* ---- pieces of 8 bits, each in a row of 16 -------------------------------------------- */

OP op_pack16 ARGS
{
    const uint16_t *a = row_of(w, in->a), *b = row_of(w, in->b);
    uint16_t *d = row_of(w, in->d);
    EACH_LANE(i, m)
        d[i] = (uint16_t)((a[i] & 0xffu) | (unsigned)b[i] << 8);
    return GO;
}

/* ---- time ---------------------------------------------------------------------------- */

/* Lets other warps have their turn: after nanosleep, after a load that acquires, and after a test
 * of an mbarrier. All of these wait for another warp. While still.c looks for warps that wait
 * forever, a warp that tests an mbarrier yields only at the test, not at a nanosleep in the same
 * loop. */
OP op_yield ARGS
{
    const bool sleeps = w->launch->module->shown[w->pc - 1].kind != SIM_CLASS_HIDDEN;
    (void)in, (void)m;
    if (sleeps && w->failed_waits && w->launch->still.probing)
        return GO;
    w->yields = true;
    w->launch->given -= w->left;
    w->left = 0;
    return GO;
}

/* ---- fences and asynchronous copies ---------------------------------------------------- */

/* Whole warp instructions run one after the other, so memory is always coherent. */
OP op_fence ARGS
{
    (void)in;
    TELL(w->launch, fence, at_now(w, m));
    return GO;
}

OP op_proxy_fence ARGS
{
    (void)in;
    TELL(w->launch, proxy_fence, at_now(w, m));
    return GO;
}

/* A copy is done at once here, so only observers need to know of groups of copies. */
OP op_copy_group ARGS
{
    if (in->type & COPY_COMMITS)
        TELL(w->launch, copy_commit, at_now(w, m));
    if (in->type & COPY_WAITS)
        TELL(w->launch, copy_wait, at_now(w, m), (unsigned)in->offset);
    return GO;
}

/* ---- the stack that alloca takes from ------------------------------------------------- */

/* alloca d, size, align: from the end of the thread's local memory down to its last frame. */
OP op_alloca ARGS
{
    const struct frame *f = w->now->frame;
    const uint64_t *size = row_of(w, in->a);
    uint64_t *d = row_of(w, in->d);
    EACH_LANE(i, m) {
        uint64_t all = w->launch->local_per_thread, room = all - w->taken[i];
        uint64_t least = (uint64_t)f->local_base + f->of->local_bytes;
        uint64_t align = (uint64_t)in->offset;
        uint64_t at = size[i] <= room ? (room - size[i]) / align * align : 0;
        if (at < least || size[i] > room)
            return fault_stop(w, SIM_STACK_OVERFLOW, i,
                              "alloca of %llu bytes: more than is left of the thread's stack",
                              (unsigned long long)size[i]);
        w->taken[i] = (uint32_t)(all - at);
        d[i] = at;
    }
    return GO;
}

OP op_stack_save ARGS
{
    uint64_t *d = row_of(w, in->d);
    EACH_LANE(i, m)
        d[i] = w->taken[i];
    return GO;
}

OP op_stack_restore ARGS
{
    const uint64_t *a = row_of(w, in->a);
    EACH_LANE(i, m) {
        if (a[i] > w->launch->local_per_thread)
            return fault_stop(w, SIM_TRAP, i, "stackrestore of what no stacksave gave");
        w->taken[i] = (uint32_t)a[i];
    }
    return GO;
}

/* ---- addresses ----------------------------------------------------------------------- */

/* isspacep.SPACE p, a: does the generic address lie in the space? */
OP op_isspacep ARGS
{
    const uint64_t *a = row_of(w, in->a);
    uint32_t yes = 0;
    EACH_LANE(i, m) {
        enum sim_space space = reach_space(w, a[i]), asked = (enum sim_space)in->type;
        yes |= (uint32_t)(space == asked || (asked == SIM_CLUSTER && space == SIM_SHARED)) << i;
    }
    set_predicate(w, in->d, m, yes);
    return GO;
}

/* ---- the table ----------------------------------------------------------------------- */

#define ALU  SIM_CLASS_ALU
#define VOTE SIM_CLASS_VOTE
/* name, what runs it, its class, the compute capability that it needs where that is above 2.0 */
static const struct op rows[] = {
    OP_ROW("*barrier", lanes_barrier, SIM_CLASS_BARRIER, 0)
    OP_ROW("*match.any", op_match_any, VOTE, 70)
    OP_ROW("*match.all", op_match_all, VOTE, 70)
    OP_ROW("*redux.add.u32", op_redux_add, VOTE, 80)
    OP_ROW("*redux.add.s32", op_redux_add, VOTE, 80)
    OP_ROW("*redux.and.b32", op_redux_and, VOTE, 80)
    OP_ROW("*redux.or.b32", op_redux_or, VOTE, 80)
    OP_ROW("*redux.xor.b32", op_redux_xor, VOTE, 80)
    OP_ROW("*redux.min.u32", op_redux_min_u32, VOTE, 80)
    OP_ROW("*redux.max.u32", op_redux_max_u32, VOTE, 80)
    OP_ROW("*redux.min.s32", op_redux_min_s32, VOTE, 80)
    OP_ROW("*redux.max.s32", op_redux_max_s32, VOTE, 80)
    OP_ROW("*elect", op_elect, VOTE, 90)
    OP_ROW("*yield", op_yield, SIM_CLASS_FENCE, 0)
    OP_ROW("*fence", op_fence, SIM_CLASS_FENCE, 0)
    OP_ROW("*fence.proxy", op_proxy_fence, SIM_CLASS_FENCE, 90)
    OP_ROW("*copy.group", op_copy_group, SIM_CLASS_FENCE, 0)
    OP_ROW("*alloca", op_alloca, ALU, 52)
    OP_ROW("*stacksave", op_stack_save, ALU, 52)
    OP_ROW("*stackrestore", op_stack_restore, ALU, 52)
    OP_ROW("*pack16", op_pack16, ALU, 0)
    OP_ROW("*isspacep", op_isspacep, ALU, 0)
    OP_ROW("*video", video_run, ALU, 0)
};

OP_TABLE(rare_ops)
