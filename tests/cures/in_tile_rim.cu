// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 512 random; array b f32 512 zero; launch blur<<<4, 128>>>(a, b, 512)
//@ kind uninitialized
//@ cure initialize
__global__ void blur(const float *a, float *b, int n)
{
    __shared__ float t[130];
    int k = threadIdx.x + 1;
    int i = blockIdx.x * 128 + threadIdx.x;

#ifdef CURED
    if (threadIdx.x == 0) {
        t[0] = 0.0f;
        t[129] = 0.0f;
    }
    __syncthreads();
#endif
    t[k] = a[i];
    if (threadIdx.x == 0 && i > 0)
        t[0] = a[i - 1];
    if (threadIdx.x == 127 && i < n - 1)
        t[129] = a[i + 1];
    __syncthreads();

    b[i] = (t[k - 1] + t[k] + t[k + 1]) / 3.0f;
}
