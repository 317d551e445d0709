// SPDX-License-Identifier: GPL-3.0-or-later
// One thread follows a chain through memory: each load gives the place of the next one.
// The stored link is scrambled first, so that the chain jumps through the whole array.
//: small   array next u32 1024 iota; array last u32 1; launch chase<<<1, 1>>>(next, 1023, 64, last)
//: middle  array next u32 262144 iota; array last u32 1; launch chase<<<1, 1>>>(next, 262143, 1024, last)
//: large   array next u32 67108864 iota; array last u32 1; launch chase<<<1, 1>>>(next, 67108863, 16384, last)

extern "C" __global__ void chase(const unsigned *next, unsigned mask, int steps, unsigned *last)
{
    unsigned at = 0;
    for (int i = 0; i < steps; ++i)
        at = (next[at] * 1664525u + 1013904223u) & mask;
    *last = at;
}
