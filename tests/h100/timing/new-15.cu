// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up the forces of all bodies on each body. The bodies pass through shared memory, 128 at a
// time.
//: small   array body f32 1024 random; array force f32 1024; launch nbody<<<2, 128>>>(force, body, 256)
//: middle  array body f32 4096 random; array force f32 4096; launch nbody<<<8, 128>>>(force, body, 1024)
//: large   array body f32 16384 random; array force f32 16384; launch nbody<<<32, 128>>>(force, body, 4096)

__global__ void nbody(float4 *force, const float4 *body, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float fx = 0, fy = 0, fz = 0;
    for (int t = 0; t < n; t += 128) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 128; j++) {
            float4 b = tile[j];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            float f = b.w * r * r * r;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        __syncthreads();
    }
    force[i] = make_float4(fx, fy, fz, 0);
}
