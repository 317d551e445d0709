/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel can reach: the functions it calls, those that they call, and, where one calls
 * through a pointer, all that a pointer may lead to. A kernel's shared memory (shared.c) is laid
 * out for what it reaches alone.
 */
#include "sim/decode/decode.h"

#include <stdlib.h>

static void reach_one(struct sim_module *m, uint32_t number, int how)
{
    struct function *f = &m->functions[number];
    if (f->reached)
        return;
    f->reached = how;
    m->reached[m->reached_count++] = number;
}

/* Adds what the functions of the list call, from number `from` on. True: one calls a pointer. */
static bool reach_calls(struct sim_module *m, uint32_t from, int how)
{
    bool through_pointer = false;
    for (; from < m->reached_count; from++) {
        const struct function *f = &m->functions[m->reached[from]];
        for (uint32_t k = 0; k < f->call_count; k++)
            reach_one(m, f->calls[k], how);
        through_pointer |= f->through_pointer;
    }
    return through_pointer;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void forget(struct sim_module *m)
{
    for (uint32_t i = 0; i < m->reached_count; i++)
        m->functions[m->reached[i]].reached = NOT_REACHED;
    m->reached_count = 0;
}

/* Does the function matter to a kernel that may reach it, before a launch? Only these two facts
 * do. */
static bool has_needs(const struct function *f)
{
    return f->shared_count || f->grid_sync;
}

/* What may be reached through a pointer is the same for all kernels; those with needs first. */
static void find_pointed(struct sim_module *m)
{
    for (uint32_t i = 0; i < m->function_count; i++) {
        const struct function *f = &m->functions[i];
        if (f->pointed && f->ptx->has_body && !f->ptx->is_entry)
            reach_one(m, i, MAYBE_REACHED);
    }
    reach_calls(m, 0, MAYBE_REACHED);
    for (int needy = 1; needy >= 0; needy--) {
        for (uint32_t i = 0; i < m->reached_count; i++)
            if (has_needs(&m->functions[m->reached[i]]) == needy)
                m->pointed[m->pointed_count++] = m->reached[i];
        m->needy_count = needy ? m->pointed_count : m->needy_count;
    }
    forget(m);
}

/* Allocates the lists, as long as any kernel can need them. */
int reach_prepare(struct sim_module *m)
{
    size_t uses = 0;
    for (uint32_t i = 0; i < m->function_count; i++)
        uses += m->functions[i].shared_count;
    m->reached = arena_alloc(&m->arena, m->function_count * sizeof *m->reached);
    m->pointed = arena_alloc(&m->arena, m->function_count * sizeof *m->pointed);
    m->placed = arena_alloc(&m->arena, uses * sizeof *m->placed);
    if (!m->reached || !m->pointed || !m->placed)
        return sim_fail(m->sim, 0, "out of memory");
    find_pointed(m);
    return 0;
}

/* The kernel itself is reached, too. Of what may be reached through a pointer, `whole` asks for
 * all, else only what has needs of its own: all would cost too much where kernels are many. */
void module_reach(struct sim_module *m, const struct function *from, bool whole)
{
    forget(m);
    reach_one(m, (uint32_t)(from - m->functions), REACHED);
    if (reach_calls(m, 0, REACHED))
        for (uint32_t i = 0; i < (whole ? m->pointed_count : m->needy_count); i++)
            reach_one(m, m->pointed[i], MAYBE_REACHED);
    qsort(m->reached, m->reached_count, sizeof *m->reached, by_number);
}

/* A way through the calls, from one function to the next. */
struct call_step { uint32_t function, call; };
enum { UNSEEN, ON_THE_WAY, DONE };

static bool leads_back(const struct sim_module *m, uint32_t from, unsigned char *state,
                       struct call_step *way)
{
    uint32_t depth = 1;
    way[0] = (struct call_step){from, 0};
    state[from] = ON_THE_WAY;
    while (depth) {
        struct call_step *s = &way[depth - 1];
        const struct function *f = &m->functions[s->function];
        if (s->call == f->call_count) {
            state[s->function] = DONE;
            depth--;
            continue;
        }
        uint32_t to = f->calls[s->call++];
        if (state[to] == ON_THE_WAY)
            return true;
        if (state[to] == UNSEEN) {
            state[to] = ON_THE_WAY;
            way[depth++] = (struct call_step){to, 0};
        }
    }
    return false;
}

/* Do the reached functions call each other in a circle? A pointer may lead anywhere. `known` turns
 * false where memory is out. */
bool module_recursive(const struct sim_module *m, struct arena *memory, bool *known)
{
    unsigned char *state = arena_alloc(memory, m->function_count);
    struct call_step *way = arena_alloc(memory, m->reached_count * sizeof *way);
    *known = state && way;
    for (uint32_t i = 0; *known && i < m->reached_count; i++) {
        const struct function *f = &m->functions[m->reached[i]];
        if ((f->through_pointer && !f->ptx->is_entry) ||
            (state[m->reached[i]] == UNSEEN && leads_back(m, m->reached[i], state, way)))
            return true;
    }
    return false;
}
