/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last rungs of the labs beside NVIDIA's libraries, on one GPU and in one run. The kernels are
 * the PTX that cudalab has embedded, launched as the labs launch them. What is timed is what one
 * answer takes: a sum is set to 0 before its kernel adds to it.
 *
 * All runs of a row are queued behind other work, with an event after each, so the host's calls
 * don't show. The time is the median. Small inputs are taken from other places of memory each time,
 * so they are not in a cache. Matrices stay, as in the library's own case.
 *
 * A row is: RUNG SIZE MS LIBRARY MS SHARE, or `wrong` instead of the share. The share is the speed
 * of the rung as a part of the library's speed. For a copy as the library it is the part of the
 * copy's bytes in a second, each byte that must be read or written counted once.
 * tests/data/rungs.txt has the least share of each row. The argument is the folder of the PTX.
 */
#include <cublas_v2.h>
#include <cub/cub.cuh>
#include <cuda.h>
#include <cuda_fp16.h>
#include <curand.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define CHECK(call) Check((int)(call), #call, __LINE__)

static void Check(int status, const char *call, int line)
{
    if (status == 0)
        return;
    fprintf(stderr, "rungs.cu:%d: %s: status %d\n", line, call, status);
    exit(1);
}

/* ---- kernels ---------------------------------------------------------------------------- */

static std::string folder;

static CUfunction Kernel(const std::string &module, const char *name)
{
    static std::map<std::string, CUmodule> loaded;
    CUfunction kernel;
    if (!loaded.count(module)) {
        std::string path = folder + "/" + module + ".ptx", text;
        FILE *file = fopen(path.c_str(), "r");
        if (!file) {
            fprintf(stderr, "%s: cannot be opened\n", path.c_str());
            exit(1);
        }
        for (int c; (c = getc(file)) != EOF;)
            text += (char)c;
        fclose(file);
        CHECK(cuModuleLoadData(&loaded[module], text.c_str()));
    }
    CHECK(cuModuleGetFunction(&kernel, loaded[module], name));
    return kernel;
}

static cudaStream_t stream;

template <class... Params>
static void Launch(CUfunction kernel, dim3 grid, dim3 block, unsigned shared, Params... params)
{
    void *all[] = {&params...};
    CHECK(cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream,
                         all, NULL));
}

static unsigned Parts(size_t size, unsigned part)
{
    return (unsigned)((size + part - 1) / part);
}

/* ---- times ------------------------------------------------------------------------------ */

const int MOST_RUNS = 50;
const size_t COVER_BYTES = 32 << 20; /* to fill so much takes longer than to queue an answer */
static char *cover;
static cudaEvent_t events[MOST_RUNS + 1];

/* The median of what an answer takes, in ms. It gets the number of the run. */
static float Time(int runs, const std::function<void(int)> &answer)
{
    std::vector<float> ms(runs);
    answer(0);
    for (int i = 0; i < 2 * runs; i++)
        CHECK(cudaMemsetAsync(cover, 0, COVER_BYTES, stream));
    for (int i = 0; i <= runs; i++) {
        answer(i);
        CHECK(cudaEventRecord(events[i], stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < runs; i++)
        CHECK(cudaEventElapsedTime(&ms[i], events[i], events[i + 1]));
    std::sort(ms.begin(), ms.end());
    return (ms[runs / 2] + ms[(runs - 1) / 2]) / 2;
}

static void Row(const char *rung, size_t size, float ms, const char *library, float library_ms,
                bool right, double work = 1)
{
    printf("%s %zu %.5f %s %.5f ", rung, size, ms, library, library_ms);
    if (right)
        printf("%.3f\n", work * library_ms / ms);
    else
        printf("wrong\n");
    fflush(stdout);
}

/* ---- memory ----------------------------------------------------------------------------- */

const size_t ALL = (size_t)1 << 28; /* floats of each array */
static float *a, *b, *c, *sum, *want;
static int multiprocessors;

/* Where the input of this run begins: so many floats further each time. */
static size_t Place(int run, size_t n)
{
    return run % (ALL / n) * n;
}

static std::vector<float> Fetch(const float *from, size_t n)
{
    std::vector<float> to(n);
    CHECK(cudaMemcpy(to.data(), from, n * sizeof(float), cudaMemcpyDeviceToHost));
    return to;
}

/* Two ways to compute n values: do they differ by at most `part` of a value or by `least`? */
static bool Close(const float *got, const float *want, size_t n, double part, double least = 0)
{
    std::vector<float> x = Fetch(got, n), y = Fetch(want, n);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= part * fabs(y[i]) + least))
            return false;
    return true;
}

