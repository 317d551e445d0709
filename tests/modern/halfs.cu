// SPDX-License-Identifier: GPL-3.0-or-later
// Half and bf16 vectors, warp reductions, aggregated atomics by __match_any_sync, dp4a.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// y = a x + y on pairs of halves, with a rest of one element.
// Right: all values are integers below 2048, which half holds exactly.
//@ array x1 f16 129 iota
//@ array y1 f16 129 value:1
//@ launch h2_axpy<<<1, 64>>>(x1, y1, 129)
//@none
extern "C" __global__ void h2_axpy(const __half *x, __half *y, int n)
{
    int t = threadIdx.x;
    __half2 factor = __float2half2_rn(3.0f);
    if (t < n / 2) {
        __half2 *p = reinterpret_cast<__half2 *>(y) + t;
        *p = __hfma2(factor, reinterpret_cast<const __half2 *>(x)[t], *p);
    }
    if (t == 0 && n % 2)
        y[n - 1] = __hfma(__low2half(factor), x[n - 1], y[n - 1]);
}

// The same with the vectors one element further on.
// Wrong: a pair of halves needs an address at a multiple of 4 bytes.
//@ array x2 f16 130 iota
//@ array y2 f16 130 value:1
//@ launch h2_shifted<<<1, 64>>>(x2, y2)
//@found misaligned h2-shifted
extern "C" __global__ void h2_shifted(const __half *x, __half *y)
{
    int t = threadIdx.x;
    __half2 factor = __float2half2_rn(3.0f);
    __half2 v = reinterpret_cast<const __half2 *>(x + 1)[t]; // h2-shifted
    reinterpret_cast<__half2 *>(y)[t] = __hmul2(factor, v);
}

// A dot product of bf16 pairs, widened to float and summed by shuffles in one fixed order.
// Right: the products are small integers, and every lane of the warp shuffles.
//@ array x3 bf16 128 iota
//@ array y3 bf16 128 value:1
//@ array o3 f32 2
//@ launch bf2_dot<<<1, 64>>>(x3, y3, o3)
//@none
extern "C" __global__ void bf2_dot(const __nv_bfloat16 *x, const __nv_bfloat16 *y, float *out)
{
    int t = threadIdx.x;
    const __nv_bfloat162 *xv = reinterpret_cast<const __nv_bfloat162 *>(x);
    const __nv_bfloat162 *yv = reinterpret_cast<const __nv_bfloat162 *>(y);
    float2 p = __bfloat1622float2(__hmul2(xv[t], __hadd2(yv[t], yv[t])));
    float sum = p.x + 2.0f * p.y;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (t % 32 == 0)
        out[t / 32] = sum;
}

// Sums pairs of halves over a block: shuffles of __half2 in the warp, shared memory between warps.
// Right: a barrier stands before the last sum, and all sums are exact in half.
//@ array x4 f16 256 value:1
//@ array o4 f16 4
//@ launch h2_block_sum<<<1, 128>>>(x4, o4)
//@none
extern "C" __global__ void h2_block_sum(const __half *x, __half *out)
{
    __shared__ __half2 part[4];
    int t = threadIdx.x;
    __half2 v = reinterpret_cast<const __half2 *>(x)[t];
    v = __hmul2(v, __floats2half2_rn(static_cast<float>(t % 4), 2.0f));
    for (int d = 16; d > 0; d /= 2)
        v = __hadd2(v, __shfl_xor_sync(0xffffffffu, v, d));
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0) {
        __half2 sum = __hadd2(__hadd2(part[0], part[1]), __hadd2(part[2], part[3]));
        out[0] = __low2half(sum);
        out[1] = __high2half(sum);
        out[2] = __hsub(__high2half(sum), __low2half(sum));
        out[3] = __hmax(__low2half(sum), __float2half(7.5f));
    }
}

