// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Right kernels: memory that looks suspicious.

// Right: the stencil's neighbours are guarded on both sides.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_stencil<<<2, 32>>>(in, out, 64)
//@none
__global__ void b_ok_stencil(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int l = i > 0 ? in[i - 1] : 0;
  int r = i + 1 < n ? in[i + 1] : 0;
  out[i] = l + in[i] + r;
}

// Right: one unsigned comparison guards both ends (i-1 wraps around at 0).
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_unsigned_guard<<<1, 96>>>(in, out, 64)
//@none
__global__ void b_ok_unsigned_guard(const int *in, int *out, unsigned n) {
  unsigned i = threadIdx.x;
  int s = 0;
  if (i - 1u < n) s += in[i - 1u];
  if (i < n) { s += in[i]; out[i] = s; }
}

// Right: negative indices from a pointer into the middle.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_middle<<<1, 64>>>(in+32, out+63)
//@none
__global__ void b_ok_middle(const int *mid, int *last) {
  int t = threadIdx.x;
  last[-t] = mid[t - 32];
}

// Right: end is one past the last and never read.
//@ array in float 48 iota
//@ array out float 1 zero
//@ launch b_ok_end_pointer<<<1, 1>>>(in, out, 48)
//@none
__global__ void b_ok_end_pointer(const float *in, float *out, int n) {
  float s = 0;
  for (const float *p = in, *e = in + n; p != e; ++p) s += *p;
  out[0] = s;
}

// Right: shared arrays side by side, both used up to their last element.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_ok_side_by_side<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_side_by_side(const int *in, int *out) {
  __shared__ int a[33];
  __shared__ int b[32];
  int t = threadIdx.x;
  a[t + 1] = in[t];
  if (t == 0) a[0] = -1;
  b[31 - t] = in[t] * 2;
  __syncthreads();
  out[t] = a[t] + a[t + 1] + b[t];
}

// Right: dynamic shared memory cut into doubles, floats and bytes, each aligned, full to the last byte.
//@ array in float 16 iota
//@ array out double 16 zero
//@ launch b_ok_carve<<<1, 16, 208>>>(in, out, 16)
//@none
__global__ void b_ok_carve(const float *in, double *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double *d = reinterpret_cast<double *>(raw);
  float *f = reinterpret_cast<float *>(d + n);
  unsigned char *c = reinterpret_cast<unsigned char *>(f + n);
  int t = threadIdx.x;
  d[t] = in[t] * 0.5;
  f[t] = in[t] + 1;
  c[t] = t;
  __syncthreads();
  int u = n - 1 - t;
  out[t] = d[u] + f[u] + c[u];
}

// Right: float4 as far as it goes, single floats for the rest.
//@ array in float 63 iota
//@ array out float 63 zero
//@ launch b_ok_vec_tail<<<1, 32>>>(in, out, 63)
//@none
__global__ void b_ok_vec_tail(const float *in, float *out, int n) {
  int t = threadIdx.x, q = n / 4;
  if (t < q) {
    float4 v = reinterpret_cast<const float4 *>(in)[t];
    v.x += 1; v.y += 1; v.z += 1; v.w += 1;
    reinterpret_cast<float4 *>(out)[t] = v;
  }
  int k = 4 * q + t;
  if (k < n) out[k] = in[k] + 1;
}

// Right: the bytes of an int array are read as bytes.
//@ array in u32 8 list:16909060,84281096
//@ array out int 32 zero
//@ launch b_ok_byte_view<<<1, 32>>>(in, out)
//@none
__global__ void b_ok_byte_view(const unsigned *in, int *out) {
  const unsigned char *b = reinterpret_cast<const unsigned char *>(in);
  int t = threadIdx.x;
  out[t] = b[31 - t];
}

// Right: a field at an odd byte is fetched by memcpy, which goes by bytes.
//@ array pkt u8 16 iota
//@ array out int 4 zero
//@ launch b_ok_memcpy_field<<<1, 4>>>(pkt, out, 3)
//@none
__global__ void b_ok_memcpy_field(const unsigned char *pkt, int *out, int at) {
  int v, t = threadIdx.x;
  memcpy(&v, pkt + at * t + 1, sizeof v);
  out[t] = v;
}

struct B_Padded {
  char tag;
  int value;
  short last;
};
// Right: a whole struct with padding is copied through shared memory, its padding was never written.
//@ array out int 32 zero
//@ launch b_ok_padding<<<1, 32>>>(out, 3)
//@none
__global__ void b_ok_padding(int *out, int f) {
  __shared__ B_Padded a[32], b[32];
  int t = threadIdx.x;
  a[t].tag = t;
  a[t].value = f * t;
  a[t].last = -t;
  __syncthreads();
  b[t] = a[31 - t];
  __syncthreads();
  B_Padded c = b[t ^ 1];
  out[t] = c.tag + c.value + c.last;
}

