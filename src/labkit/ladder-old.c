/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labs that still have hooks instead of facts. This goes when all labs have facts.
 */
#include "labkit/lab.h"
#include "labkit/ladder.h"

struct old_run {
    struct lab_run run;
    const struct old_ladder *l;
};

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    const struct old_run *o = self;
    return o->l->attempt(o->l->self, t, got);
}

static bool show(void *self, const struct lab_variant *v, const struct attempt *got,
                 const struct launch_result *result)
{
    const struct old_run *o = self;
    return o->l->show && o->l->show(o->l->self, v, got, result);
}

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    const struct old_run *o = self;
    return o->l->calls_of ? o->l->calls_of(o->l->self, v) : o->l->calls;
}

int old_ladder_run(const struct old_ladder *l)
{
    const struct lab lab = {.module = l->file, .variants = l->variants};
    const struct ladder ladder = {.value = l->value, .kind = l->kind,
                                  .all_unless_told = l->all_unless_told, .order = l->order,
                                  .columns = l->columns, .beside_head = l->beside_head,
                                  .calls_of = calls_of, .attempt = attempt, .show = show};
    const struct old_hooks hooks = {l->self, l->head, l->tell, l->put, l->slots, l->call, l->beside};
    struct old_run o = {{l->session, l->report, l->args->options, &lab, .old = &hooks}, l};
    return ladder_run(&ladder, &o.run);
}
