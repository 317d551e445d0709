// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array count i32 1 zero; launch countAbove<<<4, 256>>>(x, count, 1024)
//@ kind race-global
//@ cure atomic
__global__ void countAbove(const float *x, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.25f) {
#ifdef CURED
        atomicAdd(count, 1);
#else
        *count = *count + 1;
#endif
    }
}
