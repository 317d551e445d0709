/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel becomes a list of pieces. A piece is fixed, as an opcode or a constant is, or it is a
 * thing that has a name, as a register. Things are numbered in the order of their use whenever a hash is
 * taken of some of the instructions.
 */
#include "ptx/normal.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_MOST = 1000, NESTED_MOST = 100 };

struct normal_piece {
    uint64_t fixed;      /* the same in every program */
    uint64_t only_whole; /* counts only in the hash of the whole kernel */
    uint64_t thing;      /* which one is meant; 0: none */
    uint32_t number;     /* of the thing, from 0 */
};

struct normalizer {
    const struct ptx_module *module;
    const struct ptx_function *in; /* whose instructions are read */
    const struct ptx_function *functions[FUNCTIONS_MOST];
    unsigned function_count;
    struct normal_piece *pieces;
    size_t piece_count, piece_room;
    size_t *begins; /* of each instruction: its first piece; one more for the end */
    size_t begin_count, begin_room;
    uint32_t things;
    uint32_t *named;   /* of each thing: its number in the hash that is taken now */
    uint32_t *taken;   /* and of which hash that number is */
    bool failed;
};

/* ---- pieces ---------------------------------------------------------------------------- */

static void put(struct normalizer *n, struct normal_piece p)
{
    if (n->failed || mem_grow(&allocator_libc, (void **)&n->pieces, &n->piece_room, n->piece_count,
                              sizeof *n->pieces) != 0)
        n->failed = true;
    else
        n->pieces[n->piece_count++] = p;
}

static void put_fixed(struct normalizer *n, uint64_t value)
{
    put(n, (struct normal_piece){.fixed = value});
}

static void put_text(struct normalizer *n, const char *text)
{
    put_fixed(n, hash_bytes(HASH_START, text, strlen(text)));
}

/* A thing is known by an address and a number. 0 is no thing. */
static void put_thing(struct normalizer *n, uint64_t kind, uint64_t only_whole, const void *which,
                      uint32_t index)
{
    uint64_t thing = hash_bytes(HASH_START, &which, sizeof which);
    thing = hash_bytes(thing, &index, sizeof index);
    put(n, (struct normal_piece){.fixed = kind, .only_whole = only_whole,
                                 .thing = thing ? thing : 1});
}

static int position_of(const struct ptx_variable *list, const struct ptx_variable *wanted)
{
    int at = 0;
    for (; list && list != wanted; list = list->next)
        at++;
    return list ? at : -1;
}

/* The length of an array counts only in the hash of the whole kernel, since everybody may choose it.
 * The length of a text is dropped with the text. */
static void put_variable(struct normalizer *n, const struct ptx_variable *v, uint32_t index)
{
    const int at = v->space == PTX_PARAM ? position_of(n->in->params, v) : -1;
    const uint64_t facts[] = {v->space, v->type, v->vector};
    const uint64_t length = v->init_count || v->space == PTX_REG ? 0 : v->count;
    if (at >= 0) {
        put_text(n, "parameter");
        put_fixed(n, (uint64_t)at);
    } else {
        put_thing(n, hash_bytes(HASH_START, facts, sizeof facts), length, v, index);
    }
}

/* ---- operands -------------------------------------------------------------------------- */

static void put_place(struct normalizer *n, uint32_t here, int64_t at)
{
    put(n, (struct normal_piece){.fixed = at > (int64_t)here ? 1 : 2,
                          .only_whole = (uint64_t)(at - (int64_t)here)});
}

static bool put_targets(struct normalizer *n, const char *name, uint32_t here)
{
    const struct ptx_targets *t = ptx_targets_named(n->in, name);
    for (unsigned i = 0; t && i < t->count; i++)
        put_place(n, here, ptx_label_at(n->in, t->labels[i]));
    return t != NULL;
}

