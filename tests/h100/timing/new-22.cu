// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the values above a limit and packs them at the front of the part of their block. A warp
// finds the places by a vote, with one atomic in shared memory.
//: small   array in f32 8192 random; array out f32 8192 zero; array kept i32 16; launch compact<<<16, 512>>>(out, kept, in, 0.7, 8192)
//: middle  array in f32 262144 random; array out f32 262144 zero; array kept i32 512; launch compact<<<512, 512>>>(out, kept, in, 0.7, 262144)
//: large   array in f32 8388608 random; array out f32 8388608 zero; array kept i32 16384; launch compact<<<16384, 512>>>(out, kept, in, 0.7, 8388608)

__global__ void compact(float *out, int *kept, const float *in, float limit, int n)
{
    __shared__ int used;
    if (threadIdx.x == 0)
        used = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, base = 0;
    float v = i < n ? in[i] : 0.0f;
    bool keep = i < n && v > limit;
    unsigned vote = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
        base = atomicAdd(&used, __popc(vote));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep)
        out[blockIdx.x * blockDim.x + base + __popc(vote & ((1u << lane) - 1))] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        kept[blockIdx.x] = used;
}
