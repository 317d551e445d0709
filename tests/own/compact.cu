// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 1024 random:-100:100
//! array out i32 1024 value:-1
//! array kept i32 1 zero
//! array bag i32 1024 zero
//! array found i32 1 zero
//! array check i64 2 zero
//! launch compact<<<1,1024>>>(in, out, kept)
//! launch gather<<<8,128>>>(in, bag, found)
//! launch checkBag<<<1,256>>>(bag, found, check)
//! expect out
//! expect kept
//! expect found
//! expect check
// Keep the positive numbers: in order with ballots in one block, in any order
// with one atomic a warp in many (then only the sums can be compared).

__global__ void compact(const int *in, int *out, int *kept)
{
    __shared__ int warpCount[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int x = in[t];
    bool keep = x > 0;
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    int before = __popc(votes & ((1u << lane) - 1));
    if (lane == 0)
        warpCount[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        int c = warpCount[lane];
        int sum = c;
        for (int d = 1; d < 32; d *= 2) {
            int y = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += y;
        }
        warpCount[lane] = sum - c;
        if (lane == 31) *kept = sum;
    }
    __syncthreads();
    if (keep)
        out[warpCount[warp] + before] = x;
}

__global__ void gather(const int *in, int *bag, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool keep = in[i] > 0;
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (!keep) return;
    int leader = __ffs(votes) - 1;
    int base = 0;
    if (lane == leader)
        base = atomicAdd(found, __popc(votes));
    base = __shfl_sync(votes, base, leader);
    bag[base + __popc(votes << (31 - lane)) - 1] = in[i];
}

__global__ void checkBag(const int *bag, const int *found, long long *check)
{
    for (int i = threadIdx.x; i < *found; i += blockDim.x) {
        unsigned long long v = bag[i];
        atomicAdd((unsigned long long *)&check[0], v);
        atomicAdd((unsigned long long *)&check[1], v * v);
    }
}
