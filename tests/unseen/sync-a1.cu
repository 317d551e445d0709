// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Barriers of a block and shared memory.

// Wrong: no barrier at the end of the round, so thread 0 overwrites the value that others still read.
//@ array out int 64
//@ array in int 8 iota
//@ launch a_bcast_loop<<<1, 64>>>(out, in, 8, 0)
//@found race-shared bcast-loop
//@element cur[0]
__global__ void a_bcast_loop(int* out, const int* in, int n, int slot) {
    __shared__ int cur[4];
    int acc = 0;
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) cur[slot] = in[k] * 3 + 1; // bcast-loop
        __syncthreads();
        acc += cur[slot];
    }
    out[threadIdx.x] = acc;
}

// Wrong: the last warp's tree sum relies on lock step, no __syncwarp between the steps.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_reduce_tail<<<1, 64>>>(out, in)
//@found race-shared reduce-tail
__global__ void a_reduce_tail(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32)
        for (int off = 32; off > 0; off >>= 1)
            s[t] += s[t + off]; // reduce-tail
    if (t == 0) out[0] = s[0];
}

// Wrong: a stencil in place; the neighbours are read and the cell is written without a barrier between.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_stencil_inplace<<<1, 64>>>(out, in)
//@found race-shared stencil-inplace
__global__ void a_stencil_inplace(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int l = t > 0 ? s[t - 1] : 0;
    int r = t < 63 ? s[t + 1] : 0;
    s[t] = s[t] + l + r; // stencil-inplace
    __syncthreads();
    out[t] = s[63 - t];
}

// Wrong: Hillis-Steele scan with one barrier a step; a thread may read its partner's value of this step.
//@ array out int 128
//@ array in int 128 value:1
//@ launch a_scan_one_bar<<<1, 128>>>(out, in)
//@found race-shared scan-one-bar
__global__ void a_scan_one_bar(int* out, const int* in) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int off = 1; off < (int)blockDim.x; off <<= 1) {
        if (t >= off) s[t] += s[t - off]; // scan-one-bar
        __syncthreads();
    }
    out[t] = s[t];
}

// Wrong: a histogram without atomics; threads 3 and 7 hit bin 3.
//@ array out int 8
//@ array in int 8 list:0,1,2,3,4,5,6,3
//@ launch a_hist_plain<<<1, 8>>>(out, in)
//@found race-shared hist-plain
//@element bin[3]
__global__ void a_hist_plain(int* out, const int* in) {
    __shared__ int bin[8];
    int t = threadIdx.x;
    bin[t] = 0;
    __syncthreads();
    bin[in[t] & 7]++; // hist-plain
    __syncthreads();
    out[t] = bin[t];
}

// Wrong: the double buffer changes sides only every second round, so one barrier a round is too few.
//@ array out int 64
//@ array in int 256 iota
//@ launch a_dbuf_parity<<<1, 64>>>(out, in, 4)
//@found race-shared dbuf-parity
__global__ void a_dbuf_parity(int* out, const int* in, int rounds) {
    __shared__ int buf[2][64];
    int t = threadIdx.x, acc = 0;
    for (int k = 0; k < rounds; k++) {
        int p = (k >> 1) & 1;
        buf[p][t] = in[k * 64 + t]; // dbuf-parity
        __syncthreads();
        acc += buf[p][63 - t];
    }
    out[t] = acc;
}

// Wrong: a transpose through a tile without the barrier between filling and reading it.
//@ array out int 256
//@ array in int 256 iota
//@ launch a_transpose_nosync<<<1, dim3(16,16)>>>(out, in, 16)
//@found race-shared transpose-nosync
__global__ void a_transpose_nosync(int* out, const int* in, int w) {
    __shared__ int tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * w + x];
    out[y * w + x] = tile[x][y]; // transpose-nosync
}

// Wrong: several threads store their own number as "the" place found, plainly.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_found_any<<<1, 64>>>(out, in, 50, 1)
//@found race-shared found-any
//@element where[1]
__global__ void a_found_any(int* out, const int* in, int limit, int slot) {
    __shared__ int where[4];
    int t = threadIdx.x;
    if (t < 4) where[t] = -1;
    __syncthreads();
    if (in[t] > limit) where[slot] = t; // found-any
    __syncthreads();
    if (t == 0) out[0] = where[slot];
}

// Wrong: the barrier stands inside the bounds check; part of the second warp never comes.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch a_sync_in_if<<<1, 64>>>(out, in, 40)
//@found barrier-divergence sync-in-if
__global__ void a_sync_in_if(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = in[t] * 2;
        __syncthreads(); // sync-in-if
        out[t] = s[n - 1 - t];
    }
}

