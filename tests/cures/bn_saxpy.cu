// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1000 random; array y f32 1000 random; launch saxpy<<<4, 256>>>(1000, 3, x, y)
//@ kind out-of-bounds
//@ cure bounds
__global__ void saxpy(int n, int a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    if (i < n)
#endif
        y[i] = a * x[i] + y[i];
}
