/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counting rules: figures that were read off an H100's profiler, and a second, slow and
 * plain implementation to compare with on many patterns of addresses.
 */
#include "obs/count.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests;

static void check(int good, const char *name)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
}

/* ---- the rules once more, word by word ------------------------------------------------- */

static int order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sort and drop repetitions; how many are left. */
static unsigned distinct(uint64_t *v, unsigned n)
{
    unsigned kept = 0;
    qsort(v, n, sizeof *v, order);
    for (unsigned i = 0; i < n; i++)
        if (i == 0 || v[i] != v[i - 1])
            v[kept++] = v[i];
    return kept;
}

static unsigned slow_sectors(const uint64_t *address, uint32_t mask, unsigned bytes)
{
    uint64_t touched[32 * 16];
    unsigned n = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned b = 0; mask >> lane & 1 && b < bytes; b++)
            touched[n++] = (address[lane] + b) / 32;
    return distinct(touched, n);
}

/* The most distinct words in any bank among these lanes; *words: all distinct ones. */
static unsigned slow_depth(const uint64_t *address, uint32_t mask, unsigned bytes, unsigned *words)
{
    uint64_t word[32 * 16];
    unsigned n = 0, most = 0, depth[32] = {0};
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned b = 0; mask >> lane & 1 && b < bytes; b++)
            word[n++] = (address[lane] + b) / 4;
    n = distinct(word, n);
    for (unsigned i = 0; i < n; i++)
        if (++depth[word[i] % 32] > most)
            most = depth[word[i] % 32];
    *words = n;
    return most;
}

static int slow_paired(const uint64_t *address, uint32_t mask, unsigned apart)
{
    for (unsigned lane = 0; lane < 32; lane++)
        if ((mask >> lane & 1) && (mask >> (lane ^ apart) & 1) &&
            address[lane] != address[lane ^ apart])
            return 0;
    return 1;
}

static struct wavefronts slow_wavefronts(const uint64_t *address, uint32_t mask, unsigned bytes,
                                         bool store)
{
    struct wavefronts w = {0, 0, 0};
    unsigned ignored, lanes = bytes <= 4 ? 32 : 128 / bytes;
    if (bytes > 4 && !store && (slow_paired(address, mask, 1) || slow_paired(address, mask, 2)))
        lanes *= 2;
    for (unsigned at = 0; at < 32; at += lanes) {
        uint32_t part = 0;
        for (unsigned lane = at; lane < at + lanes; lane++)
            part |= mask & UINT32_C(1) << lane;
        unsigned depth = slow_depth(address, part, bytes, &ignored);
        w.ideal += part != 0;
        w.wavefronts += depth;
        w.degree = depth > w.degree ? depth : w.degree;
    }
    return w;
}

/* ---- patterns -------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Five shapes of addresses, all aligned to `bytes`. */
static void make_pattern(uint64_t *address, unsigned shape, unsigned bytes, uint64_t *state)
{
    uint64_t base = next_random(state) % 1000 * bytes, stride = next_random(state) % 70 * bytes;
    uint64_t range = 1 + next_random(state) % 300;
    for (unsigned lane = 0; lane < 32; lane++)
        switch (shape) {
        case 0: address[lane] = base + lane * stride; break;
        case 1: address[lane] = base + (31 - lane) * stride; break;
        case 2: address[lane] = base + lane / (1 + range % 8) * stride; break;
        case 3: address[lane] = base + lane % (1 + range % 16) * stride; break;
        default: address[lane] = base + next_random(state) % range * bytes; break;
        }
}

static uint32_t make_mask(unsigned choice, uint64_t *state)
{
    uint32_t random = (uint32_t)(next_random(state) << 16 ^ next_random(state));
    switch (choice) {
    case 0: return UINT32_C(0xFFFFFFFF);
    case 1: return UINT32_C(1) << random % 32;
    case 2: return (UINT32_C(1) << random % 32) - 1;
    case 3: return UINT32_C(0xFFFF);
    default: return random;
    }
}

static int same(struct wavefronts a, struct wavefronts b)
{
    return a.wavefronts == b.wavefronts && a.ideal == b.ideal && a.degree == b.degree;
}

