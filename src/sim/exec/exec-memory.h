/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of exec.c that reaches memory: loads, stores, atomics. Not a header of its own: it is
 * compiled with exec.c, as often as that is, and uses its ROW and EVERY_LANE.
 *
 * An access goes through four steps. ADDRESSES makes the lanes' addresses and says how they lie
 * (struct shape); reach_quick() finds the memory behind them, or access.c does, which also knows
 * what is wrong with an address; observers are told; and then the bytes move, by vectors where
 * the shape allows.
 */
#ifndef SIM_EXEC_MEMORY_H
#define SIM_EXEC_MEMORY_H

static const struct shape no_shape;
enum { HALF = LANES / 2 };

/* The lowest address of an even shape. The addresses may have been made relative since the shape
 * was found. */
static inline uint64_t lowest(const uint64_t address[LANES], const struct shape *s)
{
    return address[(LANES - s->turn) % LANES];
}

/* Are the addresses evenly spaced but for one place, where they begin again from the lowest? Then
 * the step from the last lane back to lane 0 is like the other steps. */
static struct shape shape_turned(const uint64_t a[LANES])
{
    const uint64_t step = a[1] > a[0] ? a[1] - a[0] : a[2] - a[1];
    uint32_t other = 0;
    if (a[0] - a[31] != step || step - 1 >= WINDOW_SIZE)
        return no_shape;
    for (int i = 0; i + 1 < LANES; i++)
        other |= a[i + 1] - a[i] != step ? lane_bit[i] : 0;
    if (!other || other & (other - 1))
        return no_shape;
    return (struct shape){
        .known = true, .even = true, .turn = LANES - 1 - lane_first(other), .step = step };
}

/*
 * The shape is found from the row, whose narrow numbers are quicker to compare than addresses. T is
 * their type, S the signed one. `out` has the whole addresses.
 */
#define ADDRESSES(T, S)                                                                      \
    static inline void addresses_##T(const T a[LANES], T offset, uint64_t out[LANES])        \
    {                                                                                        \
        EVERY_LANE(i)                                                                        \
            out[i] = (T)(a[i] + offset);                                                     \
    }                                                                                        \
    APART struct shape shape_##T(const T a[LANES], const uint64_t out[LANES])                \
    {                                                                                        \
        const T low = a[0], high = a[HALF], step = a[1] - low;                               \
        enum { VECTOR = 32 / sizeof(T) };                                                    \
        T off = 0;                                                                           \
        /* 15 steps in whole vectors: the last one looks at a step of the one before again */ \
        for (int i = 0; i < HALF - VECTOR; i++)                                              \
            off |= (a[i + 1] - a[i] - step) | (a[i + HALF + 1] - a[i + HALF] - step);        \
        for (int i = HALF - 1 - VECTOR; i < HALF - 1; i++)                                   \
            off |= (a[i + 1] - a[i] - step) | (a[i + HALF + 1] - a[i + HALF] - step);        \
        if (off)                                                                             \
            return shape_turned(out);                                                        \
        struct shape s = { .known = true, .halves = true, .step = (uint64_t)(S)step };       \
        s.turn = low - high == HALF * step && s.step - 1 < WINDOW_SIZE ? HALF : 0;           \
        s.even = s.turn || high - low == HALF * step;                                        \
        return s;                                                                            \
    }
ADDRESSES(uint32_t, int32_t)
ADDRESSES(uint64_t, int64_t)

/* Computes the address of each lane, and keeps how the addresses lie. Lanes that take no part get
 * the address of the first lane that does. */
static inline struct shape addresses(struct warp *w, const struct insn *in, uint32_t m,
                                     uint64_t out[LANES])
{
    struct shape *kept = &w->kept[in->kept];
    if (in->flags & INSN_UNIFORM_ADDRESS) {
        EVERY_LANE(i)
            out[i] = (uint64_t)in->offset;
        return (struct shape){ .even = m == ALL_LANES, .halves = m == ALL_LANES };
    }
    if (in->flags & INSN_ADDRESS_32)
        addresses_uint32_t(ROW(uint32_t, in->a), (uint32_t)in->offset, out);
    else
        addresses_uint64_t(ROW(uint64_t, in->a), (uint64_t)in->offset, out);
    if (m != ALL_LANES) {
        const uint64_t first = out[lane_first(m)];
        EVERY_LANE(i)
            out[i] = m & lane_bit[i] ? out[i] : first;
        return *kept = no_shape;
    }
    if (in->flags & INSN_AS_KEPT && kept->known)
        return *kept;
    return *kept = in->flags & INSN_ADDRESS_32 ? shape_uint32_t(ROW(uint32_t, in->a), out)
                                               : shape_uint64_t(ROW(uint64_t, in->a), out);
}

