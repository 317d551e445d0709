// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Warps: masks, shuffles, votes, __syncwarp.
#define FULL 0xffffffffu

// Wrong: all 32 lanes call with a mask of 16 lanes; the upper half isn't in its own mask.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_mask_lacks<<<1, 32>>>(out, in, 65535)
//@found invalid-shuffle mask-lacks
__global__ void a_mask_lacks(int* out, const int* in, unsigned mask) {
    int v = in[threadIdx.x];
    v += __shfl_down_sync(mask, v, 8, 16); // mask-lacks
    out[threadIdx.x] = v;
}

// Wrong: the mask is right for the branch, but the source lane (31) isn't in it.
//@ array out int 32 zero
//@ array in int 32 iota
//@ launch a_src_outside<<<1, 32>>>(out, in, 20, 31)
//@found invalid-shuffle src-outside
__global__ void a_src_outside(int* out, const int* in, int n, int src) {
    int lane = threadIdx.x;
    int v = in[lane];
    unsigned m = __ballot_sync(FULL, lane < n);
    if (lane < n) out[lane] = __shfl_sync(m, v, src); // src-outside
}

// Wrong: the odd lanes vote with the even lanes' mask.
//@ array out u32 32 zero
//@ array in int 32 iota
//@ launch a_parity_mask<<<1, 32>>>(out, in, 1431655765)
//@found invalid-shuffle parity-mask
__global__ void a_parity_mask(unsigned* out, const int* in, unsigned even) {
    int lane = threadIdx.x;
    if (lane & 1) out[lane] = __ballot_sync(even, in[lane] > 7); // parity-mask
}

// Wrong: a shuffle stands where a __syncwarp should; shuffles don't order shared memory.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_shfl_noorder<<<1, 32>>>(out, in)
//@found race-shared shfl-noorder
__global__ void a_shfl_noorder(int* out, const int* in) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    int v = in[lane];
    s[lane] = v * 5;
    int w = __shfl_xor_sync(FULL, v, 1);
    out[lane] = s[lane ^ 1] + w; // shfl-noorder
}

// Wrong: a vote stands where a __syncwarp should; global memory of one warp.
//@ array x int 32 iota
//@ array out int 32
//@ launch a_vote_noorder<<<1, 32>>>(x, out)
//@found race-global vote-noorder
__global__ void a_vote_noorder(int* x, int* out) {
    int lane = threadIdx.x;
    x[lane] = x[lane] * 2 + 7;
    unsigned b = __ballot_sync(FULL, lane > 3);
    out[lane] = x[31 - lane] + __popc(b); // vote-noorder
}

// Wrong: each half of the warp synchronises for itself, the exchange crosses the halves.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_syncwarp_half<<<1, 32>>>(out, in)
//@found race-shared syncwarp-half
__global__ void a_syncwarp_half(int* out, const int* in) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane] + 3;
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
    out[lane] = s[lane ^ 16]; // syncwarp-half
}

// Wrong: lane 31 calls __syncwarp with a mask that leaves lane 31 out.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_syncwarp_lacks<<<1, 32>>>(out, in, 2147483647)
//@found barrier-divergence syncwarp-lacks
__global__ void a_syncwarp_lacks(int* out, const int* in, unsigned mask) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    __syncwarp(mask); // syncwarp-lacks
    out[lane] = lane < 31 ? s[30 - lane] : s[31];
}

// Wrong: 48 threads; the second warp has 16 lanes and adds what lanes 16..31 that don't exist hold.
//@ array out int 2
//@ array in int 48 value:1
//@ launch a_tail_warp<<<1, 48>>>(out, in)
//@found invalid-shuffle tail-warp
__global__ void a_tail_warp(int* out, const int* in) {
    int v = in[threadIdx.x];
    for (int off = 16; off > 0; off >>= 1) v += __shfl_down_sync(FULL, v, off); // tail-warp
    if ((threadIdx.x & 31) == 0) out[threadIdx.x >> 5] = v;
}

// Wrong: a full-mask shuffle in a strided loop; in the last round lanes 16..31 are gone and are read.
//@ array out int 48
//@ array in int 48 iota
//@ launch a_loop_ragged<<<1, 32>>>(out, in, 48)
//@found invalid-shuffle loop-ragged
__global__ void a_loop_ragged(int* out, const int* in, int n) {
    for (int i = threadIdx.x; i < n; i += 32) {
        int v = in[i];
        out[i] = v + __shfl_xor_sync(FULL, v, 16); // loop-ragged
    }
}

// Wrong: the group's leader stores a slot that the others read without a __syncwarp.
//@ array out int 32
//@ array in int 32 list:0,1,2,3
//@ launch a_match_elect<<<1, 32>>>(out, in)
//@found race-shared match-elect
__global__ void a_match_elect(int* out, const int* in) {
    __shared__ int slot[4];
    int lane = threadIdx.x, k = in[lane] & 3;
    if (lane < 4) slot[lane] = -1;
    __syncwarp();
    unsigned g = __match_any_sync(FULL, k);
    if (lane == __ffs(g) - 1) slot[k] = __popc(g) + 10 * k;
    out[lane] = slot[k]; // match-elect
}

