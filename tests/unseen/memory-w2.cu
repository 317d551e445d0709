// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: reads of what was never written, and leaks.

// Wrong: the total is added to without having been set.
//@ array in int 32 iota
//@ array total int 1
//@ launch b_total_unset<<<1, 1>>>(in, total, 32)
//@found uninitialized total-unset
//@element total[0]
__global__ void b_total_unset(const int *in, int *total, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += in[i];
  total[0] += s; // total-unset
}

// Wrong: the last cell of the tile is outside n, never filled, and summed all the same.
//@ array in int 63 iota
//@ array out int 1 zero
//@ launch b_tile_tail<<<1, 64>>>(in, out, 63)
//@found uninitialized tile-tail
//@element s[63]
__global__ void b_tile_tail(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i)
      sum += s[i]; // tile-tail
    out[0] = sum;
  }
}

// Wrong: one float of a float4 is left out and read with the other three.
//@ array buf float 64
//@ array out float 16 zero
//@ launch b_float4_hole<<<1, 16>>>(buf, out, 5)
//@found uninitialized float4-hole
//@element buf[23]
__global__ void b_float4_hole(float *buf, float *out, int hole) {
  int t = threadIdx.x;
  buf[4 * t + 0] = t;
  buf[4 * t + 1] = t + 1;
  buf[4 * t + 2] = t + 2;
  if (t != hole) buf[4 * t + 3] = t + 3;
  __syncthreads();
  float4 f = reinterpret_cast<float4 *>(buf)[t]; // float4-hole
  out[t] = f.x + f.y + f.z + f.w;
}

// Wrong: a malloc'ed array is filled up to its last element but one and summed to the last.
//@ array n int 1 list:9
//@ array out int 1 zero
//@ launch b_malloc_last<<<1, 1>>>(n, out)
//@found uninitialized malloc-last
__global__ void b_malloc_last(const int *n, int *out) {
  int m = n[0];
  int *p = (int *)malloc(m * sizeof(int));
  if (!p) return;
  for (int i = 1; i < m; ++i) p[i - 1] = i * i;
  int s = 0;
  for (int i = 0; i < m; ++i)
    s += p[i]; // malloc-last
  out[0] = s;
  free(p);
}

struct B_Rec {
  int key;
  char tag;
  int value;
};
// Wrong: a member of one struct was not set.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_struct_member<<<1, 32>>>(in, out, 7)
//@found uninitialized struct-member
__global__ void b_struct_member(const int *in, int *out, int skip) {
  __shared__ B_Rec r[32];
  int t = threadIdx.x;
  r[t].key = in[t];
  r[t].tag = (char)t;
  if (t != skip) r[t].value = 3 * t;
  __syncthreads();
  int u = 31 - t;
  int k = r[u].key + r[u].tag;
  k += r[u].value; // struct-member
  out[t] = k;
}

// Wrong: the stack array is filled for i < n and then read at n.
//@ array idx int 4 list:3,0,14,15
//@ array out int 4 zero
//@ launch b_local_unset<<<1, 1>>>(idx, out, 15)
//@found uninitialized local-unset
//@missed
//@element a[15]
__global__ void b_local_unset(const int *idx, int *out, int n) {
  int a[16];
  for (int i = 0; i < n; ++i) a[i] = i * 5;
  for (int i = 0; i < 4; ++i) {
    int v = a[idx[i]]; // local-unset
    out[i] = v;
  }
}

// Wrong: only the low byte of a word is written, then its second byte is read.
//@ array w int 8
//@ array out int 8 zero
//@ launch b_second_byte<<<1, 1>>>(w, out, 1)
//@found uninitialized second-byte
//@element w[0]
__global__ void b_second_byte(int *w, int *out, int k) {
  unsigned char *b = reinterpret_cast<unsigned char *>(w);
  b[0] = 17;
  out[0] = b[k]; // second-byte
}