#define VECTOR_ROW(k) ((k) == 0 ? in->d : (k) == 1 ? in->b : (k) == 2 ? in->c : in->e)

/* May observers be told how many such accesses there were, instead of each? Not of generic
 * addresses: they may lead elsewhere. */
INLINED bool may_repeat(const struct insn *in, const struct reach *r, const struct shape *shape)
{
    const bool fixed = in->space == SIM_SHARED || in->space == SIM_GLOBAL;
    return shape->halves && fixed && r->space == in->space;
}

/* Where an access begins within what the observer calls alike, plus one. */
INLINED uint32_t phase_of(const struct listener *l, const struct insn *in, uint64_t address)
{
    const unsigned alike = in->space == SIM_SHARED ? l->hooks.alike_shared : l->hooks.alike;
    return (uint32_t)(address & (alike - 1)) + 1;
}

/* Does the access lie as the last one that the observer was told of? Then it is counted. */
INLINED bool repeats_last(const struct listener *l, const struct insn *in, uint32_t pc,
                          const uint64_t address[LANES], const struct shape *shape)
{
    struct repeat *last = &l->repeats[pc];
    const uint64_t apart = address[HALF] - address[0];
    const uint32_t phase = phase_of(l, in, address[0]);
    const bool same = shape->step == last->step && apart == last->apart && phase == last->phase;
    last->times += same;
    return same;
}

/* Later accesses are compared with this one. */
static void begin_repeats(const struct listener *l, const struct insn *in, uint32_t pc,
                          const uint64_t address[LANES], const struct shape *shape)
{
    struct repeat *last = &l->repeats[pc];
    if (last->times)
        l->hooks.repeated(l->self, pc, last->times);
    *last = (struct repeat){.step = shape->step,
                            .apart = address[HALF] - address[0],
                            .phase = phase_of(l, in, address[0])};
}

/* Observers know a byte of shared memory by its place in the block. */
static inline void make_places(uint64_t address[LANES], struct reach *r)
{
    const uint64_t tag = r->tag;
    EVERY_LANE(i)
        address[i] -= tag;
    r->base += (uintptr_t)tag;
    r->tag = 0;
}

APART void tell_all(struct warp *w, const struct insn *in, uint32_t m, uint64_t address[LANES],
                    struct reach *r, const struct shape *shape, unsigned row)
{
    struct sim_run *run = w->launch;
    const struct sim_at *at = at_now(w, m);
    const bool repeats = may_repeat(in, r, shape);
    struct sim_access *a = &run->access;
    if (r->tag)
        make_places(address, r);
    *a = (struct sim_access){
        .kind = (enum sim_access_kind)in->access, .space = r->space,
        .owner = r->space == SIM_CLUSTER ? cluster_owner(w, r->rank) : 0,
        .bytes = (unsigned)in->bytes * in->count, .part = in->bytes, .address = address,
        .even = shape->even, .first = lowest(address, shape), .step = shape->step,
        .turn = shape->turn, .halves = shape->halves, .repeats = repeats,
        .host = r->space == SIM_LOCAL ? 0 : r->base};
    if (in->access == SIM_STORE) {
        a->stored = &run->stored;
        run->stored.bytes = in->bytes;
        run->stored.apart = row;
        for (unsigned k = 0; k < in->count; k++)
            run->stored.row[k] = ROW(void, VECTOR_ROW(k));
    }
    const struct listener *end = run->of_accesses + run->of_accesses_count;
    for (const struct listener *l = run->of_accesses; l < end; l++) {
        access_hook *hook = l->access[in->access];
        if (!hook)
            continue;
        if (repeats && l->repeats) {
            if (repeats_last(l, in, at->pc, address, shape))
                continue;
            begin_repeats(l, in, at->pc, address, shape);
        }
        hook(l->self, at, a);
    }
}

