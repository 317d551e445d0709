// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces each pixel by the median of its 5 x 5 neighbours. A thread sorts them in an array of
// its own.
//: small   array a u8 32x32 random:0:255; array b u8 32x32; launch median<<<dim3(2,2), dim3(16,16)>>>(b, a, 32, 32)
//: middle  array a u8 128x128 random:0:255; array b u8 128x128; launch median<<<dim3(8,8), dim3(16,16)>>>(b, a, 128, 128)
//: large   array a u8 512x512 random:0:255; array b u8 512x512; launch median<<<dim3(32,32), dim3(16,16)>>>(b, a, 512, 512)

__global__ void median(unsigned char *out, const unsigned char *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int window[25], n = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int v = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
            int at = n++;
            while (at > 0 && window[at - 1] > v) {
                window[at] = window[at - 1];
                at--;
            }
            window[at] = v;
        }
    out[y * width + x] = window[12];
}
