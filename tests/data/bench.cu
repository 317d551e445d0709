// SPDX-License-Identifier: GPL-3.0-or-later
// What `make bench` launches with and without the checkers, to see what they cost, and
// `make bench-peers` beside tests/peers/peers.cl.

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        c[t] = a[t] + b[t];
}

__global__ void tree(const float *a, float *sums)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * blockDim.x + t];
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

__device__ float f(float x)
{
    return x * x + 1;
}

__global__ void trap_atomic(float *sum, float h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, f(i * h));
}

__global__ void trap_tree(float *sum, float h, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? f(i * h) : 0;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t == 0)
        atomicAdd(sum, s[0]);
}

__global__ void shuffle(const float *a, float *sum)
{
    float v = a[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, v);
}

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], u[16][16];
    int i = threadIdx.y, j = threadIdx.x, row = 16 * blockIdx.y + i, column = 16 * blockIdx.x + j;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[i][j] = a[n * row + k + j];
        u[i][j] = b[n * (k + i) + column];
        __syncthreads();
        for (int m = 0; m < 16; m++)
            sum += s[i][m] * u[m][j];
        __syncthreads();
    }
    c[n * row + column] = sum;
}

__global__ void transpose(const float *a, float *b, int n)
{
    __shared__ float tile[32][33];
    int x = 32 * blockIdx.x + threadIdx.x, y = 32 * blockIdx.y + threadIdx.y;
    for (int r = 0; r < 32; r += 8)
        tile[threadIdx.y + r][threadIdx.x] = a[n * (y + r) + x];
    __syncthreads();
    x = 32 * blockIdx.y + threadIdx.x;
    y = 32 * blockIdx.x + threadIdx.y;
    for (int r = 0; r < 32; r += 8)
        b[n * (y + r) + x] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void histogram(const unsigned *a, int *bins)
{
    __shared__ int s[64];
    if (threadIdx.x < 64)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[a[blockIdx.x * blockDim.x + threadIdx.x] % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