/* ---- sums ------------------------------------------------------------------------------- */

const unsigned BIG = 1024; /* threads of a block */

/* As labkit/reduce.c chooses: each thread has four loads, and all blocks fit on the device. */
static unsigned Few_blocks(size_t n)
{
    unsigned few = Parts(Parts(Parts(n, 4), BIG), 4), most = 2048 / BIG * multiprocessors;
    return few < most ? few : most;
}

static void Sums(cublasHandle_t blas)
{
    static char *room;
    size_t bytes = 1 << 20;
    CUfunction sum_best = Kernel("sum", "sum_best"), dot_best = Kernel("dot", "dot_best");
    CHECK(cudaMalloc(&room, bytes));
    for (size_t n = 1 << 16; n <= ALL; n *= 4) {
        float library = Time(MOST_RUNS, [&](int run) {
            CHECK(cub::DeviceReduce::Sum(room, bytes, a + Place(run, n), sum, (int)n, stream));
        });
        CHECK(cudaMemcpyAsync(want, sum, sizeof *sum, cudaMemcpyDeviceToDevice, stream));
        float ms = Time(MOST_RUNS, [&](int run) {
            CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
            Launch(sum_best, Few_blocks(n), BIG, 0, a + Place(run, n), (int)n, sum);
        });
        Row("sum-best", n, ms, "cub::DeviceReduce", library, Close(sum, want, 1, 1e-4));
    }
    CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    for (size_t n = 1 << 16; n <= ALL; n *= 4) {
        float library = Time(MOST_RUNS, [&](int run) {
            CHECK(cublasSdot(blas, (int)n, a + Place(run, n), 1, b + Place(run, n), 1, sum));
        });
        CHECK(cudaMemcpyAsync(want, sum, sizeof *sum, cudaMemcpyDeviceToDevice, stream));
        float ms = Time(MOST_RUNS, [&](int run) {
            CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
            Launch(dot_best, Few_blocks(n), BIG, 0, a + Place(run, n), b + Place(run, n), (int)n,
                   sum);
        });
        Row("dot-best", n, ms, "cublasSdot", library, Close(sum, want, 1, 1e-4));
    }
    CHECK(cudaFree(room));
}

/* ---- planes and vectors ----------------------------------------------------------------- */

/* As a copy of as many bytes as must be read and written. */
static void Copies(void)
{
    const int I = 16384, J = 8192, n = I * J;
    const dim3 tile(32, 8), fours(Parts(I, 4 * 32), Parts(J, 8)), ones(Parts(I, 32), Parts(J, 8));
    const size_t bytes = (size_t)n * sizeof(float);
    float copy = Time(MOST_RUNS, [&](int) {
        CHECK(cudaMemcpyAsync(c, a, bytes, cudaMemcpyDeviceToDevice, stream));
    });
    float *v = c + n; /* what a plainer kernel computes, as the answer to compare with */
    CUfunction plain, best;

    plain = Kernel("laplace", "laplace_global"), best = Kernel("laplace", "laplace_vector");
    Launch(plain, ones, tile, 0, a, v, I, J, I);
    float ms = Time(MOST_RUNS, [&](int) { Launch(best, fours, tile, 0, a, c, I, J, I); });
    Row("laplace-vector", n, ms, "cudaMemcpy", copy, Close(c, v, n, 0));

    plain = Kernel("heat", "heat_global"), best = Kernel("heat", "heat_vector");
    Launch(plain, ones, tile, 0, a, v, b, I, J, I, 0.2f, -1.0f);
    ms = Time(MOST_RUNS, [&](int) {
        Launch(best, fours, tile, 0, a, c, b, I, J, I, 0.2f, -1.0f);
    });
    Row("heat-vector", n, ms, "cudaMemcpy", copy, Close(c, v, n, 0), 1.5);

    plain = Kernel("stencil", "stencil_global"), best = Kernel("stencil", "stencil_vector");
    CHECK(cudaMemsetAsync(a, 1, bytes, stream)); /* as whole numbers, and as floats that are none */
    Launch(plain, n / 256, 256, 0, a, v, n, 3);
    ms = Time(MOST_RUNS, [&](int) { Launch(best, n / 4 / 256, 256, 0, a, c, n, 3); });
    Row("stencil-vector", n, ms, "cudaMemcpy", copy, Close(c, v, n, 0));

    plain = Kernel("vecadd", "vecadd_gridstride"), best = Kernel("vecadd", "vecadd_both");
    Launch(plain, 2 * multiprocessors, 256, 0, a, b, v, n);
    ms = Time(MOST_RUNS, [&](int) { Launch(best, n / 256, 256, 0, a, b, c, n); });
    Row("vecadd-both", n, ms, "cudaMemcpy", copy, Close(c, v, n, 0), 1.5);

    best = Kernel("matadd", "matadd_rowblocks");
    ms = Time(MOST_RUNS, [&](int) {
        Launch(best, J, 256, 0, a, b, c, J, I, I * (int)sizeof(float));
    });
    Row("matadd-rowblocks", n, ms, "cudaMemcpy", copy, Close(c, v, n, 0), 1.5);
}

