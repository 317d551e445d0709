// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 32: f32[] 0, i32 2024, i32 10
__device__ unsigned nextRandom(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    unsigned out = *state >> 8;
    return out;
}

extern "C" __global__ void lcg(float *y, unsigned seed, int draws) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = seed ^ (id * 2654435761u);
    int hits = 0;
    float furthest = 0.0f;
    for (int d = 0; d < draws; d++) {
        float u = nextRandom(&state) * (1.0f / 16777216.0f);
        float v = nextRandom(&state) * (1.0f / 16777216.0f);
        float r2 = u * u + v * v;
        if (r2 <= 1.0f) {
            hits++;
        }
        furthest = r2 > furthest ? r2 : furthest;
    }
    float pi = 4.0f * hits / draws;
    y[id] = pi;
    y[id + 128] = furthest;
}
