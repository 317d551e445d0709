// SPDX-License-Identifier: GPL-3.0-or-later
// Heat in a box: the stencil of seven points. A thread walks up through the layers and keeps the
// cells below and above in registers.
//: small   array in f32 16384 random; array out f32 16384 zero; launch heat3<<<dim3(1,8), dim3(32,4)>>>(in, out, 32, 32, 16)
//: middle  array in f32 524288 random; array out f32 524288 zero; launch heat3<<<dim3(4,16), dim3(32,4)>>>(in, out, 128, 64, 64)
//: large   array in f32 33554432 random; array out f32 33554432 zero; launch heat3<<<dim3(16,64), dim3(32,4)>>>(in, out, 512, 256, 256)

__global__ void heat3(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int layer = nx * ny;
    int i = y * nx + x;
    float below = in[i];
    i += layer;
    float here = in[i];
    for (int z = 1; z < nz - 1; ++z) {
        float above = in[i + layer];
        float around = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
        out[i] = here + 0.1f * (around + below + above - 6.0f * here);
        below = here;
        here = above;
        i += layer;
    }
}
