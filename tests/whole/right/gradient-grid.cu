// Solve A x = 1 by conjugate gradients in one launch. All blocks wait for each other by the grid.
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

namespace cg = cooperative_groups;
enum { N = 300, BLOCKS = 4, THREADS = 64, MOST_STEPS = 100 };

struct Rows {
    const int *begin, *column;
    const float *value;
};

__device__ double product;

__device__ double dot(const float *a, const float *b, cg::grid_group &grid)
{
    __shared__ double of_warp[THREADS / 32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    if (grid.thread_rank() == 0)
        product = 0;
    grid.sync();
    double sum = 0;
    for (int i = grid.thread_rank(); i < N; i += grid.size())
        sum += (double)a[i] * b[i];
    for (int far = 16; far > 0; far /= 2)
        sum += warp.shfl_down(sum, far);
    if (warp.thread_rank() == 0)
        of_warp[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0)
        atomicAdd(&product, of_warp[0] + of_warp[1]);
    grid.sync();
    double result = product;
    grid.sync();
    return result;
}

__global__ void solve(Rows a, float *x, float *r, float *p, float *ap, int *steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < N; i += grid.size()) {
        x[i] = 0;
        r[i] = p[i] = 1;
    }
    double rest = dot(r, r, grid);
    int step = 0;
    for (; step < MOST_STEPS && rest > 1e-10; step++) {
        for (int i = grid.thread_rank(); i < N; i += grid.size()) {
            float sum = 0;
            for (int k = a.begin[i]; k < a.begin[i + 1]; k++)
                sum += a.value[k] * p[a.column[k]];
            ap[i] = sum;
        }
        float alpha = rest / dot(p, ap, grid);
        for (int i = grid.thread_rank(); i < N; i += grid.size()) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        grid.sync();
        double next = dot(r, r, grid);
        float beta = next / rest;
        rest = next;
        for (int i = grid.thread_rank(); i < N; i += grid.size())
            p[i] = r[i] + beta * p[i];
        grid.sync();
    }
    if (grid.thread_rank() == 0)
        *steps = step;
}

int main()
{
    int *begin, *column, *steps, filled = 0;
    float *value, *x, *r, *p, *ap;
    CHECK(cudaMallocManaged(&begin, (N + 1) * sizeof(int)));
    CHECK(cudaMallocManaged(&column, 3 * N * sizeof(int)));
    CHECK(cudaMallocManaged(&value, 3 * N * sizeof(float)));
    CHECK(cudaMallocManaged(&steps, sizeof(int)));
    CHECK(cudaMallocManaged(&x, N * sizeof(float)));
    CHECK(cudaMalloc(&r, N * sizeof(float)));
    CHECK(cudaMalloc(&p, N * sizeof(float)));
    CHECK(cudaMalloc(&ap, N * sizeof(float)));
    for (int i = 0; i < N; i++) {
        begin[i] = filled;
        for (int k = i ? i - 1 : 0; k <= i + 1 && k < N; k++) {
            column[filled] = k;
            value[filled++] = k == i ? 4 : -1;
        }
    }
    begin[N] = filled;
    Rows a = {begin, column, value};
    void *args[] = {&a, &x, &r, &p, &ap, &steps};
    CHECK(cudaLaunchCooperativeKernel((void *)solve, dim3(BLOCKS), dim3(THREADS), args, 0, 0));
    CHECK(cudaDeviceSynchronize());
    float worst = 0;
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += value[k] * x[column[k]];
        worst = fmaxf(worst, fabsf(sum - 1));
    }
    printf("%s after %s steps\n", worst < 1e-4 ? "solved" : "not solved",
           *steps < MOST_STEPS ? "a few" : "too many");
    for (void *array : {(void *)begin, (void *)column, (void *)value, (void *)steps, (void *)x,
                        (void *)r, (void *)p, (void *)ap})
        CHECK(cudaFree(array));
    return 0;
}
