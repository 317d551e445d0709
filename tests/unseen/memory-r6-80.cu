// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
//@first set arch 80
// Right kernels with asynchronous copies and what sm_80 brought.
#include <cuda_pipeline.h>

// Right: copy, commit, wait, barrier, read what others copied.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_async<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_async(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}

// Right: everyone reads only what it copied itself, no barrier is needed.
//@ array in float 128 iota
//@ array out float 32 zero
//@ launch b_ok_async_own<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_async_own(const float *in, float *out) {
  __shared__ float4 s[32];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + 4 * t, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("" ::: "memory");
  float4 v = s[t];
  out[t] = v.x + v.y + v.z + v.w;
}

// Right: a two-stage pipeline that leaves the younger group under way.
//@ array in int 256 iota
//@ array out int 64 zero
//@ launch b_ok_async_stages<<<1, 64>>>(in, out, 4)
//@none
__global__ void b_ok_async_stages(const int *in, int *out, int rounds) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) __pipeline_memcpy_async(&s[(r + 1) & 1][t], &in[(r + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[r & 1][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// Right: beyond the end the copy takes no bytes and fills with zeros.
//@ array in int 50 iota
//@ array out int 64 zero
//@ launch b_ok_async_zfill<<<1, 64>>>(in, out, 50)
//@none
__global__ void b_ok_async_zfill(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], t < n ? &in[t] : in, 4, t < n ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}

// Right: wait_all needs no commit.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_async_wait_all<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_async_wait_all(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned d = (unsigned)__cvta_generic_to_shared(&s[t]);
  size_t g = __cvta_generic_to_global(in + t);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(d), "l"(g) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  out[t] = s[31 - t];
}

// Right: only the first warp copies and waits, the barrier passes it on to all.
//@ array in float 128 iota
//@ array out float 128 zero
//@ launch b_ok_async_one_warp<<<1, 128>>>(in, out)
//@none
__global__ void b_ok_async_one_warp(const float *in, float *out) {
  __shared__ __align__(16) float s[128];
  int t = threadIdx.x;
  if (t < 32) {
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  out[t] = s[127 - t];
}

// Right: ordinary stores to one half of the array while the copy fills the other.
//@ array in int 32 iota
//@ array out int 64 zero
//@ launch b_ok_async_beside<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_async_beside(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  s[32 + t] = 2 * t;
  __syncwarp();
  out[32 + t] = s[63 - t];
  __pipeline_wait_prior(0);
  __syncwarp();
  out[t] = s[31 - t];
}

// Right: warp reductions in hardware by two halves with their own masks.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_redux<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_redux(const int *in, int *out) {
  int t = threadIdx.x;
  unsigned m = t < 16 ? 0x0000ffffu : 0xffff0000u;
  if (t < 16) out[t] = __reduce_add_sync(m, in[t]);
  else out[t] = __reduce_max_sync(m, in[t]);
}

// Right: an mbarrier of the block: every thread arrives and waits for the phase.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_mbarrier<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_mbarrier(const int *in, int *out) {
  __shared__ __align__(8) unsigned long long bar;
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(b), "r"(64) : "memory");
  __syncthreads();
  s[t] = in[t];
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
  int ok;
  do
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                 : "=r"(ok) : "r"(b), "l"(state) : "memory");
  while (!ok);
  out[t] = s[63 - t];
}

// Right: in a ring of three stages one barrier a round is enough.
//@ array in int 320 iota
//@ array out int 64 zero
//@ launch b_ok_async_ring<<<1, 64>>>(in, out, 5)
//@none
__global__ void b_ok_async_ring(const int *in, int *out, int rounds) {
  __shared__ int s[3][64];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][t], &in[k * 64 + t], 4);
    __pipeline_commit();
  }
  for (int r = 0; r < rounds; ++r) {
    __pipeline_wait_prior(1);
    __syncthreads();
    int k = r + 2;
    if (k < rounds) __pipeline_memcpy_async(&s[k % 3][t], &in[k * 64 + t], 4);
    __pipeline_commit();
    sum += s[r % 3][63 - t];
  }
  out[t] = sum;
}
