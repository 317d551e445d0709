/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where lanes that part at a branch meet again: at its immediate post-dominator, the first
 * instruction that every way on from the branch comes to.
 *
 * Post-dominators are dominators of the graph turned round, found by the method of Lengauer and
 * Tarjan: n log n steps, whatever the graph. A branch inside a loop that never ends has none; its
 * lanes then stay apart.
 *
 * Where two ways or more join on the way there, lanes may go on together as well, as on hardware.
 */
#include "sim/handle.h"

struct graph {
    uint32_t count;               /* blocks; the block number `count` is the exit */
    uint32_t *start;              /* first raw instruction of each, count + 1 of them */
    uint32_t *block_of;           /* of each raw instruction */
    uint32_t (*next)[2];          /* successors, NO_PC where there is none */
    uint32_t *before, *before_at; /* predecessors, packed */
    uint32_t *met, *rank; /* blocks as a walk from the exit first meets them; rank: each one's place
                             there, or NO_PC: it can't reach the exit */
    uint32_t met_count;
    uint32_t *parent;     /* from which that walk came, by rank */
    uint32_t *idom;
};

static void find_blocks(struct graph *g, const struct raw *raw, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (raw[i].target != NO_PC)
            g->block_of[raw[i].target] = 1;
        if ((raw[i].target != NO_PC || raw[i].ends || raw[i].kind == SIM_CLASS_EXIT) && i + 1 < n)
            g->block_of[i + 1] = 1;
    }
    g->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || g->block_of[i])
            g->start[g->count++] = i;
        g->block_of[i] = g->count - 1;
    }
    g->start[g->count] = n;
}

/* `next_free` is the caller's memory. */
static void find_edges(struct graph *g, const struct raw *raw, uint32_t *next_free)
{
    for (uint32_t b = 0; b < g->count; b++) {
        const struct raw *last = &raw[g->start[b + 1] - 1];
        bool leaves = last->kind == SIM_CLASS_EXIT && last->target == NO_PC;
        g->next[b][0] = last->target != NO_PC  ? g->block_of[last->target]
                        : leaves || last->ends ? g->count
                                               : NO_PC;
        g->next[b][1] = last->ends ? NO_PC : b + 1 < g->count ? b + 1 : g->count;
    }
    for (uint32_t b = 0; b < g->count; b++)
        for (int k = 0; k < 2; k++)
            if (g->next[b][k] != NO_PC)
                g->before_at[g->next[b][k] + 1]++;
    for (uint32_t b = 0; b <= g->count; b++) {
        next_free[b] = g->before_at[b];
        g->before_at[b + 1] += g->before_at[b];
    }
    for (uint32_t b = 0; b < g->count; b++)
        for (int k = 0; k < 2; k++)
            if (g->next[b][k] != NO_PC)
                g->before[next_free[g->next[b][k]]++] = b;
}

static void meet(struct graph *g, uint32_t block, uint32_t parent)
{
    g->rank[block] = g->met_count;
    g->parent[g->met_count] = parent;
    g->met[g->met_count++] = block;
}

/* Depth first from the exit against the arrows; stack and position are the caller's memory. */
static void find_order(struct graph *g, uint32_t *stack, uint32_t *position)
{
    uint32_t depth = 0;
    for (uint32_t b = 0; b <= g->count; b++)
        g->rank[b] = NO_PC, position[b] = g->before_at[b];
    meet(g, g->count, 0);
    stack[depth++] = g->count;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (position[b] == g->before_at[b + 1]) {
            depth--;
            continue;
        }
        uint32_t p = g->before[position[b]++];
        if (g->rank[p] == NO_PC) {
            meet(g, p, g->rank[b]);
            stack[depth++] = p;
        }
    }
}

/* Lengauer and Tarjan's forest; all by rank. */
struct forest {
    uint32_t *semi, *best, *above; /* above NO_PC: a root */
    uint32_t *first, *other;       /* those whose semidominator a block is, as a list */
    uint32_t *idom, *path;
};

/* The block with the least semidominator, among a block and those above it in its tree. The root
 * does not count. */
static uint32_t least_above(struct forest *f, uint32_t v)
{
    uint32_t depth = 0, root = v;
    if (f->above[v] == NO_PC)
        return v;
    while (f->above[f->above[root]] != NO_PC) {
        f->path[depth++] = root;
        root = f->above[root];
    }
    while (depth) {
        uint32_t u = f->path[--depth], over = f->above[u];
        if (f->semi[f->best[over]] < f->semi[f->best[u]])
            f->best[u] = f->best[over];
        f->above[u] = f->above[over];
    }
    return f->best[v];
}

static void find_semidominator(const struct graph *g, struct forest *f, uint32_t w)
{
    for (int k = 0; k < 2; k++) {
        uint32_t n = g->next[g->met[w]][k];
        if (n == NO_PC || g->rank[n] == NO_PC)
            continue;
        uint32_t u = least_above(f, g->rank[n]);
        if (f->semi[u] < f->semi[w])
            f->semi[w] = f->semi[u];
    }
    f->other[w] = f->first[f->semi[w]];
    f->first[f->semi[w]] = w;
}

