// SPDX-License-Identifier: GPL-3.0-or-later
// Odd and even lanes come to different instructions that do the same. Each lane also keeps what it
// gave: the exchange must not change it.
#define ALL 0xffffffffu
__device__ int sum(int x)
{
    int all;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(x));
    return all;
}
__global__ void sums(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1) {
        int x = lane;
        o[lane] = sum(x) * 1000 + x;
    } else {
        int y = lane * 2;
        o[lane] = sum(y) * 1000 - y;
    }
}
__global__ void shuffles(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1) {
        int x = lane + 100;
        o[lane] = __shfl_xor_sync(ALL, x, 1) * 1000 + x;
    } else {
        int y = lane * 3;
        o[lane] = __shfl_xor_sync(ALL, y, 1) * 1000 + y;
    }
}
__global__ void votes(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = (int)__ballot_sync(ALL, lane > 3) ^ 1;
    else
        o[lane] = (int)__ballot_sync(ALL, lane * 2 > 3) ^ 2;
}
__global__ void agree(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = __all_sync(ALL, lane < 32) + 10;
    else
        o[lane] = __all_sync(ALL, !(lane > 32)) + 20;
    if (lane & 1)
        o[lane] += __any_sync(ALL, lane == 32);
    else
        o[lane] += __any_sync(ALL, lane == 33);
}
__global__ void matches(int *o)
{
    int lane = threadIdx.x, same;
    if (lane & 1)
        o[lane] = (int)__match_any_sync(ALL, lane / 4);
    else
        o[lane] = (int)__match_any_sync(ALL, (lane + 1) / 4);
    if (lane & 1)
        __match_all_sync(ALL, 7LL << 32, &same);
    else
        __match_all_sync(ALL, 7LL << 32 | (lane == 4), &same);
    o[lane] += same;
}
__global__ void three_groups(int *o)
{
    int lane = threadIdx.x;
    if (lane % 3 == 0)
        o[lane] = __shfl_sync(ALL, lane, (lane + 1) & 31);
    else if (lane % 3 == 1)
        o[lane] = __shfl_sync(ALL, lane * 10, (lane + 1) & 31);
    else
        o[lane] = __shfl_sync(ALL, lane * 100, (lane + 1) & 31);
}
__global__ void halves(int *o) // each half of the warp names itself alone
{
    int lane = threadIdx.x;
    unsigned mine = lane < 16 ? 0xffffu : 0xffff0000u;
    if (lane & 1)
        o[lane] = __shfl_xor_sync(mine, lane, 1);
    else
        o[lane] = __shfl_xor_sync(mine, lane * 100, 1);
}
__global__ void others(int *o) // these are different operations
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = __shfl_xor_sync(ALL, lane, 1);
    else
        o[lane] = __shfl_down_sync(ALL, lane, 1);
}
