// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] random 0 9, i32[] 0
extern "C" __global__ void votes(const int *x, int *out) {
    int tid = threadIdx.x;
    int lane = tid % 32;
    int v = x[tid];
    bool keep = v >= 4;
    unsigned ballot = __ballot_sync(0xffffffffu, keep);
    unsigned below = (1u << lane) - 1u;
    int rank = __popc(ballot & below);
    int kept = __popc(ballot);
    int any9 = __any_sync(0xffffffffu, v == 9);
    int all = __all_sync(0xffffffffu, v < 10);
    if (keep) {
        int slot = tid - lane + rank;
        out[slot] = v;
    } else {
        int loser = lane - rank;
        int slot = tid - lane + kept + loser;
        out[slot] = -v;
    }
    out[tid + 64] = kept;
    out[tid + 128] = (any9 ? 1 : 0) + (all ? 2 : 0);
}
