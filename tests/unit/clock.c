/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels that read clocks: does what they do depend on when they begin? Each is run at several
 * times. Those that are said not to depend on it must leave the same.
 *
 * And loops that only wait by a clock, whose turns are mostly passed over. Each is run as it is,
 * and with an observer that sees each instruction, for which no turn is passed over. Both must take
 * the same steps, count the same and leave the same.
 */
#include "sim/hooks.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static int tests, bad;

static void check(bool good, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

enum { VALUES = 32 };

/* What the kernel writes is in %d7. %d6 is the parameter, which is 5. */
#define HEAD                                                                                 \
    ".version 7.0\n.target sm_75\n.address_size 64\n"                                        \
    ".func (.param .b64 r) same(.param .b64 x)\n{\n    .reg .b64 %a<2>;\n"                   \
    "    ld.param.u64 %a1, [x];\n    st.param.b64 [r], %a1;\n    ret;\n}\n"                  \
    ".visible .entry k(.param .u64 out, .param .u64 five)\n{\n"                              \
    "    .reg .pred %p<4>;\n    .reg .b32 %r<8>;\n    .reg .b64 %d<10>;\n"                   \
    "    .param .b64 x;\n    .param .b64 r;\n    mov.u64 %d7, 1;\n"                          \
    "    ld.param.u64 %d6, [five];\n    ld.param.u64 %d8, [out];\n"
#define TAIL                                                                                 \
    "END:\n    mov.u32 %r7, %tid.x;\n    mad.wide.u32 %d9, %r7, 8, %d8;\n"                   \
    "    st.global.u64 [%d9], %d7;\n    ret;\n}\n"

static const struct {
    const char *what, *body;
    bool needs_clock;
} kernels[] = {
    {"the difference of two times", "mov.u64 %d1, %clock64; mov.u64 %d2, %clock64;"
     "sub.s64 %d7, %d2, %d1;", false},
    {"of two 32-bit times", "mov.u32 %r1, %clock; mov.u32 %r2, %clock; sub.s32 %r3, %r2, %r1;"
     "cvt.u64.u32 %d7, %r3;", false},
    {"of two by the timer", "mov.u64 %d1, %globaltimer; mov.u64 %d2, %globaltimer;"
     "sub.s64 %d7, %d2, %d1;", false},
    {"times that are cut to 32 bits", "mov.u64 %d1, %clock64; cvt.u32.u64 %r1, %d1;"
     "mov.u64 %d2, %clock64; cvt.u32.u64 %r2, %d2; sub.s32 %r3, %r2, %r1; cvt.u64.u32 %d7, %r3;",
     false},
    {"a time plus a number", "mov.u64 %d1, %clock64; add.s64 %d2, %d6, %d1;"
     "mov.u64 %d3, %clock64; sub.s64 %d7, %d2, %d3;", false},
    {"a time less a number", "mov.u64 %d1, %clock64; sub.s64 %d2, %d1, %d6;"
     "mov.u64 %d3, %clock64; sub.s64 %d7, %d3, %d2;", false},
    {"a loop that waits", "mov.u64 %d1, %clock64; setp.gt.s64 %p1, %d6, 9; @%p1 bra END;\n"
     "AGAIN: mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1; and.b64 %d3, %d7, 4294967295;"
     "setp.lt.s64 %p2, %d3, 1000; @%p2 bra AGAIN;", false},
    {"a time of the turn before", "mov.u64 %d1, %clock64;\nAGAIN: mov.u64 %d2, %clock64;"
     "sub.s64 %d7, %d2, %d1; mov.u64 %d1, %d2; add.s64 %d6, %d6, 1; setp.lt.s64 %p2, %d6, 20;"
     "@%p2 bra AGAIN;", false},
    {"a time that is not used", "mov.u64 %d1, %clock64;", false},

    {"a time", "mov.u64 %d7, %clock64;", true},
    {"the sum of two", "mov.u64 %d1, %clock64; mov.u64 %d2, %clock64; add.s64 %d7, %d2, %d1;",
     true},
    {"a number less a time", "mov.u64 %d1, %clock64; sub.s64 %d2, %d6, %d1;"
     "mov.u64 %d3, %clock64; sub.s64 %d7, %d3, %d2;", true},
    {"32-bit times that become 64 bits", "mov.u32 %r1, %clock; cvt.u64.u32 %d1, %r1;"
     "mov.u32 %r2, %clock; cvt.u64.u32 %d2, %r2; sub.s64 %d7, %d2, %d1;", true},
    {"the upper half", "mov.u32 %r1, %clock; mov.u32 %r2, %clock_hi; sub.s32 %r3, %r2, %r1;"
     "cvt.u64.u32 %d7, %r3;", true},
    {"a lower half in 64 bits", "mov.u64 %d1, %clock; mov.u64 %d2, %clock64;"
     "sub.s64 %d7, %d2, %d1;", true},
    {"halves of a time", "mov.u64 %d1, %clock64; mov.b64 {%r1, %r2}, %d1;"
     "cvt.u64.u32 %d7, %r1;", true},
    {"bits of a time", "mov.u64 %d1, %clock64; and.b64 %d7, %d1, 255;", true},
    {"a time that is compared", "mov.u64 %d1, %clock64; setp.gt.u64 %p1, %d1, 5000;"
     "selp.u64 %d7, 3, 4, %p1;", true},
    {"a time or a number", "mov.u64 %d1, %d6; setp.gt.s64 %p1, %d6, 3; @%p1 mov.u64 %d1, %clock64;"
     "mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1;", true},
    {"a time that may not be there", "setp.gt.s64 %p1, %d6, 9; @%p1 mov.u64 %d1, %clock64;"
     "mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1;", true},
    {"a time that a branch leaves out", "setp.lt.s64 %p1, %d6, 9; @%p1 bra OVER;"
     "mov.u64 %d1, %clock64;\nOVER: mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1;", true},
    {"a time that is not there in the first turn", "\nAGAIN: mov.u64 %d2, %clock64;"
     "sub.s64 %d3, %d2, %d1; add.s64 %d7, %d7, %d3; mov.u64 %d1, %d2; add.s64 %d6, %d6, 1;"
     "setp.lt.s64 %p2, %d6, 9; @%p2 bra AGAIN;", true},
    {"a difference where a time was", "mov.u64 %d1, %clock64; mov.u64 %d2, %clock64;"
     "sub.s64 %d1, %d2, %d1; mov.u64 %d7, %d1;", true},
    {"a time in a call", "mov.u64 %d1, %clock64; st.param.b64 [x], %d1; call (r), same, (x);"
     "ld.param.b64 %d7, [r];", true},
    {"a time in memory", "mov.u64 %d1, %clock64; st.global.u64 [%d8+256], %d1;", true},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* What a launch left. */
struct left {
    uint64_t out[2 * VALUES], steps, warps, lanes, off, absent;
};

static void see_instruction(void *self, const struct sim_at *at, const void *row,
                            enum sim_type type)
{
    (void)at, (void)row, (void)type;
    ++*(uint64_t *)self;
}

/* Runs it at this time, and reads what it left. `seen` counts the instructions that an observer
 * sees; NULL: there is none. */
static bool run_at(struct sim *s, struct sim_module *m, uint64_t clock, unsigned threads,
                   uint64_t *seen, struct left *left)
{
    static const struct sim_hooks hooks = {SIM_HOOKS, .instruction = see_instruction};
    static const uint64_t none[2 * VALUES];
    const struct sim_observer observer = {&hooks, seen};
    struct { uint64_t out, five; } params = {0, 5};
    if (sim_malloc(s, sizeof none, "out", &params.out) != 0 ||
        sim_write(s, params.out, none, sizeof none) != 0)
        return false;
    struct sim_launch l = {SIM_LAUNCH, .grid = {2, 1, 1}, .block = {threads, 1, 1},
                           .kernel = sim_kernel_find(m, "k"), .params = &params, .clock = clock,
                           .observers = &observer, .observer_count = seen != NULL};
    struct sim_run *run = sim_start(s, &l);
    enum sim_status status = SIM_RUNNING;
    while (run && status == SIM_RUNNING)
        status = sim_step(run, 100000);
    *left = (struct left){.steps = 0};
    const struct sim_result *r = run ? sim_result(run) : NULL;
    for (uint32_t pc = 0; r && pc < r->code_count; pc++) { /* with where each of them was */
        left->warps = left->warps * 31 + r->tally[pc].warps;
        left->lanes = left->lanes * 31 + r->tally[pc].lanes;
        left->off = left->off * 31 + r->tally[pc].off;
        left->absent = left->absent * 31 + r->tally[pc].absent;
    }
    left->steps = r ? r->steps : 0;
    if (run)
        sim_finish(run);
    return run && status == SIM_DONE && sim_read(s, params.out, left->out, sizeof none) == 0;
}

static struct sim_module *load(struct sim *s, const char *body)
{
    char text[4096];
    const int n = snprintf(text, sizeof text, "%s%s\n%s", HEAD, body, TAIL);
    return s ? sim_module_load(s, "k.ptx", text, (size_t)n) : NULL;
}

static const uint64_t at[] = {0, 1, 1000000, UINT64_C(4294967290), UINT64_C(1) << 40,
                              UINT64_C(0x7fffffffffffff00), UINT64_MAX - 500};
enum { TIMES = sizeof at / sizeof at[0] };

static void test_needs(void)
{
    for (unsigned i = 0; i < KERNELS; i++) {
        struct sim *s = sim_open(NULL);
        struct sim_module *m = load(s, kernels[i].body);
        const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
        struct left first, now;
        bool same = k && run_at(s, m, at[0], VALUES, NULL, &first);
        for (unsigned j = 1; same && j < TIMES; j++)
            same = run_at(s, m, at[j], VALUES, NULL, &now) &&
                   memcmp(&first, &now, sizeof now) == 0;
        check(k && !k->closed && k->reads_clock && k->needs_clock == kernels[i].needs_clock,
              kernels[i].what);
        if (k && !k->needs_clock)
            check(same, "it leaves the same, whenever it begins");
        sim_close(s);
    }
}

#define NOW64 "mov.u64 %d1, %clock64;\nAGAIN: mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1;"
#define NOW32 "mov.u32 %r1, %clock;\nAGAIN: mov.u32 %r2, %clock; sub.s32 %r3, %r2, %r1;"
#define LANES_LIMIT "mov.u32 %r4, %tid.x; mul.lo.u32 %r5, %r4, 100; add.u32 %r5, %r5, 3000;" \
                    "cvt.u64.u32 %d5, %r5;"

static const struct {
    const char *what, *body;
} waits[] = {
    {"less, signed", NOW64 "setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"less, unsigned", NOW64 "setp.lt.u64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"less or equal", NOW64 "setp.le.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"not greater or equal", NOW64 "setp.ge.s64 %p1, %d7, 5000; @!%p1 bra AGAIN;"},
    {"not greater", NOW64 "setp.gt.u64 %p1, %d7, 5000; @!%p1 bra AGAIN;"},
    {"the other way round", NOW64 "setp.gt.s64 %p1, 5000, %d7; @%p1 bra AGAIN;"},
    {"and not", NOW64 "setp.le.s64 %p1, 5000, %d7; @!%p1 bra AGAIN;"},
    {"32 bits, signed", NOW32 "cvt.u64.u32 %d7, %r3; setp.lt.s32 %p1, %r3, 5000;"
     "@%p1 bra AGAIN;"},
    {"32 bits, unsigned", NOW32 "cvt.u64.u32 %d7, %r3; setp.le.u32 %p1, %r3, 5000;"
     "@%p1 bra AGAIN;"},
    {"32 bits in 64", NOW32 "cvt.u64.u32 %d7, %r3; setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"a part of the bits", NOW64 "and.b64 %d3, %d7, 4294967295; setp.lt.s64 %p1, %d3, 5000;"
     "@%p1 bra AGAIN;"},
    {"few bits, which wrap first", "mov.u64 %d1, %clock64; mov.u64 %d5, 0;\nAGAIN:"
     "mov.u64 %d2, %clock64; sub.s64 %d7, %d2, %d1; shr.u64 %d3, %d7, 13; add.s64 %d5, %d5, 1;"
     "setp.lt.s64 %p1, %d3, 1; @%p1 bra AGAIN; and.b64 %d4, %d2, 1023;\nMORE:"
     "mov.u64 %d2, %clock64; and.b64 %d4, %d2, 1023; setp.lt.s64 %p2, %d4, 1020; @%p2 bra MORE;"
     "mov.u64 %d7, %d2;"},
    {"a time to come", "mov.u64 %d1, %clock64; add.s64 %d3, %d1, 5000;\nAGAIN:"
     "mov.u64 %d7, %clock64; setp.lt.s64 %p1, %d7, %d3; @%p1 bra AGAIN;"},
    {"the same, unsigned", "mov.u64 %d1, %clock64; add.s64 %d3, %d1, 5000;\nAGAIN:"
     "mov.u64 %d7, %clock64; setp.lt.u64 %p1, %d7, %d3; @%p1 bra AGAIN;"},
    {"the timer", "mov.u64 %d1, %globaltimer;\nAGAIN: mov.u64 %d2, %globaltimer;"
     "sub.s64 %d7, %d2, %d1; setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"lanes that wait for different times", LANES_LIMIT NOW64
     "setp.lt.s64 %p1, %d7, %d5; @%p1 bra AGAIN;"},
    {"turns that are counted", "mov.u64 %d5, 0;" NOW64 "add.s64 %d5, %d5, 1;"
     "setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN; mov.u64 %d7, %d5;"},
    {"a limit that grows", "mov.u64 %d5, 1;" NOW64 "setp.lt.s64 %p1, %d7, %d5;"
     "add.s64 %d5, %d5, 3; @%p1 bra AGAIN; mov.u64 %d7, %d5;"},
    {"what the turn before has left", "mov.u64 %d5, 0; mov.u64 %d1, %clock64;\nAGAIN:"
     "sub.s64 %d7, %d5, %d1; mov.u64 %d5, %clock64; setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
    {"a guard within the loop", "mov.u64 %d5, 0;" NOW64 "setp.gt.s64 %p2, %d7, 3000;"
     "@%p2 mov.u64 %d5, %d7; setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN; mov.u64 %d7, %d5;"},
    {"twice the time", NOW64 "add.s64 %d3, %d7, %d7; setp.lt.s64 %p1, %d3, 5000; @%p1 bra AGAIN;"},
    {"half of the lanes", "mov.u32 %r4, %tid.x; and.b32 %r4, %r4, 1; setp.eq.u32 %p2, %r4, 0;"
     "@%p2 bra END; " NOW64 "setp.lt.s64 %p1, %d7, 5000; @%p1 bra AGAIN;"},
};

static void test_waits(void)
{
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        struct sim *s = sim_open(NULL);
        struct sim_module *m = load(s, waits[i].body);
        bool same = m != NULL;
        for (unsigned j = 0; same && j < TIMES; j++)
            for (unsigned threads = VALUES; same && threads >= VALUES / 2; threads -= 12) {
                struct left each, now;
                uint64_t seen = 0;
                same = run_at(s, m, at[j], threads, &seen, &each) && seen > 0 &&
                       run_at(s, m, at[j], threads, NULL, &now) &&
                       memcmp(&each, &now, sizeof now) == 0;
                if (!same)
                    printf("# at %llu: %llu steps, %llu seen\n", (unsigned long long)at[j],
                           (unsigned long long)now.steps, (unsigned long long)each.steps);
            }
        check(same, waits[i].what);
        sim_close(s);
    }
}

/* Without passing over turns, this would take minutes. */
static void test_long(void)
{
    struct sim *s = sim_open(NULL);
    struct sim_module *m = load(s, NOW64 "setp.lt.s64 %p1, %d7, 20000000000; @%p1 bra AGAIN;");
    struct left left = {.steps = 0};
    check(m && run_at(s, m, 0, VALUES, NULL, &left) && left.steps > UINT64_C(20000000000) &&
              left.out[0] >= UINT64_C(20000000000) && left.out[0] < UINT64_C(20000000010),
          "a wait of 20,000,000,000 clocks");
    sim_close(s);
}

int main(void)
{
    test_needs();
    test_waits();
    test_long();
    printf("1..%d\n", tests);
    return bad != 0;
}
