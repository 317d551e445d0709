// SPDX-License-Identifier: GPL-3.0-or-later
// Computes z = a * x + y, four floats a thread, with loads and stores of 16 bytes.
//: small   array x f32 8192 random; array y f32 8192 random; array z f32 8192; launch triad<<<8, 256>>>(z, x, y, 2.5, 2048)
//: middle  array x f32 524288 random; array y f32 524288 random; array z f32 524288; launch triad<<<512, 256>>>(z, x, y, 2.5, 131072)
//: large   array x f32 33554432 random; array y f32 33554432 random; array z f32 33554432; launch triad<<<32768, 256>>>(z, x, y, 2.5, 8388608)

extern "C" __global__ void triad(float4 *z, const float4 *x, const float4 *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = x[i], q = y[i];
    z[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
