// SPDX-License-Identifier: GPL-3.0-or-later
// Global memory: strides, overlaps, last blocks, locks, flags, lists. See shared.cu for the marks.

//@ array x int 512 iota; array y int 512; array z int 512
//@ launch copy_right<<<4, 128>>>(x, y)
//@none
__global__ void copy_right(const int *x, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = 2 * x[t];
}

//@ launch read_unwritten<<<4, 128>>>(z, y)
//@found uninitialized plain-read
__global__ void read_unwritten(const int *z, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = 2 * z[t]; // plain-read
}

//@ launch copy_right<<<2, 128>>>(x, z)
//@none
//@ launch read_later<<<2, 128>>>(z, y)
//@none
__global__ void read_later(const int *z, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = z[t];
}

//@ launch read_one_more<<<2, 128>>>(z, y)
//@found uninitialized one-more
__global__ void read_one_more(const int *z, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = z[t + 1]; // one-more
}

//@ launch stride_right<<<2, 64>>>(y, 512)
//@none
__global__ void stride_right(int *y, int n)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        y[k] = y[k] + k;
}

//@ launch stride_block<<<2, 64>>>(y, 512)
//@found race-global block-stride
__global__ void stride_block(int *y, int n)
{
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        y[k] = y[k] + blockIdx.x + 1; // block-stride
}

//@ launch chunks_right<<<2, 64>>>(y)
//@none
__global__ void chunks_right(int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 4 * t; k < 4 * t + 4; k++)
        y[k] = k;
}

//@ launch chunks_overlap<<<2, 64>>>(y)
//@found race-global chunk-end
__global__ void chunks_overlap(int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 4 * t; k <= 4 * t + 4 && k < 512; k++)
        y[k] = t; // chunk-end
}

//@ launch in_place<<<4, 128>>>(y)
//@found race-global in-place
__global__ void in_place(int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t > 0)
        y[t] = y[t] + y[t - 1]; // in-place
}

//@ launch reverse_in_place<<<1, 128>>>(x)
//@found race-global turned
__global__ void reverse_in_place(int *x)
{
    int t = threadIdx.x;
    x[t] = x[127 - t]; // turned
}

//@ fill x iota
//@ launch reverse_half<<<1, 64>>>(x)
//@none
__global__ void reverse_half(int *x)
{
    int t = threadIdx.x, a = x[t], b = x[127 - t];
    x[t] = b;
    x[127 - t] = a;
}

//@ launch off_by_one<<<1, 128>>>(y)
//@found race-global next-one
__global__ void off_by_one(int *y)
{
    int t = threadIdx.x;
    y[t] = t;
    y[t + 1] += 1; // next-one
}

struct pair {
    float a, b;
};
//@ array p float 512 zero
//@ launch fields_right<<<2, 128>>>(p)
//@none
__global__ void fields_right(struct pair *p)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    p[t].a = 1.0f;
    p[t].b = p[t].a + t;
}

//@ launch fields_neighbour<<<2, 128>>>(p)
//@found race-global next-field
__global__ void fields_neighbour(struct pair *p)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    p[t].a = 1.0f * t;
    p[t].b = p[t ^ 1].a; // next-field
}

//@ array sum int 1 zero
//@ launch count_right<<<4, 64>>>(sum)
//@none
__global__ void count_right(int *sum)
{
    atomicAdd(sum, 1);
}

//@ launch count_plain<<<4, 64>>>(sum)
//@found race-global plain-add
__global__ void count_plain(int *sum)
{
    *sum += 1; // plain-add
}

//@ launch count_and_read<<<4, 64>>>(sum, y)
//@found race-global count-read
__global__ void count_and_read(int *sum, int *y)
{
    atomicAdd(sum, 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = *sum; // count-read
}

//@ launch count_set<<<4, 64>>>(sum)
//@found race-global count-set
__global__ void count_set(int *sum)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *sum = 10; // count-set
    atomicAdd(sum, 1);
}

//@ array part int 8; array ticket u32 1 zero
//@ launch last_block<<<8, 64>>>(x, part, ticket, y)
//@none
//@nvcc
__global__ void last_block(const int *x, int *part, unsigned *ticket, int *y)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x[64 * blockIdx.x];
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 8)
        y[threadIdx.x] = part[threadIdx.x];
}

//@ fill ticket zero
//@ launch last_block_no_fence<<<8, 64>>>(x, part, ticket, y)
//@found race-global part-read
//@nvcc
__global__ void last_block_no_fence(const int *x, int *part, unsigned *ticket, int *y)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x[64 * blockIdx.x];
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 8)
        y[threadIdx.x] = part[threadIdx.x]; // part-read
}

