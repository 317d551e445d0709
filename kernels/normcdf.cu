/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cumulative normal distribution: y[i] = N(x[i]), by a polynomial with 7 coefficients. Each
 * kernel has the coefficients in another memory: c[0] is p, c[1] to c[5] are b1 to b5, and c[6] is
 * 1 / sqrt(2 pi).
 *
 * Each result needs each coefficient once, so the compiler cannot leave out a load. No mistake here
 * depends on the optimiser.
 */

//: used by all but normcdff paren
/* The area beyond |x|: N(x) if x is negative, else 1 - N(x). */
__device__ __forceinline__ float Tail(float x, const float *c)
{
    float t = 1.0f / (1.0f + c[0] * fabsf(x));

    return c[6] * expf(-0.5f * x * x) * t *
           (t * (t * (t * (t * c[5] + c[4]) + c[3]) + c[2]) + c[1]);
}

//: used by registers cancel
/* Puts a value into a register of PTX: the compiler must not use it as a constant. */
#define KEEP(value) asm volatile("" : "+f"(value))

__device__ __forceinline__ void Set_registers(float *c)
{
    c[0] = 0.2316419f;
    c[1] = 0.31938153f;
    c[2] = -0.356563782f;
    c[3] = 1.781477937f;
    c[4] = -1.821255978f;
    c[5] = 1.330274429f;
    c[6] = 0.39894228f;
#pragma unroll
    for (int k = 0; k < 7; k++)
        KEEP(c[k]);
}

//: used by constant paren
__constant__ float coefficient[7];   /* the host copies the values by this name */

//: variant registers
/* Every index of c is a constant, so its elements can be registers. */
extern "C" __global__ void normcdf_registers(const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float c[7];

    Set_registers(c);
    if (i < n) {
        float tail = Tail(x[i], c);
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant shared
/* The block copies the coefficients once. The loop is right for blocks of any size. */
extern "C" __global__ void normcdf_shared(const float *x, float *y, int n, const float *c)
{
    __shared__ float copy[7];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    for (int k = threadIdx.x; k < 7; k += blockDim.x)
        copy[k] = c[k];
    __syncthreads();
    if (i < n) {
        float tail = Tail(x[i], copy);
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant constant
/* All lanes of a warp read the same coefficient, so one access serves the warp. */
extern "C" __global__ void normcdf_constant(const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float tail = Tail(x[i], coefficient);
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant global
/* Each warp loads all coefficients from global memory. */
extern "C" __global__ void normcdf_global(const float *x, float *y, int n, const float *c)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float tail = Tail(x[i], c);
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant normcdff
/* The CUDA Math API has this function. Its coefficients are in its code. */
extern "C" __global__ void normcdf_library(const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        y[i] = normcdff(x[i]);
}

//: variant nobarrier
/* WRONG: a warp may read the coefficients before the first warp has stored them. */
extern "C" __global__ void normcdf_nobarrier(const float *x, float *y, int n, const float *c)
{
    __shared__ float copy[7];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    for (int k = threadIdx.x; k < 7; k += blockDim.x)
        copy[k] = c[k];
    /* __syncthreads() is missing here */
    if (i < n) {
        float tail = Tail(x[i], copy);
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant paren
/* WRONG: one t and its parenthesis are missing, so b1 is added after the product. */
extern "C" __global__ void normcdf_paren(const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    const float *c = coefficient;

    if (i < n) {
        float t = 1.0f / (1.0f + c[0] * fabsf(x[i]));
        float tail = c[6] * expf(-0.5f * x[i] * x[i]) * t *
                     (t * (t * (t * c[5] + c[4]) + c[3]) + c[2]) + c[1];
        y[i] = x[i] < 0.0f ? tail : 1.0f - tail;
    }
}

//: variant cancel
/* WRONG in the lower tail: two differences from 1 leave only a few digits there, or none. */
extern "C" __global__ void normcdf_cancel(const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float c[7];

    Set_registers(c);
    if (i < n) {
        float below = 1.0f - Tail(x[i], c);   /* N(|x|), near 1 */
        y[i] = x[i] < 0.0f ? 1.0f - below : below;
    }
}
