// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to reach memory, each with a free choice of stride, seed and rounds, for what the checkers
// cost on them: tests/bench-patterns chooses the numbers. Those named racing_ race, most of them in
// each access; no other does.

struct three {
    float x, y, z;
};

// One of n (a power of two) for each i, none twice: a different order for each seed.
__device__ unsigned permuted(unsigned i, unsigned n, unsigned seed)
{
    i = (i ^ seed) & (n - 1);
    i = (i * (2 * seed + 1)) & (n - 1);
    i ^= i >> 3;
    return (i * 0x9e3779b1u + seed) & (n - 1);
}

__device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

#define THREAD unsigned t = blockIdx.x * blockDim.x + threadIdx.x

// Each thread has a part of its own, `stride` elements apart.
template <typename T> __device__ void strided(T *d, const T *s, int stride, int rounds)
{
    THREAD;
    int part = stride < 16 ? stride : 16;
    for (int i = 0; i < rounds; i++)
        for (int j = 0; j < part; j++)
            d[t * stride + j] += s[t * stride + j];
}

extern "C" {

__global__ void strided_u8(unsigned char *d, const unsigned char *s, int stride, int rounds)
{
    strided(d, s, stride, rounds);
}

__global__ void strided_i16(short *d, const short *s, int stride, int rounds)
{
    strided(d, s, stride, rounds);
}

__global__ void strided_f32(float *d, const float *s, int stride, int rounds)
{
    strided(d, s, stride, rounds);
}

__global__ void strided_f64(double *d, const double *s, int stride, int rounds)
{
    strided(d, s, stride, rounds);
}

__global__ void strided_v4(float4 *d, const float4 *s, int stride, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++) {
        float4 v = d[t * stride], w = s[t * stride];
        d[t * stride] = make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
    }
}

__global__ void struct_12(three *d, const three *s, int stride, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++) {
        three v = s[t * stride];
        d[t * stride].x += v.x;
        d[t * stride].y += v.y;
        d[t * stride].z += v.z;
    }
}

__global__ void gather(const float *s, float *o, unsigned n, unsigned seed, int rounds)
{
    THREAD;
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += s[mixed(t * rounds + i + seed) & (n - 1)];
    o[t] = sum;
}

__global__ void gather_u8(const unsigned char *s, float *o, unsigned n, unsigned seed, int rounds)
{
    THREAD;
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += s[mixed(t * rounds + i + seed) & (n - 1)];
    o[t] = sum;
}

// Each element once, by somebody.
__global__ void scatter(float *o, unsigned n, unsigned seed)
{
    THREAD;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        o[permuted(i, n, seed)] = i;
}

__global__ void scatter_u8(unsigned char *o, unsigned n, unsigned seed)
{
    THREAD;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        o[permuted(i, n, seed)] = i;
}

// Each element by the same thread over and over, wherever it lies.
__global__ void scattered_own(float *o, unsigned seed, int rounds)
{
    THREAD;
    unsigned at = permuted(t, gridDim.x * blockDim.x, seed);
    for (int i = 0; i < rounds; i++)
        o[at] += i;
}

__global__ void histogram_global(const unsigned *s, int *bins, unsigned n, unsigned count)
{
    THREAD;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        atomicAdd(&bins[mixed(s[i]) % count], 1);
}

__global__ void histogram_shared(const unsigned *s, int *bins, unsigned n, unsigned count)
{
    __shared__ int mine[4096];
    THREAD;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        atomicAdd(&mine[mixed(s[i]) % count], 1);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&bins[i], mine[i]);
}

