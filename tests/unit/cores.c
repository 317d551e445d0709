/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a launch gets workers and when it does not, and what they leave: the same bytes, steps and
 * tallies as one core, also where they meet, reach the step limit, or are stopped half way.
 */
#include "obs/touched.h"
#include "sim/cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* apart: each thread writes its own word, and adds to a sum. meets: one thread of each block also
 * writes the word that all share. */
static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
#define KERNEL(name, more)                                                                      \
    ".visible .entry " name "(.param .u64 x, .param .u64 sum)\n{\n"                             \
    "    .reg .pred %p<3>;\n    .reg .b32 %r<9>;\n    .reg .b64 %d<8>;\n    .reg .f32 %f<4>;\n" \
    "    ld.param.u64 %d1, [x];\n    ld.param.u64 %d3, [sum];\n"                                \
    "    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %ctaid.x;\n    mad.lo.u32 %r4, %r3, 64, %r2;\n" \
    "    mov.u32 %r5, 0;\n    mov.u32 %r6, %r4;\n"                                              \
    "LOOP:\n    mad.lo.u32 %r6, %r6, 1664525, 1013904223;\n    add.u32 %r5, %r5, 1;\n"          \
    "    setp.ne.u32 %p1, %r5, 200;\n    @%p1 bra LOOP;\n"                                      \
    "    mad.wide.u32 %d2, %r4, 4, %d1;\n    st.global.u32 [%d2], %r6;\n"                       \
    "    cvt.rn.f32.u32 %f1, %r6;\n    atom.global.add.f32 %f2, [%d3], %f1;\n"                  \
    "    red.global.add.u32 [%d3+4], %r6;\n" more "    ret;\n}\n"
    KERNEL("apart", "")
    KERNEL("meets", "    setp.eq.u32 %p2, %r2, 0;\n    @%p2 st.global.u32 [%d3+8], %r6;\n");

enum { BLOCKS = 512, THREADS = 64, BYTES = BLOCKS * THREADS * 4, SUMS = 16, SLICE = 1 << 15 };

static int tests, bad;

static void check(int good, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

struct rig {
    struct sim *sim;
    struct sim_module *module;
    struct { uint64_t x, sum; } params;
};

/* What a launch left. */
struct left {
    enum sim_status status;
    uint64_t steps, lanes;
    unsigned char x[BYTES], sum[SUMS];
    char fault[240];
    bool shared; /* it had workers */
};

static bool open_rig(struct rig *r, const struct sim_allocator *a, unsigned cores)
{
    static const unsigned char none[BYTES];
    *r = (struct rig){.sim = sim_open(a)};
    if (!r->sim || !(r->module = sim_module_load(r->sim, "cores.ptx", text, sizeof text - 1)) ||
        sim_malloc(r->sim, BYTES, "x", &r->params.x) != 0 ||
        sim_malloc(r->sim, SUMS, "sum", &r->params.sum) != 0)
        return false;
    sim_set_cores(r->sim, cores);
    return sim_write(r->sim, r->params.x, none, BYTES) == 0 &&
           sim_write(r->sim, r->params.sum, none, SUMS) == 0;
}

/* Launches the kernel. stop: it is stopped in its first step that is shared. */
static void launch(struct rig *r, const char *kernel, const struct sim_observer *o,
                   uint64_t step_limit, bool stop, struct left *out)
{
    struct sim_launch l = {SIM_LAUNCH, .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1},
                           .kernel = sim_kernel_find(r->module, kernel), .params = &r->params,
                           .step_limit = step_limit, .observers = o, .observer_count = o != NULL};
    struct sim_run *run = sim_start(r->sim, &l);
    memset(out, 0, sizeof *out);
    if (!run)
        return;
    while ((out->status = sim_step(run, SLICE)) == SIM_RUNNING) {
        out->shared |= run->cores != NULL;
        if (run->cores && stop) {
            sim_stop(run, SIM_TIMEOUT, "stopped");
            out->status = sim_step(run, SLICE);
            break;
        }
    }
    const struct sim_result *res = sim_result(run);
    out->steps = res->steps;
    for (uint32_t pc = 0; pc < res->code_count; pc++)
        out->lanes += res->tally[pc].lanes;
    if (res->fault_count)
        snprintf(out->fault, sizeof out->fault, "%s", res->faults[0].message);
    sim_finish(run);
    sim_read(r->sim, r->params.x, out->x, BYTES);
    sim_read(r->sim, r->params.sum, out->sum, SUMS);
}

