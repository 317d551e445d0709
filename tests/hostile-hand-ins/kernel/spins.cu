// tries: to spin without end
// gets: 0 0 limit | timeout: no end after
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    while (n)
        out[0] += f;
}
