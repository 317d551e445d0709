// SPDX-License-Identifier: GPL-3.0-or-later
// Applies softmax to each row of 1000 numbers. A block has one row and reduces through shared
// memory.
//: small   array x f32 16x1000 random:-4:4; array y f32 16x1000; launch softmax<<<16, 256>>>(y, x, 1000)
//: middle  array x f32 256x1000 random:-4:4; array y f32 256x1000; launch softmax<<<256, 256>>>(y, x, 1000)
//: large   array x f32 4096x1000 random:-4:4; array y f32 4096x1000; launch softmax<<<4096, 256>>>(y, x, 1000)

__global__ void softmax(float *y, const float *x, int columns)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    float top = -1e30f;
    for (int i = t; i < columns; i += 256)
        top = fmaxf(top, x[i]);
    s[t] = top;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < columns; i += 256)
        sum += expf(x[i] - top);
    s[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    float scale = 1.0f / s[0];
    for (int i = t; i < columns; i += 256)
        y[i] = expf(x[i] - top) * scale;
}
