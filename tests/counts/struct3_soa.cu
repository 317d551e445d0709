// SPDX-License-Identifier: GPL-3.0-or-later
// The same three floats in three arrays: three requests of four sectors.
// launch 2 128
extern "C" __global__ void struct3_soa(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    const float *x = (const float *)in, *y = x + 1024, *z = y + 1024;
    float *to = (float *)out;
    to[i] = z[i];
    to[i + 1024] = x[i];
    to[i + 2048] = y[i];
}
