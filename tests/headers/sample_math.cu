/* SPDX-License-Identifier: GPL-3.0-or-later */
/* the samples' operators of vectors */
#include <helper_math.h>

__global__ void k(float4 *f, float3 *g, float2 *h, int4 *i)
{
    float4 a = make_float4(1.0f), b = make_float4(make_float3(1, 2, 3), 4);
    f[0] = a + b * 2.0f - a / b + lerp(a, b, 0.5f) + 3.0f * normalize(a);
    f[1] = clamp(a, 0.0f, 1.0f) + fminf(a, b) + floorf(-a) + make_float4(i[3]);
    f[1] += b;
    f[1] *= 2.0f;
    float3 u = make_float3(f[0]), v = make_float3(1.0f, 2.0f, 3.0f);
    g[0] = cross(u, v) + reflect(u, v) + fabs(u) + fracf(u) + fmodf(u, v) + u / 2.0f;
    g[1].x = dot(u, v) + length(u) + smoothstep(0.0f, 1.0f, 0.3f);
    h[0] = make_float2(g[1]) * 2.0f + make_float2(3, 4) + smoothstep(h[1], h[2], h[3]);
    i[0] = max(clamp(make_int4(1) + i[1], 0, 3), make_int4(f[0]));
}

int main()
{
    float3 a = make_float3(1, 2, 3);
    a = a + a;
    return dot(a, a) > 3;
}