static void put_function(struct normalizer *n, const struct ptx_function *f)
{
    unsigned i = 0;
    while (i < n->function_count && n->functions[i] != f)
        i++;
    if (i == n->function_count && i < FUNCTIONS_MOST)
        n->functions[n->function_count++] = f;
    put_thing(n, 3, 0, f, 0);
}

/* A name that is no variable: a label, a list of labels, or a function. */
static void put_name(struct normalizer *n, const char *name, uint32_t here)
{
    const int64_t label = ptx_label_at(n->in, name);
    const struct ptx_function *f = label < 0 ? ptx_function_named(n->module, name) : NULL;
    if (label >= 0)
        put_place(n, here, label);
    else if (f && f->has_body)
        put_function(n, f);
    else if (f || !put_targets(n, name, here))
        put_text(n, name);
}

static void put_operand(struct normalizer *n, const struct ptx_operand *o, uint32_t here,
                        unsigned depth)
{
    const uint64_t head[] = {o->kind, o->negated, o->bits, (uint64_t)o->offset, o->item_count};
    put_fixed(n, hash_bytes(HASH_START, head, sizeof head));
    if (depth == NESTED_MOST)
        return;
    if (o->component)
        put_text(n, o->component);
    if (o->base)
        put_operand(n, o->base, here, depth + 1);
    else if (o->var)
        put_variable(n, o->var, o->index);
    else if (o->name && o->kind == PTX_OP_SPECIAL)
        put_text(n, o->name);
    else if (o->name)
        put_name(n, o->name, here);
    for (unsigned i = 0; i < o->item_count; i++)
        put_operand(n, &o->items[i], here, depth + 1);
    if (o->pair)
        put_operand(n, o->pair, here, depth + 1);
}

static void begin_instruction(struct normalizer *n)
{
    if (n->failed || mem_grow(&allocator_libc, (void **)&n->begins, &n->begin_room, n->begin_count,
                              sizeof *n->begins) != 0)
        n->failed = true;
    else
        n->begins[n->begin_count++] = n->piece_count;
}

static void put_instruction(struct normalizer *n, const struct ptx_instruction *i, uint32_t here)
{
    begin_instruction(n);
    put_text(n, i->opcode);
    if (i->guard_var) {
        put_fixed(n, i->guard_negated ? 5 : 4);
        put_variable(n, i->guard_var, i->guard_index);
    }
    for (unsigned k = 0; k < i->operand_count; k++)
        put_operand(n, &i->operands[k], here, 0);
}

/* The kernel, then what it calls: the list grows meanwhile. */
static void put_functions(struct normalizer *n)
{
    for (unsigned f = 0; f < n->function_count; f++) {
        n->in = n->functions[f];
        for (uint32_t i = 0; i < n->in->code_count; i++)
            put_instruction(n, &n->in->code[i], i);
    }
}

/* ---- numbers for things ------------------------------------------------------------------ */

static int by_thing(const void *a, const void *b)
{
    const struct normal_piece *const *x = a, *const *y = b;
    return ((*x)->thing > (*y)->thing) - ((*x)->thing < (*y)->thing);
}

static int number_things(struct normalizer *n, struct arena *arena)
{
    struct normal_piece **sorted = arena_alloc(arena, (n->piece_count + 1) * sizeof *sorted);
    size_t count = 0;
    if (!sorted)
        return -1;
    for (size_t i = 0; i < n->piece_count; i++)
        if (n->pieces[i].thing)
            sorted[count++] = &n->pieces[i];
    qsort(sorted, count, sizeof *sorted, by_thing);
    for (size_t i = 0; i < count; i++) {
        n->things += i > 0 && sorted[i]->thing != sorted[i - 1]->thing;
        sorted[i]->number = n->things;
    }
    n->things++;
    n->named = arena_alloc(arena, n->things * sizeof *n->named);
    n->taken = arena_alloc(arena, n->things * sizeof *n->taken);
    return n->named && n->taken ? 0 : -1;
}

