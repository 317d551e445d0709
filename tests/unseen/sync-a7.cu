// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Bounds and unwritten memory.

// Wrong: <= in the loop's bound; one element past the array is read.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_le_bound<<<1, 1>>>(out, in, 64)
//@found out-of-bounds le-bound
//@element in[64]
__global__ void a_le_bound(int* out, const int* in, int n) {
    int sum = 0;
    for (int i = 0; i <= n; i++) sum += in[i]; // le-bound
    out[0] = sum;
}

// Wrong: the last thread reads one past its shared array; the second array lies there.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_shared_past<<<1, 64>>>(out, in)
//@found out-of-bounds shared-past
//@element a[64]
__global__ void a_shared_past(int* out, const int* in) {
    __shared__ int a[64];
    __shared__ int b[64];
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = in[63 - t];
    __syncthreads();
    out[t] = a[t + 1] - b[t]; // shared-past
}

// Wrong: a constant table is indexed with 8 of 8 entries.
//@ array out int 16
//@ launch a_const_past<<<1, 9>>>(out)
//@found out-of-bounds const-past
//@element a_weights[8]
__constant__ int a_weights[8] = {1, 3, 5, 7, 11, 13, 17, 19};
__global__ void a_const_past(int* out) {
    out[threadIdx.x] = a_weights[threadIdx.x] * 2; // const-past
}

// Wrong: a __device__ table of 16 bins is hit with bin 16 (the value 256).
//@ array in int 32 list:0,16,255,31,64,80,256,9
//@ launch a_bin_past<<<1, 32>>>(in)
//@found out-of-bounds bin-past
//@element a_bins[16]
__device__ int a_bins[16];
__global__ void a_bin_past(const int* in) {
    atomicAdd(&a_bins[in[threadIdx.x] / 16], 1); // bin-past
}

// Wrong: the left neighbour of the first cell is read.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_left_edge<<<2, 32>>>(out, in, 64)
//@found out-of-bounds left-edge
//@element in[-1]
__global__ void a_left_edge(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r = i + 1 < n ? in[i + 1] : 0;
    out[i] = in[i - 1] + r; // left-edge
}

// Wrong: the shared tile is filled up to n = 63 only, but all 64 cells are summed.
//@ array out int 1
//@ array in int 63 iota
//@ launch a_tile_tail<<<1, 64>>>(out, in, 63)
//@found uninitialized tile-tail
//@element s[63]
__global__ void a_tile_tail(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) s[t] = in[t];
    __syncthreads();
    for (int o = 32; o; o >>= 1) {
        int v = t < o ? s[t + o] : 0; // tile-tail
        __syncthreads();
        if (t < o) s[t] += v;
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}

// Wrong: a private stack is popped once more than it was pushed: the slot above was never written.
//@ array out int 32
//@ array in int 32 value:5
//@ launch a_stack_slot<<<1, 32>>>(out, in)
//@found uninitialized stack-slot
__global__ void a_stack_slot(int* out, const int* in) {
    int st[16];
    int n = in[threadIdx.x], sum = 0;
    for (int i = 0; i < n; i++) st[i] = in[(threadIdx.x + i) & 31] * i;
    for (int i = n; i > 0; i--) sum += st[i] * i; // stack-slot
    out[threadIdx.x] = sum;
}

// Wrong: a kernel accumulates into an array that nobody has cleared.
//@ array acc float 32
//@ array in float 32 iota
//@ launch a_acc_dirty<<<1, 1>>>(acc, in, 7)
//@found uninitialized acc-dirty
//@element acc[7]
__global__ void a_acc_dirty(float* acc, const float* in, int i) {
    acc[i] += in[i] * 2.0f; // acc-dirty
}

// Wrong: dynamic shared memory is launched for one array of 64 ints, the kernel carves out two.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_carve_small<<<1, 64, 256>>>(out, in)
//@found out-of-bounds carve-small
extern __shared__ int a_dyn[];
__global__ void a_carve_small(int* out, const int* in) {
    int* first = a_dyn;
    int* second = a_dyn + blockDim.x;
    int t = threadIdx.x;
    first[t] = in[t];
    second[t] = in[t] * 2; // carve-small
    __syncthreads();
    out[t] = first[63 - t] + second[t];
}

// Wrong: float4 loads over 30 floats; the last load reaches two floats past the end.
//@ array out float 8
//@ array in float 30 iota
//@ launch a_vec_tail<<<1, 8>>>(out, in, 30)
//@found out-of-bounds vec-tail
__global__ void a_vec_tail(float* out, const float* in, int n) {
    int t = threadIdx.x;
    if (t * 4 < n) {
        float4 v = reinterpret_cast<const float4*>(in)[t]; // vec-tail
        out[t] = v.x + v.y + v.z + v.w;
    }
}

// Right: structs with padding are copied whole; the padding was never written.
//@ array out int 64
//@ array in int 32 iota
//@ launch a_padding<<<1, 32>>>(out, in)
//@none
struct APadded { char tag; int val; short end; };
__global__ void a_padding(int* out, const int* in) {
    __shared__ APadded a[32], b[32];
    int t = threadIdx.x;
    a[t].tag = (char)in[t];
    a[t].val = in[t] * 1000;
    a[t].end = (short)(in[t] + 1);
    __syncthreads();
    b[t] = a[31 - t];
    __syncthreads();
    out[2 * t] = b[t ^ 1].val;
    out[2 * t + 1] = b[t ^ 1].tag + b[t ^ 1].end;
}