// Bins of each thread's own, side by side.
__global__ void histogram_private(const unsigned *s, int *bins, unsigned n)
{
    __shared__ unsigned char mine[64 * 256];
    THREAD;
    for (unsigned i = 0; i < 64; i++)
        mine[i * 256 + threadIdx.x] = 0;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        mine[mixed(s[i]) % 64 * 256 + threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < 64) {
        int sum = 0;
        for (unsigned i = 0; i < 256; i++)
            sum += mine[threadIdx.x * 256 + i];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

__global__ void transpose_naive(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x % 32;
    for (int y = blockIdx.y * 32 + threadIdx.x / 32; y < blockIdx.y * 32 + 32; y += 8)
        b[x * n + y] = a[y * n + x];
}

__global__ void transpose_tile(const float *a, float *b, int n, int pitch)
{
    __shared__ float tile[32 * 40];
    int x = threadIdx.x % 32, y0 = threadIdx.x / 32;
    for (int y = y0; y < 32; y += 8)
        tile[y * pitch + x] = a[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    for (int y = y0; y < 32; y += 8)
        b[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x * pitch + y];
}

// All blocks side by side in each page, line and, with bytes, word.
__global__ void interleaved(float *d, int rounds)
{
    for (int i = 0; i < rounds; i++)
        d[(i * blockDim.x + threadIdx.x) * gridDim.x + blockIdx.x] += i;
}

__global__ void interleaved_u8(unsigned char *d, int rounds)
{
    for (int i = 0; i < rounds; i++)
        d[(i * blockDim.x + threadIdx.x) * gridDim.x + blockIdx.x] += i;
}

__global__ void chase(const unsigned *next, unsigned *o, int rounds)
{
    THREAD;
    unsigned at = t;
    for (int i = 0; i < rounds; i++)
        at = next[at];
    o[t] = at;
}

__global__ void chase_shared(const unsigned *next, unsigned *o, int rounds)
{
    __shared__ unsigned s[1024];
    THREAD;
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        s[i] = mixed(next[i]) % 1024;
    __syncthreads();
    unsigned at = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        at = s[at];
    o[t] = at;
}

// Another order of a block's elements between two barriers, each time.
__global__ void shuffled_shared(float *o, unsigned seed, int rounds)
{
    __shared__ float s[256];
    float v = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        s[permuted(threadIdx.x, 256, seed + i)] = v;
        __syncthreads();
        v += s[permuted(threadIdx.x, 256, seed + i + 77)];
        __syncthreads();
    }
    THREAD;
    o[t] = v;
}

__global__ void bitonic(unsigned *a, int rounds)
{
    __shared__ unsigned s[512];
    unsigned t = threadIdx.x, b = blockIdx.x * 512;
    s[t] = mixed(a[b + t]);
    s[t + 256] = mixed(a[b + t + 256]);
    for (int i = 0; i < rounds; i++)
        for (unsigned k = 2; k <= 512; k *= 2)
            for (unsigned j = k / 2; j > 0; j /= 2) {
                __syncthreads();
                unsigned x = (t / j) * 2 * j + t % j, y = x + j;
                if ((s[x] > s[y]) == ((x & k) == 0)) {
                    unsigned v = s[x];
                    s[x] = s[y];
                    s[y] = v;
                }
            }
    __syncthreads();
    a[b + t] = s[t];
    a[b + t + 256] = s[t + 256];
}

__global__ void scan(float *a, int rounds)
{
    __shared__ float s[2][256];
    unsigned t = threadIdx.x, at = 0;
    s[0][t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int i = 0; i < rounds; i++)
        for (unsigned d = 1; d < 256; d *= 2) {
            s[!at][t] = s[at][t] + (t >= d ? s[at][t - d] : 0);
            at = !at;
            __syncthreads();
        }
    a[blockIdx.x * 256 + t] = s[at][t];
}

__global__ void stencil(const float *a, float *b, int w)
{
    int x = blockIdx.x * 32 + threadIdx.x % 32 + 1, y = blockIdx.y * 8 + threadIdx.x / 32 + 1;
    const float *p = a + y * w + x;
    b[y * w + x] = p[0] + p[1] + p[-1] + p[w] + p[-w] + p[w + 1] + p[w - 1] + p[-w - 1] + p[1 - w];
}

// Only lanes that the seed chooses, and each by a way of its own.
__global__ void sparse(float *d, unsigned seed, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++)
        if (mixed(t + seed + i) % 3 == 0)
            d[t * 3 + mixed(i) % 3] += 1;
}

__global__ void one_lane(float *d, int rounds)
{
    THREAD;
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < rounds; i++)
            d[t + i % 32] += i;
}

// All lanes the same place, all warps the same places.
__global__ void broadcast(const float *s, float *o, int count, int rounds)
{
    THREAD;
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += s[i % count];
    o[t] = sum;
}

__global__ void broadcast_shared(float *o, int rounds)
{
    __shared__ float s[256];
    float sum = 0;
    for (int i = 0; i < rounds; i++) {
        s[threadIdx.x] = sum + i;
        __syncthreads();
        for (int j = 0; j < 256; j++)
            sum += s[j];
        __syncthreads();
    }
    THREAD;
    o[t] = sum;
}