//@ fill ticket zero; array all int 512
//@ launch last_block_all<<<8, 64>>>(x, all, ticket, y)
//@none
//@nvcc
__global__ void last_block_all(const int *x, int *all, unsigned *ticket, int *y)
{
    __shared__ bool last;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    all[t] = 3 * x[t];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int k = threadIdx.x; k < 512; k += 64)
            y[k] = all[511 - k];
}

//@ fill ticket zero
//@ launch last_block_early<<<8, 64>>>(x, all, ticket, y)
//@found race-global early-read
//@nvcc
__global__ void last_block_early(const int *x, int *all, unsigned *ticket, int *y)
{
    __shared__ bool last;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    all[t] = 3 * x[t];
    __syncthreads();
    if (last)
        for (int k = threadIdx.x; k < 512; k += 64)
            y[k] = all[511 - k]; // early-read
}

//@ array lock int 1 zero; array money int 1 zero
//@ launch lock_right<<<4, 1>>>(lock, money)
//@none
__global__ void lock_right(int *lock, int *money)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *money += 5;
    __threadfence();
    atomicExch(lock, 0);
}

//@ launch lock_no_fence<<<4, 1>>>(lock, money)
//@found race-global locked-add
__global__ void lock_no_fence(int *lock, int *money)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *money += 5; // locked-add
    atomicExch(lock, 0);
}

//@ launch lock_forgotten<<<4, 1>>>(lock, money)
//@found race-global unlocked-add
__global__ void lock_forgotten(int *lock, int *money)
{
    if (blockIdx.x == 2) {
        *money += 7; // unlocked-add
        return;
    }
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *money += 5; // unlocked-add
    __threadfence();
    atomicExch(lock, 0);
}

//@ array flag int 1 zero; array data int 1 zero
//@ launch flag_right<<<2, 1>>>(flag, data, y)
//@none
__global__ void flag_right(volatile int *flag, int *data, int *y)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        y[0] = *data;
    }
}

//@ fill flag zero
//@ launch flag_no_fence<<<2, 1>>>(flag, data, y)
//@found race-global flag-data
__global__ void flag_no_fence(volatile int *flag, volatile int *data, int *y)
{
    if (blockIdx.x == 0) {
        *data = 43;
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        y[0] = *data; // flag-data
    }
}

//@ array slots int 64; array turn int 1 zero
//@ launch queue_right<<<2, 32>>>(turn, slots, y)
//@none
__global__ void queue_right(int *turn, int *slots, int *y)
{
    int at = atomicAdd(turn, 1);
    slots[at] = blockIdx.x * 32 + threadIdx.x;
    y[at] = slots[at];
}

//@ fill turn zero
//@ launch queue_plain<<<2, 32>>>(turn, slots, y)
//@found race-global queue-turn
__global__ void queue_plain(int *turn, int *slots, int *y)
{
    int at = (*turn)++; // queue-turn
    slots[at & 63] = blockIdx.x * 32 + threadIdx.x; // queue-turn
    y[at & 63] = 1;
}

//@ array next int 65 zero
//@ launch list_right<<<1, 64>>>(next)
//@none
__global__ void list_right(int *next)
{
    int me = threadIdx.x + 1;
    next[me] = atomicExch(&next[0], me);
}

//@ fill next zero
//@ launch list_plain<<<1, 64>>>(next)
//@found race-global list-head
__global__ void list_plain(int *next)
{
    int me = threadIdx.x + 1;
    next[me] = next[0]; // list-head
    next[0] = me;       // list-head
}

//@ launch parity_right<<<4, 128>>>(x, y)
//@none
__global__ void parity_right(const int *x, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 2)
        y[t] = x[t];
    else
        y[t] = -x[t];
}

//@ launch scatter_right<<<4, 128>>>(x, y)
//@none
__global__ void scatter_right(const int *x, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[(t * 37 + 11) % 512] = x[t];
}

//@ launch scatter_clash<<<4, 128>>>(x, y)
//@found race-global clash
__global__ void scatter_clash(const int *x, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t * 37 % 500] = x[t]; // clash
}

//@ launch marks_right<<<4, 128>>>(x, y)
//@none
__global__ void marks_right(const int *x, int *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[t] % 3 == 0)
        y[7] = 1;
}

//@ launch local_right<<<1, 64>>>(x, y)
//@none
__global__ void local_right(const int *x, int *y)
{
    int own[8];
    for (int k = 0; k < 8; k++)
        own[(k ^ x[3]) % 8] = k;
    y[threadIdx.x] = own[x[threadIdx.x] % 8];
}

//@ launch local_unwritten<<<1, 64>>>(x, y)
//@found uninitialized own-read
__global__ void local_unwritten(const int *x, int *y)
{
    int own[8];
    own[x[threadIdx.x] % 4] = 1;
    y[threadIdx.x] = own[(x[threadIdx.x] + 1) % 8]; // own-read
}