// Wrong: three bytes are written and four are read as a word.
//@ array buf u8 16
//@ array src u8 16 iota
//@ array out int 4 zero
//@ launch b_word_of_bytes<<<1, 1>>>(src, buf, out, 3)
//@found uninitialized word-of-bytes
//@element buf[3]
__global__ void b_word_of_bytes(const unsigned char *src, unsigned char *buf, int *out, int n) {
  for (int i = 0; i < n; ++i) buf[i] = src[i];
  out[0] = *reinterpret_cast<int *>(buf); // word-of-bytes
}

// Wrong: one cell of a 2D tile is skipped when it is filled and read in the transposed pass.
//@ array in float 64 iota
//@ array out float 64 zero
//@ launch b_tile_hole<<<1, dim3(8,8)>>>(in, out, 6, 2)
//@found uninitialized tile-hole
//@element tile[2][6]
__global__ void b_tile_hole(const float *in, float *out, int hx, int hy) {
  __shared__ float tile[8][9];
  int x = threadIdx.x, y = threadIdx.y;
  if (x != hx || y != hy) tile[y][x] = in[y * 8 + x];
  __syncthreads();
  float v = tile[x][y]; // tile-hole
  out[y * 8 + x] = v;
}

// Wrong: the first round of the double buffer reads the half that was not filled.
//@ array in int 96 iota
//@ array out int 32 zero
//@ launch b_wrong_half<<<1, 32>>>(in, out, 3)
//@found uninitialized wrong-half
__global__ void b_wrong_half(const int *in, int *out, int rounds) {
  __shared__ int s[2][32];
  int t = threadIdx.x;
  int cur = 0, sum = 0;
  s[cur][t] = in[t];
  __syncthreads();
  for (int r = 1; r < rounds; ++r) {
    sum += s[cur ^ 1][31 - t]; // wrong-half
    __syncthreads();
    s[cur ^ 1][t] = in[r * 32 + t];
    cur ^= 1;
    __syncthreads();
  }
  out[t] = sum;
}

// Wrong: the first block leaves its left halo cell unset.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_halo_unset<<<1, 64>>>(in, out, 64)
//@found uninitialized halo-unset
//@element s[0]
__global__ void b_halo_unset(const int *in, int *out, int n) {
  __shared__ int s[66];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t + 1] = in[i];
  if (t == 0 && i > 0) s[0] = in[i - 1];
  if (t == blockDim.x - 1) s[t + 2] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  int v = s[t + 1] + s[t + 2];
  v += s[t]; // halo-unset
  out[i] = v;
}

// Wrong: the counter of a compaction was never set to zero.
//@ array in int 32 list:1,0
//@ array out int 32 zero
//@ array cnt int 1
//@ launch b_counter_unset<<<1, 32>>>(in, out, cnt)
//@found uninitialized counter-unset
//@element cnt[0]
__global__ void b_counter_unset(const int *in, int *out, int *cnt) {
  int t = threadIdx.x;
  if (in[t]) {
    int pos = atomicAdd(cnt, 1); // counter-unset
    if (pos >= 0 && pos < 32) out[pos] = t;
  }
}

// Wrong: the zeroing of the shared bins stops one bin early.
//@ array in int 32 list:0,5,15,9
//@ array out int 16 zero
//@ launch b_bins_unset<<<1, 32>>>(in, out, 16)
//@found uninitialized bins-unset
//@element bins[15]
__global__ void b_bins_unset(const int *in, int *out, int nb) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < nb - 1) bins[t] = 0;
  __syncthreads();
  int old = atomicAdd(&bins[in[t]], 1); // bins-unset
  __syncthreads();
  if (old == 0) out[in[t]] = 1;
}

// Wrong: every thread takes scratch memory from the heap and none gives it back.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch b_leak_scratch<<<1, 32>>>(in, out, 4)
//@found leak leak-scratch
__global__ void b_leak_scratch(const int *in, int *out, int n) {
  int t = threadIdx.x;
  int *p = (int *)malloc(n * sizeof(int)); // leak-scratch
  if (!p) return;
  for (int i = 0; i < n; ++i) p[i] = in[(t + i) & 31];
  int s = 0;
  for (int i = 0; i < n; ++i) s += p[p[i] % n];
  out[t] = s;
}

