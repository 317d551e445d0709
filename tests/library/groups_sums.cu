/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reductions, running sums and copies of cooperative groups */
//! array r i32 6000
//! array f f32 4000
//! launch sums<<<1,96>>>(r, f)
//! launch copies<<<2,64>>>(r+4000, f+3000)
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <class Group> __device__ void all_of(const Group &g, int *&r, float *&f, int v)
{
    int results[] = {cg::reduce(g, v, cg::plus<int>()), cg::reduce(g, v, cg::less<int>()),
        cg::reduce(g, v, cg::greater<int>()), cg::reduce(g, v, cg::bit_and<int>()),
        cg::reduce(g, v, cg::bit_or<int>()), cg::reduce(g, v, cg::bit_xor<int>()),
        cg::inclusive_scan(g, v), cg::exclusive_scan(g, v),
        cg::inclusive_scan(g, v, cg::greater<int>()), cg::exclusive_scan(g, v, cg::less<int>()),
        cg::reduce(g, v, [](int x, int y) { return x * y; })};
    for (int result : results) {
        *r = result;
        r += 96;
    }
    const float x = 1.0f / (v + 1) + 1e4f * (v & 1);
    float sums[] = {cg::reduce(g, x, cg::plus<float>()),
        cg::inclusive_scan(g, x, cg::plus<float>()), cg::exclusive_scan(g, x, cg::plus<float>()),
        cg::reduce(g, x, cg::less<float>())};
    for (float sum : sums) {
        *f = sum;
        f += 96;
    }
}

__global__ void sums(int *r, float *f)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int v = (int)threadIdx.x * 37 % 101;
    r += threadIdx.x;
    f += threadIdx.x;
    all_of(warp, r, f, v);
    all_of(cg::tiled_partition<8>(block), r, f, v);
    all_of(cg::coalesced_threads(), r, f, v);
    if (threadIdx.x % 7 > 2)
        all_of(cg::coalesced_threads(), r, f, v);
}

__global__ void copies(int *r, float *f)
{
    __shared__ __align__(16) int words[256];
    __shared__ __align__(16) float floats[32];
    auto block = cg::this_thread_block();
    for (int i = threadIdx.x; i < 256; i += 64)
        r[i + 256 * blockIdx.x] = i * i;
    block.sync();
    cg::memcpy_async(block, words, r + 256 * blockIdx.x, sizeof words);
    cg::wait(block);
    cg::memcpy_async(block, words, 16, r + 256 * blockIdx.x, 16);
    cg::wait(block);
    f[threadIdx.x + 64 * blockIdx.x] = words[threadIdx.x * 4 + 3];
    block.sync();
    auto warp = cg::tiled_partition<32>(block);
    if (threadIdx.x < 32) {
        cg::memcpy_async(warp, floats, f + 64 * blockIdx.x, sizeof(float) * 32);
        cg::wait(warp);
        f[128 + threadIdx.x + 32 * blockIdx.x] = floats[31 - threadIdx.x];
    }
}
