// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms: counting by atomics, in private copies, and putting the copies
// of several warps or blocks together.

// Right: zeroed, counted by atomics and read, with a barrier between each.
//@ array in int 128 iota
//@ array out int 16 zero
//@ launch hist_shared<<<2, 64>>>(in, out)
//@none
__global__ void hist_shared(const int *in, int *out)
{
    __shared__ int h[16];
    int t = threadIdx.x;
    if (t < 16)
        h[t] = 0;
    __syncthreads();
    atomicAdd(&h[in[blockIdx.x * 64 + t] % 16], 1);
    __syncthreads();
    if (t < 16)
        atomicAdd(&out[t], h[t]);
}

// Right: every thread counts in bytes of its own, four threads to a word.
//@ array in int 256 iota
//@ array out int 8 zero
//@ launch hist_bytes<<<1, 64>>>(in, out)
//@none
__global__ void hist_bytes(const int *in, int *out)
{
    __shared__ unsigned char h[8][64];
    int t = threadIdx.x;
    for (int b = 0; b < 8; b++)
        h[b][t] = 0;
    for (int i = t; i < 256; i += 64)
        h[in[i] * 3 / 5 % 8][t]++;
    __syncthreads();
    if (t < 8) {
        int sum = 0;
        for (int k = 0; k < 64; k++)
            sum += h[t][k];
        out[t] = sum;
    }
}

// Right: each warp has a copy of its own and __syncwarp, a barrier before the merge.
//@ array in int 64 iota
//@ array out int 32 zero
//@ launch hist_per_warp<<<1, 64>>>(in, out)
//@none
__global__ void hist_per_warp(const int *in, int *out)
{
    __shared__ unsigned h[2][32];
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    h[warp][lane] = 0;
    __syncwarp();
    atomicAdd(&h[warp][in[t] * 7 % 20], 1u);
    __syncthreads();
    if (warp == 0)
        out[lane] = h[0][lane] + h[1][lane];
}

// Right: one thread owns one bin and looks for it in all of the input.
//@ array in int 64 iota
//@ array out int 32 zero
//@ launch hist_owner<<<2, 16>>>(in, out)
//@none
__global__ void hist_owner(const int *in, int *out)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 64; i++) {
        if (in[i] * in[i] % 32 == bin)
            out[bin]++;
    }
}

// Wrong: plain increments of shared bins.
//@ array in int 64 iota
//@ array out int 8 zero
//@ launch hist_plain<<<1, 64>>>(in, out)
//@found race-shared plain-bins
__global__ void hist_plain(const int *in, int *out)
{
    __shared__ int h[8];
    int t = threadIdx.x;
    if (t < 8)
        h[t] = 0;
    __syncthreads();
    h[in[t] % 8]++; // plain-bins
    __syncthreads();
    if (t < 8)
        out[t] = h[t];
}

// Wrong: no barrier between zeroing and counting.
//@ array in int 64 iota
//@ array out int 8 zero
//@ launch hist_zero_late<<<1, 64>>>(in, out)
//@found race-shared zero-late
//@may uninitialized
__global__ void hist_zero_late(const int *in, int *out)
{
    __shared__ int h[8];
    int t = threadIdx.x;
    if (t < 8)
        h[t] = 0;                // zero-late
    atomicAdd(&h[in[t] % 8], 1); // zero-late
    __syncthreads();
    if (t < 8)
        out[t] = h[t];
}

// Wrong: the bins are read with no barrier after the counting.
//@ array in int 128 iota
//@ array out int 8 zero
//@ launch hist_read_early<<<1, 128>>>(in, out)
//@found race-shared read-early
__global__ void hist_read_early(const int *in, int *out)
{
    __shared__ int h[8];
    int t = threadIdx.x;
    if (t < 8)
        h[t] = 0;
    __syncthreads();
    atomicAdd(&h[in[t] % 8], 1); // read-early
    if (t < 8)
        out[t] = h[t]; // read-early
}

// Wrong: two blocks add their bins to the global ones without atomics.
//@ array in int 128 iota
//@ array out int 8 zero
//@ launch hist_merge<<<2, 64>>>(in, out)
//@found race-global merge
__global__ void hist_merge(const int *in, int *out)
{
    __shared__ int h[8];
    int t = threadIdx.x;
    if (t < 8)
        h[t] = 0;
    __syncthreads();
    atomicAdd(&h[in[blockIdx.x * 64 + t] % 8], 1);
    __syncthreads();
    if (t < 8)
        out[t] += h[t]; // merge
}

// Wrong: 64 threads share 32 private columns, so t and t + 32 count in the same one.
//@ array in int 64 iota
//@ array out int 4 zero
//@ launch hist_columns<<<1, 64>>>(in, out)
//@found race-shared columns
__global__ void hist_columns(const int *in, int *out)
{
    __shared__ int h[4][32];
    int t = threadIdx.x;
    if (t < 32) {
        for (int b = 0; b < 4; b++)
            h[b][t] = 0;
    }
    __syncthreads();
    h[in[t] % 4][t % 32] += 1; // columns
    __syncthreads();
    if (t < 4) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += h[t][k];
        out[t] = sum;
    }
}

// Wrong: rounding up puts the largest value, 63, into a ninth bin of eight.
//@ array in int 64 iota
//@ array out int 8 zero
//@ launch hist_ninth_bin<<<1, 64>>>(in, out)
//@found out-of-bounds ninth-bin
__global__ void hist_ninth_bin(const int *in, int *out)
{
    __shared__ int h[8];
    int t = threadIdx.x;
    if (t < 8)
        h[t] = 0;
    __syncthreads();
    atomicAdd(&h[(in[t] + 7) / 8], 1); // ninth-bin
    __syncthreads();
    if (t < 8)
        out[t] = h[t];
}

// Wrong: 16 of the 32 bins are zeroed, all 32 are counted in.
//@ array in int 64 iota
//@ array out int 32 zero
//@ launch hist_half_zeroed<<<1, 64>>>(in, out)
//@found uninitialized half-zeroed
__global__ void hist_half_zeroed(const int *in, int *out)
{
    __shared__ int h[32];
    int t = threadIdx.x;
    if (t < 16)
        h[t] = 0;
    __syncthreads();
    atomicAdd(&h[in[t] % 32], 1); // half-zeroed
    __syncthreads();
    if (t < 32)
        out[t] = h[t];
}
