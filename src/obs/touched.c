/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every access to global memory adds its bytes to a set. If memory runs out, the sets lack bytes,
 * so that less is found.
 */
#include "obs/touched.h"

#include "base/lanes.h"

enum { LANES = 32 };

static void see(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct touched *t = self;
    if (a->space != SIM_GLOBAL)
        return;
    const bool plain = a->kind <= SIM_STORE && at->code->order == SIM_WEAK;
    struct byte_set *set = !plain ? &t->atomic : a->kind == SIM_LOAD ? &t->read : &t->written;
    if (a->even && a->step == a->bytes) {
        byte_set_add(set, a->first, (uint64_t)LANES * a->bytes);
        return;
    }
    EACH_LANE(lane, at->mask)
        byte_set_add(set, a->address[lane], a->bytes);
}

struct sim_observer touched_observer(struct touched *t)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .load = see, .store = see, .atomic = see};
    return (struct sim_observer){&hooks, t};
}

void touched_free(struct touched *t)
{
    byte_set_clear(&t->read);
    byte_set_clear(&t->written);
    byte_set_clear(&t->atomic);
}
