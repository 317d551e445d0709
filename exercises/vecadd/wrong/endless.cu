// The student forgot to add the stride, so the loop never ends.
//: launch <<<32, 256>>>
__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        c[i] = a[i] + b[i];
    }
}
