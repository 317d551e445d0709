// Each warp adds by shuffles, and the first warp adds what the others have.
#define FULL 0xffffffffu

__device__ float warp_sum(float value)
{
#pragma unroll
    for (int away = 16; away > 0; away >>= 1)
        value += __shfl_down_sync(FULL, value, away);
    return value;
}

__global__ void sum(const float *x, float *total, int n)
{
    __shared__ float of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = blockIdx.x * blockDim.x + threadIdx.x;

    float mine = 0;
    if (at < n)
        mine = x[at];
    mine = warp_sum(mine);
    if (lane == 0)
        of_warp[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
        mine = warp_sum(mine);
        if (lane == 0)
            atomicAdd(&total[0], mine);
    }
}
