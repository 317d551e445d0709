// SPDX-License-Identifier: GPL-3.0-or-later
//! array rgb u8 4500 random:0:255
//! array grey u8 1500
//! array blurred u8 1500
//! array edges i16 1500
//! array tinted u8 4500
//! launch rgb2grey<<<(4,4),(16,8)>>>(rgb, grey, 50, 30)
//! launch blur<<<(7,4),(8,8)>>>(grey, blurred, 50, 30, 2)
//! launch sobel<<<(4,2),(16,16)>>>(grey, edges, 50, 30)
//! launch tint<<<12,128>>>(rgb, tinted, 1500, bytes:400001ff00010000)
//! expect grey
//! expect blurred
//! expect edges
//! expect tinted
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__global__ void rgb2grey(const unsigned char *rgb, unsigned char *grey, int w, int h)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < w && y < h) {
        int i = y * w + x;
        unsigned char r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        grey[i] = (77 * r + 150 * g + 29 * b) >> 8;
    }
}

// the mean of what lies within the radius and inside the picture
__global__ void blur(const unsigned char *in, unsigned char *out, int w, int h, int radius)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= w || row >= h)
        return;
    int sum = 0, pixels = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            int r = row + dy, c = col + dx;
            if (r > -1 && r < h && c > -1 && c < w) {
                sum += in[r * w + c];
                ++pixels;
            }
        }
    out[row * w + col] = (unsigned char)(sum / pixels);
}

__constant__ int kx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};

__global__ void sobel(const unsigned char *in, short *edges, int w, int h)
{
    __shared__ unsigned char tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 18; j += 16)
        for (int i = threadIdx.x; i < 18; i += 16) {
            int gx = min(max((int)blockIdx.x * 16 + i - 1, 0), w - 1);
            int gy = min(max((int)blockIdx.y * 16 + j - 1, 0), h - 1);
            tile[j][i] = in[gy * w + gx];
        }
    __syncthreads();
    if (x >= w || y >= h) return;
    int sx = 0, sy = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            sx += kx[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
            sy += kx[i][j] * tile[threadIdx.y + j][threadIdx.x + i];
        }
    edges[y * w + x] = abs(sx) + abs(sy);
}

struct Tint { unsigned char r, g; short b; int add; };

__global__ void tint(const uchar3 *in, uchar3 *out, int n, Tint t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar3 p = in[i];
    out[i] = make_uchar3(p.x * t.r / 64, p.y + t.g, (p.z * t.b + t.add) >> 8);
}
