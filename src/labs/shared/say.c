/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lab `shared` shows: the score, what a block holds of shared memory and uses of it, and
 * the accesses, beside what they should be.
 */
#include "labs/shared/work.h"
#include "labkit/lab.h"

static const struct ladder_column columns[] = {
    {"stores", offsetof(struct counters, shared_store_requests)},
    {"loads", offsetof(struct counters, shared_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {0},
};

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    return mirror_run(&((struct mirror_lab *)self)->now, t, got);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct mirror_lab, now.n), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct mirror_lab, now.threads)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct mirror_lab, run.got.value), .as = AS_GROUP, .label = "score",
     .says = "{score} of {n} elements came where they belong"},
    {.name = "blocks", FACT_AT(struct mirror_lab, now.blocks)},
    {.name = "piece", FACT_AT(struct mirror_lab, now.piece)},
    {.name = "asked_bytes", FACT_AT(struct mirror_lab, now.asked)},
    {.name = "held_bytes", FACT_AT(struct mirror_lab, held), .as = AS_GROUP, .label = "shared",
     .says = "{held_bytes} bytes a block, {used_bytes} used  "
             "({fixed_size?fixed when compiled|the launch's third number})"},
    {.name = "used_bytes", FACT_AT(struct mirror_lab, now.used), .as = AS_GROUP},
    {.name = "blocks_fit", FACT_AT(struct mirror_lab, fit)},
    {.name = "predicted", FACT_AT(struct mirror_lab, run.got.predicted),
     WHEN(struct mirror_lab, run.got.has_predicted)},
    FACT_OK,
    {.label = "stores", WHEN(struct mirror_lab, run.got.has_counters),
     .says = "{shared_store_requests:%.0f}, loads {shared_load_requests:%.0f}: one of each warp  "
             "({predicted} predicted)"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct mirror_lab, bytes)},
    {FACT(struct mirror_lab, fixed), .as = AS_GROUP},
    {FACT(struct mirror_lab, fixed_size)},
    {FACT(struct mirror_lab, last)},
    {FACT(struct mirror_lab, half), .as = AS_GROUP},
    {FACT(struct mirror_lab, free), .as = AS_GROUP},
    {FACT(struct mirror_lab, most), .as = AS_GROUP},
    {FACT(struct mirror_lab, sm)},
    {FACT(struct mirror_lab, beyond)},
    {FACT(struct mirror_lab, could)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    struct mirror_lab *w = self;
    const struct device_props *p = &w->run.session->device->props;
    const struct mirror *m = &w->now;
    w->now = mirror_of(w->options, v ? v : w->run.lab->variants);
    w->bytes = (uint64_t)m->n * sizeof(float);
    w->fixed = MIRROR_FIXED_BYTES;
    w->fixed_size = v && v->tag & MIRROR_FIXED;
    w->held = w->fixed_size ? w->fixed : m->asked;
    w->last = m->threads - 1;
    w->half = m->used / 2;
    w->free = p->shared_per_block;
    w->most = mirror_most(p);
    w->beyond = m->used > w->free;
    w->could = w->most > w->free && m->used <= w->most;
    w->sm = p->shared_per_sm / 1024;
    w->fit = mirror_fit(p, v ? w->held : m->used);
    return 0;
}

const struct ladder mirror_ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "Rows go by what they do; stores and loads are of shared memory, one of each warp.",
    .columns = columns,
    .head = "{kernel}<<<{blocks}, {threads}{asked_bytes?, {asked_bytes}|}>>>, n = {n}",
    .head_of_all = "pieces turned around in shared memory, n = {n}, blocks of {threads}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};
