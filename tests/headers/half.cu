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
/* Types, constants and rarer functions. */
struct particle {
    half mass;
    half2 place;
};
__constant__ half weights[4];
template <typename T> __device__ T twice(T x) { return x + x; }
__global__ void others(particle *p, half *h, unsigned short *u, int *n)
{
    __shared__ half tile[32];
    extern __shared__ half2 tiles[];
    half zero{}, one = 1, third = 1.0 / 3;
    tile[threadIdx.x] = twice(weights[threadIdx.x & 3]) + CUDART_ONE_FP16;
    tiles[threadIdx.x] = twice(p->place) * half2(one, third) + half2{zero, one};
    p->place.x = __hmin(p->mass, __hmax_nan(h[0], zero));
    p->place.y = hexp(h[1]) + hlog2(h[2]) + htanh(h[3]) + hrcp(h[4]);
    h[5] = __hfma_sat(h[0], h[1], h[2]);
    h[6]++;
    tiles[1] = {one, third};
    __half2_raw both = tiles[2];
    tiles[3] = both;
    h[7] /= third;
    __half_raw raw = h[8];
    u[0] = raw.x + __half_as_ushort(h[9]);
    raw.x = u[1];
    h[10] = raw;
    n[0] = __half2int_rd(h[0]) + __half2ll_rz(h[1]) + int(h[2]) + __hisinf(h[3]) + bool(h[4]);
    h[11] = __float2half_rz(0.1f) + __ull2half_ru(n[1]) + h[n[2]];
    n[3] = __hbgt2(tiles[0], tiles[1]) + (tiles[0] == tiles[1]) + __heq2_mask(tiles[2], tiles[3]);
    atomicAdd(h + 12, one);
    atomicAdd((half2 *)h + 7, tiles[0]);
    __stcg(h + 16, __ldcg(h + 17));
}
