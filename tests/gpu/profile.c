/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches every case of cases.h once, in order, on a real GPU, from PTX assembled without
 * optimisation, and prints `name hash-of-results` a line. Under the profiler its counters are
 * what tests/h100/counters-*.txt keeps:
 *
 *     cc -Isrc -o profile tests/gpu/profile.c src/dev/gpu/driver.c src/base/err.c -ldl
 *     ncu --clock-control none --csv --metrics ... ./profile kernels/ptx
 */
#include "card.h"
#include "cases.h"
#include "numbers.h"

static void *load(const char *folder, const char *name)
{
    char path[512];
    static char text[4 << 20];
    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    FILE *f = fopen(path, "rb");
    check(!f, path);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return card_load_as_written(text, path);
}

int main(int argc, char **argv)
{
    void *module = NULL, *function;
    const char *loaded = "";
    struct test_case c;
    uint64_t a, b;
    static unsigned char out[CASE_BUFFER];
    card_open();
    check(cu.cuMemAlloc_v2(&a, CASE_BUFFER), "cuMemAlloc");
    check(cu.cuMemAlloc_v2(&b, CASE_BUFFER), "cuMemAlloc");
    for (unsigned n = 0; case_at(n, &c); n++) {
        void *args[5];
        size_t size = sizeof c.params;
        if (strcmp(loaded, c.module) != 0)
            module = load(argc > 1 ? argv[1] : "kernels/ptx", loaded = c.module);
        check(cu.cuModuleGetFunction(&function, module, c.kernel), c.kernel);
        if (c.shared > 48 << 10)
            check(cu.cuFuncSetAttribute(function, FUNCTION_MAX_DYNAMIC_SHARED, (int)c.shared),
                  "cuFuncSetAttribute");
        check(cu.cuMemsetD8_v2(b, 0, CASE_BUFFER), "cuMemsetD8");
        check(cu.cuMemcpyHtoD_v2(a, c.in, sizeof c.in), "cuMemcpyHtoD");
        case_params(&c, a, b);
        size = strcmp(c.module, "trap") == 0 ? 24 : strcmp(c.module, "banks") == 0 ? 20 : 32;
        args[0] = (void *)1, args[1] = c.params, args[2] = (void *)2, args[3] = &size;
        args[4] = NULL;
        check(cu.cuLaunchKernel(function, c.grid, 1, 1, c.block, 1, 1, c.shared, NULL, NULL, args),
              c.name);
        check(cu.cuStreamSynchronize(NULL), c.name);
        check(cu.cuMemcpyDtoH_v2(out, b, sizeof out), "cuMemcpyDtoH");
        printf("%s %016llx\n", c.name, (unsigned long long)hash_of(out, sizeof out));
    }
    return 0;
}
