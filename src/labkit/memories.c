/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of the table of memories, and how an SM divides its memory.
 */
#include "labkit/memories.h"

#include "screen/facts.h"
#include <stdio.h>
#include <string.h>

/* ---- how an SM divides its memory ------------------------------------------------------- */

const struct capability *division_of(const struct device_props *p)
{
    const struct capability *c = capability_of(p->major, p->minor);
    return c && c->shared_kb[0] >= 0 ? c : NULL;
}

int64_t division_blocks(const struct device_props *p, uint64_t shared_bytes, uint64_t asked)
{
    return asked ? (int64_t)(shared_bytes / (asked + p->shared_reserved)) : -1;
}

struct division {
    int kb; /* what shared memory gets */
    uint64_t shared_bytes, l1_bytes;
    int64_t blocks;
    bool parts;
    char l1[NUM_TEXT];
    const char *note;
};

static const struct fact division_facts[] = {
    {FACT_AT(struct division, kb), .format = "%.0f KiB", .head = "to shared", .right = true},
    {FACT_AT(struct division, l1), .head = "left to L1", .right = true},
    {FACT(struct division, shared_bytes)},
    {FACT(struct division, l1_bytes), WHEN(struct division, parts)},
    {FACT(struct division, blocks), .head = "blocks that fit", .right = true},
    {FACT_AT(struct division, note), .head = ""},
    {.name = NULL},
};

static struct division division_at(const struct capability *c, int i,
                                   const struct device_props *p, uint64_t asked)
{
    const uint64_t shared = (uint64_t)c->shared_kb[i] * 1024;
    const int64_t blocks = division_blocks(p, shared, asked);
    struct division d = {.kb = c->shared_kb[i], .shared_bytes = shared, .blocks = blocks,
                         .l1_bytes = (uint64_t)c->l1_and_shared_kb * 1024 - shared,
                         .parts = c->l1_and_shared_kb, .l1 = "its own",
                         .note = blocks == 0                  ? "too little for one"
                                 : shared == p->shared_per_sm ? "the most"
                                                              : ""};
    if (d.parts)
        snprintf(d.l1, sizeof d.l1, "%d KiB", c->l1_and_shared_kb - d.kb);
    return d;
}

void say_divisions(struct report *r, const struct device_props *p, uint64_t asked)
{
    const struct capability *c = division_of(p);
    struct division rows[SPLITS_MOST];
    int n = 0;
    for (; c && c->shared_kb[n] >= 0; n++)
        rows[n] = division_at(c, n, p, asked);
    facts_json_rows(division_facts, "carveouts", rows, (size_t)n, sizeof rows[0], &r->result);
    facts_say_rows(division_facts, rows, (size_t)n, sizeof rows[0], 2, r);
}

/* ---- the memories ----------------------------------------------------------------------- */

enum { NOT_COUNTED = -1, SIZE = 160 };
struct memory {
    const char *name, *declared, *reached, *lives;
    int loads_at; /* offset of the counter of its loads */
    uint64_t (*size)(const struct device_props *, char out[SIZE]); /* 0: not known */
};

static uint64_t size_registers(const struct device_props *p, char out[SIZE])
{
    char sm[NUM_TEXT];
    char thread[NUM_TEXT];
    snprintf(out, SIZE, "%s B per thread, %s per SM",
             num_group(4 * p->registers_per_thread, thread),
             num_bytes((uint64_t)p->registers_per_sm * 4, sm));
    return 4 * (uint64_t)p->registers_per_thread;
}

static uint64_t size_local(const struct device_props *p, char out[SIZE])
{
    (void)p;
    snprintf(out, SIZE, "512 KiB per thread, in global memory");
    return 512 * 1024;
}

static uint64_t size_shared(const struct device_props *p, char out[SIZE])
{
    char block[NUM_TEXT], opted[NUM_TEXT], sm[NUM_TEXT];
    num_bytes(p->shared_per_block, block);
    num_bytes(p->shared_per_sm, sm);
    if (p->shared_per_block_optin > p->shared_per_block)
        snprintf(out, SIZE, "%s per block, %s on request, %s per SM", block,
                 num_bytes(p->shared_per_block_optin, opted), sm);
    else
        snprintf(out, SIZE, "%s per block, %s per SM", block, sm);
    return p->shared_per_block;
}

