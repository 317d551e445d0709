/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes come, and are open until they go on. At a barrier of the block both are seen. Lanes that
 * wait for others of their warp are seen when they begin to, and again with all that waited.
 */
#include "obs/meeting.h"

#include <string.h>

static void add(struct meetings *m, const struct sim_at *at, uint32_t mask, uint32_t group,
                bool of_lanes, bool open)
{
    const char *file = at->code->file;
    if (!m->items)
        m->items = arena_alloc(m->memory, MEETINGS_MOST * sizeof *m->items);
    if (!m->items || m->count == MEETINGS_MOST)
        return;
    m->items[m->count++] = (struct meeting){
        .file = file ? arena_text(m->memory, file, strlen(file)) : NULL, .line = at->code->line,
        .warp = at->warp, .mask = mask, .group = group, .of_lanes = of_lanes, .open = open};
}

/* Shuffles and votes wait for lanes too, but are no barriers. */
static bool is_recorded(const struct sim_at *at)
{
    return at->block_index == 0 && at->code->kind == SIM_CLASS_BARRIER;
}

static bool waits_for(const struct meeting *m, const struct sim_at *at, bool of_lanes)
{
    return m->open && m->warp == at->warp && m->of_lanes == of_lanes && !(m->mask & ~at->mask);
}

static void see_arrive(void *self, const struct sim_at *at, const struct sim_barrier *b)
{
    if (is_recorded(at))
        add(self, at, at->mask, b->number, false, true);
}

static void see_barrier(void *self, const struct sim_at *at, const struct sim_barrier *b)
{
    struct meetings *m = self;
    for (size_t i = 0; is_recorded(at) && i < m->count; i++)
        if (waits_for(&m->items[i], at, false) && m->items[i].group == b->number)
            m->items[i].open = false;
}

static void see_wait(void *self, const struct sim_at *at, uint32_t named)
{
    if (is_recorded(at))
        add(self, at, at->mask, named, true, true);
}

/* Lanes that waited here go on. Who waited at another line for the same lanes stays. */
static void see_sync(void *self, const struct sim_at *at)
{
    struct meetings *m = self;
    uint32_t others = 0;
    size_t kept = 0;
    if (!is_recorded(at))
        return;
    for (size_t i = 0; i < m->count; i++) {
        struct meeting *one = &m->items[i];
        bool waited = waits_for(one, at, true), here = one->line == at->code->line;
        if (waited && here)
            continue;
        if (waited) {
            one->open = false;
            others |= one->mask;
        }
        m->items[kept++] = *one;
    }
    m->count = kept;
    if (at->mask & ~others)
        add(m, at, at->mask & ~others, at->mask, true, false);
}

struct sim_observer meetings_observer(struct meetings *m, struct arena *memory)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .arrive = see_arrive, .barrier = see_barrier,
                                           .wait = see_wait, .sync = see_sync};
    *m = (struct meetings){.memory = memory};
    return (struct sim_observer){&hooks, m};
}
