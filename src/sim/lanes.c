/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes of one warp parting and meeting. See warp.h for splits and joins.
 *
 * The splits of a warp never share a lane. The newest is last in the array; lock step runs
 * the last ready one, so that one side of a branch runs to the meeting point before the other
 * starts. A join belongs to the splits that hold it (split.join) and to its parent's account:
 * `expected` are the lanes that must arrive, less those that end on the way.
 */
#include "sim/run.h"

#include <string.h>

void warp_load(struct warp *w)
{
    struct split *s = w->now;
    w->pc = s->pc;
    w->mask = s->mask;
    w->base[0] = s->frame->rows;
    w->base[1] = s->frame->of->constants;
}

void warp_save(struct warp *w)
{
    w->now->pc = w->pc;
}

bool warp_pick(struct warp *w)
{
    unsigned ready[LANES], n = 0;
    for (unsigned i = w->split_count; i-- > 0;)
        if (w->splits[i].state == READY)
            ready[n++] = i;
    if (n == 0)
        return false;
    bool any = w->launch->launch.schedule == SIM_INDEPENDENT && n > 1 && !w->launch->still.probing;
    w->now = &w->splits[ready[any ? random_next(&w->block->random) % n : 0]];
    warp_load(w);
    return true;
}

static struct split *add_split(struct warp *w, const struct split *like)
{
    struct split *s = &w->splits[w->split_count++];
    *s = *like;
    return s;
}

/* Takes a split away. The others keep their order, and w->now is still the running split. */
static void drop_split(struct warp *w, struct split *s)
{
    size_t at = (size_t)(s - w->splits);
    if (w->now > s)
        w->now--;
    else if (w->now == s)
        w->now = NULL;
    w->split_count--;
    memmove(s, s + 1, (w->split_count - at) * sizeof *s);
}

static enum after next_split(struct warp *w)
{
    return warp_pick(w) ? MOVED : PARKED;
}

static struct join *drop_join(struct warp *w, struct join *j)
{
    w->joins_used &= ~(1u << (j - w->joins));
    return j->parent;
}

/* Counts those who would come to the join: the lanes that have arrived, splits, and joins within
 * it. *held is the place where the last of these keeps its pointer to the join. */
static unsigned parties(struct warp *w, const struct join *j, struct join ***held)
{
    unsigned n = j->arrived != 0;
    for (unsigned i = 0; i < w->split_count; i++)
        if (w->splits[i].join == j) {
            *held = &w->splits[i].join;
            n++;
        }
    EACH_BIT(k, w->joins_used) {
        struct join *inner = &w->joins[k];
        if (inner->parent == j) {
            *held = &inner->parent;
            n++;
        }
    }
    return n;
}

/* Drops the joins at which only one party is left, so that nobody waits there any more. Each join
 * that remains has two parties or more, so there are fewer joins than lanes. */
static void drop_lone_joins(struct warp *w)
{
    EACH_BIT(k, w->joins_used) {
        struct join *j = &w->joins[k], **held = NULL;
        if (parties(w, j, &held) == 1 && held)
            *held = drop_join(w, j);
    }
}

static struct join *add_join(struct warp *w, uint32_t pc, uint32_t expected)
{
    if (w->joins_used == ALL_LANES)
        drop_lone_joins(w);
    unsigned i = lane_first(~w->joins_used);
    w->joins_used |= 1u << i;
    w->joins[i] = (struct join){
        .pc = pc, .expected = expected, .parent = w->now->join, .frame = w->now->frame};
    return &w->joins[i];
}

void lanes_wait_at(struct warp *w, uint32_t pc)
{
    struct join *j = w->now->join;
    if (!(j && j->pc == pc && j->frame == w->now->frame))
        w->now->join = add_join(w, pc, w->now->mask);
}

struct split *lanes_leave(struct warp *w, uint32_t mask, uint32_t pc)
{
    struct split *others = add_split(w, w->now);
    others->mask &= ~mask;
    others->pc = pc;
    w->now->mask = w->mask = mask;
    return others;
}

