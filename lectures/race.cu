// Each thread takes the number of its neighbour.
// Between the two lines something is missing.
__global__ void shift(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    x[i] = s[(i + 63) % 64];
}

__global__ void mended(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    x[i] = s[(i + 63) % 64];
}
