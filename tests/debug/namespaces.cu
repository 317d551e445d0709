// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, f32[] 0
namespace metric {
constexpr float factor = 0.5f;

__device__ float convert(int v) {
    float scaled = v * factor;
    return scaled;
}
}

namespace imperial {
constexpr float factor = 0.125f;

namespace detail {
__device__ int round8(int v) {
    int rest = v % 8;
    return v - rest;
}
}

__device__ float convert(int v) {
    int whole = detail::round8(v);
    float scaled = whole * factor;
    return scaled;
}
}

extern "C" __global__ void nspace(const int *x, float *y) {
    int v = x[threadIdx.x];
    float m = metric::convert(v);
    float i = imperial::convert(v);
    using imperial::detail::round8;
    int r = round8(v + 4);
    y[threadIdx.x] = m - i;
    y[threadIdx.x + 64] = r * metric::factor;
}
