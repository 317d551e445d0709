// SPDX-License-Identifier: GPL-3.0-or-later
// Filters a signal with 33 weights in constant memory. The block keeps its part and the borders
// in shared memory.
//: small   array x f32 8192 random:-1:1; array y f32 8192; launch fir<<<32, 256>>>(y, x, 8192)
//: middle  array x f32 131072 random:-1:1; array y f32 131072; launch fir<<<512, 256>>>(y, x, 131072)
//: large   array x f32 2097152 random:-1:1; array y f32 2097152; launch fir<<<8192, 256>>>(y, x, 2097152)

#define R 16

__constant__ float weight[2 * R + 1] = {
    .001f, .002f, .003f, .005f, .007f, .010f, .014f, .018f, .023f, .029f, .035f,
    .041f, .047f, .052f, .056f, .059f, .060f, .059f, .056f, .052f, .047f, .041f,
    .035f, .029f, .023f, .018f, .014f, .010f, .007f, .005f, .003f, .002f, .001f,
};

__global__ void fir(float *y, const float *x, int n)
{
    __shared__ float s[256 + 2 * R];
    int first = blockIdx.x * 256 - R;
    for (int t = threadIdx.x; t < 256 + 2 * R; t += 256)
        s[t] = first + t >= 0 && first + t < n ? x[first + t] : 0.0f;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * R; k++)
        sum += weight[k] * s[threadIdx.x + k];
    if (blockIdx.x * 256 + threadIdx.x < n)
        y[blockIdx.x * 256 + threadIdx.x] = sum;
}
