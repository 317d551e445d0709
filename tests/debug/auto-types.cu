// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, f32[] 0 step 0.5
struct Pair {
    int first;
    float second;
};

__device__ auto makePair(int a, float b) {
    Pair p = {a, b};
    return p;
}

extern "C" __global__ void autos(const int *x, float *y) {
    auto tid = threadIdx.x;
    auto value = x[tid];
    auto ratio = value / 4.0f;
    auto big = 1LL << (tid + 8);
    auto flag = value > 10;
    auto pair = makePair(value - 3, ratio);
    auto *cell = &y[tid];
    auto &neighbour = y[tid + 64];
    decltype(ratio) sum = pair.second;
    for (auto k = 0u; k < 3u; ++k) {
        sum += ratio * k;
    }
    if (flag) {
        sum -= pair.first;
    }
    *cell += sum;
    neighbour = (float)(big >> 4);
}
