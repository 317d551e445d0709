// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 0 step 0.00390625, i32[] 0
extern "C" __global__ void colormix(const float *y, int *out) {
    int px = threadIdx.x;
    float4 a = make_float4(y[px], y[px + 1], y[px + 2], 1.0f);
    float4 b = {0.25f, 0.5f, 0.75f, 0.5f};
    float alpha = y[4 * px];
    float inv = 1.0f - alpha;
    float4 mix = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    mix.x = a.x * alpha + b.x * inv;
    mix.y = a.y * alpha + b.y * inv;
    mix.z = a.z * alpha + b.z * inv;
    mix.w = a.w * alpha + b.w * inv;
    uchar4 rgba = make_uchar4(0, 0, 0, 0);
    rgba.x = (unsigned char)(mix.x * 255.0f);
    rgba.y = (unsigned char)(mix.y * 255.0f);
    rgba.z = (unsigned char)(mix.z * 255.0f);
    rgba.w = (unsigned char)(mix.w * 255.0f);
    unsigned packed = rgba.x;
    packed |= (unsigned)rgba.y << 8;
    packed |= (unsigned)rgba.z << 16;
    packed |= (unsigned)rgba.w << 24;
    out[px] = (int)packed;
}
