// SPDX-License-Identifier: GPL-3.0-or-later
// A structure by value, there and back.
// launch 1 64
struct point {
    int x, y, z;
};

__device__ __noinline__ point turn(point p, int by)
{
    return {p.y + by, p.z, p.x - by};
}

extern "C" __global__ void call_struct(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    point p = turn({in[t], in[t + 64], in[t + 128]}, t);
    out[t] = p.x;
    out[t + 64] = p.y;
    out[t + 128] = p.z;
}
