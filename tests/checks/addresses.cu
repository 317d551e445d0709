// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses: past the end, not aligned, null or never written, and barriers
// and masks that miss some of those they call for.

// Right: the end pointer is compared with and never followed.
//@ array in int 100 iota
//@ array out int 32 zero
//@ launch addr_end<<<1, 32>>>(in, out, 100)
//@none
__global__ void addr_end(const int *in, int *out, int n)
{
    const int *end = in + n;
    int sum = 0;
    for (const int *p = in + threadIdx.x; p < end; p += 32)
        sum += *p;
    out[threadIdx.x] = sum;
}

// Right: half of the threads hold a null pointer and do not follow it.
//@ array out int 16 zero
//@ launch addr_null_unused<<<1, 32>>>(out)
//@none
__global__ void addr_null_unused(int *out)
{
    int *p = nullptr;
    if (threadIdx.x < 16)
        p = out + threadIdx.x;
    if (p != nullptr)
        *p = 3 * threadIdx.x;
}

// Right: the barrier stands in a branch that a block takes as a whole.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch addr_block_branch<<<2, 64>>>(in, out)
//@none
__global__ void addr_block_branch(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * 64 + t;
    if (blockIdx.x == 1) {
        s[t] = in[i];
        __syncthreads();
        out[i] = s[63 - t];
    } else {
        out[i] = in[i];
    }
}

// Right: pairs of ints at even places are aligned for a long.
//@ array in int 64 iota
//@ array out long 32 zero
//@ launch addr_even_pairs<<<1, 32>>>(in, out)
//@none
__global__ void addr_even_pairs(const int *in, long *out)
{
    out[threadIdx.x] = *(const long *)(in + 2 * threadIdx.x);
}

// Right: the mask names just the 20 lanes that come.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch addr_mask_of_20<<<1, 32>>>(in, out)
//@none
__global__ void addr_mask_of_20(const int *in, int *out)
{
    __shared__ int s[20];
    int t = threadIdx.x;
    if (t < 20) {
        s[t] = in[t];
        __syncwarp(0x000fffffu);
        out[t] = s[19 - t];
    }
}

// Right: the launch brings just the shared memory that is used.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch addr_dynamic<<<1, 64, 256>>>(in, out)
//@none
__global__ void addr_dynamic(const int *in, int *out)
{
    extern __shared__ int room[];
    int t = threadIdx.x;
    room[t] = in[t];
    __syncthreads();
    out[t] = room[t ^ 63];
}

// Wrong: 128 threads store into an array of 100.
//@ array out int 100 zero
//@ launch addr_no_guard<<<2, 64>>>(out)
//@found out-of-bounds no-guard
__global__ void addr_no_guard(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i * i; // no-guard
}

// Wrong: the launch brings 128 bytes of shared memory, 64 ints need 256.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch addr_dynamic_short<<<1, 64, 128>>>(in, out)
//@found out-of-bounds dynamic-short
__global__ void addr_dynamic_short(const int *in, int *out)
{
    extern __shared__ int room[];
    int t = threadIdx.x;
    room[t] = in[t]; // dynamic-short
    __syncthreads();
    out[t] = room[63 - t]; // dynamic-short
}

// Wrong: the place in the local array comes from the data and runs up to 15 of 8.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch addr_local_index<<<1, 32>>>(in, out)
//@found out-of-bounds local-index
__global__ void addr_local_index(const int *in, int *out)
{
    int v[8];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++)
        v[k] = in[(t + k) % 32];
    out[t] = v[in[t] % 16]; // local-index
}

// Wrong: pairs of ints at odd places are not aligned for a long.
//@ array in int 66 iota
//@ array out long 32 zero
//@ launch addr_odd_pairs<<<1, 32>>>(in, out)
//@found misaligned odd-pairs
__global__ void addr_odd_pairs(const int *in, long *out)
{
    out[threadIdx.x] = *(const long *)(in + 2 * threadIdx.x + 1); // odd-pairs
}

// Wrong: a word is read at every byte of the text, three of four are not aligned.
//@ array in char 64 iota
//@ array out int 60 zero
//@ launch addr_text<<<1, 64>>>(in, out)
//@found misaligned text
__global__ void addr_text(const char *in, int *out)
{
    __shared__ char text[64];
    int t = threadIdx.x;
    text[t] = in[t];
    __syncthreads();
    if (t < 60)
        out[t] = *(int *)(text + t); // text
}

// Wrong: the table of pointers holds zeros.
//@ array table long 4 zero
//@ array out int 4 zero
//@ launch addr_null_table<<<1, 4>>>(table, out)
//@found null null-table
__global__ void addr_null_table(const long *table, int *out)
{
    int *p = (int *)table[threadIdx.x];
    out[threadIdx.x] = *p + 1; // null-table
}

// Wrong: nobody ever wrote the array that is read.
//@ array in int 32
//@ array out int 32 zero
//@ launch addr_unwritten<<<1, 32>>>(in, out)
//@found uninitialized unwritten
__global__ void addr_unwritten(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = in[t] + t; // unwritten
}

// Wrong: n is 5, and the sixth of the local cells is read.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch addr_local_unwritten<<<1, 32>>>(in, out, 5)
//@found uninitialized local-unwritten
__global__ void addr_local_unwritten(const int *in, int *out, int n)
{
    int v[8];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++)
        v[k] = in[(t + k) % 32];
    out[t] = v[in[t] % 6]; // local-unwritten
}

// Wrong: the table has cells for the even numbers only, and odd ones are looked up.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch addr_shared_unwritten<<<1, 32>>>(in, out)
//@found uninitialized shared-unwritten
__global__ void addr_shared_unwritten(const int *in, int *out)
{
    __shared__ int table[32];
    int t = threadIdx.x;
    int v = in[t];
    if (v % 2 == 0)
        table[v] = v * v;
    __syncthreads();
    out[t] = table[31 - v]; // shared-unwritten
}

// Wrong: odd and even threads come to two different barriers.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch addr_two_barriers<<<1, 64>>>(in, out)
//@found barrier-divergence two-barriers
__global__ void addr_two_barriers(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        s[t] = in[t];
        __syncthreads(); // two-barriers
        out[t] = s[t + 1];
    } else {
        s[t] = -in[t];
        __syncthreads(); // two-barriers
        out[t] = 5 * s[t - 1];
    }
}

// Wrong: only some threads take the barrier in the branch, the others wait at the next.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch addr_some_come<<<1, 64>>>(in, out)
//@found barrier-divergence some-come
__global__ void addr_some_come(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (in[t] >= 10) {
        __syncthreads(); // some-come
        out[t] = 1;
    }
    __syncthreads(); // some-come
    out[t] += s[63 - t];
}

// Wrong: __syncwarp names 32 lanes, 12 of them wait at the barrier of the block.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch addr_mask_of_32<<<1, 32>>>(in, out)
//@found deadlock mask-of-all
__global__ void addr_mask_of_32(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 20) {
        __syncwarp(0xffffffffu); // mask-of-all
        s[t] += 1;
    }
    __syncthreads();
    out[t] = s[31 - t];
}
