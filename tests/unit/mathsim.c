/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mathsim PTX: mathematics that clang compiled from our headers, run by the simulator, against
 * known values. tests/headers.t makes the PTX (of tests/headers/values.cu) and calls this; a
 * line for each function. Doubles keep the bound of tests/data/values.def, floats one unit in
 * the last place; the GPU's fast approximations aren't asked for here.
 */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct value {
    const char *function;
    double x, y, want;
    int units;
} values[] = {
#include "../data/values.def"
};

enum { VALUES = sizeof values / sizeof *values, LANES = 32, FLOAT_UNITS = 1, PTX_MOST = 8 << 20 };

/* Neighbouring doubles are neighbouring whole numbers here, negative ones too. */
static int64_t ordered64(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static int64_t ordered32(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static bool is_near(int64_t a, int64_t b, int64_t most)
{
    return a - b <= most && b - a <= most;
}

struct lanes { double x[LANES], y[LANES], in_double[LANES], in_float[LANES]; };

/* Runs value_NAME on the lanes: false with a word why on the screen. */
static bool run(struct sim *s, const struct sim_module *m, const char *name, struct lanes *lanes)
{
    char kernel[80];
    uint64_t at, params[4];
    snprintf(kernel, sizeof kernel, "value_%s", name);
    if (sim_malloc(s, sizeof *lanes, "lanes", &at) != 0 ||
        sim_write(s, at, lanes, sizeof *lanes) != 0)
        return false;
    for (unsigned i = 0; i < 4; i++)
        params[i] = at + i * sizeof lanes->x;
    struct sim_run *r = sim_start(s, &(struct sim_launch){SIM_LAUNCH,
        .kernel = sim_kernel_find(m, kernel), .grid = {1, 1, 1}, .block = {LANES, 1, 1},
        .params = params});
    while (r && sim_step(r, 1 << 20) == SIM_RUNNING) { }
    bool done = r && sim_step(r, 1) == SIM_DONE;
    if (r && !done && sim_result(r)->fault_count)
        printf("# %s\n", sim_result(r)->faults[0].message);
    sim_finish(r);
    sim_read(s, at, lanes, sizeof *lanes);
    sim_free(s, at);
    return done;
}

static bool check(const struct value *v, double in_double, double in_float)
{
    bool good = is_near(ordered64(in_double), ordered64(v->want), v->units) &&
                is_near(ordered32((float)in_float), ordered32((float)v->want), FLOAT_UNITS);
    if (!good)
        printf("# %s(%a, %a) is %a, in float %a; wanted %a\n", v->function, v->x, v->y, in_double,
               in_float, v->want);
    return good;
}

/* Values of the same function stand together, in less than a warp. */
static unsigned count_same(unsigned first)
{
    unsigned n = 1;
    while (first + n < VALUES && n < LANES &&
           strcmp(values[first].function, values[first + n].function) == 0)
        n++;
    return n;
}

static bool check_function(struct sim *s, const struct sim_module *m, unsigned first, unsigned n)
{
    struct lanes lanes = {0};
    for (unsigned i = 0; i < LANES; i++) {
        lanes.x[i] = values[first + i % n].x;
        lanes.y[i] = values[first + i % n].y;
    }
    bool good = run(s, m, values[first].function, &lanes);
    for (unsigned i = 0; good && i < n; i++)
        good = check(&values[first + i], lanes.in_double[i], lanes.in_float[i]);
    return good;
}

static int check_all(struct sim *s, const struct sim_module *m)
{
    int failed = 0;
    for (unsigned i = 0, n; i < VALUES; i += n) {
        n = count_same(i);
        bool good = check_function(s, m, i, n);
        printf("%s - %s: %u values within %d units in double, %d in float\n",
               good ? "ok" : "not ok", values[i].function, n, values[i].units, FLOAT_UNITS);
        failed += !good;
    }
    return failed;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char *ptx = file ? malloc(PTX_MOST) : NULL;
    size_t n = ptx ? fread(ptx, 1, PTX_MOST, file) : 0;
    struct sim *s = sim_open(NULL);
    struct sim_module *m = s && n ? sim_module_load(s, argv[1], ptx, n) : NULL;
    int failed = m ? check_all(s, m) : 1;
    if (!m)
        printf("not ok - the PTX is read\n# line %d: %s\n", s ? sim_message_line(s) : 0,
               s ? sim_message(s) : "no memory");
    sim_close(s);
    free(ptx);
    if (file)
        fclose(file);
    return failed != 0;
}
