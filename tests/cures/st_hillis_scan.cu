// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in i32 128 iota; array out i32 128 zero; launch prefix<<<1, 128>>>(in, out)
//@ kind race-shared
//@ cure syncthreads
//@ place split
// inclusive prefix sum of one block
__global__ void prefix(const int *in, int *out)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();

    for (int d = 1; d < 128; d *= 2) {
#ifdef CURED
        int add = 0;
        if (t >= d)
            add = s[t - d];
        __syncthreads();
        s[t] += add;
        __syncthreads();
#else
        if (t >= d)
            s[t] += s[t - d];
        __syncthreads();
#endif
    }
    out[t] = s[t];
}
