// The number of threads is not a power of two, and the loop does not need one.
//: launch <<<dim3(20), dim3(96)>>>
template <typename T> __device__ T plus(T left, T right)
{
    return left + right;
}

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    while (at < (unsigned)n) {
        c[at] = plus(a[at], b[at]);
        at += gridDim.x * blockDim.x;
    }
}
