// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0, i32 123456789
extern "C" __global__ void wraparound(const int *x, int *out, unsigned seed) {
    unsigned int k = threadIdx.x;
    unsigned int u = seed * (k + 1u);
    unsigned int d = k - 5u;
    unsigned int mask = 0xffffffffu >> (k & 15u);
    unsigned long small = (unsigned long)d;
    unsigned char byte = (unsigned char)(u >> 8);
    int signedD = (int)d;
    bool wrapped = d > k;
    u = u & mask;
    u = u % 1000003u;
    if (wrapped) {
        small = small >> 4;
        u += 17u;
    }
    out[k] = (int)u + signedD;
    out[k + 64] = (int)(small & 0x7fffu) + byte;
    out[k + 128] = x[k] + (wrapped ? 1 : 0);
}
