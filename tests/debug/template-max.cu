// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random -20 20, f32[] 12 step -0.25
template <typename T>
__device__ T maxOf(const T *data, int count) {
    T best = data[0];
    for (int i = 1; i < count; i++) {
        T candidate = data[i];
        if (candidate > best) {
            best = candidate;
        }
    }
    return best;
}

template <int N, typename T>
__device__ T power(T base) {
    T result = 1;
    for (int i = 0; i < N; i++) {
        result *= base;
    }
    return result;
}

extern "C" __global__ void tmplmax(const int *x, float *y) {
    int t = threadIdx.x;
    int imax = maxOf<int>(x + t, 6);
    float fmax6 = maxOf(y + 64 + t, 6);
    int cube = power<3>(imax);
    double quad = power<4, double>(fmax6);
    y[t] = (float)cube;
    y[t + 32] = (float)quad;
}
