// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: accesses beyond their array.

// Wrong: the three-point stencil guards the left end but not the right one.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch b_stencil_right<<<1, 64>>>(in, out, 64)
//@found out-of-bounds stencil-right
//@element in[64]
__global__ void b_stencil_right(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    out[i] = in[i - 1] + in[i] +
             in[i + 1]; // stencil-right
}

// Wrong: the stencil's left neighbour of element 0 is read, out[-1] of the other array perhaps.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch b_stencil_left<<<2, 32>>>(in, out, 64)
//@found out-of-bounds stencil-left
//@element in[-1]
__global__ void b_stencil_left(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1) return;
  int r = in[i + 1];
  int l = in[i - 1]; // stencil-left
  out[i] = r - l;
}

// Wrong: a[32] is read, which lies in the shared array beside a.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch b_shared_side<<<1, 32>>>(in, out)
//@found out-of-bounds shared-side
//@element a[32]
__global__ void b_shared_side(const int *in, int *out) {
  __shared__ int a[32];
  __shared__ int b[32];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[31 - t];
  __syncthreads();
  int d = b[31 - t];
  d += a[t + 1]; // shared-side
  out[t] = d;
}

// Wrong: the index wraps below the array: hi[-1] is lo[31] in memory, perhaps.
//@ array out float 32 zero
//@ array in float 32 iota
//@ launch b_shared_below<<<1, 32>>>(in, out, 1)
//@found out-of-bounds shared-below
//@element hi[-1]
__global__ void b_shared_below(const float *in, float *out, int back) {
  __shared__ float lo[32];
  __shared__ float hi[32];
  int t = threadIdx.x;
  lo[t] = in[t];
  hi[t] = in[t] * 2.0f;
  __syncthreads();
  float x = hi[t - back]; // shared-below
  out[t] = x + lo[31 - t];
}

// Wrong: the row below the last row of a 2D tile is read.
//@ array out float 256 zero
//@ array in float 256 iota
//@ launch b_tile_row<<<1, dim3(16,16)>>>(in, out, 3)
//@found out-of-bounds tile-row
//@element tile[16][3]
__global__ void b_tile_row(const float *in, float *out, int col) {
  __shared__ float tile[16][17];
  __shared__ float next[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  next[y][x] = -in[y * 16 + x];
  __syncthreads();
  float v = next[15 - y][x];
  if (x == col)
    v += tile[y + 1][x]; // tile-row
  out[y * 16 + x] = v;
}

// Wrong: a value of 8 counts in bin 8 of a private histogram of 8 bins.
//@ array in int 10 list:0,3,7,2,5,8,1,1,0,4
//@ array out int 8 zero
//@ launch b_local_hist<<<1, 1>>>(in, out, 10)
//@found out-of-bounds local-hist
// No element is told: the local arrays of a function lie in one piece.
__global__ void b_local_hist(const int *in, int *out, int n) {
  int h[8];
  for (int i = 0; i < 8; ++i) h[i] = 0;
  for (int i = 0; i < n; ++i)
    h[in[i]] += 1; // local-hist
  for (int i = 0; i < 8; ++i) out[i] = h[(i + n) & 7];
}

// Wrong: the local array a is overrun into the local array b.
//@ array idx int 6 list:0,1,2,3,4,1
//@ array out int 8 zero
//@ launch b_local_pair<<<1, 1>>>(idx, out, 6)
//@found out-of-bounds local-pair
//@missed
//@element a[4]
__global__ void b_local_pair(const int *idx, int *out, int n) {
  int a[4], b[4];
  for (int i = 0; i < 4; ++i) { a[i] = n + i; b[i] = n - i; }
  for (int i = 0; i < n; ++i) {
    b[idx[n - 1 - i] & 3] += i;
    a[idx[i]] = b[idx[i] & 3]; // local-pair
  }
  for (int i = 0; i < 4; ++i) { out[i] = a[idx[i]]; out[i + 4] = b[idx[i]]; }
}

__device__ int b_tab_lo[16];
__device__ int b_tab_hi[16];
// Wrong: element 16 of a module variable of 16 is written.
//@ array out int 17 zero
//@ launch b_module_next<<<1, 17>>>(out, 5)
//@found out-of-bounds module-next
//@element b_tab_lo[16]
__global__ void b_module_next(int *out, int v) {
  int t = threadIdx.x;
  if (t < 16) b_tab_hi[t] = v - t;
  if (t <= 16)
    b_tab_lo[t] = v + t; // module-next
  __syncthreads();
  if (t < 16) out[t] = b_tab_hi[15 - t] + b_tab_lo[t];
}

__constant__ float b_coef[5] = {1.f, 4.f, 6.f, 4.f, 1.f};
__constant__ float b_coef_next[5] = {9.f, 9.f, 9.f, 9.f, 9.f};
// Wrong: the loop over the coefficients runs once too often (<=).
//@ array in float 64 iota
//@ array out float 64 zero
//@ launch b_const_over<<<1, 32>>>(in, out, 5)
//@found out-of-bounds const-over
//@element b_coef[5]
__global__ void b_const_over(const float *in, float *out, int taps) {
  int t = threadIdx.x;
  float s = b_coef_next[t % taps];
  for (int k = 0; k <= taps; ++k) {
    float x = in[t + k];
    s += x * b_coef[k]; // const-over
  }
  out[t] = s;
}

// Wrong: the string's terminator is written behind a malloc'ed piece, into the next piece perhaps.
//@ array len int 1 list:16
//@ array out int 2 zero
//@ launch b_malloc_term<<<1, 1>>>(len, out)
//@found out-of-bounds malloc-term
__global__ void b_malloc_term(const int *len, int *out) {
  int n = len[0];
  char *s = (char *)malloc(n);
  char *q = (char *)malloc(n);
  if (!s || !q) return;
  for (int i = 0; i < n; ++i) { s[i] = 'a' + i; q[i] = 'A' + i; }
  s[n] = 0; // malloc-term
  int k = 0;
  while (k < n && s[k]) k++;
  out[0] = k;
  out[1] = q[n - 1];
  free(s);
  free(q);
}

// Wrong: the guard of a float4 fill is <=, so that thread 16 writes floats 64 to 67 of 64.
//@ array out float 64 zero
//@ array after float 64 zero
//@ launch b_float4_fill<<<1, 32>>>(out, 64, 1.5)
//@found out-of-bounds float4-fill
//@element out[64]
__global__ void b_float4_fill(float *out, int n, float v) {
  int i = threadIdx.x;
  if (i <= n / 4)
    reinterpret_cast<float4 *>(out)[i] = make_float4(v, v, v, v); // float4-fill
}

// Wrong: bytes are cleared by words, rounded up: the last word sticks out of the 30 bytes.
//@ array buf u8 30 iota
//@ array after u8 32 iota
//@ launch b_word_clear<<<1, 32>>>(buf, 30)
//@found out-of-bounds word-clear
__global__ void b_word_clear(unsigned char *buf, int n) {
  int i = threadIdx.x;
  if (i < (n + 3) / 4)
    reinterpret_cast<unsigned *>(buf)[i] = 0u; // word-clear
}

// Wrong: the terminating zero goes one byte behind the array.
//@ array src u8 16 value:65
//@ array buf u8 16 zero
//@ array other u8 16 iota
//@ launch b_byte_end<<<1, 16>>>(src, buf, 16)
//@found out-of-bounds byte-end
//@element buf[16]
__global__ void b_byte_end(const unsigned char *src, unsigned char *buf, int n) {
  int i = threadIdx.x;
  if (i < n) buf[i] = src[i] + 1;
  if (i == 0)
    buf[n] = 0; // byte-end
}

// Wrong: the kernel gets a pointer to the middle and the length of the whole.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch b_mid_pointer<<<1, 1>>>(in+32, out, 64)
//@found out-of-bounds mid-pointer
//@element in[64]
__global__ void b_mid_pointer(const int *p, int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    s += p[i]; // mid-pointer
    out[i] = s;
  }
}

