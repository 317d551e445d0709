/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule for wavefronts against the profiler's count. Each launch is one warp that reads
 * shared memory once, at addresses from a table; this program prints what src/obs/count.c
 * says of them, in order, and ncu what the hardware did:
 *
 *     cc -std=gnu11 -O2 -Isrc -c src/obs/count.c -o count.o
 *     nvcc -Isrc -Xptxas -O0 -o wavefronts tests/gpu/wavefronts.cu count.o
 *     ./wavefronts >said
 *     ncu --clock-control none --csv --metrics \
 *       l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum ./wavefronts |
 *       sed -n 's/.*wavefronts_mem_shared_op_ld.sum.*"\([0-9]*\)"$/\1/p' >measured
 *     paste measured said | awk '$1 != $2'       prints the patterns where they differ
 */
#include <cstdint>
#include <cstdio>

extern "C" {
#include "obs/count.h"
}

struct pattern { uint32_t mask; unsigned at[32]; };

template <int WORDS> __global__ void probe(pattern p, unsigned *out)
{
    __shared__ __align__(16) char bytes[32768];
    unsigned lane = threadIdx.x, x, y = 0, z = 0, w = 0;
    if (!(p.mask >> lane & 1))
        return;
    unsigned at = (unsigned)__cvta_generic_to_shared(bytes) + p.at[lane];
    if (WORDS == 1)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
    else if (WORDS == 2)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(at));
    else
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
    out[lane] = x + y + z + w;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* The element that a lane reads under pattern number n. */
static unsigned element(unsigned n, unsigned lane, uint32_t *state)
{
    if (n < 10)
        return lane * n; /* strides 0 to 9 */
    switch (n) {
    case 10: return lane / 2;          /* neighbours share */
    case 11: return lane / 4;
    case 12: return lane % 16;         /* halves share */
    case 13: return lane % 8;          /* quarters share */
    case 14: return lane ^ 1;
    case 15: return 31 - lane;
    case 16: return lane / 16;         /* two elements, one a half */
    case 17: return lane / 16 * 32;
    case 18: return lane / 8;
    case 19: return lane / 8 * 32;
    case 20: return lane % 2;
    case 21: return lane % 2 * 32;
    case 22: return lane & 0x15;       /* lanes 2 apart share */
    case 23: return lane * 32 % 256;
    default: return next_random(state) % (n < 32 ? 4 : n < 40 ? 16 : n < 48 ? 64 : 500);
    }
}

static const uint32_t masks[] = {0xFFFFFFFF, 0x0000FFFF, 0x00010001, 0x55555555, 0x0F0F0F0F,
                                 0x01010101, 0x80000001, 0x12345678};

template <int WORDS> static void run(unsigned *out)
{
    uint32_t state = WORDS;
    for (unsigned n = 0; n < 56; n++)
        for (unsigned m = 0; m < (n < 32 ? 8 : 2); m++) {
            pattern p = {masks[m], {0}};
            uint64_t address[32];
            for (unsigned lane = 0; lane < 32; lane++)
                address[lane] = p.at[lane] = element(n, lane, &state) * WORDS * 4;
            probe<WORDS><<<1, 32>>>(p, out);
            struct wavefronts w = count_wavefronts(address, p.mask, WORDS * 4, false);
            printf("%u %u %08x", w.wavefronts, WORDS * 4, p.mask);
            for (unsigned lane = 0; lane < 32; lane++)
                printf(" %u", (unsigned)(address[lane] / (WORDS * 4)));
            printf("\n");
        }
}

int main()
{
    unsigned *out;
    if (cudaMalloc(&out, 32 * sizeof *out) != cudaSuccess)
        return 1;
    run<1>(out);
    run<2>(out);
    run<4>(out);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
