// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array r i32 96
//! array sum i32 4
//! array dims u32 9
//! launch ranks<<<(2,2),(4,3,2)>>>(r, sum)
//! launch facts<<<(3,2,2),(5,2)>>>(dims)
//! expect r
//! expect sum
//! expect dims
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// works with any group that can wait for its members
__device__ int reduceSum(cg::thread_block g, int *temp, int val)
{
    int lane = g.thread_rank();
    temp[lane] = val;
    g.sync();
    for (int i = 1; i < (int)g.size(); i *= 2) {
        int other = lane + i;
        int add = lane % (2 * i) == 0 && other < (int)g.size() ? temp[other] : 0;
        g.sync();
        temp[lane] += add;
        g.sync();
    }
    return temp[0];
}

__global__ void ranks(int *r, int *sum)
{
    __shared__ int temp[24];
    cg::thread_block me = cg::this_thread_block();
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    int total = reduceSum(me, temp, me.thread_rank() * (block + 1));
    r[block * 24 + me.thread_rank()] = total + me.thread_index().z * 1000 + me.thread_index().x;
    if (me.thread_rank() == me.size() - 1)
        sum[block] = total;
}

__global__ void facts(unsigned *dims)
{
    auto me = cg::this_thread_block();
    cg::sync(me);
    if (me.group_index().x != 2 || me.group_index().y != 1 || me.group_index().z != 0)
        return;
    if (me.thread_rank() != 7)
        return;
    dims[0] = me.size();
    dims[1] = me.thread_index().x;
    dims[2] = me.thread_index().y;
    dims[3] = me.group_index().x;
    dims[4] = me.group_index().y;
    dims[5] = me.group_index().z;
    dims[6] = me.thread_index().z;
    dims[7] = me.thread_rank();
    dims[8] = 4711;
}
