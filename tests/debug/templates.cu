// SPDX-License-Identifier: GPL-3.0-or-later
template <class T> static __device__ __noinline__ T larger(T a, T b)
{
    T both = a + b;
    T half = both / 2;
    T result = a > half ? a : b;
    return result;
}
template <class T, int N> struct Pile {
    T all[N];
    int used;
};
template <class T, int N> static __device__ T top(const Pile<T, N> &p)
{
    int last = p.used - 1;
    T value = p.all[last];
    return value;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = larger(i, n);
    double b = larger(0.25 * i, 2.0);
    long long c = larger<long long>(i, 1LL << 40);
    Pile<short, 4> pile;
    pile.used = 0;
    for (int j = 0; j < 4; j++) {
        short next = (short)(j * i);
        pile.all[pile.used++] = next;
    }
    short s = top(pile);
    x[i] = a + (int)b + (int)(c >> 40) + s;
}
