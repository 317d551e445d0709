// The student counts with ++, which is not an atomic operation.
__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bins[data[i]]++;
}
