/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes come, and are open until they go on. Of a barrier of the block both are told; lanes of a
 * warp that wait for others are told of when they begin to, and again with all that waited.
 */
#include "obs/meeting.h"

#include <string.h>

static void add(struct meetings *m, const struct sim_event *e, uint32_t group, bool open)
{
    const char *file = e->code->file;
    if (!m->items)
        m->items = arena_get(m->memory, MEETINGS_MOST * sizeof *m->items);
    if (!m->items || m->count == MEETINGS_MOST)
        return;
    m->items[m->count++] = (struct meeting){
        .file = file ? arena_text(m->memory, file, strlen(file)) : NULL,
        .line = e->code->line,
        .warp = e->warp,
        .mask = e->mask,
        .group = group,
        .of_lanes = e->kind != SIM_EV_ARRIVE,
        .open = open};
}

static bool waits_for(const struct meeting *m, const struct sim_event *e, bool of_lanes)
{
    return m->open && m->warp == e->warp && m->of_lanes == of_lanes && !(m->mask & ~e->mask);
}

static void let_go(struct meetings *m, const struct sim_event *e)
{
    for (size_t i = 0; i < m->count; i++)
        if (waits_for(&m->items[i], e, false) && m->items[i].group == e->barrier)
            m->items[i].open = false;
}

/* Those that waited here are in e's mask; who waited at another line for the same lanes stays. */
static void join(struct meetings *m, const struct sim_event *e)
{
    uint32_t others = 0;
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct meeting *one = &m->items[i];
        bool waited = waits_for(one, e, true), here = one->line == e->code->line;
        if (waited && here)
            continue;
        if (waited) {
            one->open = false;
            others |= one->mask;
        }
        m->items[kept++] = *one;
    }
    m->count = kept;
    struct sim_event came = *e;
    came.mask &= ~others;
    if (came.mask)
        add(m, &came, e->mask, false);
}

static void see(void *self, const struct sim_event *e)
{
    struct meetings *m = self;
    if (e->block_index != 0 || e->code->kind != SIM_CLASS_BARRIER)
        return;
    switch (e->kind) {
    case SIM_EV_ARRIVE: add(m, e, e->barrier, true); break;
    case SIM_EV_BARRIER: let_go(m, e); break;
    case SIM_EV_WAIT: add(m, e, e->barrier, true); break;
    case SIM_EV_SYNC: join(m, e); break;
    default: break;
    }
}

struct sim_observer meetings_observer(struct meetings *m, struct arena *memory)
{
    *m = (struct meetings){.memory = memory};
    return (struct sim_observer){
        .wants = SIM_EV_ARRIVE | SIM_EV_BARRIER | SIM_EV_WAIT | SIM_EV_SYNC, .see = see, .self = m};
}
