// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f64 900 random; array b f64 900 random; array dot f64 1 zero; launch dotProduct<<<3, 128>>>(a, b, dot, 900)
//@ kind race-global
//@ cure atomic
__global__ void dotProduct(const double *a, const double *b, double *dot, int n)
{
    double mine = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += a[i] * b[i];

#ifdef CURED
    atomicAdd(dot, mine);
#else
    *dot += mine;
#endif
}
