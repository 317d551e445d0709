// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
//@first set arch 80
// Wrong kernels with asynchronous copies.
#include <cuda_pipeline.h>

// Wrong: the copied value is read without waiting for the copy.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_async_no_wait<<<1, 32>>>(in, out)
//@found race-shared async-no-wait
//@or uninitialized
__global__ void b_async_no_wait(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  out[t] = s[t]; // async-no-wait
  __pipeline_wait_prior(0);
}

// Wrong: each waits for its own copies and reads the neighbour's.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_async_no_barrier<<<1, 64>>>(in, out)
//@found race-shared async-no-barrier
//@or uninitialized
__global__ void b_async_no_barrier(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[63 - t]; // async-no-barrier
}

// Wrong: one group may still be under way (wait 1), and its data are read.
//@ array in int 64 iota
//@ array out int 32 zero
//@ launch b_async_wait_one<<<1, 32>>>(in, out)
//@found race-shared async-wait-one
//@or uninitialized
__global__ void b_async_wait_one(const int *in, int *out) {
  __shared__ int s[2][32];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][t], &in[32 + t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  int a = s[0][31 - t];
  a += s[1][31 - t]; // async-wait-one
  out[t] = a;
}

// Wrong: the group is never committed, so that wait_group 0 waits for nothing.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_async_no_commit<<<1, 32>>>(in, out)
//@found race-shared async-no-commit
//@or uninitialized
__global__ void b_async_no_commit(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned d = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(d), "l"(in + t) : "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[t] = s[31 - t]; // async-no-commit
}

// Wrong: the next copy into the buffer starts while other threads still read it.
//@ array in int 128 iota
//@ array out int 64 zero
//@ launch b_async_refill<<<1, 64>>>(in, out, 2)
//@found race-shared async-refill
__global__ void b_async_refill(const int *in, int *out, int rounds) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    __pipeline_memcpy_async(&s[t], &in[r * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - t]; // async-refill
  }
  out[t] = sum;
}

// Wrong: sixteen bytes are copied from a float offset that is no multiple of four.
//@ array in float 64 iota
//@ array out float 4 zero
//@ launch b_async_misaligned<<<1, 1>>>(in, out, 6)
//@found misaligned async-misaligned
//@element in[6]
__global__ void b_async_misaligned(const float *in, float *out, int at) {
  __shared__ float4 s;
  unsigned d = (unsigned)__cvta_generic_to_shared(&s);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(d), "l"(in + at) : "memory"); // async-misaligned
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[0] = s.x + s.w;
}

// Wrong: the last thread copies from behind the array.
//@ array in float 64 iota
//@ array behind float 64 iota
//@ array out float 17 zero
//@ launch b_async_over<<<1, 17>>>(in, out)
//@found out-of-bounds async-over
//@element in[64]
__global__ void b_async_over(const float *in, float *out) {
  __shared__ float4 s[17];
  int t = threadIdx.x;
  unsigned d = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(d), "l"(in + 4 * t) : "memory"); // async-over
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[t].x + s[t].w;
}

// Wrong: the copy's target is one past the shared array, in the array beside it.
//@ array in int 33 iota
//@ array out int 32 zero
//@ launch b_async_target<<<1, 33>>>(in, out)
//@found out-of-bounds async-target
//@element s[32]
__global__ void b_async_target(const int *in, int *out) {
  __shared__ int s[32];
  __shared__ int other[64];
  int t = threadIdx.x;
  other[t] = -t;
  __pipeline_memcpy_async(&s[t], &in[t], 4); // async-target
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t < 32) out[t] = s[31 - t] + other[t + 1];
}

// Wrong: zfill leaves nothing unset, but only half of the tile is copied at all.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_async_half<<<1, 32>>>(in, out, 31)
//@found uninitialized async-half
//@element s[31]
__global__ void b_async_half(const int *in, int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < n) __pipeline_memcpy_async(&s[t], &in[t], 4, 2);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[31 - t]; // async-half
}

// Wrong: a __reduce_add_sync names lanes that are not its own.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_reduce_mask<<<1, 32>>>(in, out, 2147483647)
//@found invalid-shuffle reduce-mask
__global__ void b_reduce_mask(const int *in, int *out, unsigned m) {
  int t = threadIdx.x;
  int v = __reduce_add_sync(m, in[t]); // reduce-mask
  out[t] = v;
}
