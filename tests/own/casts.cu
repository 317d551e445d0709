// SPDX-License-Identifier: GPL-3.0-or-later
//! array f f32 12 list:2.5,-2.5,3.5,-0.75,1e9,16777217,-7.999,0.5,1.5,-1.5,100.25,0
//! array r i32 120
//! array i i32 8 list:16777217,-16777219,2147483647,-1,123456789,33554433,0,-2147483648
//! array g f32 24
//! array d f64 24
//! array n f32 16
//! array m u8 12
//! launch toInt<<<1,12>>>(f, r)
//! launch toFloat<<<1,8>>>(i, g, d)
//! launch nans<<<1,1>>>(0, n, m)
//! expect r
//! expect g
//! expect d
//! expect n
//! expect m
#include <math.h>

__global__ void toInt(const float *f, int *r)
{
    float x = f[threadIdx.x];
    int *o = r + 10 * threadIdx.x;
    o[0] = (int)x;                          // towards zero
    o[1] = __float2int_rn(x);               // ties to even
    o[2] = __float2int_rd(x);
    o[3] = __float2int_ru(x);
    o[4] = (int)(x + 0.5f);
    o[5] = (short)(int)x;
    o[6] = (unsigned char)(int)x;
    o[7] = (int)((long long)x * 3 >> 1);
    o[8] = (int)floor((double)x * 2.0);
    o[9] = x > 0 ? (int)(unsigned)x : -1;
}

__global__ void toFloat(const int *i, float *g, double *d)
{
    int v = i[threadIdx.x];
    float *o = g + 3 * threadIdx.x;
    o[0] = (float)v;
    o[1] = (float)(unsigned)v;
    o[2] = (float)((long long)v * 2147483659LL);
    d[3 * threadIdx.x] = v / 4;             // whole division first
    d[3 * threadIdx.x + 1] = v / 4.0;
    d[3 * threadIdx.x + 2] = (float)((double)v + 0.5);
}

// comparisons with NaN are false, min and max pass over it
__global__ void nans(float zero, float *n, unsigned char *m)
{
    float nan = zero / zero, inf = 1.0f / zero;
    n[0] = fminf(nan, 3.0f);
    n[1] = fmaxf(-4.0f, nan);
    n[2] = fminf(-inf, inf);
    n[3] = fmaxf(nan, nan);
    n[4] = inf - inf;
    n[5] = nan > 1.0f ? 1.0f : 2.0f;
    n[6] = 1.0f / -inf;
    n[7] = sqrtf(-1.0f + zero);
    for (int k = 8; k < 16; k++)
        n[k] = (k & 1 ? inf : -inf) * (k > 11 ? 1.0f : -1.0f);
    m[0] = nan == nan;
    m[1] = nan != nan;
    m[2] = nan < inf;
    m[3] = nan >= inf;
    m[4] = !(nan < 1.0f);
    m[5] = isnan(nan) ? 1 : 0;
    m[6] = isinf(-inf) ? 1 : 0;
    m[7] = isfinite(zero) ? 1 : 0;
    m[8] = signbit(-zero) ? 1 : 0;
    m[9] = -zero == zero;
    m[10] = (nan < nan) + (nan > nan) * 2 + (inf > 1e38f) * 4;
    m[11] = isnan(inf * zero) ? 1 : 0;
}
