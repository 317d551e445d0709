// A file of a student's, for tests/reading.t: what code and ptx find in it.
#include <stdio.h>

__constant__ float coef[4];
__device__ int hits, misses[2];
__device__ float unused;
enum { BLOCK = 256 };

namespace tools {
/* Doubles,
   and adds. */
__device__ __noinline__ float twice(float x)
{
    return 2.0f * x + coef[1];
}
}

__device__ int never(int x) { return x + hits; }

// Scales x
// by two.
template <typename T>
__global__ void __launch_bounds__(BLOCK) enlarge(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) /* } in a comment, "{" and '{' in strings are no braces */
        x[i] = tools::twice(x[i]);
}
template __global__ void enlarge<float>(float *, int);

extern "C" {
__global__ void total(const float *x, float *out, int n)
{
    __shared__ float s[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(out, s[0] + s[1]);
        atomicAdd(&hits, 1);
    }
}
}

__global__ void ov(int *x) { *x = 1; }
__global__ void ov(float *x) { *x = 2; }