/* A branch that lanes take both ways. Those already at the meeting point wait there. */
enum after lanes_part(struct warp *w, const struct insn *in, uint32_t taken)
{
    uint32_t rest = w->mask & ~taken, next = w->pc, meet = in->meet;
    w->launch->tally[in - code_of(w)].diverged++;
    if (in->target == next)
        return GO;
    if (meet != NO_PC)
        lanes_wait_at(w, meet);
    struct join *j = w->now->join;
    if (meet != NO_PC && next == meet) {
        j->arrived |= rest;
        w->now->mask = taken;
        w->now->pc = in->target;
    } else if (meet != NO_PC && in->target == meet) {
        j->arrived |= taken;
        w->now->mask = rest;
        w->now->pc = next;
    } else {
        w->now->mask = taken;
        w->now->pc = in->target;
        w->now = add_split(w, w->now);
        w->now->mask = rest;
        w->now->pc = next;
    }
    warp_load(w);
    return MOVED;
}

static bool goes_along(const struct split *a, const struct split *b)
{
    return b != a && b->state == READY && b->join == a->join && b->frame == a->frame;
}

/*
 * Some ways through a region join before all of them do, as in `if (a || b)`. Lanes that stand at
 * such a place go on together, once the lanes have come that are still in the code from `from` on.
 * No branch leads back there, so nobody waits for a loop.
 */
static enum after gather_ways(struct warp *w, uint32_t here, uint32_t from)
{
    struct split *behind = NULL;
    for (unsigned i = w->split_count; i-- > 0;) {
        struct split *s = &w->splits[i];
        if (goes_along(w->now, s) && s->pc == here) {
            w->now->mask |= s->mask;
            drop_split(w, s);
        }
    }
    for (unsigned i = 0; i < w->split_count; i++) {
        struct split *s = &w->splits[i];
        if (goes_along(w->now, s) && s->pc >= from && s->pc < here &&
            (!behind || s->pc < behind->pc))
            behind = s;
    }
    w->mask = w->now->mask;
    if (behind) {
        w->now->pc = here;
        w->now = behind;
        warp_load(w);
    }
    return MOVED;
}

/* At a MEET: does the running split's join end here? Then wait, or go on together. */
enum after lanes_meet(struct warp *w, const struct insn *in)
{
    uint32_t here = w->pc - 1;
    for (;;) {
        struct join *j = w->now->join;
        if (!j || j->pc != here || j->frame != w->now->frame) {
            w->mask = w->now->mask;
            return w->launch->launch.schedule == SIM_INDEPENDENT ? MOVED
                                                                 : gather_ways(w, here, in->target);
        }
        j->arrived |= w->now->mask;
        if (j->arrived != j->expected) {
            drop_split(w, w->now);
            return next_split(w);
        }
        w->now->mask = j->arrived;
        w->now->join = drop_join(w, j);
    }
}

/* Lanes that end are no longer expected at any join. Lanes that waited for them may go on. */
static void expect_no_more(struct warp *w, struct join *j, uint32_t mask)
{
    while (j) {
        struct join *up = j->parent;
        j->expected &= ~mask;
        if (j->expected == 0) {
            drop_join(w, j);
        } else if (j->expected == j->arrived) {
            struct split go = {.pc = j->pc, .mask = j->arrived, .join = up, .frame = j->frame};
            drop_join(w, j);
            add_split(w, &go);
        }
        j = up;
    }
}

/* Splits that stand at one place and wait for the same join become one split. */
void lanes_merge(struct warp *w)
{
    for (unsigned i = 0; i < w->split_count; i++)
        for (unsigned k = w->split_count; k-- > i + 1;) {
            struct split *a = &w->splits[i], *b = &w->splits[k];
            if (a->state == READY && b->state == READY && a->pc == b->pc && a->join == b->join &&
                a->frame == b->frame && b != w->now) {
                a->mask |= b->mask;
                drop_split(w, b);
            }
        }
}

/* Do lanes wait at one instruction, at copies that the compiler made of one line's, or at those of
 * different lines? */
enum apart { TOGETHER, BY_COPY, BY_LINE };

static enum apart how_far(const struct warp *w, uint32_t pc, uint32_t other)
{
    const struct sim_instruction *a = &w->launch->module->shown[pc];
    const struct sim_instruction *b = &w->launch->module->shown[other];
    const bool one_line = a->line && a->line == b->line && a->file == b->file;
    return pc == other ? TOGETHER : one_line ? BY_COPY : BY_LINE;
}

/* Hardware lets such a barrier pass, though not all threads came to it. It is told as a finding. */
static void diverged_at(struct warp *w, uint32_t pc, uint32_t mask, enum apart apart)
{
    static const char *const says[] = {
        [TOGETHER] = "a barrier for all threads of the block, but some have ended",
        [BY_COPY] = "threads of one warp wait at the barrier of one line, but in different "
                    "iterations or calls",
        [BY_LINE] = "threads of one warp wait at different barriers"};
    uint32_t was = w->pc;
    w->pc = pc + 1;
    run_fault(w, SIM_BARRIER_DIVERGENCE, lane_first(mask), "%s", says[apart]);
    w->pc = was;
}

