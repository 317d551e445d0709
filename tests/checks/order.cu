// SPDX-License-Identifier: GPL-3.0-or-later
// Order between blocks: acquire and release, barriers of a grid, chains of blocks; and tiles,
// dynamic shared memory, vectors, bits. See shared.cu for the marks.

__device__ int take(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void give(int *p, int v)
{
    asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ int look(const int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void put(int *p, int v)
{
    asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ int join(int *p)
{
    int v;
    asm volatile("atom.acq_rel.gpu.add.s32 %0, [%1], 1;" : "=r"(v) : "l"(p) : "memory");
    return v;
}

//@ array x int 256 iota; array y int 256 zero; array z int 256 zero
//@ array flag int 8 zero; array data int 8 zero
//@ launch release_right<<<2, 1>>>(flag, data, y)
//@none
__global__ void release_right(int *flag, int *data, int *y)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        give(flag, 1);
    } else {
        while (take(flag) == 0) {
        }
        y[0] = data[0];
    }
}

//@ fill flag zero; fill data zero
//@ launch release_relaxed<<<2, 1>>>(flag, data, y)
//@found race-global relaxed-data
__global__ void release_relaxed(int *flag, int *data, int *y)
{
    if (blockIdx.x == 0) {
        data[0] = 43; // relaxed-data
        put(flag, 1);
    } else {
        while (look(flag) == 0) {
        }
        y[0] = data[0]; // relaxed-data
    }
}

//@ fill flag zero; fill data zero
//@ launch release_too_soon<<<2, 1>>>(flag, data, y)
//@found race-global soon-data
__global__ void release_too_soon(int *flag, int *data, int *y)
{
    if (blockIdx.x == 0) {
        give(flag, 1);
        data[0] = 44; // soon-data
    } else {
        while (take(flag) == 0) {
        }
        y[0] = data[0]; // soon-data
    }
}

//@ fill flag zero; fill data zero
//@ launch join_right<<<8, 1>>>(flag, data, y)
//@none
__global__ void join_right(int *count, int *part, int *y)
{
    part[blockIdx.x] = blockIdx.x + 1;
    if (join(count) == gridDim.x - 1)
        for (int k = 0; k < 8; k++)
            y[0] += part[k];
}

//@ fill flag zero; fill data zero
//@ launch chain_right<<<8, 32>>>(x, flag, data, y)
//@none
__global__ void chain_right(const int *x, int *flag, int *data, int *y)
{
    int b = blockIdx.x, t = threadIdx.x, before = 0;
    if (t == 0) {
        if (b > 0) {
            while (take(&flag[b - 1]) == 0) {
            }
            before = data[b - 1];
        }
        data[b] = before + x[b];
        give(&flag[b], 1);
        y[b] = before + (b > 1 ? data[b - 2] : 0);
    }
}

//@ fill flag zero; fill data zero
//@ launch chain_flag_first<<<8, 32>>>(x, flag, data, y)
//@found race-global chain-data
__global__ void chain_flag_first(const int *x, int *flag, int *data, int *y)
{
    int b = blockIdx.x, t = threadIdx.x, before = 0;
    if (t == 0) {
        if (b > 0) {
            while (take(&flag[b - 1]) == 0) {
            }
            before = data[b - 1]; // chain-data
        }
        give(&flag[b], 1);
        data[b] = before + x[b] + 1; // chain-data
        y[b] = before;
    }
}

__device__ void all_blocks(int *count, int upto, bool fence)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fence)
            __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < upto) {
        }
        if (fence)
            __threadfence();
    }
    __syncthreads();
}

//@ fill flag zero
//@ launch grid_right<<<4, 64>>>(flag, y, z)
//@none
__global__ void grid_right(int *count, int *y, int *z)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = t;
    all_blocks(count, 4, true);
    z[t] = y[255 - t];
    all_blocks(count, 8, true);
    y[t] = z[t ^ 64];
}

//@ fill flag zero
//@ launch grid_no_fence<<<4, 64>>>(flag, y, z)
//@found race-global grid-read
__global__ void grid_no_fence(int *count, int *y, int *z)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = t + 1;
    all_blocks(count, 4, false);
    z[t] = y[255 - t]; // grid-read
}

//@ fill flag zero
//@ launch grid_one_barrier<<<4, 64>>>(flag, y, z)
//@found race-global grid-again
__global__ void grid_one_barrier(int *count, int *y, int *z)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = t + 2;
    all_blocks(count, 4, true);
    z[t] = y[255 - t]; // grid-again
    y[t] = z[t];       // grid-again
}

//@ launch ping_right<<<1, 128>>>(y, z)
//@none
__global__ void ping_right(int *y, int *z)
{
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        z[t] = y[(t + 1) % 128];
        __syncthreads();
        y[t] = z[(t + 127) % 128] + 1;
        __syncthreads();
    }
}

