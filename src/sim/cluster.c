/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clusters: blocks that run side by side, wait for each other and reach each other's shared memory.
 *
 * Every block is in one: where a kernel names no size it is a cluster of its own. Which blocks are
 * in which is arithmetic on their places in the grid; launch.c starts them together. The barrier
 * comes in two halves. Who arrives goes on, and is kept in warp.came until all threads of the
 * cluster that have not ended have arrived too; then in warp.passed, until it waits.
 *
 * A byte of another block's shared memory has an address above the block's own window, one window
 * a block: what mapa adds to the address is the block's rank and one, from bit 28 on.
 */
#include "sim/exec/op.h"
#include "sim/reach.h"

/* ---- which blocks -------------------------------------------------------------------- */

void cluster_shape(struct sim_run *r)
{
    const unsigned *size = r->launch.cluster[0] ? r->launch.cluster : r->launch.kernel->cluster;
    r->cluster_blocks = 1;
    for (int i = 0; i < 3; i++) {
        r->cluster[i] = size[i] ? size[i] : 1;
        r->cluster_blocks *= r->cluster[i];
    }
}

uint64_t cluster_block(const struct sim_run *r, uint64_t cluster, unsigned rank)
{
    const unsigned *size = r->cluster, *grid = r->launch.grid;
    uint64_t across = grid[0] / size[0], down = grid[1] / size[1];
    uint64_t x = cluster % across * size[0] + rank % size[0];
    uint64_t y = cluster / across % down * size[1] + rank / size[0] % size[1];
    uint64_t z = cluster / across / down * size[2] + rank / size[0] / size[1];
    return (z * grid[1] + y) * grid[0] + x;
}

struct cluster *cluster_new(struct sim_run *r)
{
    struct cluster *c = r->spare_clusters;
    if (c)
        r->spare_clusters = c->next;
    else
        c = arena_alloc(&r->of_grid, sizeof *c);
    if (c)
        *c = (struct cluster){.left = r->cluster_blocks, .alive = r->cluster_blocks * r->threads};
    return c;
}

void cluster_retire(struct sim_run *r, struct block *b)
{
    struct cluster *c = b->cluster;
    c->member[b->rank] = NULL;
    if (--c->left)
        return;
    c->next = r->spare_clusters;
    r->spare_clusters = c;
}

/* The block of that rank, if it has not ended. */
struct block *cluster_member(const struct warp *w, unsigned rank)
{
    struct block *b = rank < w->launch->cluster_blocks ? w->block->cluster->member[rank] : NULL;
    return b && b->alive ? b : NULL;
}

uint64_t cluster_owner(const struct warp *w, unsigned rank)
{
    const struct block *b = cluster_member(w, rank);
    return b ? b->index : UINT64_MAX;
}

/* ---- the barrier --------------------------------------------------------------------- */

static void let_go(struct warp *w)
{
    uint32_t waited = 0;
    for (unsigned k = 0; k < w->split_count; k++) {
        struct split *s = &w->splits[k];
        if (s->state != AT_CLUSTER)
            continue;
        s->state = READY;
        waited |= s->mask;
    }
    w->passed |= w->came & ~waited;
    w->came = 0;
    if (waited && w->split_count > 1)
        lanes_merge(w);
}

/* Have all threads of the cluster arrived that are left? Then those that wait go on. */
static void look_for_end(struct warp *w)
{
    struct cluster *c = w->block->cluster;
    if (!c->arrived || c->arrived < c->alive)
        return;
    c->arrived = 0;
    TELL(w->launch, cluster_barrier, at_now(w, ALL_LANES));
    for (unsigned rank = 0; rank < w->launch->cluster_blocks; rank++) {
        if (c->member[rank]) {
            c->member[rank]->stuck = false;
            c->member[rank]->idle = 0;
        }
        for (unsigned i = 0; c->member[rank] && i < c->member[rank]->warp_count; i++)
            let_go(&c->member[rank]->warps[i]);
    }
}

