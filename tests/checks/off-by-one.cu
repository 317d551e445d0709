// SPDX-License-Identifier: GPL-3.0-or-later
// Off by one: the last cell, the first cell, the last round, and the ends of
// chunks, hit or just missed.

// Right: the guard keeps the 28 threads too many out.
//@ array in int 100 iota
//@ array out int 100 zero
//@ launch obo_guard<<<2, 64>>>(in, out, 100)
//@none
__global__ void obo_guard(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i + 1 < n ? in[i + 1] : in[0];
}

// Right: chunks end where the next one begins.
//@ array a int 100 iota
//@ launch obo_chunks<<<1, 32>>>(a, 100)
//@none
__global__ void obo_chunks(int *a, int n)
{
    int size = (n + 31) / 32;
    int from = threadIdx.x * size, to = min(from + size, n);
    for (int i = from + 1; i < to; i++)
        a[i] += a[i - 1];
}

// Right: one cell more than threads, and the last thread fills two.
//@ array in int 65 iota
//@ array out int 64 zero
//@ launch obo_extra_cell<<<1, 64>>>(in, out)
//@none
__global__ void obo_extra_cell(const int *in, int *out)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 63)
        s[64] = in[64];
    __syncthreads();
    out[t] = s[t + 1] - s[t];
}

// Right: shift in place, with a barrier between the reads and the writes.
//@ array a int 64 iota
//@ launch obo_shift_left<<<1, 64>>>(a)
//@none
__global__ void obo_shift_left(int *a)
{
    int t = threadIdx.x;
    int v = t < 63 ? a[t + 1] : -1;
    __syncthreads();
    a[t] = v;
}

// Wrong: the last thread reads past the end of the input.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch obo_next<<<2, 32>>>(in, out)
//@found out-of-bounds next
__global__ void obo_next(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    out[i] = in[i + 1] - v; // next
}

// Wrong: the first thread reads before the beginning of the input.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch obo_before<<<2, 32>>>(in, out)
//@found out-of-bounds before
__global__ void obo_before(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    out[i] = v - in[i - 1]; // before
}

// Wrong: <= lets thread 100 in, the array ends at 99.
//@ array out float 100 zero
//@ launch obo_less_equal<<<2, 64>>>(out, 100)
//@found out-of-bounds less-equal
__global__ void obo_less_equal(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 1.0f / (i + 1); // less-equal
}

// Wrong: the tile has no cell for the right neighbour of the last thread.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch obo_tile<<<1, 64>>>(in, out)
//@found out-of-bounds tile
__global__ void obo_tile(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int v = s[t];
    out[t] = s[t + 1] - v; // tile
}

// Wrong: the second loop runs to 8 in an array of 8.
//@ array in int 256 iota
//@ array out int 32 zero
//@ launch obo_local<<<1, 32>>>(in, out, 8)
//@found out-of-bounds local
__global__ void obo_local(const int *in, int *out, int n)
{
    int v[8];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++)
        v[k] = in[8 * t + k];
    int sum = 0;
    for (int k = 1; k <= n; k++)
        sum += k * v[k]; // local
    out[t] = sum;
}

// Wrong: the chunk's end is taken in, it is the first cell of the next thread's chunk.
//@ array a int 129 iota
//@ launch obo_chunk_end<<<1, 32>>>(a)
//@found race-global chunk-end
__global__ void obo_chunk_end(int *a)
{
    int from = 4 * threadIdx.x;
    for (int i = from; i <= from + 4; i++)
        a[i] = 2 * a[i] + 1; // chunk-end
}

// Wrong: 257 numbers for 64 threads, thread 0 meets the barrier in the loop once more.
//@ array in int 257 iota
//@ array out int 64 zero
//@ launch obo_uneven_rounds<<<1, 64>>>(in, out, 256)
//@found barrier-divergence uneven-rounds
__global__ void obo_uneven_rounds(const int *in, int *out, int last)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i <= last; i += 64) {
        s[t] += in[i];
        __syncthreads(); // uneven-rounds
    }
    __syncthreads(); // uneven-rounds
    out[t] = s[63 - t];
}

// Wrong: the last cell of the tile is not filled.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch obo_short_fill<<<1, 64>>>(in, out)
//@found uninitialized short-fill
__global__ void obo_short_fill(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 63)
        s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t]; // short-fill
}
