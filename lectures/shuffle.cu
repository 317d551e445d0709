// A warp adds its registers without shared memory.
// Each lane should get the sum.
__global__ void down(int *x)
{
    int v = x[threadIdx.x];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    x[threadIdx.x] = v;
}

// Partners exchange, so both have the same sum.
__global__ void both(int *x)
{
    int v = x[threadIdx.x];
    v += __shfl_xor_sync(0xffffffff, v, 16);
    v += __shfl_xor_sync(0xffffffff, v, 8);
    v += __shfl_xor_sync(0xffffffff, v, 4);
    v += __shfl_xor_sync(0xffffffff, v, 2);
    v += __shfl_xor_sync(0xffffffff, v, 1);
    x[threadIdx.x] = v;
}
