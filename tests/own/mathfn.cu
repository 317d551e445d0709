// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f32 200 random:0:4
//! array r f32 1800
//! array g f64 400
//! array rounded f32 48
//! launch functions<<<4,50>>>(x, r)
//! launch doubles<<<1,200>>>(x, g)
//! launch rounding<<<1,12>>>(rounded)
//! expect r 4e-6 2e-6
//! expect g 1e-13 1e-14
//! expect rounded
// What the mathematics library gives, within a few units of the last place;
// the fast forms are good to an absolute bound only.
#include <math.h>
#include <cuda_runtime.h>

__global__ void functions(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i] + 0.25f;
    float *r = out + 9 * i;
    r[0] = expf(x);
    r[1] = sinf(x);
    r[2] = cosf(x * 2.0f);
    r[3] = logf(x);
    r[4] = powf(x, 1.5f);
    r[5] = tanhf(x);
    r[6] = exp2f(-x);
    r[7] = log2f(x + 1.0f) + log10f(x);
    r[8] = __expf(-x) + __sinf(x * 0.5f);
}

__global__ void doubles(const float *in, double *g)
{
    double x = in[threadIdx.x] + 0.5;
    g[2 * threadIdx.x] = exp(-x) + log(x) * sin(x);
    g[2 * threadIdx.x + 1] = pow(x, 2.5) + cos(x);
}

// these are exact
__global__ void rounding(float *out)
{
    float x = ((int)threadIdx.x - 6) * 0.75f;
    float *r = out + 4 * threadIdx.x;
    r[0] = floorf(x);
    r[1] = ceilf(x);
    r[2] = truncf(x);
    r[3] = rintf(x);
}
