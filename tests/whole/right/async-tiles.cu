// Sum an array through shared memory, which the device fills while it works: by a barrier, by a
// pipeline of the block, and by a pipeline of each thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
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
enum { N = 2048, THREADS = 64, TILES = N / THREADS, STAGES = 3 };
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void add(int sum, int *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    sum = cg::reduce(warp, sum, cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(out, sum);
}

__global__ void by_barrier(const int *in, int *out)
{
    __shared__ alignas(16) int tile[THREADS];
    __shared__ Barrier filled;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&filled, block.size());
    block.sync();
    int sum = 0;
    for (int t = 0; t < TILES; t++) {
        cuda::memcpy_async(block, tile, in + t * THREADS, sizeof tile, filled);
        filled.arrive_and_wait();
        sum += tile[(threadIdx.x + 1) % THREADS];
        block.sync();
    }
    add(sum, out);
}

__global__ void by_pipeline(const int *in, int *out)
{
    __shared__ alignas(16) int tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    cg::thread_block block = cg::this_thread_block();
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int used = 0, asked = 0; used < TILES; used++) {
        for (; asked < TILES && asked < used + STAGES; asked++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[asked % STAGES], in + asked * THREADS,
                               sizeof tile[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[used % STAGES][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    add(sum, out);
}

__global__ void by_thread(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0;
    for (int t = 0; t <= TILES; t++) {
        if (t < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % 2][threadIdx.x], in + t * THREADS + threadIdx.x,
                               sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (t > 0) {
            if (t < TILES)
                cuda::pipeline_consumer_wait_prior<1>(pipe);
            else
                cuda::pipeline_consumer_wait_prior<0>(pipe);
            sum += tile[(t - 1) % 2][threadIdx.x];
            pipe.consumer_release();
        }
    }
    add(sum, out);
}

int main()
{
    void (*const ways[])(const int *, int *) = {by_barrier, by_pipeline, by_thread};
    int host[N], *in, *out, sum, right = 0;
    for (int i = 0; i < N; i++)
        right += host[i] = i * 7 % 31;
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    for (auto way : ways) {
        CHECK(cudaMemset(out, 0, sizeof(int)));
        way<<<1, THREADS>>>(in, out);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
        printf("%d of %d\n", sum, right);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
