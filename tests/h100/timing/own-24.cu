// SPDX-License-Identifier: GPL-3.0-or-later
// A filter of 33 taps over a signal. The block's part of the signal with its edges lies in shared
// memory; all lanes read the same tap from constant memory.
//: small   array in f32 16416 random:-1:1; array out f32 16384; launch fir<<<64, 256>>>(in, out)
//: middle  array in f32 524320 random:-1:1; array out f32 524288; launch fir<<<2048, 256>>>(in, out)
//: large   array in f32 12582944 random:-1:1; array out f32 12582912; launch fir<<<49152, 256>>>(in, out)

__constant__ float tap[33] = {
    -0.0010f, -0.0014f, -0.0017f, -0.0014f, 0.0000f, 0.0029f, 0.0070f, 0.0109f, 0.0122f, 0.0080f,
    -0.0037f, -0.0229f, -0.0463f, -0.0668f, -0.0741f, 0.1430f, 0.8600f, 0.1430f, -0.0741f, -0.0668f,
    -0.0463f, -0.0229f, -0.0037f, 0.0080f, 0.0122f, 0.0109f, 0.0070f, 0.0029f, 0.0000f, -0.0014f,
    -0.0017f, -0.0014f, -0.0010f};

extern "C" __global__ void fir(const float *in, float *out)
{
    __shared__ float part[256 + 32];
    int base = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 256 + 32; k += 256)
        part[k] = in[base + k];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 33; ++k)
        sum += tap[k] * part[threadIdx.x + k];
    out[base + threadIdx.x] = sum;
}
