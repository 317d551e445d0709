// The student wrote no loop and launches as many threads as there are elements.
//: launch <<<(n + 255) / 256, 256>>>
__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
