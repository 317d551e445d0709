// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Wrong kernels: more of memory (the second half) and first ones of synchronisation.

// Wrong: the lower triangle's row start is taken for n rows and the last row leaves the packed array.
//@ array tri float 10 iota
//@ array other float 10 iota
//@ array out float 4 zero
//@ launch b_packed_row<<<1, 1>>>(tri, out, 4)
//@found out-of-bounds packed-row
//@element tri[10]
__global__ void b_packed_row(const float *tri, float *out, int n) {
  for (int r = 0; r < n; ++r) {
    float s = 0;
    for (int c = 0; c <= r + (r == n - 1); ++c)
      s += tri[r * (r + 1) / 2 + c]; // packed-row
    out[r] = s;
  }
}

// Wrong: CSR row pointers: the last row reads rowptr[n+1].
//@ array rowptr int 5 list:0,2,3,5,6
//@ array val int 6 iota
//@ array out int 5 zero
//@ launch b_csr_rows<<<1, 8>>>(rowptr, val, out, 5)
//@found out-of-bounds csr-rows
//@element rowptr[5]
__global__ void b_csr_rows(const int *rowptr, const int *val, int *out, int rows) {
  int r = threadIdx.x;
  if (r < rows) {
    int a = rowptr[r];
    int b = rowptr[r + 1]; // csr-rows
    int s = 0;
    for (int k = a; k < b && k < 6; ++k) s += val[k];
    out[r] = s;
  }
}

// Wrong: the binary search takes hi = n and reads a[n] for a key larger than all.
//@ array a int 16 iota
//@ array b int 16 iota
//@ array out int 1 zero
//@ launch b_search_hi<<<1, 1>>>(a, out, 16, 100)
//@found out-of-bounds search-hi
//@element a[16]
__global__ void b_search_hi(const int *a, int *out, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] < key) lo = mid + 1; else hi = mid;
  }
  int found = a[lo] == key; // search-hi
  out[0] = found ? lo : -1;
}

// Wrong: the stop mark is looked for where none is, beyond the string.
//@ array s u8 12 value:120
//@ array behind u8 12 zero
//@ array out int 1 zero
//@ launch b_strlen_over<<<1, 1>>>(s, out)
//@found out-of-bounds strlen-over
//@element s[12]
__global__ void b_strlen_over(const unsigned char *s, int *out) {
  int n = 0;
  while (s[n] != 0) ++n; // strlen-over
  out[0] = n;
}

// Wrong: the ring's read index is wrapped after the access in place of before.
//@ array in int 40 iota
//@ array out int 40 zero
//@ launch b_ring_wrap<<<1, 1>>>(in, out, 40)
//@found out-of-bounds ring-wrap
//@element ring[16]
__global__ void b_ring_wrap(const int *in, int *out, int n) {
  __shared__ int ring[16];
  __shared__ int log[16];
  int w = 0;
  for (int i = 0; i < n; ++i) {
    ring[w] = in[i]; // ring-wrap
    log[i & 15] = i;
    out[i] = ring[i & 15] + log[(i * 16) & 15];
    if (w > 15) w = 0; else ++w;
  }
}

struct B_Mat {
  float m[3][3];
};
__device__ B_Mat b_mats[2];
__device__ float b_behind_mats[8];
// Wrong: a row index of 3 in the last matrix of the module's array.
//@ array out float 12 zero
//@ launch b_matrix_row<<<1, 1>>>(out, 4)
//@found out-of-bounds matrix-row
__global__ void b_matrix_row(float *out, int rows) {
  for (int r = 0; r < rows; ++r) {
    b_behind_mats[r] = r;
    b_mats[1].m[r][0] = r + 1; // matrix-row
    out[r] = b_mats[1].m[r % 3][0] + b_behind_mats[r];
  }
}

// Wrong: bytes are copied in int4 pieces, one piece more than there is.
//@ array src u8 64 iota
//@ array tail u8 64 iota
//@ array dst u8 128 zero
//@ launch b_int4_copy<<<1, 5>>>(src, dst)
//@found out-of-bounds int4-copy
//@element src[64]
__global__ void b_int4_copy(const unsigned char *src, unsigned char *dst) {
  int t = threadIdx.x;
  reinterpret_cast<int4 *>(dst)[t] = reinterpret_cast<const int4 *>(src)[t]; // int4-copy
}

