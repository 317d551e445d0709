// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Right kernels: synchronisation that looks suspicious.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Right: the tree ends inside one warp with __syncwarp between reading and writing.
//@ array in int 64 iota
//@ array out int 1 zero
//@ launch b_ok_reduce<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_reduce(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) {
      __syncwarp();
      s[t] = v;
      __syncwarp();
      v += s[(t + d) & 31];
    }
    if (t == 0) out[0] = v;
  }
}

// Right: the last-block pattern with a fence on both sides.
//@ array part int 4 zero
//@ array cnt u32 1 zero
//@ array out int 1 zero
//@ launch b_ok_last_block<<<4, 32>>>(part, cnt, out)
//@none
__global__ void b_ok_last_block(int *part, unsigned *cnt, int *out) {
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) {
    part[blockIdx.x] = 10 + blockIdx.x;
    __threadfence();
    last = atomicAdd(cnt, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && t == 0) {
    int s = 0;
    for (int i = 0; i < gridDim.x; ++i) s += part[i];
    out[0] = s;
    *cnt = 0;
  }
}

__device__ int b_ok_lock;
// Right: a spin lock with fences; the guarded sum is plain.
//@ array sum int 1 zero
//@ launch b_ok_spin<<<4, 1>>>(sum)
//@none
__global__ void b_ok_spin(int *sum) {
  while (atomicCAS(&b_ok_lock, 0, 1) != 0) { }
  __threadfence();
  sum[0] += blockIdx.x + 1;
  __threadfence();
  atomicExch(&b_ok_lock, 0);
}

// Right: lanes of one warp take a lock in turn, the critical section inside the loop.
//@ array sum int 1 zero
//@ array lock int 1 zero
//@ launch b_ok_lane_lock<<<1, 32>>>(sum, lock)
//@none
__global__ void b_ok_lane_lock(int *sum, int *lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      sum[0] = sum[0] * 1 + threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// Right: a ticket lock between blocks.
//@ array next u32 1 zero
//@ array serving u32 1 zero
//@ array log int 4 zero
//@ launch b_ok_ticket<<<4, 1>>>(next, serving, log)
//@none
__global__ void b_ok_ticket(unsigned *next, unsigned *serving, int *log) {
  unsigned my = atomicAdd(next, 1u);
  while (atomicAdd(serving, 0u) != my) { }
  __threadfence();
  log[0] += 3;
  log[my] = log[0];
  __threadfence();
  atomicAdd(serving, 1u);
}

// Right: different warps wait at different __syncthreads of the same number.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_two_places<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_two_places(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t < 32) {
    __syncthreads();
    out[t] = s[t + 32];
  } else {
    __syncthreads();
    out[t] = -s[t - 32];
  }
}

// Right: a named barrier, on which the producer warp only arrives.
//@ array out int 64 zero
//@ launch b_ok_named<<<1, 64>>>(out)
//@none
__global__ void b_ok_named(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = t * t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[63 - t];
  }
}

// Right: the grid's barrier orders the blocks.
//@ array a int 64 zero
//@ array out int 64 zero
//@ launch b_ok_grid<<<2, 32>>>(a, out)
//@none
__global__ void b_ok_grid(int *a, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i + 1;
  cg::this_grid().sync();
  out[i] = a[63 - i];
}

__device__ unsigned b_ok_arrived;
// Right: a hand-made grid barrier for two blocks with fences before and after.
//@ array a int 64 zero
//@ array out int 64 zero
//@ launch b_ok_hand_grid<<<2, 32>>>(a, out, 2)
//@none
__global__ void b_ok_hand_grid(int *a, int *out, unsigned n) {
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(&b_ok_arrived, 1u);
    while (atomicAdd(&b_ok_arrived, 0u) < n) { }
    __threadfence();
  }
  __syncthreads();
  out[i] = a[63 - i];
}

// Right: one atomic for all lanes that are together, by coalesced_threads.
//@ array in int 64 list:1,0,0
//@ array out int 64
//@ array cnt int 1 zero
//@ launch b_ok_aggregate<<<1, 64>>>(in, out, cnt)
//@none
__global__ void b_ok_aggregate(const int *in, int *out, int *cnt) {
  int t = threadIdx.x;
  if (in[t]) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(cnt, (int)g.size());
    base = g.shfl(base, 0);
    out[base + g.thread_rank()] = t;
  }
}

// Right: ballot first, then every lane in the branch uses the ballot as its mask.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_ballot_mask<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_ballot_mask(const int *in, int *out) {
  int t = threadIdx.x;
  bool odd = in[t] & 1;
  unsigned m = __ballot_sync(~0u, odd);
  if (odd) {
    int lead = __ffs(m) - 1;
    out[t] = __shfl_sync(m, t * 10, lead);
  } else {
    out[t] = __popc(__ballot_sync(~m, in[t] > 7));
  }
}