/* Nearly always the access is like the last one of its instruction. Where the only observer that
 * asks wants such ones counted, that is all there is to do. A tag is far larger than `alike`. */
INLINED void tell_access(struct warp *w, const struct insn *in, uint32_t m,
                         uint64_t address[LANES], struct reach *r, const struct shape *shape,
                         unsigned row)
{
    const struct listener *l = w->launch->counts;
    if (w->launch->touched && r->space == SIM_GLOBAL)
        touched_note(w->launch, in, w->pc - 1, m, address, shape);
    if (!l || !may_repeat(in, r, shape) || !repeats_last(l, in, w->pc - 1, address, shape))
        tell_all(w, in, m, address, r, shape, row);
}

/* Tells of an access to local memory. The memories of the threads lie one after the other here. */
APART void tell_local(struct warp *w, const struct insn *in, uint32_t m,
                             const uint64_t *address, struct reach *r, unsigned row)
{
    uint64_t own[LANES];
    for (unsigned i = 0; i < LANES; i++)
        own[i] = address[i] - (uint64_t)i * w->launch->local_per_thread;
    tell_access(w, in, m, own, r, &no_shape, row);
}

/* One event for each space that the lanes reach, however many arrays they reach there. A lane outside
 * of all arrays is a fault, and no access. */
APART void tell_mixed(struct warp *w, const struct insn *in, uint32_t m, unsigned row)
{
    uint64_t address[LANES];
    struct reach r = { .space = (enum sim_space)in->space };
    addresses(w, in, m, address);
    for (uint32_t rest = m, some; rest; rest &= ~some) {
        uint32_t told = some = in->space == SIM_GENERIC ? reach_window(w, rest, address, &r) : rest;
        if (r.space == SIM_SHARED || r.space == SIM_CLUSTER)
            told = shared_inside(w->launch, some, (unsigned)in->bytes * in->count, address);
        else if (r.space == SIM_GLOBAL)
            told = memory_inside(w->launch->sim, some, (unsigned)in->bytes * in->count, address);
        if (told)
            tell_access(w, in, told, address, &r, &no_shape, row);
    }
}

/* The usual case of reach_save(): two rows of neighbours, whose ends the shape tells. */
INLINED bool save_quick(struct warp *w, const struct insn *in, struct allocation *a, uint32_t m,
                        const uint64_t address[LANES], const struct shape *shape)
{
    const uint64_t bytes = (uint64_t)in->bytes * in->count, one = address[0], other = address[HALF];
    const uint64_t low = one < other ? one : other, high = one < other ? other : one;
    if (!shape->halves || shape->step > bytes || high - low > PAGE)
        return reach_save(w, in, a, m, address);
    return reach_save_span(w, a, low, high + (HALF - 1) * shape->step + bytes);
}

/*
 * The usual case of reach_find() at vector speed: the shared variable or the array that this
 * instruction reached last time, with every lane inside and aligned. A sign bit in `bad` is
 * an address outside. Of evenly spaced lanes two tell where all are.
 */