// Right: lanes past n have ended; a vote with the full mask waits only for lanes that haven't.
//@ array out u32 32 zero
//@ array in int 32 iota
//@ launch a_exit_ballot<<<1, 32>>>(out, in, 20)
//@none
__global__ void a_exit_ballot(unsigned* out, const int* in, int n) {
    int lane = threadIdx.x;
    if (lane >= n) return;
    out[lane] = __ballot_sync(FULL, in[lane] & 1);
}

// Right: warp-aggregated append inside a branch with the lanes that came together.
//@ array out int 64 zero
//@ array cnt int 1 zero
//@ array in int 64 iota
//@ launch a_activemask_agg<<<1, 64>>>(out, cnt, in)
//@none
__global__ void a_activemask_agg(int* out, int* cnt, const int* in) {
    int t = threadIdx.x, lane = t & 31;
    int v = in[t];
    if (v % 3 == 1) {
        unsigned m = __activemask();
        int leader = __ffs(m) - 1;
        int base = 0;
        if (lane == leader) base = atomicAdd(cnt, __popc(m));
        base = __shfl_sync(m, base, leader);
        out[base + __popc(m & ((1u << lane) - 1))] = v;
    }
}

// Right: each half of the warp reduces in its own branch with its own mask.
//@ array out int 2
//@ array in int 32 iota
//@ launch a_half_branches<<<1, 32>>>(out, in)
//@none
__global__ void a_half_branches(int* out, const int* in) {
    int lane = threadIdx.x, v = in[lane];
    if (lane < 16) {
        for (int o = 8; o; o >>= 1) v += __shfl_xor_sync(0x0000ffffu, v, o);
        if (lane == 0) out[0] = v;
    } else {
        for (int o = 8; o; o >>= 1) v = max(v, __shfl_xor_sync(0xffff0000u, v, o));
        if (lane == 16) out[1] = v;
    }
}

// Right: the mask shrinks with the lanes that stay in the loop.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_shrinking<<<1, 32>>>(out, in)
//@none
__global__ void a_shrinking(int* out, const int* in) {
    int lane = threadIdx.x, x = in[lane], steps = 0;
    unsigned m = FULL;
    while (true) {
        m = __ballot_sync(m, x > 0);
        if (x <= 0) break;
        steps += __popc(m);
        x -= 3;
    }
    out[lane] = steps;
}

// Right: 48 threads; the tail warp shuffles with the mask of the lanes it has and reads no other.
//@ array out int 2
//@ array in int 48 iota
//@ launch a_tail_mask<<<1, 48>>>(out, in, 48)
//@none
__global__ void a_tail_mask(int* out, const int* in, int n) {
    int t = threadIdx.x, lane = t & 31;
    unsigned m = __ballot_sync(FULL, t < n);
    int cnt = __popc(m), v = in[t];
    for (int o = 16; o; o >>= 1) {
        bool have = lane + o < cnt;
        int w = __shfl_sync(m, v, have ? lane + o : lane);
        if (have && lane < o) v += w;
    }
    if (lane == 0) out[t >> 5] = v;
}

// Right: the source lane is taken modulo 32, so lane 31 reads lane 0.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_wrap_src<<<1, 32>>>(out, in, 33)
//@none
__global__ void a_wrap_src(int* out, const int* in, int step) {
    int lane = threadIdx.x;
    out[lane] = __shfl_sync(FULL, in[lane] * 2, lane + step);
}

// Right: groups of equal keys, each with its own mask at one and the same instruction.
//@ array out int 32
//@ array cnt int 4 zero
//@ array in int 32 list:3,1,0,1,2,2,1,0
//@ launch a_match_groups<<<1, 32>>>(out, cnt, in)
//@none
__global__ void a_match_groups(int* out, int* cnt, const int* in) {
    __shared__ int base[4];
    int lane = threadIdx.x, k = in[lane] & 3;
    unsigned g = __match_any_sync(FULL, k);
    int leader = __ffs(g) - 1;
    if (lane == leader) base[k] = atomicAdd(&cnt[k], __popc(g));
    __syncwarp(g);
    out[lane] = base[k] + __popc(g & ((1u << lane) - 1));
}

// Right: eight lanes of a diverged warp sum through shared memory with __syncwarp(0xff).
//@ array out int 1
//@ array in int 32 iota
//@ launch a_sub_eight<<<1, 32>>>(out, in)
//@none
__global__ void a_sub_eight(int* out, const int* in) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    if (lane < 8) {
        for (int o = 4; o; o >>= 1) {
            __syncwarp(0xffu);
            if (lane < o) s[lane] += s[lane + o];
        }
        if (lane == 0) out[0] = s[0];
    }
}

// Right: the warp stays in the loop together until no lane has work; idle lanes vote too.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_any_loop<<<1, 32>>>(out, in)
//@none
__global__ void a_any_loop(int* out, const int* in) {
    __shared__ int box[32];
    int lane = threadIdx.x, left = in[lane] % 5, sum = 0;
    while (__any_sync(FULL, left > 0)) {
        box[lane] = left > 0 ? left : 0;
        __syncwarp();
        sum += box[(lane + 1) & 31];
        __syncwarp();
        left--;
    }
    out[lane] = sum;
}

// Right: one warp exchanges through global memory, ordered by __syncwarp on both sides.
//@ array x int 64 iota
//@ launch a_global_warp<<<1, 64>>>(x)
//@none
__global__ void a_global_warp(int* x) {
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int v = x[t ^ 5];
        __syncwarp();
        x[t] = v + k;
        __syncwarp();
    }
}
