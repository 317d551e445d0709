// tries: to run host code when it is loaded
// gets: 2 3
__attribute__((constructor)) static void first() { *(volatile int *)0 = 1; }
int start = (first(), 1);
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];

}
