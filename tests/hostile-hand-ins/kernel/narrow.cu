// tries: to have a parameter that holds no hidden size, so that it is ungraded
// gets: 2 0 check | can.t be launched
__global__ void twice(signed char n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
}
