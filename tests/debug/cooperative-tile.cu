// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] 0 step 1, i32[] 0
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cgtile(const int *x, int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int rank = block.thread_rank();
    int lane = tile.thread_rank();
    int group = rank / 8;
    int v = x[rank] * (lane + 1);
    int sum = v;
    for (int d = tile.size() / 2; d > 0; d /= 2) {
        int up = tile.shfl_down(sum, d);
        sum += up;
    }
    int total = tile.shfl(sum, 0);
    bool large = v > total / 8;
    unsigned votes = tile.ballot(large);
    int count = __popc(votes);
    if (lane == 0) {
        out[64 + group] = total;
    }
    tile.sync();
    out[rank] = count;
}