// The same without the barrier.
// Wrong: thread 0 adds up parts that other warps may not have stored yet.
// The reads may also be called uninitialized, but the race is the cause.
//@ array x5 f16 256 value:1
//@ array o5 f16 2
//@ launch h2_block_nosync<<<1, 128>>>(x5, o5)
//@found race-shared h2-block-nosync
extern "C" __global__ void h2_block_nosync(const __half *x, __half *out)
{
    __shared__ __half2 part[4];
    int t = threadIdx.x;
    __half2 v = reinterpret_cast<const __half2 *>(x)[t];
    for (int d = 16; d > 0; d /= 2)
        v = __hadd2(v, __shfl_xor_sync(0xffffffffu, v, d));
    if (t % 32 == 0)
        part[t / 32] = v; // h2-block-nosync
    if (t == 0) {
        __half2 low = __hadd2(part[0], part[1]); // h2-block-nosync
        __half2 sum = __hadd2(low, __hadd2(part[2], part[3])); // h2-block-nosync
        out[0] = __low2half(sum);
        out[1] = __high2half(sum);
    }
}

// Transposes a 32x32 tile of halves: pairs in, pairs out, rows padded to 33.
// Right: a barrier stands between the stores and the reads.
//@ array x6 f16 1024 iota
//@ array o6 f16 1024
//@ launch h_transpose<<<1, dim3(16, 16)>>>(x6, o6)
//@none
extern "C" __global__ void h_transpose(const __half *x, __half *out)
{
    __shared__ __half tile[32][33];
    int c = threadIdx.x * 2;
    for (int r = threadIdx.y; r < 32; r += 16) {
        __half2 v = *reinterpret_cast<const __half2 *>(x + r * 32 + c);
        tile[r][c] = __low2half(v);
        tile[r][c + 1] = __high2half(v);
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 16) {
        __half2 v = __halves2half2(tile[c][r], tile[c + 1][r]);
        *reinterpret_cast<__half2 *>(out + r * 32 + c) = v;
    }
}

// Each thread stores one half and reads the pair that it shares with its neighbour.
// Wrong: the other half of the pair is stored by another lane, and nothing orders them.
// The read may also be called uninitialized, but the race is the cause.
//@ array x7 f16 64 iota
//@ array o7 f16 64
//@ launch h2_pair<<<1, 64>>>(x7, o7)
//@found race-shared h2-pair
extern "C" __global__ void h2_pair(const __half *x, __half *out)
{
    __shared__ alignas(4) __half buf[64];
    int t = threadIdx.x;
    buf[t] = x[t]; // h2-pair
    __half2 v = *reinterpret_cast<const __half2 *>(&buf[t & ~1]); // h2-pair
    out[t] = __hadd(__low2half(v), __high2half(v));
}

// The same with __syncwarp between.
// Right: both halves of a pair come from lanes of one warp.
//@ array x8 f16 64 iota
//@ array o8 f16 64
//@ launch h2_pair_sync<<<1, 64>>>(x8, o8)
//@none
extern "C" __global__ void h2_pair_sync(const __half *x, __half *out)
{
    __shared__ alignas(4) __half buf[64];
    int t = threadIdx.x;
    buf[t] = x[t];
    __syncwarp();
    __half2 v = *reinterpret_cast<const __half2 *>(&buf[t & ~1]);
    out[t] = __hadd(__low2half(v), __high2half(v));
}

// Sums all columns of a padded tile, the padding among them.
// Wrong: the padding column is never written.
//@ array x9 f16 1024 iota
//@ array o9 f16 32
//@ launch h_padding<<<1, 32>>>(x9, o9)
//@found uninitialized h-padding
extern "C" __global__ void h_padding(const __half *x, __half *out)
{
    __shared__ __half tile[32][33];
    int t = threadIdx.x;
    for (int r = 0; r < 32; ++r)
        tile[r][t] = __float2half(static_cast<float>(__half2int_rn(x[r * 32 + t]) % 8));
    __syncthreads();
    __half sum = __float2half(0.0f);
    for (int c = 0; c < 33; ++c)
        sum = __hadd(sum, tile[t][c]); // h-padding
    out[t] = sum;
}