// Wrong: a 3D index uses the wrong extent: z * nx * nx with nx > ny.
//@ array vol float 24 iota
//@ array vol2 float 24 iota
//@ array out float 2 zero
//@ launch b_volume<<<1, 1>>>(vol, out, 4, 3, 2)
//@found out-of-bounds volume-extent
//@element vol[24]
__global__ void b_volume(const float *vol, float *out, int nx, int ny, int nz) {
  for (int z = 0; z < nz; ++z) {
    float s = 0;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        s += vol[z * nx * nx + y * nx + x]; // volume-extent
    out[z] = s;
  }
}

// Wrong: a lookup table on the stack is indexed with a negative key (signed char).
//@ array text i8 4 list:1,2,-1,3
//@ array out int 4 zero
//@ launch b_signed_key<<<1, 4>>>(text, out, 7)
//@found out-of-bounds signed-key
// No element is told: the local arrays of a function lie in one piece.
__global__ void b_signed_key(const signed char *text, int *out, int f) {
  int lut[8];
  for (int i = 0; i < 8; ++i) lut[i] = f * i;
  int t = threadIdx.x;
  int v = lut[text[t]]; // signed-key
  out[t] = v;
}

// Wrong: the second malloc'ed row's end is overrun, rows being one element shorter than thought.
//@ array w int 1 list:8
//@ array out int 2 zero
//@ launch b_jagged<<<1, 1>>>(w, out)
//@found out-of-bounds jagged-row
__global__ void b_jagged(const int *w, int *out) {
  int n = w[0];
  int *row[2];
  row[0] = (int *)malloc(n * sizeof(int));
  row[1] = (int *)malloc((n - 1) * sizeof(int));
  if (!row[0] || !row[1]) return;
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < n; ++i)
      row[n & 1 ? 0 : r][i] = r + i; // jagged-row
  out[0] = row[0][n - 2];
  out[1] = row[1][n - 2];
  free(row[0]);
  free(row[1]);
}

// Wrong: the pointer is moved back before the array by a template's halo.
//@ array in float 32 iota
//@ array out float 32 zero
//@ launch b_window<2><<<1, 28>>>(in, out)
//@found out-of-bounds window-back
//@element in[-1]
template <int R>
__global__ void b_window(const float *in, float *out) {
  int i = threadIdx.x + R;
  float s = 0;
  for (int k = -R - (i == R); k <= R; ++k)
    s += in[i + k]; // window-back
  out[i] = s;
}
template __global__ void b_window<2>(const float *, float *);

// Wrong: an offset in bytes is added to an int pointer.
//@ array in int 32 iota
//@ array pad int 512 iota
//@ array out int 32 zero
//@ launch b_byte_offset<<<1, 9>>>(in, out)
//@found out-of-bounds byte-offset
//@element in[32]
__global__ void b_byte_offset(const int *in, int *out) {
  int t = threadIdx.x;
  const int *p = in + t * sizeof(int);
  out[t] = *p; // byte-offset
}

// Wrong: nine 64-bit words are read where the ints make eight.
//@ array in int 16 iota
//@ array out u64 9 zero
//@ launch b_long_pairs<<<1, 9>>>(in, out)
//@found out-of-bounds long-pairs
//@element in[16]
__global__ void b_long_pairs(const int *in, unsigned long long *out) {
  int t = threadIdx.x;
  out[t] = reinterpret_cast<const unsigned long long *>(in)[t]; // long-pairs
}

// Wrong: a local buffer of digits is one too small for its number.
//@ array num u32 1 list:123456
//@ array out u8 8 zero
//@ launch b_digits<<<1, 1>>>(num, out)
//@found out-of-bounds digits-end
//@missed
//@element d[5]
__global__ void b_digits(const unsigned *num, unsigned char *out) {
  unsigned char d[5];
  unsigned v = num[0];
  int n = 0;
  while (v) {
    d[n++] = '0' + v % 10; // digits-end
    v /= 10;
  }
  for (int i = 0; i < 5; ++i) out[i] = d[(n - 1 - i) % 5];
}

