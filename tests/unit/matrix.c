/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters and faults of matrix instructions. An instruction counts once, although it makes several
 * accesses. A matrix in shared memory takes as many wavefronts as its rows need. Missing lanes and
 * rows that are not aligned are faults. tiles.c tests the results of these instructions.
 */
#include "obs/count.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 4 }; /* instructions before the tested one; ret is after it */

static int tests, bad;

static void check(bool good, const char *what, const char *why)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
    if (!good)
        printf("# %s\n", why);
}

/* Runs a kernel of one block. `body` gets the thread's number in %r1, the shared address of byte
 * 16 * %r1 in %r3, and the address of 8192 bytes of global memory in %d1. */
static const struct sim_result *run(struct sim *s, const char *body, unsigned threads,
                                    struct counters *c, struct sim_run **keep)
{
    char text[4096];
    uint64_t memory;
    struct sim_observer see = count_observer(c);
    int n = snprintf(text, sizeof text,
                     ".version 8.7\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out)\n{\n.shared .align 32 .b8 room[8192];\n"
                     ".reg .b32 %%r<16>;\n.reg .b64 %%d<4>;\n.reg .pred %%p<2>;\n"
                     "ld.param.u64 %%d1, [out];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, room;\n"
                     "mad.lo.u32 %%r3, %%r1, 16, %%r2;\n%s\nret;\n}\n", body);
    memset(c, 0, sizeof *c);
    struct sim_module *m = sim_module_load(s, "k.ptx", text, (size_t)n);
    struct sim_launch l = {SIM_LAUNCH, .grid = {1, 1, 1}, .block = {threads, 1, 1},
                           .params = &memory, .observers = &see, .observer_count = 1};
    l.kernel = m ? sim_kernel_find(m, "k") : NULL;
    if (!l.kernel || l.kernel->closed || sim_malloc(s, 8192, "out", &memory) != 0 ||
        !(*keep = sim_start(s, &l))) {
        printf("Bail out! %s\n", l.kernel && l.kernel->closed ? l.kernel->closed : sim_message(s));
        return NULL;
    }
    while (sim_step(*keep, 1 << 20) == SIM_RUNNING)
        ;
    count_tally(c, sim_result(*keep));
    return sim_result(*keep);
}

/* ---- counters ---------------------------------------------------------------------------- */

static const struct {
    const char *text;
    unsigned loads, load_wavefronts, stores, store_wavefronts, global_loads, global_stores;
} counted[] = {
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3];", 0, 1, 0, 0, 0, 0},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4, %r5}, [%r3];", 0, 2, 0, 0, 0, 0},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r3];", 0, 4, 0, 0, 0, 0},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%r1, %r1, %r1, %r1};", 0, 0, 1, 4, 0, 0},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r1;", 0, 0, 0, 0, 0, 0},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r1}, {%r1}, {%r1, %r1};",
     0, 0, 0, 0, 0, 0},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r4, %r5}, [%d1], 16;", 0, 0, 0, 0, 2, 0},
    {"wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r4, %r5}, [%d1], 8;", 0, 0, 0, 0, 1, 0},
    {"wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [%d1], {%r1, %r1}, 8;", 0, 0, 0, 0, 0, 1},
    {"wmma.store.d.sync.aligned.col.m8n8k32.global.s32 [%d1], {%r1, %r1}, 8;", 0, 0, 0, 0, 0, 2},
};

static void test_counted(struct sim *s, unsigned i)
{
    struct counters c;
    struct sim_run *keep = NULL;
    char why[300];
    const struct sim_result *r = run(s, counted[i].text, 32, &c, &keep);
    snprintf(why, sizeof why, "%s; instructions %llu, shared %llu %llu %llu %llu, global %llu %llu",
             r && r->fault_count ? r->faults[0].message : "", (unsigned long long)c.warp_instructions,
             (unsigned long long)c.shared_load_requests,
             (unsigned long long)c.shared_load_wavefronts,
             (unsigned long long)c.shared_store_requests,
             (unsigned long long)c.shared_store_wavefronts,
             (unsigned long long)c.global_load_requests,
             (unsigned long long)c.global_store_requests);
    check(r && !r->fault_count && c.warp_instructions == HEAD + 2 &&
              c.thread_instructions == 32 * (HEAD + 2) &&
              c.shared_load_requests == counted[i].loads &&
              c.shared_load_wavefronts == counted[i].load_wavefronts &&
              c.shared_store_requests == counted[i].stores &&
              c.shared_store_wavefronts == counted[i].store_wavefronts &&
              c.global_load_requests == counted[i].global_loads &&
              c.global_store_requests == counted[i].global_stores,
          counted[i].text, why);
    sim_finish(keep);
}

/* ---- what goes wrong ----------------------------------------------------------------------- */

static const struct {
    const char *text, *message;
    unsigned threads;
    enum sim_fault_kind kind;
} wrong[] = {
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r1}, {%r1}, {%r1, %r1};",
     "lanes 16 to 31 do not come", 16, SIM_INVALID_SHUFFLE},
    {"setp.eq.u32 %p1, %r1, 5;\n@%p1 bra END;\n"
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3];\nEND:",
     "lane 5 does not come", 32, SIM_INVALID_SHUFFLE},
    {"and.b32 %r1, %r1, 2;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\n"
     "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r4, %r5}, [%d1], 16;\nEND:",
     "lanes 0 to 1, 4 to 5, 8 to 9", 32, SIM_INVALID_SHUFFLE},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3+8];", "not a multiple of 16", 32,
     SIM_MISALIGNED},
    {"wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r4, %r5}, [%d1+4], 8;",
     "not a multiple of 8", 32, SIM_MISALIGNED},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r4, %r5}, [%d1], 1024;",
     "the thread reads", 32, SIM_OUT_OF_BOUNDS},
};

static void test_wrong(struct sim *s, unsigned i)
{
    struct counters c;
    struct sim_run *keep = NULL;
    const struct sim_result *r = run(s, wrong[i].text, wrong[i].threads, &c, &keep);
    const char *message = r && r->fault_count ? r->faults[0].message : "no fault";
    check(r && r->fault_count && r->faults[0].kind == wrong[i].kind &&
              strstr(message, wrong[i].message), wrong[i].message, message);
    sim_finish(keep);
}

int main(void)
{
    struct sim *s = sim_open(NULL);
    for (unsigned i = 0; s && i < sizeof counted / sizeof *counted; i++)
        test_counted(s, i);
    for (unsigned i = 0; s && i < sizeof wrong / sizeof *wrong; i++)
        test_wrong(s, i);
    sim_close(s);
    printf("1..%d\n", tests);
    return bad || !tests;
}
