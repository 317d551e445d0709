/* SPDX-License-Identifier: GPL-3.0-or-later */
/* half precision */
#include <cuda_fp16.h>
__global__ void each(half *p, __half2 *q, float *f)
{
    half a = p[0], b = __float2half(f[0]), c(2.5f);
    p[1] = __hadd(a, b);
    p[2] = __hmul(a, b);
    p[3] = __hfma(a, b, c);
    p[4] = a + b * c - a / b;
    p[5] = __hsub(a, b);
    f[1] = __half2float(a) + (float)b;
    if (__hlt(a, b) || a > b || __hge(a, c))
        p[6] = __int2half_rn(3);
    q[1] = __hadd2(q[0], __floats2half2_rn(1.0f, 2.0f));
    q[2] = __hfma2(q[0], q[1], __half2half2(a));
    q[3] = __hmul2(q[0], make_half2(a, b));
    f[2] = __low2float(q[0]) + __high2float(q[0]);
    float2 both = __half22float2(q[1]);
    f[3] = both.x + both.y + __half2float(__low2half(q[0])) + __half2int_rn(c);
    p[7] = hsqrt(a);
    p[8] += b;
    p[9] = -a;
}
int main() { half h = __float2half(1.0f); return __half2float(h) > 0.5f; }
