// The student wrote no loop, so each thread adds one element and the rest is forgotten.
//: launch <<<32, 256>>>
__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