// Right: every index is past the end in the last block, but the guard comes first.
//@ array out int 50
//@ array in int 50 iota
//@ launch a_guarded<<<4, 16>>>(out, in, 50)
//@none
__global__ void a_guarded(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int* p = in + (i < n ? i : n);
    if (p != in + n) out[i] = *p + (i + 1 < n ? p[1] : 0);
}

// Right: dynamic shared memory carved into doubles, ints and bytes, just as large as launched.
//@ array out double 32
//@ array in int 32 iota
//@ launch a_carve_right<<<1, 32, 416>>>(out, in)
//@none
extern __shared__ __align__(16) unsigned char a_raw[];
__global__ void a_carve_right(double* out, const int* in) {
    int n = blockDim.x, t = threadIdx.x;
    double* d = reinterpret_cast<double*>(a_raw);
    int* i = reinterpret_cast<int*>(d + n);
    unsigned char* c = reinterpret_cast<unsigned char*>(i + n);
    d[t] = in[t] * 0.25;
    i[t] = in[t] * 3;
    c[t] = (unsigned char)(200 + t);
    __syncthreads();
    out[t] = d[n - 1 - t] + i[t ^ 3] + c[(t + 9) % n];
}

// Right: a halo tile; only the halo cells that exist are loaded and only those are read.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_halo_tile<<<2, 32>>>(out, in, 64)
//@none
__global__ void a_halo_tile(int* out, const int* in, int n) {
    __shared__ int s[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 1] = in[i];
    if (t == 0 && i > 0) s[0] = in[i - 1];
    if (t == 31 && i + 1 < n) s[33] = in[i + 1];
    __syncthreads();
    int sum = s[t + 1];
    if (i > 0) sum += s[t];
    if (i + 1 < n) sum += s[t + 2];
    out[i] = sum;
}

// Right: an unwritten array is read only where the bitmap says that it was written in this kernel.
//@ array tmp int 64
//@ array out int 64
//@ array in int 64 iota
//@ launch a_written_only<<<1, 64>>>(tmp, out, in)
//@none
__global__ void a_written_only(int* tmp, int* out, const int* in) {
    __shared__ unsigned set[2];
    int t = threadIdx.x;
    if (t < 2) set[t] = 0;
    __syncthreads();
    if (in[t] % 3 == 0) {
        tmp[t] = in[t] * 7;
        atomicOr(&set[t >> 5], 1u << (t & 31));
    }
    __syncthreads();
    int o = 63 - t;
    out[t] = (set[o >> 5] >> (o & 31)) & 1 ? tmp[o] : -1;
}

// Right: a local array with run-time indices, every slot written before it is read.
//@ array out int 32
//@ array in int 32 random:0:7
//@ launch a_local_count<<<1, 32>>>(out, in)
//@none
__global__ void a_local_count(int* out, const int* in) {
    int cnt[8];
    for (int k = 0; k < 8; k++) cnt[k] = k;
    for (int i = 0; i < 32; i++) cnt[in[(threadIdx.x + i) & 31] & 7] += i;
    out[threadIdx.x] = cnt[in[threadIdx.x] & 7];
}

// Right: a 64-bit value is built from two 32-bit writes and read whole.
//@ array out u64 32
//@ array in u32 64 iota
//@ launch a_two_halves<<<1, 64>>>(out, in)
//@none
__global__ void a_two_halves(unsigned long long* out, const unsigned* in) {
    __shared__ uint2 w[32];
    int t = threadIdx.x;
    if (t & 1) w[t >> 1].y = in[t];
    else w[t >> 1].x = in[t];
    __syncthreads();
    if (t < 32) {
        uint2 v = w[31 - t];
        out[t] = ((unsigned long long)v.y << 32) | v.x;
    }
}

// Right: the pointer walks backwards and ends before the array, but it isn't read there.
//@ array out int 1
//@ array in int 40 iota
//@ launch a_backwards<<<1, 1>>>(out, in, 40)
//@none
__global__ void a_backwards(int* out, const int* in, int n) {
    int sum = 0;
    for (int i = n - 1; i >= 0; i--) sum = sum * 3 + in[i];
    out[0] = sum;
}

// Right: float4 loads for the full quarters, floats for the rest.
//@ array out float 1 zero
//@ array in float 30 value:1.5
//@ launch a_vec_rest<<<1, 8>>>(out, in, 30)
//@none
__global__ void a_vec_rest(float* out, const float* in, int n) {
    int t = threadIdx.x;
    float sum = 0;
    if (t * 4 + 3 < n) {
        float4 v = reinterpret_cast<const float4*>(in)[t];
        sum = v.x + v.y + v.z + v.w;
    } else {
        for (int i = t * 4; i < n; i++) sum += in[i];
    }
    atomicAdd(out, sum);
}

// Right: a tile of 20 rows in a 32-wide block; threads beyond the matrix write zeros so that all cells are set.
//@ array out int 1024 zero
//@ array in int 400 iota
//@ launch a_ragged_tile<<<1, dim3(32,32)>>>(out, in, 20)
//@none
__global__ void a_ragged_tile(int* out, const int* in, int w) {
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x < w && y < w ? in[y * w + x] : 0;
    __syncthreads();
    out[y * 32 + x] = tile[x][y];
}
