// SPDX-License-Identifier: GPL-3.0-or-later
// Scans: prefix sums in shared memory, by shuffles, by two sweeps over a tree,
// and over several blocks.

// Right: all read before the first barrier, all write before the second.
//@ array in int 64 value:1
//@ array out int 64 zero
//@ launch scan_both_barriers<<<1, 64>>>(in, out)
//@none
__global__ void scan_both_barriers(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}

// Right: with two buffers one barrier a step is enough.
//@ array in int 128 value:1
//@ array out int 128 zero
//@ launch scan_ping_pong<<<1, 128>>>(in, out)
//@none
__global__ void scan_ping_pong(const int *in, int *out)
{
    __shared__ int s[2][128];
    int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = s[from][t];
        if (t >= d)
            v += s[from][t - d];
        s[1 - from][t] = v;
        from = 1 - from;
        __syncthreads();
    }
    out[t] = s[from][t];
}

// Right: both warps scan by shuffles, a barrier carries the first total to the second.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch scan_shuffle<<<1, 64>>>(in, out)
//@none
__global__ void scan_shuffle(const int *in, int *out)
{
    __shared__ int total;
    int t = threadIdx.x;
    int lane = t % 32;
    int v = in[t];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += u;
    }
    if (t == 31)
        total = v;
    __syncthreads();
    if (t >= 32)
        v += total;
    out[t] = v;
}

// Right: the root is cleared by the thread that wrote it last.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch scan_two_sweeps<<<1, 64>>>(in, out)
//@none
__global__ void scan_two_sweeps(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int gap = 1;
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[gap * (2 * t + 2) - 1] += s[gap * (2 * t + 1) - 1];
        gap *= 2;
    }
    if (t == 0)
        s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        gap /= 2;
        __syncthreads();
        if (t < d) {
            int a = gap * (2 * t + 1) - 1, b = gap * (2 * t + 2) - 1;
            int v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[t] = s[t];
    out[t + 64] = s[t + 64];
}

// Wrong: reads and writes of one step share the time between two barriers.
//@ array in int 64 value:1
//@ array out int 64 zero
//@ launch scan_in_place<<<1, 64>>>(in, out)
//@found race-shared in-place
__global__ void scan_in_place(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // in-place
        __syncthreads();
    }
    out[t] = s[t];
}

// Wrong: __syncwarp orders one warp only, the block has two.
//@ array in int 64 value:1
//@ array out int 64 zero
//@ launch scan_warp_sync_only<<<1, 64>>>(in, out)
//@found race-shared warp-sync-only
//@may uninitialized
__global__ void scan_warp_sync_only(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int v = s[from][t];
        if (t >= d)
            v += s[from][t - d]; // warp-sync-only
        s[1 - from][t] = v;      // warp-sync-only
        from = 1 - from;
        __syncwarp();
    }
    out[t] = s[from][t];
}

// Wrong: the warps' totals are read with no barrier after they were stored.
//@ array in int 128 value:1
//@ array out int 128 zero
//@ launch scan_totals_unsynced<<<1, 128>>>(in, out)
//@found race-shared totals-unsynced
//@may uninitialized
__global__ void scan_totals_unsynced(const int *in, int *out)
{
    __shared__ int total[4];
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    int v = in[t];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += u;
    }
    if (lane == 31)
        total[warp] = v; // totals-unsynced
    for (int w = 0; w < warp; w++)
        v += total[w]; // totals-unsynced
    out[t] = v;
}

// Wrong: the last thread clears the root, the first one wrote it, no barrier between.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch scan_root_clear<<<1, 64>>>(in, out)
//@found race-shared root-clear
__global__ void scan_root_clear(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int gap = 1;
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[gap * (2 * t + 2) - 1] += s[gap * (2 * t + 1) - 1]; // root-clear
        gap *= 2;
    }
    if (t == 63)
        s[127] = 0; // root-clear
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

// Wrong: the shift to an exclusive scan overwrites cells others have not read yet.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch scan_shift<<<1, 64>>>(in, out)
//@found race-shared shift
__global__ void scan_shift(const int *in, int *out)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 0)
        s[64] = 0;
    __syncthreads();
    int v = s[t]; // shift
    s[t + 1] = v; // shift
    __syncthreads();
    out[t] = t == 0 ? 0 : s[t];
}

// Wrong: a block adds the sums of the blocks before it, which may not be there yet.
//@ array in int 128 value:1
//@ array sums int 4 zero
//@ array out int 128 zero
//@ launch scan_block_sums<<<4, 32>>>(in, sums, out)
//@found race-global block-sums
__global__ void scan_block_sums(const int *in, int *sums, int *out)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d)
            v += u;
    }
    if (t == 31)
        sums[blockIdx.x] = v; // block-sums
    for (int b = 0; b < blockIdx.x; b++)
        v += sums[b]; // block-sums
    out[i] = v;
}
