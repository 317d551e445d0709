// The student counts in global memory, with one atomic operation for each element.
__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}
