// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates pi by random points. Each thread has its own xorshift generator.
//: small   array hits u32 2 zero; launch throw_points<<<4, 64>>>(hits, 32, 12345)
//: middle  array hits u32 2 zero; launch throw_points<<<133, 64>>>(hits, 128, 12345)
//: large   array hits u32 2 zero; launch throw_points<<<133, 64>>>(hits, 2048, 12345)

__device__ unsigned step(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

extern "C" __global__ void throw_points(unsigned *hits, int tries, unsigned seed)
{
    unsigned s = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2654435769u ^ seed, mine = 0;
    if (s == 0)
        s = 1;
    for (int i = 0; i < tries; i++) {
        float x = step(s) * 2.3283064e-10f, y = step(s) * 2.3283064e-10f;
        if (x * x + y * y < 1)
            mine++;
    }
    mine = __reduce_add_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0)
        atomicAdd(hits, mine);
}
