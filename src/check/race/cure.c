/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one change that removes a race, and the place where it goes.
 *
 * Two things decide it: which threads meet, and what the two instructions do. Lanes of one warp need
 * __syncwarp(), threads of several warps __syncthreads(), blocks a cluster's or a grid's barrier.
 * Where threads add to one element, an atomic takes the place of the addition. Another one takes the
 * place of a comparison and a store. Where they all store to one element, each should have had its
 * own. A lock or a flag needs fences, and is itself reached by atomics alone.
 */
#include "check/race/inside.h"

#include <string.h>

const char *const race_cures[] = {[RACE_CURE_UNKNOWN] = NULL,
                                  [RACE_CURE_SYNCWARP] = "syncwarp",
                                  [RACE_CURE_SYNCTHREADS] = "syncthreads",
                                  [RACE_CURE_CLUSTER_SYNC] = "cluster-sync",
                                  [RACE_CURE_GRID_SYNC] = "grid-sync",
                                  [RACE_CURE_INDEX] = "index",
                                  [RACE_CURE_ATOMIC] = "atomic",
                                  [RACE_CURE_COPY_WAIT] = "copy-wait",
                                  [RACE_CURE_FENCE] = "fence",
                                  [RACE_CURE_CHILD] = "child-grid",
                                  [RACE_CURE_PROXY_FENCE] = "proxy-fence",
                                  [RACE_CURE_PARITY] = "parity",
                                  [RACE_CURE_PHASE] = "phase",
                                  [RACE_CURE_SCOPE] = "atomic-scope"};

/* ---- what the two instructions do ------------------------------------------------------- */

/* Does the kernel order these two by other means than a barrier of the block? Such means are locks,
 * flags and named barriers. */
static bool has_other_means(const struct look *k, uint32_t other_pc)
{
    struct race *r = k->r;
    const unsigned says = r->says[k->at->pc] | r->says[other_pc];
    return says & PC_STRONG || k->b->order.pairs || k->b->order.arrived ||
           chosen_is(&r->chosen, CHOSEN_WAITS, k->at->pc) ||
           chosen_is(&r->chosen, CHOSEN_WAITS, other_pc);
}

static bool on_one_line(const struct sim_instruction *a, const struct sim_instruction *b)
{
    return a->line == b->line && a->file == b->file;
}

/* On one line, and not in two calls that were inlined. */
static bool at_one_place(const struct sim_instruction *a, const struct sim_instruction *b)
{
    return on_one_line(a, b) && a->outer_line == b->outer_line;
}

static uint32_t earlier_pc(const struct look *k, uint32_t other_pc)
{
    return k->at->pc < other_pc ? k->at->pc : other_pc;
}

static uint32_t later_pc(const struct look *k, uint32_t other_pc)
{
    return k->at->pc < other_pc ? other_pc : k->at->pc;
}

/* The test of one element that decides whether the element is stored to. Threads must meet at one
 * address: each of many elements may be the turn of another thread after a barrier. */
static enum chosen_test test_of(const struct look *k, uint32_t other_pc)
{
    const uint32_t load = earlier_pc(k, other_pc), store = later_pc(k, other_pc);
    bool one_place = true;
    EACH_LANE (lane, k->at->mask)
        one_place = one_place && k->a->address[lane] == k->a->address[lane_first(k->at->mask)];
    return !one_place && k->r->code[store].kind != SIM_CLASS_ATOMIC ? CHOSEN_NO_TEST
           : load == store ? chosen_test_before(&k->r->chosen, store)
                             : chosen_test(&k->r->chosen, load, store);
}

/* The loop in which one of the two functions waits for a lock or a flag; false: there is none. */
static bool waits_at(const struct look *k, uint32_t other_pc, uint32_t *loop)
{
    return chosen_waits_at(&k->r->chosen, k->at->pc, loop) ||
           chosen_waits_at(&k->r->chosen, other_pc, loop);
}

int race_waits(const struct look *k, uint32_t other_pc)
{
    uint32_t loop;
    return waits_at(k, other_pc, &loop) ? k->r->code[loop].line : 0;
}

/* Is one of the two an access to the lock or the flag itself? */
static bool at_flag(const struct look *k, uint32_t other_pc, uint32_t loop)
{
    return chosen_one_place(&k->r->chosen, k->at->pc, loop) ||
           chosen_one_place(&k->r->chosen, other_pc, loop);
}

