// SPDX-License-Identifier: GPL-3.0-or-later
// Factors one symmetric matrix after Cholesky in one block of 32 x 32 threads. The matrix is in
// dynamic shared memory, with three barriers a column.
//: small   array a f32 8x8 expr:exp(-abs(row-col)); array l f32 8x8; launch cholesky<<<1, dim3(32,32), 256>>>(l, a, 8)
//: middle  array a f32 56x56 expr:exp(-abs(row-col)); array l f32 56x56; launch cholesky<<<1, dim3(32,32), 12544>>>(l, a, 56)
//: large   array a f32 240x240 expr:exp(-abs(row-col)); array l f32 240x240; launch cholesky<<<1, dim3(32,32), 230400>>>(l, a, 240)

__global__ void cholesky(float *l, const float *a, int n)
{
    extern __shared__ float s[];
    int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < n * n; i += 1024)
        s[i] = a[i];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0)
            s[k * n + k] = sqrtf(s[k * n + k]);
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += 1024)
            s[i * n + k] /= s[k * n + k];
        __syncthreads();
        for (int i = k + 1 + threadIdx.y; i < n; i += 32)
            for (int j = k + 1 + threadIdx.x; j <= i; j += 32)
                s[i * n + j] -= s[i * n + k] * s[j * n + k];
        __syncthreads();
    }
    for (int i = t; i < n * n; i += 1024)
        l[i] = i % n <= i / n ? s[i] : 0.0f;
}
