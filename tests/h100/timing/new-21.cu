// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a picture with three bytes a pixel (red, green, blue) to grey, one pixel a thread.
//: small   array rgb u8 49152 random:0:255; array grey u8 16384; launch to_grey<<<64, 256>>>(grey, rgb, 16384)
//: middle  array rgb u8 1572864 random:0:255; array grey u8 524288; launch to_grey<<<2048, 256>>>(grey, rgb, 524288)
//: large   array rgb u8 50331648 random:0:255; array grey u8 16777216; launch to_grey<<<65536, 256>>>(grey, rgb, 16777216)

extern "C" __global__ void to_grey(unsigned char *grey, const unsigned char *rgb, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        grey[i] = (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b);
    }
}
