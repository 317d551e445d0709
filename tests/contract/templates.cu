// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of templates, and functions as arguments.
template <typename T> __device__ T of_type = T(-3);
template <typename T, int N> __constant__ T table[N] = {T(1), T(2)};
namespace ns {
template <typename T> __device__ T deep = T(7);
}
typedef void (*step)(int *);

__device__ void more(int *out)
{
    out[0]++;
}
__device__ step steps[1] = {more};

__global__ void k(int *out)
{
    out[0] = of_type<int> + table<short, 2>[out[1]] + ns::deep<unsigned>;
    of_type<double> = 2.5;
    ns::deep<unsigned>++;
}

__global__ void call(step f, int *out)
{
    if (f)
        f(out);
    else
        out[0] = 77;
}
