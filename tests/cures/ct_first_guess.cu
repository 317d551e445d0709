// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 128 iota; array sum f64 1 zero; launch total<<<2, 64>>>(x, sum)
//@ kind race-global
//@ cure atomic
//@ says first guess of the loop, the result is still right.*read with an atomic operation.*begin with any guess
__device__ double addDouble(double *at, double value)
{
    unsigned long long *bits = (unsigned long long *)at;
#ifdef CURED
    unsigned long long old = 0, seen;
#else
    unsigned long long old = *bits, seen;
#endif
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}

__global__ void total(const float *x, double *sum)
{
    addDouble(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