OP op_arrive ARGS
{
    uint32_t again = (w->came | w->passed) & m;
    (void)in;
    if (again)
        return fault_stop(w, SIM_TRAP, lane_first(again), "barrier.cluster.arrive once more, with "
                          "no barrier.cluster.wait since the last");
    TELL(w->launch, cluster_arrive, at_now(w, m));
    w->came |= m;
    w->block->cluster->arrived += lanes_in(m);
    warp_save(w);
    look_for_end(w);
    w->mask = w->now->mask;
    return MOVED;
}

OP op_wait ARGS
{
    uint32_t early = m & ~(w->came | w->passed), stay = m & w->came;
    (void)in;
    if (early)
        return fault_stop(w, SIM_TRAP, lane_first(early),
                          "barrier.cluster.wait with no barrier.cluster.arrive before it");
    w->passed &= ~m;
    if (!stay)
        return GO;
    warp_save(w);
    if (stay != w->now->mask)
        lanes_leave(w, stay, w->pc);
    w->now->state = AT_CLUSTER;
    return PARKED;
}

void cluster_exit(struct warp *w, uint32_t mask)
{
    struct cluster *c = w->block->cluster;
    c->alive -= lanes_in(mask);
    c->arrived -= lanes_in(w->came & mask);
    w->came &= ~mask;
    w->passed &= ~mask;
    look_for_end(w);
}

bool cluster_stuck(const struct block *b)
{
    for (unsigned rank = 0; rank < b->warps->launch->cluster_blocks; rank++) {
        const struct block *one = b->cluster->member[rank];
        if (one && one->alive && !one->stuck)
            return false;
    }
    return true;
}

/* ---- each other's shared memory ------------------------------------------------------ */

/* The number of the window above SHARED_WINDOW: 0 is the block's own, and so is its rank's. */
static unsigned rank_at(const struct warp *w, uint64_t address)
{
    uint64_t window = (address - SHARED_WINDOW) / SHARED_SPAN;
    return window ? (unsigned)window - 1 : w->block->rank;
}

uint32_t cluster_lanes(const struct warp *w, uint32_t mask, uint64_t address[LANES],
                       struct reach *r)
{
    uint32_t same = 0;
    r->rank = rank_at(w, address[lane_first(mask)]);
    r->space = r->rank == w->block->rank ? SIM_SHARED : SIM_CLUSTER;
    EACH_LANE(i, mask)
        if (address[i] - SHARED_WINDOW < CLUSTER_SPAN && rank_at(w, address[i]) == r->rank) {
            same |= 1u << i;
            address[i] = (address[i] - SHARED_WINDOW) % SHARED_SPAN;
        }
    return same;
}

/* mapa d, a, b: where a, which the block sees in its own shared memory, lies in block b's. */
OP op_mapa ARGS
{
    const uint64_t *a = row_of(w, in->a);
    const uint32_t *rank = row_of(w, in->b);
    uint64_t *d = row_of(w, in->d);
    enum { LAST = CLUSTER_SPAN / SHARED_SPAN - 2 }; /* no block has it: its use will be a fault */
    EACH_LANE(i, m)
        d[i] = a[i] / CLUSTER_SPAN * CLUSTER_SPAN + a[i] % SHARED_SPAN +
               ((rank[i] < LAST ? rank[i] : LAST) + 1) * SHARED_SPAN;
    return GO;
}

/* getctarank d, a: whose shared memory it is; 0xffffffff where it is nobody's. */
OP op_rank ARGS
{
    const uint64_t *a = row_of(w, in->a);
    uint32_t *d = row_of(w, in->d);
    EACH_LANE(i, m)
        d[i] = a[i] - SHARED_WINDOW < CLUSTER_SPAN ? rank_at(w, a[i]) : UINT32_MAX;
    return GO;
}

static const struct op rows[] = {
    OP_ROW("*cluster.arrive", op_arrive, SIM_CLASS_ARRIVE, 90)
    OP_ROW("*cluster.wait", op_wait, SIM_CLASS_BARRIER, 90)
    OP_ROW("*mapa", op_mapa, SIM_CLASS_ALU, 90)
    OP_ROW("*getctarank", op_rank, SIM_CLASS_ALU, 90)
};

OP_TABLE(cluster_ops)
