/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mbarriers: barriers in shared memory. In each phase an mbarrier counts arrivals of threads and
 * bytes of asynchronous copies.
 *
 * An mbarrier is 8 bytes of shared memory, and keeps nothing elsewhere. NVIDIA does not document
 * the layout of these bytes, so a program can't depend on it. Here they hold a struct counts. A
 * phase is over when no arrival and no byte is missing. The simulator completes a copy as soon as
 * it starts, so the bytes of a copy count at once.
 *
 * No function here waits. An instruction that tests a phase says whether it is over. If it is not,
 * other warps have their turn. still.c detects a phase that can never be over.
 */
#include "sim/mbarrier.h"
#include "sim/exec/op.h"

#include <stdio.h>
#include <string.h>

enum { COUNT_BITS = 20, COUNT_MOST = (1 << COUNT_BITS) - 1, BYTES_BITS = 21 };
#define PHASE_BIT (UINT64_C(1) << 61)
#define VALID_BIT (UINT64_C(1) << 62) /* an mbarrier has this bit set, and the next bit clear */

/* ---- the 8 bytes --------------------------------------------------------------------- */

struct counts {
    uint32_t pending;  /* arrivals that are missing in this phase */
    uint32_t expected; /* arrivals of each further phase */
    int32_t bytes;     /* bytes that are missing; below 0: bytes that came before an expect_tx */
    bool odd;          /* the parity of this phase */
};

static bool counts_read(const unsigned char *at, struct counts *c)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    c->pending = word & COUNT_MOST;
    c->expected = word >> COUNT_BITS & COUNT_MOST;
    c->bytes = (int32_t)(word >> 2 * COUNT_BITS & ((1 << BYTES_BITS) - 1));
    c->bytes -= c->bytes >> (BYTES_BITS - 1) << BYTES_BITS;
    c->odd = word & PHASE_BIT;
    return word >> 62 == 1;
}

static uint64_t counts_word(const struct counts *c)
{
    const uint64_t bytes = (uint32_t)c->bytes & ((1u << BYTES_BITS) - 1);
    return VALID_BIT | (c->odd ? PHASE_BIT : 0) | bytes << 2 * COUNT_BITS |
           (uint64_t)c->expected << COUNT_BITS | c->pending;
}

static void counts_write(unsigned char *at, const struct counts *c)
{
    const uint64_t word = counts_word(c);
    memcpy(at, &word, sizeof word);
}

/* Ends the phase if nothing is missing: the next phase begins. False: something is missing. */
static bool counts_end(struct counts *c)
{
    if (c->pending || c->bytes)
        return false;
    c->pending = c->expected;
    c->odd = !c->odd;
    return true;
}

/* ---- finding one --------------------------------------------------------------------- */

/* Writes the name of an mbarrier in the source, with a space before it: " full[1]" in an array, or
 * " full" for a single one. The text is empty if the place has no name. */
static void name_of(struct sim_run *r, uint64_t place, char out[SIM_ELEMENT])
{
    struct sim_fault own = {0}, next = {0};
    if (!sim_element_at(r, SIM_SHARED, place, 8, &own))
        own.element[0] = 0;
    else if (own.index == 0 && (!sim_element_at(r, SIM_SHARED, place + 8, 8, &next) ||
                                strcmp(own.array, next.array) != 0))
        snprintf(own.element, sizeof own.element, "%.60s", own.array);
    snprintf(out, SIM_ELEMENT, "%s%s", own.element[0] ? " " : "", own.element);
}

static enum after wrong(struct warp *w, const struct mbarrier *b, unsigned lane, const char *what)
{
    char name[SIM_ELEMENT];
    name_of(w->launch, b->place, name);
    return fault_stop(w, SIM_TRAP, lane, "the mbarrier%s: %s", name, what);
}

/* Reports an access to the mbarrier to the observers, like any access to memory. */
static void tell_access(struct warp *w, uint32_t lanes, const struct mbarrier *b,
                        const uint64_t address[LANES], enum sim_access_kind kind)
{
    struct sim_access a = {.kind = kind, .space = b->space, .owner = b->owner, .bytes = 8,
                           .part = 8, .address = address};
    if (kind == SIM_STORE)
        TELL(w->launch, store, at_now(w, lanes), &a);
    else
        TELL(w->launch, atomic, at_now(w, lanes), &a);
}

/* Finds the mbarrier at an address that all these lanes have. False: the address was wrong, and
 * that is a fault. */
