// The student loaded no halo, so neighbours in other blocks count as 0.
__global__ void stencil(int n, const float *in, float *out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) {
        float total = 0;
        for (int k = t - 2; k <= t + 2; k++) {
            if (k >= 0 && k < 128)
                total += tile[k];
        }
        out[i] = total;
    }
}
