// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// More warp masks, and barriers in branches.
#define FULL 0xffffffffu

// Wrong: the mask of the lanes that said yes, used by all lanes, also those that said no.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_mask_of_yes<<<1, 32>>>(out, in, 12)
//@found invalid-shuffle mask-of-yes
__global__ void a_mask_of_yes(int* out, const int* in, int limit) {
    int lane = threadIdx.x, v = in[lane];
    unsigned yes = __ballot_sync(FULL, v > limit);
    int first = __shfl_sync(yes, v, __ffs(yes) - 1); // mask-of-yes
    out[lane] = v - first;
}

// Wrong: "the others" as a mask: each lane leaves itself out.
//@ array out int 32
//@ array in int 32 list:1,1,1,1,5,5,5,5
//@ launch a_mask_others<<<1, 32>>>(out, in)
//@found invalid-shuffle mask-others
__global__ void a_mask_others(int* out, const int* in) {
    int lane = threadIdx.x;
    unsigned g = __match_any_sync(FULL, in[lane]);
    unsigned others = g & ~(1u << lane);
    out[lane] = __any_sync(others, lane > 20); // mask-others
}

// Wrong: eight lanes are in the branch and the mask, the rotation by four reads lanes 8..11.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch a_rotate_out<<<1, 32>>>(out, in, 4)
//@found invalid-shuffle rotate-out
__global__ void a_rotate_out(int* out, const int* in, int by) {
    int lane = threadIdx.x, v = in[lane] * 3;
    if (lane < 8) out[lane] = __shfl_sync(0xffu, v, lane + by); // rotate-out
}

// Wrong: the pair's partner has gone to the other branch; the mask has this branch's lanes only.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_partner_gone<<<1, 32>>>(out, in, 15)
//@found invalid-shuffle partner-gone
__global__ void a_partner_gone(int* out, const int* in, int limit) {
    int lane = threadIdx.x, v = in[lane];
    unsigned m = __ballot_sync(FULL, v < limit);
    if (v < limit) out[lane] = __shfl_xor_sync(m, v, 1); // partner-gone
    else out[lane] = -v;
}

// Wrong: a barrier in one case of a switch on the lane.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_bar_switch<<<1, 64>>>(out, in)
//@found barrier-divergence bar-switch
__global__ void a_bar_switch(int* out, const int* in) {
    int t = threadIdx.x, v = in[t];
    switch (v % 4) {
    case 0: v *= 7; break;
    case 1: v -= 90; break;
    case 2:
        __syncthreads(); // bar-switch
        v += 3;
        break;
    default: v = ~v;
    }
    out[t] = v;
}

// Wrong: __syncthreads_count is asked only by the threads that have data.
//@ array out int 64 value:-1
//@ array in int 64 iota
//@ launch a_count_some<<<1, 64>>>(out, in, 45)
//@found barrier-divergence count-some
__global__ void a_count_some(int* out, const int* in, int n) {
    int t = threadIdx.x;
    if (t < n) out[t] = __syncthreads_count(in[t] > 4); // count-some
}

// Right: only those who said yes shuffle with the mask of yes, from a lane that is in it.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch a_yes_only<<<1, 32>>>(out, in, 12)
//@none
__global__ void a_yes_only(int* out, const int* in, int limit) {
    int lane = threadIdx.x, v = in[lane];
    unsigned yes = __ballot_sync(FULL, v > limit);
    if (v > limit) out[lane] = v - __shfl_sync(yes, v, __ffs(yes) - 1);
}

// Right: a ring over the lanes of an irregular mask; each reads the next lane that is in it.
//@ array out int 32 zero
//@ array in int 32 list:3,8,1,9,2,2,7,5,6,0,4
//@ launch a_mask_ring<<<1, 32>>>(out, in)
//@none
__global__ void a_mask_ring(int* out, const int* in) {
    int lane = threadIdx.x, v = in[lane];
    bool in_it = v > 2 && v != 7;
    unsigned m = __ballot_sync(FULL, in_it);
    if (!in_it) return;
    unsigned above = lane < 31 ? m & (FULL << (lane + 1)) : 0u;
    int next = __ffs(above ? above : m) - 1;
    out[lane] = __shfl_sync(m, v, next) * 10 + v;
}

// Right: shuffles up in segments of eight; at a segment's edge a lane gets its own value back.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_up_segments<<<1, 32>>>(out, in)
//@none
__global__ void a_up_segments(int* out, const int* in) {
    int lane = threadIdx.x, v = in[lane];
    for (int o = 1; o < 8; o <<= 1) {
        int w = __shfl_up_sync(FULL, v, o, 8);
        if ((lane & 7) >= o) v += w;
    }
    out[lane] = v;
}

// Right: the lanes diverge, write, and come together at one __syncwarp before they read.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_rejoin<<<1, 32>>>(out, in)
//@none
__global__ void a_rejoin(int* out, const int* in) {
    __shared__ int s[32];
    int lane = threadIdx.x, v = in[lane];
    if (v % 3 == 0) s[lane] = v * v;
    else if (v % 3 == 1) { for (int k = 0; k < lane; k++) v += k ^ lane; s[lane] = v; }
    else s[lane] = -v;
    __syncwarp();
    out[lane] = s[(lane + 7) & 31];
}

// Right: a branch in a branch, each with a mask made by those who are in the outer one.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch a_nested_masks<<<1, 32>>>(out, in)
//@none
__global__ void a_nested_masks(int* out, const int* in) {
    int lane = threadIdx.x, v = in[lane];
    unsigned m = __ballot_sync(FULL, v % 2 == 0);
    if (v % 2 == 0) {
        unsigned k = __ballot_sync(m, v % 3 == 0);
        if (v % 3 == 0) out[lane] = __shfl_sync(k, v, 31 - __clz(k));
        else out[lane] = __popc(m ^ k);
        __syncwarp(m);
        out[lane] += __all_sync(m, v < 31);
    }
}

// Right: a warp's exchange in global memory with different lanes as writers in each round, all by __syncwarp.
//@ array x int 32 iota
//@ launch a_warp_rounds<<<1, 32>>>(x, 4)
//@none
__global__ void a_warp_rounds(int* x, int rounds) {
    int lane = threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        if ((lane >> k) & 1) x[lane] += x[lane ^ (1 << k)];
        __syncwarp();
    }
}
