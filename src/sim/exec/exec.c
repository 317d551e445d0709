/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot file: what each instruction does to a warp, and the loop that runs them.
 *
 * It is compiled twice, once for any machine and once (exec-avx2.c) for those with AVX2 and
 * FMA; ops.c joins the two tables. Each instruction is one line of semantics in ops.def;
 * the macros here make a function of each line. A warp instruction is one call; its loops over
 * 32 lanes become vector code, and lanes that are masked off keep what they had.
 * What reaches memory is in exec-memory.h, the mathematics of a lane in lane-*.h.
 */
#include "sim/exec/op.h"
#include "sim/cores.h"

#include <string.h>

#ifndef EXEC_SET
#define EXEC_SET exec_base
#endif

#if defined(__clang__)
#define EVERY_LANE(i) \
    _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; i++)
#else
#define EVERY_LANE(i) _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif

/* The compiler keeps a function out of its callers, or takes it into each: measured, this is
 * faster. */
#define APART   static __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))

#define ROW(T, off) ((T *)(void *)(w->base[(off) & 1u] + ((off) & ~1u)))
#define PRED(index) (((uint32_t *)(void *)w->base[0])[index])

typedef uint16_t T_u16;
typedef uint32_t T_u32;
typedef uint64_t T_u64;
typedef int16_t T_s16;
typedef int32_t T_s32;
typedef int64_t T_s64;
typedef float T_f32;
typedef double T_f64;

/* The lanes in `lanes` get a value each; it may be computed from i, the number of the lane. All of D
 * is read, and the bits are a table. So compilers make vector code of this also for machines without
 * masked loads and without shifts by lane. */
#define BIT4(i)  1u << (i), 1u << ((i) + 1), 1u << ((i) + 2), 1u << ((i) + 3)
#define BIT16(i) BIT4(i), BIT4((i) + 4), BIT4((i) + 8), BIT4((i) + 12)
static const uint32_t lane_bit[LANES] = {BIT16(0), BIT16(16)};
#define BLEND(D, lanes, value)                                                               \
    EVERY_LANE(i) {                                                                          \
        const __typeof__(D[0]) kept_ = D[i], new_ = (value);                                 \
        D[i] = (lanes) & lane_bit[i] ? new_ : kept_;                                         \
    }

