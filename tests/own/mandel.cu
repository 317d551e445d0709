// SPDX-License-Identifier: GPL-3.0-or-later
//! array iter i32 1536
//! array fixed u16 1536
//! array shade u8 1536
//! launch mandel<<<(6,4),(8,8)>>>(iter, 48, 32, 100)
//! launch mandelFixed<<<(3,8),(16,4)>>>(fixed, 48, 32, 255)
//! launch colour<<<6,256>>>(iter, shade, 1536)
//! expect iter
//! expect fixed
//! expect shade
// Each rounding is spelt out, so that no multiplication and addition are fused.

__global__ void mandel(int *iter, int w, int h, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.0f + px * 0.0625f;
    float cy = -1.0f + py * 0.0625f;
    float x = 0.0f, y = 0.0f;
    int k = 0;
    while (k < limit) {
        float xx = __fmul_rn(x, x);
        float yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.0f)
            break;
        y = __fadd_rn(__fmul_rn(2.0f * x, y), cy);
        x = __fadd_rn(__fadd_rn(xx, -yy), cx);
        k++;
    }
    iter[py * w + px] = k;
}

#define SHIFT 12
#define ONE (1 << SHIFT)

__global__ void mandelFixed(unsigned short *iter, int w, int h, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    const int cx = px * 3 * ONE / w - 2 * ONE, cy = py * 2 * ONE / h - ONE;
    int x = 0, y = 0, k;
    for (k = 0; k < limit; ++k) {
        int xx = x * x >> SHIFT, yy = y * y >> SHIFT;
        if (xx + yy > 4 * ONE) break;
        y = (2 * x * y >> SHIFT) + cy;
        x = xx - yy + cx;
    }
    iter[py * w + px] = (unsigned short)k;
}

__global__ void colour(const int *iter, unsigned char *shade, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        shade[i] = iter[i] == 100 ? ' ' : ".:-=+*#%@"[iter[i] % 9];
}
