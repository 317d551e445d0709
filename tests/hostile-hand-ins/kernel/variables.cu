// tries: to take more memory than a worker may have
// gets: 0 0 compile | no 3000000000 bytes left
__device__ char big[3000000000u];
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    big[n] = 1;
}
