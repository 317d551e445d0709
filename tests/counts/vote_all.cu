// SPDX-License-Identifier: GPL-3.0-or-later
// All, any and who, and a store by one lane of each warp.
// launch 2 96
extern "C" __global__ void vote_all(const int *in, int *out, int n)
{
    int i = blockIdx.x * 96 + threadIdx.x, v = in[i];
    unsigned who = __ballot_sync(0xFFFFFFFF, v & 1);
    int all = __all_sync(0xFFFFFFFF, v < 1 << 23), any = __any_sync(0xFFFFFFFF, v % 100 == 0);
    if (threadIdx.x % 32 == 0) {
        out[i] = (int)who;
        out[i + 1] = all * 2 + any;
    }
}