static bool find(struct warp *w, uint32_t lanes, uint64_t at, enum sim_access_kind kind,
                 bool tells, struct mbarrier *b)
{
    const struct insn probe = {.bytes = 8, .count = 1, .space = SIM_GENERIC,
                               .access = (uint8_t)kind};
    const unsigned lane = lane_first(lanes);
    uint64_t address[LANES];
    struct reach r;
    for (unsigned i = 0; i < LANES; i++)
        address[i] = at;
    if (!reach_find(w, &probe, lanes, address, &r))
        return false;
    if (r.space != SIM_SHARED && r.space != SIM_CLUSTER) {
        fault_stop(w, SIM_TRAP, lane, "an mbarrier can only lie in shared memory");
        return false;
    }
    b->word = reach_at(&r, address[lane]);
    b->place = address[lane];
    b->space = r.space;
    b->owner = r.space == SIM_CLUSTER ? cluster_owner(w, r.rank) : w->block->index;
    if (tells)
        tell_access(w, lanes, b, address, kind);
    return true;
}

static bool read_counts(struct warp *w, unsigned lane, const struct mbarrier *b, struct counts *c)
{
    if (counts_read(b->word, c))
        return true;
    wrong(w, b, lane, "no mbarrier.init has made it, or mbarrier.inval has ended it");
    return false;
}

bool mbarrier_find(struct warp *w, unsigned lane, uint64_t at, struct mbarrier *b)
{
    struct counts c;
    return find(w, 1u << lane, at, SIM_ATOMIC, false, b) && read_counts(w, lane, b, &c);
}

/* Calls `body` once for each address. It gets all lanes that have this address. */
static enum after each_address(struct warp *w, const struct insn *in, uint32_t m,
                               enum after (*body)(struct warp *, const struct insn *, uint32_t,
                                                  uint64_t))
{
    const uint64_t *at = row_of(w, in->a);
    for (uint32_t rest = m, group; rest; rest &= ~group) {
        group = 0;
        EACH_LANE(i, rest)
            group |= (uint32_t)(at[i] == at[lane_first(rest)]) << i;
        if (body(w, in, group, at[lane_first(rest)]) == FAULTED)
            return FAULTED;
    }
    return GO;
}

static void tell(struct warp *w, uint32_t lanes, const struct mbarrier *b,
                 enum sim_mbarrier_event what, bool ends)
{
    const struct sim_mbarrier told = {
        .what = what, .owner = b->owner, .address = b->place, .ends = ends,
        .relaxed = w->launch->module->shown[w->pc - 1].order == SIM_RELAXED};
    TELL(w->launch, mbarrier, at_now(w, lanes), &told);
}

/* ---- made and ended ------------------------------------------------------------------ */

static enum after init_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    const uint32_t *count = row_of(w, in->b);
    struct mbarrier b;
    struct counts old;
    if (!find(w, m, at, SIM_STORE, true, &b))
        return FAULTED;
    EACH_LANE(i, m) {
        struct counts c = {.pending = count[i], .expected = count[i]};
        if (count[i] == 0 || count[i] > COUNT_MOST)
            return wrong(w, &b, i, "mbarrier.init needs a count from 1 to 1048575");
        if (counts_read(b.word, &old) && (old.pending != old.expected || old.bytes))
            return wrong(w, &b, i, "mbarrier.init while its phase is not over; first wait for "
                                   "the phase, then end the mbarrier by mbarrier.inval");
        counts_write(b.word, &c);
    }
    tell(w, m, &b, SIM_MBARRIER_INIT, false);
    return GO;
}

OP op_init ARGS
{
    return each_address(w, in, m, init_group);
}

static enum after inval_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    struct mbarrier b;
    struct counts c;
    (void)in;
    if (!find(w, m, at, SIM_STORE, true, &b) || !read_counts(w, lane_first(m), &b, &c))
        return FAULTED;
    memset(b.word, 0, 8);
    tell(w, m, &b, SIM_MBARRIER_INVAL, false);
    return GO;
}

OP op_inval ARGS
{
    return each_address(w, in, m, inval_group);
}

/* ---- arriving ------------------------------------------------------------------------ */

/* Adds to the number of bytes that are missing. `more` may be negative. */
static enum after add_bytes(struct warp *w, unsigned lane, const struct mbarrier *b,
                            struct counts *c, int64_t more)
{
    const int64_t bytes = c->bytes + more;
    if (bytes > COUNT_MOST || bytes < -COUNT_MOST)
        return wrong(w, b, lane, "its transaction count would leave the range of 1048575 bytes");
    c->bytes = (int32_t)bytes;
    return GO;
}

