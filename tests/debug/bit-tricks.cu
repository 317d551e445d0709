// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 1 1000000, i32[] 0
extern "C" __global__ void bittricks(const int *x, int *out) {
    int t = threadIdx.x;
    unsigned v = (unsigned)x[t];
    int ones = __popc(v);
    int leading = __clz((int)v);
    int lowest = __ffs((int)v) - 1;
    unsigned rounded = v - 1u;
    rounded |= rounded >> 1;
    rounded |= rounded >> 2;
    rounded |= rounded >> 4;
    rounded |= rounded >> 8;
    rounded |= rounded >> 16;
    rounded += 1u;
    bool power = (v & (v - 1u)) == 0u;
    unsigned gray = v ^ (v >> 1);
    unsigned reversed = __brev(v);
    unsigned swapped = __byte_perm(v, 0, 0x0123);
    int parity = ones & 1;
    gray = (gray << 3) | (gray >> 29);
    out[t] = (int)(rounded ^ gray);
    out[t + 32] = (int)(reversed ^ swapped);
    out[t + 64] = leading * 100 + lowest;
    out[t + 96] = power ? -1 : parity;
}
