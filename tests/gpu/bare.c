/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least that a program can do with a GPU: a context, a module from PTX, one launch of a
 * kernel without parameters. How long that takes is the measure for cudalab's own start.
 *
 *     bare FILE.ptx KERNEL [BLOCKS THREADS]
 */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

static void must(CUresult status, const char *what)
{
    if (status != CUDA_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, (int)status);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static char ptx[1 << 20];
    FILE *f = argc > 2 ? fopen(argv[1], "r") : NULL;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    unsigned blocks = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    unsigned threads = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
    if (!f)
        return 2;
    ptx[fread(ptx, 1, sizeof ptx - 1, f)] = '\0';
    fclose(f);
    must(cuInit(0), "cuInit");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxRetain(&context, device), "context");
    must(cuCtxSetCurrent(context), "current");
    must(cuModuleLoadData(&module, ptx), "module");
    must(cuModuleGetFunction(&kernel, module, argv[2]), "kernel");
    must(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, NULL, NULL), "launch");
    must(cuCtxSynchronize(), "end");
    return 0;
}
