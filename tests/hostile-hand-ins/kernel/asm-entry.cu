// tries: to close the kernel in assembler and open another one
// gets: 2 3
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    asm("ret; } .visible .entry twice_more() { ret;");
}