/* ---- hashes ------------------------------------------------------------------------------ */

/* hash: a number from 1, another one each time. */
static uint64_t hash_of(struct normalizer *n, size_t first, size_t count, uint32_t hash, bool whole)
{
    const size_t end = n->begins[first + count];
    uint64_t h = HASH_START;
    uint32_t used = 0;
    for (size_t i = n->begins[first]; i < end; i++) {
        const struct normal_piece *p = &n->pieces[i];
        uint64_t says[3] = {p->fixed, whole ? p->only_whole : 0, 0};
        if (p->thing && n->taken[p->number] != hash) {
            n->taken[p->number] = hash;
            n->named[p->number] = ++used;
        }
        says[2] = p->thing ? n->named[p->number] : 0;
        h = hash_words(h, says, sizeof says);
    }
    return h;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has_run(const struct ptx_normal *n, uint64_t run)
{
    return n && n->run_count && bsearch(&run, n->runs, n->run_count, sizeof run, by_value);
}

static int take_runs(struct normalizer *n, const struct ptx_normal *skeleton, struct arena *arena,
                     struct ptx_normal *out)
{
    const size_t all = n->begin_count - 1, length = all < PTX_RUN ? all : PTX_RUN;
    bool *given = arena_alloc(arena, all + 1);
    out->runs = arena_alloc(arena, (all + 1) * sizeof *out->runs);
    if (!given || !out->runs)
        return -1;
    for (size_t i = 0; all && i + length <= all; i++) {
        const uint64_t run = hash_of(n, i, length, (uint32_t)i + 2, false);
        if (has_run(skeleton, run))
            memset(given + i, true, length);
        else
            out->runs[out->run_count++] = run;
    }
    for (size_t i = 0; i < all; i++)
        out->instructions += !given[i];
    qsort(out->runs, out->run_count, sizeof *out->runs, by_value);
    return 0;
}

int ptx_normal_of(const struct ptx_module *module, const struct ptx_function *kernel,
                  const struct ptx_normal *skeleton, struct arena *arena, struct ptx_normal *out)
{
    struct arena memory = {0};
    struct normalizer *n = arena_alloc(&memory, sizeof *n);
    int rc = -1;
    *out = (struct ptx_normal){0};
    if (!n)
        return -1;
    n->module = module;
    n->functions[n->function_count++] = kernel;
    put_functions(n);
    begin_instruction(n);
    if (!n->failed && number_things(n, &memory) == 0) {
        out->whole = hash_of(n, 0, n->begin_count - 1, 1, true);
        rc = take_runs(n, skeleton, arena, out);
    }
    mem_free(&allocator_libc, n->pieces, n->piece_room * sizeof *n->pieces);
    mem_free(&allocator_libc, n->begins, n->begin_room * sizeof *n->begins);
    arena_free(&memory);
    return rc;
}

/* ---- comparing --------------------------------------------------------------------------- */

int ptx_normal_join(struct ptx_normal *all, const struct ptx_normal *more, struct arena *arena)
{
    const size_t count = all->run_count + more->run_count;
    uint64_t *runs = arena_alloc(arena, (count + 1) * sizeof *runs);
    if (!runs)
        return -1;
    for (size_t i = 0; i < count; i++)
        runs[i] = i < all->run_count ? all->runs[i] : more->runs[i - all->run_count];
    qsort(runs, count, sizeof *runs, by_value);
    all->runs = runs;
    all->run_count = count;
    return 0;
}

double ptx_normal_share(const struct ptx_normal *a, const struct ptx_normal *b)
{
    size_t i = 0, k = 0, both = 0;
    const size_t count = a->run_count + b->run_count;
    while (i < a->run_count && k < b->run_count) {
        const uint64_t x = a->runs[i], y = b->runs[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    return count ? 2.0 * (double)both / (double)count : 0;
}