INLINED bool reach_quick(struct warp *w, const struct insn *in, uint32_t m,
                               const uint64_t address[LANES], const struct shape *shape,
                               struct reach *r)
{
    struct sim_run *run = w->launch;
    uint64_t bytes = (uint64_t)in->bytes * in->count, start, size, tag = 0;
    uint64_t bad = 0, low = 0;
    struct allocation *a = NULL;
    if (in->space == SIM_GLOBAL) {
        if (run->hint[w->pc - 1] >= run->sim->allocation_count)
            return false;
        a = run->sim->allocations[run->hint[w->pc - 1]];
        start = a->address;
        size = a->freed || a->constant ? 0 : a->size;
    } else if (in->space == SIM_SHARED) {
        const struct shared_piece *p = &run->shared.piece[run->hint[w->pc - 1]];
        start = p->start;
        size = p->size;
        tag = p->tag;
    } else {
        return false;
    }
    if (size < bytes)
        return false;
    size -= bytes;
    if (shape->halves && shape->step <= size) { /* upwards: the last of a half is the highest */
        const uint64_t most = size - (HALF - 1) * shape->step;
        const uint64_t one = address[0] - start, other = address[HALF] - start;
        bad = one | other | (most - one) | (most - other);
        low = address[0] | address[HALF] | shape->step;
    } else if (shape->halves && shape->step + size <= 2 * size) {
        for (int i = 0; i < LANES; i += HALF) {
            uint64_t at = address[i] - start, last = at + (HALF - 1) * shape->step;
            bad |= at | (size - at) | last | (size - last);
            low |= address[i] | shape->step;
        }
    } else if (shape->even && shape->step + size <= 2 * size) {
        uint64_t first = lowest(address, shape);
        uint64_t at = first - start, last = at + (LANES - 1) * shape->step;
        bad = at | (size - at) | last | (size - last);
        low = first | shape->step;
    } else {
        EVERY_LANE(i) {
            uint64_t at = address[i] - start;
            bad |= at | (size - at);
            low |= address[i];
        }
    }
    if (bad >> 63 || low & (bytes - 1))
        return false;
    r->base = a ? (uintptr_t)a->host - (uintptr_t)start : (uintptr_t)w->block->shared - (uintptr_t)tag;
    r->tag = tag;
    r->scattered = false;
    r->lanes = m;
    r->space = a ? SIM_GLOBAL : SIM_SHARED;
    return !a || in->access == SIM_LOAD || save_quick(w, in, a, m, address, shape);
}

/* The memory of the first of the lanes that are left, and of all others that reach it too: nearly
 * always of all lanes. The first time observers are told of the access. False: it is a fault. */
INLINED bool reach_next(struct warp *w, const struct insn *in, uint32_t m, uint32_t left,
                              uint64_t address[LANES], struct shape *shape, struct reach *r,
                              unsigned row)
{
    if (!reach_quick(w, in, left, address, shape, r) && !reach_find(w, in, left, address, r))
        return false;
    if (r->lanes != ALL_LANES || r->space == SIM_LOCAL || r->scattered)
        shape->even = shape->halves = false;
    if (left != m || !asks_access(w->launch, in->access))
        return true;
    if (r->lanes != m)
        tell_mixed(w, in, m, row);
    else if (r->space == SIM_LOCAL)
        tell_local(w, in, m, address, r, row);
    else
        tell_access(w, in, m, address, r, shape, row);
    return true;
}

/* memcpy() in as wide pieces as the next instruction will read: else it has to wait. */
typedef uint32_t piece __attribute__((vector_size(32), aligned(1), may_alias));
static inline void copy(void *to, const void *from, size_t bytes)
{
    size_t at = 0;
    for (; at + sizeof(piece) <= bytes; at += sizeof(piece))
        *(piece *)((char *)to + at) = *(const piece *)((const char *)from + at);
    memcpy((char *)to + at, (const char *)from + at, bytes - at);
}

/*
 * A load goes its own short way where each half of the lanes reads neighbours, or one place: by far
 * the most do. M is the type in memory, R that of the row. load_lanes_ID() is for all others, and
 * for the k-th element of a vector.
 */