// Atomic additions of bf16 and half pairs into shared sums.
// Right: the additions are atomic, and small integers add exactly in any order.
//@ array o10 f32 4
//@ launch h2_atomic<<<1, 64>>>(o10)
//@none
extern "C" __global__ void h2_atomic(float *out)
{
    __shared__ __half2 hsum;
    __shared__ __nv_bfloat162 bsum;
    int t = threadIdx.x;
    if (t == 0) {
        hsum = __float2half2_rn(0.0f);
        bsum = __float2bfloat162_rn(0.0f);
    }
    __syncthreads();
    atomicAdd(&hsum, __floats2half2_rn(static_cast<float>(t), 2.0f));
    atomicAdd(&bsum, __floats2bfloat162_rn(1.0f, static_cast<float>(t % 3)));
    __syncthreads();
    if (t == 0) {
        out[0] = __low2float(hsum);
        out[1] = __high2float(hsum);
        out[2] = __low2float(bsum);
        out[3] = __high2float(bsum);
    }
}

// Warp reductions by one instruction: sum, least, greatest, and, or, xor.
// Right: all lanes take part with the full mask.
//@ array a11 i32 64 iota
//@ array o11 i32 12
//@ launch red_all<<<1, 64>>>(a11, o11)
//@none
extern "C" __global__ void red_all(const int *a, int *out)
{
    const unsigned full = 0xffffffffu;
    int t = threadIdx.x, v = a[t] * 29 % 64 - 20;
    unsigned u = static_cast<unsigned>(a[t]) | 256u;
    int sum = __reduce_add_sync(full, v);
    int least = __reduce_min_sync(full, v), most = __reduce_max_sync(full, v);
    int both = static_cast<int>(__reduce_and_sync(full, u));
    int any = static_cast<int>(__reduce_or_sync(full, u));
    int odd = static_cast<int>(__reduce_xor_sync(full, u * 3u));
    if (t % 32 == 0) {
        int *o = out + t / 32 * 6;
        o[0] = sum;
        o[1] = least;
        o[2] = most;
        o[3] = both;
        o[4] = any;
        o[5] = odd;
    }
}

// Only the even lanes reduce, with the mask of all lanes. The odd lanes have ended by then.
// Right: the reduction does not wait for lanes that have ended.
//@ array a12 i32 32 iota
//@ array o12 i32 32 zero
//@ launch red_mask<<<1, 32>>>(a12, o12)
//@none
extern "C" __global__ void red_mask(const int *a, int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = __reduce_add_sync(0xffffffffu, a[t]);
}

// Only the even lanes reduce, with the mask that a ballot of all lanes gave.
// Right: the mask names exactly the lanes of the branch.
//@ array a13 i32 32 iota
//@ array o13 i32 32 zero
//@ launch red_ballot<<<1, 32>>>(a13, o13)
//@none
extern "C" __global__ void red_ballot(const int *a, int *out)
{
    int t = threadIdx.x;
    unsigned even = __ballot_sync(0xffffffffu, t % 2 == 0);
    if (t % 2 == 0)
        out[t] = __reduce_add_sync(even, a[t]);
}

// A histogram with one atomic for each group of lanes that have the same bin.
// Right: the leader of a group adds the group's size, and barriers stand on both sides.
//@ array a14 i32 256 iota
//@ array o14 i32 16
//@ launch match_hist<<<1, 256>>>(a14, o14)
//@none
extern "C" __global__ void match_hist(const int *a, int *out)
{
    __shared__ int bins[16];
    int t = threadIdx.x, lane = t % 32;
    if (t < 16)
        bins[t] = 0;
    __syncthreads();
    int bin = (a[t] * a[t] + a[t] / 3) % 16;
    unsigned same = __match_any_sync(0xffffffffu, bin);
    if (lane == __ffs(same) - 1)
        atomicAdd(&bins[bin], __popc(same));
    __syncthreads();
    if (t < 16)
        out[t] = bins[t];
}

