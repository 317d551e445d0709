// tries: to make the launch of the exercise a wrong one
// gets: 0 0 fault | clusters
__global__ void __cluster_dims__(7, 1, 1) twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
}
