// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies into shared memory: who may read what they bring, and when.
//@first set arch 80

__device__ void start(int *to, const int *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}

__device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ void wait_all()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// All but the latest group.
__device__ void wait_but_one()
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
}

// Right: each thread reads what it copied itself, behind its own wait.
//@ array x int 256 iota; array y int 256 zero
//@ launch async_own<<<1, 64>>>(x, y)
//@none
__global__ void async_own(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]);
    wait_all();
    y[t] = s[t];
}

// Wrong: nobody waits, though each reads its own.
//@ launch async_no_wait<<<1, 64>>>(x, y)
//@found race-shared no-wait
__global__ void async_no_wait(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]); // no-wait
    commit();
    y[t] = s[t]; // no-wait
    wait_all();
}

// Wrong: a barrier waits for threads, not for their copies.
//@ launch async_barrier_only<<<1, 64>>>(x, y)
//@found race-shared barrier-only
__global__ void async_barrier_only(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]); // barrier-only
    commit();
    __syncthreads();
    y[t] = s[63 - t]; // barrier-only
    wait_all();
}

// Wrong: each has waited for its own copies, but reads another's.
//@ launch async_wait_only<<<1, 64>>>(x, y)
//@found race-shared wait-only
//@may uninitialized
__global__ void async_wait_only(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]); // wait-only
    wait_all();
    y[t] = s[63 - t]; // wait-only
}

// Wrong: the wait comes behind the barrier.
//@ launch async_wait_late<<<1, 64>>>(x, y)
//@found race-shared wait-late
__global__ void async_wait_late(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]); // wait-late
    commit();
    __syncthreads();
    wait_all();
    y[t] = s[63 - t]; // wait-late
}

// Right: wait, then the barrier.
//@ launch async_right<<<1, 64>>>(x, y)
//@none
__global__ void async_right(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]);
    wait_all();
    __syncthreads();
    y[t] = s[63 - t];
}

// Right: within a warp __syncwarp is enough.
//@ launch async_warp<<<1, 64>>>(x, y)
//@none
__global__ void async_warp(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    start(&s[t], &x[t]);
    wait_all();
    __syncwarp();
    y[t] = s[t ^ 31];
}

// Right: two buffers in turn; while one is read, the other is filled.
//@ launch async_two_buffers<<<1, 64>>>(x, y)
//@none
__global__ void async_two_buffers(const int *x, int *y)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    start(&s[0][t], &x[t]);
    commit();
    for (int i = 0; i < 4; i++) {
        start(&s[(i + 1) % 2][t], &x[(i + 1) % 4 * 64 + t]);
        commit();
        wait_but_one();
        __syncthreads();
        sum += s[i % 2][63 - t];
        __syncthreads();
    }
    wait_all();
    y[t] = sum;
}

// Wrong: the buffer that is read is the one whose group the wait leaves out.
//@ launch async_wrong_buffer<<<1, 64>>>(x, y)
//@found race-shared wrong-buffer
//@may uninitialized
__global__ void async_wrong_buffer(const int *x, int *y)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    start(&s[0][t], &x[t]);
    commit();
    for (int i = 0; i < 4; i++) {
        start(&s[(i + 1) % 2][t], &x[(i + 1) % 4 * 64 + t]); // wrong-buffer
        commit();
        wait_but_one();
        __syncthreads();
        sum += s[(i + 1) % 2][63 - t]; // wrong-buffer
        __syncthreads();
    }
    wait_all();
    y[t] = sum;
}

// Wrong: the copy overwrites what others may still read.
//@ launch async_too_soon<<<1, 64>>>(x, y)
//@found race-shared too-soon
__global__ void async_too_soon(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        start(&s[t], &x[i * 64 + t]); // too-soon
        wait_all();
        __syncthreads();
        sum += s[63 - t]; // too-soon
    }
    y[t] = sum;
}
