// SPDX-License-Identifier: GPL-3.0-or-later
// Prices of European options by the formula of Black and Scholes: logarithm, exponential, square
// root and two normal distributions a thread.
//: small   array s f32 8192 random:5:30; array k f32 8192 random:1:100; array t f32 8192 random:0.25:10; array call f32 8192; array put f32 8192; launch price<<<64, 128>>>(call, put, s, k, t, 0.02, 0.3, 8192)
//: middle  array s f32 262144 random:5:30; array k f32 262144 random:1:100; array t f32 262144 random:0.25:10; array call f32 262144; array put f32 262144; launch price<<<2048, 128>>>(call, put, s, k, t, 0.02, 0.3, 262144)
//: large   array s f32 8388608 random:5:30; array k f32 8388608 random:1:100; array t f32 8388608 random:0.25:10; array call f32 8388608; array put f32 8388608; launch price<<<65536, 128>>>(call, put, s, k, t, 0.02, 0.3, 8388608)

__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float p = k * (0.31938153f + k * (-0.356563782f
            + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    p *= 0.39894228f * expf(-0.5f * d * d);
    return d > 0.0f ? 1.0f - p : p;
}

__global__ void price(float *call, float *put, const float *s, const float *k, const float *t,
                      float rate, float vol, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(t[i]);
    float d1 = (logf(s[i] / k[i]) + (rate + 0.5f * vol * vol) * t[i]) / (vol * root);
    float d2 = d1 - vol * root;
    float n1 = normal(d1);
    float n2 = normal(d2);
    float later = k[i] * expf(-rate * t[i]);
    call[i] = s[i] * n1 - later * n2;
    put[i] = later * (1.0f - n2) - s[i] * (1.0f - n1);
}
