/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two back ends of trap's expressions against each other: the PTX that a kernel calls,
 * run by the simulator, gives bit for bit what the host's evaluation rounds to.
 */
#include "base/buf.h"
#include "sim/sim.h"
#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 8192 };

static const char *const curves[] = {
    "x^2+1", "sin(x)", "cos(x)", "tan(x)", "exp(x)", "log(x)", "sqrt(x)", "abs(x)", "1/x",
    "x^3-2*x", "2^x", "x^0.5", "(-x)^3", "x^x", "exp(-x^2/10)*sin(3*x)", "log(abs(x)+1)/pi",
    "sqrt(abs(sin(x)))", "e^(cos(x)-1)", "tan(x/7)-x", "-x^2+sin(x)*cos(x)",
};

static const char entry[] =
    ".visible .entry each(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "  .reg .b32 %r<5>; .reg .b64 %d<6>; .reg .f32 %f<3>;\n"
    "  ld.param.u64 %d1, [from]; ld.param.u64 %d2, [to];\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "  mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %d3, %r4, 4;\n"
    "  add.s64 %d4, %d1, %d3; ld.global.f32 %f1, [%d4];\n"
    "  { .param .b32 a; st.param.f32 [a], %f1; .param .b32 b;\n"
    "    call.uni (b), curve, (a); ld.param.f32 %f2, [b]; }\n"
    "  add.s64 %d5, %d2, %d3; st.global.f32 [%d5], %f2; ret;\n"
    "}\n";

/* Dense on [-100, 100], the halves and integers exactly, and a few that are none. */
static float point(int i)
{
    static const float odd[] = { 0.0f, -0.0f, 1e-38f, 1e30f, -1e30f, 3.14159265f, 0.5f, -1.0f };
    if (i < (int)(sizeof odd / sizeof *odd))
        return odd[i];
    if (i < 512)
        return (float)(i - 256) / 2;
    return -100.0f + (float)i * (200.0f / POINTS);
}

static bool run(const char *ptx, size_t n, const float *x, float *y)
{
    struct sim *s = sim_open(NULL);
    struct sim_module *m = s ? sim_module_load(s, "curve.ptx", ptx, n) : NULL;
    uint64_t at[2];
    bool done = false;
    if (m && sim_malloc(s, POINTS * 4, "x", &at[0]) == 0 &&
        sim_malloc(s, POINTS * 4, "y", &at[1]) == 0) {
        sim_write(s, at[0], x, POINTS * 4);
        struct sim_run *r = sim_start(s, &(struct sim_launch){SIM_LAUNCH,
            .kernel = sim_kernel_find(m, "each"), .grid = { POINTS / 256, 1, 1 },
            .block = { 256, 1, 1 }, .params = at });
        while (r && sim_step(r, 1 << 20) == SIM_RUNNING) { }
        done = r && sim_step(r, 1) == SIM_DONE;
        if (r && !done && sim_result(r)->fault_count)
            printf("# %s\n", sim_result(r)->faults[0].message);
        sim_finish(r);
        sim_read(s, at[1], y, POINTS * 4);
    } else if (s) {
        printf("# line %d: %s\n", sim_message_line(s), sim_message(s));
    }
    sim_close(s);
    return done;
}

static int differing(const struct expr *e, const float *x, const float *y)
{
    int wrong = 0;
    for (int i = 0; i < POINTS; i++) {
        float want = (float)expr_eval(e, (double)x[i]);
        bool same = want != want ? y[i] != y[i] : memcmp(&want, &y[i], 4) == 0;
        if (!same && wrong++ < 3)
            printf("# at %a: the kernel has %a, the host %a\n", (double)x[i], (double)y[i],
                   (double)want);
    }
    return wrong;
}

int main(void)
{
    static float x[POINTS], y[POINTS];
    int count = sizeof curves / sizeof *curves, failed = 0;
    for (int i = 0; i < POINTS; i++)
        x[i] = point(i);
    printf("1..%d\n", count);
    for (int k = 0; k < count; k++) {
        struct expr_error why;
        struct expr *e = NULL;
        struct buf ptx = {0};
        buf_puts(&ptx, ".version 6.4\n.target sm_75\n.address_size 64\n");
        bool ok = expr_parse(curves[k], &e, &why) == 0 && expr_ptx(e, "curve", &ptx) == 0 &&
                  buf_puts(&ptx, entry) == 0 && run(ptx.data, ptx.len, x, y) &&
                  differing(e, x, y) == 0;
        printf("%sok %d - %s: %d points, the same bits\n", ok ? "" : "not ", k + 1,
               curves[k], POINTS);
        failed += !ok;
        expr_free(e);
        buf_free(&ptx);
    }
    return failed != 0;
}