#define COMPUTE3(OUT, TD, TA, TB, TC, EXPR)                                                  \
    EVERY_LANE(i) {                                                                          \
        T_##TA a = A[i];                                                                     \
        T_##TB b = B[i];                                                                     \
        T_##TC c = C[i];                                                                     \
        (void)b, (void)c;                                                                    \
        OUT[i] = (T_##TD)(EXPR);                                                             \
    }
/* d = EXPR of a, b, c: it is computed for all lanes, and those in m are written. */
#define BODY3(TD, TA, TB, TC, EXPR)                                                          \
    {                                                                                        \
        const T_##TA *A = ROW(T_##TA, in->a);                                                \
        const T_##TB *B = ROW(T_##TB, in->b);                                                \
        const T_##TC *C = ROW(T_##TC, in->c);                                                \
        T_##TD *D = ROW(T_##TD, in->d), t[LANES];                                            \
        (void)B, (void)C;                                                                    \
        if (m == ALL_LANES) {                                                                \
            COMPUTE3(D, TD, TA, TB, TC, EXPR)                                                \
            return GO;                                                                       \
        }                                                                                    \
        COMPUTE3(t, TD, TA, TB, TC, EXPR)                                                    \
        BLEND(D, m, t[i])                                                                    \
        return GO;                                                                           \
    }

#define BODY4(T, EXPR)                                                                       \
    {                                                                                        \
        const T_##T *A = ROW(T_##T, in->a), *B = ROW(T_##T, in->b);                          \
        const uint32_t *C = ROW(uint32_t, in->c), *E = ROW(uint32_t, in->e);                 \
        T_##T *D = ROW(T_##T, in->d), t[LANES];                                              \
        EVERY_LANE(i) {                                                                      \
            T_##T a = A[i], b = B[i];                                                        \
            uint32_t c = C[i], e = E[i];                                                     \
            t[i] = (T_##T)(EXPR);                                                            \
        }                                                                                    \
        BLEND(D, m, t[i])                                                                    \
        return GO;                                                                           \
    }

/* p = EXPR of a and b, and its opposite for a second result; COMBINE puts either together with
 * the predicate c, where the form has one. */
#define BODY_SET(T, EXPR, COMBINE)                                                           \
    {                                                                                        \
        const T_##T *A = ROW(T_##T, in->a), *B = ROW(T_##T, in->b);                          \
        uint32_t r = 0;                                                                      \
        EVERY_LANE(i) {                                                                      \
            T_##T a = A[i], b = B[i];                                                        \
            (void)b;                                                                         \
            r |= (EXPR) ? lane_bit[i] : 0;                                                   \
        }                                                                                    \
        uint32_t yes = COMBINE(r), no = COMBINE(~r);                                         \
        if (in->d)                                                                           \
            PRED(in->d) = (PRED(in->d) & ~m) | (yes & m);                                    \
        if (in->e)                                                                           \
            PRED(in->e) = (PRED(in->e) & ~m) | (no & m);                                     \
        return GO;                                                                           \
    }
/* d = LEFT + RIGHT + TAKEN; what does not fit goes to the carry, which is the predicate e; `carry`
 * is what it was, where the form takes it in. */
#define BODY_CARRY(T, LEFT, RIGHT, TAKEN)                                                    \
    {                                                                                        \
        const T_##T *A = ROW(T_##T, in->a), *B = ROW(T_##T, in->b), *C = ROW(T_##T, in->c);  \
        T_##T *D = ROW(T_##T, in->d), t[LANES];                                              \
        uint32_t before = in->flags & INSN_CARRY_IN ? PRED(in->e) : 0, after = 0;            \
        for (int i = 0; i < LANES; i++) {                                                    \
            T_##T a = A[i], b = B[i], c = C[i], carry = before >> i & 1u;                    \
            (void)c, (void)carry;                                                            \
            T_##T left = (T_##T)(LEFT), sum = left + (T_##T)(RIGHT);                         \
            t[i] = sum + (T_##T)(TAKEN);                                                     \
            after |= sum < left || t[i] < sum ? lane_bit[i] : 0;                             \
        }                                                                                    \
        BLEND(D, m, t[i])                                                                    \
        if (in->flags & INSN_CARRY_OUT)                                                      \
            PRED(in->e) = (PRED(in->e) & ~m) | (after & m);                                  \
        return GO;                                                                           \
    }
#define OTHER    (PRED(in->c) ^ (in->flags & INSN_FLIP_C ? ALL_LANES : 0))
#define ALONE(p) (p)
#define ANDED(p) ((p) & OTHER)
#define ORED(p)  ((p) | OTHER)
#define XORED(p) ((p) ^ OTHER)

#include "sim/exec/lane-approx.h"
#include "sim/exec/lane-half.h"
#include "sim/exec/lane-math.h"

/* ---- pure instructions: a function for each row of ops.def -------------------------- */

/* A row of ops.def ends with its meaning and, if it needs one, the compute capability. */
#define MEANING_OF(expr, ...)      expr
#define NEEDS_OF(expr, needs, ...) needs
#define MEANING(...)               MEANING_OF(__VA_ARGS__, 0)
#define NEEDS(...)                 NEEDS_OF(__VA_ARGS__, 0, 0)

#define UNARY(id, name, TD, TA, ...) OP op_##id ARGS BODY3(TD, TA, TA, TA, MEANING(__VA_ARGS__))
#define BINARY(id, name, TD, TA, TB, ...)                                                    \
    OP op_##id ARGS BODY3(TD, TA, TB, TB, MEANING(__VA_ARGS__))
#define TERNARY(id, name, TD, TA, TB, TC, ...)                                               \
    OP op_##id ARGS BODY3(TD, TA, TB, TC, MEANING(__VA_ARGS__))
#define QUATERNARY(id, name, T, ...) OP op_##id ARGS BODY4(T, MEANING(__VA_ARGS__))
#define CARRY(id, name, T, LEFT, RIGHT, TAKEN) OP op_##id ARGS BODY_CARRY(T, LEFT, RIGHT, TAKEN)
#define TEST(id, name, T, EXPR) OP op_##id ARGS BODY_SET(T, EXPR, ALONE)
#define COMPARE(id, name, T, EXPR)                                                           \
    OP op_##id##_alone ARGS BODY_SET(T, EXPR, ALONE)                                         \
    OP op_##id##_and ARGS BODY_SET(T, EXPR, ANDED)                                           \
    OP op_##id##_or ARGS BODY_SET(T, EXPR, ORED)                                             \
    OP op_##id##_xor ARGS BODY_SET(T, EXPR, XORED)
#include "sim/exec/ops.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef QUATERNARY
#undef CARRY
#undef TEST
#undef COMPARE

/* selp d, a, b, p selects by a predicate. */
#define SELECT(T)                                                                            \
    OP op_selp_##T ARGS                                                                      \
    {                                                                                        \
        uint32_t p = OTHER;                                                                  \
        const T_##T *A = ROW(T_##T, in->a), *B = ROW(T_##T, in->b);                          \
        T_##T *D = ROW(T_##T, in->d);                                                        \
        BLEND(D, m, p & lane_bit[i] ? A[i] : B[i])                                           \
        return GO;                                                                           \
    }
SELECT(u16)
SELECT(u32)
SELECT(u64)

/* Predicates as masks. */
#define PREDICATE(id, EXPR)                                                                  \
    OP op_##id##_pred ARGS                                                                   \
    {                                                                                        \
        uint32_t a = PRED(in->a) ^ (in->flags & INSN_FLIP_A ? ALL_LANES : 0);                \
        uint32_t b = PRED(in->b);                                                            \
        (void)b;                                                                             \
        PRED(in->d) = (PRED(in->d) & ~m) | ((EXPR) & m);                                     \
        return GO;                                                                           \
    }
PREDICATE(and, a & b)
PREDICATE(or, a | b)
PREDICATE(xor, a ^ b)
PREDICATE(not, ~a)
PREDICATE(mov, a)

/* mov.b64 {lo, hi}, r: the rows of the pieces are d and e, or 0 where a piece is not wanted. */
#define UNPACK(bits, WHOLE, PIECE)                                                           \
    OP op_unpack##bits ARGS                                                                  \
    {                                                                                        \
        const WHOLE *A = ROW(WHOLE, in->a);                                                  \
        PIECE *LO = in->d ? ROW(PIECE, in->d) : NULL, *HI = in->e ? ROW(PIECE, in->e) : NULL;\
        EACH_LANE(i, m) {                                                                    \
            const WHOLE v = A[i];                                                            \
            if (LO)                                                                          \
                LO[i] = (PIECE)(v & (((WHOLE)1 << bits / 2) - 1));                           \
            if (HI)                                                                          \
                HI[i] = (PIECE)(v >> bits / 2);                                              \
        }                                                                                    \
        return GO;                                                                           \
    }
UNPACK(64, uint64_t, uint32_t)
UNPACK(32, uint32_t, uint16_t)
UNPACK(16, uint16_t, uint16_t) /* pieces of 8 bits, each in a row of 16 */

/* Special registers: which one stands in e. */
#include "sim/exec/special.h"
OP op_special ARGS
{
    uint32_t t[LANES];
    uint32_t *D = ROW(uint32_t, in->d);
    special_row(w, (enum special)in->e, t);
    BLEND(D, m, t[i])
    return GO;
}
OP op_special64 ARGS
{
    uint32_t lo[LANES];
    uint64_t *D = ROW(uint64_t, in->d);
    uint64_t high = special_high(w, (enum special)in->e);
    special_row(w, (enum special)in->e, lo);
    BLEND(D, m, high << 32 | lo[i])
    return GO;
}

/* A kernel parameter: one value for all; its place in the block of parameters is known. */
#define PARAM(T)                                                                             \
    OP op_param_##T ARGS                                                                     \
    {                                                                                        \
        T_##T v, *D = ROW(T_##T, in->d);                                                     \
        memcpy(&v, w->launch->params + in->offset, sizeof v);                                \
        BLEND(D, m, v)                                                                       \
        return GO;                                                                           \
    }
PARAM(u16)
PARAM(u32)
PARAM(u64)

/* The address, within the local window, of something in the thread's frame. */
#define FRAME(T)                                                                             \
    OP op_frame_##T ARGS                                                                     \
    {                                                                                        \
        T_##T v = (T_##T)(w->now->frame->local_base + (uint64_t)in->offset);                 \
        T_##T *D = ROW(T_##T, in->d);                                                        \
        BLEND(D, m, v)                                                                       \
        return GO;                                                                           \
    }
FRAME(u32)
FRAME(u64)

/* ---- lanes talking to lanes --------------------------------------------------------- */

/*
 * shfl.sync.MODE.b32 d|p, a, b, c, mask as the ISA has it; mode in type. c is the clamp, and
 * above it the bits of a lane's number that tell its segment. First where each lane looks,
 * and whether that lies within its segment; then the values.
 */
enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
static inline uint32_t shuffle_sources(unsigned mode, const uint32_t *B, const uint32_t *C,
                                       uint32_t from[LANES])
{
    uint32_t inside[LANES], valid = 0;
#define LOOKS(J, INSIDE)                                                                     \
    EVERY_LANE(i) {                                                                          \
        uint32_t lane = (uint32_t)i, segment = C[i] >> 8 & 31u, clamp = C[i] & 31u;          \
        uint32_t b = B[i] & 31u, most = (lane & segment) | (clamp & ~segment), j = (J);      \
        inside[i] = (INSIDE);                                                                \
        from[i] = inside[i] ? j & 31u : lane;                                                \
        (void)most, (void)b, (void)segment;                                                  \
    }
    switch (mode) {
    case SHFL_UP: LOOKS(lane - b, (int32_t)j >= (int32_t)most) break;
    case SHFL_DOWN: LOOKS(lane + b, j <= most) break;
    case SHFL_BFLY: LOOKS(lane ^ b, j <= most) break;
    default: LOOKS((lane & segment) | (b & ~segment), j <= most) break;
    }
#undef LOOKS
    EVERY_LANE(i)
        valid |= inside[i] << i;
    return valid;
}

OP op_shfl ARGS
{
    const uint32_t *A = ROW(uint32_t, in->a);
    uint32_t *D = ROW(uint32_t, in->d), before[LANES], from[LANES], t[LANES], absent = 0;
    WAIT_FOR_LANES(SYNC_READS_A | SYNC_READS_B_C | SYNC_WRITES_D | SYNC_SETS_E,
                   ROW(uint32_t, (uint32_t)in->offset));
    memcpy(before, A, sizeof before);
    uint32_t valid = shuffle_sources(in->type, ROW(uint32_t, in->b), ROW(uint32_t, in->c), from);
    EVERY_LANE(i)
        t[i] = before[from[i]];
    if (m != ALL_LANES) {
        EVERY_LANE(i) {
            uint32_t gone = ~m >> from[i] & 1u;
            absent |= gone << i;
            t[i] = gone ? 0 : t[i]; /* as an H100 gives */
        }
        if (absent & valid & m)
            lanes_absent(w, absent & valid & m);
    }
    BLEND(D, m, t[i])
    if (in->e)
        PRED(in->e) = (PRED(in->e) & ~m) | (valid & m);
    TELL(w->launch, shuffle, at_now(w, m), before, D);
    return GO;
}

/* vote.sync: what in type, the predicate in a, the mask row in b. */
enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
OP op_vote ARGS
{
    const uint32_t *masks = ROW(uint32_t, in->b);
    WAIT_FOR_LANES(SYNC_TESTS_A | (in->type == VOTE_BALLOT ? SYNC_WRITES_D : SYNC_SETS_D), masks);
    uint32_t p = (PRED(in->a) ^ (in->flags & INSN_FLIP_A ? ALL_LANES : 0)) & m, yes = 0;
    uint32_t *D = in->type == VOTE_BALLOT ? ROW(uint32_t, in->d) : NULL;
    for (uint32_t rest = m, g; rest; rest &= ~g) {
        g = lanes_alike(masks, rest);
        bool all = (p & g) == g, any = (p & g) != 0;
        if (in->type == VOTE_ALL ? all : in->type == VOTE_ANY ? any : all || !any)
            yes |= g;
        if (D)
            BLEND(D, g, p & g)
    }
    if (!D)
        PRED(in->d) = (PRED(in->d) & ~m) | yes;
    return GO;
}

OP op_activemask ARGS
{
    uint32_t *D = ROW(uint32_t, in->d);
    BLEND(D, m, m)
    return GO;
}

OP op_warp_sync ARGS
{
    WAIT_FOR_LANES(SYNC_ONLY_WAITS, ROW(uint32_t, in->a));
    return GO;
}

/* ---- control ------------------------------------------------------------------------ */

OP op_bra ARGS
{
    TELL(w->launch, branch, at_now(w, w->mask), m);
    if (m == w->mask) {
        w->pc = in->target;
        return GO;
    }
    return lanes_part(w, in, m);
}
OP op_bra_wait ARGS
{
    if (m == w->mask)
        wait_pass_turns(w, in);
    return op_bra(w, in, m);
}
OP op_nop ARGS { (void)w, (void)in, (void)m; return GO; }
OP op_meet ARGS { (void)m; return w->split_count > 1 || w->now->join ? lanes_meet(w, in) : GO; }
OP op_exit ARGS { (void)in; return lanes_exit(w, m); }
OP op_exact ARGS { return exact_run(w, in, m); }
OP op_call ARGS { return lanes_call(w, in, m); }
OP op_call_pointer ARGS { return lanes_call_pointer(w, in, m); }
OP op_return ARGS { (void)in, (void)m; return lanes_return(w); }
OP op_trap ARGS
{
    (void)in;
    fault_trap(w, lane_first(m));
    return FAULTED;
}

#include "sim/exec/exec-memory.h"
#include "sim/exec/sums.h"
#include "sim/exec/exec-matrix.h"

/* ---- the table, and the loop -------------------------------------------------------- */

#define SIM_u16 SIM_U16
#define SIM_u32 SIM_U32
#define SIM_u64 SIM_U64
#define SIM_s16 SIM_S16
#define SIM_s32 SIM_S32
#define SIM_s64 SIM_S64
#define SIM_f32 SIM_F32
#define SIM_f64 SIM_F64
#define TABLE(name, id, d, a, b, c, kind, cc) { name, op_##id, d, a, b, c, 0, kind, cc },
#define ALU SIM_CLASS_ALU
static const struct op rows[] = {
#define UNARY(id, name, TD, TA, ...)                                                         \
    TABLE(name, id, SIM_##TD, SIM_##TA, 0, 0, ALU, NEEDS(__VA_ARGS__))
#define BINARY(id, name, TD, TA, TB, ...)                                                    \
    TABLE(name, id, SIM_##TD, SIM_##TA, SIM_##TB, 0, ALU, NEEDS(__VA_ARGS__))
#define TERNARY(id, name, TD, TA, TB, TC, ...)                                               \
    TABLE(name, id, SIM_##TD, SIM_##TA, SIM_##TB, SIM_##TC, ALU, NEEDS(__VA_ARGS__))
#define QUATERNARY(id, name, T, ...)                                                         \
    { name, op_##id, SIM_##T, SIM_##T, SIM_##T, SIM_U32, SIM_U32, ALU, NEEDS(__VA_ARGS__) },
#define CARRY(id, name, T, LEFT, RIGHT, TAKEN)                                               \
    TABLE(name, id, SIM_##T, SIM_##T, SIM_##T, SIM_##T, ALU, 0)
#define TEST(id, name, T, EXPR) TABLE(name, id, SIM_PRED, SIM_##T, 0, 0, ALU, 0)
#define COMPARE(id, name, T, EXPR)                                                           \
    TABLE("setp." name, id##_alone, SIM_PRED, SIM_##T, SIM_##T, 0, ALU, 0)                   \
    TABLE("setp.and." name, id##_and, SIM_PRED, SIM_##T, SIM_##T, SIM_PRED, ALU, 0)          \
    TABLE("setp.or." name, id##_or, SIM_PRED, SIM_##T, SIM_##T, SIM_PRED, ALU, 0)            \
    TABLE("setp.xor." name, id##_xor, SIM_PRED, SIM_##T, SIM_##T, SIM_PRED, ALU, 0)
#include "sim/exec/ops.def"
    TABLE("selp.b16", selp_u16, SIM_B16, SIM_B16, SIM_B16, SIM_PRED, ALU, 0)
    TABLE("selp.b32", selp_u32, SIM_B32, SIM_B32, SIM_B32, SIM_PRED, ALU, 0)
    TABLE("selp.b64", selp_u64, SIM_B64, SIM_B64, SIM_B64, SIM_PRED, ALU, 0)
    TABLE("and.pred", and_pred, SIM_PRED, SIM_PRED, SIM_PRED, 0, ALU, 0)
    TABLE("or.pred", or_pred, SIM_PRED, SIM_PRED, SIM_PRED, 0, ALU, 0)
    TABLE("xor.pred", xor_pred, SIM_PRED, SIM_PRED, SIM_PRED, 0, ALU, 0)
    TABLE("not.pred", not_pred, SIM_PRED, SIM_PRED, 0, 0, ALU, 0)
    TABLE("mov.pred", mov_pred, SIM_PRED, SIM_PRED, 0, 0, ALU, 0)
    /* names starting with '*' are shapes that decode.c asks for itself */
    OP_ROW("*unpack64", op_unpack64, ALU, 0)
    OP_ROW("*unpack32", op_unpack32, ALU, 0)
    OP_ROW("*unpack16", op_unpack16, ALU, 0)
    OP_ROW("*exact", op_exact, ALU, 0)
    OP_ROW("*special", op_special, ALU, 0)
    OP_ROW("*special64", op_special64, ALU, 0)
    OP_ROW("*param16", op_param_u16, ALU, 0)
    OP_ROW("*param32", op_param_u32, ALU, 0)
    OP_ROW("*param64", op_param_u64, ALU, 0)
    OP_ROW("*frame32", op_frame_u32, ALU, 0)
    OP_ROW("*frame64", op_frame_u64, ALU, 0)
    OP_ROW("*shfl", op_shfl, SIM_CLASS_SHUFFLE, 30)
    OP_ROW("*vote", op_vote, SIM_CLASS_VOTE, 0)
    OP_ROW("*activemask", op_activemask, SIM_CLASS_VOTE, 30)
    OP_ROW("*warpsync", op_warp_sync, SIM_CLASS_BARRIER, 0)
    OP_ROW("*bra", op_bra, SIM_CLASS_BRANCH, 0)
    OP_ROW("*bra.wait", op_bra_wait, SIM_CLASS_BRANCH, 0)
    OP_ROW("*nop", op_nop, SIM_CLASS_FENCE, 0)
    OP_ROW("*meet", op_meet, SIM_CLASS_HIDDEN, 0)
    OP_ROW("*exit", op_exit, SIM_CLASS_EXIT, 0)
    OP_ROW("*call", op_call, SIM_CLASS_CALL, 0)
    OP_ROW("*callpointer", op_call_pointer, SIM_CLASS_CALL, 0)
    OP_ROW("*return", op_return, SIM_CLASS_HIDDEN, 0)
    OP_ROW("*trap", op_trap, SIM_CLASS_EXIT, 0)
    OP_ROW("*load.some", op_load_some, SIM_CLASS_LOAD, 0)
    OP_ROW("*atomic.exch.b128", op_atomic_exch_b128, SIM_CLASS_ATOMIC, 90)
    OP_ROW("*atomic.cas.b128", op_atomic_cas_b128, SIM_CLASS_ATOMIC, 90)
#define LOAD_ROW(id, M, R) OP_ROW("*load." #id, op_load_##id, SIM_CLASS_LOAD, 0)
#define STORE_ROW(id, M, R) OP_ROW("*store." #id, op_store_##id, SIM_CLASS_STORE, 0)
    WIDTHS(LOAD_ROW)
    SIGNED_WIDTHS(LOAD_ROW)
    WIDTHS(STORE_ROW)
    OP_ROW("*load.rows", op_load_rows, SIM_CLASS_LOAD, 0)
    OP_ROW("*store.rows", op_store_rows, SIM_CLASS_STORE, 0)
    OP_ROW("*matrix.product", op_matrix_product, ALU, 0)
    OP_ROW("*matrix.whole", op_matrix_whole, ALU, 0)
    OP_ROW("*matrix.address", op_matrix_address, ALU, 0)
    OP_ROW("*matrix.spread", op_matrix_spread, ALU, 0)
    OP_ROW("*matrix.collect", op_matrix_collect, ALU, 0)
    OP_ROW("*matrix.turn", op_matrix_turn, ALU, 75)
#define ATOMIC(id, name, T, ...)                                                             \
    { "*atomic." name, op_atomic_##id, SIM_##T, SIM_U64, SIM_##T, SIM_##T, 0,                \
      SIM_CLASS_ATOMIC, NEEDS(__VA_ARGS__) },
#include "sim/exec/atomics.def"
};

static void tell_instruction(struct warp *w, const struct insn *in, uint32_t m, uint32_t pc)
{
    const void *row = in->shows ? ROW(void, in->d) : NULL;
    TELL(w->launch, instruction, at_pc(w, m, pc), row, (enum sim_type)in->shows);
}

/*
 * Run a warp until its lanes are done or parked, w->left is used up or a fault stops it. The
 * guard's mask decides who takes part; an instruction with nobody left is skipped, counted.
 * `stepped`: an observer is told before each instruction. That has a loop of its own, so that the
 * usual one has no test for it.
 */
INLINED enum after run_loop(struct warp *w, const bool stepped)
{
    const struct insn *code = code_of(w);
    struct sim_tally *tally = w->launch->tally;
    const bool watched = run_is_watched(w->launch, w->block);
    while (w->left) {
        const uint32_t pc = w->pc++;
        const struct insn *in = &code[pc];
        uint32_t m = w->mask & (PRED(in->guard) ^ in->guard_flip);
        struct sim_tally *t = &tally[pc];
        t->warps++;
        t->lanes += lanes_in(m);
        if (w->absent)
            t->absent += w->absent;
        w->left--;
        if (stepped)
            TELL(w->launch, before, at_pc(w, w->mask, pc), m);
        if (m != w->mask) { /* a guard that keeps lanes out */
            t->off += lanes_in(w->mask & ~m);
            if (!m) {
                if (watched)
                    tell_instruction(w, in, 0, pc);
                continue;
            }
        }
        enum after after = in->run(w, in, m);
        if (watched && (after <= MOVED || in->run == op_exit))
            tell_instruction(w, in, m, pc);
        if (after >= PARKED)
            return after;
    }
    return GO;
}

APART enum after run_stepped(struct warp *w)
{
    return run_loop(w, true);
}

static enum after run_warp(struct warp *w)
{
    return w->launch->asked & ASKS(before) ? run_stepped(w) : run_loop(w, false);
}

struct exec_set EXEC_SET(void)
{
    return (struct exec_set){ { rows, sizeof rows / sizeof *rows }, run_warp,
                              count_floats, add_units };
}