//@ launch ping_no_barrier<<<1, 128>>>(y, z)
//@found race-global ping
__global__ void ping_no_barrier(int *y, int *z)
{
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        z[t] = y[(t + 1) % 128] + k; // ping
        __syncthreads();
        y[t] = z[(t + 127) % 128] + 1; // ping
    }
}

//@ array a float 256 iota; array b float 256 iota; array c float 256
//@ launch tiles_right<<<(2,2), (8,8)>>>(a, b, c)
//@none
__global__ void tiles_right(const float *a, const float *b, float *c)
{
    __shared__ float s[8][8], u[8][8];
    int i = threadIdx.y, j = threadIdx.x, row = 8 * blockIdx.y + i, column = 8 * blockIdx.x + j;
    float sum = 0;
    for (int k = 0; k < 16; k += 8) {
        s[i][j] = a[16 * row + k + j];
        u[i][j] = b[16 * (k + i) + column];
        __syncthreads();
        for (int n = 0; n < 8; n++)
            sum += s[i][n] * u[n][j];
        __syncthreads();
    }
    c[16 * row + column] = sum;
}

//@ launch tiles_one_barrier<<<(2,2), (8,8)>>>(a, b, c)
//@found race-shared tile-again
__global__ void tiles_one_barrier(const float *a, const float *b, float *c)
{
    __shared__ float s[8][8], u[8][8];
    int i = threadIdx.y, j = threadIdx.x, row = 8 * blockIdx.y + i, column = 8 * blockIdx.x + j;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 16; k += 8) {
        s[i][j] = a[16 * row + k + j]; // tile-again
        u[i][j] = b[16 * (k + i) + column]; // tile-again
        __syncthreads();
        for (int n = 0; n < 8; n++)
            sum += s[i][n] * u[n][j]; // tile-again
    }
    c[16 * row + column] = sum;
}

//@ launch dynamic_right<<<1, 64, 512>>>(x, y)
//@none
__global__ void dynamic_right(const int *x, int *y)
{
    extern __shared__ int pool[];
    int *p = pool, *q = pool + 64, t = threadIdx.x;
    p[t] = x[t];
    q[t] = -x[t];
    __syncthreads();
    y[t] = p[63 - t] + q[63 - t];
}

//@ launch dynamic_overlap<<<1, 64, 512>>>(x, y)
//@found race-shared overlap
__global__ void dynamic_overlap(const int *x, int *y)
{
    extern __shared__ int pool[];
    int *p = pool, *q = pool + 32, t = threadIdx.x;
    p[t] = x[t];  // overlap
    q[t] = -x[t] - 1; // overlap
    __syncthreads();
    y[t] = p[63 - t] + q[63 - t];
}

//@ array bits u32 8 zero
//@ launch bits_right<<<1, 256>>>(bits)
//@none
__global__ void bits_right(unsigned *bits)
{
    atomicOr(&bits[threadIdx.x / 32], 1u << threadIdx.x % 32);
}

//@ launch bits_plain<<<1, 256>>>(bits)
//@found race-global bit-set
__global__ void bits_plain(unsigned *bits)
{
    bits[threadIdx.x / 32] ^= 1u << threadIdx.x % 32; // bit-set
}

//@ launch vectors_right<<<1, 64>>>(x, y)
//@none
__global__ void vectors_right(const int4 *x, int4 *y)
{
    int4 v = x[threadIdx.x];
    y[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x);
}

//@ launch vectors_mixed<<<1, 64>>>(x, y)
//@found race-global mixed-one
__global__ void vectors_mixed(const int *x, int *y)
{
    int t = threadIdx.x;
    ((int4 *)y)[t] = make_int4(t, t, t, t + 1); // mixed-one
    y[t + 64] = x[t];                           // mixed-one
}

//@ launch halves_apart<<<1, 32>>>(x, y)
//@found race-shared halves
//@may uninitialized
__global__ void halves_apart(const int *x, int *y)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    if (t < 16)
        s[t] = x[t]; // halves
    else
        y[t] = s[t - 16]; // halves
}

//@ launch shared_best<<<1, 128>>>(x, y)
//@found race-shared best-read
//@nvcc
__global__ void shared_best(const int *x, int *y)
{
    __shared__ int best;
    if (threadIdx.x == 0)
        best = 0;
    __syncthreads();
    atomicMax(&best, x[threadIdx.x]);
    y[threadIdx.x] = best; // best-read
}

//@ fill flag zero
//@ launch leader_right<<<2, 64>>>(x, flag, z)
//@none
__global__ void leader_right(const int *x, int *count, int *z)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[t] % 3 == 0) {
        unsigned mates = __activemask();
        int first = __ffs(mates) - 1, lane = t % 32, at = 0;
        if (lane == first)
            at = atomicAdd(count, __popc(mates));
        at = __shfl_sync(mates, at, first);
        z[at + __popc(mates & ((1u << lane) - 1))] = x[t];
    }
}
