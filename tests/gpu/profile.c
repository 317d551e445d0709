/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches every case of cases.h once, in order, on a real GPU, from PTX assembled without
 * optimisation, and prints `name hash-of-results` a line. Under the profiler its counters are
 * what tests/h100/counters-*.txt keeps:
 *
 *     cc -o profile tests/gpu/profile.c -ldl
 *     ncu --clock-control none --csv --metrics ... ./profile kernels/ptx
 */
#include "cases.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef uint64_t address;
static int (*cuInit)(unsigned), (*cuDeviceGet)(int *, int), (*cuCtxSynchronize)(void);
static int (*cuCtxCreate)(void **, unsigned, int);
static int (*cuModuleLoadDataEx)(void **, const void *, unsigned, int *, void **);
static int (*cuModuleGetFunction)(void **, void *, const char *);
static int (*cuMemAlloc)(address *, size_t), (*cuMemcpyHtoD)(address, const void *, size_t);
static int (*cuMemcpyDtoH)(void *, address, size_t), (*cuMemsetD8)(address, unsigned char, size_t);
static int (*cuFuncSetAttribute)(void *, int, int);
static int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **);

static void check(int rc, const char *what)
{
    if (rc) {
        fprintf(stderr, "%s: error %d\n", what, rc);
        exit(1);
    }
}

static void *load(const char *folder, const char *name)
{
    enum { OPTIMIZATION_LEVEL = 7 };
    char path[512];
    static char text[4 << 20];
    void *module;
    int option = OPTIMIZATION_LEVEL;
    void *value = 0;
    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    FILE *f = fopen(path, "rb");
    check(!f, path);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    check(cuModuleLoadDataEx(&module, text, 1, &option, &value), path);
    return module;
}

int main(int argc, char **argv)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context, *module = NULL, *function;
    const char *loaded = "";
    struct test_case c;
    address a, b;
    int device;
    static unsigned char out[CASE_BUFFER];
    check(!lib, "libcuda.so.1");
#define GET(f, symbol) *(void **)&f = dlsym(lib, symbol)
    GET(cuInit, "cuInit"), GET(cuDeviceGet, "cuDeviceGet"), GET(cuCtxCreate, "cuCtxCreate_v2");
    GET(cuCtxSynchronize, "cuCtxSynchronize"), GET(cuModuleLoadDataEx, "cuModuleLoadDataEx");
    GET(cuModuleGetFunction, "cuModuleGetFunction"), GET(cuMemAlloc, "cuMemAlloc_v2");
    GET(cuMemcpyHtoD, "cuMemcpyHtoD_v2"), GET(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    GET(cuMemsetD8, "cuMemsetD8_v2"), GET(cuLaunchKernel, "cuLaunchKernel");
    GET(cuFuncSetAttribute, "cuFuncSetAttribute");
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
    check(cuMemAlloc(&a, CASE_BUFFER) || cuMemAlloc(&b, CASE_BUFFER), "cuMemAlloc");
    for (unsigned n = 0; case_at(n, &c); n++) {
        void *args[5];
        size_t size = sizeof c.params;
        if (strcmp(loaded, c.module) != 0)
            module = load(argc > 1 ? argv[1] : "kernels/ptx", loaded = c.module);
        check(cuModuleGetFunction(&function, module, c.kernel), c.kernel);
        if (c.shared > 48 << 10)
            check(cuFuncSetAttribute(function, 8, (int)c.shared), "cuFuncSetAttribute");
        check(cuMemsetD8(b, 0, CASE_BUFFER), "cuMemsetD8");
        check(cuMemcpyHtoD(a, c.in, sizeof c.in), "cuMemcpyHtoD");
        case_params(&c, a, b);
        size = strcmp(c.module, "trap") == 0 ? 24 : strcmp(c.module, "banks") == 0 ? 20 : 32;
        args[0] = (void *)1, args[1] = c.params, args[2] = (void *)2, args[3] = &size, args[4] = NULL;
        check(cuLaunchKernel(function, c.grid, 1, 1, c.block, 1, 1, c.shared, NULL, NULL, args), c.name);
        check(cuCtxSynchronize(), c.name);
        check(cuMemcpyDtoH(out, b, sizeof out), "cuMemcpyDtoH");
        uint64_t hash = 14695981039346656037u;
        for (size_t i = 0; i < sizeof out; i++)
            hash = (hash ^ out[i]) * 1099511628211u;
        printf("%s %016llx\n", c.name, (unsigned long long)hash);
    }
    return 0;
}
