// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array g_in f32 256 random; array g_out f32 256 zero; launch scan2<<<1, 256, 2048>>>(g_out, g_in, 256)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
// scan with two buffers, so that nobody overwrites what others read
__global__ void scan2(float *g_out, const float *g_in, int n)
{
    extern __shared__ float temp[];
    int thid = threadIdx.x;
    int pout = 0, pin = 1;

    temp[thid] = g_in[thid];
    __syncthreads();

    for (int offset = 1; offset < n; offset <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
#ifdef CURED
        __syncthreads();
#endif
    }
    g_out[thid] = temp[pout * n + thid];
}
