// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Right kernels: memory and scopes, more.

__constant__ int b_k_first[4] = {3, 1, 4, 1};
__constant__ int b_k_second[4] = {5, 9, 2, 6};
// Right: constant tables are read up to their last elements, by data.
//@ array idx int 32 list:3,0,2,1
//@ array out int 32 zero
//@ launch b_ok_const<<<1, 32>>>(idx, out)
//@none
__global__ void b_ok_const(const int *idx, int *out) {
  int t = threadIdx.x;
  out[t] = b_k_first[idx[t]] * 10 + b_k_second[3 - idx[t]];
}

// Right: a 3x3 box filter on a tile with a halo whose corners are loaded too.
//@ array in int 100 iota
//@ array out int 64 zero
//@ launch b_ok_box<<<1, dim3(8,8)>>>(in, out)
//@none
__global__ void b_ok_box(const int *in, int *out) {
  __shared__ int s[10][10];
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = y * 8 + x; k < 100; k += 64) s[k / 10][k % 10] = in[k];
  __syncthreads();
  int v = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) v += s[y + dy][x + dx];
  out[y * 8 + x] = v;
}

// Right: a matrix product of a size that is no multiple of the tile; the missing cells are set to zero.
//@ array a float 400 iota
//@ array b float 400 iota
//@ array c float 400 zero
//@ launch b_ok_matmul<<<dim3(2,2), dim3(16,16)>>>(a, b, c, 20)
//@none
__global__ void b_ok_matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0;
  for (int k = 0; k < n; k += 16) {
    as[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0f;
    bs[ty][tx] = col < n && k + ty < n ? b[(k + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) s += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = s;
}

// Right: the jagged rows are each as long as they are used, and freed last to first.
//@ array w int 4 list:3,1,4,2
//@ array out int 4 zero
//@ launch b_ok_jagged<<<1, 1>>>(w, out, 4)
//@none
__global__ void b_ok_jagged(const int *w, int *out, int n) {
  int **row = (int **)malloc(n * sizeof(int *));
  if (!row) return;
  for (int r = 0; r < n; ++r) {
    row[r] = (int *)malloc(w[r] * sizeof(int));
    for (int i = 0; row[r] && i < w[r]; ++i) row[r][i] = r + i;
  }
  for (int r = 0; r < n; ++r) out[r] = row[r] ? row[r][w[r] - 1] : -1;
  for (int r = n - 1; r >= 0; --r) free(row[r]);
  free(row);
}

struct B_T {
  int v;
  B_T *l, *r;
};
__device__ __noinline__ B_T *b_tree_put(B_T *t, int v) {
  if (!t) {
    t = (B_T *)malloc(sizeof(B_T));
    if (t) { t->v = v; t->l = t->r = nullptr; }
    return t;
  }
  if (v < t->v) t->l = b_tree_put(t->l, v); else t->r = b_tree_put(t->r, v);
  return t;
}
__device__ __noinline__ int b_tree_free(B_T *t) {
  if (!t) return 0;
  int n = 1 + b_tree_free(t->l) + b_tree_free(t->r);
  free(t);
  return n;
}
// Right: a binary tree on the heap, freed children first by recursion.
//@ array in int 8 list:5,2,8,1,9,3,7,4
//@ array out int 1 zero
//@ launch b_ok_tree<<<1, 1>>>(in, out, 8)
//@none
__global__ void b_ok_tree(const int *in, int *out, int n) {
  B_T *root = nullptr;
  for (int i = 0; i < n; ++i) root = b_tree_put(root, in[i]);
  out[0] = b_tree_free(root);
}

// Right: the list is freed with the next pointer taken first; the node's value goes on living in a register.
//@ array out int 32 zero
//@ launch b_ok_list_free<<<1, 32>>>(out, 3)
//@none
__global__ void b_ok_list_free(int *out, int n) {
  B_T *head = nullptr;
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    B_T *x = (B_T *)malloc(sizeof(B_T));
    if (!x) break;
    x->v = i + t;
    x->l = head;
    head = x;
  }
  int s = 0;
  while (head) {
    B_T *next = head->l;
    s += head->v;
    free(head);
    head = next;
  }
  out[t] = s;
}

// Right: a growing vector frees what it leaves.
//@ array in int 40 iota
//@ array out int 1 zero
//@ launch b_ok_grow<<<1, 1>>>(in, out, 40)
//@none
__global__ void b_ok_grow(const int *in, int *out, int n) {
  int cap = 2, len = 0;
  int *v = new int[cap];
  if (!v) return;
  for (int i = 0; i < n; ++i) {
    if (len == cap) {
      int *w = new int[2 * cap];
      if (!w) break;
      for (int k = 0; k < len; ++k) w[k] = v[k];
      delete[] v;
      v = w;
      cap *= 2;
    }
    v[len++] = in[i];
  }
  int s = 0;
  for (int k = 0; k < len; ++k) s += v[k];
  out[0] = s;
  delete[] v;
}

// Right: counters of bytes in words: four byte lanes are added in one atomic word.
//@ array in u8 64 list:0,1,2,3,1
//@ array out u32 1 zero
//@ launch b_ok_packed_count<<<1, 64>>>(in, out)
//@none
__global__ void b_ok_packed_count(const unsigned char *in, unsigned *out) {
  __shared__ unsigned packed;
  int t = threadIdx.x;
  if (t == 0) packed = 0;
  __syncthreads();
  atomicAdd(&packed, 1u << (8 * in[t]));
  __syncthreads();
  if (t == 0) out[0] = packed;
}

// Right: the same shared bytes serve two phases as ints and as floats, a barrier between.
//@ array in int 32 iota
//@ array out float 32 zero
//@ launch b_ok_shared_union<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_shared_union(const int *in, float *out) {
  __shared__ __align__(16) unsigned char raw[128];
  int t = threadIdx.x;
  int *a = reinterpret_cast<int *>(raw);
  float *f = reinterpret_cast<float *>(raw);
  a[t] = in[t] + 1;
  __syncthreads();
  float v = a[31 - t] * 0.5f;
  __syncthreads();
  f[t] = v;
  __syncthreads();
  out[t] = f[t ^ 5];
}