#define LOAD(id, M, R)                                                                       \
    static inline void load_lanes_##id(const struct reach *r, const struct shape *shape,     \
                                       const struct insn *in, const uint64_t address[LANES], \
                                       uint64_t part, R *D)                                  \
    {                                                                                        \
        if (shape->even && shape->step == sizeof(M) && in->count == 1) {                     \
            M t[2 * LANES], *from = t + shape->turn;                                         \
            memcpy(t, reach_at(r, lowest(address, shape)), LANES * sizeof(M));               \
            memcpy(t + LANES, t, LANES * sizeof(M));                                         \
            EVERY_LANE(i)                                                                    \
                D[i] = (R)from[i];                                                           \
            return;                                                                          \
        }                                                                                    \
        bool all = r->lanes == ALL_LANES;                                                    \
        for (int i = 0; all && i < LANES; i += 4) {                                          \
            M t[4];                                                                          \
            for (int j = 0; j < 4; j++)                                                      \
                memcpy(&t[j], reach_at(r, address[i + j] + part), sizeof *t);                \
            for (int j = 0; j < 4; j++)                                                      \
                D[i + j] = (R)t[j];                                                          \
        }                                                                                    \
        EACH_LANE(i, all ? 0 : r->lanes) {                                                   \
            M t;                                                                             \
            memcpy(&t, reach_at(r, address[i] + part), sizeof t);                            \
            D[i] = (R)t;                                                                     \
        }                                                                                    \
    }                                                                                        \
    OP op_load_##id ARGS                                                                     \
    {                                                                                        \
        uint64_t address[LANES];                                                             \
        struct reach r;                                                                      \
        struct shape shape = addresses(w, in, m, address);                                   \
        if (shape.halves && in->count == 1 && in->d &&                                       \
            (shape.step == sizeof(M) || shape.step == 0) &&                                  \
            reach_quick(w, in, m, address, &shape, &r)) {                                    \
            const unsigned char *low = reach_at(&r, address[0]);                             \
            const unsigned char *high = reach_at(&r, address[HALF]);                         \
            R *D = ROW(R, in->d);                                                            \
            M t[LANES];                                                                      \
            if (w->launch->asked & ASKS(load))                                               \
                tell_access(w, in, m, address, &r, &shape, sizeof(R));                       \
            if (shape.step == 0) {                                                           \
                memcpy(&t[0], low, sizeof *t);                                               \
                memcpy(&t[HALF], high, sizeof *t);                                           \
                for (unsigned i = 0; i < HALF; i++)                                          \
                    D[i] = (R)t[0], D[HALF + i] = (R)t[HALF];                                \
                return GO;                                                                   \
            }                                                                                \
            void *to = sizeof(M) == sizeof(R) ? (void *)D : t;                               \
            copy(to, low, HALF * sizeof(M));                                                 \
            copy((M *)to + HALF, high, HALF * sizeof(M));                                    \
            if (to == t) {                                                                   \
                EVERY_LANE(i)                                                                \
                    D[i] = (R)t[i];                                                          \
            }                                                                                \
            return GO;                                                                       \
        }                                                                                    \
        for (uint32_t left = m; left; left &= ~r.lanes) {                                    \
            if (!reach_next(w, in, m, left, address, &shape, &r, sizeof(R)))                 \
                return FAULTED;                                                              \
            for (unsigned k = 0; k < in->count; k++)                                         \
                if (VECTOR_ROW(k))                                                           \
                    load_lanes_##id(&r, &shape, in, address, k * sizeof(M),                  \
                                    ROW(R, VECTOR_ROW(k)));                                  \
        }                                                                                    \
        return GO;                                                                           \
    }

/*
 * Where several lanes store to one place, one of them wins, and the ISA does not say which. On
 * an H100 it is, in shared memory, the lowest lane of the last group that goes together.
 */
static inline unsigned next_storing(uint32_t *left, unsigned bytes)
{
    unsigned lanes = bytes <= 4 ? LANES : 128 / bytes, at = lane_first(*left) / lanes * lanes;
    uint32_t group = lanes == LANES ? *left : *left & (((1u << lanes) - 1) << at);
    unsigned top = 31 - (unsigned)__builtin_clz(group);
    *left &= ~(1u << top);
    return top;
}

