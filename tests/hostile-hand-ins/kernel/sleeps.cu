// tries: to sleep until a value comes that never comes
// gets: 0 0 fault | race-global
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    __nanosleep(1000000000);
    while (atomicAdd((int *)out, 0) != 12345)
        __nanosleep(1000000000);
}
