// SPDX-License-Identifier: GPL-3.0-or-later
// What needs the toolkit's own headers: cuda::atomic_ref, cooperative groups. clang 14 has none.
#include <cooperative_groups.h>
#include <cuda/atomic>
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
