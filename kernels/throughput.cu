/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kind of arithmetic, as much as one block can do. Each thread has four chains: x becomes
 * 0.7 - x, for example. It reads the clock before and after them.
 *
 * The first lane of each warp stores both readings in clocks[]. The host takes the first start
 * and the last end. out[] gets all chains. `steps` is a multiple of 8. If a certain instruction
 * is needed, it is written in PTX.
 */

//: used by all
#define CHAINS 4
#define UNROLL 8

/* The work of every kernel, with its own kind of step, OP::step(x). */
template <class T, class OP> __device__ __forceinline__ void Run(T x[CHAINS], const OP &op,
                                                                 int steps, T *out,
                                                                 long long *clocks)
{
    __syncthreads();
    long long from = clock64();
#pragma unroll 1
    for (int k = 0; k < steps / UNROLL; k++) {
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            op.step(x);
    }
    long long to = clock64();

#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        out[c * blockDim.x + threadIdx.x] = x[c];
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = from;
        clocks[threadIdx.x / 32 * 2 + 1] = to;
    }
}

//: used by f32 f64 promoted
/* Each chain begins with its own number. */
#define START(x) {(x) + 0, (x) + 1, (x) + 2, (x) + 3}

//: variant f32
struct Float_step {
    float a;
    __device__ __forceinline__ void step(float x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + 0.7f;
    }
};

extern "C" __global__ void run_f32(float minus_one, int steps, float *out, long long *clocks)
{
    float x[CHAINS] = START((float)threadIdx.x);
    Float_step op = {minus_one};
    Run(x, op, steps, out, clocks);
}

//: variant promoted
/*
 * The f is missing. 0.7 is a double that no float can hold, so the sum is a double too. It is
 * converted back to float. (With 1.0 the compiler knows that float is enough.)
 */
struct Promoted_step {
    float a;
    __device__ __forceinline__ void step(float x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + 0.7;
    }
};

extern "C" __global__ void run_promoted(float minus_one, int steps, float *out, long long *clocks)
{
    float x[CHAINS] = START((float)threadIdx.x);
    Promoted_step op = {minus_one};
    Run(x, op, steps, out, clocks);
}

//: variant f64
struct Double_step {
    double a;
    __device__ __forceinline__ void step(double x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + 0.7;
    }
};

extern "C" __global__ void run_f64(float minus_one, int steps, double *out, long long *clocks)
{
    double x[CHAINS] = START((double)threadIdx.x);
    Double_step op = {minus_one};
    Run(x, op, steps, out, clocks);
}

//: variant f16
/* Two halves are in one register, and one instruction computes both. */
struct Half_step {
    unsigned a, one;
    __device__ __forceinline__ void step(unsigned x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(one));
    }
};

__device__ __forceinline__ unsigned Two_halves(float v)
{
    unsigned both;
    asm("{\n\t.reg .b16 h;\n\tcvt.rn.f16.f32 h, %1;\n\tmov.b32 %0, {h, h};\n\t}"
        : "=r"(both) : "f"(v));
    return both;
}

extern "C" __global__ void run_f16(float minus_one, int steps, unsigned *out, long long *clocks)
{
    float first = threadIdx.x;
    unsigned x[CHAINS] = {Two_halves(first), Two_halves(first + 1), Two_halves(first + 2),
                          Two_halves(first + 3)};
    Half_step op = {Two_halves(minus_one), Two_halves(1.0f)};
    Run(x, op, steps, out, clocks);
}

//: variant int-add
/* Each chain adds its neighbour, so the compiler cannot merge two additions. */
struct Add_step {
    __device__ __forceinline__ void step(unsigned x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            asm volatile("add.u32 %0, %0, %1;" : "+r"(x[c]) : "r"(x[(c + 1) % CHAINS]));
    }
};

extern "C" __global__ void run_int_add(float, int steps, unsigned *out, long long *clocks)
{
    unsigned first = threadIdx.x;
    unsigned x[CHAINS] = {first, first + 1, first + 2, first + 3};
    Add_step op;
    Run(x, op, steps, out, clocks);
}

//: variant int-mul
struct Multiply_step {
    unsigned a, b;
    __device__ __forceinline__ void step(unsigned x[CHAINS]) const
    {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
    }
};

extern "C" __global__ void run_int_mul(float minus_one, int steps, unsigned *out,
                                       long long *clocks)
{
    unsigned first = threadIdx.x;
    unsigned x[CHAINS] = {first, first + 1, first + 2, first + 3};
    Multiply_step op = {(unsigned)(int)(minus_one * -1664525.0f), 1013904223u};
    Run(x, op, steps, out, clocks);
}

//: variant special
/*
 * The step is a special function of a x + b. With these a and b, all chains go to one number.
 * Only 1/x goes back and forth between two numbers.
 */
#define SPECIAL(name, ptx, a, b)                                                             \
    struct name##_step {                                                                     \
        float one;                                                                           \
        __device__ __forceinline__ void step(float x[CHAINS]) const                          \
        {                                                                                    \
            _Pragma("unroll") for (int c = 0; c < CHAINS; c++)                               \
            {                                                                                \
                x[c] = fmaf(x[c], (a) * one, b);                                             \
                asm volatile(ptx " %0, %0;" : "+f"(x[c]));                                   \
            }                                                                                \
        }                                                                                    \
    };                                                                                       \
    extern "C" __global__ void run_##name(float minus_one, int steps, float *out,            \
                                          long long *clocks)                                 \
    {                                                                                        \
        float x[CHAINS] = {0.25f, 0.5f, 1.0f, 4.0f};                                         \
        name##_step op = {-minus_one};                                                       \
        Run(x, op, steps, out, clocks);                                                      \
    }

SPECIAL(rcp, "rcp.approx.ftz.f32", 1.0f, 0.0f)
SPECIAL(rsqrt, "rsqrt.approx.ftz.f32", 1.0f, 0.0f)
SPECIAL(lg2, "lg2.approx.ftz.f32", 1.0f, 2.0f)
SPECIAL(ex2, "ex2.approx.ftz.f32", -1.0f, 0.0f)
SPECIAL(sin, "sin.approx.ftz.f32", 1.0f, 1.0f)
SPECIAL(cos, "cos.approx.ftz.f32", 1.0f, 0.0f)