static enum after arrive_one(struct warp *w, const struct insn *in, unsigned lane,
                             const struct mbarrier *b, struct counts *c)
{
    const bool expects = in->type & MBARRIER_EXPECTS;
    const uint32_t given = in->b ? ((const uint32_t *)row_of(w, in->b))[lane] : 1;
    const uint32_t n = expects ? 1 : given;
    if (expects && add_bytes(w, lane, b, c, given) == FAULTED)
        return FAULTED;
    if (n == 0 || n > COUNT_MOST)
        return wrong(w, b, lane, "an arrival needs a count from 1 to 1048575");
    if (n > c->pending)
        return wrong(w, b, lane, c->pending == 0 && c->expected
                         ? "more arrivals than its count while bytes are still missing"
                         : "more arrivals in this phase than its count says; give mbarrier.init "
                           "the number of arrivals of a phase");
    if (in->type & MBARRIER_NO_COMPLETE && n == c->pending)
        return wrong(w, b, lane, "an arrival with .noComplete completes the phase, which is "
                                 "undefined; arrive without it");
    c->pending -= n;
    if (in->type & MBARRIER_DROPS)
        c->expected -= n;
    return GO;
}

/* The observers get one event for all lanes that arrive in the same phase. */
static enum after arrive_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    uint64_t *state = in->d ? row_of(w, in->d) : NULL;
    uint32_t came = 0;
    struct mbarrier b;
    struct counts c;
    if (!find(w, m, at, SIM_ATOMIC, true, &b) || !read_counts(w, lane_first(m), &b, &c))
        return FAULTED;
    EACH_LANE(i, m) {
        const uint64_t before = counts_word(&c);
        if (arrive_one(w, in, i, &b, &c) == FAULTED)
            return FAULTED;
        if (state)
            state[i] = before;
        came |= 1u << i;
        if (!counts_end(&c))
            continue;
        counts_write(b.word, &c);
        tell(w, came, &b, SIM_MBARRIER_ARRIVE, true);
        came = 0;
    }
    counts_write(b.word, &c);
    if (came)
        tell(w, came, &b, SIM_MBARRIER_ARRIVE, false);
    return GO;
}

OP op_arrive ARGS
{
    return each_address(w, in, m, arrive_group);
}

static enum after expect_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    const uint32_t *bytes = row_of(w, in->b);
    struct mbarrier b;
    struct counts c;
    if (!find(w, m, at, SIM_ATOMIC, true, &b) || !read_counts(w, lane_first(m), &b, &c))
        return FAULTED;
    EACH_LANE(i, m) {
        const bool completes = in->type & MBARRIER_COMPLETES;
        const int64_t more = completes ? -(int64_t)bytes[i] : (int64_t)bytes[i];
        if (add_bytes(w, i, &b, &c, more) == FAULTED)
            return FAULTED;
        const bool ends = completes && counts_end(&c);
        counts_write(b.word, &c);
        if (completes)
            tell(w, 1u << i, &b, SIM_MBARRIER_BYTES, ends);
    }
    return GO;
}

OP op_expect ARGS
{
    return each_address(w, in, m, expect_group);
}

enum after mbarrier_bytes(struct warp *w, unsigned lane, const struct mbarrier *b, uint32_t bytes)
{
    struct counts c;
    if (!read_counts(w, lane, b, &c) || add_bytes(w, lane, b, &c, -(int64_t)bytes) == FAULTED)
        return FAULTED;
    const bool ends = counts_end(&c);
    counts_write(b->word, &c);
    tell(w, 1u << lane, b, SIM_MBARRIER_BYTES, ends);
    return GO;
}

/* cp.async.mbarrier.arrive: the lane arrives when its copies are complete. Here they are already.
 * Without .noinc the phase also expects one more arrival, so the two cancel out. */
static enum after copies_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    struct mbarrier b;
    struct counts c;
    if (!find(w, m, at, SIM_ATOMIC, true, &b) || !read_counts(w, lane_first(m), &b, &c))
        return FAULTED;
    EACH_LANE(i, m) {
        bool ends = false;
        if (in->type & MBARRIER_NO_INC) {
            if (arrive_one(w, in, i, &b, &c) == FAULTED)
                return FAULTED;
            ends = counts_end(&c);
            counts_write(b.word, &c);
        }
        tell(w, 1u << i, &b, SIM_MBARRIER_COPIES, ends);
    }
    return GO;
}

