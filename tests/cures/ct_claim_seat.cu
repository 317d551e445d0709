// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array seat i32 1 zero; array got i32 256 zero; launch claim<<<2, 128>>>(seat, got)
//@ kind race-global
//@ cure atomic
//@ says atomicCAS
// whoever finds the seat free takes it
__global__ void claim(int *seat, int *got)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    if (atomicCAS(seat, 0, i + 1) == 0)
        got[i] = 1;
#else
    if (*seat == 0) {
        atomicExch(seat, i + 1);
        got[i] = 1;
    }
#endif
}
