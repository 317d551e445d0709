// SPDX-License-Identifier: GPL-3.0-or-later
// Where each chosen element goes: a vote, and a count of the bits below.
// launch 2 128
extern "C" __global__ void scan_ballot(const int *in, int *out, int n)
{
    __shared__ int totals[4];
    int t = threadIdx.x, lane = t & 31, v = in[blockIdx.x * 128 + t], at = 0;
    bool keep = v % 3 == 0;
    unsigned chosen = __ballot_sync(0xFFFFFFFF, keep);
    if (lane == 0)
        totals[t / 32] = __popc(chosen);
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        at += totals[w];
    if (keep)
        out[blockIdx.x * 128 + at + __popc(chosen & ((1u << lane) - 1))] = v;
}
