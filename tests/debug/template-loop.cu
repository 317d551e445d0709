// SPDX-License-Identifier: GPL-3.0-or-later
template <int N> static __device__ int power(int base)
{
    int result = 1;
    for (int j = 0; j < N; j++) {
        int next = result * base;
        result = next % 1000;
    }
    return result;
}
template <class A, class B> static __device__ __noinline__ B mix(A a, B b)
{
    A twice = a + a;
    B both = (B)twice + b;
    return both;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int p = power<3>(i);
    int q = power<5>(i + 1);
    double m = mix(p, 0.5);
    float f = mix((short)q, 1.5f);
    long long l = mix(f, 7LL);
    x[i] = (int)(m + l);
}
