/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the grids of a launch and answers whether an access of an earlier grid is ordered before the
 * one that runs now. What a thread knew when it launched a child is kept in short. Where it knew
 * more than that, a race may be missed, but an order never is.
 */
#include "check/race/grids.h"

#include "base/lanes.h"
#include "base/mem.h"

#include <string.h>

static const struct allocator *const from = &allocator_libc;

bool grids_begin(struct grids *g, const struct sim_begin *l, const struct sim_grid *child)
{
    enum { WARP = 32 };
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1];
    struct race_grid *now;
    uint64_t first = 0;
    if (g->count) {
        now = &g->items[g->count - 1];
        first = now->first_warp +
                (uint64_t)now->warps * now->grid[0] * now->grid[1] * now->grid[2];
    }
    if (mem_grow(from, (void **)&g->items, &g->capacity, g->count, sizeof *g->items) < 0)
        return false;
    now = &g->items[g->count];
    *now = (struct race_grid){.first_warp = (uint32_t)first,
                              .warps = (unsigned)((threads + WARP - 1) / WARP)};
    memcpy(now->grid, l->grid, sizeof now->grid);
    memcpy(now->block_size, l->block, sizeof now->block_size);
    if (first > UINT32_MAX || blocks > UINT32_MAX ||
        blocks * l->grid[2] > (UINT32_MAX - first) / now->warps)
        return false;
    if (child) {
        if (child->number > g->note_count)
            return false;
        now->number = child->number;
        now->stream = child->stream;
        now->tail = child->tail;
        now->events = child->events;
        now->parent = child->parent ? g->notes[child->parent - 1].grid : 0;
        now->depth = g->items[now->parent].depth + 1;
        g->notes[child->number - 1].grid = g->count;
    }
    g->count++;
    return true;
}

void grids_end(struct grids *g)
{
    mem_free(from, g->items, g->capacity * sizeof *g->items);
    mem_free(from, g->notes, g->note_capacity * sizeof *g->notes);
    *g = (struct grids){.items = NULL};
}

/* The clock goes on: what the thread does after this is later. */
bool grids_launch(struct grids *g, struct order *o, const struct block_order *b,
                  const struct sim_at *at, uint64_t number)
{
    const struct warp_order *w = &b->warps[at->warp];
    if (number != g->note_count + 1 ||
        mem_grow(from, (void **)&g->notes, &g->note_capacity, g->note_count, sizeof *g->notes) < 0)
        return false;
    g->notes[g->note_count++] = (struct launch_note){
        .block_warp = b->first_warp, .warp = at->warp, .lane = lane_first(at->mask),
        .at = o->now++, .full = w->full, .block = b->known, .all = b->all,
        .more = w->lanes || w->refs.count || w->histories.count || b->pairs || b->cluster ||
                b->refs.count || b->histories.count};
    return true;
}

static size_t index_of(const struct grids *g, uint32_t warp)
{
    size_t low = 0, high = g->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (g->items[middle].first_warp <= warp)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const struct race_grid *grids_of(const struct grids *g, uint32_t warp)
{
    return &g->items[index_of(g, warp)];
}

/* Did the thread that launched the child know of this, which a thread of the parent did? */
static bool known_at_launch(const struct grids *g, const struct race_grid *child,
                            const struct lane_time *d)
{
    const struct launch_note *n = &g->notes[child->number - 1];
    const uint32_t there = d->warp - n->block_warp;
    if (n->more || d->time <= n->all)
        return true;
    if (there >= g->items[child->parent].warps)
        return false;
    return d->time <= n->block || (there == n->warp && (d->time <= n->full ||
                                                        (d->lane == n->lane && d->time <= n->at)));
}

/* Two children of one grid; the earlier one has run before the other. */
static bool siblings_ordered(const struct race_grid *earlier, const struct race_grid *later)
{
    return later->tail || later->events || earlier->stream == later->stream;
}

/* Goes up from both grids to where they meet. */
bool grids_known(const struct grids *g, const struct lane_time *d)
{
    size_t a = index_of(g, d->warp), b = g->count - 1, below_a = a, below_b = b;
    while (a != b)
        if (g->items[a].depth > g->items[b].depth) {
            below_a = a;
            a = g->items[a].parent;
        } else if (g->items[a].depth < g->items[b].depth) {
            below_b = b;
            b = g->items[b].parent;
        } else {
            below_a = a;
            below_b = b;
            a = g->items[a].parent;
            b = g->items[b].parent;
        }
    const struct race_grid *later = &g->items[below_b];
    if (a == below_a) /* the earlier grid is an ancestor */
        return later->tail || known_at_launch(g, later, d);
    return siblings_ordered(&g->items[below_a], later);
}

const char *grids_relation(const struct grids *g, uint32_t warp)
{
    const size_t there = index_of(g, warp);
    if (there == g->count - 1)
        return "";
    return g->items[g->count - 1].parent == there ? " of the parent grid" : " of another grid";
}
