/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces behind struct device: on the simulator, and on a GPU (tests/fake), where
 * they must outlive the process that works with it.
 */
#include "dev/checks.h"
#include "dev/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const device_program = "/proc/self/exe";

/* double_up: each element of a row of 8, through the texture, twice, to the surface; and a trap. */
static const char ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry double_up(.param .u64 t, .param .u64 s)\n{\n"
    ".reg .b64 %t, %s;\n.reg .b32 %n, %b, %z;\n.reg .f32 %f<4>, %x;\n"
    "ld.param.u64 %t, [t];\nld.param.u64 %s, [s];\nmov.u32 %n, %tid.x;\nmov.b32 %z, 0;\n"
    "tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%n, %z}];\n"
    "add.f32 %x, %f0, %f0;\nshl.b32 %b, %n, 2;\n"
    "sust.b.2d.b32.trap [%s, {%b, %z}], {%x};\nret;\n}\n"
    ".visible .entry fail()\n{\ntrap;\n}\n";

enum { N = 8 };
static int tests, bad;

static void check(bool good, const char *kind, const char *name, const char *more)
{
    printf("%s %d - %s: %s\n", good ? "ok" : "not ok", ++tests, kind, name);
    if (!good && ++bad)
        printf("# %s\n", more);
}

static bool launch(struct device *d, void *module, const char *name, const uint64_t params[2],
                   bool counters, struct launch_result *result, struct err *e)
{
    struct kernel_info info;
    struct launch_how how = {.schedule = "lockstep", .trace_warp = -1, .counters = counters,
                             .checks = check_all()};
    struct launch_want want = {.kernel = device_find_kernel(d, module, name, &info), .name = name,
                               .grid = {1, 1, 1}, .block = {N, 1, 1}, .params = params,
                               .param_bytes = info.param_bytes, .how = &how};
    return want.kernel && d->ops->launch(d, &want, result, e) == 0;
}

/* Does it end in a fault? */
static bool faults(struct device *d, void *module, const char *name, const uint64_t params[2])
{
    struct launch_result result = {0};
    struct err e;
    bool found = launch(d, module, name, params, false, &result, &e) && result.fault_count;
    launch_result_free(&result);
    return found;
}

/* Doubles the array in place, and looks whether it is `times` what it was. */
static void doubles(struct device *d, void *module, const uint64_t handles[2], uint64_t address,
                    float times, const char *name)
{
    struct launch_result result = {0};
    struct err e = {0};
    float x[N];
    bool good = launch(d, module, "double_up", handles, true, &result, &e);
    const char *why = good && result.fault_count ? result.faults[0].message : e.text;
    good = good && !result.fault_count && result.counters.texture_requests == 1 &&
           d->ops->read(d, x, address, sizeof x, &e) == 0;
    for (int i = 0; good && i < N; i++)
        good = x[i] == (float)(i + 1) * times;
    check(good, d->kind, name, why);
    launch_result_free(&result);
}

static void objects(struct device *d, void *module)
{
    struct sim_texture t = {.image = {.kind = SIM_IMAGE_2D, .width = N, .height = 1,
                                      .channel = SIM_CHANNEL_F32, .channels = 1}};
    struct sim_texture wrong = t;
    uint64_t handles[2] = {0, 0}, none = 0;
    const float x[N] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct err e = {0};
    bool made = d->ops->allocate(d, sizeof x, "x", &t.image.address, &e) == 0 &&
                d->ops->write(d, t.image.address, x, sizeof x, &e) == 0 &&
                d->ops->texture_create(d, &t, false, &handles[0], &e) == 0 &&
                d->ops->texture_create(d, &t, true, &handles[1], &e) == 0;
    check(made && handles[0] != handles[1], d->kind, "a texture and a surface of one array",
          e.text);
    doubles(d, module, handles, t.image.address, 2, "what one reads the other writes");
    doubles(d, module, handles, t.image.address, 4, "each launch finds what the last one left");
    check(faults(d, module, "fail", handles), d->kind, "a launch ends in a fault", "no fault");
    doubles(d, module, handles, t.image.address, 8, "after it both are as before");
    wrong.image.channels = 3;
    check(d->ops->texture_create(d, &wrong, false, &none, &e) != 0 && strstr(e.text, "no image"),
          d->kind, "three channels are refused", e.text);
    wrong = t;
    wrong.image.height = 1000;
    check(d->ops->texture_create(d, &wrong, false, &none, &e) != 0, d->kind,
          "and more than the array has", "it was made");
    check(d->ops->texture_destroy(d, handles[0], &e) == 0 &&
              d->ops->texture_destroy(d, handles[0], &e) != 0,
          d->kind, "they go, once", e.text);
    check(faults(d, module, "double_up", handles), d->kind, "and can't be used then", "no fault");
    check(d->ops->free(d, t.image.address, &e) == 0 &&
              faults(d, module, "double_up", (uint64_t[]){handles[1], handles[1]}),
          d->kind, "nor a surface whose array is gone", "no fault");
}

static void all_on(const char *spec)
{
    char why[200];
    struct err e = {0};
    struct device *d = device_open(spec, why, NULL, &e);
    void *module = d ? d->ops->load(d, "k.ptx", ptx, sizeof ptx - 1, &e) : NULL;
    check(module != NULL, spec, "the kernels are there", e.text);
    if (module)
        objects(d, module);
    if (module)
        d->ops->unload(d, module);
    device_close(d);
}

/* The libcuda of the tests is found by a process that begins with its folder in the path. */
static void with_fake_driver(char **argv)
{
    const char *top = getenv("top_builddir"), *set = getenv("LD_LIBRARY_PATH");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/tests/fake", top ? top : ".");
    if (set && strcmp(set, folder) == 0)
        return;
    setenv("LD_LIBRARY_PATH", folder, 1);
    execv(device_program, argv);
}

int main(int argc, char **argv)
{
    int status;
    if (device_serve(argc, argv, &status))
        return status;
    with_fake_driver(argv);
    all_on("sim");
    all_on("gpu");
    printf("1..%d\n", tests);
    return bad != 0;
}
