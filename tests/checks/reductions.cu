// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions: sums and maxima of one block or of several, in shared memory,
// by shuffles, and by atomics.

// Right: the barrier stands in every step of the tree.
//@ array in int 256 iota
//@ array out int 1 zero
//@ launch red_tree<<<1, 256>>>(in, out)
//@none
__global__ void red_tree(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

// Right: the last warp goes on alone, with __syncwarp between read and write.
//@ array in int 64 iota
//@ array out int 1 zero
//@ launch red_warp_tail<<<1, 64>>>(in, out)
//@none
__global__ void red_warp_tail(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t];
        for (int d = 32; d > 0; d /= 2) {
            v += s[t + d];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        if (t == 0)
            out[0] = v;
    }
}

// Right: the blocks meet only in an atomic addition.
//@ array in int 256 iota
//@ array out int 1 zero
//@ launch red_shuffle_atomic<<<4, 64>>>(in, out)
//@none
__global__ void red_shuffle_atomic(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, v);
}

// Right: one barrier between the warps' sums and the four lanes that add them up.
//@ array in float 128 value:1
//@ array out float 1 zero
//@ launch red_two_levels<<<1, 128>>>(in, out)
//@none
__global__ void red_two_levels(const float *in, float *out)
{
    __shared__ float part[4];
    int t = threadIdx.x;
    float v = in[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t < 4) {
        v = part[t];
        v += __shfl_xor_sync(0xfu, v, 2);
        v += __shfl_xor_sync(0xfu, v, 1);
        if (t == 0)
            out[0] = v;
    }
}

// Wrong: no barrier between the steps of the tree.
//@ array in int 128 iota
//@ array out int 1 zero
//@ launch red_loop_unsynced<<<1, 128>>>(in, out)
//@found race-shared loop-unsynced
__global__ void red_loop_unsynced(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // loop-unsynced
    }
    if (t == 0)
        out[0] = s[0];
}

// Wrong: the last thread reads the sum with no barrier after the last step.
//@ array in int 128 iota
//@ array out int 1 zero
//@ launch red_result_early<<<1, 128>>>(in, out)
//@found race-shared result-early
__global__ void red_result_early(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half]; // result-early
    }
    if (t == 127)
        out[0] = s[0]; // result-early
}

// Wrong: the leaders of four blocks add to one global word without an atomic.
//@ array in int 256 value:1
//@ array out int 1 zero
//@ launch red_plain_total<<<4, 64>>>(in, out)
//@found race-global plain-total
__global__ void red_plain_total(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[0] += s[0]; // plain-total
}

// Wrong: the unrolled last warp trusts lockstep, no __syncwarp between its steps.
//@ array in int 64 iota
//@ array out int 1 zero
//@ launch red_lockstep<<<1, 64>>>(in, out)
//@found race-shared lockstep
__global__ void red_lockstep(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32]; // lockstep
        s[t] += s[t + 16]; // lockstep
        s[t] += s[t + 8];  // lockstep
        s[t] += s[t + 4];  // lockstep
        s[t] += s[t + 2];  // lockstep
        s[t] += s[t + 1];  // lockstep
    }
    if (t == 0)
        out[0] = s[0];
}

// Wrong: the buffer is filled anew while others still read the sum from its first cell.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch red_buffer_again<<<1, 64>>>(in, out)
//@found race-shared buffer-again
__global__ void red_buffer_again(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    int mean = s[0] / 64; // buffer-again
    s[t] = in[t] - mean;  // buffer-again
    __syncthreads();
    out[t] = s[63 - t];
}
