// The student used threadIdx.x alone, so all blocks change the same 256 elements.
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
