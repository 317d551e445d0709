// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory: reductions, scans, stencils, transposes, histograms, producer and consumer.
// What tests/checks.t reads: //@ lines are typed at the prompt, //@none and //@found KIND MARK say
// what a launch must find; a line that ends in a comment with the mark is meant.
// //@first COMMAND: typed before the file is loaded.
// //@nvcc: by clang 14 not judged: it forwards single shared variables across barriers, and makes
// of a lock that each lane tries a loop that nobody leaves before all have.

//@ array x float 256 iota; array y float 256
//@ launch reduce_right<<<2, 128>>>(x, y)
//@none
__global__ void reduce_right(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

//@ launch reduce_no_barrier<<<2, 128>>>(x, y)
//@found race-shared reduce-add
__global__ void reduce_no_barrier(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (t < half)
            s[t] += s[t + half]; // reduce-add
    if (t == 0)
        y[blockIdx.x] = s[0];
}

//@ launch reduce_first_barrier<<<2, 128>>>(x, y)
//@found race-shared first-add
//@may uninitialized
__global__ void reduce_first_barrier(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // first-add
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

//@ launch reduce_no_last<<<1, 64>>>(x, y)
//@found race-shared last-read
__global__ void reduce_no_last(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t];
    s[t] = 2 * x[t]; // last-read
}

//@ launch reduce_unrolled<<<2, 128>>>(x, y)
//@none
__global__ void reduce_unrolled(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (t == 0)
            y[blockIdx.x] = v;
    }
}

//@ launch reduce_volatile<<<2, 128>>>(x, y)
//@found race-shared volatile-add
__global__ void reduce_volatile(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    volatile float *v = s;
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2)
            v[t] += v[t + d]; // volatile-add
        if (t == 0)
            y[blockIdx.x] = v[0];
    }
}

//@ launch reduce_syncwarp<<<2, 128>>>(x, y)
//@none
__global__ void reduce_syncwarp(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2) {
            float v = s[t + d];
            __syncwarp();
            s[t] += v;
            __syncwarp();
        }
        if (t == 0)
            y[blockIdx.x] = s[0];
    }
}

//@ array i int 256 iota; array o int 256
//@ launch scan_right<<<1, 256>>>(i, o)
//@none
__global__ void scan_right(const int *i, int *o)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, now = 0;
    s[0][t] = i[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    o[t] = s[now][t];
}

//@ launch scan_one_array<<<1, 256>>>(i, o)
//@found race-shared scan-add
__global__ void scan_one_array(const int *i, int *o)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = i[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // scan-add
        __syncthreads();
    }
    o[t] = s[t];
}

//@ launch scan_two_barriers<<<1, 256>>>(i, o)
//@none
__global__ void scan_two_barriers(const int *i, int *o)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = i[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    o[t] = s[t];
}

//@ launch stencil_right<<<1, 256>>>(i, o)
//@none
__global__ void stencil_right(const int *i, int *o)
{
    __shared__ int s[258];
    int t = threadIdx.x;
    s[t + 1] = i[t];
    if (t == 0)
        s[0] = s[257] = 0;
    __syncthreads();
    o[t] = s[t] + s[t + 1] + s[t + 2];
}

//@ launch stencil_no_barrier<<<1, 256>>>(i, o)
//@found race-shared stencil-sum
//@may uninitialized
__global__ void stencil_no_barrier(const int *i, int *o)
{
    __shared__ int s[258];
    int t = threadIdx.x;
    s[t + 1] = i[t];
    if (t == 0)
        s[0] = s[257] = 0;
    o[t] = s[t] + s[t + 1] + s[t + 2]; // stencil-sum
}

//@ launch stencil_halo<<<1, 256>>>(i, o)
//@found uninitialized halo-sum
__global__ void stencil_halo(const int *i, int *o)
{
    __shared__ int s[258];
    int t = threadIdx.x;
    s[t + 1] = i[t];
    __syncthreads();
    o[t] = s[t] + s[t + 1] + s[t + 2]; // halo-sum
}

