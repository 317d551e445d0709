// The student stores the counts of a block in the bins and so overwrites the counts of other blocks.
__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    __shared__ unsigned int count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[data[i]], 1);
    __syncthreads();
    bins[threadIdx.x] = count[threadIdx.x];
}
