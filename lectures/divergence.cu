// Two kinds of work in one warp, and in two warps.
__device__ __noinline__ int twice(int v)
{
    return v * 2;
}

__device__ __noinline__ int negative(int v)
{
    return -v;
}

// Neighbours take different branches.
__global__ void by_lane(int *x)
{
    int i = threadIdx.x;
    if (i % 2 == 0)
        x[i] = twice(x[i]);
    else
        x[i] = negative(x[i]);
}

// All lanes of a warp take the same branch.
__global__ void by_warp(int *x)
{
    int i = threadIdx.x;
    if (i / 32 % 2 == 0)
        x[i] = twice(x[i]);
    else
        x[i] = negative(x[i]);
}
