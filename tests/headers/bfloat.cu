/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfloat16, also on GPUs that have no instructions for it */
#include <cuda_bf16.h>
__global__ void each(__nv_bfloat16 *p, __nv_bfloat162 *q, float *f, half *h)
{
    nv_bfloat16 a = p[0], b = __float2bfloat16(f[0]), c(2.5f), d = 3;
    p[1] = a + b * c - a / d;
    p[2] = __hadd(a, __hmul(b, c));
    p[3] = hexp(a) + hsqrt(b) + __double2bfloat16(0.1);
    if (__hgt(a, b) || a != c)
        ++p[4];
    q[1] = __halves2bfloat162(a, b) * q[0] + __float2bfloat162_rn(1.0f);
    float2 both = __bfloat1622float2(q[1]);
    f[1] = both.x + __bfloat162float(b) + (float)c + __low2float(q[0]);
    atomicAdd(&p[5], a);
    atomicAdd(&q[2], q[0]);
    h[0] = half(a);
    p[6] = __nv_bfloat16(h[1]);
    p[7] = __shfl_xor_sync(0xffffffff, a, 1) + __ldg(p + 8) + CUDART_ONE_BF16;
    p[9] = __hmax(a, __habs(b));
}
int main() { nv_bfloat16 x = __float2bfloat16(1.0f); return __bfloat162float(x) > 0.5f; }
