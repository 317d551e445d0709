// SPDX-License-Identifier: GPL-3.0-or-later
// Warp programs: shuffles, votes, masks, and words exchanged between the lanes
// of one warp by way of shared memory.

// Right: every warp keeps to its own row and __syncwarp orders its lanes.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch warp_exchange<<<1, 64>>>(in, out)
//@none
__global__ void warp_exchange(const int *in, int *out)
{
    __shared__ int s[2][32];
    int t = threadIdx.x;
    int warp = t / 32, lane = t % 32;
    s[warp][lane] = in[t];
    __syncwarp();
    out[t] = s[warp][31 - lane];
}

// Right: either half of the warp has a mask and cells of its own.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_two_halves<<<1, 32>>>(in, out)
//@none
__global__ void warp_two_halves(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = in[t];
        __syncwarp(0x0000ffffu);
        out[t] = s[15 - t];
    } else {
        s[t] = 2 * in[t];
        __syncwarp(0xffff0000u);
        out[t] = s[47 - t];
    }
}

// Right: the mask comes from a ballot over the same condition, lane 3 is in it.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_ballot_mask<<<1, 32>>>(in, out)
//@none
__global__ void warp_ballot_mask(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    bool third = v % 3 == 0;
    unsigned mask = __ballot_sync(0xffffffffu, third);
    if (third)
        v = v * v + __shfl_sync(mask, v, 3);
    out[t] = v;
}

// Right: 16 lanes, and a width of 16 keeps every source among them.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_width<<<1, 32>>>(in, out)
//@none
__global__ void warp_width(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    if (t < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(0x0000ffffu, v, d, 16);
    }
    out[t] = v;
}

// Right: warps go round different numbers of times, __syncwarp does not mind.
//@ array in int 96 iota
//@ array out int 96 zero
//@ launch warp_rounds<<<1, 96>>>(in, out)
//@none
__global__ void warp_rounds(const int *in, int *out)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    int next = t / 32 * 32 + (t + 1) % 32;
    int v = in[t];
    for (int k = 0; k <= t / 32; k++) {
        s[t] = v;
        __syncwarp();
        v += s[next];
        __syncwarp();
    }
    out[t] = v;
}

// Right: lane 0 reserves 32 places for its warp, so no two threads share one.
//@ array count int 1 zero
//@ array out int 128 zero
//@ launch warp_reserve<<<2, 64>>>(count, out)
//@none
__global__ void warp_reserve(int *count, int *out)
{
    int lane = threadIdx.x % 32;
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, 32);
    base = __shfl_sync(0xffffffffu, base, 0);
    out[base + lane] = blockIdx.x * blockDim.x + threadIdx.x;
}

// Wrong: lanes exchange words without __syncwarp.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_no_sync<<<1, 32>>>(in, out)
//@found race-shared no-sync
__global__ void warp_no_sync(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];       // no-sync
    out[t] = s[31 - t]; // no-sync
}

// Wrong: the halves of the warp are each in order, but the lanes read from the other half.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_half_masks<<<1, 32>>>(in, out)
//@found race-shared half-masks
__global__ void warp_half_masks(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = in[t]; // half-masks
        __syncwarp(0x0000ffffu);
    } else {
        s[t] = 2 * in[t]; // half-masks
        __syncwarp(0xffff0000u);
    }
    out[t] = s[31 - t]; // half-masks
}

// Wrong: lane 20 is the source, the mask ends at lane 15.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_source<<<1, 32>>>(in, out)
//@found invalid-shuffle source
__global__ void warp_source(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    if (t < 16)
        v += __shfl_sync(0x0000ffffu, v, 20); // source
    out[t] = v;
}

// Wrong: of 24 lanes the last eight read from lanes 24 to 31.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_xor_edge<<<1, 32>>>(in, out)
//@found invalid-shuffle xor-edge
__global__ void warp_xor_edge(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    if (t < 24)
        v += __shfl_xor_sync(0x00ffffffu, v, 8); // xor-edge
    out[t] = v;
}

// Wrong: the shuffle names all lanes, half of them wait at the __syncwarp behind it.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_half_come<<<1, 32>>>(in, out)
//@found deadlock half-come
__global__ void warp_half_come(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    int v = in[t];
    if (t < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1); // half-come
    s[t] = v;
    __syncwarp(); // half-come
    out[t] = s[31 - t];
}

// Wrong: no second __syncwarp, so a lane writes its word while its neighbour reads it.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch warp_one_sync<<<1, 32>>>(in, out, 4)
//@found race-shared one-sync
__global__ void warp_one_sync(const int *in, int *out, int rounds)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    int v = in[t];
    for (int k = 0; k < rounds; k++) {
        s[t] = v; // one-sync
        __syncwarp();
        v += s[(t + 1) % 32]; // one-sync
    }
    out[t] = v;
}
