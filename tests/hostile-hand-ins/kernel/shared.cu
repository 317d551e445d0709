// tries: to take more shared memory than there is
// gets: 0 0 fault | shared memory
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    __shared__ char s[200000];
    s[threadIdx.x] = 1;
    out[n - 1] += s[n];
}
