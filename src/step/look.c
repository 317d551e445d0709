/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at a launch that stands; see look.h. The names of registers are those of the PTX: an
 * instruction writes the first of its registers, and reads the others.
 */
#include "step/look.h"

#include "sim/inspect.h"

#include <stdio.h>
#include <string.h>

static struct sim_run *run_of(const struct stepper *s)
{
    return stepper_run(s);
}

/* ---- lanes and blocks -------------------------------------------------------------------------
 */

bool step_look_warp(const struct stepper *s, uint64_t block, unsigned warp, struct step_warp *out)
{
    static const enum step_state states[] = {[SIM_GROUP_READY] = STEP_READY,
                                             [SIM_GROUP_AT_BARRIER] = STEP_WAITS_BLOCK,
                                             [SIM_GROUP_AT_CLUSTER] = STEP_WAITS_CLUSTER,
                                             [SIM_GROUP_AT_SYNC] = STEP_WAITS_LANES};
    const struct sim_instruction *code = sim_result(run_of(s))->code;
    struct sim_warp_state w;
    *out = (struct step_warp){.count = 0};
    if (!stepper_warp(s, block, warp, &w))
        return false;
    out->existing = w.existing;
    out->alive = w.alive;
    out->count = w.count;
    for (unsigned i = 0; i < w.count; i++)
        out->group[i] = (struct step_group){.mask = w.group[i].mask,
                                            .state = states[w.group[i].state],
                                            .depth = w.group[i].depth,
                                            .next = &code[w.group[i].pc]};
    return true;
}

const struct step_group *step_group_of(const struct step_warp *w, unsigned lane)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->group[i].mask >> lane & 1)
            return &w->group[i];
    return NULL;
}

struct step_blocks step_look_blocks(const struct stepper *s)
{
    struct step_blocks b = {.all = 0};
    sim_inspect_counts(run_of(s), &b.all, &b.ended);
    b.running = sim_inspect_blocks(run_of(s), NULL, 0);
    b.warps = sim_inspect_warps(run_of(s), &b.threads);
    return b;
}

size_t step_running_blocks(const struct stepper *s, uint64_t *blocks, size_t most)
{
    const size_t n = sim_inspect_blocks(run_of(s), blocks, most);
    return n < most ? n : most;
}

/* ---- registers --------------------------------------------------------------------------------
 */

bool step_look_register(const struct stepper *s, unsigned lane, const char *name,
                        struct step_value *out)
{
    const struct step_focus f = stepper_focus(s);
    struct sim_value v;
    if (!sim_inspect_register(run_of(s), f.block, f.warp, lane, 0, name, &v))
        return false;
    *out = (struct step_value){v.type, v.bits[0]};
    return true;
}

static bool has_name(const struct step_names *n, const char *name)
{
    for (unsigned i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return true;
    return false;
}

static void add_name(struct step_names *n, const char *name)
{
    if (n->count < STEP_NAMES && !has_name(n, name))
        snprintf(n->name[n->count++], STEP_NAME, "%s", name);
}

/* The next register in the text of an instruction, or false. Special registers are none. */
static bool next_register(const char **text, char name[STEP_NAME])
{
    static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    const char *at = *text;
    while ((at = strchr(at, '%'))) {
        const size_t n = strspn(at + 1, inside);
        const bool special = at[n + 1] == '.';
        const char *from = at;
        at += n + 1;
        if (n == 0 || special || n + 2 > STEP_NAME)
            continue;
        memcpy(name, from, n + 1);
        name[n + 1] = '\0';
        *text = at;
        return true;
    }
    return false;
}

/* Adds the registers that an instruction writes, or those that it reads and nobody in `but` wrote.
 */
static void add_registers(const struct sim_instruction *c, bool written,
                          const struct step_names *but, struct step_names *out)
{
    const char *text = c->text;
    char name[STEP_NAME];
    if (!text || !c->operands)
        return;
    unsigned left = c->operands->written;
    if (*text == '@') { /* the guard is read */
        const char *end = strchr(text, ' ');
        if (!written && next_register(&text, name) && !has_name(but, name))
            add_name(out, name);
        text = end ? end : text;
    }
    while (next_register(&text, name)) {
        const bool is_written = left > 0;
        left -= is_written;
        if (is_written == written && (written || !has_name(but, name)))
            add_name(out, name);
    }
}

static bool same_line(const struct sim_instruction *a, const struct sim_instruction *b)
{
    return a->line == b->line && a->function == b->function && a->file == b->file;
}

void step_names_of_line(const struct stepper *s, struct step_names *out)
{
    const struct sim_result *r = sim_result(run_of(s));
    const struct sim_instruction *next = stepper_next(s);
    struct step_names later = {.count = 0};
    out->count = 0;
    if (!next)
        return;
    const uint32_t pc = (uint32_t)(next - r->code);
    uint32_t first = pc, last = pc;
    while (first > 0 && same_line(&r->code[first - 1], next))
        first--;
    while (last + 1 < r->code_count && same_line(&r->code[last + 1], next))
        last++;
    for (uint32_t i = first; i < pc; i++)
        add_registers(&r->code[i], true, NULL, out);
    for (uint32_t i = pc; i <= last; i++) {
        add_registers(&r->code[i], false, &later, out);
        add_registers(&r->code[i], true, NULL, &later);
    }
}

/* ---- memory, output, faults --------------------------------------------------------------------
 */

bool step_look_shared(const struct stepper *s, unsigned i, struct step_shared *out)
{
    struct sim_shared_array a = {.name = NULL};
    uint64_t bytes;
    const unsigned char *all = sim_inspect_shared(run_of(s), stepper_focus(s).block, &bytes);
    if (!sim_inspect_shared_array(run_of(s), i, &a))
        return false;
    *out = (struct step_shared){a.name, a.type, a.at, a.bytes,
                                all && a.at + a.bytes <= bytes ? all + a.at : NULL};
    return true;
}

int step_line_near(const struct stepper *s, int line)
{
    const struct sim_result *r = sim_result(run_of(s));
    int near = 0;
    for (uint32_t i = 0; i < r->code_count; i++) {
        const int other = r->code[i].kind == SIM_CLASS_HIDDEN ? 0 : r->code[i].line;
        const int64_t far = other > line ? (int64_t)other - line : (int64_t)line - other;
        const int64_t so_far = near > line ? (int64_t)near - line : (int64_t)line - near;
        if (other && (!near || far < so_far))
            near = other;
    }
    return near;
}

const struct sim_instruction *step_look_code(const struct stepper *s, uint32_t *count)
{
    const struct sim_result *r = sim_result(run_of(s));
    *count = r->code_count;
    return r->code;
}

size_t step_print_count(const struct stepper *s)
{
    return sim_result(run_of(s))->print_count;
}

const struct sim_print *step_print_at(const struct stepper *s, size_t i)
{
    return &sim_result(run_of(s))->prints[i];
}

const struct sim_fault *step_look_fault(const struct stepper *s)
{
    const struct sim_result *r = sim_result(run_of(s));
    for (unsigned i = 0; stepper_has_ended(s) && i < r->fault_count; i++)
        if (sim_fault_ends(r->faults[i].kind))
            return &r->faults[i];
    return NULL;
}
