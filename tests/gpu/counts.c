/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches every kernel of tests/h100/counts once on a real GPU, in alphabetical order, from PTX
 * assembled without optimisation, and prints `name hash-of-results` a line. Under the profiler
 * its counters are what tests/h100/counts.txt keeps; tests/gpu/counts.sh does both:
 *
 *     cc -o counts tests/gpu/counts.c -ldl
 *     ncu --clock-control none --csv --metrics ... ./counts tests/h100/counts
 */
#include "counts.h"

#include <dlfcn.h>

typedef uint64_t address;
static int (*cuInit)(unsigned), (*cuDeviceGet)(int *, int), (*cuCtxSynchronize)(void);
static int (*cuCtxCreate)(void **, unsigned, int);
static int (*cuModuleLoadDataEx)(void **, const void *, unsigned, int *, void **);
static int (*cuModuleGetFunction)(void **, void *, const char *);
static int (*cuMemAlloc)(address *, size_t), (*cuMemcpyHtoD)(address, const void *, size_t);
static int (*cuMemcpyDtoH)(void *, address, size_t), (*cuMemsetD8)(address, unsigned char, size_t);
static int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **);

static void check(int rc, const char *what)
{
    if (rc) {
        fprintf(stderr, "%s: error %d\n", what, rc);
        exit(1);
    }
}

static void start(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    check(!lib, "libcuda.so.1");
#define GET(f, symbol) *(void **)&f = dlsym(lib, symbol)
    GET(cuInit, "cuInit"), GET(cuDeviceGet, "cuDeviceGet"), GET(cuCtxCreate, "cuCtxCreate_v2");
    GET(cuCtxSynchronize, "cuCtxSynchronize"), GET(cuModuleLoadDataEx, "cuModuleLoadDataEx");
    GET(cuModuleGetFunction, "cuModuleGetFunction"), GET(cuMemAlloc, "cuMemAlloc_v2");
    GET(cuMemcpyHtoD, "cuMemcpyHtoD_v2"), GET(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    GET(cuMemsetD8, "cuMemsetD8_v2"), GET(cuLaunchKernel, "cuLaunchKernel");
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
}

static void run(const struct counts_kernel *k, address in, address out)
{
    static int32_t left[COUNTS_WORDS];
    enum { OPTIMIZATION_LEVEL = 7 };
    int option = OPTIMIZATION_LEVEL, n = COUNTS_N;
    void *level = 0, *module, *function, *params[] = {&in, &out, &n};
    check(cuModuleLoadDataEx(&module, k->ptx, 1, &option, &level), k->name);
    check(cuModuleGetFunction(&function, module, k->name), k->name);
    check(cuMemsetD8(out, 0, sizeof left), "cuMemsetD8");
    check(cuLaunchKernel(function, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
                         k->block[2], 0, NULL, params, NULL), k->name);
    check(cuCtxSynchronize(), k->name);
    check(cuMemcpyDtoH(left, out, sizeof left), "cuMemcpyDtoH");
    printf("%s %016llx\n", k->name, (unsigned long long)counts_hash(left));
}

int main(int argc, char **argv)
{
    static int32_t table[COUNTS_WORDS];
    const char *folder = argc > 1 ? argv[1] : "tests/h100/counts";
    struct dirent **files;
    struct counts_kernel k;
    address in, out;
    int count = counts_files(folder, &files);
    check(count <= 0, folder);
    start();
    counts_input(table);
    check(cuMemAlloc(&in, sizeof table) || cuMemAlloc(&out, sizeof table), "cuMemAlloc");
    check(cuMemcpyHtoD(in, table, sizeof table), "cuMemcpyHtoD");
    for (int i = 0; i < count; i++) {
        check(counts_read(folder, files[i]->d_name, &k), files[i]->d_name);
        run(&k, in, out);
        free(k.ptx);
        free(files[i]);
    }
    free(files);
    return 0;
}
