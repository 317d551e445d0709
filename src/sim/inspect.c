/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a launch keeps of its warps, as inspect.h shows it. Lanes of a warp are in splits, or they
 * wait at a join for others of their warp; both are groups here.
 */
#include "sim/inspect.h"

#include "sim/decode/decode.h"
#include "sim/reach.h"
#include "sim/run.h"

#include <stdlib.h>
#include <string.h>

static const struct block *block_at(const struct sim_run *r, uint64_t index)
{
    const struct block *b = r->resident;
    while (b && b->index != index)
        b = b->next;
    return b;
}

/* ---- blocks and warps ----------------------------------------------------------------------- */

size_t sim_inspect_blocks(const struct sim_run *r, uint64_t *blocks, size_t most)
{
    size_t count = 0;
    for (const struct block *b = r->resident; b; b = b->next) {
        size_t at = count < most ? count : most;
        for (; at > 0 && blocks[at - 1] > b->index; at--)
            if (at < most)
                blocks[at] = blocks[at - 1];
        if (at < most)
            blocks[at] = b->index;
        count++;
    }
    return count;
}

void sim_inspect_counts(const struct sim_run *r, uint64_t *all, uint64_t *ended)
{
    *all = r->blocks;
    *ended = r->finished;
}

unsigned sim_inspect_warps(const struct sim_run *r, unsigned *threads)
{
    *threads = r->threads;
    return r->warps;
}

static unsigned depth_of(const struct frame *f)
{
    unsigned depth = 0;
    while ((f = f->parent))
        depth++;
    return depth;
}

/* Where a lane stands, and in which frame. Lanes may wait to meet others, at an instruction of the
 * simulator's own; what they do next is the one behind it. At the end of a function such an
 * instruction returns; what they do next is behind the call. */
struct lane_stand {
    uint32_t pc;
    const struct frame *frame;
};

static struct lane_stand stand(const struct sim_module *m, uint32_t pc, const struct frame *f,
                             unsigned lane)
{
    while (m->shown[pc].kind == SIM_CLASS_HIDDEN) {
        if (pc + 1 < f->of->end) {
            pc++;
        } else if (f->parent) {
            pc = f->others >> lane & 1 ? f->other[lane].pc : f->back.pc;
            f = f->parent;
        } else {
            break;
        }
    }
    return (struct lane_stand){pc, f};
}

/* Lanes at one pc may return to different calls. */
static void add_groups(const struct sim_run *r, uint32_t pc, const struct frame *f, uint32_t mask,
                       enum sim_group_state state, struct sim_warp_state *out)
{
    while (mask && out->count < SIM_GROUPS) {
        const struct lane_stand at = stand(r->module, pc, f, lane_first(mask));
        uint32_t alike = f->others ? 0 : mask;
        for (unsigned i = 0; f->others && i < LANES; i++)
            if ((mask >> i & 1) && stand(r->module, pc, f, i).pc == at.pc)
                alike |= UINT32_C(1) << i;
        out->group[out->count++] = (struct sim_group){
            .pc = at.pc, .mask = alike, .state = state, .depth = depth_of(at.frame)};
        mask &= ~alike;
    }
}

/* Lanes that have come to a join wait there for the others. They are in no split until then. */
static void add_waiting_lanes(const struct warp *w, struct sim_warp_state *out)
{
    for (unsigned i = 0; i < LANES; i++) {
        const struct join *j = &w->joins[i];
        if (w->joins_used >> i & 1)
            add_groups(w->launch, j->pc, j->frame, j->arrived & w->alive, SIM_GROUP_AT_SYNC, out);
    }
}

static int by_first_lane(const void *a, const void *b)
{
    const unsigned x = lane_first(((const struct sim_group *)a)->mask),
                   y = lane_first(((const struct sim_group *)b)->mask);
    return (x > y) - (x < y);
}

bool sim_inspect_warp(const struct sim_run *r, uint64_t block, unsigned warp,
                      struct sim_warp_state *out)
{
    static const enum sim_group_state states[] = {[READY] = SIM_GROUP_READY,
                                                  [AT_BARRIER] = SIM_GROUP_AT_BARRIER,
                                                  [AT_CLUSTER] = SIM_GROUP_AT_CLUSTER,
                                                  [AT_SYNC] = SIM_GROUP_AT_SYNC};
    const struct block *b = block_at(r, block);
    const struct warp *w = b && warp < b->warp_count ? &b->warps[warp] : NULL;
    if (!w)
        return false;
    *out = (struct sim_warp_state){.existing = w->existing, .alive = w->alive};
    for (unsigned i = 0; i < w->split_count && out->count < SIM_GROUPS; i++) {
        const struct split *s = &w->splits[i];
        add_groups(r, s->pc, s->frame, s->mask, states[s->state], out);
    }
    add_waiting_lanes(w, out);
    qsort(out->group, out->count, sizeof *out->group, by_first_lane);
    return true;
}

/* ---- registers ------------------------------------------------------------------------------ */

static const struct frame *frame_of(const struct warp *w, unsigned lane)
{
    for (unsigned i = 0; i < w->split_count; i++)
        if (w->splits[i].mask >> lane & 1)
            return stand(w->launch->module, w->splits[i].pc, w->splits[i].frame, lane).frame;
    for (unsigned i = 0; i < LANES; i++)
        if ((w->joins_used >> i & 1) && (w->joins[i].arrived >> lane & 1))
            return stand(w->launch->module, w->joins[i].pc, w->joins[i].frame, lane).frame;
    return NULL;
}

