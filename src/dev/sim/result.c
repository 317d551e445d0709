/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file copies the results of a launch into memory of the launch_result, before the run ends.
 */
#include "dev/sim/sim-device.h"

#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fault_place copy_place(const struct sim_place *from)
{
    struct fault_place to = {.line = from->line};
    path_put(to.file, sizeof to.file, from->file ? from->file : "");
    memcpy(to.block, from->block, sizeof to.block);
    memcpy(to.thread, from->thread, sizeof to.thread);
    return to;
}

static struct fault copy_fault(const struct sim_fault *from)
{
    struct fault to = {.ends = sim_fault_ends(from->kind),
                       .benign = from->kind == SIM_PRINTF_OVERFLOW || from->kind == SIM_LEAK,
                       .cure = sim_fault_cure(from),
                       .in_shared = from->cure == SIM_CURE_SHARED_BOUNDS,
                       .has_place = from->has_place,
                       .has_other = from->has_other,
                       .has_address = from->has_address,
                       .in_child = from->in_child,
                       .at = copy_place(&from->at),
                       .other = copy_place(&from->other),
                       .ptx_line = from->ptx_line,
                       .address = from->address,
                       .index = from->index,
                       .given_bytes = from->given,
                       .needed_bytes = from->needed,
                       .count = from->count,
                       .when = from->when};
    snprintf(to.kind, sizeof to.kind, "%s", sim_fault_name(from->kind));
    snprintf(to.message, sizeof to.message, "%s", from->message);
    snprintf(to.array, sizeof to.array, "%s", from->array ? from->array : "");
    snprintf(to.element, sizeof to.element, "%s", from->element);
    return to;
}

/* A barrier may be missing at several places. An atomic may have to do several things. */
static const char *where_named(unsigned places)
{
    static const char *const names[] = {
        [FINDING_BETWEEN] = "between", [FINDING_SPLIT] = "split", [FINDING_LOOP_END] = "loop-end",
        [FINDING_BETWEEN | FINDING_SPLIT] = "split",
        [FINDING_BETWEEN | FINDING_LOOP_END] = "between-loop",
        [FINDING_SPLIT | FINDING_LOOP_END] = "split-loop",
        [FINDING_BETWEEN | FINDING_SPLIT | FINDING_LOOP_END] = "split-loop"};
    return places & FINDING_FLAG           ? "flag"
           : places & FINDING_AGAIN        ? "again"
           : places & FINDING_GUESS        ? "guess"
           : places & FINDING_COUNTER      ? "counter"
           : places & FINDING_ON_CONDITION ? "condition"
           : places & FINDING_LARGER       ? places & FINDING_SMALLER ? "condition" : "larger"
           : places & FINDING_SMALLER      ? "smaller"
           : places & FINDING_CALL_END     ? places & FINDING_SPLIT     ? "split-call"
                                             : places & FINDING_BETWEEN ? "between-call"
                                                                        : "call-end"
                                             : names[places];
}

static struct fault copy_own(const struct sim_result *r, const struct sim_fault *from)
{
    struct fault to = copy_fault(from);
    to.condition = sync_condition(r, from);
    if (to.condition)
        to.cure = "barrier-all";
    return to;
}

static struct fault copy_finding(const struct finding *from, const struct sim_kernel *kernel)
{
    struct fault to = copy_fault(&from->fault);
    snprintf(to.kind, sizeof to.kind, "%s", from->kind->name);
    to.cure = from->kind->cures ? from->kind->cures[from->cure] : NULL;
    to.where = where_named(from->where);
    to.waits = from->waits;
    to.retold = from->retold;
    to.others = from->apart && from->apart != from->cure;
    to.in_shared = from->space == SIM_SHARED;
    to.syncs_grid = kernel->cooperative;
    return to;
}

/* Merges the library's faults and the checkers' findings, each in order of time, into one list. */
int sim_copy_faults(struct launch_result *to, const struct sim_result *from,
                    const struct checking *checking, const struct sim_kernel *kernel)
{
    const struct findings *found = &checking->found;
    size_t most = from->fault_count + found->count;
    to->faults = arena_alloc(&to->memory, most * sizeof *to->faults);
    if (!to->faults)
        return -1;
    for (size_t i = 0, k = 0; i + k < most;) {
        const struct sim_fault *own = i < from->fault_count ? &from->faults[i] : NULL;
        const struct finding *theirs = k < found->count ? &found->items[k] : NULL;
        bool first = own && (!theirs || own->when < theirs->fault.when);
        if (first ? checking_tells(checking, own->kind) : findings_tell(found, k))
            to->faults[to->fault_count++] = first ? copy_own(from, own) : copy_finding(theirs, kernel);
        i += first;
        k += !first;
    }
    return 0;
}

int sim_copy_children(struct launch_result *to, const struct sim_children *from)
{
    to->child_grids = from->grids;
    to->child_refused = from->refused;
    if (from->refused)
        snprintf(to->child_why, sizeof to->child_why, "%s (%s)", from->error, from->why);
    if (from->refused && from->file && from->line) {
        const size_t n = strlen(to->child_why);
        snprintf(to->child_why + n, sizeof to->child_why - n, ", at %s:%d", from->file, from->line);
    }
    if (!from->kernel_count)
        return 0;
    to->child_kernels = arena_alloc(&to->memory, from->kernel_count * sizeof *to->child_kernels);
    for (size_t i = 0; to->child_kernels && i < from->kernel_count; i++)
        if (from->of_kernel[i])
            to->child_kernels[to->child_kernel_count++] =
                (struct child_kernel){from->kernels[i].name, from->of_kernel[i]};
    return to->child_kernels ? 0 : -1;
}

int sim_copy_prints(struct launch_result *to, const struct sim_result *from)
{
    to->prints_lost = from->prints_lost;
    to->prints = arena_alloc(&to->memory, from->print_count * sizeof *to->prints);
    if (!to->prints)
        return -1;
    for (size_t i = 0; i < from->print_count; i++) {
        const struct sim_print *p = &from->prints[i];
        char *text = arena_text(&to->memory, p->text, p->length);
        if (!text)
            return -1;
        to->prints[i] = (struct launch_print){p->block, p->thread, text, p->length};
        to->print_count = i + 1;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* Adds up the instructions of each line. */
static int copy_lines(struct launch_result *to, const struct count_each *c,
                      const struct sim_result *from)
{
    struct line_count *all = arena_alloc(&to->memory, (c->count + 1) * sizeof *all);
    size_t count = 0, kept = 0;
    if (!all || !c->each)
        return -1;
    for (uint32_t pc = 0; pc < c->count; pc++)
        if (from->code[pc].file && from->code[pc].line && c->each[pc].warp_instructions)
            all[count++] = (struct line_count){from->code[pc].file, from->code[pc].line,
                                               c->each[pc]};
    qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_place(&all[kept - 1], &all[i]) == 0)
            counters_add(&all[kept - 1].counters, &all[i].counters);
        else
            all[kept++] = all[i];
    }
    for (size_t i = 0; i < kept; i++) /* the module's names go with it */
        if (!(all[i].file = arena_text(&to->memory, all[i].file, strlen(all[i].file))))
            return -1;
    to->lines = all;
    to->line_count = kept;
    return 0;
}

int sim_copy_counts(struct launch_result *to, struct count_each *c,
                       const struct sim_result *from)
{
    to->has_counters = true;
    if (!c->memory) {
        count_tally(&to->counters, from);
        return 0;
    }
    count_each_tally(c, from, &to->counters);
    return copy_lines(to, c, from);
}
