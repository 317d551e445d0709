// tries: to wait at a barrier that others never reach
// gets: 0 0 fault | deadlock
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
}