OP op_copies ARGS
{
    return each_address(w, in, m, copies_group);
}

/* ---- waiting ------------------------------------------------------------------------- */

static enum after wait_group(struct warp *w, const struct insn *in, uint32_t m, uint64_t at)
{
    uint32_t over = 0, *p = predicate_of(w, in->d);
    struct mbarrier b;
    struct counts c;
    if (!find(w, m, at, SIM_ATOMIC, true, &b) || !read_counts(w, lane_first(m), &b, &c))
        return FAULTED;
    EACH_LANE(i, m) {
        const bool odd = in->type & MBARRIER_PARITY
                             ? ((const uint32_t *)row_of(w, in->b))[i] & 1
                             : (((const uint64_t *)row_of(w, in->b))[i] & PHASE_BIT) != 0;
        over |= (uint32_t)(odd != c.odd) << i;
    }
    if (in->d)
        *p = (*p & ~m) | over;
    w->failed_waits = over ? 0 : w->failed_waits + 1;
    if (over)
        tell(w, over, &b, SIM_MBARRIER_WAITED, false);
    return GO;
}

OP op_wait ARGS
{
    return each_address(w, in, m, wait_group);
}

/* mbarrier.pending_count d, a: how many arrivals were missing in the state `a`. An arrival returned
 * that state. */
OP op_pending ARGS
{
    const uint64_t *a = row_of(w, in->a);
    uint32_t *d = row_of(w, in->d);
    EACH_LANE(i, m)
        d[i] = a[i] & COUNT_MOST;
    return GO;
}

/* ---- a wait that never ends ---------------------------------------------------------- */

static int missing_bytes(char *out, size_t size, const struct counts *c)
{
    if (c->bytes < 0)
        return snprintf(out, size, "%d byte%s came without an expect_tx before",
                        -c->bytes, c->bytes == -1 ? "" : "s");
    return snprintf(out, size, "%d byte%s of its copies %s missing", c->bytes,
                    c->bytes == 1 ? "" : "s", c->bytes == 1 ? "is" : "are");
}

bool mbarrier_cause(struct warp *w, unsigned lane, uint64_t address, char *out, size_t size)
{
    struct sim_run *r = w->launch;
    struct reach of;
    uint64_t at[LANES] = {[0] = 0};
    struct counts c;
    char name[SIM_ELEMENT], arrivals[64] = "", bytes[80] = "";
    at[lane] = address;
    reach_window(w, 1u << lane, at, &of);
    const struct block *b = of.space == SIM_SHARED    ? w->block
                            : of.space == SIM_CLUSTER ? cluster_member(w, of.rank)
                                                      : NULL;
    const uint64_t place = b ? at[lane] - shared_piece_of(r, at[lane])->tag : 0;
    if (!b || place + 8 > r->shared_bytes || !counts_read(b->shared + place, &c))
        return false;
    name_of(r, place, name);
    if (c.pending)
        snprintf(arrivals, sizeof arrivals, "%u of %u arrival%s %s missing", c.pending, c.expected,
                 c.expected == 1 ? "" : "s", c.pending == 1 ? "is" : "are");
    if (c.bytes)
        missing_bytes(bytes, sizeof bytes, &c);
    snprintf(out, size, "all threads that are left wait; the mbarrier%s is in a phase of parity %u"
             ", where %s%s%s", name, c.odd, arrivals, c.pending && c.bytes ? " and " : "", bytes);
    return true;
}

static const struct op rows[] = {
    OP_ROW("*mbarrier.init", op_init, SIM_CLASS_MBARRIER, 80)
    OP_ROW("*mbarrier.inval", op_inval, SIM_CLASS_MBARRIER, 80)
    OP_ROW("*mbarrier.arrive", op_arrive, SIM_CLASS_MBARRIER, 80)
    OP_ROW("*mbarrier.expect", op_expect, SIM_CLASS_MBARRIER, 90)
    OP_ROW("*mbarrier.copies", op_copies, SIM_CLASS_MBARRIER, 80)
    OP_ROW("*mbarrier.wait", op_wait, SIM_CLASS_MBARRIER, 80)
    OP_ROW("*mbarrier.pending", op_pending, SIM_CLASS_MBARRIER, 80)
};

OP_TABLE(mbarrier_ops)
