// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random -99 99, i32[] 0, f32[] 0
extern "C" __global__ void atomics(const int *x, int *out, float *y) {
    int i = threadIdx.x;
    int v = x[i];
    int magnitude = v < 0 ? -v : v;
    unsigned bit = 1u << (magnitude & 31);
    int slot = 8 + (i & 3);
    atomicMin(&out[0], v);
    atomicMax(&out[1], v);
    atomicOr(&out[2], (int)bit);
    atomicXor(&out[3], magnitude);
    atomicAdd(&out[slot], magnitude);
    float quarter = 0.25f * magnitude;
    atomicAdd(&y[slot], quarter);
    int expected = 0;
    int desired = i + 1;
    // each thread has a cell of its own, so the old value is 0
    int old = atomicCAS(&out[64 + i], expected, desired);
    int previous = atomicExch(&out[64 + i], v);
    out[128 + i] = old * 100 + previous;
}
