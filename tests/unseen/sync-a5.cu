// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Cooperative groups and cooperative grids.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Wrong: blocks without work return before the grid's barrier.
//@ array x int 128 iota
//@ launch a_grid_return<<<4, 32>>>(x, 3)
//@found deadlock grid-return
__global__ void a_grid_return(int* x, int nb) {
    cg::grid_group g = cg::this_grid();
    int i = blockIdx.x * 32 + threadIdx.x;
    if ((int)blockIdx.x >= nb) return;
    int v = x[i];
    g.sync(); // grid-return
    x[i] = v + 1;
}

// Wrong: an in-place relaxation with one grid barrier a round; the neighbour may be read after its write.
//@ array x int 128 iota
//@ launch a_grid_one_sync<<<4, 32>>>(x, 2)
//@found race-global grid-one-sync
__global__ void a_grid_one_sync(int* x, int rounds) {
    cg::grid_group g = cg::this_grid();
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        int v = x[(i + 32) % n];
        x[i] = v * 3 + 1; // grid-one-sync
        g.sync();
    }
}

// Wrong: the block's barrier where the grid's is meant; the next block's cell is read.
//@ array x int 128 zero
//@ array out int 128
//@ launch a_block_for_grid<<<4, 32>>>(x, out)
//@found race-global block-for-grid
__global__ void a_block_for_grid(int* x, int* out) {
    cg::thread_block b = cg::this_thread_block();
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i * i + 1;
    b.sync();
    out[i] = x[(i + 32) % n]; // block-for-grid
}

// Wrong: tiles of 16 synchronise, the exchange goes to the tile beside.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_tile_beside<<<1, 64>>>(out, in)
//@found race-shared tile-beside
__global__ void a_tile_beside(int* out, const int* in) {
    __shared__ int s[64];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = in[t] * 2;
    tile.sync();
    out[t] = s[(t + 16) & 63]; // tile-beside
}

// Wrong: tile.shfl taken as a barrier for the shared memory of the tile.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_tile_shfl_order<<<1, 32>>>(out, in)
//@found race-shared tile-shfl-order
__global__ void a_tile_shfl_order(int* out, const int* in) {
    __shared__ int s[32];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, v = in[t];
    s[t] = v + 1;
    v = tile.shfl(v, 0);
    out[t] = s[t ^ 7] + v; // tile-shfl-order
}

// Wrong: the number of rounds, and so of grid barriers, differs between the blocks.
//@ array x int 128 iota
//@ array rounds int 4 list:3,3,4,3
//@ launch a_grid_trips<<<4, 32>>>(x, rounds)
//@found deadlock grid-trips
__global__ void a_grid_trips(int* x, const int* rounds) {
    cg::grid_group g = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds[blockIdx.x]; k++) {
        x[i] += k;
        g.sync(); // grid-trips
    }
}

// Wrong: the block's barrier inside a branch that only half of each warp takes.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch a_block_half<<<1, 64>>>(out, in, 16)
//@found barrier-divergence block-half
__global__ void a_block_half(int* out, const int* in, int half) {
    __shared__ int s[64];
    cg::thread_block b = cg::this_thread_block();
    int t = threadIdx.x;
    if ((t & 31) < half) {
        s[t] = in[t];
        b.sync(); // block-half
        out[t] = s[t ^ 1];
    }
}

// Wrong: the blocks' leaders add to one total plainly; the grid barrier stands only behind.
//@ array total int 2 zero
//@ array out int 4
//@ launch a_grid_total<<<4, 32>>>(total, out, 1)
//@found race-global grid-total
//@element total[1]
__global__ void a_grid_total(int* total, int* out, int slot) {
    cg::grid_group g = cg::this_grid();
    if (threadIdx.x == 0) total[slot] += blockIdx.x + 1; // grid-total
    g.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = total[slot];
}

// Wrong: the sum behind the grid barrier takes one partial sum too many, which no block has written.
//@ array part int 8
//@ array out int 1
//@ launch a_grid_unwritten<<<4, 32>>>(part, out)
//@found uninitialized grid-unwritten
//@element part[4]
__global__ void a_grid_unwritten(int* part, int* out) {
    cg::grid_group g = cg::this_grid();
    if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x * 2 + 1;
    g.sync();
    if (g.thread_rank() == 0) {
        int sum = 0;
        for (unsigned i = 0; i <= gridDim.x; i++) sum += part[i]; // grid-unwritten
        out[0] = sum;
    }
}

// Wrong: the "anything changed?" flag is cleared for the next round while other blocks may still read it.
//@ array x int 128 list:2,1
//@ array changed int 2 zero
//@ array out int 128
//@ launch a_grid_flag_reset<<<4, 32>>>(x, changed, out, 1)
//@found race-global grid-flag-reset
//@element changed[1]
__global__ void a_grid_flag_reset(int* x, int* changed, int* out, int slot) {
    cg::grid_group g = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, busy = 0;
    for (int k = 0; k < 4; k++) {
        if (g.thread_rank() == 0) changed[slot] = 0; // grid-flag-reset
        g.sync();
        if (x[i] > 0) {
            x[i]--;
            atomicExch(&changed[slot], 1);
        }
        g.sync();
        busy += changed[slot];
    }
    out[i] = busy;
}

// Right: two-phase sum over the grid, one barrier between the phases.
//@ array in int 512 iota
//@ array part int 4
//@ array out int 1
//@ launch a_grid_sum<<<4, 64>>>(in, part, out, 512)
//@none
__global__ void a_grid_sum(const int* in, int* part, int* out, int n) {
    cg::grid_group g = cg::this_grid();
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    for (int i = (int)g.thread_rank(); i < n; i += (int)g.size()) atomicAdd(&s, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) part[blockIdx.x] = s;
    g.sync();
    if (g.thread_rank() == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) sum += part[b];
        out[0] = sum;
    }
}