/* A lock or a flag protects what lies in the same memory. */
static enum race_cure by_other_means(const struct look *k, uint32_t other_pc, uint32_t loop)
{
    const enum sim_space space = k->r->code[loop].space;
    return at_flag(k, other_pc, loop)                         ? RACE_CURE_ATOMIC
           : space == k->a->space || space == SIM_GENERIC ? RACE_CURE_FENCE
                                                              : RACE_CURE_UNKNOWN;
}

/* The cure for two instructions, whichever threads run them. SYNCTHREADS stands for a barrier of
 * all threads that take part. */
enum race_cure race_cure_by_code(const struct look *k, uint32_t other_pc)
{
    const struct sim_instruction *a = k->at->code, *b = &k->r->code[other_pc];
    bool adds = false, other_adds = false;
    uint32_t loop;
    if (waits_at(k, other_pc, &loop))
        return by_other_means(k, other_pc, loop);
    if (test_of(k, other_pc) != CHOSEN_NO_TEST)
        return RACE_CURE_ATOMIC;
    if (has_other_means(k, other_pc))
        return RACE_CURE_UNKNOWN;
    if (chosen_update(&k->r->chosen, k->at->pc, &adds) &&
        chosen_update(&k->r->chosen, other_pc, &other_adds))
        return on_one_line(a, b) && adds && other_adds ? RACE_CURE_ATOMIC : RACE_CURE_UNKNOWN;
    return !on_one_line(a, b) || a->kind != b->kind ? RACE_CURE_SYNCTHREADS
           : a->kind != SIM_CLASS_STORE             ? RACE_CURE_UNKNOWN
           : chosen_adds(&k->r->chosen, k->at->pc)  ? RACE_CURE_ATOMIC
                                                    : RACE_CURE_INDEX;
}

/* ---- which threads meet ----------------------------------------------------------------- */

/* Has each lane an element of its own? Where threads of the same number in two blocks then meet,
 * the index lacks the block's number. */
static bool own_places(const struct look *k)
{
    return (k->at->mask & (k->at->mask - 1)) && k->a->even && k->a->step;
}

static enum race_cure barrier_of_both(const struct look *k, uint32_t there)
{
    const uint32_t warps = k->r->order.warps;
    return there == k->at->warp          ? RACE_CURE_SYNCWARP
           : there < warps               ? RACE_CURE_SYNCTHREADS
           : k->a->space != SIM_GLOBAL ? RACE_CURE_CLUSTER_SYNC
                                          : RACE_CURE_GRID_SYNC;
}

/* Does the lane know that the other lane has started its copy? If not, a wait for the copy is not
 * enough: a barrier is missing between the two. A phase of an mbarrier needs none. */
static bool knows_start(const struct look *k, unsigned lane, const struct earlier *o)
{
    const struct lane_time start = {o->warp, o->lane, mark_time(o->key & ~MARK_COPY)};
    return k->r->code[mark_pc(o->key)].async == SIM_ASYNC_MBARRIER || race_known(k, lane, &start);
}

static enum race_cure of_copy(const struct look *k, unsigned lane, const struct earlier *o)
{
    const uint32_t there = o->warp - k->b->order.first_warp;
    return there >= k->r->order.warps ? RACE_CURE_UNKNOWN
           : knows_start(k, lane, o)  ? RACE_CURE_COPY_WAIT
                                      : barrier_of_both(k, there);
}

/* Does it use an mbarrier again, or its bytes, while another thread may still wait at it? */
static bool used_again(const struct look *k, const struct earlier *o)
{
    const struct sim_instruction *now = k->at->code;
    return k->writes && o->key && now->order == SIM_WEAK &&
           race_waits_at_mbarrier(&k->r->code[mark_pc(o->key)]) && !race_waits_at_mbarrier(now);
}

