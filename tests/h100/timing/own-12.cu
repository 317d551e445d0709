// SPDX-License-Identifier: GPL-3.0-or-later
// Sums by class, straight into global memory: every thread adds its float to one of eight sums.
//: small   array cls u8 8192 random:0:7; array w f32 8192 random; array sum f32 8 zero; launch classes<<<64, 128>>>(cls, w, sum, 8192)
//: middle  array cls u8 131072 random:0:7; array w f32 131072 random; array sum f32 8 zero; launch classes<<<1024, 128>>>(cls, w, sum, 131072)
//: large   array cls u8 4194304 random:0:7; array w f32 4194304 random; array sum f32 8 zero; launch classes<<<32768, 128>>>(cls, w, sum, 4194304)

__global__ void classes(const unsigned char *cls, const float *w, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum[cls[i]], w[i]);
}