/* "%r5" is number 5 of the registers that are declared as %r<9>. */
static const struct ptx_variable *register_named(const struct function *f, const char *name,
                                                 uint32_t *index)
{
    for (const struct ptx_variable *v = f->ptx->variables; v; v = v->next) {
        const size_t length = strlen(v->name);
        char *end;
        if (v->space != PTX_REG || strncmp(name, v->name, length) != 0)
            continue;
        *index = 0;
        if (!v->range && !name[length])
            return v;
        if (!v->range || name[length] < '0' || name[length] > '9')
            continue;
        const unsigned long number = strtoul(name + length, &end, 10);
        *index = (uint32_t)number;
        if (!*end && number < v->range)
            return v;
    }
    return NULL;
}

static const struct frame *frame_at(const struct sim_run *r, uint64_t block, unsigned warp,
                                    unsigned lane, unsigned up, struct warp **w)
{
    const struct block *b = block_at(r, block);
    *w = b && warp < b->warp_count && lane < LANES ? &b->warps[warp] : NULL;
    const struct frame *f = *w ? frame_of(*w, lane) : NULL;
    while (f && up--)
        f = f->parent;
    return f;
}

bool sim_inspect_row(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                     unsigned up, const char *name, struct sim_row *out)
{
    struct warp *w;
    const struct frame *f = frame_at(r, block, warp, lane, up, &w);
    uint32_t index;
    const struct ptx_variable *v = f ? register_named(f->of, name, &index) : NULL;
    if (!v)
        return false;
    *out = (struct sim_row){.type = (enum sim_type)v->type};
    if (v->type == PTX_PRED) {
        out->at = f->rows + (v->place + index) * sizeof(uint32_t);
        return true;
    }
    const struct ptx_operand o = {
        .kind = PTX_OP_REGISTER, .var = (struct ptx_variable *)v, .index = index};
    const uint32_t row = register_row(&o, &out->bytes);
    out->at = f->rows + row;
    return row + (uint64_t)out->bytes * LANES <= f->of->frame_bytes;
}

struct sim_value sim_row_value(const struct sim_row *row, unsigned lane)
{
    struct sim_value v = {.type = row->type};
    if (row->bytes)
        memcpy(v.bits, row->at + (size_t)lane * row->bytes,
               row->bytes < sizeof v.bits ? row->bytes : sizeof v.bits);
    else
        v.bits[0] = *(const uint32_t *)(const void *)row->at >> lane & 1;
    return v;
}

bool sim_inspect_register(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                          unsigned up, const char *name, struct sim_value *out)
{
    struct sim_row row;
    const bool has = sim_inspect_row(r, block, warp, lane, up, name, &row);
    if (has)
        *out = sim_row_value(&row, lane);
    return has;
}

bool sim_has_register(const struct sim_run *r, const char *function, const char *name,
                      enum sim_type *type)
{
    const struct sim_module *m = r->module;
    const struct ptx_variable *v = NULL;
    uint32_t index;
    for (uint32_t i = 0; i < m->function_count && !v; i++)
        if (strcmp(m->functions[i].ptx->name, function) == 0)
            v = register_named(&m->functions[i], name, &index);
    if (v)
        *type = (enum sim_type)v->type;
    return v != NULL;
}

bool sim_inspect_call(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                      unsigned up, uint32_t *pc)
{
    struct warp *w;
    const struct frame *f = frame_at(r, block, warp, lane, up, &w);
    if (!f || !f->parent)
        return false;
    *pc = (f->others >> lane & 1 ? f->other[lane].pc : f->back.pc) - 1;
    return true;
}

/* ---- local memory and parameters ------------------------------------------------------------ */

const unsigned char *sim_inspect_local(const struct sim_run *r, uint64_t block, unsigned warp,
                                       unsigned lane, unsigned up, const char *name,
                                       uint64_t *bytes)
{
    struct warp *w;
    const struct frame *f = frame_at(r, block, warp, lane, up, &w);
    for (const struct ptx_variable *v = f ? f->of->ptx->variables : NULL; v; v = v->next) {
        if (v->space != PTX_LOCAL || strcmp(v->name, name) != 0)
            continue;
        *bytes = variable_size(v);
        if (v->place > f->of->local_bytes || *bytes > f->of->local_bytes - v->place)
            return NULL;
        return reach_frame(w, f, lane, (uint32_t)v->place);
    }
    return NULL;
}

const unsigned char *sim_inspect_param(const struct sim_run *r, const char *name, uint64_t *bytes)
{
    const struct sim_kernel *k = r->launch.kernel;
    for (unsigned i = 0; i < k->param_count; i++)
        if (k->params[i].name && strcmp(k->params[i].name, name) == 0) {
            *bytes = k->params[i].size;
            return r->params + k->params[i].offset;
        }
    return NULL;
}

const unsigned char *sim_inspect_generic(const struct sim_run *r, uint64_t block, unsigned warp,
                                         unsigned lane, uint64_t address, uint64_t *bytes)
{
    const struct block *b = block_at(r, block);
    *bytes = 0;
    return b && warp < b->warp_count && lane < LANES
               ? reach_generic(&b->warps[warp], lane, address, bytes)
               : NULL;
}

/* ---- shared memory -------------------------------------------------------------------------- */

const unsigned char *sim_inspect_shared(const struct sim_run *r, uint64_t block, uint64_t *bytes)
{
    const struct block *b = block_at(r, block);
    *bytes = b ? r->shared_bytes : 0;
    return b && r->shared_bytes ? b->shared : NULL;
}

bool sim_inspect_shared_array(const struct sim_run *r, uint32_t i, struct sim_shared_array *out)
{
    if (!r->shared.piece || i + 1 >= r->shared.count)
        return false;
    const struct shared_piece *p = &r->shared.piece[i + 1];
    *out = (struct sim_shared_array){.at = p->start - p->tag, .bytes = p->size};
    if (p->var) {
        out->name = p->var->name;
        out->type = (enum sim_type)p->var->type;
    }
    return true;
}
