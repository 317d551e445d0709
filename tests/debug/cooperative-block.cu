// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 32: i32[] 0 step 1, f32[] 0
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ float blockSum(thread_block g, float *scratch, float v) {
    int me = g.thread_rank();
    int size = g.size();
    scratch[me] = v;
    g.sync();
    for (int half = size / 2; half > 0; half /= 2) {
        if (me < half) {
            float other = scratch[me + half];
            scratch[me] += other;
        }
        g.sync();
    }
    float sum = scratch[0];
    return sum;
}

extern "C" __global__ void cgblock(const int *x, float *y) {
    __shared__ float scratch[32];
    thread_block g = this_thread_block();
    dim3 where = g.group_index();
    int index = where.x * g.size() + g.thread_rank();
    float v = x[index] * 0.5f;
    float sum = blockSum(g, scratch, v);
    float mean = sum / g.size();
    y[index] = v - mean;
}
