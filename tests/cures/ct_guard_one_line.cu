// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v f32 256 random; array m f32 1 zero; launch top<<<2, 128>>>(v, m, 256)
//@ kind race-global
//@ cure atomic
//@ says atomicCAS
// no atomicMax is for float
__global__ void top(const float *v, float *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    int *bits = (int *)m, old = atomicAdd(bits, 0), seen;
    if (i < n)
        do {
            seen = old;
            old = atomicCAS(bits, seen, __float_as_int(fmaxf(v[i], __int_as_float(seen))));
        } while (old != seen);
#else
    if (i < n && v[i] > *m) *m = v[i];
#endif
}