// Each column by another warp in each round, behind a barrier.
__global__ void columns(float *d, int pitch, int rounds)
{
    __shared__ float s[32 * 40];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < rounds; i++) {
        for (unsigned j = 0; j < 4; j++)
            s[lane * pitch + warp * 4 + j] = i + j;
        __syncthreads();
        float sum = 0;
        for (unsigned j = 0; j < 4; j++)
            sum += s[(warp * 4 + j) * pitch + lane];
        __syncthreads();
        if (i == rounds - 1)
            d[blockIdx.x * 256 + threadIdx.x] = sum;
    }
}

__global__ void lock(int *locks, float *sums, unsigned count, int rounds)
{
    THREAD;
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < rounds; i++) {
            unsigned k = mixed(t + i) % count;
            while (atomicCAS(&locks[k], 0, 1) != 0)
                ;
            __threadfence();
            sums[k] += 1;
            __threadfence();
            atomicExch(&locks[k], 0);
        }
}

__global__ void fences(int *tickets, float *d, unsigned count, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++) {
        d[t] = i;
        __threadfence();
        atomicAdd(&tickets[mixed(t + i) % count], 1);
    }
}

__global__ void copy_u8(const unsigned char *s, unsigned char *d, unsigned n, int shift)
{
    THREAD;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        d[i + shift] = s[i];
}

__global__ void chunks(float *d, int each)
{
    THREAD;
    float *mine = d + t * each;
    for (int i = 0; i < each; i++)
        mine[i] = i;
    for (int i = 1; i < each; i++)
        mine[i] += mine[i - 1];
}

__global__ void warp_sums(const float *s, float *o, int rounds)
{
    __shared__ float part[256];
    THREAD;
    unsigned lane = threadIdx.x % 32, base = threadIdx.x - lane;
    for (int i = 0; i < rounds; i++) {
        part[threadIdx.x] = s[t];
        __syncwarp();
        for (int h = 16; h > 0; h /= 2) {
            if (lane < h)
                part[base + lane] += part[base + lane + h];
            __syncwarp();
        }
        if (lane == 0)
            o[t] += part[base];
        __syncwarp();
    }
}

__global__ void mixed_sizes(float4 *d, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++) {
        d[t] = make_float4(i, i, i, i);
        ((float *)d)[4 * t + i % 4] += 1;
        ((unsigned char *)d)[16 * t + i % 16] ^= 1;
        ((double *)d)[2 * t + i % 2] += 1;
    }
}

__global__ void racing_histogram(const unsigned *s, int *bins, unsigned n, unsigned count)
{
    THREAD;
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        bins[mixed(s[i]) % count]++;
}

__global__ void racing_histogram_shared(const unsigned *s, int *bins, unsigned n, unsigned count)
{
    __shared__ int mine[4096];
    THREAD;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = t; i < n; i += all)
        mine[mixed(s[i]) % count]++;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&bins[i], mine[i]);
}

__global__ void racing_store(int *x, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++)
        x[0] = t + i;
}

__global__ void racing_sum(const float *s, float *x, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++)
        x[0] += s[t];
}

// Each thread writes its own element and reads another one's, with no barrier between.
__global__ void racing_neighbours(float *d, int rounds)
{
    THREAD;
    for (int i = 0; i < rounds; i++)
        d[t] = d[t + 1] + i;
}

__global__ void racing_reverse(float *o, int rounds)
{
    __shared__ float s[256];
    THREAD;
    float v = t;
    for (int i = 0; i < rounds; i++) {
        s[threadIdx.x] = v;
        v += s[255 - threadIdx.x];
    }
    o[t] = v;
}

// Every block does all of it.
__global__ void racing_blocks(float *d, int rounds)
{
    for (int i = 0; i < rounds; i++)
        d[threadIdx.x] += i;
}

// A reduction that lacks the barrier between its steps.
__global__ void racing_tree(const float *s, float *o, int rounds)
{
    __shared__ float part[256];
    THREAD;
    for (int i = 0; i < rounds; i++) {
        part[threadIdx.x] = s[t];
        __syncthreads();
        for (int h = 128; h > 0; h /= 2)
            if (threadIdx.x < h)
                part[threadIdx.x] += part[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        o[blockIdx.x] = part[0];
}
}
