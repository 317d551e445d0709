/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of the table, and how an SM divides its memory.
 */
#include "labkit/memories.h"

#include "screen/picture.h"
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

void say_divisions(struct report *r, const struct device_props *p, uint64_t asked)
{
    static const struct table_column columns[] = {{.head = "to shared", .right = true},
                                                  {.head = "left to L1", .right = true},
                                                  {.head = "blocks that fit", .right = true},
                                                  {.head = ""}};
    const struct capability *d = division_of(p);
    struct table t;
    json_array(&r->result, "carveouts");
    table_begin(&t, columns, 4, 2);
    for (int i = 0; d && d->shared_kb[i] >= 0; i++) {
        uint64_t shared = (uint64_t)d->shared_kb[i] * 1024;
        int64_t blocks = division_blocks(p, shared, asked);
        bool most = shared == p->shared_per_sm;
        table_cell(&t, "%d KB", d->shared_kb[i]);
        if (d->l1_and_shared_kb)
            table_cell(&t, "%d KB", d->l1_and_shared_kb - d->shared_kb[i]);
        else
            table_cell(&t, "its own");
        table_cell(&t, "%lld", (long long)blocks);
        table_cell(&t, "%s", blocks == 0 ? "too little for one" : most ? "the most" : "");
        json_object(&r->result, NULL);
        json_uint(&r->result, "shared_bytes", shared);
        if (d->l1_and_shared_kb)
            json_uint(&r->result, "l1_bytes", (uint64_t)d->l1_and_shared_kb * 1024 - shared);
        json_int(&r->result, "blocks", blocks);
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
    say_table(r, &t);
}

/* ---- the memories ----------------------------------------------------------------------- */

enum { NOT_COUNTED = -1, SIZE = 160 };
struct memory {
    const char *name, *declared, *reached, *lives;
    int loads; /* offset of the counter of its loads */
    uint64_t (*size)(const struct device_props *, char out[SIZE]); /* 0: not known */
};

static uint64_t size_registers(const struct device_props *p, char out[SIZE])
{
    char sm[NUM_TEXT];
    char thread[NUM_TEXT];
    snprintf(out, SIZE, "%s bytes a thread, %s an SM",
             num_group(4 * p->registers_per_thread, thread),
             num_bytes((uint64_t)p->registers_per_sm * 4, sm));
    return 4 * (uint64_t)p->registers_per_thread;
}

static uint64_t size_local(const struct device_props *p, char out[SIZE])
{
    (void)p;
    snprintf(out, SIZE, "512 KB a thread, in global memory");
    return 512 * 1024;
}

static uint64_t size_shared(const struct device_props *p, char out[SIZE])
{
    char block[NUM_TEXT], opted[NUM_TEXT], sm[NUM_TEXT];
    num_bytes(p->shared_per_block, block);
    num_bytes(p->shared_per_sm, sm);
    if (p->shared_per_block_optin > p->shared_per_block)
        snprintf(out, SIZE, "%s a block, %s if asked for, %s an SM", block,
                 num_bytes(p->shared_per_block_optin, opted), sm);
    else
        snprintf(out, SIZE, "%s a block, %s an SM", block, sm);
    return p->shared_per_block;
}

static uint64_t size_l1(const struct device_props *p, char out[SIZE])
{
    const struct capability *d = division_of(p);
    if (d && d->l1_and_shared_kb)
        snprintf(out, SIZE, "%d KB an SM, less what is shared", d->l1_and_shared_kb);
    else
        snprintf(out, SIZE, "%s", d ? "apart from shared" : "not known");
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
    snprintf(out, SIZE, "what it is made of: global memory");
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
    {"L1", "", "an SM", "by itself", NOT_COUNTED, size_l1},
    {"constant", "__constant__", "all, to read", "the program", LOADS(constant_load_requests),
     size_constant},
    {"texture", "tex1D()", "all, to read", "the program", LOADS(texture_requests), size_texture},
    {"L2", "", "all", "by itself", NOT_COUNTED, size_l2},
    {"global", "cudaMalloc", "all, and host", "until freed", LOADS(global_load_requests),
     size_global},
};
enum { MEMORIES = sizeof memories / sizeof memories[0] };

static void put_memory(const struct memory *m, const struct device_props *p,
                       const struct counters *touched, struct table *t, struct json *j)
{
    char size[SIZE];
    uint64_t loads = 0;
    bool counted = touched && m->loads != NOT_COUNTED;
    const uint64_t bytes = m->size(p, size);
    table_cell(t, "%s", m->name);
    table_cell(t, "%s", size);
    table_cell(t, "%s", m->reached);
    table_cell(t, "%s", m->lives);
    json_object(j, NULL);
    json_text(j, "memory", m->name);
    json_text(j, "size", size);
    if (bytes)
        json_uint(j, "bytes", bytes);
    if (m->declared[0])
        json_text(j, "declared", m->declared);
    json_text(j, "reached_by", m->reached);
    json_text(j, "lives", m->lives);
    if (counted) {
        memcpy(&loads, (const char *)touched + m->loads, sizeof loads);
        table_cell(t, "%llu", (unsigned long long)loads);
        json_uint(j, "load_requests", loads);
    } else {
        table_cell(t, "-");
    }
    json_end_object(j);
}

void say_memories(struct report *r, const struct device_props *p, const struct counters *touched)
{
    static const struct table_column columns[] = {{.head = "memory"},
                                                  {.head = "here", .folds = true},
                                                  {.head = "reached by"},
                                                  {.head = "lives"},
                                                  {.head = "loads", .right = true}};
    struct table t;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    json_array(&r->result, "memories");
    for (int i = 0; i < MEMORIES; i++)
        put_memory(&memories[i], p, touched, &t, &r->result);
    json_end_array(&r->result);
    say_table(r, &t);
}

/* ---- the textbook's table 6.7 ----------------------------------------------------------- */

void json_table_6_7(struct report *r)
{
    static const char *const book[] = {"quadro600", "gk20a", "titanx"};
    enum { CLAIMED = 504 }; /* on all three */
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
