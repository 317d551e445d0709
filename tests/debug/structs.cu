// SPDX-License-Identifier: GPL-3.0-or-later
struct Point {
    float x, y;
};
struct Body {
    Point at;
    int mass;
    short kind;
    short more;
};
static __device__ __noinline__ Point moved(Point p, float by)
{
    Point q = p;
    q.x += by;
    q.y -= by;
    return q;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Point p = {1.0f, (float)i};
    Point q = moved(p, 0.5f);
    Body b = {q, i, 3, 4};
    b.mass *= 2;
    float4 v = make_float4(p.x, p.y, q.x, q.y);
    v.w = b.mass;
    int2 pair = make_int2(i, -i);
    pair.x += (int)v.w;
    uchar4 bytes = make_uchar4(1, 2, 3, i);
    x[i] = pair.x + pair.y + bytes.w + b.kind + (int)b.at.y;
}
