/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file records the trace of one warp: each of its instructions, the lanes for which it ran,
 * and the values that it left.
 */
#include "dev/sim/sim-device.h"

#include <string.h>

enum { TRACE_MOST = 4096 }; /* steps kept of the traced warp; a screen shows far fewer */

/* Converts one lane of a row of values to what struct trace_step has; false: it is not shown. */
static bool widen(const void *row, unsigned lane, enum sim_type type, uint64_t *out)
{
    float f;
    uint32_t bits;
    switch (type) {
    case SIM_B8:
    case SIM_U8: *out = ((const uint8_t *)row)[lane]; return true;
    case SIM_S8: *out = (uint64_t)((const int8_t *)row)[lane]; return true;
    case SIM_B16:
    case SIM_U16: *out = ((const uint16_t *)row)[lane]; return true;
    case SIM_S16: *out = (uint64_t)((const int16_t *)row)[lane]; return true;
    case SIM_B32:
    case SIM_U32:
    case SIM_F32: *out = ((const uint32_t *)row)[lane]; return true;
    case SIM_S32: *out = (uint64_t)((const int32_t *)row)[lane]; return true;
    case SIM_B64:
    case SIM_U64:
    case SIM_S64: *out = ((const uint64_t *)row)[lane]; return true;
    case SIM_F64:
        f = (float)((const double *)row)[lane];
        memcpy(&bits, &f, sizeof bits);
        *out = bits;
        return true;
    default: return false;
    }
}

static void take_values(struct trace_step *step, const void *row, enum sim_type type)
{
    step->is_float = type == SIM_F32 || type == SIM_F64;
    step->has_values = row != NULL;
    for (unsigned lane = 0; lane < 32 && step->has_values; lane++)
        step->has_values = widen(row, lane, type, &step->values[lane]);
}

/* Doubles the room in the result's arena. The old half stays there until the result is freed. */
static int more_steps(struct tracer *t)
{
    size_t wanted = t->capacity ? t->capacity * 2 : 64;
    struct trace_step *steps = arena_alloc(&t->result->memory, wanted * sizeof *steps);
    if (!steps)
        return -1;
    if (t->result->trace_count)
        memcpy(steps, t->result->trace, t->result->trace_count * sizeof *steps);
    t->result->trace = steps;
    t->capacity = wanted;
    return 0;
}

/* Appends a step. NULL: it is not of the warp that is traced, or there is no room. */
static struct trace_step *new_step(struct tracer *t, const struct sim_at *at)
{
    struct launch_result *r = t->result;
    const struct sim_instruction *code = at->code;
    if (t->over || at->block_index != 0 || at->warp != t->warp || code->kind == SIM_CLASS_HIDDEN ||
        code->part || r->trace_count == TRACE_MOST)
        return NULL;
    if (r->trace_count == t->capacity && more_steps(t) != 0)
        return NULL;
    struct trace_step step = {.line = code->line,
                              .kind = code->kind,
                              .space = code->space,
                              .order = code->order,
                              .mask = at->mask};
    step.text = arena_text(&r->memory, code->text, strlen(code->text));
    step.file = code->file ? arena_text(&r->memory, code->file, strlen(code->file)) : NULL;
    if (!step.text)
        return NULL;
    r->trace[r->trace_count] = step;
    return &r->trace[r->trace_count++];
}

static void see_instruction(void *self, const struct sim_at *at, const void *row,
                            enum sim_type type)
{
    const bool told = at->code->kind == SIM_CLASS_BRANCH && at->mask; /* see_branch() has it */
    struct trace_step *step = told ? NULL : new_step(self, at);
    if (step)
        take_values(step, row, type);
}

static void see_branch(void *self, const struct sim_at *at, uint32_t taken)
{
    struct trace_step *step = new_step(self, at);
    if (step)
        step->taken = taken;
}

static void see_grid(void *self, const struct sim_grid *g)
{
    struct tracer *t = self;
    (void)g;
    t->over = true;
}

struct sim_observer sim_tracer(struct tracer *t)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .instruction = see_instruction,
                                           .branch = see_branch,
                                           .grid = see_grid};
    return (struct sim_observer){&hooks, t};
}
