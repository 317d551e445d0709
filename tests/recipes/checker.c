/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores by a single lane: the checker that tests/recipes.t adds to a copy of the tree.
 */
#include "check/checker.h"

#include <stdio.h>

static const struct finding_kind lonely_store = {.name = "lonely-store"};

static void *open_device(void)
{
    return mem_alloc(&allocator_libc, sizeof(struct findings *));
}

static void close_device(void *kept)
{
    mem_free(&allocator_libc, kept, sizeof(struct findings *));
}

static void *watch(void *kept, struct findings *found)
{
    *(struct findings **)kept = found;
    return kept;
}

static void see_store(void *self, const struct sim_at *at, const struct sim_access *access)
{
    struct findings *found = *(struct findings **)self;
    const struct finding_side side = {.code = at->code, .block = {at->block[0]}};
    bool fresh = false;
    if (access->space != SIM_GLOBAL || (at->mask & (at->mask - 1)) != 0)
        return;
    struct finding *f = findings_add(found, &lonely_store, &side, NULL, at->when, &fresh);
    if (f && fresh)
        snprintf(f->fault.message, sizeof f->fault.message, "one lane stores alone");
}

static const struct sim_hooks hooks = {SIM_HOOKS, .store = see_store};

const struct checker check_lonely = {
    .name = "lonely",
    .help = "stores that a single lane of a warp makes",
    .extra = true,
    .open = open_device,
    .close = close_device,
    .hooks = &hooks,
    .begin = watch};