#define STORE(id, M, R)                                                                      \
    static inline void store_lanes_##id(const struct reach *r, const struct shape *shape,    \
                                        const struct insn *in,                               \
                                        const uint64_t address[LANES], uint64_t part,        \
                                        const R *D)                                          \
    {                                                                                        \
        bool apart = shape->even && shape->step;                                             \
        if (apart && shape->step == sizeof(M) && !shape->turn && in->count == 1) {           \
            M t[LANES];                                                                      \
            EVERY_LANE(i)                                                                    \
                t[i] = (M)D[i];                                                              \
            memcpy(reach_at(r, address[0]), t, sizeof t);                                    \
            return;                                                                          \
        }                                                                                    \
        for (int i = 0; apart && i < LANES; i++) {                                           \
            M t = (M)D[i];                                                                   \
            memcpy(reach_at(r, address[i] + part), &t, sizeof t);                            \
        }                                                                                    \
        for (uint32_t left = apart ? 0 : r->lanes; left;) {                                  \
            unsigned i = next_storing(&left, (unsigned)in->bytes * in->count);               \
            M t = (M)D[i];                                                                   \
            memcpy(reach_at(r, address[i] + part), &t, sizeof t);                            \
        }                                                                                    \
    }                                                                                        \
    OP op_store_##id ARGS                                                                    \
    {                                                                                        \
        uint64_t address[LANES];                                                             \
        struct reach r;                                                                      \
        struct shape shape = addresses(w, in, m, address);                                   \
        for (uint32_t left = m; left; left &= ~r.lanes) {                                    \
            if (!reach_next(w, in, m, left, address, &shape, &r, sizeof(R)))                 \
                return FAULTED;                                                              \
            for (unsigned k = 0; k < in->count; k++)                                         \
                store_lanes_##id(&r, &shape, in, address, k * sizeof(M),                     \
                                 ROW(R, VECTOR_ROW(k)));                                     \
        }                                                                                    \
        return GO;                                                                           \
    }
/* memory type, row type */
#define WIDTHS(X)                                                                            \
    X(u8_16, uint8_t, uint16_t) X(u8_32, uint8_t, uint32_t) X(u8_64, uint8_t, uint64_t)      \
    X(u16_16, uint16_t, uint16_t) X(u16_32, uint16_t, uint32_t) X(u16_64, uint16_t, uint64_t) \
    X(u32_32, uint32_t, uint32_t) X(u32_64, uint32_t, uint64_t) X(u64_64, uint64_t, uint64_t)
#define SIGNED_WIDTHS(X)                                                                     \
    X(s8_16, int8_t, uint16_t) X(s8_32, int8_t, uint32_t) X(s8_64, int8_t, uint64_t)         \
    X(s16_32, int16_t, uint32_t) X(s16_64, int16_t, uint64_t) X(s32_64, int32_t, uint64_t)
WIDTHS(LOAD)
SIGNED_WIDTHS(LOAD)
WIDTHS(STORE)

/* cp.async with a number of bytes to read, in row `target`: the rest of what it copies is 0. */
OP op_load_some ARGS
{
    const uint32_t *wanted = ROW(uint32_t, in->target);
    uint32_t whole = 0, all = (uint32_t)in->bytes * in->count;
    EACH_LANE(i, m) {
        whole |= wanted[i] >= all ? lane_bit[i] : 0;
        for (unsigned k = 0; k < in->count; k++)
            ROW(uint32_t, VECTOR_ROW(k))[i] = 0;
    }
    if (whole && op_load_u32_32(w, in, whole) == FAULTED)
        return FAULTED;
    EACH_LANE(i, m & ~whole) {
        struct insn part = *in;
        struct reach r;
        uint64_t address[LANES];
        part.bytes = 1, part.count = (uint8_t)wanted[i];
        if (!wanted[i])
            continue;
        addresses(w, &part, 1u << i, address);
        if (!reach_find(w, &part, 1u << i, address, &r))
            return FAULTED;
        if (w->launch->asked & ASKS(load))
            tell_access(w, &part, 1u << i, address, &r, &no_shape, 4);
        for (unsigned at = 0; at < wanted[i]; at += 4)
            memcpy(&ROW(uint32_t, VECTOR_ROW(at / 4))[i], reach_at(&r, address[i] + at),
                   wanted[i] - at < 4 ? wanted[i] - at : 4);
    }
    return GO;
}

/* Are all lanes of the warp there, and at one place? */
static inline bool at_one_place(const uint64_t address[LANES], const struct shape *s)
{
    return s->halves && !s->step && address[0] == address[HALF];
}

/* Atomics: one lane after the other, in order of lanes. d may be 0: then it is a red. Where all
 * are at one place, the value stays in a register: each lane waits for the one before. */
