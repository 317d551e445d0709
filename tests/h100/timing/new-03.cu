// SPDX-License-Identifier: GPL-3.0-or-later
// Prices European call and put options by the formula of Black and Scholes, one option a thread.
//: small   array s f32 8192 random:5:30; array k f32 8192 random:1:100; array t f32 8192 random:0.25:10; array call f32 8192; array put f32 8192; launch price<<<64, 128>>>(call, put, s, k, t, 0.02, 0.3, 8192)
//: middle  array s f32 131072 random:5:30; array k f32 131072 random:1:100; array t f32 131072 random:0.25:10; array call f32 131072; array put f32 131072; launch price<<<1024, 128>>>(call, put, s, k, t, 0.02, 0.3, 131072)
//: large   array s f32 2097152 random:5:30; array k f32 2097152 random:1:100; array t f32 2097152 random:0.25:10; array call f32 2097152; array put f32 2097152; launch price<<<16384, 128>>>(call, put, s, k, t, 0.02, 0.3, 2097152)

__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f
                 + k * (-1.821255978f + k * 1.330274429f))));
    tail *= 0.39894228f * expf(-0.5f * d * d);
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(float *call, float *put, const float *s, const float *k, const float *t,
                      float rate, float volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(t[i]);
    float d1 = (logf(s[i] / k[i]) + (rate + 0.5f * volatility * volatility) * t[i])
               / (volatility * root);
    float d2 = d1 - volatility * root;
    float discounted = k[i] * expf(-rate * t[i]);
    float a = normal(d1), b = normal(d2);
    call[i] = s[i] * a - discounted * b;
    put[i] = discounted * (1.0f - b) - s[i] * (1.0f - a);
}
