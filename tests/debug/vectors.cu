// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    float4 a = make_float4(i, 1.0f, 2.0f, 3.0f);
    float2 b = make_float2(a.x + a.y, a.z);
    double2 c = make_double2(b.x, b.y);
    int4 d = make_int4(1, 2, 3, i);
    short2 e = make_short2(4, 5);
    a.w = b.x * 2;
    c.y += a.w;
    d.x = (int)c.y;
    e.x += (short)d.x;
    float3 f = make_float3(a.w, b.y, 0.0f);
    x[i] = d.x + e.x + (int)f.x;
}
