/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread changes one number, *x, with its own operand in[t]. It stores the value that it
 * found in old[t]. There are three ways: one atomic operation, a loop with compare and swap,
 * and, wrongly, a load, a change and a store.
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

/* An exchange: each thread stores its own number, and gets the number of the thread before it. */
extern "C" __global__ void atomics_exch(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicExch(x, in[t]);
}

/* Compare and swap: only a thread that finds 0 stores its own number. So one thread is chosen. */
extern "C" __global__ void atomics_cas(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = atomicCAS(x, 0, in[t]);
}

/* Add one, and go from the limit back to 0. The numbers are places in a ring. */
extern "C" __global__ void atomics_inc(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = (int)atomicInc((unsigned *)x, (unsigned)in[t]);
}

/* Subtract one, and go from 0 to the limit. */
extern "C" __global__ void atomics_dec(int *x, const int *in, int *old)
{
    int t = threadIdx.x;
    old[t] = (int)atomicDec((unsigned *)x, (unsigned)in[t]);
}

//: used by cas-loop plain
enum { ADD, SUB, MIN, MAX, AND, OR, XOR, EXCH, CAS, INC, DEC };

/* The new number that an operation makes from the old one. */
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
 * Any operation, made from compare and swap. The thread guesses the old value and computes the
 * new one. If another thread was faster, it guesses again with the value that it found.
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
/* Doubles: this is one instruction since compute capability 6.0. */
extern "C" __global__ void atomics_f64(double *x, const double *in, double *old)
{
    int t = threadIdx.x;
    old[t] = atomicAdd(x, in[t]);
}

//: variant f64-cas
/* Doubles on older cards: compare and swap of their 64 bits, as an integer. */
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
/* WRONG: these are three steps. What other threads store between the load and the store is lost. */
extern "C" __global__ void atomics_plain(volatile int *x, const int *in, int *old, int op)
{
    int t = threadIdx.x;
    int found = *x;
    int changed = Changed(op, found, in[t]);

    *x = changed;
    old[t] = found;
}
