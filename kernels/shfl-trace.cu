/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One warp shuffle, so that its exchange can be drawn lane by lane.
 *
 * Lane i holds before[i].  The lanes whose bit is set in `participants` call the shuffle, in a
 * branch, with the mask as given (right only if it names exactly those lanes), and leave what
 * they got in after[i].  `width` cuts the warp into groups of 2, 4, 8, 16 or 32 lanes.
 */

//: variant down
/* Lane i reads lane i + delta; at the end of its group it reads itself. */
extern "C" __global__ void shfl_down(const int *before, int *after, int delta, int width,
                                     unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_down_sync(mask, value, delta, width);
}

//: variant up
/* Lane i reads lane i - delta; at the start of its group it reads itself. */
extern "C" __global__ void shfl_up(const int *before, int *after, int delta, int width,
                                   unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_up_sync(mask, value, delta, width);
}

//: variant xor
/* Lane i reads lane i xor delta: pairs swap, and after all steps each lane has the sum. */
extern "C" __global__ void shfl_xor(const int *before, int *after, int delta, int width,
                                    unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_xor_sync(mask, value, delta, width);
}

//: variant idx
/* Every lane reads lane delta of its group: a broadcast. */
extern "C" __global__ void shfl_idx(const int *before, int *after, int delta, int width,
                                    unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_sync(mask, value, delta, width);
}
