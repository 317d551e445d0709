// The student gave each thread one piece of neighbouring elements, so the accesses are not coalesced.
//: launch <<<16, 128>>>
__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int threads = gridDim.x * blockDim.x;
    int each = (n + threads - 1) / threads;
    int first = each * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + each && i < n; i++)
        c[i] = a[i] + b[i];
}
