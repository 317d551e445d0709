// SPDX-License-Identifier: GPL-3.0-or-later
// Structures of three floats side by side: three requests of twelve sectors.
// launch 2 128
struct point {
    float x, y, z;
};

extern "C" __global__ void struct3_aos(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    const point *from = (const point *)in;
    int x = __float_as_int(from[i].x), y = __float_as_int(from[i].y), z = __float_as_int(from[i].z);
    point p = {__int_as_float(z), __int_as_float(x), __int_as_float(y)};
    ((point *)out)[i] = p;
}
