// One block adds n numbers in a tree.
// This kernel is right only for a power of two.
__global__ void halves(int *x, int n)
{
    __shared__ int s[16];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int d = n / 2; d > 0; d /= 2) {
        if (i < d)
            s[i] += s[i + d];
        __syncthreads();
    }
    x[i] = s[i];
}

// If n is odd, the number in the middle waits.
__global__ void any(int *x, int n)
{
    __shared__ int s[16];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    while (n > 1) {
        int d = (n + 1) / 2;
        if (i + d < n)
            s[i] += s[i + d];
        n = d;
        __syncthreads();
    }
    x[i] = s[i];
}
