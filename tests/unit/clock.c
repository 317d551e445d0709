/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels that read clocks: does what they do depend on when they begin? Each is run twice, at two
 * times. Those that are said not to depend on it must leave the same.
 */
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

/* Runs it at this time, and reads what it left. */
static bool run_at(struct sim *s, struct sim_module *m, uint64_t clock, uint64_t out[2 * VALUES])
{
    struct { uint64_t out, five; } params = {0, 5};
    static const uint64_t none[2 * VALUES];
    if (sim_malloc(s, sizeof none, "out", &params.out) != 0 ||
        sim_write(s, params.out, none, sizeof none) != 0)
        return false;
    struct sim_launch l = {SIM_LAUNCH, .grid = {1, 1, 1}, .block = {VALUES, 1, 1},
                           .kernel = sim_kernel_find(m, "k"), .params = &params, .clock = clock};
    struct sim_run *run = sim_start(s, &l);
    enum sim_status status = SIM_RUNNING;
    while (run && status == SIM_RUNNING)
        status = sim_step(run, 1000);
    if (run)
        sim_finish(run);
    return run && status == SIM_DONE && sim_read(s, params.out, out, sizeof none) == 0;
}

int main(void)
{
    static const uint64_t at[] = {0, 1, 1000000, UINT64_C(4294967290), UINT64_C(1) << 40};
    char text[4096];
    for (unsigned i = 0; i < KERNELS; i++) {
        struct sim *s = sim_open(NULL);
        int n = snprintf(text, sizeof text, "%s%s\n%s", HEAD, kernels[i].body, TAIL);
        struct sim_module *m = s ? sim_module_load(s, "k.ptx", text, (size_t)n) : NULL;
        const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
        uint64_t first[2 * VALUES], now[2 * VALUES];
        bool same = k && run_at(s, m, at[0], first);
        for (unsigned j = 1; same && j < sizeof at / sizeof at[0]; j++)
            same = run_at(s, m, at[j], now) && memcmp(first, now, sizeof now) == 0;
        check(k && !k->closed && k->reads_clock && k->needs_clock == kernels[i].needs_clock,
              kernels[i].what);
        if (k && !k->needs_clock)
            check(same, "it leaves the same, whenever it begins");
        sim_close(s);
    }
    printf("1..%d\n", tests);
    return bad != 0;
}
