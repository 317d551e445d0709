/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libcudasim as a library: what holds whatever the kernel is. Memory after a fault, two
 * simulators at once, the same bytes twice, slices of any size, an allocator that fails at
 * every allocation in turn, arrays at the start of a cache line, modules that come and go, wrong
 * ranges, damaged PTX.
 * What instructions do is tests/unit/sim.c's matter.
 */
#include "base/buf.h"
#include "sim/hooks.h"
#include "sim/sim.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".global .align 4 .u32 total = 3;\n"
    ".global .align 1 .b8 $str[7] = {104, 105, 32, 37, 100, 10, 0};\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".func (.param .b32 r) twice(.param .b32 x)\n{\n"
    "    .reg .b32 %r<3>;\n    ld.param.u32 %r1, [x];\n    add.u32 %r2, %r1, %r1;\n"
    "    st.param.b32 [r], %r2;\n    ret;\n}\n"
    ".visible .entry work(.param .u64 x, .param .u32 bad)\n{\n"
    "    .local .align 8 .b8 l[8];\n    .shared .align 4 .b8 s[256];\n"
    "    .reg .pred %p<3>;\n    .reg .b32 %r<12>;\n    .reg .b64 %d<8>;\n"
    "    .param .b32 a;\n    .param .b32 r;\n    .param .b64 f;\n    .param .b64 g;\n"
    "    ld.param.u64 %d1, [x];\n    ld.param.u32 %r1, [bad];\n"
    "    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %ctaid.x;\n    mad.lo.u32 %r4, %r3, 64, %r2;\n"
    "    mov.u32 %r5, s;\n    mad.lo.u32 %r6, %r2, 4, %r5;\n    st.shared.u32 [%r6], %r4;\n"
    "    bar.sync 0;\n    xor.b32 %r7, %r2, 63;\n    mad.lo.u32 %r6, %r7, 4, %r5;\n"
    "    ld.shared.u32 %r8, [%r6];\n"
    "LOOP:\n    add.u32 %r8, %r8, 1;\n    and.b32 %r9, %r8, 7;\n    setp.ne.u32 %p1, %r9, 0;\n"
    "    @%p1 bra LOOP;\n"
    "    st.param.b32 [a], %r8;\n    call (r), twice, (a);\n    ld.param.b32 %r8, [r];\n"
    "    mad.wide.u32 %d2, %r4, 4, %d1;\n    st.global.u32 [%d2], %r8;\n"
    "    red.global.add.u32 [total], 1;\n"
    "    setp.ne.u32 %p2, %r2, 9;\n    @%p2 bra QUIET;\n"
    "    st.local.u32 [l], %r3;\n    mov.u64 %d3, l;\n    cvta.local.u64 %d3, %d3;\n"
    "    mov.u64 %d4, $str;\n    cvta.global.u64 %d4, %d4;\n"
    "    st.param.b64 [f], %d4;\n    st.param.b64 [g], %d3;\n"
    "    call (r), vprintf, (f, g);\n"
    "QUIET:\n    setp.ne.u32 %p1, %r4, %r1;\n    @%p1 bra GOOD;\n"
    "    st.global.u32 [%d2+1000000], %r8;\n"
    "GOOD:\n    ret;\n}\n";

enum { THREADS = 256, BYTES = THREADS * 4 };

static int tests, bad;

static void check(int good, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

/* One simulator with the module, its array and a launch of `work`. */
struct rig {
    struct sim *sim;
    struct sim_module *module;
    struct sim_run *run;
    uint64_t x;
    struct { uint64_t x; uint32_t bad; uint32_t pad; } params;
    uint32_t data[THREADS];
};

static void rig_close(struct rig *r)
{
    if (r->run)
        sim_finish(r->run);
    if (r->sim)
        sim_close(r->sim);
    memset(r, 0, sizeof *r);
}

static int rig_open(struct rig *r, const struct sim_allocator *from)
{
    *r = (struct rig){ .sim = sim_open(from) };
    if (!r->sim)
        return -1;
    r->module = sim_module_load(r->sim, "work.ptx", text, sizeof text - 1);
    if (!r->module || sim_malloc(r->sim, BYTES, "x", &r->x) != 0)
        return -1;
    for (int i = 0; i < THREADS; i++)
        r->data[i] = 0xabcd0000u + (uint32_t)i;
    return sim_write(r->sim, r->x, r->data, BYTES);
}

static int rig_start(struct rig *r, enum sim_schedule schedule, uint32_t bad_thread)
{
    struct sim_launch l = {SIM_LAUNCH, .kernel = sim_kernel_find(r->module, "work"), .grid = { 4, 1, 1 },
                            .block = { 64, 1, 1 }, .schedule = schedule, .seed = 7 };

    r->params.x = r->x;
    r->params.bad = bad_thread;
    l.params = &r->params;
    r->run = sim_start(r->sim, &l);
    return r->run ? 0 : -1;
}

static enum sim_status rig_finish(struct rig *r, uint64_t slice)
{
    enum sim_status s;

    while ((s = sim_step(r->run, slice)) == SIM_RUNNING) { }
    return s;
}

static uint32_t total_of(struct rig *r)
{
    uint32_t v = 0;

    for (size_t k = 0; k < sim_variable_count(r->module); k++) {
        const struct sim_variable *var = sim_variable_at(r->module, k);
        if (strcmp(var->name, "total") == 0)
            sim_read(r->sim, var->address, &v, sizeof v);
    }
    return v;
}

/* Everything that came out of a launch, as text; finishes the run. */
static void rig_dump(struct rig *r, struct buf *out)
{
    const struct sim_result *res = sim_result(r->run);

    buf_printf(out, "steps %llu\n", (unsigned long long)res->steps);
    for (unsigned k = 0; k < res->fault_count; k++)
        buf_printf(out, "fault %s %d\n", res->faults[k].message, res->faults[k].ptx_line);
    for (size_t k = 0; k < res->print_count; k++) {
        buf_printf(out, "%llu %llu ", (unsigned long long)res->prints[k].block,
                   (unsigned long long)res->prints[k].thread);
        buf_add(out, res->prints[k].text, res->prints[k].length);
    }
    for (uint32_t k = 0; k < res->code_count; k++)
        buf_printf(out, "%s %llu %llu %llu\n", res->code[k].text,
                   (unsigned long long)res->tally[k].warps,
                   (unsigned long long)res->tally[k].lanes,
                   (unsigned long long)res->tally[k].diverged);
    sim_finish(r->run);
    r->run = NULL;
    sim_read(r->sim, r->x, r->data, BYTES);
    for (int i = 0; i < THREADS; i++)
        buf_printf(out, "%u ", r->data[i]);
    buf_printf(out, "total %u\n", total_of(r));
}

static void launch_dump(enum sim_schedule schedule, uint32_t bad_thread, uint64_t slice,
                        struct buf *out)
{
    struct rig r;

    if (rig_open(&r, NULL) == 0 && rig_start(&r, schedule, bad_thread) == 0) {
        rig_finish(&r, slice);
        rig_dump(&r, out);
    }
    rig_close(&r);
}

/* ---- the tests ---------------------------------------------------------------------------- */

static void show_difference(const struct buf *a, const struct buf *b)
{
    const char *p = buf_text(a), *q = buf_text(b), *line = p;

    for (; *p && *p == *q; p++, q++) {
        if (*p == '\n')
            line = p + 1;
    }
    if (*p != *q)
        printf("# first difference: %.*s\n# and: %.*s\n", (int)strcspn(line, "\n"), line,
               (int)strcspn(q - (p - line), "\n"), q - (p - line));
}

static void test_same(enum sim_schedule schedule, uint32_t bad_thread, uint64_t slice,
                      const char *what)
{
    struct buf a = {0}, b = {0};

    launch_dump(schedule, bad_thread, 1 << 20, &a);
    launch_dump(schedule, bad_thread, slice, &b);
    show_difference(&a, &b);
    check(a.len > 1000 && a.len == b.len && memcmp(a.data, b.data, a.len) == 0, what);
    buf_free(&a);
    buf_free(&b);
}

static void test_fault(enum sim_schedule schedule, const char *what)
{
    struct rig r;
    int good = rig_open(&r, NULL) == 0 && rig_start(&r, schedule, 130) == 0;

    good = good && rig_finish(&r, 100) == SIM_FAULTED;
    good = good && sim_result(r.run)->faults[0].kind == SIM_OUT_OF_BOUNDS;
    if (r.run)
        sim_finish(r.run);
    r.run = NULL;
    good = good && sim_read(r.sim, r.x, r.data, BYTES) == 0 && total_of(&r) == 3;
    for (int i = 0; good && i < THREADS; i++)
        good = r.data[i] == 0xabcd0000u + (uint32_t)i;
    good = good && rig_start(&r, schedule, 1000) == 0 && rig_finish(&r, 100) == SIM_DONE;
    good = good && total_of(&r) == 3 + THREADS;
    check(good, what);
    rig_close(&r);
}

static void test_stop(void)
{
    struct rig r;
    int good = rig_open(&r, NULL) == 0 && rig_start(&r, SIM_LOCKSTEP, 1000) == 0;

    if (good) {
        sim_step(r.run, 150);
        sim_stop(r.run, SIM_TIMEOUT, "time is up");
        good = sim_step(r.run, 1) == SIM_FAULTED && sim_result(r.run)->fault_count == 1 &&
               sim_result(r.run)->faults[0].kind == SIM_TIMEOUT;
        sim_finish(r.run);
        r.run = NULL;
        good = good && total_of(&r) == 3;
    }
    check(good, "a launch that is stopped leaves memory as before it");
    rig_close(&r);
}

static void test_two(void)
{
    struct rig r[2];
    struct buf got[2] = {{0}, {0}}, want = {0};
    enum sim_status s[2] = { SIM_RUNNING, SIM_RUNNING };
    int good = 1;

    for (int k = 0; k < 2; k++)
        good = good && rig_open(&r[k], NULL) == 0 && rig_start(&r[k], SIM_LOCKSTEP, 1000) == 0;
    while (good && (s[0] == SIM_RUNNING || s[1] == SIM_RUNNING)) {
        for (int k = 0; k < 2; k++) {
            if (s[k] == SIM_RUNNING)
                s[k] = sim_step(r[k].run, 1 + 2 * (uint64_t)k);
        }
    }
    launch_dump(SIM_LOCKSTEP, 1000, 1 << 20, &want);
    for (int k = 0; k < 2; k++) {
        if (good)
            rig_dump(&r[k], &got[k]);
        good = good && strcmp(buf_text(&got[k]), buf_text(&want)) == 0;
        rig_close(&r[k]);
        buf_free(&got[k]);
    }
    buf_free(&want);
    check(good, "two simulators step by step in turn");
}

static void test_ranges(void)
{
    struct rig r;
    char byte[8] = { 0 };
    int good = rig_open(&r, NULL) == 0;

    good = good && sim_read(r.sim, r.x + BYTES - 4, byte, 8) != 0 && sim_message(r.sim)[0];
    good = good && sim_write(r.sim, r.x - 4, byte, 8) != 0 && sim_message(r.sim)[0];
    good = good && sim_read(r.sim, 0, byte, 1) != 0 && sim_write(r.sim, ~(uint64_t)0, byte, 4) != 0;
    good = good && sim_read(r.sim, r.x + BYTES, byte, 0) <= 0;
    good = good && sim_free(r.sim, r.x + 4) != 0 && sim_free(r.sim, 12345) != 0;
    good = good && sim_free(r.sim, r.x) == 0 && sim_free(r.sim, r.x) != 0;
    good = good && sim_read(r.sim, r.x, byte, 1) != 0;
    check(good, "reading, writing and freeing out of range fail");
    uint64_t a = 0;
    check(sim_malloc(r.sim, UINT64_C(1) << 46, "huge", &a) != 0 && sim_message(r.sim)[0],
          "too large an array is refused with a message");
    rig_close(&r);
}

static void test_modules(void)
{
    struct rig r;
    struct sim_module *m[20] = { NULL };
    int good = rig_open(&r, NULL) == 0;

    for (int round = 0; good && round < 50; round++) {
        int k = round * 7 % 20;
        if (m[k])
            sim_module_unload(r.sim, m[k]);
        m[k] = sim_module_load(r.sim, "work.ptx", text, sizeof text - 1);
        good = m[k] && sim_kernel_count(m[k]) == 1 && sim_kernel_find(m[k], "work") &&
               !sim_kernel_find(m[k], "other") && !sim_kernel_at(m[k], 0)->closed;
    }
    for (int k = 0; k < 20; k++) {
        if (m[k])
            sim_module_unload(r.sim, m[k]);
    }
    good = good && rig_start(&r, SIM_LOCKSTEP, 1000) == 0 && rig_finish(&r, 1000) == SIM_DONE;
    check(good && total_of(&r) == 3 + THREADS, "modules come and go; each has its own variables");
    rig_close(&r);
}

/* While a launch is under way nothing that it may use goes away; each refusal says so. */
static void test_busy(void)
{
    struct rig r;
    struct sim_limits limits = {SIM_LIMITS};
    struct sim_launch l = {SIM_LAUNCH, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    int good = rig_open(&r, NULL) == 0 && rig_start(&r, SIM_LOCKSTEP, 1000) == 0 &&
               sim_step(r.run, 100) == SIM_RUNNING;
    static const char *const what[] = {"memory is freed", "a module is unloaded", "it is closed",
                                       "the limits change", "another one starts"};
    sim_limits_default(&limits);
    l.kernel = sim_kernel_find(r.module, "work");
    for (int k = 0; k < 5; k++) {
        int refused = k == 0   ? sim_free(r.sim, r.x)
                      : k == 1 ? sim_module_unload(r.sim, r.module)
                      : k == 2 ? sim_close(r.sim)
                      : k == 3 ? sim_set_limits(r.sim, &limits)
                               : -!sim_start(r.sim, &l);
        good = good && refused == -1 && strstr(sim_message(r.sim), what[k]);
        check(good, what[k]);
    }
    good = good && rig_finish(&r, 1000) == SIM_DONE && total_of(&r) == 3 + THREADS;
    check(good && sim_free(r.sim, r.x) == -1, "the launch came to its end, and still holds them");
    sim_finish(r.run);
    r.run = NULL;
    check(good && sim_free(r.sim, r.x) == 0 && sim_module_unload(r.sim, r.module) == 0 &&
              sim_close(r.sim) == 0, "once it is finished, all is free to go");
}

/* Callers that were built with another version's header. */
static void test_sizes(void)
{
    struct rig r;
    struct { struct sim_limits known; int more; } newer = {.known = {SIM_LIMITS}};
    struct sim_limits older = {.size = offsetof(struct sim_limits, max_grid)};
    int good = rig_open(&r, NULL) == 0;
    older.max_grid[0] = 77;
    sim_limits_default(&older);
    check(older.capability == 90 && older.max_grid[0] == 77,
          "a struct that is shorter is filled in as far as it goes");
    newer.known.size = sizeof newer;
    sim_limits_default(&newer.known);
    good = good && newer.known.size == sizeof newer && sim_set_limits(r.sim, &newer.known) == 0;
    check(good, "a longer one may be used while it asks for nothing new");
    newer.more = 1;
    check(good && sim_set_limits(r.sim, &newer.known) == -1 &&
              strstr(sim_message(r.sim), "too old"), "else it is refused");
    struct sim_launch none = {.kernel = sim_kernel_find(r.module, "work")};
    check(good && !sim_start(r.sim, &none) && strstr(sim_message(r.sim), "SIM_LAUNCH"),
          "a launch without its size is refused");
    /* An older caller's launch ends before the observers, and what follows is not read. */
    struct sim_launch launch = {.size = offsetof(struct sim_launch, observers),
                                .kernel = none.kernel, .grid = {4, 1, 1}, .block = {64, 1, 1},
                                .params = &r.params, .observer_count = 1000};
    r.params.x = r.x;
    r.params.bad = 1000;
    r.run = good ? sim_start(r.sim, &launch) : NULL;
    check(r.run && rig_finish(&r, 1000) == SIM_DONE, "a shorter launch runs");
    rig_close(&r);
}

static void test_limit(void)
{
    uint64_t steps[2] = { 0, 1 };
    struct rig r;

    for (int k = 0; k < 2; k++) {
        struct sim_launch l = {SIM_LAUNCH, .grid = { 4, 1, 1 }, .block = { 64, 1, 1 }, .step_limit = 100 };
        if (rig_open(&r, NULL) == 0) {
            r.params.x = r.x;
            l.kernel = sim_kernel_find(r.module, "work");
            l.params = &r.params;
            r.run = sim_start(r.sim, &l);
            if (r.run && rig_finish(&r, k ? 1 : 1 << 20) == SIM_FAULTED &&
                sim_result(r.run)->faults[0].kind == SIM_TIMEOUT)
                steps[k] = sim_result(r.run)->steps;
        }
        rig_close(&r);
    }
    if (steps[0] != steps[1])
        printf("# %llu and %llu steps\n", (unsigned long long)steps[0],
               (unsigned long long)steps[1]);
    check(steps[0] == steps[1] && steps[0] >= 100, "a step limit strikes at the same step");
}

/* ---- an allocator that fails ---------------------------------------------------------------- */

struct ledger {
    long calls, fail_at, live, wrong_sizes;
};

/* A header in front of each block remembers its size. */
static void *counted_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct ledger *l = ctx;
    size_t *head = p ? (size_t *)p - 2 : NULL;

    if (head && head[0] != old_size)
        l->wrong_sizes++;
    if (new_size == 0) {
        l->live -= head != NULL;
        free(head);
        return NULL;
    }
    if (++l->calls == l->fail_at)
        return NULL;
    l->live += head == NULL;
    head = realloc(head, new_size + 2 * sizeof *head);
    if (!head)
        return NULL;
    head[0] = new_size;
    return head + 2;
}

static void scenario(const struct sim_allocator *from)
{
    struct rig r;

    if (rig_open(&r, from) == 0 && rig_start(&r, SIM_RANDOM, 200) == 0) {
        rig_finish(&r, 1000);
        sim_result(r.run);
        sim_finish(r.run);
        r.run = NULL;
        if (rig_start(&r, SIM_INDEPENDENT, 1000) == 0)
            rig_finish(&r, 1000);
    }
    rig_close(&r);
}

static void test_allocator(void)
{
    struct ledger all = { 0 };
    long leaks = 0, sizes = 0;

    scenario(&(struct sim_allocator){ counted_resize, &all });
    for (long n = 1; n <= all.calls; n++) {
        struct ledger l = { .fail_at = n };
        scenario(&(struct sim_allocator){ counted_resize, &l });
        if (l.live && !leaks++)
            printf("# %ld blocks lost when allocation %ld fails\n", l.live, n);
        sizes += l.wrong_sizes;
    }
    printf("# %ld allocations, each failed once\n", all.calls);
    check(all.calls > 10 && all.live == 0, "every block is given back");
    check(leaks == 0, "and so they are when any allocation fails");
    check(sizes == 0 && all.wrong_sizes == 0, "sizes are told to the allocator as they were");
}

/* ---- where arrays lie ------------------------------------------------------------------- */

/* Keeps where the first warp's store to global memory begins on the host. */
static void first_store(void *self, const struct sim_at *at, const struct sim_access *a)
{
    uintptr_t *host = self;
    if (a->space == SIM_GLOBAL && at->block_index == 0 && at->warp == 0)
        *host = a->host + (uintptr_t)a->address[0];
}

/* Each rig has one more array before the one that is written, and arrays of another size. */
static void test_lines(void)
{
    enum { RIGS = 8, LINE = 64 };
    static const struct sim_hooks hooks = {SIM_HOOKS, .store = first_store};
    int at_line = 0;

    for (unsigned i = 0; i < RIGS; i++) {
        struct rig r;
        uintptr_t host = 1;
        const struct sim_observer o = {.hooks = &hooks, .self = &host};
        struct sim_launch l = {SIM_LAUNCH, .grid = { 4, 1, 1 }, .block = { 64, 1, 1 },
                               .observers = &o, .observer_count = 1};
        bool good = rig_open(&r, NULL) == 0;
        for (unsigned k = 0; good && k <= i; k++)
            good = sim_malloc(r.sim, 8192 + 16 * i, "y", &r.params.x) == 0;
        if (good) {
            r.params.bad = THREADS;
            l.kernel = sim_kernel_find(r.module, "work");
            l.params = &r.params;
            r.run = sim_start(r.sim, &l);
        }
        at_line += r.run && rig_finish(&r, 1000) == SIM_DONE && host % LINE == 0;
        rig_close(&r);
    }
    check(at_line == RIGS, "arrays start at a cache line of the host");
}

/* ---- damaged PTX ------------------------------------------------------------------------ */

/* Load it; if it loads, run a block of each kernel for a while. Not crashing is the test. */
static void survive(const char *ptx, size_t length)
{
    static const unsigned char zeros[8192];
    struct sim *s = sim_open(NULL);
    char *exact = malloc(length + 1); /* so that reading past the end is noticed */
    struct sim_module *m;

    memcpy(exact, ptx, length);
    exact = realloc(exact, length ? length : 1);
    m = sim_module_load(s, "damaged.ptx", exact, length);
    for (size_t k = 0; m && k < sim_kernel_count(m); k++) {
        struct sim_launch l = {SIM_LAUNCH, .kernel = sim_kernel_at(m, k), .grid = { 1, 1, 1 },
                                .block = { 40, 1, 1 }, .params = zeros, .step_limit = 500 };
        struct sim_run *run = l.kernel->param_bytes <= sizeof zeros ? sim_start(s, &l) : NULL;
        while (run && sim_step(run, 1000) == SIM_RUNNING) { }
        if (run)
            sim_finish(run);
    }
    if (!m && !sim_message(s)[0])
        printf("# refused without a message\n");
    sim_close(s);
    free(exact);
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void damage(const char *ptx, size_t length, uint32_t seed)
{
    static const char spice[] = "{}();,.@%[]\"$<>/*0x\n-9";
    char *copy = malloc(length + 1);

    for (int k = 0; k < 12; k++)
        survive(ptx, draw(&seed) % (length + 1));
    for (int k = 0; k < 24; k++) {
        memcpy(copy, ptx, length);
        for (int n = 1 + k % 4; n > 0; n--)
            copy[draw(&seed) % length] =
                k & 1 ? (char)draw(&seed) : spice[draw(&seed) % (sizeof spice - 1)];
        survive(copy, length);
    }
    free(copy);
}

static void test_damage(void)
{
    const char *top = getenv("top_srcdir");
    char path[1200], *ptx = malloc(1 << 20);
    DIR *d;
    struct dirent *e;
    uint32_t seed = 0;

    for (size_t n = 0; n < sizeof text; n += 3)
        survive(text, n);
    for (uint32_t k = 0; k < 10; k++)
        damage(text, sizeof text - 1, k);
    snprintf(path, sizeof path, "%s/tests/ptx", top ? top : ".");
    d = opendir(path);
    while (d && (e = readdir(d)) != NULL) {
        size_t n, length = strlen(e->d_name);
        FILE *f;
        if (length < 5 || strcmp(e->d_name + length - 4, ".ptx") != 0)
            continue;
        snprintf(path, sizeof path, "%s/tests/ptx/%.200s", top ? top : ".", e->d_name);
        f = fopen(path, "rb");
        n = f ? fread(ptx, 1, 1 << 20, f) : 0;
        if (f)
            fclose(f);
        if (n)
            damage(ptx, n, seed += 1000);
    }
    if (d)
        closedir(d);
    free(ptx);
    check(1, "truncated and damaged PTX is refused or runs, and nothing breaks");
}

/* ---- bytes of the caller ---------------------------------------------------------------- */

static const char managed_text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".global .attribute(.managed) .align 4 .u32 both = 40;\n"
    ".global .align 4 .u32 own = 1;\n"
    ".visible .entry add(.param .u64 x)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %d<2>;\n"
    "    ld.param.u64 %d1, [x];\n    ld.global.u32 %r1, [%d1];\n"
    "    red.global.add.u32 [both], %r1;\n    st.global.u32 [%d1+4], %r1;\n    ret;\n}\n";

enum { SHARED_AT = 0x8000000 };
static enum sim_place_answer place(void *ctx, const char *name, bool is_managed, uint64_t bytes,
                                   uint64_t *address, void **host)
{
    *address = SHARED_AT;
    *host = ctx;
    return !is_managed                                               ? SIM_PLACE_OWN
           : bytes == sizeof(uint32_t) && strcmp(name, "both") == 0 ? SIM_PLACED
                                                                     : SIM_NO_PLACE;
}

static enum sim_place_answer place_nothing(void *ctx, const char *name, bool is_managed,
                                           uint64_t bytes, uint64_t *address, void **host)
{
    (void)ctx, (void)name, (void)bytes, (void)address, (void)host;
    return is_managed ? SIM_NO_PLACE : SIM_PLACE_OWN;
}

static void test_over(void)
{
    uint32_t both = 0, array[2] = {0}, got = 0;
    const uint64_t at = SHARED_AT + 4096;
    struct sim *s = sim_open(NULL);
    sim_set_places(s, place_nothing, NULL);
    check(!sim_module_load(s, "m.ptx", managed_text, strlen(managed_text)),
          "a __managed__ variable without a place: the module is refused");
    sim_set_places(s, place, &both);
    struct sim_module *m = sim_module_load(s, "m.ptx", managed_text, strlen(managed_text));
    check(m && both == 40, "its first value is in the caller's bytes");
    check(m && sim_variable_at(m, 0)->address == SHARED_AT &&
              sim_variable_at(m, 1)->address != SHARED_AT, "its place; other variables have none");
    check(sim_malloc_over(s, at, sizeof array, "x", array) == 0 &&
              sim_malloc_over(s, at, sizeof array, "y", array) != 0,
          "an array over the caller's bytes, once at an address");
    array[0] = 2; /* without a call */
    const struct sim_launch l = {SIM_LAUNCH, .kernel = m ? sim_kernel_at(m, 0) : NULL,
                                 .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &at};
    struct sim_run *run = m ? sim_start(s, &l) : NULL;
    while (run && sim_step(run, 100) == SIM_RUNNING)
        continue;
    if (run)
        sim_finish(run);
    check(both == 42 && array[1] == 2, "a kernel reads and writes them");
    check(sim_read(s, at, &got, sizeof got) == 0 && got == 2 && sim_free(s, at) == 0 &&
              array[0] == 2, "they are the caller's after the array is freed");
    check(sim_close(s) == 0 && both == 42, "and after the end");
}

int main(int argc, char **argv)
{
    test_same(SIM_LOCKSTEP, 1000, 1 << 20, "the same bytes twice, lockstep");
    test_same(SIM_RANDOM, 1000, 1 << 20, "the same bytes twice, random");
    test_same(SIM_INDEPENDENT, 1000, 1 << 20, "the same bytes twice, independent");
    test_same(SIM_LOCKSTEP, 1000, 1, "slices of one step, lockstep");
    test_same(SIM_INDEPENDENT, 1000, 1, "slices of one step, independent");
    test_same(SIM_RANDOM, 77, 7, "slices of seven steps up to a fault, random");
    test_fault(SIM_LOCKSTEP, "memory and variables after a fault, and the next launch");
    test_fault(SIM_INDEPENDENT, "the same under the independent schedule");
    test_stop();
    test_two();
    test_ranges();
    test_modules();
    test_busy();
    test_sizes();
    test_limit();
    test_allocator();
    test_lines();
    test_over();
    if (argc < 2 || strcmp(argv[1], "quick") != 0)
        test_damage();
    printf("1..%d\n", tests);
    return bad != 0;
}
