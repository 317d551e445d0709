// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in f32 1024 random; array out f32 1024 zero; launch square<<<4, 256>>>(in, out)
//@ kind race-global
//@ cure index
__global__ void square(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
#ifdef CURED
    out[i] = v * v;
#else
    out[threadIdx.x] = v * v;
#endif
}
