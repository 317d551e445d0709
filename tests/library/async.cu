/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda::barrier, pipeline, latch and semaphore; copies through them */
//! array r i32 6000
//! array in i32 4096 iota
//! launch barriers<<<2,64>>>(r, in)
//! launch stages<<<2,64>>>(r+1000, in)
//! launch roles<<<1,128>>>(r+3000, in)
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/utility>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> block_barrier;

__global__ void barriers(int *r, const int *in)
{
    __shared__ block_barrier all, halves[2];
    __shared__ ptrdiff_t latch_at, count_at; /* where no `new` is needed */
    auto &latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block> &>(latch_at);
    auto &semaphore = reinterpret_cast<
        cuda::counting_semaphore<cuda::thread_scope_block, 4> &>(count_at);
    __shared__ __align__(16) int words[256], more[256];
    __shared__ int counted;
    auto block = cg::this_thread_block();
    const int me = block.thread_rank();
    if (me == 0) {
        init(&all, block.size());
        init(&halves[0], 32);
        init(&halves[1], 32);
        latch_at = 64;
        count_at = 1;
        counted = 0;
    }
    block.sync();
    r += 256 * blockIdx.x + me;
    cuda::memcpy_async(block, words, in + 64 * blockIdx.x, sizeof words, all);
    block_barrier::arrival_token t = all.arrive();
    all.wait(cuda::std::move(t));
    r[0] = words[255 - me];
    for (int i = 0; i < 5; i++) {
        words[me] = i * me;
        halves[me / 32].arrive_and_wait();
        r[64] = words[me ^ 5];
        halves[me / 32].arrive_and_wait();
    }
    if (me < 8)
        all.arrive_and_drop();
    else
        all.arrive_and_wait();
    if (me >= 8)
        all.arrive_and_wait();
    latch.arrive_and_wait();
    if (me % 32 == 0) {
        semaphore.acquire();
        counted += 7;
        semaphore.release();
    }
    block.sync();
    __pipeline_memcpy_async(more + 4 * me, in + 4 * me, 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    r[128] = more[4 * me + 3] + more[4 * me + 2] + counted;
}

__global__ void stages(int *r, const int *in)
{
    constexpr unsigned depth = 3;
    __shared__ int words[depth][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    unsigned filled = 0;
    int sum = 0;
    for (unsigned k = 0; k < 10; k++) {
        for (; filled < 10 && filled < k + depth; filled++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, words[filled % depth], in + 64 * filled, 256, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum = sum * 3 + words[k % depth][63 - threadIdx.x];
        pipeline.consumer_release();
    }
    r[64 * blockIdx.x + threadIdx.x] = sum;
    block.sync();
    auto own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(words[0] + threadIdx.x, in + threadIdx.x, sizeof(int), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
    r[128 + 64 * blockIdx.x + threadIdx.x] = words[0][threadIdx.x];
}

/* The first two warps copy, and the others compute. */
__global__ void roles(int *r, const int *in)
{
    __shared__ int words[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool copies = threadIdx.x < 64;
    auto pipeline = cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer
                                                              : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int k = 0; k < 6; k++)
        if (copies) {
            pipeline.producer_acquire();
            cuda::memcpy_async(words[k % 2] + threadIdx.x, in + 64 * k + threadIdx.x, 4, pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            sum = sum * 5 + words[k % 2][127 - threadIdx.x];
            pipeline.consumer_release();
        }
    r[threadIdx.x] = sum;
}
