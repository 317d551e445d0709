/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory: the kinds of it that this device has, how large, who reaches them, how long they live.
 * Each one is touched by a kernel, and the counters prove it. Each variant has a picture of its
 * own. The kernels are in kernels/memory.cu; labs/memory/work.c runs and judges them.
 */
#include "labs/memory/work.h"

#include "labkit/lab.h"
#include "labkit/memories.h"

#include <stdio.h>
#include <string.h>

struct memory_options {
    struct lab_options lab;
    unsigned keys, terms, launches, shared; /* shared: 0: choose */
};

struct memory_lab {
    struct lab_run run;
    struct memory_size size;
    unsigned launched; /* as the kernel of the last run has counted */
    /* What the facts say: */
    bool touches, symbols, bins, carveout; /* what the variant is about */
    bool copied;                           /* symbols, and the copies are told of */
    bool opted_in, fits;                   /* of a carveout; fits: what an SM has is known */
    unsigned warps, each, coefficient_bytes;
    int registers, register_bytes, old, titan, room, whole_kb;
    int64_t fit, resident;
    uint64_t loads, constant_loads, shared, free, most, one, reserved;
};

enum { USUAL_SHARED = 64 * 1024, PLACES = 8 };

/* ---- opening ---------------------------------------------------------------------------- */

/* -1: the report says why. */
static int choose_size(struct memory_lab *m, const struct memory_options *o)
{
    const struct device_props *p = &m->run.session->device->props;
    uint64_t most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    uint64_t usual = most && most < USUAL_SHARED ? most : USUAL_SHARED;
    m->size = (struct memory_size){
        .blocks = o->lab.blocks ? (unsigned)o->lab.blocks : 1,
        .threads = o->lab.threads ? (unsigned)o->lab.threads : 128,
        .keys = o->keys,
        .terms = o->terms,
        .launches = o->launches,
        .shared_bytes = o->shared ? o->shared : usual};
    if (m->size.shared_bytes % sizeof(int) == 0)
        return 0;
    return report_fail(m->run.report,
                       "--shared %llu: the kernel fills words of 4 bytes, so it must be a "
                       "multiple of 4, for example %llu",
                       (unsigned long long)m->size.shared_bytes,
                       (unsigned long long)(m->size.shared_bytes / 4 * 4 + 4));
}

/* ---- each variant's own picture --------------------------------------------------------- */

