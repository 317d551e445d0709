// SPDX-License-Identifier: GPL-3.0-or-later
// Strides: loops over a grid, rows, columns and permutations, where threads
// meet in a cell or just miss each other.

// Right: a loop with the stride of the whole grid.
//@ array a int 200 iota
//@ launch stride_grid<<<2, 32>>>(a, 200)
//@none
__global__ void stride_grid(int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = 2 * a[i] + 1;
}

// Right: 5 and 64 have no common factor, so no two threads get the same cell.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch stride_permutation<<<1, 64>>>(in, out)
//@none
__global__ void stride_permutation(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[(5 * t + 3) % 64] = in[t];
    __syncthreads();
    out[t] = s[t];
}

// Right: block 0 has the even cells and block 1 the odd ones.
//@ array a int 128 iota
//@ launch stride_even_odd<<<2, 32>>>(a)
//@none
__global__ void stride_even_odd(int *a)
{
    int i = 2 * threadIdx.x + blockIdx.x;
    a[i] += 7;
    a[i + 64] += a[i];
}

// Right: each thread goes down a column of its own.
//@ array a float 256 value:1
//@ launch stride_columns<<<1, 32>>>(a)
//@none
__global__ void stride_columns(float *a)
{
    int x = threadIdx.x;
    for (int y = 1; y < 8; y++)
        a[32 * y + x] += a[32 * (y - 1) + x];
}

// Wrong: 6 and 64 share the factor 2, so t and t + 32 get the same cell.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch stride_common_factor<<<1, 64>>>(in, out)
//@found race-shared common-factor
__global__ void stride_common_factor(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[6 * t % 64] = in[t]; // common-factor
    __syncthreads();
    out[t] = s[t];
}

// Wrong: the stride of one block in a grid of two.
//@ array a int 200 iota
//@ launch stride_whole_block<<<2, 32>>>(a, 200)
//@found race-global block-stride
__global__ void stride_whole_block(int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        a[i] = 2 * a[i] + 1; // block-stride
}

// Wrong: rows of 8 are stored 7 apart, the end of one meets the start of the next.
//@ array a int 64 zero
//@ launch stride_pitch<<<1, (8, 8)>>>(a, 7)
//@found race-global pitch
__global__ void stride_pitch(int *a, int pitch)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[y * pitch + x] = 10 * y + x; // pitch
}

// Wrong: chunks of four cells lie three apart.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch stride_overlap<<<1, 32>>>(in, out)
//@found race-shared overlap
__global__ void stride_overlap(const int *in, int *out)
{
    __shared__ int s[100];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++)
        s[3 * t + k] = in[t] * k; // overlap
    __syncthreads();
    out[t] = s[3 * t] + s[3 * t + 1];
}

// Wrong: a stride of three in an array with room for two.
//@ array out int 128 zero
//@ launch stride_three<<<1, 64>>>(out)
//@found out-of-bounds three
__global__ void stride_three(int *out)
{
    int t = threadIdx.x;
    out[3 * t] = t; // three
}

// Wrong: the even cells are filled, all of them are read.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch stride_holes<<<1, 32>>>(in, out)
//@found uninitialized holes
__global__ void stride_holes(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[2 * t] = in[t];
    __syncthreads();
    out[t] = s[t] + s[t + 32]; // holes
}