/* A complete barrier gives the lanes that waited the sum of all predicates. */
static void give_sum(const struct warp *w, const struct split *s, const struct block_barrier *at)
{
    const struct insn *in = &code_of(w)[s->pc - 1];
    unsigned char *rows = s->frame->rows;
    uint32_t *p = (uint32_t *)(void *)rows + in->d, *d = (uint32_t *)(void *)(rows + in->d);
    bool yes = in->type == BARRIER_AND ? at->no == 0 : at->yes != 0;
    if (in->type == BARRIER_AND || in->type == BARRIER_OR)
        *p = (*p & ~s->mask) | (yes ? s->mask : 0);
    else if (in->type == BARRIER_POPC)
        EACH_LANE(i, s->mask)
            d[i] = at->yes;
}

/* The lanes of one warp that waited go on; they should all have waited at one instruction. */
static void release_warp(struct warp *w, unsigned number, const struct block_barrier *at)
{
    struct split *was = w->now;
    uint32_t mask = 0, pc = 0;
    enum apart apart = TOGETHER;
    for (unsigned k = 0; k < w->split_count; k++) {
        struct split *s = &w->splits[k];
        if (s->state != AT_BARRIER || s->wait != number)
            continue;
        s->state = READY;
        give_sum(w, s, at);
        if (mask && how_far(w, pc, s->pc - 1) > apart)
            apart = how_far(w, pc, s->pc - 1);
        mask |= s->mask;
        pc = s->pc - 1;
    }
    if (mask)
        TELL(w->launch, barrier, at_pc(w, mask, pc), &(struct sim_barrier){number, !at->threads});
    if (apart != TOGETHER || (mask && !at->threads && w->block->alive < w->launch->threads))
        diverged_at(w, pc, mask, apart);
    w->now = was;
    if (w->split_count > 1)
        lanes_merge(w);
}

static void release(struct block *b, unsigned number)
{
    struct block_barrier at = b->barriers[number];
    b->barriers[number] = (struct block_barrier){0};
    b->idle = 0;
    for (unsigned i = 0; i < b->warp_count; i++)
        release_warp(&b->warps[i], number, &at);
}

static bool complete(const struct block *b, unsigned number)
{
    const struct block_barrier *at = &b->barriers[number];
    return at->arrived && at->arrived >= (at->threads ? at->threads : b->alive);
}

enum after lanes_exit(struct warp *w, uint32_t mask)
{
    struct join *j = w->now->join;
    struct frame *frame = w->now->frame;
    w->alive &= ~mask;
    w->block->alive -= lanes_in(mask);
    w->now->mask &= ~mask;
    if (!w->now->mask)
        drop_split(w, w->now);
    expect_no_more(w, j, mask);
    frames_leave(w, frame, mask);
    for (unsigned i = 0; i < BARRIERS; i++)
        if (complete(w->block, i))
            release(w->block, i);
    cluster_exit(w, mask);
    if (!w->now)
        return next_split(w);
    w->mask = w->now->mask;
    return MOVED;
}

static bool barrier_possible(struct warp *w, unsigned number, uint32_t threads, uint32_t mask)
{
    if (number >= BARRIERS)
        run_fault(w, SIM_TRAP, lane_first(mask), "barrier %u: there are only 0 to 15", number);
    else if (threads % LANES)
        run_fault(w, SIM_TRAP, lane_first(mask),
                  "a barrier for %u threads: it must be a multiple of %d", threads, LANES);
    return number < BARRIERS && threads % LANES == 0;
}

/* A barrier with a count counts a warp as 32 threads. With the last lanes that come, it also counts
 * lanes that have ended before or never existed. */
static unsigned arriving(struct warp *w, uint32_t number, uint32_t mask)
{
    uint32_t *came = &w->came_to[number], others;
    *came |= mask;
    if (w->alive & ~*came)
        return lanes_in(mask);
    others = ~*came;
    *came = 0;
    return lanes_in(mask) + lanes_in(others);
}

/* Runs bar.sync, bar.red (a predicate in c, the sum goes to d) and bar.arrive, which doesn't
 * wait. */
