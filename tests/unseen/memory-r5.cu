// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Right kernels: synchronisation that looks suspicious, more.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Right: one warp sum a warp, then the first warp adds up, with slots it zeroes itself.
//@ array in int 96 iota
//@ array out int 1 zero
//@ launch b_ok_warp_sums<<<1, 96>>>(in, out)
//@none
__global__ void b_ok_warp_sums(const int *in, int *out) {
  __shared__ int ws[32];
  int t = threadIdx.x, v = in[t];
  if (t < 32) ws[t] = 0;
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  __syncthreads();
  if ((t & 31) == 0) ws[t >> 5] = v;
  __syncthreads();
  if (t < 32) {
    v = ws[t];
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
    if (t == 0) out[0] = v;
  }
}

// Right: __shfl_down beyond the warp's end gives the own value, which is not used.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_shfl_end<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_shfl_end(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  int r = __shfl_down_sync(~0u, v, 1);
  out[t] = t < 31 ? r - v : 0;
}

// Right: a block of 20 threads shuffles with the mask of its 20 lanes.
//@ array in int 20 iota
//@ array out int 20 zero
//@ launch b_ok_part_warp<<<1, 20>>>(in, out)
//@none
__global__ void b_ok_part_warp(const int *in, int *out) {
  int t = threadIdx.x;
  int v = __shfl_sync(0xfffffu, in[t], 19 - t);
  out[t] = v;
}

// Right: a shared value is replaced between two barriers by one thread, round after round.
//@ array in int 128 iota
//@ array out int 64 zero
//@ launch b_ok_rounds<<<1, 64>>>(in, out, 2)
//@none
__global__ void b_ok_rounds(const int *in, int *out, int rounds) {
  __shared__ int total;
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (t == 0) total = in[r * 64] + r;
    __syncthreads();
    sum += total + in[r * 64 + t];
    __syncthreads();
  }
  out[t] = sum;
}

// Right: a block-wide work loop whose end comes from a shared variable, the same for all.
//@ array next int 1 zero
//@ array out int 20 zero
//@ launch b_ok_work_loop<<<2, 32>>>(next, out, 20)
//@none
__global__ void b_ok_work_loop(int *next, int *out, int n) {
  __shared__ int item;
  int t = threadIdx.x;
  while (true) {
    if (t == 0) item = atomicAdd(next, 1);
    __syncthreads();
    int k = item;
    __syncthreads();
    if (k >= n) break;
    if (t == 0) out[k] = k + 1;
  }
}

// Right: all lanes spin until lane 0's block has set the flag; the wait is for another block.
//@ array flag int 1 zero
//@ array data int 32 zero
//@ array out int 32 zero
//@ launch b_ok_all_spin<<<2, 32>>>(flag, data, out)
//@none
__global__ void b_ok_all_spin(int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 1) {
    data[t] = t + 1;
    __threadfence();
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) == 0) { }
    __threadfence();
    out[t] = data[31 - t];
  }
}

// Right: one lane waits for another lane of its own warp (independent thread scheduling).
//@ array out int 32 zero
//@ launch b_ok_lane_wait<<<1, 32>>>(out, 170)
//@none
__global__ void b_ok_lane_wait(int *out, int v) {
  __shared__ int flag, value;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncwarp();
  if (t == 0) {
    while (atomicAdd(&flag, 0) == 0) { }
    __threadfence_block();
    out[t] = value;
  } else if (t == 17) {
    value = v + t;
    __threadfence_block();
    atomicExch(&flag, 1);
  }
}

// Right: every thread owns its cells by a stride; nothing is shared though all write one array.
//@ array in int 256 iota
//@ array out int 256
//@ launch b_ok_grid_stride<<<2, 32>>>(in, out, 256)
//@none
__global__ void b_ok_grid_stride(const int *in, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i];
    out[i] += in[n - 1 - i];
  }
}

// Right: ping and pong arrays of a Jacobi iteration with grid barriers.
//@ array a float 64 iota
//@ array b float 64 zero
//@ launch b_ok_jacobi<<<2, 32>>>(a, b, 64, 3)
//@none
__global__ void b_ok_jacobi(float *a, float *b, int n, int rounds) {
  cg::grid_group g = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    float l = i > 0 ? a[i - 1] : 0.0f, h = i + 1 < n ? a[i + 1] : 0.0f;
    b[i] = 0.5f * (l + h);
    g.sync();
    float *s = a;
    a = b;
    b = s;
  }
}

// Right: tiles of 16 threads, each with its own sync and shared row.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_tiles<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_tiles(const int *in, int *out) {
  __shared__ int s[4][16];
  cg::thread_block_tile<16> g = cg::tiled_partition<16>(cg::this_thread_block());
  int t = threadIdx.x, r = g.thread_rank(), row = t / 16;
  s[row][r] = in[t];
  g.sync();
  int v = s[row][15 - r];
  v += g.shfl_xor(v, 1);
  out[t] = v;
}

