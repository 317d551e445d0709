/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same work in different memories. Thread i starts with x[i]. In each round it computes a new
 * value, keeps it in one of the memories, and takes it from there again. The last value is y[i].
 *
 * `volatile` forces each access: the compiler must not keep this value in a register instead.
 * The kernels with the ending _written have no volatile, as in the lecture notes. The compiler
 * changes them, and the counters of the lab show how.
 *
 * "//: variant NAME" begins the part of one variant. A part ends where the next one begins.
 */

//: used by all but constant constant-many
/* What a round does with a value. A multiplication: rounds of additions could become one. */
#define NEXT(v) (3 * (v) + 1)

//: used by registers shared global
enum { ROUNDS_WRITTEN = 20 };   /* the rounds of the kernels as they are written in the notes */

//: variant registers
/* The value stays in a register. */
extern "C" __global__ void memspeed_registers(const unsigned *x, unsigned *y, int n, int rounds)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            v = NEXT(v);
        y[i] = v;
    }
}

/* As written: each round adds 1. */
extern "C" __global__ void memspeed_registers_written(const unsigned *x, unsigned *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i], next;

        for (int r = 0; r < ROUNDS_WRITTEN; r++) {
            next = v + 1;
            v = next;
        }
        y[i] = v;
    }
}

//: variant shared
/* Each round stores the value in shared memory and loads it. No other thread uses this place, so
 * no barrier is necessary. */
extern "C" __global__ void memspeed_shared(const unsigned *x, unsigned *y, int n, int rounds)
{
    extern __shared__ volatile unsigned place[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            place[threadIdx.x] = NEXT(v);
            v = place[threadIdx.x];
        }
        y[i] = v;
    }
}

/* As written: two arrays in shared memory, without volatile. */
extern "C" __global__ void memspeed_shared_written(const unsigned *x, unsigned *y, int n)
{
    __shared__ unsigned from[1024], to[1024];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        from[threadIdx.x] = x[i];
        for (int r = 0; r < ROUNDS_WRITTEN; r++) {
            to[threadIdx.x] = from[threadIdx.x] + 1;
            from[threadIdx.x] = to[threadIdx.x];
        }
        y[i] = from[threadIdx.x];
    }
}

//: variant global
/* Each round stores the value in global memory and loads it. */
extern "C" __global__ void memspeed_global(const unsigned *x, unsigned *y, int n, int rounds,
                                           volatile unsigned *place)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            place[i] = NEXT(v);
            v = place[i];
        }
        y[i] = v;
    }
}

/* As written: two arrays in global memory, without volatile. */
extern "C" __global__ void memspeed_global_written(const unsigned *x, unsigned *y, int n,
                                                   unsigned *from, unsigned *to)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        from[i] = x[i];
        for (int r = 0; r < ROUNDS_WRITTEN; r++) {
            to[i] = from[i] + 1;
            from[i] = to[i];
        }
        y[i] = from[i];
    }
}

//: variant constant constant-many
/*
 * Each round adds one word of a table in constant memory. The lanes of a warp take `words`
 * different words in each round: with 1, all lanes take the same word.
 */
enum { TABLE = 1024 };
__constant__ unsigned table[TABLE];

extern "C" __global__ void memspeed_constant(const unsigned *x, unsigned *y, int n, int rounds,
                                             int words)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];
        int first = threadIdx.x % words;

#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            v = 3 * v + table[(first + r) % TABLE];
        y[i] = v;
    }
}

/* The same words from a table in global memory. */
extern "C" __global__ void memspeed_table(const unsigned *x, unsigned *y, int n, int rounds,
                                          int words, const volatile unsigned *table_global)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];
        int first = threadIdx.x % words;

#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            v = 3 * v + table_global[(first + r) % TABLE];
        y[i] = v;
    }
}

//: variant short
/* WRONG for blocks of more than 64 threads: the array has a fixed size. */
extern "C" __global__ void memspeed_short(const unsigned *x, unsigned *y, int n, int rounds)
{
    __shared__ volatile unsigned place[64];   /* one element per thread is necessary */
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            place[threadIdx.x] = NEXT(v);
            v = place[threadIdx.x];
        }
        y[i] = v;
    }
}

//: variant sameplace
/* WRONG with more than one block: threads of different blocks use the same place. */
extern "C" __global__ void memspeed_sameplace(const unsigned *x, unsigned *y, int n, int rounds,
                                              volatile unsigned *place)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            place[threadIdx.x] = NEXT(v);   /* i is necessary here, not threadIdx.x */
            v = place[threadIdx.x];
        }
        y[i] = v;
    }
}
