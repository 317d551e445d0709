// tries: to overflow the stack
// gets: 0 0 fault | stack-overflow
__device__ __noinline__ int down(int n)
{
    int x[100];
    x[n % 100] = n;
    return n < 0 ? x[0] : down(n + 1) + x[n % 7];
}
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    out[0] = down(1);
}
