// tries: to keep the compiler computing
// gets: 0 0 compile | must have a constant value
constexpr long sum(long n)
{
    long s = 0;
    for (long i = 0; i < n; i++)
        s += i ^ s;
    return s;
}
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    constexpr long much = sum(100000000000);
    out[0] = much;
}
