// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array raw u32 384
//! array dice i32 64
//! array same i32 3
//! launch stream<<<2,32>>>(raw, 99)
//! launch rollDice<<<2,32>>>(dice)
//! launch compare<<<1,1>>>(same)
//! expect raw
//! expect dice
//! expect same
// A seed a thread, sequence 0.
#include <cuda_runtime.h>
#include <curand_kernel.h>

__global__ void stream(unsigned int *raw, unsigned long long seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(seed + i * 4294967301ull, 0, 0, &state);
    for (int k = 0; k < 6; k++)
        raw[6 * i + k] = curand(&state);
}

__global__ void rollDice(int *dice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateXORWOW_t state;
    curand_init(1000 + i, 0, 0, &state);
    int six = 0, n = 0;
    while (six < 3 && n < 100) {
        n++;
        if (curand(&state) % 6 == 5)
            six++;
    }
    dice[i] = n;
}

// the same state gives the same numbers, another sequence other ones
__global__ void compare(int *same)
{
    curandState a, b, c;
    curand_init(7, 3, 10, &a);
    curand_init(7, 3, 0, &b);
    curand_init(7, 4, 10, &c);
    for (int k = 0; k < 10; k++)
        curand(&b);
    same[0] = same[1] = 0;
    same[2] = 1;
    for (int k = 0; k < 50; k++) {
        float x = curand_uniform(&a), y = curand_uniform(&b), z = curand_uniform(&c);
        same[0] += x == y;
        same[1] += x != z;
        if (!(x > 0.0f && x <= 1.0f))
            same[2] = 0;
    }
}
