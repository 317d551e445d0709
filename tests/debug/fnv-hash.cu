// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 0 100000, i32[] 0
#include <cstdint>

__device__ uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

extern "C" __global__ void fnvhash(const int *x, int *out) {
    int tid = threadIdx.x;
    uint32_t hash = 2166136261u;
    const uint32_t prime = 16777619u;
    uint32_t key = (uint32_t)x[tid];
    for (int b = 0; b < 4; b++) {
        uint8_t byte = (uint8_t)(key >> (8 * b));
        hash ^= byte;
        hash *= prime;
    }
    uint32_t mixed = mix(hash);
    uint64_t wide = (uint64_t)mixed * 200u;
    uint16_t bucket = (uint16_t)(wide >> 32);
    int8_t tag = (int8_t)(mixed & 0xffu);
    out[tid] = bucket;
    out[tid + 64] = tag;
    out[tid + 128] = (int)hash;
}
