// The student wrote the size of the first test into the kernel.
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1024)
        y[i] = a * x[i] + y[i];
}
