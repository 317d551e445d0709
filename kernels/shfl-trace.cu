/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One warp shuffle, so cudalab can show the exchange lane by lane.
 *
 * Lane i holds before[i]. The lanes with a 1 bit in `participants` call the shuffle in a branch,
 * with the given mask. The mask is right only if it names exactly these lanes. after[i] is what
 * lane i got. `width` divides the warp into groups of 2, 4, 8, 16 or 32 lanes.
 */

//: variant down
/* Lane i reads lane i + delta. At the end of its group, a lane reads itself. */
extern "C" __global__ void shfl_down(const int *before, int *after, int delta, int width,
                                     unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_down_sync(mask, value, delta, width);
}

//: variant up
/* Lane i reads lane i - delta. At the start of its group, a lane reads itself. */
extern "C" __global__ void shfl_up(const int *before, int *after, int delta, int width,
                                   unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_up_sync(mask, value, delta, width);
}

//: variant xor
/* Lane i reads lane i xor delta, so pairs of lanes exchange values. A sum needs 5 such steps. */
extern "C" __global__ void shfl_xor(const int *before, int *after, int delta, int width,
                                    unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_xor_sync(mask, value, delta, width);
}

//: variant idx
/* Every lane reads lane delta of its group. This is a broadcast. */
extern "C" __global__ void shfl_idx(const int *before, int *after, int delta, int width,
                                    unsigned mask, unsigned participants)
{
    int my_lane = threadIdx.x;
    int value = before[my_lane];

    if (participants >> my_lane & 1)
        after[my_lane] = __shfl_sync(mask, value, delta, width);
}
