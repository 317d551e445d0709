// SPDX-License-Identifier: GPL-3.0-or-later
// Monte Carlo: the mean payoff of a call option. Each thread draws 128 pairs of numbers with its
// own xorshift generator and makes normal ones by the method of Box and Muller.
//: small   array mean f32 1024; launch payoff<<<8, 128>>>(mean, 100.0, 1024)
//: middle  array mean f32 32768; launch payoff<<<256, 128>>>(mean, 100.0, 32768)
//: large   array mean f32 524288; launch payoff<<<4096, 128>>>(mean, 100.0, 524288)

__device__ unsigned draw(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

__global__ void payoff(float *mean, float strike, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned s = 2654435769u * (i + 1);
    float sum = 0.0f;
    for (int k = 0; k < 128; ++k) {
        float u = ((draw(s) >> 8) + 1) * (1.0f / 16777217.0f);
        float v = (draw(s) >> 8) * (6.2831853f / 16777216.0f);
        float z = sqrtf(-2.0f * __logf(u)) * __cosf(v);
        float price = 100.0f * __expf(0.2f * z - 0.02f);
        sum += fmaxf(price - strike, 0.0f);
    }
    mean[i] = sum * (1.0f / 128.0f);
}
