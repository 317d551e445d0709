/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pointer chases: each load's address is what the load before it brought, so no two of them can
 * be under way at once, and the cycles between two readings of the clock, divided by the steps,
 * are the time of one.
 *
 * One thread chases.  After `warm` steps that nobody times, the clock runs for `steps` more.
 * end[0] and end[1] are where the two parts ended, so that nothing can be left out, and *cycles
 * is what the clock says.  Where a load must name its cache, it is written in PTX.
 */

//: used by all
/* The clock, but not before `value` is there, nor after it has been used. */
__device__ __forceinline__ long long Clock_at(unsigned long long &value)
{
    asm volatile("" : "+l"(value) : : "memory");
    return clock64();
}

//: variant register
/* No memory at all: each multiply-add needs the one before it, and makes 1 - value. */
extern "C" __global__ void chase_register(float value, float minus_one, float one, int warm,
                                          int steps, float *end, long long *cycles)
{
#pragma unroll 1
    for (int k = 0; k < warm; k++)
        value = fmaf(value, minus_one, one);
    end[0] = value;

    long long from = clock64();
#pragma unroll 1
    for (int k = 0; k < steps / 32; k++) {          /* so that the loop itself hardly counts */
#pragma unroll
        for (int j = 0; j < 32; j++)
            asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(value) : "f"(minus_one), "f"(one));
    }
#pragma unroll 1
    for (int k = 0; k < steps % 32; k++)
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(value) : "f"(minus_one), "f"(one));
    long long to = clock64();

    end[1] = value;
    *cycles = to - from;
}

//: variant shared
/* The ring is copied to shared memory; at a place stands the next place, in bytes. */
extern "C" __global__ void chase_shared(const unsigned *next, int words, int warm, int steps,
                                        unsigned *end, long long *cycles)
{
    extern __shared__ unsigned ring[];
    unsigned long long at = 0;

#pragma unroll 1
    for (int w = 0; w < words; w++)
        ring[w] = next[w];
#pragma unroll 1
    for (int k = 0; k < warm; k++)
        at = *(const volatile unsigned *)((const char *)ring + at);
    end[0] = at;

    long long from = Clock_at(at);
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        at = *(const volatile unsigned *)((const char *)ring + at);
    long long to = Clock_at(at);

    end[1] = at;
    *cycles = to - from;
}

//: variant l1
/* At a place stands the next one's address.  .ca: it may stay in the SM's L1 cache. */
extern "C" __global__ void chase_l1(unsigned long long at, int warm, int steps,
                                    unsigned long long *end, long long *cycles)
{
#pragma unroll 1
    for (int k = 0; k < warm; k++)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at) : : "memory");
    end[0] = at;

    long long from = Clock_at(at);
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at) : : "memory");
    long long to = Clock_at(at);

    end[1] = at;
    *cycles = to - from;
}

//: variant l2 global
/* .cg: it passes L1 by and stays in L2.  A ring that L2 can't hold comes from far memory. */
extern "C" __global__ void chase_l2(unsigned long long at, int warm, int steps,
                                    unsigned long long *end, long long *cycles)
{
#pragma unroll 1
    for (int k = 0; k < warm; k++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) : : "memory");
    end[0] = at;

    long long from = Clock_at(at);
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) : : "memory");
    long long to = Clock_at(at);

    end[1] = at;
    *cycles = to - from;
}

//: variant constant constant-miss
/* In constant memory; its cache is small, so a long ring with wide steps misses each time. */
__constant__ unsigned ring_c[16384];

extern "C" __global__ void chase_constant(int warm, int steps, unsigned *end, long long *cycles)
{
    unsigned long long at = 0;

#pragma unroll 1
    for (int k = 0; k < warm; k++)
        at = *(const unsigned *)((const char *)ring_c + at);
    end[0] = at;

    long long from = Clock_at(at);
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        at = *(const unsigned *)((const char *)ring_c + at);
    long long to = Clock_at(at);

    end[1] = at;
    *cycles = to - from;
}