// Wrong: one thread more than floats writes the second part of the carved-up dynamic shared memory.
//@ array in float 32 iota
//@ array out float 32 zero
//@ launch b_carve_bytes<<<1, 33, 256>>>(in, out, 32)
//@found out-of-bounds carve-bytes
__global__ void b_carve_bytes(const float *in, float *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  float *a = reinterpret_cast<float *>(raw);
  float *b = a + n;
  int t = threadIdx.x;
  if (t < n) a[t] = in[t];
  b[t] = 2.0f * t; // carve-bytes
  __syncthreads();
  if (t < n) out[t] = a[n - 1 - t] + b[t];
}

// Wrong: a partly written malloc'ed struct array is copied on: one count was never set.
//@ array in int 8 iota
//@ array out int 8 zero
//@ launch b_malloc_record<<<1, 1>>>(in, out, 8, 6)
//@found uninitialized malloc-record
__global__ void b_malloc_record(const int *in, int *out, int n, int skip) {
  struct R { int key, count; };
  R *r = (R *)malloc(n * sizeof(R));
  if (!r) return;
  for (int i = 0; i < n; ++i) {
    r[i].key = in[i];
    if (i != skip) r[i].count = 1;
  }
  for (int i = 0; i < n; ++i) r[in[i]].key += in[n - 1 - i];
  for (int i = 0; i < n; ++i) {
    int c = r[i].count; // malloc-record
    out[i] = r[i].key * c;
  }
  free(r);
}

// Wrong: the result array's last element is never computed by pass one, and pass two reads it.
//@ array in int 32 iota
//@ array tmp int 32
//@ array out int 32 zero
//@ launch b_two_pass<<<1, 32>>>(in, tmp, out, 31)
//@found uninitialized two-pass
//@element tmp[31]
__global__ void b_two_pass(const int *in, int *tmp, int *out, int n) {
  int t = threadIdx.x;
  if (t < n) tmp[t] = in[t] + in[t + 1];
  __syncthreads();
  out[t] = tmp[31 - t]; // two-pass
}

// Wrong: the running maximum of a warp's shared slots includes a slot that no warp filled.
//@ array in int 96 iota
//@ array out int 1 zero
//@ launch b_warp_slots<<<1, 96>>>(in, out, 4)
//@found uninitialized warp-slots
//@element slot[3]
__global__ void b_warp_slots(const int *in, int *out, int slots) {
  __shared__ int slot[32];
  int t = threadIdx.x, v = in[t];
  for (int d = 16; d; d >>= 1) v = max(v, __shfl_down_sync(~0u, v, d));
  if ((t & 31) == 0) slot[t >> 5] = v;
  __syncthreads();
  if (t == 0) {
    int m = slot[0];
    for (int k = 1; k < slots; ++k)
      m = max(m, slot[k]); // warp-slots
    out[0] = m;
  }
}

// Wrong: a second kernel-wide result is read from an array that only other elements were written in.
//@ array key u16 16
//@ array out int 16 zero
//@ launch b_sparse_write<<<1, 8>>>(key, out, 9)
//@found uninitialized sparse-write
//@element key[9]
__global__ void b_sparse_write(unsigned short *key, int *out, int look) {
  int t = threadIdx.x;
  key[2 * t] = 100 + t;
  __syncthreads();
  if (t == 3)
    out[t] = key[look]; // sparse-write
}

// Wrong: a freed buffer's neighbour is alive, but the stale pointer still writes to the freed one.
//@ array n int 1 list:16
//@ array out int 1 zero
//@ launch b_stale_write<<<1, 32>>>(n, out)
//@found use-after-free stale-write
__global__ void b_stale_write(const int *n, int *out) {
  __shared__ int *a, *b;
  int t = threadIdx.x, m = n[0];
  if (t == 0) {
    a = (int *)malloc(m * sizeof(int));
    b = (int *)malloc(m * sizeof(int));
  }
  __syncthreads();
  if (!a || !b) return;
  if (t < m) { a[t] = t; b[t] = -t; }
  __syncthreads();
  if (t == 1) free(a);
  __syncthreads();
  if (t == 2)
    a[m - 1] = 5; // stale-write
  __syncthreads();
  if (t == 0) { out[0] = b[m - 1]; free(b); }
}
