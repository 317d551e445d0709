/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversions and arithmetic with a stated rounding */
__global__ void casts(float f, double d, int *i, long long *l, float *g, double *e)
{
    unsigned u = __float2uint_rz(f);
    unsigned long long v = __double2ull_rd(d);
    i[0] = __float2int_rn(f) + __float2int_rz(f) + __float2int_ru(f) + __float2int_rd(f) + u;
    i[1] = __double2int_rn(d) + __double2int_rz(d) + __double2int_ru(d) + __double2int_rd(d);
    l[0] = __float2ll_rn(f) + __double2ll_rz(d) + __double2ll_ru(d) + v + __float2ull_rd(f);
    g[0] = __int2float_rn(i[0]) + __int2float_rz(i[0]) + __int2float_ru(i[1]) + __int2float_rd(3);
    g[1] = __uint2float_rn(u) + __ll2float_rn(l[0]) + __ull2float_rz(v) + __double2float_rn(d);
    e[0] = __int2double_rn(i[2]) + __uint2double_rn(u) + __ll2double_rn(l[1]) + __ull2double_rn(v);
    e[1] = __hiloint2double(i[0], i[1]) + __longlong_as_double(l[1]) + __double2float_rz(d);
    i[2] = __double2hiint(d) + __double2loint(d) + __float_as_int(f) + __float_as_uint(f);
}
__global__ void arithmetic(float x, float y, float *f, double a, double b, double *d)
{
    f[0] = __fadd_rn(x, y) + __fadd_rz(x, y) + __fadd_ru(x, y) + __fadd_rd(x, y) + __fsub_rn(x, y);
    f[1] = __fmul_rn(x, y) + __fmul_rz(x, y) + __fdiv_rn(x, y) + __fdiv_rd(x, y) + __fsub_ru(x, y);
    f[2] = __fmaf_rn(x, y, x) + __fmaf_rz(x, y, x) + __frcp_rn(x) + __fsqrt_rn(x) + __fsqrt_ru(x);
    d[0] = __dadd_rn(a, b) + __dadd_rz(a, b) + __dmul_rn(a, b) + __ddiv_rn(a, b) + __dsub_rd(a, b);
    d[1] = __fma_rn(a, b, a) + __drcp_rn(a) + __dsqrt_rn(a);
    f[3] = __fdividef(x, y) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x);
    f[4] = __powf(x, y) + __sinf(x) + __cosf(x) + __tanf(x) + __saturatef(x) + __frsqrt_rn(x);
    __sincosf(x, f + 5, f + 6);
}