// Wrong: the dynamic shared memory has no room for the halo cell.
//@ array in int 33 iota
//@ array out int 32 zero
//@ launch b_dyn_halo<<<1, 32, 128>>>(in, out)
//@found out-of-bounds dyn-halo
//@element s[32]
__global__ void b_dyn_halo(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t == 0)
    s[blockDim.x] = in[blockDim.x]; // dyn-halo
  __syncthreads();
  out[t] = s[t] + s[t + 1];
}

// Wrong: value 96 of 0..95 falls into bin 16 of 16.
//@ array in int 4 list:3,7,96,20
//@ array out int 16 zero
//@ launch b_hist_bin<<<1, 32>>>(in, out, 4)
//@found out-of-bounds hist-bin
//@element hist[16]
__global__ void b_hist_bin(const int *in, int *out, int n) {
  __shared__ int hist[16];
  __shared__ int done[16];
  int t = threadIdx.x;
  if (t < 16) { hist[t] = 0; done[t] = t; }
  __syncthreads();
  if (t < n)
    atomicAdd(&hist[in[t] / 6], 1); // hist-bin
  __syncthreads();
  if (t < 16) out[t] = hist[t] + done[15 - t];
}

// Wrong: the scan's guard is off by one, thread off-1 reads below the array.
//@ array in int 64 value:1
//@ array out int 64 zero
//@ launch b_scan_guard<<<1, 64>>>(in, out)
//@found out-of-bounds scan-guard
//@element s[-1]
__global__ void b_scan_guard(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int off = 1; off < blockDim.x; off *= 2) {
    int v = 0;
    if (t >= off - 1)
      v = s[t - off]; // scan-guard
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}

// Wrong: the transpose of a matrix that is not square uses the old width as the new one.
//@ array in float 32 iota
//@ array out float 32 zero
//@ array out2 float 32 zero
//@ launch b_transpose_wide<<<1, dim3(8,4)>>>(in, out, 8, 4)
//@found out-of-bounds transpose-wide
__global__ void b_transpose_wide(const float *in, float *out, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h)
    out[x * w + y] = in[y * w + x]; // transpose-wide
}

struct B_Particle {
  int id;
  float v[4];
};
// Wrong: v[4] of the last struct lies behind the whole shared array.
//@ array in float 16 iota
//@ array out float 4 zero
//@ launch b_member_array<<<1, 4>>>(in, out, 4)
//@found out-of-bounds member-array
__global__ void b_member_array(const float *in, float *out, int k) {
  __shared__ B_Particle p[4];
  int t = threadIdx.x;
  p[t].id = t;
  for (int i = 0; i < 4; ++i) p[t].v[i] = in[t * 4 + i];
  __syncthreads();
  float s = p[t].id;
  for (int i = 0; i < k; ++i) s += p[3 - t].v[i];
  if (t == 3)
    s += p[t].v[k]; // member-array
  out[t] = s;
}

// Wrong: nine elements pass the filter and the result has room for eight.
//@ array in int 16 list:1,0,1,1,0,1,1,0,0,1,1,0,1,1,0,0
//@ array out int 8 zero
//@ array count int 1 zero
//@ launch b_compact_full<<<1, 32>>>(in, out, count, 16)
//@found out-of-bounds compact-full
//@element out[8]
__global__ void b_compact_full(const int *in, int *out, int *count, int n) {
  int t = threadIdx.x;
  if (t < n && in[t]) {
    int pos = atomicAdd(count, 1);
    out[pos] = t; // compact-full
  }
}
