// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v f32 256 random; array m f32 1 zero; launch mostOf<<<2, 128>>>(v, m)
//@ kind race-global
//@ cure atomic
//@ says read with an atomic
//@ unsaid is lost
// the loop starts with a plain read
__global__ void mostOf(const float *v, float *m)
{
    int *bits = (int *)m;
    float mine = v[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef CURED
    int old = atomicAdd(bits, 0), seen;
#else
    int old = *bits, seen;
#endif
    do {
        seen = old;
        if (__int_as_float(seen) >= mine)
            break;
        old = atomicCAS(bits, seen, __float_as_int(mine));
    } while (old != seen);
}
