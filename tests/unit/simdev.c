/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator behind struct device, and launches as labs make them: what comes back, what
 * is refused, and how a launch that doesn't end is ended.
 */
#include "labkit/run.h"

#include <stdio.h>
#include <string.h>

/* out[i] = x[i] + add, a float a thread; and a kernel that never ends. */
static const char ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry plus(.param .u64 out, .param .u64 x, .param .f32 add)\n"
    "{\n"
    ".reg .b32 %r<6>;\n.reg .b64 %rd<6>;\n.reg .f32 %f<4>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [x];\nld.param.f32 %f1, [add];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nmul.wide.s32 %rd3, %r4, 4;\n"
    "add.s64 %rd4, %rd2, %rd3;\nadd.s64 %rd5, %rd1, %rd3;\n"
    "ld.global.f32 %f2, [%rd4];\nadd.f32 %f3, %f2, %f1;\nst.global.f32 [%rd5], %f3;\n"
    "ret;\n}\n"
    ".visible .entry spin()\n{\nagain:\nbra.uni again;\n}\n";

static int tests;

static void check(bool good, const char *name, const char *more)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
    if (!good)
        printf("# %s\n", more);
}

static void check_text(const char *got, const char *part, const char *name)
{
    check(strstr(got, part) != NULL, name, got);
}

/* ---- opening --------------------------------------------------------------------------- */

static void refused(const char *spec, const char *part)
{
    char why[200], name[100];
    struct err e = {0};
    struct device *d = device_open(spec, why, NULL, &e);
    snprintf(name, sizeof name, "device %s is refused", spec);
    check_text(d ? "it opened" : e.text, part, name);
    device_close(d);
}

static void check_opening(void)
{
    char why[200];
    struct err e = {0};
    struct device *d = device_open("auto", why, NULL, &e);
    check(d && strcmp(d->kind, "sim") == 0 && strcmp(d->props.profile, "h100") == 0,
          "auto is the simulator as an H100", e.text);
    check_text(why, "simulator", "and says why");
    device_close(d);
    refused("sim:h10", "sim:h100");
    refused("sim:nothing", "gtx970");
#ifdef WITH_GPU
    refused("gpu", "GPU device"); /* only cudalab itself can start its process */
    refused("gpu:", "gpu:0");
#else
    refused("gpu", "--disable-gpu");
    refused("gpu:0", "--disable-gpu");
#endif
    refused("smi", "did you mean sim?");
    refused("h100", "sim:h100");
}

/* ---- a session to run in --------------------------------------------------------------- */

struct bench {
    struct session session;
    struct report report;
};

static void bench_open(struct bench *b)
{
    struct err e = {0};
    *b = (struct bench){.session.settings = {.schedule = "lockstep"}};
    report_init(&b->report);
    b->session.device = device_open("sim", b->session.why_device, NULL, &e);
    void *module;
    if (!b->session.device ||
        lab_module_text(&b->session, "toy", ptx, sizeof ptx - 1, &module, &b->report) != 0)
        printf("Bail out! %s%s\n", e.text, b->report.error.text);
}

static void bench_close(struct bench *b)
{
    struct session *s = &b->session;
    session_end_command(s);
    for (unsigned i = 0; i < s->loaded_count; i++)
        s->device->ops->unload(s->device, s->loaded[i].module);
    mem_free(&allocator_libc, s->loaded, s->loaded_count * sizeof *s->loaded);
    report_free(&b->report);
    device_close(s->device);
}

/* One array of 64 floats, 0 to 63, and one for the answer. */
static void make_arrays(struct bench *b, uint64_t *out, uint64_t *x)
{
    float values[64];
    for (int i = 0; i < 64; i++)
        values[i] = (float)i;
    lab_array(&b->session, sizeof values, "x", values, x, &b->report);
    lab_array(&b->session, sizeof values, "out", NULL, out, &b->report);
}

static void check_launch(void)
{
    struct bench b;
    struct launch_result result;
    uint64_t out = 0, x = 0;
    float values[64] = {0};
    bench_open(&b);
    make_arrays(&b, &out, &x);
    struct lab_launch l = {
        .module = "toy", .kernel = "plus", .grid = {2}, .block = {32}, .trace = true};
    int rc = lab_launch(&b.session, &l, &result, &b.report, PARAMS(out, x, 0.5f));
    check(rc == 0, "a launch goes through", b.report.error.text);
    session_fetch(&b.session, values, out, sizeof values, &b.report);
    check(values[0] == 0.5f && values[63] == 63.5f, "and its answers come back", "wrong values");
    check(result.has_counters && result.counters.global_load_requests == 2 &&
              result.counters.global_load_sectors == 8 && result.counters.global_store_sectors == 8,
          "counted", "wrong counters");
    check(result.trace_count > 0 && strstr(result.trace[0].text, "ld.param") &&
              result.trace[0].mask == 0xFFFFFFFF,
          "traced", "wrong trace");
    check(b.report.launch_count == 1 && b.report.has_counters, "and told to the report", "");
    say_trace(&b.report, &result, 100);
    check_text(buf_text(&b.report.screen), " 0.5 1.5 2.5", "the trace shows values");
    launch_result_free(&result);
    bench_close(&b);
}

