// tries: to write through each address of the worker
// gets: 0 0 fault | null pointer
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    for (long a = 4096;; a += 4096)
        *(volatile char *)a = 1;
}