#define ATOMIC(id, name, T, ...)                                                             \
    OP op_atomic_##id ARGS                                                                   \
    {                                                                                        \
        const T_##T *B = ROW(T_##T, in->b), *C = in->c ? ROW(T_##T, in->c) : B;              \
        T_##T *D = in->d ? ROW(T_##T, in->d) : NULL;                                         \
        T_##T old[LANES];                                                                    \
        uint64_t address[LANES];                                                             \
        struct reach r;                                                                      \
        struct shape shape = addresses(w, in, m, address);                                   \
        for (uint32_t left = m; left; left &= ~r.lanes) {                                    \
            if (!reach_next(w, in, m, left, address, &shape, &r, sizeof(T_##T)))             \
                return FAULTED;                                                              \
            if (w->launch->worker && r.space == SIM_GLOBAL) {                                \
                const enum atomic_way way =                                                  \
                    cores_atomic(w, in, address, at_one_place(address, &shape), &r);         \
                if (way == ATOMIC_STOPS)                                                     \
                    return FAULTED;                                                          \
                if (way == ATOMIC_LATER) {                                                   \
                    D = NULL; /* nobody uses it */                                           \
                    continue;                                                                \
                }                                                                            \
            }                                                                                \
            if (at_one_place(address, &shape)) {                                             \
                T_##T a;                                                                     \
                memcpy(&a, reach_at(&r, address[0]), sizeof a);                              \
                for (int i = 0; i < LANES; i++) {                                            \
                    T_##T b = B[i], c = C[i];                                                \
                    (void)b, (void)c;                                                        \
                    old[i] = a;                                                              \
                    a = (T_##T)(MEANING(__VA_ARGS__));                                       \
                }                                                                            \
                memcpy(reach_at(&r, address[0]), &a, sizeof a);                              \
                continue;                                                                    \
            }                                                                                \
            EACH_LANE(i, r.lanes) {                                                          \
                T_##T a, b = B[i], c = C[i], now;                                            \
                (void)b, (void)c;                                                            \
                memcpy(&a, reach_at(&r, address[i]), sizeof a);                              \
                now = (T_##T)(MEANING(__VA_ARGS__));                                         \
                memcpy(reach_at(&r, address[i]), &now, sizeof now);                          \
                old[i] = a;                                                                  \
            }                                                                                \
        }                                                                                    \
        if (D) {                                                                             \
            EACH_LANE(i, m)                                                                  \
                D[i] = old[i];                                                               \
        }                                                                                    \
        return GO;                                                                           \
    }
#include "sim/exec/atomics.def"
#undef ATOMIC

/* The same for 128-bit values. Each of them has two rows, the lower half first. */
#define WIDE_ATOMIC(id, WRITES)                                                              \
    OP op_atomic_##id ARGS                                                                   \
    {                                                                                        \
        const uint64_t *B = ROW(uint64_t, in->b), *C = ROW(uint64_t, in->c);                 \
        uint64_t *D = ROW(uint64_t, in->d), old[2][LANES], address[LANES];                   \
        struct reach r;                                                                      \
        struct shape shape = addresses(w, in, m, address);                                   \
        for (uint32_t left = m; left; left &= ~r.lanes) {                                    \
            if (!reach_next(w, in, m, left, address, &shape, &r, sizeof *B))                 \
                return FAULTED;                                                              \
            EACH_LANE(i, r.lanes) {                                                          \
                const uint64_t b[2] = {B[i], B[LANES + i]}, c[2] = {C[i], C[LANES + i]};     \
                uint64_t a[2];                                                               \
                memcpy(a, reach_at(&r, address[i]), sizeof a);                               \
                if (WRITES)                                                                  \
                    memcpy(reach_at(&r, address[i]), c, sizeof c);                           \
                (void)b;                                                                     \
                old[0][i] = a[0], old[1][i] = a[1];                                          \
            }                                                                                \
        }                                                                                    \
        EACH_LANE(i, m)                                                                      \
            D[i] = old[0][i], D[LANES + i] = old[1][i];                                      \
        return GO;                                                                           \
    }
WIDE_ATOMIC(exch_b128, true)
WIDE_ATOMIC(cas_b128, a[0] == b[0] && a[1] == b[1])
#undef WIDE_ATOMIC

#endif