static void find_dominators(struct graph *g, struct forest *f)
{
    for (uint32_t i = 0; i < g->met_count; i++) {
        f->semi[i] = f->best[i] = i;
        f->above[i] = f->first[i] = NO_PC;
    }
    for (uint32_t w = g->met_count; w-- > 1;) {
        uint32_t p = g->parent[w];
        find_semidominator(g, f, w);
        f->above[w] = p;
        for (uint32_t v = f->first[p]; v != NO_PC; v = f->other[v]) {
            uint32_t u = least_above(f, v);
            f->idom[v] = f->semi[u] < f->semi[v] ? u : p;
        }
        f->first[p] = NO_PC;
    }
    for (uint32_t w = 1; w < g->met_count; w++)
        if (f->idom[w] != f->semi[w])
            f->idom[w] = f->idom[f->idom[w]];
    for (uint32_t b = 0; b <= g->count; b++)
        g->idom[b] = g->rank[b] == NO_PC ? NO_PC : g->met[f->idom[g->rank[b]]];
}

/* Allocates each of the arrays, with n numbers; -1: memory ran out. */
static int get_all(struct arena *a, size_t n, uint32_t **const *arrays)
{
    for (; *arrays; arrays++)
        if (!(**arrays = arena_alloc(a, n * sizeof ***arrays)))
            return -1;
    return 0;
}

static int make_graph(struct arena *a, struct graph *g, const struct raw *raw, uint32_t n)
{
    size_t most = (size_t)n + 3;
    struct forest f;
    uint32_t *stack, *position;
    uint32_t **const arrays[] = {
        &stack, &position, &g->start, &g->block_of, &g->before_at, &g->met, &g->rank, &g->parent,
        &g->idom, &f.semi, &f.best, &f.above, &f.first, &f.other, &f.idom, &f.path, NULL};
    g->next = arena_alloc(a, most * sizeof *g->next);
    g->before = arena_alloc(a, 2 * most * sizeof *g->before);
    if (!g->next || !g->before || get_all(a, most, arrays) < 0)
        return -1;
    find_blocks(g, raw, n);
    find_edges(g, raw, position);
    find_order(g, stack, position);
    find_dominators(g, &f);
    return 0;
}

/* Finds the places to which two ways lead from code before them, and the place from which on no
 * branch leads back there. */
static void find_gatherings(const struct graph *g, struct raw *raw)
{
    uint32_t from = 0;
    for (uint32_t b = 0; b < g->count; b++) {
        struct raw *first = &raw[g->start[b]], *last = &raw[g->start[b + 1] - 1];
        unsigned ways = 0;
        for (uint32_t k = g->before_at[b]; k < g->before_at[b + 1]; k++)
            ways += g->before[k] < b;
        first->meet_here |= ways > 1;
        first->gather_from = from;
        if (last->target != NO_PC && last->target < g->start[b + 1])
            from = g->start[b + 1];
    }
}

/* The rows whose addresses an instruction of the block has used since the row was written. */
struct rows_kept {
    uint32_t row[KEPT_SHAPES]; /* 0: none */
    bool narrow[KEPT_SHAPES];
    unsigned next;
};

static void forget_rows(struct rows_kept *k, const struct raw *r)
{
    const struct insn *in = &r->in;
    for (unsigned i = 0; i < KEPT_SHAPES; i++)
        if (!r->names_all || k->row[i] == in->d || k->row[i] == in->b || k->row[i] == in->c ||
            k->row[i] == in->e)
            k->row[i] = 0;
}

/* The first access at the addresses of a row keeps their shape. No lane may skip that access. */
static void keep_shape(struct rows_kept *k, struct insn *in)
{
    bool narrow = in->flags & INSN_ADDRESS_32;
    for (unsigned i = 0; i < KEPT_SHAPES; i++)
        if (k->row[i] == in->a && k->narrow[i] == narrow) {
            in->kept = (uint8_t)(i + 1);
            in->flags |= INSN_AS_KEPT;
            return;
        }
    if (in->guard || !in->a)
        return;
    unsigned i = k->next++ % KEPT_SHAPES;
    k->row[i] = in->a, k->narrow[i] = narrow;
    in->kept = (uint8_t)(i + 1);
}

/*
 * Unrolled loops reach memory at one row with many offsets: all but the first of such accesses
 * know how their addresses lie. Only within a block: nobody comes to a later one past the first,
 * and lanes that were not all there at the first leave its shape unknown.
 */
static void find_shapes(const struct graph *g, struct raw *raw)
{
    for (uint32_t b = 0; b < g->count; b++) {
        struct rows_kept k = {.next = 0};
        for (uint32_t i = g->start[b]; i < g->start[b + 1]; i++) {
            if (raw[i].at_row)
                keep_shape(&k, &raw[i].in);
            forget_rows(&k, &raw[i]);
        }
    }
}

int flow_meets(struct sim *s, struct raw *raw, uint32_t n)
{
    struct arena a = {.from = &s->allocator};
    struct graph g = {0};
    if (make_graph(&a, &g, raw, n) < 0) {
        arena_free(&a);
        return sim_fail(s, 0, "out of memory");
    }
    for (uint32_t i = 0; i < n; i++) {
        if (raw[i].in.meet != NO_PC) /* known already */
            raw[raw[i].in.meet].meet_here = true;
        if (raw[i].target == NO_PC || raw[i].ends)
            continue;
        uint32_t meet = g.idom[g.block_of[i]];
        if (meet == NO_PC || meet == g.count)
            continue;
        raw[i].in.meet = g.start[meet];
        raw[g.start[meet]].meet_here = true;
    }
    find_gatherings(&g, raw);
    find_shapes(&g, raw);
    arena_free(&a);
    return 0;
}
