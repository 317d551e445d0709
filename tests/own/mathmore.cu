// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f32 160 random:-2:2
//! array r f32 800
//! array g f64 320
//! array exact f32 48
//! launch rarer<<<5,32>>>(x, r)
//! launch rarerDoubles<<<1,160>>>(x, g)
//! launch leftover<<<1,12>>>(exact)
//! expect r 4e-6 1e-6
//! expect g 1e-13 1e-14
//! expect exact
// Functions that turn up less often.
#include <math.h>

__global__ void rarer(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    float *r = out + 5 * i;
    r[0] = atan2f(x, -1.5f);
    r[1] = cbrtf(x + 3.0f);
    r[2] = hypotf(x, 1.0f);
    r[3] = erff(x);
    r[4] = asinf(x * 0.25f) + acosf(x * 0.25f) + sinhf(x);
}

__global__ void rarerDoubles(const float *in, double *g)
{
    double x = in[threadIdx.x];
    g[2 * threadIdx.x] = atan(x) + tan(x * 0.5);
    g[2 * threadIdx.x + 1] = log1p(x + 2.5) + cbrt(x + 3.0);
}

__global__ void leftover(float *exact)
{
    float x = ((int)threadIdx.x - 6) * 0.75f;
    float *e = exact + 4 * threadIdx.x;
    e[0] = fmodf(x, 2.0f);
    e[1] = copysignf(3.0f, x);
    e[2] = roundf(x);
    e[3] = ldexpf(x, 5);
}
