// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 256 iota; array out i32 8 zero; launch warpTotals<<<2, 128>>>(x, out)
//@ kind race-shared
//@ cure syncwarp
//@ place between
// one total a warp; each warp has its own 32 places
#ifdef CURED
#define STEP(d) if (lane < d) v[lane] += v[lane + d]; __syncwarp()
#else
#define STEP(d) if (lane < d) v[lane] += v[lane + d]
#endif

__global__ void warpTotals(const int *x, int *out)
{
    __shared__ int s[128];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    volatile int *v = s + warp * 32;

    v[lane] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncwarp();
    STEP(16);
    STEP(8);
    STEP(4);
    STEP(2);
    STEP(1);
    if (lane == 0)
        out[blockIdx.x * 4 + warp] = v[0];
}
