/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of checkers, and what each of them does to a launch: a kernel in which all threads store
 * the same value, read an array that nobody filled, and leave a barrier divided.
 */
#include "dev/checks.h"
#include "dev/device.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry k(.param .u64 x, .param .u64 y)\n{\n"
    "    .reg .b32 %r<8>;\n    .reg .b64 %d<8>;\n"
    "    ld.param.u64 %d1, [x];\n    ld.param.u64 %d2, [y];\n"
    "    mov.u32 %r1, 7;\n    st.global.u32 [%d1], %r1;\n"
    "    ld.global.u32 %r2, [%d2];\n    mov.u32 %r3, %tid.x;\n    mul.wide.u32 %d3, %r3, 4;\n"
    "    add.s64 %d4, %d1, %d3;\n    st.global.u32 [%d4+64], %r2;\n    ret;\n}\n";

static int tests;

static void check(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
}

static void parse(void)
{
    const unsigned all = check_all();
    const struct {
        const char *list;
        int rc;
        unsigned checks;
    } cases[] = {{"race", 0, CHECK_RACE},
                 {"race,memory", 0, CHECK_RACE | CHECK_MEMORY},
                 {"race:strict", 0, CHECK_RACE | CHECK_RACE_STRICT},
                 {"none", 0, 0},
                 {"all", 0, all},
                 {"all,race:strict", 0, all | CHECK_RACE_STRICT},
                 {"uninit,sync", 0, CHECK_UNINIT | CHECK_SYNC},
                 {"", -1, 99},
                 {"race,", -1, 99},
                 {"rave", -1, 99},
                 {"everything", -1, 99}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned checks = 99;
        struct err e = {0};
        char what[80];
        snprintf(what, sizeof what, "--check '%s'", cases[i].list);
        check(checks_parse(cases[i].list, &checks, &e) == cases[i].rc &&
                  checks == cases[i].checks, what);
        if (strcmp(cases[i].list, "rave") == 0)
            check(strstr(e.text, "`race`") != NULL, "the nearest is offered");
    }
}

static unsigned count_kind(const struct launch_result *r, const char *kind)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->fault_count; i++)
        n += strcmp(r->faults[i].kind, kind) == 0;
    return n;
}

/* y has never been written unless `filled`. */
static void launch(unsigned checks, bool filled, unsigned races, unsigned unwritten,
                   const char *what)
{
    struct err e = {0};
    char why[200];
    struct kernel_info info;
    struct launch_result result = {0};
    struct { uint64_t x, y; } params;
    struct device *d = device_open("sim", why, NULL, &e);
    void *m = d ? d->ops->load(d, "k.ptx", text, sizeof text - 1, &e) : NULL;
    const void *k = m ? device_find_kernel(d, m, "k", &info) : NULL;
    uint32_t seven = 7;
    struct launch_how how = {.schedule = "lockstep", .trace_warp = -1, .checks = checks};
    struct launch_want want = {.kernel = k, .name = "k", .grid = {1, 1, 1}, .block = {64, 1, 1},
                               .params = &params, .param_bytes = sizeof params, .how = &how};
    bool good = k && d->ops->allocate(d, 1024, "x", &params.x, &e) == 0 &&
                d->ops->allocate(d, 4, "y", &params.y, &e) == 0 &&
                (!filled || d->ops->write(d, params.y, &seven, 4, &e) == 0) &&
                d->ops->launch(d, &want, &result, &e) == 0;
    check(good && count_kind(&result, "race-global") == races &&
              count_kind(&result, "uninitialized") == unwritten, what);
    launch_result_free(&result);
    if (m)
        d->ops->unload(d, m);
    device_close(d);
}

int main(void)
{
    parse();
    launch(check_all(), true, 0, 0, "the same value from all threads is let pass");
    launch(check_all() | CHECK_RACE_STRICT, true, 1, 0, "and found by race:strict");
    launch(check_all(), false, 0, 1, "an unwritten array is found");
    launch(CHECK_RACE | CHECK_MEMORY, false, 0, 0, "but not where uninit is off");
    launch(0, false, 0, 0, "nothing is found with none");
    printf("1..%d\n", tests);
    return 0;
}
