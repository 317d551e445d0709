// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Right kernels: memory that looks suspicious, more.

// Right: the optional pointer is null and is asked first.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_optional<<<1, 32>>>(in, out, null)
//@none
__global__ void b_ok_optional(const int *in, int *out, int *count) {
  int t = threadIdx.x;
  out[t] = in[t] + 1;
  if (count && t == 0) count[0] = 32;
}

// Right: block-scope atomics on a word that only this block uses.
//@ array cnt int 4 zero
//@ launch b_ok_block_atomic<<<4, 64>>>(cnt)
//@none
__global__ void b_ok_block_atomic(int *cnt) {
  atomicAdd_block(&cnt[blockIdx.x], threadIdx.x & 3);
}

// Right: system scope holds every thread.
//@ array cnt int 1 zero
//@ launch b_ok_system_atomic<<<4, 64>>>(cnt)
//@none
__global__ void b_ok_system_atomic(int *cnt) {
  if (blockIdx.x & 1) atomicAdd_system(cnt, 1);
  else atomicAdd(cnt, 2);
}

// Right: block-scope atomics on shared memory, device scope for the rest.
//@ array in int 128 list:1,2,3,0
//@ array out int 4 zero
//@ launch b_ok_two_scopes<<<2, 64>>>(in, out)
//@none
__global__ void b_ok_two_scopes(const int *in, int *out) {
  __shared__ int h[4];
  int t = threadIdx.x;
  if (t < 4) h[t] = 0;
  __syncthreads();
  atomicAdd_block(&h[in[blockIdx.x * 64 + t]], 1);
  __syncthreads();
  if (t < 4) atomicAdd(&out[t], h[t]);
}

// Right: neighbouring bytes of one word belong to different threads.
//@ array in u8 64 iota
//@ array out u8 64 zero
//@ launch b_ok_bytes<<<2, 32>>>(in, out)
//@none
__global__ void b_ok_bytes(const unsigned char *in, unsigned char *out) {
  __shared__ unsigned char s[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = in[i] ^ 0x55;
  out[2 * t + blockIdx.x] = s[t];
}

// Right: the two halves of an int are written by two threads.
//@ array out u32 32
//@ array sum u32 32 zero
//@ launch b_ok_halves<<<1, 64>>>(out, sum)
//@none
__global__ void b_ok_halves(unsigned *out, unsigned *sum) {
  unsigned short *h = reinterpret_cast<unsigned short *>(out);
  int t = threadIdx.x;
  h[t] = t;
  __syncthreads();
  if (t < 32) sum[t] = h[2 * t] + h[2 * t + 1];
}

// Right: the lock-free stack of indices lives in one 64-bit word with a counter beside the index.
//@ array out int 32 zero
//@ array head u64 1 zero
//@ launch b_ok_tagged<<<1, 32>>>(head, out)
//@none
__global__ void b_ok_tagged(unsigned long long *head, int *out) {
  int t = threadIdx.x;
  unsigned long long old = atomicAdd(head, 0ull), seen;
  do {
    seen = old;
    unsigned long long next = ((seen >> 32) + 1) << 32 | (unsigned)t;
    old = atomicCAS(head, seen, next);
  } while (old != seen);
  out[(int)(seen >> 32)] = 1 + (int)(seen & 0xffffffffu);
}

// Right: 2D tile with a padding column that nobody ever writes or reads.
//@ array in float 256 iota
//@ array out float 256 zero
//@ launch b_ok_transpose<<<1, dim3(16,16)>>>(in, out)
//@none
__global__ void b_ok_transpose(const float *in, float *out) {
  __shared__ float tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  __syncthreads();
  out[y * 16 + x] = tile[x][y];
}

// Right: the scan's neighbour is read only where there is one.
//@ array in int 64 value:2
//@ array out int 64 zero
//@ launch b_ok_scan<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_scan(const int *in, int *out) {
  __shared__ int s[2][64];
  int t = threadIdx.x, cur = 0;
  s[0][t] = in[t];
  for (int off = 1; off < 64; off *= 2) {
    __syncthreads();
    int v = s[cur][t];
    if (t >= off) v += s[cur][t - off];
    s[cur ^ 1][t] = v;
    cur ^= 1;
  }
  out[t] = s[cur][t];
}

// Right: a ring with wrapping indices, the left neighbour of 0 is the last.
//@ array in int 20 iota
//@ array out int 20 zero
//@ launch b_ok_ring<<<1, 20>>>(in, out, 20)
//@none
__global__ void b_ok_ring(const int *in, int *out, int n) {
  int i = threadIdx.x;
  out[i] = in[(i - 1 + n) % n] - in[(i + 1) % n];
}

