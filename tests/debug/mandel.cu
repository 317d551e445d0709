// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 8x4: i32[] 0, f32[] 0, i32 20
extern "C" __global__ void mandel(int *out, float *y, int maxIter) {
    int px = threadIdx.x;
    int py = threadIdx.y;
    float cx = -2.0f + px * 0.375f;
    float cy = -1.0f + py * 0.5f;
    float zx = 0.0f;
    float zy = 0.0f;
    int iter = 0;
    while (zx * zx + zy * zy < 4.0f && iter < maxIter) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        iter++;
    }
    int pixel = py * blockDim.x + px;
    char shade = iter == maxIter ? '#' : (iter > 4 ? '+' : '.');
    float norm = zx * zx + zy * zy;
    out[pixel] = iter;
    out[pixel + 64] = shade;
    y[pixel] = norm;
}
