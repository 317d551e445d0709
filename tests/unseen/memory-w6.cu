// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: synchronisation, more.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Wrong: the transpose's tile is reused for the next tile without a barrier.
//@ array in float 512 iota
//@ array out float 512 zero
//@ launch b_tile_reuse<<<1, dim3(16,16)>>>(in, out, 2)
//@found race-shared tile-reuse
__global__ void b_tile_reuse(const float *in, float *out, int tiles) {
  __shared__ float tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < tiles; ++k) {
    tile[y][x] = in[k * 256 + y * 16 + x]; // tile-reuse
    __syncthreads();
    out[k * 256 + y * 16 + x] = tile[x][y];
  }
}

// Wrong: the matrix product lacks the barrier before the next tiles are loaded.
//@ array a float 512 iota
//@ array b float 512 iota
//@ array c float 256 zero
//@ launch b_matmul_reuse<<<1, dim3(16,16)>>>(a, b, c, 32)
//@found race-shared matmul-reuse
__global__ void b_matmul_reuse(const float *a, const float *b, float *c, int k) {
  __shared__ float as[16][16];
  __shared__ float brow[16];
  int x = threadIdx.x, y = threadIdx.y;
  float s = 0;
  if (y == 0) brow[x] = b[x];
  for (int t = 0; t < k; t += 16) {
    as[y][x] = a[y * k + t + x]; // matmul-reuse
    __syncthreads();
    for (int i = 0; i < 16; ++i) s += as[y][i] * as[i][x] + brow[i];
  }
  c[y * 16 + x] = s;
}

// Wrong: odd-even sort where the barrier is left out between the phases.
//@ array data int 64 list:9,3,7,1,8,2,6,4
//@ launch b_oddeven<<<1, 32>>>(data)
//@found race-shared oddeven-phase
__global__ void b_oddeven(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  __syncthreads();
  for (int r = 0; r < 64; ++r) {
    int i = 2 * t + (r & 1);
    if (i + 1 < 64 && s[i] > s[i + 1]) {
      int v = s[i];
      s[i] = s[i + 1]; // oddeven-phase
      s[i + 1] = v;
    }
  }
  __syncthreads();
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}

// Wrong: the shared pointer from malloc is used by all before a barrier.
//@ array out int 32 zero
//@ launch b_ptr_early<<<1, 64>>>(out)
//@found race-shared ptr-early
//@or uninitialized
__global__ void b_ptr_early(int *out) {
  __shared__ int *buf;
  int t = threadIdx.x;
  if (t == 0) {
    buf = (int *)malloc(64 * sizeof(int)); // ptr-early
  }
  int ok = buf != nullptr;
  __syncthreads();
  if (t < 32) out[t] = ok;
  if (t == 0) free(buf);
}

// Wrong: bytes of one shared word: thread t writes byte t and also the next thread's byte.
//@ array in u8 33 iota
//@ array out u8 32 zero
//@ launch b_byte_overlap<<<1, 32>>>(in, out)
//@found race-shared byte-overlap
__global__ void b_byte_overlap(const unsigned char *in, unsigned char *out) {
  __shared__ unsigned char s[64];
  int t = threadIdx.x;
  s[t] = in[t]; // byte-overlap
  s[t + 1] = in[t] + 100;
  __syncthreads();
  out[t] = s[t];
}

// Wrong: a float4 store covers the float that the next thread owns.
//@ array out float 36 zero
//@ launch b_vec_overlap<<<1, 2>>>(out, 3)
//@found race-global vec-overlap
//@element out[3]
__global__ void b_vec_overlap(float *out, int at) {
  if (threadIdx.x == 0)
    *reinterpret_cast<float4 *>(out) = make_float4(1, 2, 3, 4); // vec-overlap
  else
    out[at] = 9.0f;
}

// Wrong: one thread's column sum also writes the row of the block beside: grid stride without blockIdx.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_same_cells<<<2, 32>>>(in, out)
//@found race-global same-cells
__global__ void b_same_cells(const int *in, int *out) {
  int i = threadIdx.x;
  out[i] = in[blockIdx.x * 32 + i] + 1; // same-cells
}

// Wrong: a stencil updates its array in place.
//@ array a float 64 iota
//@ launch b_in_place<<<1, 64>>>(a, 64)
//@found race-global in-place
__global__ void b_in_place(float *a, int n) {
  int i = threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = 0.25f * a[i - 1] + a[i] + 0.5f * a[i + 1]; // in-place
}

__device__ int b_turn;
// Wrong: a hand-made grid barrier whose arrival is not preceded by a fence.
//@ array a int 2 zero
//@ array out int 2 zero
//@ launch b_grid_no_fence<<<2, 1>>>(a, out, 2)
//@found race-global grid-no-fence
__global__ void b_grid_no_fence(int *a, int *out, int n) {
  int b = blockIdx.x;
  a[b] = b + 7; // grid-no-fence
  atomicAdd(&b_turn, 1);
  while (atomicAdd(&b_turn, 0) < n) { }
  out[b] = a[1 - b];
}

// Wrong: the flag between blocks is set and waited for in block scope.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch b_flag_block<<<2, 1>>>(data, flag, out)
//@found race-global flag-block
//@element flag[0]
__global__ void b_flag_block(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 3;
    __threadfence();
    atomicExch_block(flag, 1); // flag-block
  } else {
    int v = atomicAdd_block(flag, 0);
    out[0] = v;
  }
}

