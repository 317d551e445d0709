// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the Mandelbrot set in double precision. A pixel gets the number of steps until its point
// escapes.
//: small   array image i32 32x64; launch mandelbrot<<<dim3(4,2), dim3(16,16)>>>(image, 64, 32, 200)
//: middle  array image i32 128x256; launch mandelbrot<<<dim3(16,8), dim3(16,16)>>>(image, 256, 128, 200)
//: large   array image i32 512x1024; launch mandelbrot<<<dim3(64,32), dim3(16,16)>>>(image, 1024, 512, 200)

__global__ void mandelbrot(int *image, int width, int height, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    double cx = -2.2 + 3.2 * px / width, cy = -1.2 + 2.4 * py / height, x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y < 4.0) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    image[py * width + px] = n;
}