// Right: only the first half of a malloc'ed array is written, and only that is read.
//@ array n int 1 list:10
//@ array out int 1 zero
//@ launch b_ok_half_malloc<<<1, 1>>>(n, out)
//@none
__global__ void b_ok_half_malloc(const int *n, int *out) {
  int m = n[0];
  int *p = (int *)malloc(2 * m * sizeof(int));
  if (!p) return;
  for (int i = 0; i < m; ++i) p[i] = i * i;
  int s = 0;
  for (int i = m - 1; i >= 0; --i) s += p[i];
  out[0] = s;
  free(p);
}

// Right: one thread allocates, the block uses, another thread frees, with barriers between.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_ok_block_heap<<<2, 32>>>(in, out)
//@none
__global__ void b_ok_block_heap(const int *in, int *out) {
  __shared__ int *buf;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) buf = (int *)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (!buf) return;
  buf[t] = in[i];
  __syncthreads();
  out[i] = buf[31 - t];
  __syncthreads();
  if (t == 31) free(buf);
}

__device__ int *b_ok_kept_ptr;
// Right: the buffer stays reachable from a module variable.
//@ array out int 1 zero
//@ launch b_ok_kept<<<1, 1>>>(out, 12)
//@none
__global__ void b_ok_kept(int *out, int n) {
  if (b_ok_kept_ptr) { out[0] = -1; return; }
  int *p = (int *)malloc(n * sizeof(int));
  if (!p) return;
  for (int i = 0; i < n; ++i) p[i] = i;
  b_ok_kept_ptr = p;
  out[0] = p[n - 1];
}

struct B_OkNode {
  int v;
  B_OkNode *next;
};
__device__ B_OkNode *b_ok_list_head;
// Right: a list is kept: all nodes but the first are reachable only through other nodes.
//@ array out int 32 zero
//@ launch b_ok_kept_list<<<2, 16>>>(out)
//@none
__global__ void b_ok_kept_list(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B_OkNode *x = (B_OkNode *)malloc(sizeof(B_OkNode));
  if (!x) return;
  x->v = i;
  unsigned long long *h = reinterpret_cast<unsigned long long *>(&b_ok_list_head);
  x->next = (B_OkNode *)atomicExch(h, (unsigned long long)x);
  out[i] = x->v;
}

// Right: free(NULL) and delete of a null pointer do nothing.
//@ array sel int 8 list:0,1
//@ array out int 8 zero
//@ launch b_ok_free_null<<<1, 8>>>(sel, out)
//@none
__global__ void b_ok_free_null(const int *sel, int *out) {
  int t = threadIdx.x;
  int *p = nullptr;
  if (sel[t]) {
    p = (int *)malloc(2 * sizeof(int));
    if (p) { p[0] = t; p[1] = t + 1; out[t] = p[sel[t] & 1]; }
  }
  free(p);
}

__device__ int b_ok_zeroed[40];
// Right: a module variable without initialiser is zero.
//@ array out int 32 zero
//@ launch b_ok_static_zero<<<1, 32>>>(out, 8)
//@none
__global__ void b_ok_static_zero(int *out, int k) {
  int t = threadIdx.x;
  out[t] = b_ok_zeroed[t + k] + t;
}

// Right: malloc'ed memory is cleared by memset and then counted up.
//@ array in int 32 list:0,3,3,1
//@ array out int 4 zero
//@ launch b_ok_memset<<<1, 1>>>(in, out, 32)
//@none
__global__ void b_ok_memset(const int *in, int *out, int n) {
  int *c = (int *)malloc(4 * sizeof(int));
  if (!c) return;
  memset(c, 0, 4 * sizeof(int));
  for (int i = 0; i < n; ++i) c[in[i]]++;
  for (int i = 0; i < 4; ++i) out[i] = c[i];
  free(c);
}

// Right: the local stack array is filled as far as it is read.
//@ array in int 16 list:5,2,8,1,9,3
//@ array out int 16 zero
//@ launch b_ok_local_stack<<<1, 1>>>(in, out, 16)
//@none
__global__ void b_ok_local_stack(const int *in, int *out, int n) {
  int st[16];
  int top = 0, w = 0;
  for (int i = 0; i < n; ++i) {
    while (top > 0 && st[top - 1] > in[i]) out[w++] = st[--top];
    st[top++] = in[i];
  }
  while (top > 0) out[w++] = st[--top];
}

// Right: a freed block may come again from malloc; the new pointer is valid.
//@ array in int 8 iota
//@ array out int 8 zero
//@ launch b_ok_reuse<<<1, 1>>>(in, out, 8)
//@none
__global__ void b_ok_reuse(const int *in, int *out, int n) {
  for (int r = 0; r < n; ++r) {
    int *p = (int *)malloc(8 * sizeof(int));
    if (!p) return;
    for (int i = 0; i < n; ++i) p[i] = in[i] + r;
    out[r] = p[in[n - 1 - r]];
    free(p);
  }
}

__device__ __noinline__ int b_ok_fib(int n) { return n < 2 ? n : b_ok_fib(n - 1) + b_ok_fib(n - 2); }
// Right: a recursion of moderate depth.
//@ array out int 8 zero
//@ launch b_ok_recursion<<<1, 8>>>(out, 3)
//@none
__global__ void b_ok_recursion(int *out, int n) {
  out[threadIdx.x] = b_ok_fib(n + threadIdx.x);
}
