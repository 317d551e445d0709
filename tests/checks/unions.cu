// SPDX-License-Identifier: GPL-3.0-or-later
// Unions: one stretch of bytes under two types, and narrow stores beside wide
// loads and stores.

// Right: four threads store the four bytes of a word, which is read after the barrier.
//@ array in int 64 iota
//@ array out int 16 zero
//@ launch un_bytes<<<1, 64>>>(in, out)
//@none
__global__ void un_bytes(const int *in, int *out)
{
    __shared__ union {
        unsigned char byte[64];
        int word[16];
    } s;
    int t = threadIdx.x;
    s.byte[t] = in[t] * 3;
    __syncthreads();
    if (t < 16)
        out[t] = s.word[t];
}

// Right: two blocks store either half of each word.
//@ array a short 64 zero
//@ launch un_halves<<<2, 32>>>(a)
//@none
__global__ void un_halves(short *a)
{
    int t = threadIdx.x;
    a[2 * t + blockIdx.x] = 100 * blockIdx.x + t;
}

// Right: each thread looks at the bits of a float of its own.
//@ array in float 32 iota
//@ array out unsigned 32 zero
//@ launch un_bits<<<1, 32>>>(in, out)
//@none
__global__ void un_bits(const float *in, unsigned *out)
{
    union {
        float f;
        unsigned u;
    } v;
    int t = threadIdx.x;
    v.f = in[t] * 1.5f;
    out[t] = v.u >> 23;
}

struct Colour {
    unsigned char r, g, b, a;
};

// Right: four warps, each with one field of the colours, no two the same byte.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch un_fields<<<1, 128>>>(in, out)
//@none
__global__ void un_fields(const int *in, int *out)
{
    __shared__ Colour c[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0)
        c[lane].r = in[lane];
    else if (warp == 1)
        c[lane].g = in[lane] / 2;
    else if (warp == 2)
        c[lane].b = 255 - in[lane];
    else
        c[lane].a = 128;
    __syncthreads();
    if (warp == 3)
        out[lane] = c[lane].r + c[lane].g + c[lane].b + c[lane].a;
}

// Right: two lanes store the halves of a long, __syncwarp stands before it is read.
//@ array out long 16 zero
//@ launch un_long_parts<<<1, 32>>>(out)
//@none
__global__ void un_long_parts(long *out)
{
    __shared__ union {
        int half[32];
        long whole[16];
    } s;
    int t = threadIdx.x;
    s.half[t] = t % 2 == 0 ? t : 0;
    __syncwarp();
    if (t < 16)
        out[t] = s.whole[t];
}

// Wrong: the word is read while the other lanes store their bytes of it.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch un_word_early<<<1, 64>>>(in, out)
//@found race-shared word-early
__global__ void un_word_early(const int *in, int *out)
{
    __shared__ union {
        unsigned char byte[64];
        int word[16];
    } s;
    int t = threadIdx.x;
    if (t < 16)
        s.word[t] = 0;
    __syncthreads();
    s.byte[t] = in[t] + 1;  // word-early
    out[t] = s.word[t / 4]; // word-early
}

struct Nibbles {
    unsigned char low : 4;
    unsigned char high : 4;
};

// Wrong: two bit fields of one byte, each store rewrites the byte.
//@ array in int 64 iota
//@ array out int 32 zero
//@ launch un_nibbles<<<1, 64>>>(in, out)
//@found race-shared nibbles
__global__ void un_nibbles(const int *in, int *out)
{
    __shared__ Nibbles n[32];
    int t = threadIdx.x;
    if (t < 32) {
        n[t].low = 0;
        n[t].high = 0;
    }
    __syncthreads();
    if (t < 32)
        n[t].low = in[t]; // nibbles
    else
        n[t - 32].high = in[t]; // nibbles
    __syncthreads();
    if (t < 32)
        out[t] = n[t].low + 16 * n[t].high;
}

// Wrong: the upper longs that one warp clears hold the ints that the other stores.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch un_clear_wide<<<1, 64>>>(in, out)
//@found race-shared clear-wide
__global__ void un_clear_wide(const int *in, int *out)
{
    __shared__ union {
        int word[64];
        long wide[32];
    } s;
    int t = threadIdx.x;
    if (t < 32)
        s.wide[t] = 0; // clear-wide
    else
        s.word[t] = in[t]; // clear-wide
    __syncthreads();
    out[t] = s.word[t];
}

// Wrong: thread 32 stores the top byte of a word that others change by atomics.
//@ array out int 1 zero
//@ launch un_atomic_byte<<<1, 33>>>(out)
//@found race-shared atomic-byte
__global__ void un_atomic_byte(int *out)
{
    __shared__ union {
        unsigned char byte[4];
        unsigned word;
    } s;
    int t = threadIdx.x;
    if (t == 0)
        s.word = 0;
    __syncthreads();
    if (t < 24)
        atomicOr(&s.word, 1u << t); // atomic-byte
    else if (t == 32)
        s.byte[3] = 0x7f; // atomic-byte
    __syncthreads();
    if (t == 0)
        out[0] = s.word;
}

// Wrong: block 0 stores whole words, block 1 the upper halves of the same words.
//@ array a int 32 zero
//@ launch un_upper_halves<<<2, 32>>>(a)
//@found race-global upper-halves
__global__ void un_upper_halves(int *a)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0)
        a[t] = 1000 * t; // upper-halves
    else
        ((short *)a)[2 * t + 1] = t; // upper-halves
}

// Wrong: block 1 reads as ints what block 0 is writing as floats.
//@ array a float 32 value:1
//@ array out int 32 zero
//@ launch un_float_int<<<2, 32>>>(a, out)
//@found race-global float-int
__global__ void un_float_int(float *a, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0)
        a[t] = 0.25f * t; // float-int
    else
        out[t] = ((int *)a)[t] >> 23; // float-int
}