static void compare_random(unsigned bytes)
{
    uint64_t state = bytes, address[32];
    unsigned wrong_sectors = 0, wrong_waves = 0;
    char name[80];
    for (unsigned i = 0; i < 5000; i++) {
        make_pattern(address, i % 5, bytes, &state);
        uint32_t mask = make_mask(i / 5 % 5, &state);
        wrong_sectors += count_sectors(address, mask, bytes) != slow_sectors(address, mask, bytes);
        for (int store = 0; store < 2; store++)
            wrong_waves += !same(count_wavefronts(address, mask, bytes, store),
                                 slow_wavefronts(address, mask, bytes, store));
    }
    snprintf(name, sizeof name, "%u bytes a lane: sectors as counted one by one", bytes);
    check(wrong_sectors == 0, name);
    snprintf(name, sizeof name, "%u bytes a lane: wavefronts as counted one by one", bytes);
    check(wrong_waves == 0, name);
}

/* Accesses that lie across the edge of a sector count both. */
static void compare_straddling(void)
{
    uint64_t state = 7, address[32];
    unsigned wrong = 0;
    for (unsigned i = 0; i < 3000; i++) {
        unsigned bytes = 1u << i % 5;
        make_pattern(address, i % 5, bytes, &state);
        for (unsigned lane = 0; lane < 32; lane++)
            address[lane] += i % 7;
        uint32_t mask = make_mask(i / 5 % 5, &state);
        wrong += count_sectors(address, mask, bytes) != slow_sectors(address, mask, bytes);
    }
    check(wrong == 0, "sectors of accesses that lie across an edge");
}

/* ---- known figures --------------------------------------------------------------------- */

struct known {
    unsigned bytes, stride;
    uint32_t mask;
    unsigned wavefronts, conflicts, degree;
};

/* stride counts elements */
static const struct known known[] = {
    {4, 1, 0xFFFFFFFF, 1, 0, 1},     {4, 0, 0xFFFFFFFF, 1, 0, 1},  {4, 2, 0xFFFFFFFF, 2, 1, 2},
    {4, 32, 0xFFFFFFFF, 32, 31, 32}, {4, 33, 0xFFFFFFFF, 1, 0, 1}, {4, 16, 0xFFFFFFFF, 16, 15, 16},
    {4, 32, 0x0000000F, 4, 3, 4},    {1, 1, 0xFFFFFFFF, 1, 0, 1},  {2, 1, 0xFFFFFFFF, 1, 0, 1},
    {8, 1, 0xFFFFFFFF, 2, 0, 1},     {8, 2, 0xFFFFFFFF, 4, 2, 2},  {8, 0, 0xFFFFFFFF, 1, 0, 1},
    {8, 1, 0x0000FFFF, 1, 0, 1},     {16, 1, 0xFFFFFFFF, 4, 0, 1}, {16, 2, 0xFFFFFFFF, 8, 4, 2},
    {16, 0, 0xFFFFFFFF, 2, 0, 1},    {16, 1, 0x000000FF, 1, 0, 1}, {16, 1, 0x00000001, 1, 0, 1},
};

static void check_known(const struct known *k)
{
    uint64_t address[32];
    char name[100];
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] = (uint64_t)lane * k->stride * k->bytes;
    struct wavefronts w = count_wavefronts(address, k->mask, k->bytes, false);
    snprintf(name, sizeof name, "%u bytes at stride %u, lanes %08x: %u wavefronts", k->bytes,
             k->stride, (unsigned)k->mask, k->wavefronts);
    check(w.wavefronts == k->wavefronts && w.wavefronts - w.ideal == k->conflicts &&
              w.degree == k->degree,
          name);
}

static void check_sectors(void)
{
    uint64_t address[32];
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] = 4096 + lane * 4;
    check(count_sectors(address, 0xFFFFFFFF, 4) == 4, "32 floats side by side: 4 sectors");
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] += 4;
    check(count_sectors(address, 0xFFFFFFFF, 4) == 5, "shifted by one float: 5 sectors");
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] = 4096 + lane * 4096;
    check(count_sectors(address, 0xFFFFFFFF, 4) == 32, "a column of a matrix: 32 sectors");
    check(count_sectors(address, 0, 4) == 0, "no lane, no sector");
}

