// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array f f64 384 random; array df f64 384 zero; launch derivative<<<3, 128>>>(f, df, 384)
//@ kind out-of-bounds
//@ cure bounds
// df[i] = (f[i+1] - f[i]) / h
__global__ void derivative(const double *f, double *df, int n)
{
    const double h = 0.125;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    if (i + 1 < n)
#else
    if (i < n)
#endif
        df[i] = (f[i + 1] - f[i]) / h;
}
