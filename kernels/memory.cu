/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One small job for each kind of memory, so the counters show which one was used.
 *
 * No mistake here depends on the optimiser. An index at run time comes from memory or from a
 * parameter.
 */

//: used by registers spill shared-array
/* Each thread counts its own keys, 0 to 15, in 16 bins of its own, and stores the counts. */
#define BINS 16

//: variant hierarchy
/*
 * Each memory is used once. Each thread adds a value from global, constant, shared and local
 * memory and from a register. `which` is below 4, and is known only when the kernel runs.
 */
__constant__ unsigned chosen[4];

extern "C" __global__ void touch_each(const unsigned *in, unsigned *out, int which)
{
    __shared__ unsigned beside[1024];
    unsigned own[4];                            /* local memory: the index is known at run time */
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned mine = in[i];                      /* from global memory into a register */

    for (int k = 0; k < 4; k++)
        own[k] = mine * (k + 3);
    beside[threadIdx.x] = mine;
    __syncthreads();
    unsigned next = beside[(threadIdx.x + 1) % blockDim.x];
    out[i] = mine + own[which] + next + chosen[which];
}

//: variant symbol unset
/*
 * No parameter is a pointer. All data has a name in the program, and the host copies it by name.
 * out[i] is the polynomial with these coefficients at i, modulo 2^32. `launches` keeps its value
 * after the kernel ends.
 */
#define COEFFICIENTS 16000      /* 64,000 bytes; all constants together have 65,536 */

__constant__ unsigned coefficient[COEFFICIENTS];
__device__ unsigned launches;
__device__ unsigned *where;     /* a pointer from cudaMalloc, kept in a variable */

extern "C" __global__ void through_symbols(int terms)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned sum = 0;

#pragma unroll 1
    for (int k = terms - 1; k >= 0; k--)
        sum = sum * i + coefficient[k];         /* all lanes read the same word */
    where[i] = sum;
    if (i == 0)
        launches = launches + 1;
}

//: variant registers
/* The bins have no index. Each bin is compared with every key, so it can be a register. */
extern "C" __global__ void bins_in_registers(const int *keys, int *out, int keys_each)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int bin[BINS];

#pragma unroll
    for (int b = 0; b < BINS; b++)
        bin[b] = 0;
#pragma unroll 1
    for (int j = 0; j < keys_each; j++) {
        int key = keys[j * threads + i];
#pragma unroll
        for (int b = 0; b < BINS; b++)
            bin[b] += key == b;
    }
#pragma unroll
    for (int b = 0; b < BINS; b++)
        out[b * threads + i] = bin[b];
}

//: variant spill
/* bin[key]: registers have no index, so the array is in local memory. */
extern "C" __global__ void bins_in_local(const int *keys, int *out, int keys_each)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int bin[BINS];

#pragma unroll 1
    for (int b = 0; b < BINS; b++)
        bin[b] = 0;
#pragma unroll 1
    for (int j = 0; j < keys_each; j++)
        bin[keys[j * threads + i]]++;
#pragma unroll 1
    for (int b = 0; b < BINS; b++)
        out[b * threads + i] = bin[b];
}

//: variant shared-array
/* The same index in shared memory. Bin b of a thread is in the thread's own bank. */
extern "C" __global__ void bins_in_shared(const int *keys, int *out, int keys_each)
{
    extern __shared__ int bins[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int *bin = bins + threadIdx.x;

#pragma unroll
    for (int b = 0; b < BINS; b++)
        bin[b * blockDim.x] = 0;
#pragma unroll 1
    for (int j = 0; j < keys_each; j++)
        bin[keys[j * threads + i] * blockDim.x]++;
#pragma unroll
    for (int b = 0; b < BINS; b++)
        out[b * threads + i] = bin[b * blockDim.x];
}

//: variant carveout
/* A block uses all of its dynamic shared memory. It writes in order and reads from the end. */
extern "C" __global__ void fill_shared(int *out, int words)
{
    extern __shared__ int word[];

#pragma unroll 1
    for (int w = threadIdx.x; w < words; w += blockDim.x)
        word[w] = 3 * w + blockIdx.x;
    __syncthreads();
#pragma unroll 1
    for (int w = threadIdx.x; w < words; w += blockDim.x)
        out[blockIdx.x * words + w] = word[words - 1 - w];
}