// Right: Jacobi from one array to the other; one grid barrier a round is enough.
//@ array a float 128 iota
//@ array b float 128 zero
//@ launch a_grid_jacobi<<<4, 32>>>(a, b, 6)
//@none
__global__ void a_grid_jacobi(float* a, float* b, int rounds) {
    cg::grid_group g = cg::this_grid();
    int n = (int)g.size(), i = (int)g.thread_rank();
    float *src = a, *dst = b;
    for (int k = 0; k < rounds; k++) {
        float l = src[i > 0 ? i - 1 : i], r = src[i + 1 < n ? i + 1 : i];
        dst[i] = 0.5f * (l + r);
        g.sync();
        float* h = src; src = dst; dst = h;
    }
}

// Right: in place, with a grid barrier between reading and writing and another one behind.
//@ array x int 128 iota
//@ launch a_grid_two_syncs<<<4, 32>>>(x, 3)
//@none
__global__ void a_grid_two_syncs(int* x, int rounds) {
    cg::grid_group g = cg::this_grid();
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        int v = x[(i + 32) % n];
        g.sync();
        x[i] = v * 3 + 1;
        g.sync();
    }
}

// Right: tiles of eight sum their part of shared memory with tile.sync.
//@ array out int 8
//@ array in int 64 iota
//@ launch a_tile_sum<<<1, 64>>>(out, in)
//@none
__global__ void a_tile_sum(int* out, const int* in) {
    __shared__ int s[64];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, r = tile.thread_rank();
    s[t] = in[t];
    for (int o = 4; o; o >>= 1) {
        tile.sync();
        if (r < o) s[t] += s[t + o];
    }
    if (r == 0) out[t >> 3] = s[t];
}

// Right: appending with a coalesced group: whoever is together elects a leader.
//@ array out int 96 zero
//@ array cnt int 1 zero
//@ array in int 96 iota
//@ launch a_coalesced_append<<<1, 96>>>(out, cnt, in)
//@none
__global__ void a_coalesced_append(int* out, int* cnt, const int* in) {
    int v = in[threadIdx.x];
    if (v % 5 != 2) {
        cg::coalesced_group c = cg::coalesced_threads();
        int base = 0;
        if (c.thread_rank() == 0) base = atomicAdd(cnt, (int)c.size());
        base = c.shfl(base, 0);
        out[base + c.thread_rank()] = v;
    }
}

// Right: a stop flag with three grid barriers a round: cleared, set, read, never at once; all blocks leave together.
//@ array x int 128 list:2,1
//@ array changed int 1 zero
//@ launch a_grid_stop<<<4, 32>>>(x, changed)
//@none
__global__ void a_grid_stop(int* x, int* changed) {
    cg::grid_group g = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        if (g.thread_rank() == 0) *changed = 0;
        g.sync();
        if (x[i] > 0) {
            x[i]--;
            atomicExch(changed, 1);
        }
        g.sync();
        if (*changed == 0) break;
        g.sync();
    }
}

// Right: every second tile of a warp takes the branch, as a whole, and shuffles in it.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch a_tile_branch<<<1, 32>>>(out, in)
//@none
__global__ void a_tile_branch(int* out, const int* in) {
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
    int t = threadIdx.x, v = in[t];
    if (tile.meta_group_rank() & 1) {
        for (int o = 2; o; o >>= 1) v += tile.shfl_xor(v, o);
        out[t] = v;
    }
}

// Right: only the odd blocks use the block's barrier; each of them as a whole.
//@ array out int 128 zero
//@ array in int 128 iota
//@ launch a_odd_blocks<<<4, 32>>>(out, in)
//@none
__global__ void a_odd_blocks(int* out, const int* in) {
    __shared__ int s[32];
    cg::thread_block b = cg::this_thread_block();
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (blockIdx.x & 1) {
        s[t] = in[i];
        b.sync();
        out[i] = s[31 - t];
    } else {
        out[i] = in[i];
    }
}

// Right: the grid's barrier stands in a function that is called from a loop; plain writes by one block, reads by all.
//@ array table int 32
//@ array out int 128 zero
//@ launch a_grid_function<<<4, 32>>>(table, out, 3)
//@none
__device__ __noinline__ void meet() { cg::this_grid().sync(); }
__global__ void a_grid_function(int* table, int* out, int rounds) {
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    for (int k = 0; k < rounds; k++) {
        if ((int)blockIdx.x == k) table[t] = t * (k + 2);
        meet();
        out[i] += table[31 - t];
        meet();
    }
}

// Right: a histogram over the grid: cleared plainly, barrier, atomics, barrier, plain reads by other blocks.
//@ array bins int 16
//@ array out int 16
//@ array in int 256 random:0:500
//@ launch a_grid_hist<<<4, 32>>>(bins, out, in, 256)
//@none
__global__ void a_grid_hist(int* bins, int* out, const int* in, int n) {
    cg::grid_group g = cg::this_grid();
    int i = (int)g.thread_rank();
    if (blockIdx.x == 1 && threadIdx.x < 16) bins[threadIdx.x] = 0;
    g.sync();
    for (int k = i; k < n; k += (int)g.size()) atomicAdd(&bins[in[k] & 15], 1);
    g.sync();
    if (blockIdx.x == 3 && threadIdx.x < 16) out[threadIdx.x] = bins[15 - threadIdx.x];
}
