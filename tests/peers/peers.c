/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long other simulators of GPUs take for the kernels of peers.cl, in whatever OpenCL there is:
 *
 *     peers PLATFORM peers.cl RUNS
 *
 * prints a line for each kernel, its name and the seconds of the fastest of so many runs, from when
 * the queue is empty until it is so again; answers are checked. PLATFORM is a part of its name;
 * where none has it, the status is 77.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MILLION = 1 << 20, SIDE = 256, SQUARE = SIDE * SIDE, PLATFORMS = 16, MISSING = 77 };

struct peer {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

/* A kernel's three arrays, or its sum and a step; its size; what each result is. */
struct work {
    const char *name;
    int sums;
    cl_int n;
    size_t count, global[2], local[2];
    float a, b, result, tolerance;
};

static const struct work works[] = {
    {"vecadd", 0, MILLION, MILLION, {MILLION, 1}, {256, 1}, 1.5f, 2.25f, 3.75f, 0},
    {"trap_atomic", 1, MILLION, 1, {MILLION, 1}, {256, 1}, 0, 0, MILLION * 4 / 3.f, 0.01f},
    {"trap_tree", 1, MILLION, 1, {MILLION, 1}, {256, 1}, 0, 0, MILLION * 4 / 3.f, 0.0001f},
    {"matmul", 0, SIDE, SQUARE, {SIDE, SIDE}, {16, 16}, 0.5f, 2, SIDE, 0},
};

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "peers: %s\n", what);
        exit(1);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static cl_platform_id platform_named(const char *part)
{
    cl_platform_id all[PLATFORMS];
    cl_uint count = 0;
    char name[256];
    if (clGetPlatformIDs(PLATFORMS, all, &count) != CL_SUCCESS)
        return NULL;
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        if (clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
            strstr(name, part))
            return all[i];
    return NULL;
}

static char *whole_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    check(file && fseek(file, 0, SEEK_END) == 0, path);
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : calloc(1, (size_t)size + 1);
    check(text && fread(text, 1, (size_t)size, file) == (size_t)size, path);
    fclose(file);
    return text;
}

static void open_peer(struct peer *p, cl_platform_id platform, const char *path)
{
    cl_int e;
    char *text = whole_file(path);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &p->device, NULL) == CL_SUCCESS,
          "no device");
    p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &e);
    check(e == CL_SUCCESS, "no context");
    p->queue = clCreateCommandQueue(p->context, p->device, 0, &e);
    check(e == CL_SUCCESS, "no queue");
    p->program = clCreateProgramWithSource(p->context, 1, (const char **)&text, NULL, &e);
    check(e == CL_SUCCESS, "no program");
    check(clBuildProgram(p->program, 1, &p->device, "", NULL, NULL) == CL_SUCCESS,
          "the kernels don't compile");
    free(text);
}

static cl_mem array_of(const struct peer *p, float value, size_t count)
{
    cl_int e;
    float *values = malloc(count * sizeof *values);
    check(values != NULL, "out of memory");
    for (size_t i = 0; i < count; i++)
        values[i] = value;
    cl_mem m = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              count * sizeof *values, values, &e);
    check(e == CL_SUCCESS, "no memory on the device");
    free(values);
    return m;
}

static void check_results(const struct peer *p, const struct work *w, cl_mem results)
{
    float *values = malloc(w->count * sizeof *values);
    check(values && clEnqueueReadBuffer(p->queue, results, CL_TRUE, 0, w->count * sizeof *values,
                                        values, 0, NULL, NULL) == CL_SUCCESS, "nothing to read");
    for (size_t i = 0; i < w->count; i++)
        if (!(fabsf(values[i] - w->result) <= w->tolerance * w->result)) {
            fprintf(stderr, "peers: %s gives %g, must be %g\n", w->name, values[i], w->result);
            exit(1);
        }
    free(values);
}

static void set_arguments(cl_kernel k, const struct work *w, cl_mem arrays[3])
{
    cl_float h = 1.0f / (float)w->n;
    cl_uint i = 0;
    int good = 1;
    for (int a = w->sums ? 2 : 0; a < 3; a++)
        good &= clSetKernelArg(k, i++, sizeof *arrays, &arrays[a]) == CL_SUCCESS;
    if (w->sums)
        good &= clSetKernelArg(k, i++, sizeof h, &h) == CL_SUCCESS;
    good &= clSetKernelArg(k, i, sizeof w->n, &w->n) == CL_SUCCESS;
    check(good, "the kernel takes other arguments");
}

static double run(const struct peer *p, const struct work *w)
{
    cl_int e;
    cl_kernel k = clCreateKernel(p->program, w->name, &e);
    check(e == CL_SUCCESS, "no such kernel");
    cl_mem arrays[] = {array_of(p, w->a, w->count), array_of(p, w->b, w->count),
                       array_of(p, 0, w->count)};
    set_arguments(k, w, arrays);
    check(clFinish(p->queue) == CL_SUCCESS, "the queue doesn't end");
    double start = seconds();
    check(clEnqueueNDRangeKernel(p->queue, k, 2, NULL, w->global, w->local, 0, NULL, NULL) ==
              CL_SUCCESS && clFinish(p->queue) == CL_SUCCESS, "the kernel doesn't run");
    double took = seconds() - start;
    check_results(p, w, arrays[2]);
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(arrays[i]);
    clReleaseKernel(k);
    return took;
}

int main(int argc, char **argv)
{
    struct peer p;
    check(argc == 4, "peers PLATFORM FILE.cl RUNS");
    cl_platform_id platform = platform_named(argv[1]);
    if (!platform)
        return MISSING;
    open_peer(&p, platform, argv[2]);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        double best = run(&p, &works[i]);
        for (int r = 1; r < atoi(argv[3]); r++)
            best = fmin(best, run(&p, &works[i]));
        printf("%s %.9f\n", works[i].name, best);
        fflush(stdout);
    }
    clReleaseProgram(p.program);
    clReleaseCommandQueue(p.queue);
    clReleaseContext(p.context);
    return 0;
}
