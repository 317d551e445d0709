// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: f32[] 0 step 1, i32 3
__device__ float2 rotate90(float2 p) {
    float2 q = make_float2(-p.y, p.x);
    return q;
}

extern "C" __global__ void vec2(float *y, int turns) {
    int t = threadIdx.x;
    float2 p = make_float2(y[2 * t], y[2 * t + 1]);
    float2 center = make_float2(10.0f, -4.0f);
    p.x -= center.x;
    p.y -= center.y;
    for (int k = 0; k < turns; k++) {
        p = rotate90(p);
        p.x += 0.5f;
    }
    float len2 = p.x * p.x + p.y * p.y;
    float2 back = {p.x + center.x, p.y + center.y};
    y[2 * t] = back.x;
    y[2 * t + 1] = back.y;
    y[t + 128] = len2;
}
