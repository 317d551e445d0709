// SPDX-License-Identifier: GPL-3.0-or-later
struct Size {
    int width;
    int height;
};
static __device__ __noinline__ int area(const Size &s)
{
    int a = s.width * s.height;
    return a;
}
static __device__ __noinline__ void grow(Size *s, int by)
{
    int old = s->width;
    s->width = old + by;
    s->height += by;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Size s = {i, 3};
    int before = area(s);
    grow(&s, 2);
    int after = area(s);
    x[i] = after - before;
}
