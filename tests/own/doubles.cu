// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f64 300 random:0:1000
//! array y f64 300 random:-1:1
//! array r f64 1500
//! array root f64 100
//! array pi f64 1
//! array fused f64 100
//! launch arithmetic<<<3,100>>>(x, y, r)
//! launch newton<<<1,100>>>(x, root)
//! launch leibniz<<<1,1>>>(pi, 1000)
//! launch fusedOnes<<<1,100>>>(x, y, fused)
//! expect r
//! expect root
//! expect pi 1e-14
//! expect fused
// Double precision is rounded as IEEE 754 says, division and root included.

__global__ void arithmetic(const double *x, const double *y, double *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double *o = r + 5 * i;
    o[0] = x[i] + y[i];
    o[1] = x[i] * y[i];
    o[2] = y[i] / (x[i] + 1.0);
    o[3] = sqrt(x[i]);
    o[4] = fabs(y[i]) < 0.5 ? fmax(x[i], 500.0) : fmin(x[i], 500.0);
}

// the integer root, found by Newton's steps and put right at the end
__global__ void newton(const double *x, double *root)
{
    double a = floor(x[threadIdx.x]) * 1000.0 + 1.0;
    double g = a;
    for (int k = 0; k < 60; k++)
        g = 0.5 * (g + a / g);
    double whole = floor(g);
    if (whole * whole > a) whole -= 1.0;
    if ((whole + 1.0) * (whole + 1.0) <= a) whole += 1.0;
    root[threadIdx.x] = whole;
}

__global__ void leibniz(double *pi, int n)
{
    double s = 0.0, sign = 1.0;
    for (int k = 0; k < n; k++) {
        s += sign / (2 * k + 1);
        sign = -sign;
    }
    *pi = 4 * s;
}

// fma rounds once: with it the error of a product can be had exactly
__global__ void fusedOnes(const double *x, const double *y, double *fused)
{
    double p = x[threadIdx.x] * y[threadIdx.x];
    fused[threadIdx.x] = fma(x[threadIdx.x], y[threadIdx.x], -p);
}
