// SPDX-License-Identifier: GPL-3.0-or-later
// One block more than an H100 has multiprocessors, and each block takes 160 KB of dynamic shared
// memory, so that only one fits on a multiprocessor. It uses a tenth of it: each thread mixes eight words
// of its own, over and over.
//: small   array out u32 133 zero; launch mix<<<133, 512, 163840>>>(out, 8)
//: middle  array out u32 133 zero; launch mix<<<133, 512, 163840>>>(out, 128)
//: large   array out u32 133 zero; launch mix<<<133, 512, 163840>>>(out, 2048)

extern "C" __global__ void mix(unsigned *out, int rounds)
{
    extern __shared__ unsigned pool[];
    unsigned t = threadIdx.x;
    for (int k = 0; k < 8; ++k)
        pool[k * 512 + t] = (blockIdx.x * 8 + k) * 2654435761u + t;
    __syncthreads();
    unsigned h = t;
    for (int r = 0; r < rounds; ++r) {
        unsigned at = (unsigned)(r % 8) * 512 + t;
        h = (h ^ pool[at]) * 16777619u;
        pool[at] = h;
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = pool[0] ^ pool[4095];
}