// Wrong: the barrier in the tail branch is for the first warp's lower half only.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_half_barrier<<<1, 32>>>(in, out)
//@found barrier-divergence half-barrier
__global__ void b_half_barrier(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  if (in[t] < 16) {
    __syncthreads(); // half-barrier
    out[t] = s[t];
  }
}

// Wrong: warp 1 leaves the loop of barriers one round before warp 0.
//@ array rounds int 2 list:3,2
//@ array out int 64 zero
//@ launch b_warp_rounds<<<1, 64>>>(rounds, out)
//@found barrier-divergence warp-rounds
__global__ void b_warp_rounds(const int *rounds, int *out) {
  int t = threadIdx.x, v = 0;
  int n = rounds[t / 32];
  for (int r = 0; r < n; ++r) {
    v += r + t;
    __syncthreads(); // warp-rounds
  }
  out[t] = v;
}

// Wrong: the producer arrives once, the consumer waits twice at the named barrier.
//@ array out int 64 zero
//@ launch b_arrive_once<<<1, 64>>>(out, 2)
//@found deadlock arrive-once
//@or barrier-divergence
__global__ void b_arrive_once(int *out, int rounds) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = t;
    asm volatile("bar.arrive 3, 64;" ::: "memory");
  } else {
    for (int r = 0; r < rounds; ++r)
      asm volatile("bar.sync 3, 64;" ::: "memory"); // arrive-once
    out[t] = s[t - 32];
  }
}

// Wrong: the second grid barrier is left out by the blocks without work.
//@ array work int 4 list:2,2,1,2
//@ array out int 4 zero
//@ launch b_grid_rounds<<<4, 1>>>(work, out)
//@found deadlock grid-rounds
__global__ void b_grid_rounds(const int *work, int *out) {
  cg::grid_group g = cg::this_grid();
  for (int r = 0; r < work[blockIdx.x]; ++r) {
    out[blockIdx.x] += r + 1;
    g.sync(); // grid-rounds
  }
}

// Wrong: an own lane is missing from the vote's mask.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_vote_mask<<<1, 32>>>(in, out)
//@found invalid-shuffle vote-mask
__global__ void b_vote_mask(const int *in, int *out) {
  int t = threadIdx.x;
  unsigned m = (1u << in[31]) - 1u;
  unsigned b = __ballot_sync(m, in[t] > 5); // vote-mask
  out[t] = b;
}

// Wrong: __syncwarp by all lanes with the mask of the first half.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_syncwarp_mask<<<1, 32>>>(in, out, 65535)
//@found barrier-divergence syncwarp-mask
__global__ void b_syncwarp_mask(const int *in, int *out, unsigned m) {
  int t = threadIdx.x;
  int v = in[t] + 1;
  __syncwarp(m); // syncwarp-mask
  out[t] = v;
}

// Wrong: the broadcast comes from a lane that is not in the mask.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_shfl_source<<<1, 32>>>(in, out, 20)
//@found invalid-shuffle shfl-source
__global__ void b_shfl_source(const int *in, int *out, int src) {
  int t = threadIdx.x, v = in[t];
  if (t < 8)
    v = __shfl_sync(0xffu, v, src); // shfl-source
  out[t] = v;
}

// Wrong: a ticket lock where the holder forgets to pass the turn on.
//@ array next u32 1 zero
//@ array serving u32 1 zero
//@ array sum int 1 zero
//@ launch b_ticket_stuck<<<2, 1>>>(next, serving, sum)
//@found timeout ticket-stuck
__global__ void b_ticket_stuck(unsigned *next, unsigned *serving, int *sum) {
  unsigned my = atomicAdd(next, 1u);
  while (atomicAdd(serving, 0u) != my) { } // ticket-stuck
  __threadfence();
  atomicAdd(sum, 1);
  __threadfence();
}

// Wrong: a queue's slot is filled after its index was published.
//@ array slots int 8 zero
//@ array tail int 1 zero
//@ array out int 1 zero
//@ launch b_queue_publish<<<2, 1>>>(slots, tail, out)
//@found race-global queue-publish
//@element slots[0]
__global__ void b_queue_publish(int *slots, int *tail, int *out) {
  if (blockIdx.x == 0) {
    __threadfence();
    int k = atomicAdd(tail, 1);
    slots[k] = 77; // queue-publish
  } else {
    while (atomicAdd(tail, 0) == 0) { }
    __threadfence();
    out[0] = slots[0];
  }
}

// Wrong: per-warp sums in shared memory are read by warp 0 with only a __syncwarp.
//@ array in int 128 iota
//@ array out int 1 zero
//@ launch b_warp_sums<<<1, 128>>>(in, out)
//@found race-shared warp-sums
//@or uninitialized
__global__ void b_warp_sums(const int *in, int *out) {
  __shared__ int ws[4];
  int t = threadIdx.x, v = in[t] + 1;
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if ((t & 31) == 0)
    ws[t / 32] = v; // warp-sums
  __syncwarp();
  if (t == 0) out[0] = ws[0] + ws[1] + ws[2] + ws[3];
}
