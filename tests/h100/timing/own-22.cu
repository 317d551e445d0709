// SPDX-License-Identifier: GPL-3.0-or-later
// Jacobi's iteration on a plane, eight sweeps in one launch. All blocks meet between two sweeps.
// The first sweep reads the start, so a repetition does the same work.
//: small   array start f32 4096 random; array a f32 4096 zero; array b f32 4096 zero; launch jacobi<<<8, 256>>>(start, a, b, 64, 64)
//: middle  array start f32 262144 random; array a f32 262144 zero; array b f32 262144 zero; launch jacobi<<<132, 256>>>(start, a, b, 512, 512)
//: large   array start f32 4194304 random; array a f32 4194304 zero; array b f32 4194304 zero; launch jacobi<<<528, 256>>>(start, a, b, 2048, 2048)

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void sweep(const float *from, float *to, int w, int h)
{
    int cells = w * h;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x) {
        int x = i % w;
        int y = i / w;
        if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
            to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - w] + from[i + w]);
        else
            to[i] = from[i];
    }
}

__global__ void jacobi(const float *start, float *a, float *b, int w, int h)
{
    cg::grid_group grid = cg::this_grid();
    sweep(start, a, w, h);
    grid.sync();
    for (int s = 1; s < 8; ++s) {
        if (s & 1)
            sweep(a, b, w, h);
        else
            sweep(b, a, w, h);
        grid.sync();
    }
}