//@ array m float 1024 iota; array n float 1024
//@ launch transpose_right<<<1, (32,8)>>>(m, n)
//@none
__global__ void transpose_right(const float *m, float *n)
{
    __shared__ float tile[32][33];
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = m[32 * r + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        n[32 * r + threadIdx.x] = tile[threadIdx.x][r];
}

//@ launch transpose_no_barrier<<<1, (32,8)>>>(m, n)
//@found race-shared tile-out
//@may uninitialized
__global__ void transpose_no_barrier(const float *m, float *n)
{
    __shared__ float tile[32][33];
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = m[32 * r + threadIdx.x];
    for (int r = threadIdx.y; r < 32; r += 8)
        n[32 * r + threadIdx.x] = tile[threadIdx.x][r]; // tile-out
}

//@ array k u8 512 iota; array h int 256 zero
//@ launch histogram_right<<<2, 256>>>(k, h)
//@none
__global__ void histogram_right(const unsigned char *k, int *h)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    atomicAdd(&s[k[blockIdx.x * 256 + t] / 16], 1);
    __syncthreads();
    atomicAdd(&h[t], s[t]);
}

//@ launch histogram_plain<<<2, 256>>>(k, h)
//@found race-shared bin-add
__global__ void histogram_plain(const unsigned char *k, int *h)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[k[blockIdx.x * 256 + t] / 16]++; // bin-add
    __syncthreads();
    atomicAdd(&h[t], s[t]);
}

//@ launch histogram_no_zero<<<2, 256>>>(k, h)
//@found uninitialized no-zero
__global__ void histogram_no_zero(const unsigned char *k, int *h)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    atomicAdd(&s[k[blockIdx.x * 256 + t]], 1); // no-zero
    __syncthreads();
    atomicAdd(&h[t], s[t]);
}

//@ launch histogram_late_zero<<<2, 256>>>(k, h)
//@found race-shared late-add
//@may uninitialized
__global__ void histogram_late_zero(const unsigned char *k, int *h)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[255 - t] = 0;
    atomicAdd(&s[k[blockIdx.x * 256 + t]], 1); // late-add
    __syncthreads();
    atomicAdd(&h[t], s[t]);
}

//@ launch bytes_right<<<1, 128>>>(k, o)
//@none
__global__ void bytes_right(const unsigned char *k, int *o)
{
    __shared__ unsigned char s[128];
    int t = threadIdx.x;
    s[t] = k[t];
    s[t]++;
    __syncthreads();
    o[t] = s[127 - t];
}

//@ launch bytes_neighbour<<<1, 128>>>(k, o)
//@found race-shared byte-read
//@may uninitialized
__global__ void bytes_neighbour(const unsigned char *k, int *o)
{
    __shared__ unsigned char s[129];
    int t = threadIdx.x;
    s[t] = k[t];
    if (t == 0)
        s[128] = 0;
    o[t] = s[t + 1]; // byte-read
}

union both {
    float f;
    unsigned u;
    unsigned short h[2];
};

//@ launch union_right<<<1, 64>>>(x, o)
//@none
__global__ void union_right(const float *x, int *o)
{
    __shared__ union both s[64];
    int t = threadIdx.x;
    s[t].f = x[t];
    s[t].h[0] = (unsigned short)t;
    __syncthreads();
    o[t] = (int)s[63 - t].u;
}

//@ launch union_race<<<1, 64>>>(x, o)
//@found race-shared half-read
//@may uninitialized
__global__ void union_race(const float *x, int *o)
{
    __shared__ union both s[64];
    int t = threadIdx.x;
    s[t].f = x[t];
    o[t] = s[63 - t].h[1]; // half-read
}

struct padded {
    char c;
    double d;
};

//@ launch padding_right<<<1, 64>>>(x, y)
//@none
__global__ void padding_right(const float *x, float *y)
{
    __shared__ struct padded a[64], b[64];
    int t = threadIdx.x;
    a[t].c = 1;
    a[t].d = x[t];
    __syncthreads();
    b[t] = a[63 - t];
    y[t] = (float)b[t].d + b[t].c;
}