// Right: two halves of the block use two named barriers, each of 32 threads.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_two_names<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_two_names(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, w = t / 32;
  s[t] = in[t];
  asm volatile("bar.sync %0, 32;" :: "r"(w + 1) : "memory");
  out[t] = s[w * 32 + 31 - (t & 31)];
}

// Right: a release reduction on a counter and an acquire load, inline PTX.
//@ array data int 4 zero
//@ array done u32 1 zero
//@ array out int 1 zero
//@ launch b_ok_red_release<<<5, 1>>>(data, done, out)
//@none
__global__ void b_ok_red_release(int *data, unsigned *done, int *out) {
  size_t p = __cvta_generic_to_global(done);
  if (blockIdx.x < 4) {
    data[blockIdx.x] = blockIdx.x * 11;
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" :: "l"(p), "r"(1u) : "memory");
  } else {
    unsigned k;
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(k) : "l"(p) : "memory");
    while (k < 4u);
    out[0] = data[0] + data[1] + data[2] + data[3];
  }
}

// Right: producer and consumer warps hand one slot to and fro with two named barriers.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch b_ok_slot<<<1, 64>>>(in, out, 4)
//@none
__global__ void b_ok_slot(const int *in, int *out, int rounds) {
  __shared__ int slot[32];
  int t = threadIdx.x, lane = t & 31;
  if (t < 32) {
    for (int r = 0; r < rounds; ++r) {
      slot[lane] = in[r * 32 + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");
      asm volatile("bar.sync 2, 64;" ::: "memory");
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[r * 32 + lane] = slot[31 - lane];
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

// Right: a queue in global memory: slots are published one by one by a flag each.
//@ array slot int 8 zero
//@ array full int 8 zero
//@ array out int 8 zero
//@ launch b_ok_queue<<<2, 8>>>(slot, full, out)
//@none
__global__ void b_ok_queue(int *slot, int *full, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    slot[t] = 5 * t;
    __threadfence();
    atomicExch(&full[t], 1);
  } else {
    int u = 7 - t;
    while (atomicCAS(&full[u], 1, 2) != 1) { }
    __threadfence();
    out[u] = slot[u];
  }
}

// Right: the barrier stands in a branch that the whole block takes alike.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_block_branch<<<2, 32>>>(in, out)
//@none
__global__ void b_ok_block_branch(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = in[i];
  if (in[blockIdx.x * 32] == 32) {
    __syncthreads();
    out[i] = s[31 - t];
  } else {
    out[i] = s[t];
  }
}

// Right: threads beyond n do no work but come to the barrier.
//@ array in int 50 iota
//@ array out int 50 zero
//@ launch b_ok_idle<<<1, 64>>>(in, out, 50)
//@none
__global__ void b_ok_idle(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  if (t >= n) return;
  out[t] = s[n - 1 - t];
}

// Right: the warp that is done leaves after the last barrier of all; the other goes on with its own warp.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_leave<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_leave(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= 32) return;
  int v = s[t + 32];
  __syncwarp();
  s[t] = v + s[t];
  __syncwarp();
  out[t] = s[31 - t];
}

// Right: fetch-and-max of pairs in 64 bits tells which thread had the largest value.
//@ array in u32 64 list:5,17,3,99,20
//@ array best u64 1 zero
//@ launch b_ok_argmax<<<2, 32>>>(in, best)
//@none
__global__ void b_ok_argmax(const unsigned *in, unsigned long long *best) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  atomicMax(best, (unsigned long long)in[i] << 32 | i);
}

// Right: a histogram where each warp has its own row, the rows are added after a barrier.
//@ array in int 64 list:3,1,2,0,1
//@ array out int 4 zero
//@ launch b_ok_warp_rows<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_warp_rows(const int *in, int *out) {
  __shared__ int row[2][4];
  int t = threadIdx.x, w = t >> 5;
  if ((t & 31) < 4) row[w][t & 3] = 0;
  __syncwarp();
  atomicAdd(&row[w][in[t]], 1);
  __syncthreads();
  if (t < 4) out[t] = row[0][t] + row[1][t];
}

// Right: readers of a grid-wide counter use an atomic, writers too; nothing else is shared.
//@ array cnt int 1 zero
//@ array out int 64 zero
//@ launch b_ok_atomic_read<<<2, 32>>>(cnt, out)
//@none
__global__ void b_ok_atomic_read(int *cnt, int *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int v = i & 1 ? atomicAdd(cnt, 1) : atomicAdd(cnt, 0);
  out[i] = v >= 0;
}