enum after lanes_barrier(struct warp *w, const struct insn *in, uint32_t mask)
{
    uint32_t number = ((uint32_t *)row_of(w, in->a))[lane_first(mask)];
    uint32_t threads = in->b ? ((uint32_t *)row_of(w, in->b))[lane_first(mask)] : 0;
    uint32_t yes = *predicate_of(w, in->c) ^ (in->flags & INSN_FLIP_C ? ALL_LANES : 0);
    if (!barrier_possible(w, number, threads, mask))
        return FAULTED;
    struct block_barrier *at = &w->block->barriers[number];
    TELL(w->launch, arrive, at_now(w, mask), &(struct sim_barrier){number, !threads});
    warp_save(w);
    if (mask != w->now->mask && in->type != BARRIER_ARRIVE)
        lanes_leave(w, mask, w->pc); /* a guard: the others go on */
    at->threads = threads;
    at->yes += lanes_in(yes & mask);
    at->no += lanes_in(~yes & mask);
    at->arrived += threads ? arriving(w, number, mask) : lanes_in(mask);
    if (in->type != BARRIER_ARRIVE) {
        w->now->state = AT_BARRIER;
        w->now->wait = number;
    }
    if (complete(w->block, number))
        release(w->block, number);
    if (in->type != BARRIER_ARRIVE)
        return PARKED;
    w->mask = w->now->mask;
    return MOVED;
}

/*
 * Lanes that wait where their warp comes together again, for lanes that wait for something else,
 * go on alone: since Volta no lane is held up by where the others are. True if there were any.
 */
static bool lanes_go_on(struct warp *w)
{
    EACH_BIT(k, w->joins_used) {
        struct join *j = &w->joins[k];
        if (!j->arrived)
            continue;
        struct split go = {
            .pc = j->pc + 1, .mask = j->arrived, .join = j->parent, .frame = j->frame};
        j->expected &= ~j->arrived;
        j->arrived = 0;
        add_split(w, &go);
        return true;
    }
    return false;
}

/*
 * Lets one split go on. It may wait for lanes that have ended since. Or lanes of one mask wait at
 * different shuffles or votes: then the newest split goes on with the lanes that are there. A lane
 * that its own mask does not name goes on as well.
 */
static bool let_through(struct warp *w)
{
    const struct sim_instruction *code = w->launch->module->shown;
    for (unsigned i = w->split_count; i-- > 0;) {
        struct split *s = &w->splits[i];
        uint32_t have = 0;
        bool elsewhere = false;
        for (unsigned k = 0; s->state == AT_SYNC && k < w->split_count; k++) {
            const struct split *other = &w->splits[k];
            if (other->state != AT_SYNC || other->wait != s->wait ||
                code[other->pc].kind != code[s->pc].kind)
                continue;
            have |= other->mask;
            elsewhere |= other->pc != s->pc;
        }
        if (s->state == AT_SYNC &&
            (elsewhere || (s->mask & ~s->wait) || !(s->wait & w->alive & ~have))) {
            s->state = READY;
            s->forced = true;
            return true;
        }
    }
    return false;
}

bool warp_force(struct warp *w)
{
    return lanes_go_on(w) || let_through(w);
}

bool warp_others_wait(const struct warp *w)
{
    EACH_BIT(k, w->joins_used)
        if (w->joins[k].arrived)
            return true;
    for (unsigned i = 0; i < w->split_count; i++)
        if (&w->splits[i] != w->now && w->splits[i].state == READY)
            return true;
    return false;
}

void warp_let_others(struct warp *w)
{
    struct split last = *w->now;
    size_t at = (size_t)(w->now - w->splits);
    memmove(w->splits + 1, w->splits, at * sizeof last);
    w->splits[0] = last;
    w->now = w->splits;
    lanes_go_on(w);
}

void lanes_absent(struct warp *w, uint32_t mask)
{
    run_fault(w, SIM_INVALID_SHUFFLE, lane_first(mask),
              "a shuffle reads from a lane that takes no part in it: the value is undefined");
}

/* Since Volta nothing but a synchronisation holds lanes together. */
void warp_drift(struct warp *w)
{
    uint64_t dice = random_next(&w->block->random);
    uint32_t part = (uint32_t)(dice >> 32) & w->now->mask;
    if ((dice & 3) || !part || part == w->now->mask)
        return;
    struct split *s = add_split(w, w->now);
    s->mask = part;
    w->now->mask &= ~part;
}