/* As a copy of the matrix. */
static void Transposes(void)
{
    CUfunction plain = Kernel("transpose", "transpose_naive_write");
    CUfunction best = Kernel("transpose", "transpose_best");
    for (int n : {4096, 8192, 16384}) {
        const size_t all = (size_t)n * n;
        float copy = Time(MOST_RUNS, [&](int run) {
            CHECK(cudaMemcpyAsync(c, a + Place(run, all), all * sizeof *c,
                                  cudaMemcpyDeviceToDevice, stream));
        });
        float ms = Time(MOST_RUNS, [&](int run) {
            Launch(best, dim3(n / 64, n / 64), 256, 0, a + Place(run, all), c, n, n);
        });
        Launch(plain, dim3(n / 32, n / 32), dim3(32, 32), 0, a + Place(MOST_RUNS, all), b, n, n);
        CHECK(cudaStreamSynchronize(stream));
        Row("transpose-best", n, ms, "cudaMemcpy", copy, Close(c, b, all, 0));
    }
}

/* ---- products of matrices --------------------------------------------------------------- */

/* As labs/matmul/work.c chooses: the largest tiles of which there are enough. */
static void Launch_product(const char *kernel, unsigned rows, unsigned cols, unsigned threads,
                           int n, const char *module, unsigned shared, const void *x, const void *y)
{
    CUfunction function = Kernel(module, kernel);
    if (shared)
        CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                 (int)shared));
    Launch(function, dim3(Parts(n, cols), Parts(n, rows)), threads, shared, x, y, c, n, n, n);
}

static void Products(cublasHandle_t blas)
{
    const size_t most = (size_t)4096 * 4096;
    const float one = 1, zero = 0;
    const unsigned stages = 3 * 2 * (256 * 64 + 64 * 128); /* bytes of three stages */
    float *other = c + most;
    half *x = (half *)(c + 2 * most), *y = x + most;
    std::vector<half> halves(2 * most);
    for (size_t i = 0; i < halves.size(); i++)
        halves[i] = __float2half((float)((i * 2654435761u >> 16) % 1999) / 999 - 1);
    CHECK(cudaMemcpy(x, halves.data(), 2 * most * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    for (int n : {512, 1024, 2048, 4096}) {
        const int runs = n == 4096 ? 10 : MOST_RUNS;
        float library = Time(runs, [&](int) {
            CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero,
                              other, n));
        });
        float ms = Time(runs, [&](int) {
            if (n >= 2048)
                Launch_product("matmul_warptile", 128, 128, 256, n, "matmul", 0, a, b);
            else if (n >= 1024)
                Launch_product("matmul_warptile64", 64, 128, 128, n, "matmul", 0, a, b);
            else
                Launch_product("matmul_warptile32", 64, 32, 128, n, "matmul", 0, a, b);
        });
        Row("matmul-warptile", n, ms, "cublasSgemm", library,
            Close(c, other, (size_t)n * n, 1e-4));
    }
    for (int n : {2048, 4096}) {
        float library = Time(MOST_RUNS, [&](int) {
            CHECK(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, y, CUDA_R_16F, n, x,
                               CUDA_R_16F, n, &zero, other, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                               CUBLAS_GEMM_DEFAULT));
        });
        float ms = Time(MOST_RUNS, [&](int) {
            Launch_product("matmul_wmma", 64, 64, 128, n, "matmul", 0, x, y);
        });
        Row("matmul-wmma", n, ms, "cublasGemmEx", library, Close(c, other, (size_t)n * n, 0, 1e-2));
        ms = Time(MOST_RUNS, [&](int) {
            Launch_product("matmul_mma", 256, 128, 256, n, "matmul-mma", stages, x, y);
        });
        Row("matmul-mma", n, ms, "cublasGemmEx", library, Close(c, other, (size_t)n * n, 0, 1e-2));
    }
}

