// The student declared a as int, so it cannot be 2.5.
__global__ void saxpy(int n, int a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
