// tries: to take the heap without end
// gets: 0 0 limit | timeout: no end after
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    for (int k = 0; k < 100000000; k++)
        if (char *p = (char *)malloc(1 << 20))
            p[k] = 1;
}
