/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector types of every base type, dim3, the built-in variables */
#include <vector_types.h>
struct __align__(16) mine { float x, y, z; };
__global__ void each(float4 *f, int2 *i, uchar4 *c, double2 *d, ushort3 *h, longlong2 *l, mine *m)
{
    uint3 t = threadIdx;
    dim3 b = blockDim;
    float4 v = __ldg(f);
    f[1] = make_float4(v.x, v.y, (float)t.x, (float)b.y);
    i[1] = make_int2(gridDim.z, blockIdx.x);
    c[1] = make_uchar4(1, 2, c[0].z, 4);
    d[1] = make_double2(d[0].x, d[0].y);
    h[1] = make_ushort3(h[0].x, 2, 3);
    l[1] = make_longlong2(l[0].x, 5);
    char1 one = make_char1(3);
    float3 three = make_float3(1, 2, one.x);
    m->x = three.z;
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12, "");
    static_assert(sizeof(uchar4) == 4 && alignof(double2) == 16 && sizeof(short3) == 6, "");
}
int main()
{
    dim3 grid(2, 3), block = 32;
    float2 f = {1, 2};
    int3 i = make_int3(1, 2, 3);
    return grid.x + block.z + f.x + i.y > 3;
}
