/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread changes one number, *x, by its own operand in[t], and keeps in old[t] the value that
 * it found there: by one atomic; by an atomic made of compare and swap; and, wrongly, by a load, a
 * change and a store.
 */

//: variant atomic
extern "C" __global__ void atomics_add(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicAdd(x, in[t]);
}

extern "C" __global__ void atomics_sub(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicSub(x, in[t]);
}

extern "C" __global__ void atomics_min(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicMin(x, in[t]);
}

extern "C" __global__ void atomics_max(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicMax(x, in[t]);
}

extern "C" __global__ void atomics_and(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicAnd(x, in[t]);
}

extern "C" __global__ void atomics_or(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicOr(x, in[t]);
}

extern "C" __global__ void atomics_xor(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicXor(x, in[t]);
}

/* The number is handed on: each thread leaves its own and takes what the one before it left. */
extern "C" __global__ void atomics_exch(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicExch(x, in[t]);
}

/* Compare and swap: only who finds 0 leaves its own number.  So one thread of many is chosen. */
extern "C" __global__ void atomics_cas(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicCAS(x, 0, in[t]);
}

/* Up by one, and from the limit back to 0: places in a ring. */
extern "C" __global__ void atomics_inc(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = (int)atomicInc((unsigned *)x, (unsigned)in[t]);
}

/* Down by one, and from 0 to the limit. */
extern "C" __global__ void atomics_dec(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = (int)atomicDec((unsigned *)x, (unsigned)in[t]);
}

//: used by cas-loop plain
enum { ADD, SUB, MIN, MAX, AND, OR, XOR, EXCH, CAS, INC, DEC };

/* What an operation makes of the number it finds. */
__device__ __forceinline__ int Changed(int op, int found, int by)
{
    switch (op) {
    case ADD: return (int)((unsigned)found + (unsigned)by);
    case SUB: return (int)((unsigned)found - (unsigned)by);
    case MIN: return found < by ? found : by;
    case MAX: return found > by ? found : by;
    case AND: return found & by;
    case OR: return found | by;
    case XOR: return found ^ by;
    case EXCH: return by;
    case CAS: return found == 0 ? by : found;
    case INC: return (unsigned)found >= (unsigned)by ? 0 : found + 1;
    default: return found == 0 || (unsigned)found > (unsigned)by ? by : found - 1;
    }
}

//: variant cas-loop
/*
 * Any operation, made of one: guess what is there, say what it should become, and if another
 * thread was faster, guess again with what it left.  The first guess may well be wrong.
 */
extern "C" __global__ void atomics_cas_loop(int *x, const int *in, int *old, int *tries, int op)
{
    int t = threadIdx.x;
    int found = 0, guess, n = 0;

    do {
        guess = found;
        found = atomicCAS(x, guess, Changed(op, guess, in[t]));
        n++;
    } while (found != guess);
    old[t] = found;
    tries[t] = n;
}

//: variant f64
/* Doubles: one instruction since compute capability 6.0. */
extern "C" __global__ void atomics_f64(double *x, const double *in, double *old)
{
    int t = threadIdx.x;
    old[t] = atomicAdd(x, in[t]);
}

//: variant f64-cas
/* Doubles before that: their 64 bits, as an integer, by compare and swap. */
extern "C" __global__ void atomics_f64_cas(double *x, const double *in, double *old, int *tries)
{
    int t = threadIdx.x;
    unsigned long long *bits = (unsigned long long *)x;
    unsigned long long found = 0, guess;
    int n = 0;

    do {
        guess = found;
        double sum = __longlong_as_double((long long)guess) + in[t];
        found = atomicCAS(bits, guess, (unsigned long long)__double_as_longlong(sum));
        n++;
    } while (found != guess);
    old[t] = __longlong_as_double((long long)found);
    tries[t] = n;
}

//: variant plain
/* WRONG: three steps; what others store between this thread's load and its store is lost. */
extern "C" __global__ void atomics_plain(volatile int *x, const int *in, int *old, int op)
{
    int t = threadIdx.x;
    int found = *x;
    int changed = Changed(op, found, in[t]);

    *x = changed;
    old[t] = found;
}
