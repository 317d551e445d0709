// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f64 1024 random; array sums f64 4 zero; launch reduce<<<4, 256>>>(x, sums)
//@ kind race-shared
//@ cure syncthreads
//@ place between
template <typename T>
__device__ T warpSum(T v)
{
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffffu, v, o);
    return v;
}

__global__ void reduce(const double *x, double *sums)
{
    __shared__ double part[8];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    double v = warpSum<double>(x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0)
        part[warp] = v;
#ifdef CURED
    __syncthreads();
#endif
    if (warp == 0) {
        v = (lane < 8) ? part[lane] : 0.0;
        v = warpSum<double>(v);
        if (lane == 0)
            sums[blockIdx.x] = v;
    }
}
