// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: synchronisation.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Wrong: the last warp of the reduction goes on without __syncwarp.
//@ array in int 64 iota
//@ array out int 1 zero
//@ launch b_reduce_tail<<<1, 64>>>(in, out)
//@found race-shared reduce-tail
__global__ void b_reduce_tail(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t] + 1;
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  __syncthreads();
  for (int d = 16; d > 0; d >>= 1)
    if (t < d) s[t] += s[t + d]; // reduce-tail
  if (t == 0) out[0] = s[0];
}

// Wrong: the array is reversed through shared memory without a barrier.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_reverse<<<1, 64>>>(in, out)
//@found race-shared reverse-load
__global__ void b_reverse(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t] + 5; // reverse-load
  out[t] = s[63 - t];
}

// Wrong: the halo's cell is written by thread 0 and read by thread 63 without a barrier after it.
//@ array in int 65 iota
//@ array out int 64 zero
//@ launch b_late_halo<<<1, 64>>>(in, out)
//@found race-shared late-halo
//@element s[64]
__global__ void b_late_halo(const int *in, int *out) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t == 0)
    s[64] = in[64]; // late-halo
  out[t] = s[t] + s[t + 1];
}

// Wrong: the total in s[0] is overwritten by the next round while others still read it.
//@ array in int 128 iota
//@ array out int 64 zero
//@ launch b_round_total<<<1, 64>>>(in, out, 2)
//@found race-shared round-total
__global__ void b_round_total(const int *in, int *out, int rounds) {
  __shared__ int total;
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (t == 0)
      total = in[r * 64] + 100 * r + 1; // round-total
    __syncthreads();
    sum += total + in[r * 64 + t];
  }
  out[t] = sum;
}

// Wrong: the scan reads and writes in place with only one barrier a step.
//@ array in int 64 value:1
//@ array out int 64 zero
//@ launch b_scan_one_bar<<<1, 64>>>(in, out)
//@found race-shared scan-one-bar
__global__ void b_scan_one_bar(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int off = 1; off < 64; off *= 2) {
    if (t >= off)
      s[t] += s[t - off]; // scan-one-bar
    __syncthreads();
  }
  out[t] = s[t];
}

// Wrong: lanes 0..15 and 16..31 sync among themselves and then read across.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_half_sync<<<1, 32>>>(in, out)
//@found race-shared half-sync
__global__ void b_half_sync(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t] * 3 + 1; // half-sync
  unsigned m = t < 16 ? 0x0000ffffu : 0xffff0000u;
  __syncwarp(m);
  out[t] = s[t ^ 16];
}

// Wrong: a shuffle is taken for a barrier of memory.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_shuffle_order<<<1, 32>>>(in, out)
//@found race-shared shuffle-order
__global__ void b_shuffle_order(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t] + 7; // shuffle-order
  int v = __shfl_xor_sync(~0u, in[t], 1);
  out[t] = v + s[t ^ 1];
}

// Wrong: plain increments of shared bins.
//@ array in int 32 value:3
//@ array out int 8 zero
//@ launch b_plain_bins<<<1, 32>>>(in, out)
//@found race-shared plain-bins
//@element bins[3]
__global__ void b_plain_bins(const int *in, int *out) {
  __shared__ int bins[8];
  int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  bins[in[t]] += t + 1; // plain-bins
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

// Wrong: neighbours in the other block are read after __syncthreads alone.
//@ array a int 64 zero
//@ array out int 64 zero
//@ launch b_other_block<<<2, 32>>>(a, out)
//@found race-global other-block
__global__ void b_other_block(int *a, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i + 1; // other-block
  __syncthreads();
  out[i] = a[63 - i];
}

// Wrong: data is handed over by a flag with no fence on the writer's side.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch b_no_release<<<2, 1>>>(data, flag, out)
//@found race-global no-release
//@element data[0]
__global__ void b_no_release(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // no-release
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) { }
    __threadfence();
    out[0] = data[0];
  }
}

