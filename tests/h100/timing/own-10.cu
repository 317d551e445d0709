// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sum in blocks of 1024 integers: four to a thread, then shuffles in the warp, then the
// totals of the warps. The sum of each block is kept for a second pass.
//: small   array in i32 32768 random; array out i32 32768; array total i32 32; launch scan_blocks<<<32, 256>>>(in, out, total)
//: middle  array in i32 1048576 random; array out i32 1048576; array total i32 1024; launch scan_blocks<<<1024, 256>>>(in, out, total)
//: large   array in i32 33554432 random; array out i32 33554432; array total i32 32768; launch scan_blocks<<<32768, 256>>>(in, out, total)

__device__ int warp_scan(int v, int lane)
{
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += u;
    }
    return v;
}

__global__ void scan_blocks(const int4 *in, int4 *out, int *total)
{
    __shared__ int warps[8];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int i = blockIdx.x * 256 + threadIdx.x;
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = warp_scan(v.w, lane);
    if (lane == 31)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int w = lane < 8 ? warps[lane] : 0;
        w = warp_scan(w, lane);
        if (lane < 8)
            warps[lane] = w;
    }
    __syncthreads();
    int before = sum - v.w + (warp > 0 ? warps[warp - 1] : 0);
    v.x += before;
    v.y += before;
    v.z += before;
    v.w += before;
    out[i] = v;
    if (threadIdx.x == 255)
        total[blockIdx.x] = v.w;
}