static uint64_t size_l1(const struct device_props *p, char out[SIZE])
{
    const struct capability *d = division_of(p);
    if (d && d->l1_and_shared_kb)
        snprintf(out, SIZE, "%d KiB per SM, minus shared memory", d->l1_and_shared_kb);
    else
        snprintf(out, SIZE, "%s", d ? "separate from shared memory" : "not known");
    return d ? (uint64_t)d->l1_and_shared_kb * 1024 : 0;
}

static uint64_t size_constant(const struct device_props *p, char out[SIZE])
{
    char whole[NUM_TEXT];
    snprintf(out, SIZE, "%s, in global memory, cached", num_bytes(p->const_bytes, whole));
    return p->const_bytes;
}

static uint64_t size_texture(const struct device_props *p, char out[SIZE])
{
    (void)p;
    snprintf(out, SIZE, "in global memory, cached");
    return 0;
}

static uint64_t size_l2(const struct device_props *p, char out[SIZE])
{
    char whole[NUM_TEXT];
    snprintf(out, SIZE, "%s", p->l2_bytes ? num_bytes(p->l2_bytes, whole) : "not known");
    return p->l2_bytes;
}

static uint64_t size_global(const struct device_props *p, char out[SIZE])
{
    num_bytes(p->global_bytes, out);
    return p->global_bytes;
}

#define LOADS(of) (int)offsetof(struct counters, of)
static const struct memory memories[] = {
    {"register", "int x;", "a thread", "its thread", NOT_COUNTED, size_registers},
    {"local", "int x[4]; x[k]", "a thread", "its thread", LOADS(local_load_requests), size_local},
    {"shared", "__shared__", "a block", "its block", LOADS(shared_load_requests), size_shared},
    {"L1", "", "an SM", "not fixed", NOT_COUNTED, size_l1},
    {"constant", "__constant__", "all, to read", "the program", LOADS(constant_load_requests),
     size_constant},
    {"texture", "tex1D()", "all, to read", "until freed", LOADS(texture_requests), size_texture},
    {"L2", "", "all", "not fixed", NOT_COUNTED, size_l2},
    {"global", "cudaMalloc", "all, and host", "until freed", LOADS(global_load_requests),
     size_global},
};
enum { MEMORIES = sizeof memories / sizeof memories[0] };

struct memory_here {
    struct memory m;
    char size[SIZE];
    uint64_t bytes, loads;
    bool counted;
};

static const struct fact memory_facts[] = {
    {.name = "memory", FACT_AT(struct memory_here, m.name), .head = "memory"},
    {FACT(struct memory_here, size), .head = "size", .folds = true},
    {FACT(struct memory_here, bytes), .if_set = true},
    {.name = "declared", FACT_AT(struct memory_here, m.declared), .if_set = true},
    {.name = "reached_by", FACT_AT(struct memory_here, m.reached), .head = "used by", .tells = "used by %"},
    {.name = "lives", FACT_AT(struct memory_here, m.lives), .head = "lifetime"},
    {.name = "load_requests", FACT_AT(struct memory_here, loads),
     WHEN(struct memory_here, counted), .head = "loads", .right = true, .stays = true},
    {.name = NULL},
};

void say_memories(struct report *r, const struct device_props *p, const struct counters *touched)
{
    struct memory_here rows[MEMORIES];
    for (int i = 0; i < MEMORIES; i++) {
        const struct memory *m = &memories[i];
        rows[i] = (struct memory_here){.m = *m, .counted = touched && m->loads_at != NOT_COUNTED};
        rows[i].bytes = m->size(p, rows[i].size);
        if (rows[i].counted)
            memcpy(&rows[i].loads, (const char *)touched + m->loads_at, sizeof rows[i].loads);
    }
    facts_say_rows(memory_facts, rows, MEMORIES, sizeof rows[0], 0, r);
    facts_json_rows(memory_facts, "memories", rows, MEMORIES, sizeof rows[0], &r->result);
}

/* ---- the textbook's table 6.7 ----------------------------------------------------------- */

void json_table_6_7(struct report *r)
{
    static const char *const book[] = {"quadro600", "gk20a", "titanx"};
    enum { CLAIMED = 504 }; /* what the textbook says for all three */
    json_array(&r->result, "table_6_7");
    for (int i = 0; i < 3; i++) {
        const struct device_props p = card_props(card_named(book[i]));
        json_object(&r->result, NULL);
        json_text(&r->result, "card", p.name);
        json_int(&r->result, "claimed_bytes", CLAIMED);
        json_int(&r->result, "bytes", 4 * p.registers_per_thread);
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
}
