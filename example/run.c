/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the kernel of scale.ptx on the simulator: 64 numbers are tripled by 96 threads.
 *
 *     cc run.c $(pkg-config --cflags --libs cudasim) -o run
 *     ./run scale.ptx        the numbers, and how many loads the kernel did
 *     ./run scale.ptx 65     the kernel is told of one number too many: a fault says where
 */
#include <cudasim/sim.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 64 };

/* An observer's hook: called before each load of a warp. A bit of the mask is a thread. */
static void count_loads(void *self, const struct sim_at *at, const struct sim_access *access)
{
    unsigned long *loads = self;
    (void)access; /* says where */
    for (unsigned lanes = at->mask; lanes; lanes &= lanes - 1)
        ++*loads;
}

static int failed(const struct sim *s)
{
    fprintf(stderr, "run: %s\n", s ? sim_message(s) : "the PTX can't be read");
    return 1;
}

/* A launch is started and stepped until it ends; what it found stays until it is finished. */
static int launch(struct sim *s, const struct sim_kernel *kernel, const void *params)
{
    unsigned long loads = 0;
    const struct sim_hooks hooks = {SIM_HOOKS, .load = count_loads};
    const struct sim_observer observer = {&hooks, &loads};
    struct sim_run *run = sim_start(s, &(struct sim_launch){
        SIM_LAUNCH, .kernel = kernel, .grid = {3, 1, 1}, .block = {32, 1, 1}, .params = params,
        .observers = &observer, .observer_count = 1});
    if (!run)
        return failed(s);
    while (sim_step(run, 1 << 20) == SIM_RUNNING) { }
    const struct sim_result *result = sim_result(run);
    for (unsigned i = 0; i < result->fault_count; i++)
        printf("fault: %s: %s\n", sim_fault_name(result->faults[i].kind), result->faults[i].message);
    printf("loads: %lu\n", loads);
    sim_finish(run);
    return 0;
}

int main(int argc, char **argv)
{
    static char ptx[10000];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    size_t length = file ? fread(ptx, 1, sizeof ptx, file) : 0;
    if (!length || fclose(file) != 0)
        return failed(NULL);
    /* The kernel's parameters, one behind the other as a C compiler lays them out. */
    struct { uint64_t x; float factor; unsigned n; } params = {.factor = 3, .n = COUNT};
    float x[COUNT];
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i;
    if (argc > 2)
        params.n = (unsigned)atoi(argv[2]);

    struct sim *s = sim_open(NULL);
    struct sim_module *module = s ? sim_module_load(s, argv[1], ptx, length) : NULL;
    if (!module || sim_malloc(s, sizeof x, "x", &params.x) != 0 ||
        sim_write(s, params.x, x, sizeof x) != 0 ||
        launch(s, sim_kernel_find(module, "scale"), &params) != 0 ||
        sim_read(s, params.x, x, sizeof x) != 0)
        return failed(s);
    printf("x[1] = %g, x[%d] = %g\n", x[1], COUNT - 1, x[COUNT - 1]);
    return sim_close(s); /* frees the module and the memory as well */
}