struct bins_place {
    const char *variant;
    char marked[24]; /* and * behind the one that is shown */
    struct counters counters;
};
#define COUNT(text, counter)                                                            \
    {.name = #counter, FACT_AT(struct bins_place, counters.counter), .head = text, .right = true}
static const struct fact place_facts[] = {
    {FACT(struct bins_place, variant)},
    {.head = "bins in", FACT_AT(struct bins_place, marked)},
    COUNT("local ld", local_load_requests),
    COUNT("local st", local_store_requests),
    COUNT("shared ld", shared_load_requests),
    COUNT("shared st", shared_store_requests),
    {.name = "warp_instructions", FACT_AT(struct bins_place, counters.warp_instructions),
     .head = "warp ins", .right = true, .gives_way = 1},
    {.name = NULL},
};

/* The same bins in each of the places for them, side by side. */
static void draw_places(struct report *r, const void *found)
{
    const struct memory_lab *m = found;
    const struct schedule as_set = {.name = NULL};
    struct session *s = m->run.session;
    struct bins_place places[PLACES];
    size_t n = 0;
    for (const struct lab_variant *v = m->run.lab->variants; v->name && n < PLACES; v++) {
        struct attempt got = m->run.got;
        const struct trial how = {.session = s, .report = r, .variant = v, .schedule = &as_set,
                                  .quiet = true};
        bool shown = strcmp(v->name, m->run.variant) == 0;
        unsigned ignored;
        if ((v->tag & MEMORY_JOB) != FILL_BINS || v->mended_by)
            continue;
        if (!shown && memory_shared(v, &m->size) > s->device->props.shared_per_block)
            continue; /* a card may not have as much */
        got = shown ? got : (struct attempt){0};
        if (!shown && memory_run(&how, &m->size, &got, &ignored))
            break;
        places[n] = (struct bins_place){.variant = v->name, .counters = got.counters};
        snprintf(places[n].marked, sizeof places[n].marked, "%s%s", v->name, shown ? " *" : "");
        n++;
    }
    facts_json_rows(place_facts, "places", places, n, sizeof places[0], &r->result);
    say_together(r, s);
    say(r, "\n");
    facts_say_rows(place_facts, places, n, sizeof places[0], 2, r);
}

static void draw_memories(struct report *r, const void *found)
{
    const struct memory_lab *m = found;
    say_together(r, m->run.session);
    say(r, "\n");
    say_memories(r, &m->run.session->device->props,
                 m->run.got.has_counters ? &m->run.got.counters : NULL);
    json_table_6_7(r);
}

static void draw_divisions(struct report *r, const void *found)
{
    const struct memory_lab *m = found;
    if (division_of(&m->run.session->device->props))
        say_divisions(r, &m->run.session->device->props, m->size.shared_bytes);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "blocks", FACT_AT(struct memory_lab, size.blocks)},
    {.name = "threads", FACT_AT(struct memory_lab, size.threads)},
    {.name = "right", FACT_AT(struct memory_lab, run.got.value), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: {right} of {results} results are the same as in plain C"},
    {.name = "results", FACT_AT(struct memory_lab, run.got.expected), .as = AS_GROUP},
    {.name = "local_loads_predicted", FACT_AT(struct memory_lab, loads)},
    {.name = "shared_bytes", FACT_AT(struct memory_lab, shared), .as = AS_GROUP, .if_set = true},
    FACT_OK,
    {.draw = draw_memories, WHEN(struct memory_lab, touches)},
    {.draw = draw_places, WHEN(struct memory_lab, bins)},
    /* Through symbols. */
    {.label = "to", WHEN(struct memory_lab, copied),
     .says = "coefficient, {coefficient_bytes} bytes    where, 8 bytes    launches, 4 bytes"},
    {.name = "terms", FACT_AT(struct memory_lab, size.terms), WHEN(struct memory_lab, copied)},
    {.name = "launches", FACT_AT(struct memory_lab, launched), WHEN(struct memory_lab, copied),
     .label = "from",
     .says = "launches = {launches}    it was not set again between the launches"},
    {.label = "constant", WHEN(struct memory_lab, constant_loads),
     .says = "{constant_loads} loads per launch, each of one word for a whole warp"},
    /* A carveout. */
    {FACT(struct memory_lab, opted_in), WHEN(struct memory_lab, carveout)},
    {.label = "opted in", WHEN(struct memory_lab, opted_in),
     .says = "{free} come by themselves; for more a program asks first"},
    {.name = "reserved_per_block", FACT_AT(struct memory_lab, reserved),
     WHEN(struct memory_lab, carveout)},
    {.name = "blocks_per_sm", FACT_AT(struct memory_lab, fit), WHEN(struct memory_lab, fits),
     .label = "fit an SM",
     .says = "{blocks_per_sm}    {most} / ({asked}{reserved_per_block? + 1 KiB that each block "
             "costs|})"},
    {.label = "an SM has", WHEN(struct memory_lab, whole_kb),
     .says = "{whole_kb} KiB for shared memory and L1, divided in one of these ways"},
    {.draw = draw_divisions, WHEN(struct memory_lab, carveout)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "keys", FACT_AT(struct memory_lab, size.keys)},
    {.name = "asked_terms", FACT_AT(struct memory_lab, size.terms)},
    {.name = "asked_launches", FACT_AT(struct memory_lab, size.launches)},
    {.name = "many_keys", FACT_AT(struct memory_lab, size.keys), .as = AS_GROUP},
    {.name = "local", FACT_AT(struct memory_lab, run.got.counters.local_load_requests)},
    {.name = "shared", FACT_AT(struct memory_lab, run.got.counters.shared_load_requests)},
    {.name = "asked", FACT_AT(struct memory_lab, size.shared_bytes), .as = AS_BYTES},
    {FACT(struct memory_lab, free), .as = AS_BYTES},
    {FACT(struct memory_lab, most), .as = AS_BYTES},
    {FACT(struct memory_lab, one), .as = AS_BYTES},
    {FACT(struct memory_lab, resident), .as = AS_GROUP},
    {FACT(struct memory_lab, room), .as = AS_GROUP},
    {FACT(struct memory_lab, constant_loads), .as = AS_GROUP},
    {FACT(struct memory_lab, register_bytes), .as = AS_GROUP},
    {FACT(struct memory_lab, titan), .as = AS_GROUP},
    {FACT(struct memory_lab, old)},
    {FACT(struct memory_lab, registers)},
    {FACT(struct memory_lab, warps)},
    {FACT(struct memory_lab, each)},
    {FACT(struct memory_lab, coefficient_bytes)},
    {FACT(struct memory_lab, whole_kb)},
    {FACT(struct memory_lab, touches)},
    {FACT(struct memory_lab, symbols)},
    {FACT(struct memory_lab, bins)},
    {FACT(struct memory_lab, carveout)},
    {.name = NULL},
};

/* The device's memories, and what a carveout makes of an SM's. */
static void find_sizes(struct memory_lab *m)
{
    const struct device_props *p = &m->run.session->device->props;
    const struct device_props old = card_props(card_named("quadro600"));
    const struct device_props titan = card_props(card_named("titanx"));
    const struct capability *d = m->carveout ? division_of(p) : NULL;
    m->registers = p->registers_per_thread;
    m->register_bytes = 4 * p->registers_per_thread;
    m->old = 4 * old.registers_per_thread;
    m->titan = 4 * titan.registers_per_thread;
    m->room = p->max_threads_per_sm;
    m->free = p->shared_per_block;
    m->most = p->shared_per_sm;
    m->one = p->shared_per_block_optin;
    m->reserved = p->shared_reserved;
    m->fit = division_blocks(p, p->shared_per_sm, m->size.shared_bytes);
    m->resident = (int64_t)m->size.threads * m->fit;
    m->opted_in = m->carveout && m->size.shared_bytes > m->free;
    m->fits = m->carveout && m->most;
    m->whole_kb = d ? d->l1_and_shared_kb : 0;
}

static int find(void *self, const struct lab_variant *v)
{
    struct memory_lab *m = self;
    const struct memory_size *z = &m->size;
    const struct device_props *p = &m->run.session->device->props;
    for (const struct lab_variant *each = m->run.lab->variants; each->name; each++)
        if ((!v || v == each) && memory_fits(each, z, p, m->run.report))
            return -1;
    if (!v)
        return 0;
    m->touches = (v->tag & MEMORY_JOB) == TOUCH_EACH;
    m->symbols = (v->tag & MEMORY_JOB) == THROUGH_SYMBOLS;
    m->bins = (v->tag & MEMORY_JOB) == FILL_BINS;
    m->carveout = (v->tag & MEMORY_JOB) == FILL_SHARED;
    m->copied = m->symbols && !v->mended_by;
    m->warps = z->blocks * ((z->threads + 31) / 32);
    m->each = z->keys + MEMORY_BINS;
    m->coefficient_bytes = z->terms * 4;
    m->loads = memory_local_loads(v, z);
    m->shared = memory_shared(v, z);
    m->constant_loads = m->copied ? m->run.got.counters.constant_load_requests / z->launches : 0;
    find_sizes(m);
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct memory_lab *m = self;
    return memory_run(how, &m->size, got, &m->launched);
}

static const struct ladder_column columns[] = {
    {"local loads", offsetof(struct counters, local_load_requests)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"global loads", offsetof(struct counters, global_load_requests)},
    {"const loads", offsetof(struct counters, constant_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "matches",
    .kind = VALUE_INT,
    .order = "most requests to global and local memory first",
    .columns = columns,
    .head = "{variant}: {blocks} x {threads} threads"
            "{touches? read four of the memories once|}"
            "{symbols?, {asked_terms} terms, launches: {asked_launches}|}"
            "{bins?, {many_keys} keys each into 16 bins|}"
            "{carveout?, {shared_bytes} bytes of shared memory per block|}",
    .head_of_all = "each memory at work: {blocks} x {threads} threads",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"hierarchy", "touch_each", "a load from local, shared, constant and global memory", .tag = TOUCH_EACH},
    {"symbol", "through_symbols", "constants and variables, copied by their names",
     .tag = THROUGH_SYMBOLS},
    {"registers", "bins_in_registers", "an array without a variable index, in registers",
     .tag = FILL_BINS},
    {"spill", "bins_in_local",
     "an array with an index that is known only at run time, in local memory",
     .tag = FILL_BINS},
    {"shared-array", "bins_in_shared", "the same array in shared memory",
     .tag = FILL_BINS | BINS_IN_SHARED},
    {"carveout", "fill_shared", "a block with much shared memory", .tag = FILL_SHARED},
    {"unset", "through_symbols", "a device pointer that was never set", "symbol", "null",
     THROUGH_SYMBOLS | NO_WHERE},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct memory_options, keys), .type = ARG_INT, .lo = 1, .hi = 65536, .initial = "64",
     .help = "the number of values (keys) that each thread reads and counts (registers, spill, "
             "shared-array)"},
    {OPTION(struct memory_options, terms), .type = ARG_INT, .lo = 1, .hi = MEMORY_TERMS,
     .initial = "8", .help = "the number of coefficients in constant memory (symbol)"},
    {OPTION(struct memory_options, launches), .type = ARG_INT, .lo = 1, .hi = 1000, .initial = "2",
     .help = "the number of launches of the kernel (symbol)"},
    {OPTION(struct memory_options, shared), .value = "BYTES", .type = ARG_INT, .lo = 4,
     .hi = 1 << 30,
     .help = "shared memory per block (carveout); if not given, 64 KiB, or the maximum if that is "
             "less"},
    {0},
};

static const struct lab lab = {
    .module = "memory",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct memory_options *o = given;
    struct memory_lab m = {.run = {s, r, &o->lab, &lab}};
    return choose_size(&m, o) ? -1 : ladder_run(&ladder, &m.run);
}

const struct command lab_memory = {
    LAB_COMMAND(struct memory_options),
    .name = "memory",
    .summary = "the kinds of memory: size, scope and lifetime",
    .options = options,
};
