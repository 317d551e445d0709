/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every access to global memory adds its bytes to a set. If memory runs out, the sets lack bytes,
 * so that less is found. A launch on several cores has sets for each of its parts, which become
 * one at the end: no order of the parts can be told from them.
 */
#include "obs/touched.h"

#include "base/lanes.h"

enum { LANES = 32, HALF = LANES / 2 };

static void begin(void *self, const struct sim_begin *b)
{
    (void)b;
    touched_free(self);
}

static struct byte_set *set_of(struct touched *t, const struct sim_instruction *code,
                               enum sim_access_kind kind)
{
    if (kind <= SIM_STORE && code->order == SIM_WEAK)
        return kind == SIM_LOAD ? &t->read : &t->written;
    const bool for_all = code->order == SIM_VOLATILE || code->scope == SIM_ALL_SCOPE;
    return kind == SIM_LOAD && for_all ? &t->watched : &t->atomic;
}

static void see(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct touched *t = self;
    if (a->space != SIM_GLOBAL)
        return;
    struct byte_set *set = set_of(t, at->code, a->kind);
    if (a->even && a->step == a->bytes) {
        t->lost |= byte_set_add(set, a->first, (uint64_t)LANES * a->bytes) != 0;
        return;
    }
    if (a->halves && a->step <= a->bytes) {
        const uint64_t bytes = (HALF - 1) * a->step + a->bytes;
        t->lost |= byte_set_add(set, a->address[0], bytes) != 0 ||
                   byte_set_add(set, a->address[HALF], bytes) != 0;
        return;
    }
    EACH_LANE(lane, at->mask)
        t->lost |= byte_set_add(set, a->address[lane], a->bytes) != 0;
}

static void see_allocate(void *self, const struct sim_at *at, uint64_t address, uint64_t bytes)
{
    struct touched *t = self;
    (void)at, (void)address, (void)bytes;
    t->heap = true;
}

static void see_release(void *self, const struct sim_at *at, uint64_t address)
{
    see_allocate(self, at, address, 0);
}

static void *split(void *self)
{
    (void)self;
    return mem_alloc(&allocator_libc, sizeof(struct touched));
}

static void join(void *self, void *part, bool counts)
{
    struct touched *t = self, *p = part;
    if (counts) {
        t->heap |= p->heap;
        t->lost |= p->lost;
        t->lost |= byte_set_move(&t->read, &p->read) != 0;
        t->lost |= byte_set_move(&t->written, &p->written) != 0;
        t->lost |= byte_set_move(&t->atomic, &p->atomic) != 0;
        t->lost |= byte_set_move(&t->watched, &p->watched) != 0;
    }
    touched_free(p);
    mem_free(&allocator_libc, p, sizeof *p);
}

struct sim_observer touched_observer(struct touched *t)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .begin = begin, .load = see, .store = see,
                                           .atomic = see, .allocate = see_allocate,
                                           .release = see_release,
                                           .split = split, .join = join};
    return (struct sim_observer){&hooks, t};
}

void touched_free(struct touched *t)
{
    byte_set_clear(&t->read);
    byte_set_clear(&t->written);
    byte_set_clear(&t->atomic);
    byte_set_clear(&t->watched);
    t->heap = t->lost = false;
}

bool touched_same(const struct touched *a, const struct touched *b)
{
    return a->heap == b->heap && byte_set_same(&a->read, &b->read) &&
           byte_set_same(&a->written, &b->written) && byte_set_same(&a->atomic, &b->atomic) &&
           byte_set_same(&a->watched, &b->watched);
}

int touched_copy(struct touched *empty, const struct touched *t)
{
    empty->heap = t->heap;
    return byte_set_copy(&empty->read, &t->read) == 0 &&
           byte_set_copy(&empty->written, &t->written) == 0 &&
           byte_set_copy(&empty->atomic, &t->atomic) == 0 &&
           byte_set_copy(&empty->watched, &t->watched) == 0 ? 0 : -1;
}