// Wrong: the early return for odd values forgets free.
//@ array in int 8 iota
//@ array out int 8 zero
//@ launch b_leak_return<<<1, 8>>>(in, out, 4)
//@found leak leak-return
__global__ void b_leak_return(const int *in, int *out, int n) {
  int t = threadIdx.x;
  int *p = (int *)malloc(n * sizeof(int)); // leak-return
  if (!p) return;
  for (int i = 0; i < n; ++i) p[i] = in[t] + i;
  int v = p[in[t] % n];
  out[t] = v;
  if (in[t] & 1) return;
  free(p);
}

struct B_Node {
  int v;
  B_Node *next;
};
// Wrong: the list is dropped after its head alone was freed.
//@ array out int 1 zero
//@ launch b_leak_list<<<1, 1>>>(out, 5)
//@found leak leak-list
__global__ void b_leak_list(int *out, int n) {
  B_Node *head = nullptr;
  for (int i = 0; i < n; ++i) {
    B_Node *x = (B_Node *)malloc(sizeof(B_Node)); // leak-list
    if (!x) return;
    x->v = i;
    x->next = head;
    head = x;
  }
  int s = 0;
  for (B_Node *p = head; p; p = p->next) s += p->v;
  out[0] = s;
  free(head);
}

// Wrong: the block's buffer is known to shared memory only, which ends with the block.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_leak_shared<<<2, 32>>>(in, out)
//@found leak leak-shared
__global__ void b_leak_shared(const int *in, int *out) {
  __shared__ int *buf;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0)
    buf = (int *)malloc(blockDim.x * sizeof(int)); // leak-shared
  __syncthreads();
  if (!buf) return;
  buf[t] = in[i];
  __syncthreads();
  out[i] = buf[31 - t];
}

__device__ int *b_keep;
// Wrong: the second new overwrites the only pointer to the first.
//@ array out int 2 zero
//@ launch b_leak_over<<<1, 1>>>(out, 8)
//@found leak leak-over
__global__ void b_leak_over(int *out, int n) {
  b_keep = new int[n]; // leak-over
  if (!b_keep) return;
  for (int i = 0; i < n; ++i) b_keep[i] = i;
  out[0] = b_keep[n - 1];
  b_keep = new int[2 * n];
  if (!b_keep) return;
  for (int i = 0; i < 2 * n; ++i) b_keep[i] = 2 * i;
  out[1] = b_keep[2 * n - 1];
}

// Wrong: a growing vector forgets its old buffers.
//@ array in int 20 iota
//@ array out int 1 zero
//@ launch b_leak_grow<<<1, 1>>>(in, out, 20)
//@found leak leak-grow
__global__ void b_leak_grow(const int *in, int *out, int n) {
  int cap = 4, len = 0;
  int *v = (int *)malloc(cap * sizeof(int)); // leak-grow
  if (!v) return;
  for (int i = 0; i < n; ++i) {
    if (len == cap) {
      int *w = v; 
      if (cap == 4) { 
        w = (int *)malloc(32 * sizeof(int));
        if (!w) return;
        for (int k = 0; k < len; ++k) w[k] = v[k];
        cap = 32;
      }
      v = w;
    }
    v[len++] = in[i];
  }
  int s = 0;
  for (int k = 0; k < len; ++k) s += v[v[k] % n];
  out[0] = s;
  free(v);
}

// Wrong: a task's queue node is made by one thread and taken out by another, which drops it.
//@ array out int 32 zero
//@ launch b_leak_task<<<1, 32>>>(out, 3)
//@found leak leak-task
__global__ void b_leak_task(int *out, int f) {
  __shared__ B_Node *slot[32];
  int t = threadIdx.x;
  B_Node *x = (B_Node *)malloc(sizeof(B_Node)); // leak-task
  if (x) { x->v = f * t; x->next = nullptr; }
  slot[t] = x;
  __syncthreads();
  B_Node *y = slot[(t + 1) & 31];
  if (!y) return;
  out[t] = y->v;
  if (t != 9) free(y);
}
