/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pointer chases: each load gets the address of the next one. So no two loads can run at the
 * same time. The cycles between two readings of the clock, divided by the number of steps, are
 * the time of one load.
 *
 * One thread does the chase. It does `warm` steps that are not timed, and then `steps` steps
 * that are. end[0] and end[1] are where the two parts ended, so the compiler keeps all steps.
 * *cycles is the time. If a load must use one certain cache, it is written in PTX.
 */

//: used by all
/* Read the clock after `value` is ready, and before it is used. */
__device__ __forceinline__ long long Clock_at(unsigned long long &value)
{
    asm volatile("" : "+l"(value) : : "memory");
    return clock64();
}

//: variant register
/* No memory is used. Each multiply-add needs the result of the one before, and makes 1 - value. */
extern "C" __global__ void chase_register(float value, float minus_one, float one, int warm,
                                          int steps, float *end, long long *cycles)
{
#pragma unroll 1
    for (int k = 0; k < warm; k++)
        value = fmaf(value, minus_one, one);
    end[0] = value;

    long long from = clock64();
#pragma unroll 1
    for (int k = 0; k < steps / 32; k++) {          /* so the loop itself costs little */
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
/* Copy the ring to shared memory. Each place holds the next place, in bytes. */
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
/* Each place holds the address of the next one. .ca: it may stay in the SM's L1 cache. */
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
/* .cg: a load skips L1 and uses L2. A ring that is larger than L2 comes from global memory. */
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
/* The ring is in constant memory. Its cache is small, so wide steps in a long ring miss it. */
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
