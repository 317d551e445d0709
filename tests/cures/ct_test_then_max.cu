// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v i32 256 random; array m i32 1 zero; launch keepMost<<<2, 128>>>(v, m)
//@ kind race-global
//@ cure atomic
//@ says leave out the read
//@ unsaid is lost
// the test is not needed: atomicMax compares
__global__ void keepMost(const int *v, int *m)
{
    int mine = v[blockIdx.x * blockDim.x + threadIdx.x];
#ifndef CURED
    if (mine > *m)
#endif
        atomicMax(m, mine);
}
