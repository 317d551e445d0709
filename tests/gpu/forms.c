/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a GPU computes for each form of tests/data/forms.txt, a line each, for tests/h100/forms.txt:
 * the form, its operands, and the hash of what its kernel left; of an approximate one the first
 * results; or that the driver refuses it.
 *
 *     cc -Isrc -o forms tests/gpu/forms.c src/base/buf.c src/base/mem.c src/base/err.c -ldl
 *     ./forms < tests/data/forms.txt
 *
 * With a folder as argument, all bytes of each form's results go to a file there: for a closer look.
 */
#include "forms.h"

#include <dlfcn.h>

typedef uint64_t address;
static int (*cuInit)(unsigned), (*cuDeviceGet)(int *, int), (*cuCtxSynchronize)(void);
static int (*cuCtxCreate)(void **, unsigned, int), (*cuModuleUnload)(void *);
static int (*cuModuleLoadData)(void **, const void *);
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
    GET(cuCtxSynchronize, "cuCtxSynchronize"), GET(cuModuleLoadData, "cuModuleLoadData");
    GET(cuModuleUnload, "cuModuleUnload"), GET(cuModuleGetFunction, "cuModuleGetFunction");
    GET(cuMemAlloc, "cuMemAlloc_v2"), GET(cuMemcpyHtoD, "cuMemcpyHtoD_v2");
    GET(cuMemcpyDtoH, "cuMemcpyDtoH_v2"), GET(cuMemsetD8, "cuMemsetD8_v2");
    GET(cuLaunchKernel, "cuLaunchKernel");
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
}

static bool run(const char *ptx, address in, address out, const char *name)
{
    unsigned char given[GIVEN];
    void *module, *function, *params[] = {&in, &out, given};
    given_bytes(given);
    if (cuModuleLoadData(&module, ptx) != 0)
        return false;
    check(cuModuleGetFunction(&function, module, "k"), name);
    check(cuMemsetD8(out, 0, (size_t)COUNT * OUT_BYTES), "cuMemsetD8");
    check(cuLaunchKernel(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL), name);
    check(cuCtxSynchronize(), name);
    check(cuModuleUnload(module), name);
    return true;
}

static void keep_bytes(const char *folder, const struct form *f, const unsigned char *left)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%s", folder, f->name, f->operands);
    FILE *file = fopen(path, "wb");
    check(!file || fwrite(left, OUT_BYTES, COUNT, file) != COUNT || fclose(file) != 0, path);
}

int main(int argc, char **argv)
{
    static uint64_t table[IN_WORDS];
    static unsigned char left[COUNT * OUT_BYTES];
    struct form f;
    struct buf ptx;
    address in, out;
    start();
    operand_table(table);
    check(cuMemAlloc(&in, sizeof table) || cuMemAlloc(&out, sizeof left), "cuMemAlloc");
    check(cuMemcpyHtoD(in, table, sizeof table), "cuMemcpyHtoD");
    buf_init(&ptx);
    while (form_read(stdin, &f)) {
        buf_clear(&ptx);
        form_ptx(&ptx, &f);
        printf("%s %s", f.name, f.operands);
        if (run(buf_text(&ptx), in, out, f.name)) {
            check(cuMemcpyDtoH(left, out, sizeof left), f.name);
            form_settle(&f, left);
            if (argc > 1)
                keep_bytes(argv[1], &f, left);
            if (!form_approximate(&f))
                printf(" %016llx", (unsigned long long)form_hash(left));
            else
                for (unsigned k = 0; k < KEPT; k++)
                    printf(" %llx", (unsigned long long)form_result(left, k));
        } else {
            printf(" refused");
        }
        printf("\n");
    }
    buf_free(&ptx);
    return 0;
}
