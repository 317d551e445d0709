// SPDX-License-Identifier: GPL-3.0-or-later
// What needs the toolkit's own headers: cuda::atomic_ref and barrier, cooperative groups. clang 14
// has none.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/chrono>
#include <cuda/std/utility>
namespace cg = cooperative_groups;

// Right: the store releases and the load acquires, no fence needed.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_ref<<<2, 1>>>(data, flag, out)
//@none
__global__ void flag_ref(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 42;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0)
            ;
        out[0] = data[0];
    }
}

// Wrong: relaxed store and load.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_ref_relaxed<<<2, 1>>>(data, flag, out)
//@found race-global ref-relaxed
__global__ void flag_ref_relaxed(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 42; // ref-relaxed
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0)
            ;
        out[0] = data[0]; // ref-relaxed
    }
}

// Right: the sync of the grid stands between writing and reading.
//@ array a int 128 zero
//@ array out int 128 zero
//@ launch gs_coop<<<4, 32>>>(a, out)
//@none
__global__ void gs_coop(int *a, int *out)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * i;
    grid.sync();
    out[i] = a[127 - i];
}

// Right: two rows take turns, one sync of the grid a step.
//@ array a int 64 iota
//@ array b int 64 zero
//@ launch gs_coop_steps<<<2, 32>>>(a, b, 4)
//@none
__global__ void gs_coop_steps(int *a, int *b, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < steps; k++) {
        int *from = k % 2 == 0 ? a : b, *to = k % 2 == 0 ? b : a;
        to[i] = from[(i + 63) % 64] + from[(i + 1) % 64];
        grid.sync();
    }
}

// Wrong: the loop syncs after its write but not between its read and that write.
//@ array a int 64 iota
//@ launch gs_coop_one<<<2, 32>>>(a, 3)
//@found race-global coop-one
__global__ void gs_coop_one(int *a, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < steps; k++) {
        int v = a[(i + 32) % 64]; // coop-one
        a[i] = v + 1;             // coop-one
        grid.sync();
    }
}

// Wrong: the sync of the block where that of the grid is needed.
//@ array a int 128 zero
//@ array out int 128 zero
//@ launch gs_coop_block<<<4, 32>>>(a, out)
//@found race-global coop-block
__global__ void gs_coop_block(int *a, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * i; // coop-block
    block.sync();
    out[i] = a[127 - i]; // coop-block
}

// Wrong: block 0 waits at the grid's barrier, and block 1 has gone home.
//@ array out int 64 zero
//@ launch tk_grid_half<<<2, 32>>>(out)
//@found deadlock grid-half
__global__ void tk_grid_half(int *out)
{
    if (blockIdx.x == 0)
        cg::this_grid().sync(); // grid-half
    out[blockIdx.x * 32 + threadIdx.x] = 1;
}

// Wrong: the blocks come to the grid's barrier as often as their number says.
//@ array out int 64 zero
//@ launch tk_grid_often<<<4, 16>>>(out)
//@found deadlock grid-often
__global__ void tk_grid_often(int *out)
{
    for (int k = 0; k <= blockIdx.x; k++)
        cg::this_grid().sync(); // grid-often
    out[blockIdx.x * 16 + threadIdx.x] = 1;
}

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Right: the halves of each warp come to a cuda::barrier by two ways.
//@ array out int 64 zero
//@ launch tk_barrier<<<1, 64>>>(out)
//@none
__global__ void tk_barrier(int *out)
{
    __shared__ block_barrier b;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&b, blockDim.x);
    __syncthreads();
    s[t] = t;
    if (t % 32 < 16) {
        b.arrive_and_wait();
        out[t] = s[63 - t];
    } else {
        b.arrive_and_wait();
        out[t] = s[t - 1];
    }
}

// Right: who waits for a time goes on when it is over, though one arrival is missing.
//@ array out int 64 zero
//@ launch tk_barrier_timed<<<1, 64>>>(out)
//@none
__global__ void tk_barrier_timed(int *out)
{
    __shared__ block_barrier b;
    int t = threadIdx.x, tries = 0;
    if (t == 0)
        init(&b, blockDim.x + 1);
    __syncthreads();
    auto token = b.arrive();
    while (!b.try_wait_for(cuda::std::move(token), cuda::std::chrono::milliseconds(10)) &&
           ++tries < 3)
        ;
    out[t] = tries;
}

// Wrong: a cuda::barrier for one thread more than there are.
//@ array out int 32 zero
//@ launch tk_barrier_count<<<1, 32>>>(out)
//@found deadlock barrier-count
__global__ void tk_barrier_count(int *out)
{
    __shared__ block_barrier b;
    if (threadIdx.x == 0)
        init(&b, 33);
    __syncthreads();
    b.arrive_and_wait(); // barrier-count
    out[threadIdx.x] = 1;
}

// Wrong: the second warp ends without an arrival.
//@ array out int 64 zero
//@ launch tk_barrier_left<<<1, 64>>>(out)
//@found deadlock barrier-left
__global__ void tk_barrier_left(int *out)
{
    __shared__ block_barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32)
        b.arrive_and_wait(); // barrier-left
    out[threadIdx.x] = 1;
}
