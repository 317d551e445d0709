// SPDX-License-Identifier: GPL-3.0-or-later
// Gravity among n bodies: each thread sums the pull on one body. A tile of 256 bodies is read by
// all threads of a block from shared memory.
//: small   array p f32 2048 random; array acc f32 2048; launch forces<<<2, 256>>>(p, acc, 512)
//: middle  array p f32 8192 random; array acc f32 8192; launch forces<<<8, 256>>>(p, acc, 2048)
//: large   array p f32 32768 random; array acc f32 32768; launch forces<<<32, 256>>>(p, acc, 8192)

__global__ void forces(const float4 *p, float4 *acc, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int base = 0; base < n; base += 256) {
        tile[threadIdx.x] = p[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 256; ++j) {
            float4 other = tile[j];
            float dx = other.x - me.x;
            float dy = other.y - me.y;
            float dz = other.z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float r = rsqrtf(r2);
            float s = other.w * r * r * r;
            ax += s * dx;
            ay += s * dy;
            az += s * dz;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0.0f);
}
