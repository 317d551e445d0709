// SPDX-License-Identifier: GPL-3.0-or-later
// The STREAM triad, four floats a thread: a[i] = b[i] + s * c[i].
//: small   array b f32 16384 random; array c f32 16384 random; array a f32 16384; launch triad<<<16, 256>>>(a, b, c, 3.0, 4096)
//: middle  array b f32 1048576 random; array c f32 1048576 random; array a f32 1048576; launch triad<<<1024, 256>>>(a, b, c, 3.0, 262144)
//: large   array b f32 33554432 random; array c f32 33554432 random; array a f32 33554432; launch triad<<<32768, 256>>>(a, b, c, 3.0, 8388608)

extern "C" __global__ void triad(float4 *a, const float4 *b, const float4 *c, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 x = b[i];
        float4 y = c[i];
        a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
    }
}