template <typename T, int N> __device__ T *b_scratch() {
  __shared__ T s[N];
  return s;
}
// Right: shared scratch from a device template: two instances, two arrays.
//@ array in int 32 iota
//@ array out float 32 zero
//@ launch b_ok_scratch<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_scratch(const int *in, float *out) {
  int *a = b_scratch<int, 32>();
  float *f = b_scratch<float, 32>();
  int t = threadIdx.x;
  a[t] = in[t];
  f[t] = in[t] * 0.25f;
  __syncthreads();
  out[t] = a[31 - t] + f[t ^ 1];
}

// Right: each thread's slot is handed out by an atomic, the writes behind it meet nowhere.
//@ array in int 128 list:1,0,0,1,1
//@ array out int 128
//@ array count int 1 zero
//@ launch b_ok_compact<<<2, 64>>>(in, out, count)
//@none
__global__ void b_ok_compact(const int *in, int *out, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i]) out[atomicAdd(count, 1)] = i;
}

// Right: the last partial word of a byte array is cleared by bytes.
//@ array buf u8 30 iota
//@ launch b_ok_clear<<<1, 16>>>(buf, 30)
//@none
__global__ void b_ok_clear(unsigned char *buf, int n) {
  int t = threadIdx.x, words = n / 4;
  if (t < words) reinterpret_cast<unsigned *>(buf)[t] = 0u;
  int k = 4 * words + t;
  if (k < n) buf[k] = 0;
}

