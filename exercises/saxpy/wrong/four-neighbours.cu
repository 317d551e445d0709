// The student gave each thread four neighbouring elements, so the accesses are not coalesced.
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4; i++) {
        if (i < n)
            y[i] = a * x[i] + y[i];
    }
}
