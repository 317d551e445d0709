// SPDX-License-Identifier: GPL-3.0-or-later
// Fences between stores: nothing is loaded or stored by a fence.
// launch 2 64
extern "C" __global__ void fence_flags(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i];
    __threadfence();
    out[i + 128] = in[i] + 1;
    __threadfence_block();
    ((volatile int *)out)[i + 256] = 3;
    __threadfence_system();
    out[i + 384] = ((volatile int *)out)[i + 256];
}
