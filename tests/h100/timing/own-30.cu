// SPDX-License-Identifier: GPL-3.0-or-later
// The Mandelbrot set: a pixel a thread, as many iterations as the point needs, at most `limit`.
//: small   array image u16 2048; launch mandelbrot<<<dim3(8,4), dim3(8,8)>>>(image, 64, 32, 512)
//: middle  array image u16 32768; launch mandelbrot<<<dim3(32,16), dim3(8,8)>>>(image, 256, 128, 512)
//: large   array image u16 1843200; launch mandelbrot<<<dim3(240,120), dim3(8,8)>>>(image, 1920, 960, 512)

__global__ void mandelbrot(unsigned short *image, int width, int height, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = -2.2f + 3.2f * px / width;
    float cy = -1.2f + 2.4f * py / height;
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < limit && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++i;
    }
    image[py * width + px] = i;
}