enum race_cure race_cure_for(const struct look *k, unsigned lane, const struct earlier *o,
                             enum race_cure by_code)
{
    const uint32_t warps = k->r->order.warps, there = o->warp - k->b->order.first_warp;
    const bool same_lane = o->lane == lane && o->warp % warps == k->at->warp;
    if (o->warp < k->r->order.first_warp)
        return RACE_CURE_CHILD;
    if (k->unfenced)
        return RACE_CURE_PROXY_FENCE;
    if (race_stale_wait(k, lane, o))
        return RACE_CURE_PARITY;
    if (used_again(k, o))
        return RACE_CURE_PHASE;
    if (mark_copy(o->key))
        return of_copy(k, lane, o);
    if (k->atomic && mark_atomic(o->key)) /* these race only if a scope lacks the other thread */
        return RACE_CURE_SCOPE;
    if (by_code == RACE_CURE_ATOMIC)
        return same_lane && own_places(k) && !race_waits(k, mark_pc(o->key)) ? RACE_CURE_INDEX
                                                                               : RACE_CURE_ATOMIC;
    return by_code == RACE_CURE_SYNCTHREADS ? barrier_of_both(k, there) : by_code;
}

/* A wider barrier also orders what a narrower one orders. A missing proxy fence is told where
 * nothing else is missing. A wait for the wrong phase is told before all others. */
bool race_is_barrier(enum race_cure c)
{
    return c >= RACE_CURE_SYNCWARP && c <= RACE_CURE_GRID_SYNC;
}

bool race_is_wider(enum race_cure c, enum race_cure than)
{
    if (than == RACE_CURE_PROXY_FENCE || c == RACE_CURE_PARITY)
        return c != than;
    return race_is_barrier(c) && race_is_barrier(than) && c > than;
}

enum race_cure race_cure_of_both(enum race_cure a, enum race_cure b)
{
    if (race_is_barrier(a) && race_is_barrier(b))
        return a > b ? a : b;
    if (a == RACE_CURE_PROXY_FENCE || b == RACE_CURE_PROXY_FENCE)
        return a == RACE_CURE_PROXY_FENCE ? b : a;
    if (a == RACE_CURE_PARITY || b == RACE_CURE_PARITY)
        return RACE_CURE_PARITY;
    if ((a == RACE_CURE_COPY_WAIT && race_is_barrier(b)) ||
        (b == RACE_CURE_COPY_WAIT && race_is_barrier(a)))
        return RACE_CURE_COPY_WAIT; /* a thread does not wait for its own copy: that comes first */
    return a == b ? a : RACE_CURE_UNKNOWN;
}

/* ---- where a barrier goes --------------------------------------------------------------- */

static bool is_barrier_of(enum race_cure cure, const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_BARRIER &&
           (cure == RACE_CURE_SYNCWARP || strncmp(i->text, "bar.warp", 8) != 0);
}

/* Is there a barrier between the two? */
static bool barrier_in(const struct look *k, enum race_cure cure, uint32_t from, uint32_t end)
{
    for (uint32_t pc = from; pc < end; pc++)
        if (is_barrier_of(cure, &k->r->code[pc]))
            return true;
    return false;
}

/* The innermost loop around both; false: there is none. */
static bool loop_around(const struct look *k, uint32_t first, uint32_t last, uint32_t *top,
                        uint32_t *end)
{
    const struct sim_instruction *code = k->r->code;
    const char *function = code[first].function;
    for (uint32_t pc = last; pc < k->r->code_count && code[pc].function == function; pc++)
        if (code[pc].kind == SIM_CLASS_BRANCH && code[pc].target <= first) {
            *top = code[pc].target;
            *end = pc;
            return true;
        }
    return false;
}

/* Does the code from `from` to `end` access memory for the same line as `i`; a store, if it is to be
 * one? A line may load several things, but as a rule it stores one. */
static bool line_in(const struct look *k, const struct sim_instruction *i, uint32_t from,
                    uint32_t end, bool store)
{
    const struct sim_instruction *code = k->r->code;
    for (uint32_t pc = from; pc < end; pc++)
        if (at_one_place(&code[pc], i) && (code[pc].kind == SIM_CLASS_STORE ||
                                           (!store && code[pc].kind == SIM_CLASS_LOAD)))
            return true;
    return false;
}

/* Does the line load from this memory space before instruction number `end`? If not, the line has
 * two statements. */
static bool loads_before(const struct look *k, const struct sim_instruction *i, uint32_t end)
{
    const struct sim_instruction *code = k->r->code;
    for (uint32_t pc = 0; pc < end; pc++)
        if (at_one_place(&code[pc], i) && code[pc].kind == SIM_CLASS_LOAD &&
            code[pc].space == i->space)
            return true;
    return false;
}