// The same with a plain addition by the leaders.
// Wrong: the leaders of different warps add to the same bin without an atomic.
//@ array a15 i32 256 iota
//@ array o15 i32 16
//@ launch match_plain<<<1, 256>>>(a15, o15)
//@found race-shared match-plain
extern "C" __global__ void match_plain(const int *a, int *out)
{
    __shared__ int bins[16];
    int t = threadIdx.x, lane = t % 32;
    if (t < 16)
        bins[t] = 0;
    __syncthreads();
    int bin = (a[t] * a[t] + a[t] / 3) % 16;
    unsigned same = __match_any_sync(0xffffffffu, bin);
    if (lane == __ffs(same) - 1)
        bins[bin] += __popc(same); // match-plain
    __syncthreads();
    if (t < 16)
        out[t] = bins[t];
}

// Groups of equal keys sum their values with __reduce_add_sync on the mask of the match.
// Right: each lane's mask is its own group, and all lanes of a group call together.
//@ array a16 i32 64 iota
//@ array o16 i32 64
//@ launch match_reduce<<<1, 64>>>(a16, o16)
//@none
extern "C" __global__ void match_reduce(const int *a, int *out)
{
    int t = threadIdx.x, key = a[t] * 11 % 6, all = 0;
    unsigned same = __match_any_sync(0xffffffffu, key);
    int sum = __reduce_add_sync(same, a[t] + 1);
    __match_all_sync(0xffffffffu, t / 32, &all);
    out[t] = sum * 10 + all;
}

// A dot product of bytes by __dp4a, signed and unsigned.
// Right: each thread reads its own words, and integers add exactly.
//@ array a17 u8 256 iota
//@ array b17 u8 256 iota
//@ array o17 i32 128
//@ launch dp4a_dot<<<1, 64>>>(a17, b17, o17)
//@none
extern "C" __global__ void dp4a_dot(const unsigned char *a, const unsigned char *b, int *out)
{
    int t = threadIdx.x;
    unsigned x = reinterpret_cast<const unsigned *>(a)[t];
    unsigned y = reinterpret_cast<const unsigned *>(b)[63 - t];
    out[2 * t] = static_cast<int>(__dp4a(x, y, 1u));
    out[2 * t + 1] = __dp4a(static_cast<int>(x), static_cast<int>(y), -1);
}

// The same bytes read as four words at once by every one of 32 threads.
// Wrong: the array holds 16 such vectors, so that half of the threads read past its end.
//@ array a18 u8 256 iota
//@ array o18 i32 32
//@ launch dp4a_past<<<1, 32>>>(a18, o18)
//@found out-of-bounds dp4a-past
extern "C" __global__ void dp4a_past(const unsigned char *a, int *out)
{
    int t = threadIdx.x;
    int4 v = reinterpret_cast<const int4 *>(a)[t]; // dp4a-past
    out[t] = __dp4a(v.x, v.y, __dp4a(v.z, v.w, 0));
}

// Each thread adds up its row of a shared tile and of the row below.
// Wrong: the row below the last one lies outside the array in dynamic shared memory.
//@ array a19 i32 128 iota
//@ array o19 i32 16
//@ launch row_below<<<1, 16, 512>>>(a19, o19)
//@found out-of-bounds row-below
extern "C" __global__ void row_below(const int *a, int *out)
{
    extern __shared__ int rows[];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 8; ++i)
        rows[t * 8 + i] = a[t * 8 + i];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
        sum += rows[t * 8 + i] - rows[(t + 1) * 8 + i]; // row-below
    out[t] = sum;
}