static bool same(const struct left *a, const struct left *b)
{
    return a->status == b->status && a->steps == b->steps && a->lanes == b->lanes &&
           memcmp(a->x, b->x, BYTES) == 0 && memcmp(a->sum, b->sum, SUMS) == 0 &&
           strcmp(a->fault, b->fault) == 0;
}

static struct left one, several; /* too large for a stack */

static void both(const char *kernel, unsigned cores, uint64_t limit)
{
    struct rig r;
    bool opened = open_rig(&r, NULL, 1);
    if (opened)
        launch(&r, kernel, NULL, limit, false, &one);
    sim_close(r.sim);
    opened = opened && open_rig(&r, NULL, cores);
    if (opened)
        launch(&r, kernel, NULL, limit, false, &several);
    sim_close(r.sim);
    if (strcmp(kernel, "meets") != 0) /* it is taken back before a step ends */
        check(opened && !one.shared && several.shared, "several cores share it");
    check(same(&one, &several), "and leave what one core leaves");
}

static void see_nothing(void *self, const struct sim_at *at, const struct sim_access *a)
{
    (void)self, (void)at, (void)a;
}

static void *resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)ctx, (void)old_size;
    if (new_size)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static void test_alone(void)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .store = see_nothing};
    const struct sim_observer o = {.hooks = &hooks};
    const struct sim_allocator own = {.resize = resize};
    struct rig r;
    if (open_rig(&r, NULL, 4))
        launch(&r, "apart", &o, 0, false, &several);
    sim_close(r.sim);
    check(several.status == SIM_DONE && !several.shared, "an observer that can't be split: one core");
    if (open_rig(&r, &own, 4))
        launch(&r, "apart", NULL, 0, false, &several);
    sim_close(r.sim);
    check(several.status == SIM_DONE && !several.shared, "a caller's own allocator: one core");
}

/* Do the sets have the same bytes, where the two arrays lie? */
static bool same_bytes(const struct byte_set *a, const struct byte_set *b, const struct rig *r)
{
    bool same = a->count == b->count;
    for (uint64_t i = 0; i < BYTES; i++)
        same &= byte_set_has(a, r->params.x + i) == byte_set_has(b, r->params.x + i);
    for (uint64_t i = 0; i < SUMS; i++)
        same &= byte_set_has(a, r->params.sum + i) == byte_set_has(b, r->params.sum + i);
    return same;
}

/* What a launch touches is known as on one core. The second launch has the threads of the first. */
static void test_touched(void)
{
    struct touched alone = {.read = {0}}, parts = {.read = {0}};
    const struct sim_observer one_o = touched_observer(&alone);
    const struct sim_observer several_o = touched_observer(&parts);
    struct rig r;
    const bool opened = open_rig(&r, NULL, 1);
    if (opened) {
        launch(&r, "apart", &one_o, 0, false, &one);
        sim_set_cores(r.sim, 4);
        launch(&r, "apart", &several_o, 0, false, &several);
        launch(&r, "apart", &several_o, 0, false, &several);
    }
    check(opened && several.shared && !one.shared && one.steps == several.steps,
          "several cores share a launch whose bytes are noted");
    check(byte_set_has(&alone.written, r.params.x) && byte_set_has(&alone.atomic, r.params.sum) &&
              same_bytes(&alone.read, &parts.read, &r) &&
              same_bytes(&alone.written, &parts.written, &r) &&
              same_bytes(&alone.atomic, &parts.atomic, &r),
          "and the bytes are those of one core");
    touched_free(&alone);
    touched_free(&parts);
    sim_close(r.sim);
}

static void test_stop(void)
{
    static const unsigned char none[BYTES];
    struct rig r;
    if (open_rig(&r, NULL, 3))
        launch(&r, "apart", NULL, 0, true, &several);
    check(several.shared && several.status == SIM_FAULTED && strstr(several.fault, "stopped"),
          "a launch is stopped while it is shared");
    check(memcmp(several.x, none, BYTES) == 0 && memcmp(several.sum, none, SUMS) == 0,
          "and leaves memory as it was");
    launch(&r, "apart", NULL, 0, false, &several);
    check(several.status == SIM_DONE && same(&one, &several), "the next launch is as ever");
    sim_close(r.sim);
}

int main(void)
{
#ifdef HAVE_THREADS
    for (unsigned cores = 2; cores <= 8; cores += 3)
        both("apart", cores, 0);
    both("meets", 3, 0);
    both("apart", 2, 300000);
    both("apart", 2, 0);
    test_touched();
    test_stop();
    test_alone();
#else
    check(1, "there are no threads here # SKIP");
#endif
    printf("1..%d\n", tests);
    return bad != 0;
}
