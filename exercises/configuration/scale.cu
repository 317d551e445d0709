// Each block keeps its elements in shared memory: 4 bytes for each thread, given by the launch.
__global__ void scale(int n, float f, float *x)
{
    extern __shared__ float mine[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
        x[i] = f * mine[threadIdx.x];
}
