// SPDX-License-Identifier: GPL-3.0-or-later
// Structures of six words, moved whole: pairs of lanes meet in a bank.
// launch 1 64
struct body {
    float2 at, speed, mass;
};

extern "C" __global__ void bank_structs6(const int *in, int *out, int n)
{
    __shared__ body s[64];
    int t = threadIdx.x;
    float v = in[t] & 1023;
    s[t] = {{v, v + 1}, {v + 2, v + 3}, {v + 4, v + 5}};
    __syncthreads();
    body b = s[t ^ 33];
    out[t] = (int)(b.at.x + b.at.y * 2 + b.speed.x * 4 + b.speed.y + b.mass.x * 8 + b.mass.y);
}