/* Compilers unroll loops, and move code. So the lines decide whether the instruction that comes
 * later in the code belongs to a later iteration, and whether its line was there before. */
static bool in_later_iteration(const struct look *k, uint32_t first, uint32_t last, bool loops)
{
    const struct sim_instruction *a = &k->r->code[first], *b = &k->r->code[last];
    if (at_one_place(a, b) && a->kind != SIM_CLASS_LOAD)
        return loops || loads_before(k, a, first);
    if (at_one_place(a, b))
        return line_in(k, a, first + 1, last, true);
    const bool apart = a->outer_line != b->outer_line; /* in the lines of the kernel itself */
    if (apart ? a->outer_line < b->outer_line : a->file != b->file || a->line < b->line)
        return line_in(k, a, first + 1, last, true);
    return loops || line_in(k, b, 0, first, false);
}

/* Do both stand in one function, of which two calls were inlined? The call that one was inlined for
 * has code of the other's line as well. */
static bool inlined_twice(const struct look *k, uint32_t first, uint32_t last)
{
    const struct sim_instruction *code = k->r->code, *a = &code[first], *b = &code[last];
    if (a->outer_line == b->outer_line || a->outer_line == a->line || b->outer_line == b->line)
        return false;
    bool has_both = on_one_line(a, b);
    for (uint32_t pc = 0; pc < k->r->code_count && !has_both; pc++)
        has_both = code[pc].function == a->function && on_one_line(&code[pc], b) &&
                   code[pc].outer_line == a->outer_line;
    return has_both;
}

/* What the atomic operation has to do, where it does more than to add. */
static unsigned atomic_of(const struct look *k, uint32_t other_pc)
{
    static const unsigned of_test[] = {[CHOSEN_LARGER] = FINDING_LARGER,
                                       [CHOSEN_SMALLER] = FINDING_SMALLER,
                                       [CHOSEN_OTHER_TEST] = FINDING_ON_CONDITION,
                                       [CHOSEN_AGAIN] = FINDING_AGAIN,
                                       [CHOSEN_GUESS] = FINDING_GUESS,
                                       [CHOSEN_NO_TEST] = 0};
    uint32_t loop;
    return waits_at(k, other_pc, &loop) ? FINDING_FLAG : of_test[test_of(k, other_pc)];
}

/* Does other code call the function that the instruction is in? */
static bool is_called(const struct look *k, uint32_t pc)
{
    const struct sim_instruction *code = k->r->code;
    for (uint32_t i = 0; i < k->r->code_count; i++)
        if (code[i].callee == SIM_CALL_FUNCTION && strstr(code[i].text, code[pc].function))
            return true;
    return false;
}

/* Does an atomic operation lie between the store and the load, and does the kernel look at what it
 * found? Such a counter tells a block that it is the last one. */
static bool counts_between(const struct look *k, uint32_t first, uint32_t last)
{
    const struct sim_instruction *code = k->r->code;
    if (code[first].kind != SIM_CLASS_STORE || code[last].kind != SIM_CLASS_LOAD)
        return false;
    for (uint32_t pc = first + 1; pc < last; pc++)
        if (code[pc].kind == SIM_CLASS_ATOMIC && code[pc].space != SIM_SHARED &&
            !chosen_is(&k->r->chosen, CHOSEN_UNUSED, pc))
            return true;
    return false;
}

unsigned race_where(const struct look *k, uint32_t other_pc, enum race_cure cure)
{
    const uint32_t pc = k->at->pc;
    const uint32_t first = pc < other_pc ? pc : other_pc, last = pc < other_pc ? other_pc : pc;
    const struct sim_instruction *a = &k->r->code[first], *b = &k->r->code[last];
    unsigned where = 0;
    uint32_t top = 0, end = 0;
    if (cure == RACE_CURE_ATOMIC)
        return atomic_of(k, other_pc);
    if (a->function != b->function)
        return FINDING_BETWEEN;
    if (cure == RACE_CURE_GRID_SYNC && counts_between(k, first, last))
        return FINDING_COUNTER;
    const bool loops = loop_around(k, first, last, &top, &end);
    if (inlined_twice(k, first, last) ||
        (!loops && barrier_in(k, cure, first, last) && is_called(k, first)))
        return FINDING_CALL_END;
    if (cure == RACE_CURE_GRID_SYNC && !loops && a->kind == SIM_CLASS_LOAD &&
        b->kind == SIM_CLASS_STORE)
        return FINDING_SPLIT; /* all are to read before one writes: a second array serves it */
    if (!barrier_in(k, cure, first, last))
        where = in_later_iteration(k, first, last, loops)          ? FINDING_LOOP_END
                : on_one_line(a, b) && a->kind == SIM_CLASS_LOAD ? FINDING_SPLIT
                                                                   : FINDING_BETWEEN;
    if (loops && !barrier_in(k, cure, last, end) && !barrier_in(k, cure, top, first))
        where |= FINDING_LOOP_END;
    return where ? where : FINDING_BETWEEN;
}

