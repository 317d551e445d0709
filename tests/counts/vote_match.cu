// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes with the same key find each other; the first of each group stores.
// launch 1 64
extern "C" __global__ void vote_match(const int *in, int *out, int n)
{
    int t = threadIdx.x, key = in[t] & 7;
    unsigned peers = __match_any_sync(0xFFFFFFFF, key);
    if (__ffs(peers) - 1 == (t & 31))
        out[(t >> 5) * 8 + key] = __popc(peers);
}
