// SPDX-License-Identifier: GPL-3.0-or-later
// Applies a stencil of seven points in three dimensions. A thread walks along z with three
// planes in registers.
//: small   array a f32 32x32x32 random; array b f32 32x32x32 zero; launch laplace<<<dim3(1,4), dim3(32,8)>>>(b, a, 32)
//: middle  array a f32 96x96x96 random; array b f32 96x96x96 zero; launch laplace<<<dim3(3,12), dim3(32,8)>>>(b, a, 96)
//: large   array a f32 256x256x256 random; array b f32 256x256x256 zero; launch laplace<<<dim3(8,32), dim3(32,8)>>>(b, a, 256)

__global__ void laplace(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
        return;
    int plane = n * n, at = y * n + x;
    float below = in[at], here = in[at + plane];
    for (int z = 1; z < n - 1; z++) {
        at += plane;
        float above = in[at + plane];
        out[at] = below + above + in[at - 1] + in[at + 1] + in[at - n] + in[at + n] - 6 * here;
        below = here;
        here = above;
    }
}