/* ---- sorting, and pi by chance ---------------------------------------------------------- */

static void Sorts(void)
{
    const int n = 1 << 20;
    CUfunction batcher = Kernel("oddeven", "oddeven_batcher");
    size_t bytes = 0;
    char *room;
    CHECK(cub::DeviceRadixSort::SortKeys(NULL, bytes, a, c, n));
    CHECK(cudaMalloc(&room, bytes));
    float library = Time(MOST_RUNS, [&](int) {
        CHECK(cub::DeviceRadixSort::SortKeys(room, bytes, a, c, n, 0, 32, stream));
    });
    float ms = Time(10, [&](int) { /* with the copy of what is to be sorted */
        CHECK(cudaMemcpyAsync(b, a, n * sizeof *b, cudaMemcpyDeviceToDevice, stream));
        for (int size = 1; size < n; size *= 2)
            for (int distance = size; distance > 0; distance /= 2)
                Launch(batcher, n / 2 / 256, 256, 0, b, n, size, distance);
    });
    Row("oddeven-batcher", n, ms, "cub::DeviceRadixSort", library, Close(b, c, n, 0));
    CHECK(cudaFree(room));
}

static void Chances(void)
{
    const int n = 1 << 26, blocks = 32 * multiprocessors, threads = 256;
    CUfunction own = Kernel("pi", "pi_own"), count = Kernel("pi", "pi_host");
    unsigned long long *hits, found[2];
    float2 *first;
    curandGenerator_t generator;
    CHECK(cudaMalloc(&hits, 2 * sizeof *hits));
    CHECK(cudaMalloc(&first, blocks * threads * sizeof *first));
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(curandSetStream(generator, stream));
    float library = Time(MOST_RUNS, [&](int) {
        CHECK(curandGenerateUniform(generator, c, 2 * (size_t)n));
        CHECK(cudaMemsetAsync(hits, 0, sizeof *hits, stream));
        Launch(count, blocks, threads, 0, n, c, first, hits);
    });
    float ms = Time(MOST_RUNS, [&](int) {
        CHECK(cudaMemsetAsync(hits + 1, 0, sizeof *hits, stream));
        Launch(own, blocks, threads, 0, 1ull, n, first, hits + 1);
    });
    CHECK(cudaMemcpy(found, hits, sizeof found, cudaMemcpyDeviceToHost));
    const double quarter = atan(1.0) * n, off = 6 * sqrt((double)n);
    Row("pi-own", n, ms, "curandGenerateUniform", library,
        fabs(found[0] - quarter) < off && fabs(found[1] - quarter) < off);
    CHECK(curandDestroyGenerator(generator));
    CHECK(cudaFree(hits));
    CHECK(cudaFree(first));
}

int main(int argc, char **argv)
{
    cublasHandle_t blas;
    curandGenerator_t generator;
    if (argc != 2)
        return 2;
    folder = argv[1];
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&cover, COVER_BYTES));
    CHECK(cudaMalloc(&a, ALL * sizeof *a));
    CHECK(cudaMalloc(&b, ALL * sizeof *b));
    CHECK(cudaMalloc(&c, ALL * sizeof *c));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMalloc(&want, sizeof *want));
    for (cudaEvent_t &event : events)
        CHECK(cudaEventCreate(&event));
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(curandGenerateUniform(generator, a, ALL));
    CHECK(curandGenerateUniform(generator, b, ALL));
    CHECK(curandDestroyGenerator(generator));
    CHECK(cudaDeviceSynchronize());
    CHECK(cublasCreate(&blas));
    CHECK(cublasSetStream(blas, stream));
    Sums(blas);
    Products(blas);
    Sorts();
    Chances();
    Transposes(); /* as late as possible, as it changes b */
    Copies(); /* last, as it changes a */
    CHECK(cudaDeviceSynchronize());
    return 0;
}
