/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers that a part of the threads never reaches, and shuffles from lanes that take no part. The
 * simulator finds them itself, where it has threads wait for each other. Here the condition is found
 * that keeps threads from a barrier.
 */
#include "check/checker.h"

#include <string.h>

static const enum sim_fault_kind kinds[] = {SIM_BARRIER_DIVERGENCE, SIM_INVALID_SHUFFLE,
                                            SIM_FAULT_NONE};

const struct checker check_sync = {
    .name = "sync",
    .help = "barriers that some threads never reach, and shuffles that read from lanes "
            "that do not take part",
    .simulated = kinds};

/* ---- the condition ---------------------------------------------------------------------- */

static bool is_guarded(const struct sim_instruction *i)
{
    return i->operands && i->operands->guard;
}

/* Does one outcome of the condition at pc lead past a later barrier? */
static bool leads_past(const struct sim_instruction *code, uint32_t pc, uint32_t barrier)
{
    const struct sim_instruction *i = &code[pc], *next = &code[pc + 1];
    if (pc >= barrier || !is_guarded(i))
        return false;
    if (i->kind == SIM_CLASS_EXIT)
        return true;
    return i->kind == SIM_CLASS_BRANCH &&
           (i->target > barrier || (next->kind == SIM_CLASS_BRANCH && !is_guarded(next) &&
                                    next->target > barrier));
}

/* Does the condition at pc end a loop that the barrier is in? It leads back, or it leads out. */
static bool ends_loop(const struct sim_result *r, uint32_t pc, uint32_t barrier)
{
    const struct sim_instruction *code = r->code;
    if (pc < barrier || code[pc].kind != SIM_CLASS_BRANCH || !is_guarded(&code[pc]))
        return false;
    bool leaves = code[pc].target <= barrier;
    for (uint32_t k = pc; !leaves && k < r->code_count && code[k].function == code[pc].function; k++)
        leaves = code[k].kind == SIM_CLASS_BRANCH && code[k].target <= barrier &&
                 code[pc].target > k;
    return leaves;
}

/* How well does the condition at pc explain that threads are missing? 0: not at all. One that the
 * lanes of a warp answered differently is better than one that differs from warp to warp. */
static unsigned explains(const struct sim_result *r, uint32_t pc, uint32_t barrier)
{
    const struct sim_tally *t = &r->tally[pc];
    const bool past = leads_past(r->code, pc, barrier), loop = ends_loop(r, pc, barrier);
    if (!past && !loop)
        return 0;
    return t->diverged ? 3 : past && t->lanes && t->off ? 2 : loop ? 1 : 0;
}

int sync_condition(const struct sim_result *r, const struct sim_fault *f)
{
    uint32_t barrier = 0, best = 0;
    unsigned most = 0;
    while (barrier < r->code_count && r->code[barrier].ptx_line != f->ptx_line)
        barrier++;
    if (barrier == r->code_count || f->kind != SIM_BARRIER_DIVERGENCE)
        return 0;
    for (uint32_t pc = 0; pc + 1 < r->code_count; pc++) {
        if (strcmp(r->code[pc].function, r->code[barrier].function) != 0)
            continue;
        const unsigned how_well = explains(r, pc, barrier);
        if (how_well > most || (how_well && how_well == most && pc < barrier)) {
            most = how_well;
            best = pc;
        }
    }
    return most ? r->code[best].line : 0;
}
