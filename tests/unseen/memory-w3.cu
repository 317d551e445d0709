// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: misaligned, null, freed memory, stack, atomics of a too small scope.

// Wrong: a float4 is read at a float offset that is no multiple of four.
//@ array off int 4 list:0,4,13,8
//@ array in float 64 iota
//@ array out float 4 zero
//@ launch b_mis_float4<<<1, 4>>>(in, off, out)
//@found misaligned mis-float4
//@element in[13]
__global__ void b_mis_float4(const float *in, const int *off, float *out) {
  int t = threadIdx.x;
  float4 f = *reinterpret_cast<const float4 *>(in + off[t]); // mis-float4
  out[t] = f.x + f.y + f.z + f.w;
}

// Wrong: the doubles behind 12 tag bytes begin at byte 12 of the shared memory.
//@ array out double 4 zero
//@ launch b_mis_carve<<<1, 1, 128>>>(out, 12, 4)
//@found misaligned mis-carve
__global__ void b_mis_carve(double *out, int tags, int n) {
  extern __shared__ __align__(16) unsigned char sm[];
  double *d = reinterpret_cast<double *>(sm + tags);
  for (int i = 0; i < tags; ++i) sm[i] = i;
  for (int i = 0; i < n; ++i)
    d[i] = i * 0.5; // mis-carve
  for (int i = 0; i < n; ++i) out[i] = d[n - 1 - i] + sm[i];
}

// Wrong: a packet's length field at byte 5 is read as an int.
//@ array pkt u8 64 iota
//@ array out int 1 zero
//@ launch b_mis_packet<<<1, 1>>>(pkt, out, 5)
//@found misaligned mis-packet
//@element pkt[5]
__global__ void b_mis_packet(const unsigned char *pkt, int *out, int field) {
  int len = *reinterpret_cast<const int *>(pkt + field); // mis-packet
  out[0] = len;
}

// Wrong: an atomic on an int that lies at byte 6.
//@ array cells u8 32 zero
//@ launch b_mis_atomic<<<1, 1>>>(cells, 6)
//@found misaligned mis-atomic
//@element cells[6]
__global__ void b_mis_atomic(unsigned char *cells, int at) {
  atomicAdd(reinterpret_cast<int *>(cells + at), 3); // mis-atomic
}

// Wrong: two shorts are stored as one int from an odd short on.
//@ array h i16 32 zero
//@ launch b_mis_short<<<1, 1>>>(h, 7)
//@found misaligned mis-short
//@element h[7]
__global__ void b_mis_short(short *h, int at) {
  *reinterpret_cast<int *>(h + at) = 0x00020001; // mis-short
}

// Wrong: the optional array is null and is used by thread 0 without a look.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_null_arg<<<1, 32>>>(in, out, null)
//@found null null-arg
__global__ void b_null_arg(const int *in, int *out, int *count) {
  int t = threadIdx.x;
  out[t] = in[31 - t];
  if (t == 0)
    count[0] = 32; // null-arg
}

struct B_Link {
  int v;
  B_Link *next;
};
__device__ B_Link b_links[8];
// Wrong: the search runs off the end of the list, where the key is not in it.
//@ array out int 1 zero
//@ launch b_null_search<<<1, 1>>>(out, 8, 99)
//@found null null-search
__global__ void b_null_search(int *out, int n, int key) {
  for (int i = 0; i < n; ++i) {
    b_links[i].v = 3 * i;
    b_links[i].next = i + 1 < n ? &b_links[i + 1] : nullptr;
  }
  B_Link *p = &b_links[0];
  int steps = 0;
  while (p->v != key) { // null-search
    p = p->next;
    ++steps;
  }
  out[0] = steps;
}

__device__ int *b_table;
// Wrong: the module's pointer was never set, it is zero.
//@ array out int 32 zero
//@ launch b_null_module<<<1, 32>>>(out)
//@found null null-module
__global__ void b_null_module(int *out) {
  int t = threadIdx.x;
  if (t == 4)
    out[t] = b_table[0]; // null-module
}

// Wrong: a buffer is given back by thread 0, all agree on it, and thread 5 reads it once more.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_uaf_block<<<1, 32>>>(in, out, 5)
//@found use-after-free uaf-block
__global__ void b_uaf_block(const int *in, int *out, int late) {
  __shared__ int *buf;
  int t = threadIdx.x;
  if (t == 0) buf = (int *)malloc(32 * sizeof(int));
  __syncthreads();
  buf[t] = in[t];
  __syncthreads();
  out[t] = buf[31 - t];
  __syncthreads();
  if (t == 0) free(buf);
  __syncthreads();
  if (t == late)
    out[t] += buf[t]; // uaf-block
}

__device__ B_Link *b_head;
// Wrong: the next pointer is taken from the node just freed.
//@ array out int 1 zero
//@ launch b_uaf_next<<<1, 1>>>(out, 4)
//@found use-after-free uaf-next
__global__ void b_uaf_next(int *out, int n) {
  b_head = nullptr;
  for (int i = 0; i < n; ++i) {
    B_Link *x = (B_Link *)malloc(sizeof(B_Link));
    if (!x) return;
    x->v = i;
    x->next = b_head;
    b_head = x;
  }
  int s = 0;
  while (b_head) {
    s += b_head->v;
    free(b_head);
    b_head = b_head->next; // uaf-next
  }
  out[0] = s;
}