/* ---- events and tally ------------------------------------------------------------------ */

static void send(const struct sim_observer *o, enum sim_space space, enum sim_access_kind kind,
                 uint32_t mask)
{
    static const uint64_t address[32];
    const struct sim_instruction code = {.kind = SIM_CLASS_LOAD, .space = space};
    const struct sim_at at = {.code = &code, .mask = mask};
    const struct sim_access a = {.kind = kind, .space = space, .bytes = 4, .address = address};
    (kind == SIM_LOAD    ? o->hooks->load
     : kind == SIM_STORE ? o->hooks->store
                         : o->hooks->atomic)(o->self, &at, &a);
}

static void check_events(void)
{
    struct counters c = {0};
    struct sim_observer o = count_observer(&c);
    check(!o.hooks->instruction && o.hooks->begin && !o.hooks->repeated,
          "the observer asks for accesses, and for the begin");
    c.branches = 7;
    o.hooks->begin(o.self, NULL);
    check(c.branches == 0, "at which its counters are zero");
    send(&o, SIM_GLOBAL, SIM_LOAD, 0xFF);
    send(&o, SIM_GLOBAL, SIM_STORE, 1);
    send(&o, SIM_GLOBAL, SIM_LOAD, 0);
    send(&o, SIM_GLOBAL, SIM_ATOMIC, 0x3);
    send(&o, SIM_GLOBAL, SIM_REDUCE, 0x7);
    send(&o, SIM_SHARED, SIM_REDUCE, 0xF);
    send(&o, SIM_SHARED, SIM_LOAD, 0xFFFFFFFF);
    send(&o, SIM_LOCAL, SIM_STORE, 1);
    send(&o, SIM_CONST, SIM_LOAD, 1);
    send(&o, SIM_PARAM, SIM_LOAD, 1);
    struct counters want = {.global_load_requests = 1,
                            .global_load_sectors = 1,
                            .global_store_requests = 1,
                            .global_store_sectors = 1,
                            .global_atomic_requests = 2,
                            .global_atomics = 5,
                            .shared_atomic_requests = 1,
                            .shared_atomics = 4,
                            .shared_load_requests = 1,
                            .shared_load_wavefronts = 1,
                            .local_store_requests = 1,
                            .constant_load_requests = 1};
    check(memcmp(&c, &want, sizeof c) == 0, "each access goes to its own counters");
}

static void check_tally(void)
{
    const struct sim_instruction code[] = {{.kind = SIM_CLASS_ALU},
                                           {.kind = SIM_CLASS_BRANCH},
                                           {.kind = SIM_CLASS_BARRIER},
                                           {.kind = SIM_CLASS_SHUFFLE},
                                           {.kind = SIM_CLASS_HIDDEN}};
    const struct sim_tally tally[] = {
        {.warps = 4, .lanes = 100, .off = 16, .absent = 12}, {.warps = 4, .lanes = 60, .diverged = 2},
        {.warps = 3, .lanes = 96}, {.warps = 5, .lanes = 160}, {9, 9, 9, 9, 9}};
    const struct sim_result r = {.code = code, .tally = tally, .code_count = 5};
    struct counters c = {0};
    count_tally(&c, &r);
    struct counters want = {.warp_instructions = 16,
                            .thread_instructions = 416,
                            .guarded_off = 16,
                            .absent = 12,
                            .branches = 4,
                            .divergent_branches = 2,
                            .barriers = 3,
                            .shuffles = 5};
    check(memcmp(&c, &want, sizeof c) == 0, "the tally adds up by kind; hidden ones don't count");
}

int main(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        check_known(&known[i]);
    check_sectors();
    for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
        compare_random(bytes);
    compare_straddling();
    check_events();
    check_tally();
    check(strcmp(counter_names[0].name, "warp_instructions") == 0 &&
              counter_names[offsetof(struct counters, guarded_off) / sizeof(uint64_t)].name == NULL,
          "the list of names has what is reported");
    printf("1..%d\n", tests);
    return 0;
}
