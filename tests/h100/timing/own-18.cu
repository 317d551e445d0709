// SPDX-License-Identifier: GPL-3.0-or-later
// One warp on each multiprocessor works through one long chain: an integer division, a conversion,
// a square root, a sine and a float division, each needing the result before it.
//: small   array seed u32 4224 random:1:1000000; array out u32 4224; launch chain<<<132, 32>>>(seed, out, 32)
//: middle  array seed u32 4224 random:1:1000000; array out u32 4224; launch chain<<<132, 32>>>(seed, out, 512)
//: large   array seed u32 4224 random:1:1000000; array out u32 4224; launch chain<<<132, 32>>>(seed, out, 8192)

__global__ void chain(const unsigned *seed, unsigned *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = seed[i];
    for (int r = 0; r < rounds; ++r) {
        unsigned q = 4000000000u / (v | 1u);
        float f = sqrtf((float)q);
        f = __sinf(f) + 1.5f;
        f = 1000.0f / f;
        v = v * 1103515245u + (unsigned)f;
    }
    out[i] = v;
}
