/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ring of a warp's groups of copies, from the oldest to the newest.
 */
#include "check/race/copies.h"

#include "base/lanes.h"

static uint64_t oldest_kept(const struct copies *c)
{
    return c->count > COPY_GROUPS ? c->count - COPY_GROUPS : 0;
}

void copies_start(struct copies *c, uint64_t now)
{
    c->open = c->open ? c->open : now;
}

void copies_commit(struct copies *c, uint32_t lanes, uint64_t now)
{
    struct copy_group *g = &c->group[c->count++ % COPY_GROUPS];
    c->forgotten = g->upto;
    *g = (struct copy_group){.first = c->open ? c->open : now, .upto = now, .lanes = lanes};
    c->open = 0;
}

void copies_wait(struct copies *c, uint32_t lanes, unsigned but, uint64_t now)
{
    unsigned seen[32] = {0};
    for (uint64_t i = c->count; i > oldest_kept(c); i--) {
        struct copy_group *g = &c->group[(i - 1) % COPY_GROUPS];
        EACH_LANE(lane, g->lanes & lanes)
            if (seen[lane]++ >= but)
                g->waited |= 1u << lane;
        g->over = g->over || !g->waited ? g->over : now;
    }
}

uint64_t copies_over(const struct copies *c, unsigned lane, uint64_t time)
{
    if (time <= c->forgotten)
        return time;
    for (uint64_t i = oldest_kept(c); i < c->count; i++) {
        const struct copy_group *g = &c->group[i % COPY_GROUPS];
        if (g->lanes >> lane & 1 && time <= g->upto)
            return g->waited >> lane & 1 ? g->over : 0;
    }
    return 0;
}

uint64_t copies_oldest(const struct copies *c)
{
    for (uint64_t i = oldest_kept(c); i < c->count; i++)
        if (c->group[i % COPY_GROUPS].waited != c->group[i % COPY_GROUPS].lanes)
            return c->group[i % COPY_GROUPS].first;
    return c->open ? c->open : UINT64_MAX;
}