//@ launch broadcast_right<<<1, 128>>>(x, y)
//@none
//@nvcc
__global__ void broadcast_right(const float *x, float *y)
{
    __shared__ float first;
    if (threadIdx.x == 0)
        first = x[0];
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] - first;
}

//@ launch broadcast_race<<<1, 128>>>(x, y)
//@found race-shared first-read
//@nvcc
//@may uninitialized
__global__ void broadcast_race(const float *x, float *y)
{
    __shared__ float first;
    if (threadIdx.x == 0)
        first = x[0];
    y[threadIdx.x] = x[threadIdx.x] - first; // first-read
}

//@ launch same_value<<<1, 128>>>(i, o)
//@none
__global__ void same_value(const int *i, int *o)
{
    __shared__ int any;
    any = 0;
    __syncthreads();
    if (i[threadIdx.x] % 2)
        any = 1;
    __syncthreads();
    o[threadIdx.x] = any;
}

//@ launch other_values<<<1, 128>>>(i, o)
//@found race-shared last-writer
//@nvcc
__global__ void other_values(const int *i, int *o)
{
    __shared__ int last;
    last = i[threadIdx.x]; // last-writer
    __syncthreads();
    o[threadIdx.x] = last;
}

//@ launch loaded_ahead<<<1, 128>>>(i, o)
//@none
__global__ void loaded_ahead(const int *i, int *o)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    if (t == 0)
        s[0] = i[7];
    int v = t == 0 ? s[0] : 0; // compilers load s[0] in every thread, and choose then
    o[t] = v;
}

//@ launch digits_right<<<1, 32>>>(i, o)
//@none
__global__ void digits_right(const int *i, int *o)
{
    char own[8];
    int length = 0, sum = 0, v = i[100 * threadIdx.x % 256];
    do
        own[length++] = v % 10;
    while (v /= 10);
    for (int k = 0; k < 8; k++)
        sum += k < 8 - length ? 32 : own[7 - k];
    o[threadIdx.x] = sum;
}

//@ launch scalars_right<<<1, 256>>>(i, o)
//@none
__global__ void scalars_right(const int *i, int *o)
{
    __shared__ int low, high, odd, all;
    if (threadIdx.x == 0) {
        low = 1000;
        high = odd = all = 0;
    }
    __syncthreads();
    atomicMin(&low, i[threadIdx.x]);
    atomicMax(&high, i[threadIdx.x]);
    atomicAdd(&odd, i[threadIdx.x] % 2);
    atomicOr(&all, i[threadIdx.x]);
    __syncthreads();
    o[threadIdx.x] = low + high + odd + all;
}

//@ launch scalars_race<<<1, 256>>>(i, o)
//@found race-shared low-min
//@may uninitialized
__global__ void scalars_race(const int *i, int *o)
{
    __shared__ int low, high, odd, all;
    if (threadIdx.x == 0) {
        low = 1000; // low-min
        high = odd = all = 0;
    }
    atomicMin(&low, i[threadIdx.x]); // low-min
    atomicMax(&high, i[threadIdx.x]);
    atomicAdd(&odd, i[threadIdx.x] % 2);
    atomicOr(&all, i[threadIdx.x]);
    __syncthreads();
    o[threadIdx.x] = low + high + odd + all;
}

//@ launch gather_right<<<1, 128>>>(i, o)
//@none
__global__ void gather_right(const int *i, int *o)
{
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    s[t] = i[t];
    __syncthreads();
    if (t == 0)
        for (int k = 0; k < 128; k++)
            sum += s[k];
    __syncthreads();
    s[t] = t;
    o[t] = sum + s[t];
}

//@ launch gather_no_barrier<<<1, 128>>>(i, o)
//@found race-shared gathered
__global__ void gather_no_barrier(const int *i, int *o)
{
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    s[t] = i[t];
    __syncthreads();
    if (t == 0)
        for (int k = 0; k < 128; k++)
            sum += s[k]; // gathered
    if (t == 37)
        s[t] = sum; // gathered
    o[t] = sum;
}
