/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libcudasim alone: a kernel adds 1 to eight numbers. Nothing but the public header is
 * included, so this also tests that the library needs nothing else of the project.
 */
#include "sim/sim.h"
#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry next(.param .u64 x)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %d<3>;\n"
    "    ld.param.u64 %d1, [x];\n    mov.u32 %r1, %tid.x;\n"
    "    mad.wide.u32 %d1, %r1, 4, %d1;\n    ld.global.u32 %r2, [%d1];\n"
    "    add.u32 %r2, %r2, 1;\n    st.global.u32 [%d1], %r2;\n    ret;\n}\n";

int main(void)
{
    unsigned x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const unsigned want[8] = { 2, 3, 4, 5, 6, 7, 8, 9 };
    uint64_t address = 0;
    struct sim *s = sim_open(NULL);
    struct sim_module *m = sim_module_load(s, "next.ptx", ptx, sizeof ptx - 1);
    sim_malloc(s, sizeof x, "x", &address);
    sim_write(s, address, x, sizeof x);
    struct sim_run *run = sim_start(s, &(struct sim_launch){SIM_LAUNCH,
        .kernel = m ? sim_kernel_find(m, "next") : NULL, .grid = { 1, 1, 1 },
        .block = { 8, 1, 1 }, .params = &address });
    while (run && sim_step(run, 1 << 20) == SIM_RUNNING) { }
    if (run)
        sim_finish(run);
    sim_read(s, address, x, sizeof x);
    sim_close(s);
    printf("1..1\n%sok 1 - ten lines around libcudasim\n",
           memcmp(x, want, sizeof x) == 0 ? "" : "not ");
    return memcmp(x, want, sizeof x) != 0;
}
