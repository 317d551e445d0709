// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of the _sync functions: each lane that calls must stand in the mask that it names, and
// each lane of the mask must come to this call.

// Right: the mask names the 17 lanes that call.
//@ array out int 32 zero
//@ launch mask_seventeen<<<1, 32>>>(out)
//@none
__global__ void mask_seventeen(int *out)
{
    int t = threadIdx.x;
    if (t <= 16)
        out[t] = __shfl_sync(0x1ffffu, t, 0) + __ballot_sync(0x1ffffu, t & 1);
}

// Right: each tile of eight lanes names itself.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch mask_tiles<<<1, 64>>>(in, out)
//@none
__global__ void mask_tiles(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    unsigned mine = 0xffu << (t % 32 / 8 * 8);
    s[t] = in[t];
    __syncwarp(mine);
    int v = s[t ^ 7];
    if (__any_sync(mine, v > 40))
        v += __shfl_xor_sync(mine, v, 4);
    out[t] = v;
}

// Right: the mask of a branch is worked out before it.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch mask_of_branch<<<1, 32>>>(in, out)
//@none
__global__ void mask_of_branch(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned odd = __ballot_sync(0xffffffffu, v & 1);
    if (v & 1)
        out[t] = __shfl_sync(odd, v, 31);
    else
        out[t] = __shfl_sync(~odd, v, 0);
}

// Right: the halves of a warp meet at two __syncwarp, whose masks stand in memory.
//@ array in int 32 zero
//@ array out int 32 zero
//@ launch mask_two_places<<<1, 32>>>(in, out)
//@none
__global__ void mask_two_places(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 16)
        __syncwarp(0xffffffffu + in[t]);
    else
        __syncwarp(0xffffffffu - in[t]);
    out[t] = s[31 - t];
}

// Right: lanes that have ended need not come.
//@ array out int 32 zero
//@ launch mask_ended<<<1, 32>>>(out)
//@none
__global__ void mask_ended(int *out)
{
    int t = threadIdx.x;
    if (t >= 20)
        return;
    out[t] = __ballot_sync(0xffffffffu, t > 3);
}

// Wrong: lane 16 shuffles with a mask that ends at lane 15.
//@ array out int 32 zero
//@ launch mask_shuffle<<<1, 32>>>(out)
//@found invalid-shuffle shuffle-lacks
__global__ void mask_shuffle(int *out)
{
    int t = threadIdx.x;
    if (t <= 16)
        out[t] = __shfl_sync(0xffff, t, 0); // shuffle-lacks
}

// Wrong: the same of a ballot.
//@ array out int 32 zero
//@ launch mask_ballot<<<1, 32>>>(out)
//@found invalid-shuffle ballot-lacks
__global__ void mask_ballot(int *out)
{
    int t = threadIdx.x;
    if (t <= 16)
        out[t] = __ballot_sync(0xffff, t & 1); // ballot-lacks
}

// Wrong: all 32 lanes vote, and 16 of them name the other half.
//@ array out int 32 zero
//@ launch mask_swapped<<<1, 32>>>(out)
//@found invalid-shuffle swapped
__global__ void mask_swapped(int *out)
{
    int t = threadIdx.x;
    out[t] = __any_sync(t < 20 ? 0xffffu : 0xffff0000u, t > 9); // swapped
}

// Wrong: one lane alone, with a mask of others.
//@ array out int 32 zero
//@ launch mask_alone<<<1, 32>>>(out)
//@found invalid-shuffle alone
__global__ void mask_alone(int *out)
{
    int t = threadIdx.x;
    if (t < 20)
        out[t] = __all_sync(1u << (t == 7 ? 8 : t), t > 3); // alone
}

// Wrong: lanes without a partner name a mask without themselves.
//@ array out int 32 zero
//@ launch mask_match<<<1, 32>>>(out)
//@found invalid-shuffle match-lacks
__global__ void mask_match(int *out)
{
    int t = threadIdx.x;
    if (t < 24)
        out[t] = __match_any_sync(0xfffff, t / 2); // match-lacks
}

// Wrong: lane 16 waits at a __syncwarp that lacks it.
//@ array out int 32 zero
//@ launch mask_syncwarp<<<1, 32>>>(out)
//@found barrier-divergence syncwarp-lacks
__global__ void mask_syncwarp(int *out)
{
    int t = threadIdx.x;
    if (t <= 16) {
        __syncwarp(0xffff); // syncwarp-lacks
        out[t] = t;
    }
}

// Wrong: a __syncwarp orders only the lanes of its mask: lane 16 reads too soon.
//@ array out int 32 zero
//@ launch mask_not_ordered<<<1, 32>>>(out)
//@may barrier-divergence
//@found race-shared not-ordered
__global__ void mask_not_ordered(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t; // not-ordered
    __syncwarp(0xffff); // not-ordered
    if (t <= 16)
        out[t] = s[t ^ 16]; // not-ordered
}

// Wrong: the two sides of a branch vote at two places, and both name all lanes.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch mask_two_votes<<<1, 32>>>(in, out)
//@nvcc
//@found invalid-shuffle two-votes
__global__ void mask_two_votes(const int *in, int *out)
{
    int t = threadIdx.x;
    if (in[t] < 16)
        out[t] = __ballot_sync(0xffffffffu, t & 1); // two-votes
    else
        out[t] = __ballot_sync(0xffffffffu, t & 2); // two-votes
}