// Right: subwarps of eight; a source beyond the subwarp leaves the own value.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_subwarps<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_subwarps(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int d = 1; d < 8; d *= 2) {
    int u = __shfl_up_sync(~0u, v, d, 8);
    if ((t & 7) >= d) v += u;
  }
  out[t] = v + __shfl_sync(~0u, v, 9, 8);
}

// Right: a double buffer in shared memory needs one barrier a round.
//@ array in int 128 iota
//@ array out int 32 zero
//@ launch b_ok_double_buffer<<<1, 32>>>(in, out, 4)
//@none
__global__ void b_ok_double_buffer(const int *in, int *out, int rounds) {
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    s[r & 1][t] = in[r * 32 + t];
    __syncthreads();
    sum += s[r & 1][31 - t];
  }
  out[t] = sum;
}

// Right: release store and acquire load of device scope, inline PTX.
//@ array data int 4 zero
//@ array flag int 1 zero
//@ array out int 4 zero
//@ launch b_ok_release<<<2, 1>>>(data, flag, out)
//@none
__global__ void b_ok_release(int *data, int *flag, int *out) {
  size_t fp = __cvta_generic_to_global(flag);
  if (blockIdx.x == 0) {
    for (int i = 0; i < 4; ++i) data[i] = i + 7;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(fp), "r"(1) : "memory");
  } else {
    int f;
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(fp) : "memory");
    while (f == 0);
    for (int i = 0; i < 4; ++i) out[i] = data[i];
  }
}

// Right: a volatile flag with fences: volatile accesses are strong in PTX.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch b_ok_volatile<<<2, 1>>>(data, flag, out)
//@none
__global__ void b_ok_volatile(int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 99;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) { }
    __threadfence();
    out[0] = data[0];
  }
}

// Right: a flag in shared memory between two warps, fences of the block's scope.
//@ array out int 64 zero
//@ launch b_ok_warp_flag<<<1, 64>>>(out, 55)
//@none
__global__ void b_ok_warp_flag(int *out, int v) {
  __shared__ int data, flag;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    data = v;
    __threadfence_block();
    atomicExch_block(&flag, 1);
  }
  if (t == 32) {
    while (atomicAdd_block(&flag, 0) == 0) { }
    __threadfence_block();
    out[t] = data;
  }
}

// Right: blocks hand a running sum along, in the order of their tickets.
//@ array in int 8 iota
//@ array sum int 8 zero
//@ array ready int 8 zero
//@ array ticket int 1 zero
//@ launch b_ok_lookback<<<8, 1>>>(in, sum, ready, ticket)
//@none
__global__ void b_ok_lookback(const int *in, int *sum, int *ready, int *ticket) {
  int b = atomicAdd(ticket, 1), before = 0;
  if (b > 0) {
    while (atomicAdd(&ready[b - 1], 0) == 0) { }
    __threadfence();
    before = sum[b - 1];
  }
  sum[b] = before + in[b];
  __threadfence();
  atomicExch(&ready[b], 1);
}

// Right: the loop's end is decided by all alike through __syncthreads_or.
//@ array data int 64 list:9,3,7,1,8,2,6,4
//@ launch b_ok_sort<<<1, 32>>>(data)
//@none
__global__ void b_ok_sort(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  __syncthreads();
  for (;;) {
    int swapped = 0;
    for (int ph = 0; ph < 2; ++ph) {
      int i = 2 * t + ph;
      if (i + 1 < 64 && s[i] > s[i + 1]) {
        int v = s[i];
        s[i] = s[i + 1];
        s[i + 1] = v;
        swapped = 1;
      }
      __syncthreads();
    }
    if (!__syncthreads_or(swapped)) break;
  }
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}

// Right: halves of a warp in two branches, each with its own mask for __syncwarp and shared memory.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_half_warps<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_half_warps(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t < 16) {
    __syncwarp(0x0000ffffu);
    out[t] = s[15 - t];
  } else {
    __syncwarp(0xffff0000u);
    out[t] = s[47 - t] * 2;
  }
}

// Right: equal keys find each other by match_any, the lowest lane of each counts for all.
//@ array in int 32 list:4,4,1,4,2,1
//@ array out int 8 zero
//@ launch b_ok_match<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_match(const int *in, int *out) {
  int t = threadIdx.x;
  unsigned m = __match_any_sync(~0u, in[t]);
  if (__ffs(m) - 1 == t) out[in[t]] += __popc(m);
}