static void check_repeatable(void)
{
    struct bench a, b;
    uint64_t out[2], x[2];
    bench_open(&a);
    bench_open(&b);
    make_arrays(&a, &out[0], &x[0]);
    make_arrays(&b, &out[1], &x[1]);
    check(out[0] == out[1] && x[0] == x[1], "two devices give the same addresses", "differ");
    bench_close(&a);
    bench_close(&b);
}

/* ---- refusals -------------------------------------------------------------------------- */

static void refuse_launch(struct lab_launch l, const struct param *params, const char *part)
{
    struct bench b;
    struct launch_result result;
    char name[120];
    bench_open(&b);
    l.module = "toy";
    l.kernel = "plus";
    int rc = lab_launch(&b.session, &l, &result, &b.report, params);
    snprintf(name, sizeof name, "refused: %s", part);
    check_text(rc == 0 ? "it ran" : b.report.error.text, part, name);
    bench_close(&b);
}

static void check_refusals(void)
{
    const uint64_t none = 0;
    const struct param *good = PARAMS(none, none, 0.0f);
    refuse_launch((struct lab_launch){.grid = {1}, .block = {1025}}, good,
                  "1025 threads in a block: this device allows at most 1024");
    refuse_launch((struct lab_launch){.grid = {1}, .block = {64, 64}}, good,
                  "4096 threads in a block");
    refuse_launch((struct lab_launch){.grid = {1}, .block = {1, 1, 65}}, good,
                  "65 threads along z in a block: this device allows at most 64");
    refuse_launch((struct lab_launch){.grid = {0}, .block = {32}}, good, "0 blocks");
    refuse_launch((struct lab_launch){.grid = {1, 65536}, .block = {32}}, good,
                  "65536 blocks along y in a grid: this device allows at most 65535");
    refuse_launch((struct lab_launch){.grid = {1}, .block = {32}, .shared_bytes = 300000}, good,
                  "300000 bytes of shared memory per block: this device allows at most 232448");
#ifndef TEST_BUILD /* it ends there */
    refuse_launch((struct lab_launch){.grid = {1}, .block = {32}}, PARAMS(none, none, 0.0), "internal: parameter 3 of `plus` has another type");
    refuse_launch((struct lab_launch){.grid = {1}, .block = {32}}, PARAMS(none, none), "internal: `plus` takes 3 parameters and was given 2");
#endif
}

static void check_bad_ptx(void)
{
    static const char bad[] = ".version 6.4\n.target sm_70\n.address_size 64\nnonsense here\n";
    struct bench b;
    void *module;
    bench_open(&b);
    int rc = lab_module_text(&b.session, "bad", bad, sizeof bad - 1, &module, &b.report);
    check_text(rc == 0 ? "it loaded" : b.report.error.text,
               "bad.ptx:4:", "PTX that can't be read is refused with its line");
    bench_close(&b);
}

/* ---- endings --------------------------------------------------------------------------- */

static void check_timeout(double seconds, uint64_t steps, const char *part, const char *name)
{
    struct bench b;
    struct launch_result result;
    struct lab_launch l = {.module = "toy", .kernel = "spin", .grid = {1}, .block = {32}};
    bench_open(&b);
    budget_begin_session(&b.session.budget);
    b.session.budget.command_s = seconds;
    b.session.settings.step_limit = steps;
    int rc = lab_launch(&b.session, &l, &result, &b.report, NULL);
    bool timeout = rc == 0 && result.fault_count == 1 &&
                   strcmp(result.faults[0].kind, "timeout") == 0 && result.faults[0].ends;
    check(timeout && strstr(result.faults[0].message, part), name,
          timeout ? result.faults[0].message : b.report.error.text);
    check(b.report.status == REPORT_FAULT && !result.has_counters, "it counts as a fault", "");
    launch_result_free(&result);
    bench_close(&b);
}

static void check_interrupt(void)
{
    struct bench b;
    struct launch_result result;
    struct lab_launch l = {.module = "toy", .kernel = "spin", .grid = {1}, .block = {32}};
    bench_open(&b);
    b.session.stop = 1;
    int rc = lab_launch(&b.session, &l, &result, &b.report, NULL);
    check_text(rc == 0 ? "it ended" : b.report.error.text, "interrupted", "Ctrl-C ends a launch");
    bench_close(&b);
}

int main(void)
{
    check_opening();
    check_launch();
    check_repeatable();
    check_refusals();
    check_bad_ptx();
    check_timeout(0, 100000, "", "the step limit ends a launch");
    check_timeout(0.05, 0, "no end after 0.05 s", "the time limit ends a launch");
    check_interrupt();
    printf("1..%d\n", tests);
    return 0;
}
