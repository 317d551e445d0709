// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array out i32 64 zero; launch skipFirst<<<1, 64>>>(out)
//@ kind uninitialized
//@ cure initialize
//@ says shared
//@ unsaid before the launch
// thread 0 leaves its element of shared memory as it was
__global__ void skipFirst(int *out)
{
    __shared__ int row[64];
    int me = threadIdx.x;
#ifdef CURED
    row[me] = me ? me * me : 0;
#else
    if (me)
        row[me] = me * me;
#endif
    __syncthreads();
    out[me] = row[me];
}