/* ---- findings of one mistake ------------------------------------------------------------ */

/* Does the first of the two load what the second one stores to, so that both change one element, as
 * `if (v > *best) *best = v;` does? */
bool race_changes(const struct look *k, uint32_t other_pc)
{
    const uint32_t pc = k->at->pc, first = pc < other_pc ? pc : other_pc;
    const struct sim_instruction *a = &k->r->code[first];
    const struct sim_instruction *b = &k->r->code[pc < other_pc ? other_pc : pc];
    const struct sim_operands *from = a->operands, *to = b->operands;
    return a->kind == SIM_CLASS_LOAD && b->kind == SIM_CLASS_STORE && a->function == b->function &&
           from && to && from->base == to->base && from->offset == to->offset &&
           from->symbol == to->symbol && (from->base || from->symbol);
}

static bool same_place(const struct sim_place *a, const struct sim_place *b)
{
    return a->line == b->line && (a->file == b->file || (a->file && b->file &&
                                                         strcmp(a->file, b->file) == 0));
}

static bool share_a_line(const struct sim_fault *a, const struct sim_fault *b)
{
    return same_place(&a->at, &b->at) || same_place(&a->at, &b->other) ||
           same_place(&a->other, &b->at) || same_place(&a->other, &b->other);
}

static bool share_an_array(const struct sim_fault *a, const struct sim_fault *b)
{
    return a->array && b->array && strcmp(a->array, b->array) == 0;
}

/* What one more finding at the same line says about a cure. */
static enum race_cure joined(const struct finding *own, const struct finding *other)
{
    const enum race_cure c = own->cure, o = other->cure;
    if (c == RACE_CURE_SYNCWARP && o == RACE_CURE_SYNCTHREADS)
        return o;
    if (!share_an_array(&own->fault, &other->fault))
        return c;
    if ((c == RACE_CURE_INDEX && own->at_once && other->changes) ||
        (own->changes && o == RACE_CURE_INDEX && other->at_once))
        return RACE_CURE_ATOMIC;
    if (c == RACE_CURE_INDEX && race_is_barrier(o) && o != RACE_CURE_GRID_SYNC)
        return o;
    return c == RACE_CURE_GRID_SYNC && o == RACE_CURE_INDEX ? o : c;
}

/* Are these two races of the same two lines, in opposite order? Then they are merged if one cure at
 * one place removes both. */
static bool mirrored(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind && a->kind->cures == race_cures && a->cure == b->cure &&
           a->where == b->where && a->fault.at.line && a->fault.at.line != a->fault.other.line &&
           same_place(&a->fault.at, &b->fault.other) && same_place(&a->fault.other, &b->fault.at);
}

static void merge_mirrored(struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = i + 1; j < f->count && !f->items[i].merged; j++)
            if (!f->items[j].merged && mirrored(&f->items[i], &f->items[j])) {
                f->items[i].fault.count += f->items[j].fault.count;
                f->items[j].merged = true;
            }
}

void race_join_cures(struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->items[i].joined = f->items[i].cure;
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < f->count; j++) {
            struct finding *own = &f->items[i], *other = &f->items[j];
            if (i != j && own->joined == own->cure && own->kind->cures == race_cures &&
                other->kind == own->kind && share_a_line(&own->fault, &other->fault)) {
                own->joined = joined(own, other);
                if (own->joined == RACE_CURE_ATOMIC && own->cure != RACE_CURE_ATOMIC)
                    own->where = other->where;
            }
        }
    for (size_t i = 0; i < f->count; i++)
        f->items[i].cure = f->items[i].joined;
    merge_mirrored(f);
}