// Right: the private histogram is cut to its range before it is counted.
//@ array in int 16 list:-3,0,7,8,100,5
//@ array out int 8 zero
//@ launch b_ok_clamped<<<1, 1>>>(in, out, 16)
//@none
__global__ void b_ok_clamped(const int *in, int *out, int n) {
  int h[8] = {0};
  for (int i = 0; i < n; ++i) {
    int b = in[i];
    b = b < 0 ? 0 : b > 7 ? 7 : b;
    h[b]++;
  }
  for (int i = 0; i < 8; ++i) out[i] = h[i];
}

__device__ __noinline__ int b_fill_digits(unsigned v, unsigned char *d) {
  int n = 0;
  do { d[n++] = v % 10; v /= 10; } while (v);
  return n;
}
// Right: a pointer to a local array goes to a device function that fills what is read.
//@ array num u32 8 list:0,9,10,4294967295
//@ array out int 8 zero
//@ launch b_ok_digits<<<1, 8>>>(num, out)
//@none
__global__ void b_ok_digits(const unsigned *num, int *out) {
  unsigned char d[10];
  int t = threadIdx.x;
  int n = b_fill_digits(num[t], d), s = 0;
  for (int i = n - 1; i >= 0; --i) s += d[i];
  out[t] = s;
}

// Right: one thread writes a float4 and four threads read its floats after a barrier.
//@ array buf float 32
//@ array out float 32 zero
//@ launch b_ok_vec_to_float<<<1, 32>>>(buf, out)
//@none
__global__ void b_ok_vec_to_float(float *buf, float *out) {
  int t = threadIdx.x;
  if (t < 8) reinterpret_cast<float4 *>(buf)[t] = make_float4(t, t + 1, t + 2, t + 3);
  __syncthreads();
  out[t] = buf[31 - t];
}

// Right: a lane reads beyond n only inside the padded row.
//@ array in int 24 iota
//@ array out int 15 zero
//@ launch b_ok_pitch<<<1, dim3(5,3)>>>(in, out, 8)
//@none
__global__ void b_ok_pitch(const int *in, int *out, int pitch) {
  int x = threadIdx.x, y = threadIdx.y;
  out[y * 5 + x] = in[y * pitch + x] + in[y * pitch + x + 3];
}

// Right: a double atomic add in a loop of compare and swap on 64 bits.
//@ array in double 32 value:0.5
//@ array sum u64 1 zero
//@ launch b_ok_cas_double<<<2, 16>>>(in, sum)
//@none
__global__ void b_ok_cas_double(const double *in, unsigned long long *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long old = atomicAdd(sum, 0ull), seen;
  do {
    seen = old;
    old = atomicCAS(sum, seen, (unsigned long long)__double_as_longlong(__longlong_as_double(seen) + in[i]));
  } while (old != seen);
}

// Right: the same word is read plainly and added to atomically, with a barrier of the block between.
//@ array cnt int 4 zero
//@ array out int 128 zero
//@ launch b_ok_plain_after<<<4, 32>>>(cnt, out)
//@none
__global__ void b_ok_plain_after(int *cnt, int *out) {
  int t = threadIdx.x;
  if (t == 0) cnt[blockIdx.x] = 100;
  __syncthreads();
  atomicAdd(&cnt[blockIdx.x], t);
  __syncthreads();
  out[blockIdx.x * 32 + t] = cnt[blockIdx.x];
}

// Right: the maximum of floats by integer atomics on their bits (none is negative).
//@ array in float 64 iota
//@ array best int 1 zero
//@ launch b_ok_float_max<<<2, 32>>>(in, best)
//@none
__global__ void b_ok_float_max(const float *in, int *best) {
  atomicMax(best, __float_as_int(in[blockIdx.x * 32 + threadIdx.x]));
}

// Right: only thread 0 keeps something in the local array, and only it reads it.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_one_local<<<1, 32>>>(in, out, 5)
//@none
__global__ void b_ok_one_local(const int *in, int *out, int k) {
  int a[6];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i <= k; ++i) a[i] = in[i] * 2;
  out[t] = in[t];
  if (t == 0) out[t] += a[in[k]] + a[in[k - 3]];
}
