// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    unsigned mask = __activemask();
    int lane = threadIdx.x & 31;
    int v = i * 3;
    int up = __shfl_up_sync(mask, v, 1);
    v += up;
    unsigned votes = __ballot_sync(mask, v & 1);
    int set = __popc(votes);
    int first = __shfl_sync(mask, v, 0);
    v = first + set;
    x[i] = v + lane;
}