__device__ int *b_vec;
// Wrong: a pointer into the old buffer is used after the vector has moved to a larger one.
//@ array out int 2 zero
//@ launch b_uaf_grow<<<1, 1>>>(out, 6)
//@found use-after-free uaf-grow
__global__ void b_uaf_grow(int *out, int n) {
  b_vec = new int[n];
  if (!b_vec) return;
  for (int i = 0; i < n; ++i) b_vec[i] = i * i;
  volatile int *last = b_vec + (n - 1);
  int *bigger = new int[2 * n];
  if (!bigger) return;
  for (int i = 0; i < n; ++i) bigger[i] = b_vec[i];
  for (int i = n; i < 2 * n; ++i) bigger[i] = 0;
  delete[] b_vec;
  b_vec = bigger;
  *last = 7; // uaf-grow
  out[0] = b_vec[n - 1];
  delete[] b_vec;
  b_vec = nullptr;
}

__device__ __noinline__ int b_sum_down(int n, int x) { int b[24]; for (int i = 0; i < 24; ++i) b[i] = x + i; int r = n < 1 ? 0 : b_sum_down(n - 1, b[n % 24] & 7); return r + b[(n + x) % 24]; } // deep-count
// Wrong: a recursion a million deep with a buffer in each call.
//@ array out int 1 zero
//@ launch b_deep_count<<<1, 1>>>(out, 1000000)
//@found stack-overflow deep-count
__global__ void b_deep_count(int *out, int n) {
  out[0] = b_sum_down(n, 1);
}

__device__ __noinline__ int b_no_base(const int *a, int lo, int hi) { int part[16]; for (int i = 0; i < 16; ++i) part[i] = a[(lo + i) & 15]; int mid = (lo + hi) / 2; int l = b_no_base(a, lo, mid); part[l & 15] += 1; return part[(lo + mid) & 15] + l; } // no-base
// Wrong: the divide and conquer has no base case: [0, 1) is cut into [0, 0) for ever.
//@ array in int 16 iota
//@ array out int 1 zero
//@ launch b_no_base_case<<<1, 1>>>(in, out, 16)
//@found stack-overflow no-base
__global__ void b_no_base_case(const int *in, int *out, int n) {
  out[0] = b_no_base(in, 0, n);
}

// Wrong: a counter that two blocks share is added to with block scope.
//@ array cnt int 1 zero
//@ launch b_scope_add<<<2, 1>>>(cnt, 3)
//@found race-global scope-add
//@element cnt[0]
__global__ void b_scope_add(int *cnt, int v) {
  atomicAdd_block(cnt, v + blockIdx.x); // scope-add
}

// Wrong: the maximum over the grid is taken with block scope in each block.
//@ array in int 64 iota
//@ array best int 1 zero
//@ launch b_scope_max<<<2, 32>>>(in, best)
//@found race-global scope-max
//@element best[0]
__global__ void b_scope_max(const int *in, int *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax_block(best, in[i]); // scope-max
}

// Wrong: a plain read of a counter that the other block changes by atomics.
//@ array cnt int 1 zero
//@ array out int 1 zero
//@ launch b_atomic_plain<<<2, 1>>>(cnt, out)
//@found race-global atomic-plain
//@element cnt[0]
__global__ void b_atomic_plain(int *cnt, int *out) {
  if (blockIdx.x == 0)
    atomicAdd(cnt, 5); // atomic-plain
  else
    out[0] = *cnt;
}

// Wrong: the fence of the last-block pattern is a block's fence.
//@ array part int 4 zero
//@ array cnt u32 1 zero
//@ array out int 1 zero
//@ launch b_block_fence<<<4, 1>>>(part, cnt, out)
//@found race-global block-fence
__global__ void b_block_fence(int *part, unsigned *cnt, int *out) {
  part[blockIdx.x] = 10 + blockIdx.x; // block-fence
  __threadfence_block();
  unsigned k = atomicAdd(cnt, 1u);
  if (k == gridDim.x - 1) {
    __threadfence();
    int s = 0;
    for (int i = 0; i < gridDim.x; ++i) s += part[i];
    out[0] = s;
  }
}

// Wrong: an assertion that the data does not meet.
//@ array in int 8 list:1,2,3,-4,5,6,7,8
//@ array out int 8 zero
//@ launch b_assert_positive<<<1, 8>>>(in, out)
//@found assert assert-positive
__global__ void b_assert_positive(const int *in, int *out) {
  int t = threadIdx.x;
  int v = in[t];
  assert(v > 0); // assert-positive
  out[t] = v;
}

// Wrong: the error path traps.
//@ array in int 8 list:1,2,0,4,5,6,7,8
//@ array out int 8 zero
//@ launch b_trap_zero<<<1, 8>>>(in, out)
//@found trap trap-zero
__global__ void b_trap_zero(const int *in, int *out) {
  int t = threadIdx.x;
  if (in[t] == 0)
    __trap(); // trap-zero
  out[t] = 100 / in[t];
}

// Wrong: free-list allocator hands out one slot too many: the pool has 8 slots of 4 ints.
//@ array want int 9 value:1
//@ array out int 9 zero
//@ launch b_pool_over<<<1, 9>>>(want, out)
//@found out-of-bounds pool-over
//@element pool[32]
__global__ void b_pool_over(const int *want, int *out) {
  __shared__ int pool[32];
  __shared__ int next;
  __shared__ int owner[16];
  int t = threadIdx.x;
  if (t == 0) next = 0;
  owner[t] = t;
  __syncthreads();
  int k = atomicAdd(&next, want[t]);
  pool[4 * k] = t + owner[8 - t]; // pool-over
  __syncthreads();
  out[t] = k;
  if (t < 8) out[t] += pool[4 * t];
}