// Wrong: data is handed over by a flag with no fence on the reader's side.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch b_no_acquire<<<2, 1>>>(data, flag, out)
//@found race-global no-acquire
//@element data[0]
__global__ void b_no_acquire(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) { }
    out[0] = data[0]; // no-acquire
  }
}

__device__ int b_lock_word;
// Wrong: the spin lock has no fences, the guarded sum is a plain variable.
//@ array sum int 1 zero
//@ launch b_bare_lock<<<4, 1>>>(sum)
//@found race-global bare-lock
//@element sum[0]
__global__ void b_bare_lock(int *sum) {
  while (atomicCAS(&b_lock_word, 0, 1) != 0) { }
  sum[0] += blockIdx.x + 1; // bare-lock
  atomicExch(&b_lock_word, 0);
}

// Wrong: threads beyond n return before a barrier that the others wait at.
//@ array in int 50 iota
//@ array out int 50 zero
//@ launch b_early_return<<<1, 64>>>(in, out, 50)
//@found barrier-divergence early-return
__global__ void b_early_return(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = in[t];
  __syncthreads(); // early-return
  out[t] = s[n - 1 - t];
}

// Wrong: even and odd lanes wait at two different barriers.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_two_barriers<<<1, 32>>>(in, out)
//@found barrier-divergence two-barriers
__global__ void b_two_barriers(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (in[t] & 1) {
    s[t] = in[t];
    __syncthreads(); // two-barriers
    out[t] = s[t] + 1;
  } else {
    s[t] = -in[t];
    __syncthreads(); // two-barriers
    out[t] = s[t] * 2;
  }
}

// Wrong: the number of rounds with a barrier depends on the lane.
//@ array in int 32 list:1,2,2,2
//@ array out int 32 zero
//@ launch b_lane_rounds<<<1, 32>>>(in, out)
//@found barrier-divergence lane-rounds
__global__ void b_lane_rounds(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, v = 0;
  s[t] = in[t];
  for (int r = 0; r < in[t]; ++r) {
    __syncthreads(); // lane-rounds
    v += s[t];
  }
  out[t] = v;
}

// Wrong: only the first block goes to the grid's barrier.
//@ array data int 2 zero
//@ launch b_grid_part<<<2, 32>>>(data, 1)
//@found deadlock grid-part
__global__ void b_grid_part(int *data, int lim) {
  cg::grid_group g = cg::this_grid();
  if (threadIdx.x == 0) data[blockIdx.x] = blockIdx.x;
  if (blockIdx.x < lim)
    g.sync(); // grid-part
}

// Wrong: two warps wait at two named barriers for each other.
//@ array out int 64 zero
//@ launch b_cross_names<<<1, 64>>>(out)
//@found deadlock cross-names
__global__ void b_cross_names(int *out) {
  int t = threadIdx.x;
  if (t < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory"); // cross-names
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  out[t] = t;
}

// Wrong: the odd lanes name a mask of the even lanes.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_mask_lacks_me<<<1, 32>>>(in, out, 1431655765)
//@found invalid-shuffle mask-lacks-me
__global__ void b_mask_lacks_me(const int *in, int *out, unsigned m) {
  int t = threadIdx.x;
  int v = __shfl_xor_sync(m, in[t], 2); // mask-lacks-me
  out[t] = v;
}

// Wrong: lanes 8 to 15 read from lanes 16 to 23, which are not in the branch.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_shfl_inactive<<<1, 32>>>(in, out)
//@found invalid-shuffle shfl-inactive
__global__ void b_shfl_inactive(const int *in, int *out) {
  int t = threadIdx.x;
  int v = in[t];
  if (t < 16)
    v += __shfl_down_sync(0x0000ffffu, v, 8); // shfl-inactive
  out[t] = v;
}

// Wrong: the consumer waits for a flag that nobody sets.
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch b_wait_forever<<<1, 1>>>(flag, out)
//@found timeout wait-forever
__global__ void b_wait_forever(int *flag, int *out) {
  while (atomicAdd(flag, 0) == 0) { } // wait-forever
  out[0] = 1;
}
