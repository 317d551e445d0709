// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in f32 256 random; array out f32 256 zero; launch softmax<<<2, 128, 512>>>(in, out)
//@ kind race-shared
//@ cure syncthreads
//@ place between
__global__ void softmax(const float *in, float *out)
{
    extern __shared__ float buf[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float v = in[i];

    // 1. the greatest value of the row
    buf[t] = v;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] = fmaxf(buf[t], buf[t + s]);
        __syncthreads();
    }
    float top = buf[0];
#ifdef CURED
    __syncthreads();
#endif

    // 2. the sum of the exponentials
    float e = expf(v - top);
    buf[t] = e;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }
    out[i] = e / buf[0];
}