struct B_Vec3 {
  float x, y, z;
  __device__ B_Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
};
// Right: objects are made by placement new in raw shared bytes.
//@ array out float 8 zero
//@ launch b_ok_placement<<<1, 8>>>(out, 2)
//@none
__global__ void b_ok_placement(float *out, float f) {
  __shared__ __align__(16) unsigned char raw[8 * sizeof(B_Vec3)];
  int t = threadIdx.x;
  B_Vec3 *v = new (raw + t * sizeof(B_Vec3)) B_Vec3(t, f * t, 1.0f);
  __syncthreads();
  const B_Vec3 *w = reinterpret_cast<const B_Vec3 *>(raw) + (7 - t);
  out[t] = v->x + w->y + w->z;
}

// Right: new and delete in a divergent branch, each by its own thread.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_new_branch<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_new_branch(const int *in, int *out) {
  int t = threadIdx.x;
  if (in[t] % 3 == 0) {
    int n = 2 + in[t];
    int *p = new int[n];
    if (p) {
      for (int i = 0; i < n; ++i) p[i] = i + t;
      out[t] = p[in[t] + 1];
      delete[] p;
    }
  }
}

__device__ int b_ok_twice(int x) { return 2 * x; }
__device__ int b_ok_square(int x) { return x * x; }
__device__ int b_ok_minus(int x) { return -x; }
__device__ int (*b_ok_ops[3])(int) = {b_ok_twice, b_ok_square, b_ok_minus};
// Right: a table of device functions is indexed by data.
//@ array op int 32 list:0,1,2,1
//@ array out int 32 zero
//@ launch b_ok_fn_table<<<1, 32>>>(op, out)
//@none
__global__ void b_ok_fn_table(const int *op, int *out) {
  int t = threadIdx.x;
  out[t] = b_ok_ops[op[t]](t);
}

struct B_Args {
  int a[4];
  int n;
};
// Right: the array in a local struct is indexed at run time.
//@ array out int 8 zero
//@ array idx int 8 list:3,0,2,1
//@ launch b_ok_struct_arg<<<1, 8>>>(idx, out)
//@none
__global__ void b_ok_struct_arg(const int *idx, int *out) {
  B_Args g;
  int t = threadIdx.x;
  g.n = 4;
  for (int i = 0; i < 4; ++i) g.a[i] = 10 * i + t;
  out[t] = g.a[idx[t] % g.n];
}

// Right: the search goes over [lo, hi) and reads nothing at n.
//@ array a int 16 iota
//@ array out int 32 zero
//@ launch b_ok_search<<<1, 32>>>(a, out, 16)
//@none
__global__ void b_ok_search(const int *a, int *out, int n) {
  int key = threadIdx.x, lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] < key) lo = mid + 1; else hi = mid;
  }
  out[key] = lo < n && a[lo] == key ? lo : -1;
}

// Right: int4 loads of a shared tile that other threads wrote by ints.
//@ array in int 32 iota
//@ array out int 8 zero
//@ launch b_ok_vec_shared<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_vec_shared(const int *in, int *out) {
  __shared__ __align__(16) int s[32];
  int t = threadIdx.x;
  s[t] = in[31 - t];
  __syncthreads();
  if (t < 8) {
    int4 v = reinterpret_cast<const int4 *>(s)[t];
    out[t] = v.x + v.y + v.z + v.w;
  }
}

// Right: every other element of an unwritten array is written and only those are read.
//@ array tmp int 64
//@ array out int 32 zero
//@ launch b_ok_sparse<<<1, 32>>>(tmp, out)
//@none
__global__ void b_ok_sparse(int *tmp, int *out) {
  int t = threadIdx.x;
  tmp[2 * t + (t & 1)] = t + 1;
  __syncthreads();
  int u = 31 - t;
  out[t] = tmp[2 * u + (u & 1)];
}

// Right: the sum is accumulated in an array that the kernel itself sets first.
//@ array acc int 32
//@ array in int 128 iota
//@ launch b_ok_set_first<<<1, 32>>>(in, acc, 4)
//@none
__global__ void b_ok_set_first(const int *in, int *acc, int k) {
  int t = threadIdx.x;
  for (int i = 0; i < k; ++i) {
    if (i == 0) acc[t] = 0;
    acc[t] += in[i * 32 + t];
  }
}

// Right: the flag that many threads set to the same value.
//@ array in int 64 list:0,7,0,0
//@ array found int 1 zero
//@ launch b_ok_same_value<<<2, 32>>>(in, found, 7)
//@none
__global__ void b_ok_same_value(const int *in, int *found, int key) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == key) *found = 1;
}

// Right: a 16-bit compare and swap beside a 16-bit neighbour of another thread.
//@ array h u16 4 zero
//@ array out int 2 zero
//@ launch b_ok_cas16<<<1, 2>>>(h, out)
//@none
__global__ void b_ok_cas16(unsigned short *h, int *out) {
  int t = threadIdx.x;
  unsigned short old = atomicCAS(h + t, (unsigned short)0, (unsigned short)(5 + t));
  out[t] = old;
}