// Wrong: a barrier in a grid-stride loop whose trip count differs within the block (80 items, 64 threads).
//@ array out int 80
//@ array in int 80 iota
//@ launch a_loop_trip<<<1, 64>>>(out, in, 80)
//@found barrier-divergence loop-trip
__global__ void a_loop_trip(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) {
        s[t] = in[i] + 1;
        __syncthreads(); // loop-trip
        out[i] = s[t];
    }
}

// Right: two warps meet at different __syncthreads of an if and its else; each warp is whole.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_two_sites<<<1, 64>>>(out, in)
//@none
__global__ void a_two_sites(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        __syncthreads();
        out[t] = s[t + 32];
    } else {
        s[t] = in[t] + 100;
        __syncthreads();
        out[t] = s[t - 32] * 2;
    }
}

// Right: many threads store the same 1 into a flag between two barriers.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_same_flag<<<1, 64>>>(out, in, 20)
//@none
__global__ void a_same_flag(int* out, const int* in, int limit) {
    __shared__ int any[2];
    int t = threadIdx.x;
    if (t == 0) any[0] = 0;
    __syncthreads();
    if (in[t] > limit) any[0] = 1;
    __syncthreads();
    if (t == 0) out[0] = any[0];
}

// Right: neighbouring threads write neighbouring bytes of one word; bytes don't overlap.
//@ array out int 16
//@ array in u8 64 iota
//@ launch a_byte_own<<<1, 64>>>(out, in)
//@none
__global__ void a_byte_own(int* out, const unsigned char* in) {
    __shared__ __align__(4) unsigned char b[64];
    int t = threadIdx.x;
    b[t] = in[63 - t] ^ 0x5a;
    __syncthreads();
    if (t < 16) {
        int w;
        memcpy(&w, b + 4 * t, 4);
        out[t] = w;
    }
}

// Right: __syncthreads_count is the barrier between writing and reading.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_count_sync<<<1, 64>>>(out, in)
//@none
__global__ void a_count_sync(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] * in[t];
    int c = __syncthreads_count(in[t] & 1);
    out[t] = s[(t + 33) & 63] + c;
}

// Right: a warp's tree sum in shared memory, reads and writes kept apart by __syncwarp.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_syncwarp_reduce<<<1, 64>>>(out, in)
//@none
__global__ void a_syncwarp_reduce(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t];
        for (int off = 32; off > 0; off >>= 1) {
            v += s[t + off];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        if (t == 0) out[0] = v;
    }
}

// Right: Hillis-Steele scan in place with a register and two barriers a step.
//@ array out int 128
//@ array in int 128 value:1
//@ launch a_scan_two_bars<<<1, 128>>>(out, in)
//@none
__global__ void a_scan_two_bars(int* out, const int* in) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int off = 1; off < (int)blockDim.x; off <<= 1) {
        int v = t >= off ? s[t - off] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}

// Right: double buffer with one barrier a round; the other side is read at most one round later.
//@ array out int 64
//@ array in int 320 iota
//@ launch a_dbuf_one_bar<<<1, 64>>>(out, in, 5)
//@none
__global__ void a_dbuf_one_bar(int* out, const int* in, int rounds) {
    __shared__ int buf[2][64];
    int t = threadIdx.x, acc = 0;
    for (int k = 0; k < rounds; k++) {
        int p = k & 1;
        buf[p][t] = in[k * 64 + t];
        __syncthreads();
        acc += buf[p][63 - t];
    }
    out[t] = acc;
}

// Right: shared histogram by atomics, read plainly after the barrier, then cleared and used again.
//@ array out int 16
//@ array in int 128 random:0:1000
//@ launch a_hist_twice<<<1, 64>>>(out, in, 128)
//@none
__global__ void a_hist_twice(int* out, const int* in, int n) {
    __shared__ int bin[16];
    int t = threadIdx.x, keep = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (t < 16) bin[t] = 0;
        __syncthreads();
        for (int i = t; i < n; i += blockDim.x) atomicAdd(&bin[(in[i] >> (4 * pass)) & 15], 1);
        __syncthreads();
        if (t < 16) keep += bin[t] * (pass + 1);
    }
    if (t < 16) out[t] = keep;
}

// Right: whole blocks leave before the barrier; the block that stays is complete.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch a_block_exit<<<4, 64>>>(out, in, 64)
//@none
__global__ void a_block_exit(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (blockIdx.x * blockDim.x >= (unsigned)n) return;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t ^ 32];
}

// Right: a union of two arrays; the second is filled only after a barrier behind the last read of the first.
//@ array out float 64
//@ array in int 64 iota
//@ launch a_union_reuse<<<1, 64>>>(out, in)
//@none
__global__ void a_union_reuse(float* out, const int* in) {
    union Both { int i[64]; float f[64]; };
    __shared__ Both u;
    int t = threadIdx.x;
    u.i[t] = in[t];
    __syncthreads();
    int v = u.i[63 - t];
    __syncthreads();
    u.f[t] = v * 0.5f;
    __syncthreads();
    out[t] = u.f[(t + 1) & 63];
}
